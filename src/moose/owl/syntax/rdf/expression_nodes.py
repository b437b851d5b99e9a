"""Read class expressions, data ranges, property expressions, individuals and lists off the nodes of an RDF graph.

Nothing here recurses: the reader of a node is a generator that yields each node it needs and is sent its value.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TypeVar, cast, get_args

from moose.base.errors import ParseError
from moose.owl.model import axioms
from moose.owl.model import expressions as model
from moose.owl.model.axioms import AnnotationAssertion, Annotations, Axiom, Declaration
from moose.owl.model.expressions import OWL, AnnotationProperty, DataProperty, ObjectProperty
from moose.owl.model.nesting import MAX_NESTING, TOO_DEEP
from moose.owl.syntax.rdf.graph import Graph, Term, annotation_value, is_blank, show
from moose.owl.syntax.rdf.misspelt_words import TYPES, meant
from moose.owl.syntax.rdf.rdf_vocabulary import (
    EXPRESSION_PARTS,
    FIRST,
    INVERSE_OF,
    NIL,
    PROPERTY_KINDS,
    RESOURCE,
    REST,
    STRUCTURE,
    Kind,
    Kinds,
)

Value = model.ClassExpression | model.DataRange | model.ObjectInverseOf
Steps = Generator[str, Value, Value]
"""Reads one node: yields the nodes it consists of, is sent their values, returns its own."""

Told = dict[str, Term]
Build = Callable[["Expressions", str, Told], Steps]
T = TypeVar("T")

# A node that stands in many places is written out in each. What real documents share at most doubles them, and
# nothing is looked at more than a few times.
LARGEST_UNFOLDING = 20
SMALL_DOCUMENT = 100_000

_DATA_RANGES = get_args(model.DataRange)


class Broken(Exception):
    """A part of the graph stands for nothing in OWL 2; the message says why."""


@dataclass(slots=True)
class _Frame:
    """A node that is being read."""

    node: str | None
    steps: Steps
    depth: int = 0
    size: int = 1


@dataclass(slots=True)
class Expressions:
    """The expressions of one graph, each read when first asked for."""

    graph: Graph
    kinds: Kinds
    where: str
    shapes: dict[frozenset[str], Build]
    used: set[str] = field(default_factory=set)
    """The nodes whose structure is accounted for."""

    _values: dict[str, tuple[Value | Broken, int, int]] = field(default_factory=dict)
    """What each node stands for, how deep it is and how large when written out."""

    _classes: dict[Term, model.Class] = field(default_factory=lambda: {RESOURCE: model.THING})
    _names: dict[tuple[type, str], object] = field(default_factory=dict)
    _unfolded: int = 0

    # ── Terms ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def entity(self, kind: Callable[[str], T], iri: str) -> T:
        """Return the entity of a kind with this name, the same object each time."""
        key = cast(tuple[type, str], (kind, iri))
        entity = self._names.get(key)
        if entity is None:
            entity = self._names[key] = kind(iri)
        return cast(T, entity)

    def cls(self, term: Term) -> model.ClassExpression:
        """Read a class expression."""
        return self._classes.get(term) or self.as_class(self.value(term))

    def as_class(self, value: Value | Term) -> model.ClassExpression:
        """Return a class expression that has been read, or the class of this name."""
        if isinstance(value, str):
            if value in self._classes:
                return self._classes[value]
            if self.kinds.is_datatype(value) or self.kinds.is_foreign(value):
                raise Broken(f"{show(value)} stands where a class belongs{meant(value, TYPES)}")
            return self._classes.setdefault(value, self.entity(model.Class, value))
        if isinstance(value, (model.Literal, model.ObjectInverseOf, *_DATA_RANGES)):
            raise Broken(f"{_describe(value)} stands where a class belongs")
        return cast(model.ClassExpression, value)

    def data_range(self, term: Term) -> model.DataRange:
        """Read a data range."""
        return self.as_data_range(self.value(term))

    def as_data_range(self, value: Value | Term) -> model.DataRange:
        """Return a data range that has been read, or the datatype of this name."""
        if isinstance(value, str):
            if self.kinds.is_class(value) or (self.kinds.is_foreign(value) and not self.kinds.is_datatype(value)):
                raise Broken(f"{show(value)} stands where a data range belongs")
            return self.entity(model.Datatype, value)
        if not isinstance(value, _DATA_RANGES):
            raise Broken(f"{_describe(value)} stands where a data range belongs")
        return cast(model.DataRange, value)

    def is_data(self, value: Value | Term) -> bool:
        """Return whether something that has been read, or a name, is known to be a data range."""
        return self.kinds.is_datatype(value) if isinstance(value, str) else isinstance(value, _DATA_RANGES)

    def role(self, term: Term) -> model.ObjectPropertyExpression:
        """Read an object property or the inverse of one."""
        return self.as_role(self.value(term))

    def as_role(self, value: Value | Term) -> model.ObjectPropertyExpression:
        """Return an inverse that has been read, or the object property of this name."""
        if isinstance(value, model.ObjectInverseOf):
            return value
        if not isinstance(value, str) or self.kinds.is_foreign(value):
            raise Broken(f"{_describe(value)} stands where an object property belongs")
        if self.kinds.is_only(value, DataProperty):
            raise Broken(f"the data property {show(value)} stands where an object property belongs")
        return self.entity(model.ObjectProperty, value)

    def data_property(self, term: Term | Value) -> model.DataProperty:
        """Return the data property of this name."""
        if not isinstance(term, str) or is_blank(term) or self.kinds.is_foreign(term):
            raise Broken(f"{_describe(term)} stands where a data property belongs")
        if self.kinds.is_only(term, ObjectProperty):
            raise Broken(f"the object property {show(term)} stands where a data property belongs")
        return self.entity(model.DataProperty, term)

    def individual(self, term: Term) -> model.Individual:
        """Return the individual of this name or blank node."""
        if not isinstance(term, str):
            raise Broken(f"the literal {show(term)} stands where an individual belongs")
        if not is_blank(term):
            return self.entity(model.NamedIndividual, term)
        if any(word in STRUCTURE for word, _ in self.graph.pairs.get(term, ())):
            raise Broken(f"the node {term} stands where an individual belongs, but describes something else")
        return self.entity(model.AnonymousIndividual, term[2:])

    def items(self, head: Term) -> list[Term]:
        """Return the items of a list."""
        cells: dict[str, Term] = {}
        try:
            while head != NIL:
                if not isinstance(head, str) or head in cells:
                    raise Broken("a list runs in a circle" if isinstance(head, str) else "a list ends in a literal")
                firsts, rests = self.graph.objects(head, FIRST), self.graph.objects(head, REST)
                if len(firsts) != 1 or len(rests) != 1:
                    raise Broken(f"a list has {len(firsts)} rdf:first and {len(rests)} rdf:rest at {show(head)}")
                cells[head] = firsts[0]
                head = rests[0]
        finally:
            self._spend(len(cells))
        self.used.update(cells)
        return list(cells.values())

    # ── Nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, term: Term) -> Value | Term:
        """Return what a blank node stands for; names and literals stand for themselves."""
        return self.read(term) if isinstance(term, str) and is_blank(term) else term

    def read(self, node: str) -> Value:
        """Return what a blank node stands for."""
        if node not in self._values:
            self._run(_Frame(node, self._steps(node)))
        value, _, size = self._values[node]
        self._spend(size)
        if isinstance(value, Broken):
            raise Broken(*value.args)
        return value

    def described(self, name: str, told: Told) -> Value:
        """Return what a named node stands for by these words about it."""
        return self._run(_Frame(None, self._by_shape(name, told)))

    def parts(self, node: str, words: frozenset[str] = EXPRESSION_PARTS) -> Told:
        """Return the words that make up the structure of a node, each of which may stand there once."""
        told: Told = {}
        for word, value in self.graph.pairs.get(node, ()):
            if word not in words:
                continue
            if word not in told:
                told[word] = value
            elif word != INVERSE_OF:  # the others say that the inverse is itself the inverse of something
                raise Broken(f"the node {show(node)} has {_short(word)} more than once")
        return told

    def _steps(self, node: str) -> Steps:
        return (yield from self._by_shape(node, self.parts(node)))

    def _by_shape(self, node: str, told: Told) -> Steps:
        build = self.shapes.get(frozenset(told))
        if build is None:
            parts = " and ".join(sorted(_short(word) for word in told)) or "nothing"
            raise Broken(f"the node {show(node)} has {parts}, which describes no class, data range or property")
        value = yield from build(self, node, told)
        self.used.add(node)
        return value

    def _run(self, root: _Frame) -> Value:
        """Read a node and all below it, innermost first."""
        stack = [root]
        reading = {root.node}
        answer: Value | Broken | None = None
        while True:
            frame = stack[-1]
            result: Value | Broken
            try:
                needed = _resume(frame.steps, answer)
            except StopIteration as end:
                result = end.value
            except Broken as problem:
                result = problem
            else:
                answer = self._enter(needed, stack, reading)
                continue
            stack.pop()
            reading.discard(frame.node)
            if frame.node is not None:
                self._values[frame.node] = (result, frame.depth, frame.size)
            if not stack:
                self._spend(frame.size)
                if isinstance(result, Broken):
                    raise Broken(*result.args)
                return result
            self._add_to(stack[-1], frame.depth, frame.size)
            answer = result

    def _enter(self, node: str, stack: list[_Frame], reading: set[str | None]) -> Value | Broken | None:
        """Return what a node stands for if it is known, or else start to read it."""
        if node in self._values:
            value, depth, size = self._values[node]
            self._add_to(stack[-1], depth, size)
            return value
        if node in reading:
            return Broken(f"the description of {node} contains itself")
        if len(stack) >= MAX_NESTING:
            raise ParseError(f"{self.where}: {TOO_DEEP}")
        stack.append(_Frame(node, self._steps(node)))
        reading.add(node)
        return None

    def _add_to(self, frame: _Frame, depth: int, size: int) -> None:
        frame.depth = max(frame.depth, depth + 1)
        frame.size += size
        if frame.depth >= MAX_NESTING:
            raise ParseError(f"{self.where}: {TOO_DEEP}")
        self._refuse_if_large(frame.size)

    def _spend(self, size: int) -> None:
        self._unfolded += size
        self._refuse_if_large(self._unfolded)

    def _refuse_if_large(self, size: int) -> None:
        if size > LARGEST_UNFOLDING * self.graph.triple_count + SMALL_DOCUMENT:
            raise ParseError(
                f"{self.where}: expected {self.graph.triple_count:,} triples to say about as much, but some nodes are "
                f"part of so many others that writing all out would take over {LARGEST_UNFOLDING} times as long; "
                "give names to these nodes"
            )


def _resume(steps: Steps, answer: Value | Broken | None) -> str:
    """Go on reading a node with the value that it waits for."""
    if isinstance(answer, Broken):
        return steps.throw(Broken(*answer.args))
    return next(steps) if answer is None else steps.send(answer)


def _describe(value: object) -> str:
    return show(value) if isinstance(value, (str, model.Literal)) else f"a {type(value).__name__}"


def _short(word: str) -> str:
    return word.replace(OWL, "owl:")


# ── What several kinds of triples share ───────────────────────────────────────────────────────────────────────────

Statement = Axiom | Declaration | AnnotationAssertion


def common_kind(read: Expressions, *terms: Term) -> Kind | None:
    """Return the kind that all these properties can have; none if nothing is known of any."""
    if any(is_blank(term) for term in terms):
        return ObjectProperty
    known = [set(read.kinds.of(term)) for term in terms if isinstance(term, str)]
    known = [kinds for kinds in known if kinds]
    if not known:
        return None
    common = set.intersection(*known)
    if not common:
        raise Broken("it mixes properties of different kinds")
    return next(kind for kind in PROPERTY_KINDS if kind in common)


def disjoint_properties(read: Expressions, terms: list[Term], notes: Annotations) -> Axiom:
    """Read properties that share no pair."""
    kind = common_kind(read, *terms)
    if kind is DataProperty:
        return axioms.DisjointDataProperties(tuple(read.data_property(term) for term in terms), notes)
    if kind is AnnotationProperty:
        raise Broken("OWL 2 has no disjointness of annotation properties")
    return axioms.DisjointObjectProperties(tuple(read.role(term) for term in terms), notes)


def annotation_assertion(word: str, subject: str, value: Term, notes: Annotations) -> AnnotationAssertion:
    """Read an annotation of a name or of an anonymous individual."""
    about = annotation_value(subject)
    assert not isinstance(about, model.Literal)
    return AnnotationAssertion(word, about, annotation_value(value), notes)
