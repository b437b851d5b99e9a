"""Read a large document in functional syntax by machine code: its plain statements as numbers, the others as ever.

The values are the same as `read_functional` makes, in half of the time. Where anything is in doubt (a mistake, a header
of an unusual form) there is no document, and `read_functional` reads it or says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from os import urandom
from typing import Any, cast

import numpy as np

from moose.base.compiled.kept_code import folder
from moose.base.compiled.machine_code import MachineFunction
from moose.base.memory import paused_collection
from moose.owl.model.axioms import (
    ClassAssertion,
    Declaration,
    DisjointClasses,
    Document,
    EquivalentClasses,
    ObjectPropertyAssertion,
    SubClassOf,
)
from moose.owl.model.expressions import Class, NamedIndividual, ObjectIntersectionOf, ObjectSomeValuesFrom
from moose.owl.syntax.common import arguments
from moose.owl.syntax.common.arguments import IllFormed, Names
from moose.owl.syntax.common.gathering import gather
from moose.owl.syntax.functional import byte_spans, plain_statements
from moose.owl.syntax.functional.functional_tokens import FLAT_DOCUMENT_TOKEN, document_names, tokens_of
from moose.owl.syntax.functional.plain_statements import (
    CLASS,
    DEEPEST,
    DISJOINT,
    DONE,
    EQUIVALENT,
    FULL,
    INDIVIDUAL,
    INSTANCE,
    LINK,
    NAMES,
    NODES,
    OPERANDS,
    OTHER,
    PAUSED,
    POSITION,
    ROLE,
    SEED,
    SHORT,
    SOME,
    STATEMENTS,
    SUBCLASS,
    TOP,
    WORDS,
    Space,
)
from moose.owl.syntax.functional.read_functional import OPENERS, Misplaced, assemble, read_tokens

BETWEEN_PAUSES = 1 << 26
"""Bytes between two looks at the keyboard: half a second."""

_GAP = rb"(?:\s*+\#[^\r\n]*+)*+\s*+"
_HEAD = re.compile(
    rb"(?:"
    + _GAP
    + rb"Prefix\((?:[^()<]|<[^<>\s]*+>)*+\))*+"
    + _GAP
    + rb"Ontology\("
    + _GAP
    + rb"(?:<[^<>\s]*+>"
    + _GAP
    + rb"){0,2}+"
)
_REST = re.compile(_GAP)
_SPACE = re.compile(r"\s")

Scan = Callable[..., int]
"""`plain_statements.scan`, compiled or not."""

Room = dict[int, int]
"""For how many there is space, by their place in the counters: names, expressions, operands, statements, arguments."""

MakeSpace = Callable[[Room], Space]


@cache
def compiled_scan() -> MachineFunction:
    """Return the scanner as machine code, which is kept on disk between runs."""
    return MachineFunction([byte_spans, plain_statements], "scan")


def read_large(data: bytes) -> Document | None:
    """Read a document by machine code; None where there is any doubt, or where the code could not be kept."""
    if folder() is None:
        return None
    return read_plain(data, np.frombuffer(data, dtype=np.uint8), compiled_scan(), new_space)


def read_plain(data: bytes, scanned: Any, scan: Scan, make_space: MakeSpace) -> Document | None:
    """Read a document, its bytes as the scanner takes them; None where there is any doubt."""
    head = _HEAD.match(data)
    if head is None:
        return None
    with paused_collection():
        try:
            header = read_tokens(tokens_of(head[0].decode() + ")", FLAT_DOCUMENT_TOKEN))
            space = run(data, scanned, scan, make_space, head.end())
            return None if space is None else _Reading(data, header, space).document()
        except (Misplaced, IllFormed, UnicodeDecodeError, MemoryError):
            return None


# ── Running the scanner ───────────────────────────────────────────────────────────────────────────────────────────


def run(data: bytes, scanned: Any, scan: Scan, make_space: MakeSpace, start: int) -> Space | None:
    """Scan the statements that begin at `start` until the space is enough; None where the text is not clear."""
    room = usual_room(data)
    while True:
        space = make_space(room)
        space.counters[POSITION] = start
        ended = PAUSED
        while ended == PAUSED:
            ended = scan(scanned, space, int(space.counters[POSITION]) + BETWEEN_PAUSES)
        if ended == FULL:
            room[int(space.counters[SHORT])] *= 4
            continue
        end = int(space.counters[POSITION])
        is_whole = ended == DONE and _REST.fullmatch(data, end) is not None
        return space if is_whole else None


def usual_room(data: bytes) -> Room:
    """Return how much of what a document may well hold: of large ones of biology, less is enough."""
    size = len(data)
    most = {NAMES: size // 300, NODES: size // 200, OPERANDS: size // 150, STATEMENTS: size // 100, TOP: 9_000}
    return {part: 1_000 + usual for part, usual in most.items()}


def new_space(room: Room) -> Space:
    """Make space for so many names, expressions, operands, statements, arguments; most takes memory when it is used."""
    names, nodes, statements = room[NAMES], room[NODES], room[STATEMENTS]

    def empty(size: int, kind: type[np.signedinteger[Any]] = np.int64) -> Any:
        return np.empty(size, dtype=kind)

    def unknown(size: int) -> Any:
        return np.full(size, -1, dtype=np.int32)

    text: Any = np.frombuffer("".join(WORDS).encode(), dtype=np.uint8)
    ends: Any = np.cumsum([0, *map(len, WORDS)])
    counters: Any = np.zeros(8, dtype=np.int64)
    counters[SEED] = int.from_bytes(urandom(7), "little") | 1
    return Space(
        counters=counters,
        name_start=empty(names),
        name_end=empty(names),
        name_hash=empty(names),
        name_slots=unknown(1 << (2 * names).bit_length()),
        class_of_name=unknown(names),
        node_kind=empty(nodes, np.int8),
        node_first=empty(nodes, np.int32),
        node_second=empty(nodes, np.int32),
        node_slots=unknown(1 << (2 * nodes).bit_length()),
        operands=empty(room[OPERANDS], np.int32),
        statement_kind=empty(statements, np.int8),
        first=empty(statements),
        second=empty(statements),
        third=empty(statements, np.int32),
        stack=empty(room[TOP]),
        open_word=unknown(DEEPEST + 1),
        open_base=unknown(DEEPEST + 1),
        word_bytes=text,
        word_ptr=ends,
    )


# ── From numbers to values ────────────────────────────────────────────────────────────────────────────────────────


class _Reading:
    """Values for the numbers of one document."""

    def __init__(self, data: bytes, header: Document, space: Space) -> None:
        self.data = data
        self.header = header
        self.space = space
        self.names: Names = document_names(header.prefixes)
        count = int(space.counters[NAMES])
        spans = zip(_list(space.name_start, count), _list(space.name_end, count), strict=True)
        self.words = [data[start:end].decode() for start, end in spans]
        if not data.isascii() and any(map(_SPACE.search, self.words)):
            raise IllFormed("expected no white space in names")  # which the scanner takes for some other letter
        self.operands = _list(space.operands, int(space.counters[OPERANDS]))
        self.expressions = self._expressions()

    def document(self) -> Document:
        """Return the document: its statements sorted, those of one kind made together."""
        count = int(self.space.counters[STATEMENTS])
        kinds = np.asarray(self.space.statement_kind[:count])
        statements = np.empty(count, dtype=object)
        for kind in np.unique(kinds).tolist():
            places = np.flatnonzero(kinds == kind)
            columns = [np.asarray(column[:count])[places].tolist() for column in self._columns()]
            made = self._others(*columns[:2]) if kind == OTHER else self._statements(kind, *columns)
            statements[places] = np.fromiter(made, dtype=object, count=len(places))
        return gather(statements.tolist(), dict(self.header.prefixes), self.header.iri, self.header.version_iri)

    def _columns(self) -> tuple[Any, Any, Any]:
        return self.space.first, self.space.second, self.space.third

    def _expressions(self) -> list[Any]:
        """Return all class expressions; the parts of one stand before it."""
        space, words = self.space, self.words
        count = int(space.counters[NODES])
        classes = cast("dict[str, object]", self.names[arguments.CLASS.index])
        roles = self.names[arguments.OBJECT_PROPERTY.index]
        operands = self.operands
        made: list[Any] = []
        rows = zip(*(_list(one, count) for one in (space.node_kind, space.node_first, space.node_second)), strict=True)
        for kind, first, second in rows:
            if kind == CLASS:
                word = words[first]
                if word[0] == "<":  # by the short way, as most of them are
                    classes[word] = Class(word[1:-1])
                made.append(classes[word])
            elif kind == SOME:
                made.append(ObjectSomeValuesFrom(roles[words[first]], made[second]))  # type: ignore[arg-type]
            else:
                made.append(ObjectIntersectionOf(tuple([made[part] for part in operands[first : first + second]])))
        return made

    def _statements(self, kind: int, first: list[int], second: list[int], third: list[int]) -> Iterable[object]:
        """Return the plain statements of one kind."""
        expression, words = self.expressions.__getitem__, self.words

        def named(sort: arguments.Sort, column: list[int]) -> Iterable[Any]:
            return map(self.names[sort.index].__getitem__, [words[name] for name in column])

        if kind == SUBCLASS:
            return map(SubClassOf, map(expression, first), map(expression, second))
        if kind in (EQUIVALENT, DISJOINT):
            make = EquivalentClasses if kind == EQUIVALENT else DisjointClasses
            spans = zip(first, second, strict=True)
            parts = ([self.expressions[part] for part in self.operands[at : at + size]] for at, size in spans)
            return map(make, map(tuple, parts))
        if kind == INSTANCE:
            return map(ClassAssertion, map(expression, first), named(arguments.INDIVIDUAL, second))
        if kind == LINK:
            roles = named(arguments.OBJECT_PROPERTY, first)
            ends = (named(arguments.INDIVIDUAL, second), named(arguments.INDIVIDUAL, third))
            return map(ObjectPropertyAssertion, roles, *ends)
        return map(Declaration, self._declared(kind, first))

    def _declared(self, kind: int, names: list[int]) -> list[Any]:
        """Return the entities that declarations are of."""
        memo = self.names[DECLARED[kind].index]
        entities: list[Any] = [memo[self.words[name]] for name in names]
        if kind == INDIVIDUAL and not all(isinstance(one, NamedIndividual) for one in entities):
            raise IllFormed("expected individuals with names")
        return entities

    def _others(self, starts: list[int], ends: list[int]) -> list[object]:
        """Return the statements that are not plain, read as ever."""
        text = b"\n".join([self.data[start:end] for start, end in zip(starts, ends, strict=True)]).decode()
        statements: list[object] = []
        openers = {**OPENERS, "Ontology(": lambda found, _: statements.extend(found)}
        assemble(["Ontology(", *tokens_of(text, FLAT_DOCUMENT_TOKEN), ")"], openers, self.names, [])
        if len(statements) != len(starts):
            raise IllFormed("expected as many statements as were counted")
        return statements


DECLARED = {CLASS: arguments.NAMED_CLASS, ROLE: arguments.NAMED_OBJECT_PROPERTY, INDIVIDUAL: arguments.INDIVIDUAL}
"""Of each kind of declaration that is plain, the sort of its name."""


def _list(column: Any, count: int) -> list[int]:
    return [int(one) for one in column[:count]] if isinstance(column, list) else column[:count].tolist()
