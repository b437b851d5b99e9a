"""Read OWL 2 functional syntax: whole documents, and single axioms or class expressions such as goals of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import length_hint
from typing import cast, get_args

from moose.base.errors import MooseError, ParseError
from moose.base.memory import paused_collection
from moose.owl.model.axioms import Axiom, Declaration, Document, ObjectPropertyAssertion, SubClassOf
from moose.owl.model.expressions import ClassExpression
from moose.owl.model.nesting import MAX_NESTING, TOO_DEEP
from moose.owl.syntax.common.arguments import (
    CLASS,
    INDIVIDUAL,
    IRI,
    OBJECT_PROPERTY,
    Build,
    IllFormed,
    Names,
    Sort,
    convert,
    describe,
)
from moose.owl.syntax.common.gathering import gather
from moose.owl.syntax.common.parts import Group
from moose.owl.syntax.functional.constructors import CONSTRUCTS, unknown_construct
from moose.owl.syntax.functional.functional_tokens import (
    DOCUMENT_TOKEN,
    FLAT_DOCUMENT_TOKEN,
    GOAL_TOKEN,
    Resolve,
    document_names,
    goal_names,
    line_of,
    tokens_of,
)

# ── From tokens to values, from the inside out ────────────────────────────────────────────────────────────────────

OPENERS: dict[str, Build] = {f"{name}(": build for name, build in CONSTRUCTS.items()}
OPENERS["("] = lambda arguments, _: Group(tuple(arguments))

_CLOSE = ")"
_STRAY = frozenset('"<>')


class Misplaced(MooseError):
    """What is wrong, at the token with this index; the index past the last token is the end of the text."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def assemble(tokens: list[str], openers: Mapping[str, Build], names: Names, outermost: list[object]) -> None:
    """Append to `outermost` what stands in no parentheses, each construct built; or raise `Misplaced`."""
    build: Build = _surplus
    arguments = outermost
    enclosing: list[tuple[Build, list[object]]] = []
    expressions: dict[str, object] = {}
    remaining = iter(tokens)
    try:
        for token in remaining:
            if token == _CLOSE:
                value = build(arguments, names)
                build, arguments = enclosing.pop()
                arguments.append(value)
            elif token[-1] == _CLOSE:
                value = expressions.get(token)
                if value is None and len(enclosing) == 1 and (row := _row(token, names)) is not None:
                    arguments += row
                    continue
                if value is None:
                    value = _flat(token, openers, names)
                    if len(enclosing) >= MAX_NESTING:
                        raise IllFormed(TOO_DEEP)
                    if len(enclosing) > 1:  # in an axiom, so that it may well come again
                        expressions[token] = value
                arguments.append(value)
            elif token[-1] == "(":
                enclosing.append((build, arguments))
                build = openers.get(token) or _opener(token, openers)
                arguments = []
                if len(enclosing) > MAX_NESTING:
                    raise IllFormed(TOO_DEEP)
            else:
                arguments.append(token)
    except IllFormed as problem:
        here = len(tokens) - length_hint(remaining) - 1
        raise _placed(problem, tokens, here, arguments) from None
    if enclosing:
        here = _unclosed(tokens)
        message = f"expected a ')' that closes {tokens[here]} here, but the text ends; add it, or fetch the whole file"
        raise Misplaced(message, here)


def _flat(token: str, openers: Mapping[str, Build], names: Names) -> object:
    """Build a construct of nothing but names, which is one token."""
    opening = token.index("(") + 1
    build = openers.get(token[:opening]) or _opener(token[:opening], openers)
    return build(cast("list[object]", token[opening:-1].split()), names)


@dataclass(frozen=True, slots=True)
class Row:
    """Axioms of one kind, of names alone, that are one token: how each begins and ends, and what its names are."""

    opener: str
    closer: str
    sorts: tuple[Sort, ...]
    make: Callable[..., object]

    def build(self, token: str, names: Names) -> Iterator[object] | None:
        """Build the axioms, or return None where the token is something else."""
        words = token.replace(self.opener, " ").replace(self.closer, " ").split()
        width = len(self.sorts)
        if len(words) != width * token.count(self.opener):
            return None
        columns = (map(names[sort.index].__getitem__, words[place::width]) for place, sort in enumerate(self.sorts))
        return map(self.make, *columns)


ROWS = {
    "SubClassOf(": Row("SubClassOf(", ")", (CLASS, CLASS), SubClassOf),
    "Declaration(": Row("Declaration(Class(", "))", (CLASS,), Declaration),
    "ObjectPropertyAssertion(": Row(
        "ObjectPropertyAssertion(", ")", (OBJECT_PROPERTY, INDIVIDUAL, INDIVIDUAL), ObjectPropertyAssertion
    ),
}


def _row(token: str, names: Names) -> Iterator[object] | None:
    """Build the axioms of a row, if a token is one."""
    row = ROWS.get(token[: token.index("(") + 1])
    return None if row is None else row.build(token, names)


def positions(tokens: list[str], start: int) -> list[int]:
    """Return where each argument begins, from `start` to the parenthesis that closes them."""
    starts = []
    depth = 0
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token == _CLOSE:
            depth -= 1
            if depth < 0:
                break
            continue
        if depth == 0:
            starts.append(index)
        depth += token[-1] == "("
    return starts


def _surplus(_arguments: list[object], _names: Names) -> object:
    raise IllFormed("expected no ')' here, since none is open; remove it")


def _opener(token: str, openers: Mapping[str, Build]) -> Build:
    """Return the builder for a name and a parenthesis with white space between."""
    name = token[:-1].rstrip()
    build = openers.get(f"{name}(")
    if build is None:
        raise unknown_construct(name)
    return build


def _placed(problem: IllFormed, tokens: list[str], here: int, arguments: list[object]) -> Misplaced:
    """Point at the argument that is wrong, or else at the beginning of the construct."""
    for index in range(here):
        if tokens[index] in _STRAY:  # what led to the problem that showed here
            return Misplaced(f"expected an argument, but got {describe(tokens[index])}; correct it", index)
    opening = _opening(tokens, here)
    if tokens[here] != _CLOSE or opening < 0:
        return Misplaced(str(problem), here)
    construct = f"{tokens[opening][:-1].rstrip()}(…)"
    advice = "" if ";" in str(problem) else f"; correct this {construct}"
    message = f"in {construct}: {problem}{advice}"
    for argument, index in zip(arguments, positions(tokens, opening + 1), strict=False):
        if argument is problem.culprit:
            return Misplaced(message, index)
    return Misplaced(message, opening)


def _opening(tokens: list[str], closing: int) -> int:
    """Return the index of the token that the parenthesis at `closing` closes, -1 if there is none."""
    depth = 0
    for index in range(closing - 1, -1, -1):
        if tokens[index] == _CLOSE:
            depth += 1
        elif tokens[index][-1] == "(":
            if depth == 0:
                return index
            depth -= 1
    return -1


def _unclosed(tokens: list[str]) -> int:
    """Return the index of the innermost token that opens a parenthesis which is never closed."""
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token == _CLOSE:
            opened.pop()
        elif token[-1] == "(":
            opened.append(index)
    return opened[-1]


# ── Whole documents ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix declaration that has been taken note of."""


def read_functional(text: str, where: str) -> Document:
    """Read a document; `where` names it in error messages.

    >>> read_functional("Ontology(<http://example.org/o>)", "o.ofn").iri
    'http://example.org/o'
    """
    with paused_collection():
        text = text.removeprefix("\ufeff")
        try:
            return read_tokens(tokens_of(text, FLAT_DOCUMENT_TOKEN))
        except Misplaced:  # which is better placed where each token stands for itself
            pass
        try:
            return read_tokens(tokens_of(text, DOCUMENT_TOKEN))
        except Misplaced as problem:
            line = line_of(text, DOCUMENT_TOKEN, problem.index)
            raise ParseError(f"{where}:{line}: {problem}") from None


def read_tokens(tokens: list[str]) -> Document:
    """Build the one document that tokens are, or raise `Misplaced`."""
    prefixes: dict[str, str] = {}
    openers = {**OPENERS, "Prefix(": _prefix_into(prefixes), "Ontology(": _ontology_with(prefixes)}
    outermost: list[object] = []
    try:
        assemble(tokens, openers, document_names(prefixes), outermost)
        return _only_document(tokens, outermost)
    except Misplaced as problem:
        # What stands outside Ontology(…) is the first thing wrong, although it is seen last.
        raise (_stray(tokens, outermost) or problem) from None


def _prefix_into(prefixes: dict[str, str]) -> Build:
    """Return the builder of Prefix(name:=<iri>), which notes the prefix."""

    def build(arguments: list[object], _names: Names) -> object:
        if not arguments or not all(isinstance(argument, str) for argument in arguments):
            raise IllFormed("expected name:=<iri>")
        *front, iri = [str(argument) for argument in arguments]
        name = "".join(front)
        if not name.endswith(":=") or not iri.startswith("<") or name.count(":") != 1:
            raise IllFormed(f"expected name:=<iri>, but got {name}{iri}")
        prefix, namespace = name[:-2], iri[1:-1]
        if prefixes.setdefault(prefix, namespace) != namespace:
            raise IllFormed(f"expected one declaration of {prefix}:, but it is already <{prefixes[prefix]}>; keep one")
        return Prefix()

    return build


def _ontology_with(prefixes: dict[str, str]) -> Build:
    """Return the builder of Ontology(…), whose IRIs stand first."""

    def build(arguments: list[object], names: Names) -> object:
        count = next((i for i, argument in enumerate(arguments[:2]) if not isinstance(argument, str)), 2)
        iris = [str(convert(argument, IRI, names)) for argument in arguments[:count]]
        iri, version_iri = [*iris, None, None][:2]
        return gather(arguments[count:], prefixes, iri, version_iri)

    return build


def _only_document(tokens: list[str], outermost: list[object]) -> Document:
    stray = _stray(tokens, outermost)
    if stray is not None:
        raise stray
    if outermost and isinstance(outermost[-1], Document):
        return outermost[-1]
    end = "it ends after the prefixes" if outermost else "it is empty"
    raise Misplaced(f"expected a text with Ontology(…) in functional syntax, but {end}; check the file", len(tokens))


def _stray(tokens: list[str], outermost: list[object]) -> Misplaced | None:
    """Return the error for the first thing that stands before or behind the ontology, if there is one."""
    is_behind = False
    for number, item in enumerate(outermost):
        if not is_behind and isinstance(item, Prefix | Document):
            is_behind = isinstance(item, Document)
            continue
        index = positions(tokens, 0)[number]
        if is_behind:
            return Misplaced(
                f"expected nothing behind Ontology(…), but got {tokens[index]}; remove it, or a ')' too many before it",
                index,
            )
        return Misplaced(
            f"expected Prefix(…) or Ontology(…), but got {tokens[index]}; is this OWL 2 functional syntax?", index
        )
    return None


# ── Single axioms and expressions ─────────────────────────────────────────────────────────────────────────────────


def parse_axiom(text: str, where: str, resolve: Resolve) -> Axiom:
    """Read one axiom whose names `resolve(kind, name)` turns into entities.

    A name is a short name, a CURIE, an <IRI> or a 'quoted label'; `resolve` gets it as it is written.
    """
    value = _parse_one(text, where, goal_names(resolve))
    if type(value) not in get_args(Axiom):
        raise ParseError(f"{where}: expected an axiom such as SubClassOf(A B), but got {describe(value)}; complete it")
    return value  # type: ignore[return-value]  # the type was checked one by one


def parse_expression(text: str, where: str, resolve: Resolve) -> ClassExpression:
    """Read one class expression, or the bare name of a class, as `parse_axiom` reads an axiom."""
    names = goal_names(resolve)
    try:
        return convert(_parse_one(text, where, names), CLASS, names)  # type: ignore[return-value]  # of that sort
    except IllFormed as problem:
        raise ParseError(f"{where}: {problem}; write a class expression such as ObjectSomeValuesFrom(r A)") from None


def _parse_one(text: str, where: str, names: Names) -> object:
    tokens = [part for token in tokens_of(text, GOAL_TOKEN) for part in _apart(token, text)]
    outermost: list[object] = []
    try:
        assemble(tokens, OPENERS, names, outermost)
    except Misplaced as problem:
        raise ParseError(f"{where}: {problem}") from None
    if len(outermost) != 1:
        came = "nothing" if not outermost else f"also {describe(outermost[1])}"
        raise ParseError(f"{where}: expected one axiom or expression, but got {came}; write SubClassOf(A B), say")
    return outermost[0]


def _apart(token: str, text: str) -> tuple[str, ...]:
    """Part a short name from the parenthesis behind it, as in HasKey(A (r) ()), where A is no construct."""
    name = token[:-1].rstrip()
    is_name = token[-1] == "(" and name and f"{name}(" not in OPENERS
    return (name, "(") if is_name and "HasKey" in text else (token,)
