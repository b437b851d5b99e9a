"""Find which names are classes, datatypes, and object, data or annotation properties: as declared, or else as used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from moose.owl.model import expressions as model
from moose.owl.model.expressions import DataProperty, Entity, ObjectProperty
from moose.owl.syntax.rdf.graph import Graph, Term, is_blank
from moose.owl.syntax.rdf.rdf_vocabulary import (
    ALL,
    ALL_DISJOINT_PROPERTIES,
    ASSERTION_PROPERTY,
    AXIOM,
    CHARACTERISTICS,
    DATA_COMPLEMENT,
    DECLARED_AS,
    DISJOINT_PROPERTY,
    DOMAIN,
    EQUIVALENT_PROPERTY,
    FIRST,
    FUNCTIONAL,
    HAS_KEY,
    HAS_SELF,
    HAS_VALUE,
    INVERSE_OF,
    MEMBERS,
    ON_CLASS,
    ON_DATA_RANGE,
    ON_DATATYPE,
    ON_PROPERTIES,
    ON_PROPERTY,
    ONE_OF,
    PROPERTY,
    PROPERTY_CHAIN,
    PROPERTY_KINDS,
    RANGE,
    REST,
    SOME,
    SOURCE,
    SUB_PROPERTY,
    TARGET,
    TARGET_VALUE,
    TYPE,
    Kind,
    Kinds,
)

Words = dict[str, Term]
"""The predicates of a node, each with one of its objects."""

MOST_LIST_ITEMS = 20
"""How often a list may be looked through because others share it."""


def find_kinds(graph: Graph, known: Iterable[Entity] = ()) -> Kinds:
    """Collect what is declared, here or by imports (`known`), then decide undeclared properties by their use."""
    kinds = Kinds()
    names = kinds.names
    for entity in known:
        names[type(entity)].add(entity.iri)
    for type_iri, kind in DECLARED_AS.items():
        names[kind].update(graph.instances.get(type_iri, ()))
    for type_iri in CHARACTERISTICS:
        names[ObjectProperty].update(node for node in graph.instances.get(type_iri, ()) if not is_blank(node))
    for name, kind in _annotated_declarations(graph):
        names[kind].add(name)
    _decide(_Uses.of(graph, kinds), kinds)
    return kinds


def _annotated_declarations(graph: Graph) -> Iterator[tuple[str, Kind]]:
    """Find declarations that are made by their annotations alone (Mapping to RDF, table 7)."""
    for node in graph.instances.get(AXIOM, ()):
        told = dict(graph.pairs[node])
        source, target = told.get(SOURCE), told.get(TARGET)
        if told.get(PROPERTY) == TYPE and isinstance(source, str) and isinstance(target, str) and target in DECLARED_AS:
            yield source, DECLARED_AS[target]


# ── Undeclared properties ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Uses:
    """What the uses of undeclared properties say about their kinds."""

    graph: Graph
    kinds: Kinds
    undeclared: set[str] = field(default_factory=set)
    certain: list[tuple[str, Kind]] = field(default_factory=list)
    likely_roles: list[str] = field(default_factory=list)
    """Properties with a domain, a characteristic, a cardinality, a key: roles, of objects unless they have literals."""

    same_kind: list[tuple[str, str]] = field(default_factory=list)
    with_literals: set[str] = field(default_factory=set)
    list_items: int = 0

    @classmethod
    def of(cls, graph: Graph, kinds: Kinds) -> _Uses:
        """Go over all triples once."""
        uses = cls(graph, kinds)
        declared = set().union(*(kinds.names[kind] for kind in PROPERTY_KINDS))
        uses.likely_roles += graph.instances.get(FUNCTIONAL, ())
        for node in graph.instances.get(ALL_DISJOINT_PROPERTIES, ()):
            for head in graph.objects(node, MEMBERS):
                for first, second in pairwise(uses.items(head)):
                    _related_roles(uses, str(first), second, {})
        for node, pairs in graph.pairs.items():
            words: Words = {}
            for word, value in pairs:
                note = _EVIDENCE.get(word)
                if note is not None:
                    words = words or dict(pairs)
                    note(uses, node, value, words)
                elif word not in declared and value.__class__ is model.Literal:
                    uses.with_literals.add(word)
        related = [name for pair in uses.same_kind for name in pair]
        uses.undeclared = {name for name, _ in uses.certain}.union(uses.likely_roles, related) - declared
        return uses

    def note(self, term: Term, kind: Kind | None) -> None:
        """Note that a property is of a kind, or is a role of one kind or the other."""
        if isinstance(term, str) and not is_blank(term):
            if kind is None:
                self.likely_roles.append(term)
            else:
                self.certain.append((term, kind))

    def kind_by_filler(self, filler: Term) -> Kind | None:
        """Return the kind of property that has such fillers, if they tell."""
        if not isinstance(filler, str):
            return DataProperty
        if self.kinds.is_datatype(filler):
            return DataProperty
        if is_blank(filler):
            words = dict(self.graph.pairs.get(filler, ()))
            items = self.graph.objects(str(words[ONE_OF]), FIRST) if ONE_OF in words else []
            is_data = ON_DATATYPE in words or DATA_COMPLEMENT in words or any(not isinstance(i, str) for i in items)
            return DataProperty if is_data else ObjectProperty
        return ObjectProperty if self.kinds.is_class(filler) else None

    def items(self, head: Term) -> list[Term]:
        """Return what a list holds, as far as it is one; who shares too many lists is refused later."""
        items: dict[str, Term] = {}
        while (
            isinstance(head, str) and head not in items and self.list_items < MOST_LIST_ITEMS * self.graph.triple_count
        ):
            cell = dict(self.graph.pairs.get(head, ()))
            if FIRST not in cell:
                break
            self.list_items += 1
            items[head] = cell[FIRST]
            head = cell.get(REST, "")
        return list(items.values())


def _restriction(uses: _Uses, _node: str, value: Term, words: Words) -> None:
    kind: Kind | None = None
    if ON_DATA_RANGE in words:
        kind = DataProperty
    elif ON_CLASS in words or HAS_SELF in words:
        kind = ObjectProperty
    elif HAS_VALUE in words:
        kind = ObjectProperty if isinstance(words[HAS_VALUE], str) else DataProperty
    elif SOME in words or ALL in words:
        kind = uses.kind_by_filler(words.get(SOME, words.get(ALL, "")))
    uses.note(value, kind)


def _inverse(uses: _Uses, node: str, value: Term, _words: Words) -> None:
    uses.note(node, ObjectProperty)
    uses.note(value, ObjectProperty)


def _chain(uses: _Uses, node: str, value: Term, _words: Words) -> None:
    for term in (node, *uses.items(value)):
        uses.note(term, ObjectProperty)


def _range(uses: _Uses, node: str, value: Term, _words: Words) -> None:
    kind = uses.kind_by_filler(value)
    if kind is not None:
        uses.note(node, kind)


def _domain(uses: _Uses, node: str, _value: Term, _words: Words) -> None:
    uses.note(node, None)


def _key(uses: _Uses, _node: str, value: Term, _words: Words) -> None:
    for term in uses.items(value):
        uses.note(term, None)


def _data_properties(uses: _Uses, _node: str, value: Term, _words: Words) -> None:
    for term in uses.items(value):
        uses.note(term, DataProperty)


def _negative_assertion(uses: _Uses, _node: str, value: Term, words: Words) -> None:
    uses.note(value, DataProperty if TARGET_VALUE in words else ObjectProperty)


def _sub_property(uses: _Uses, node: str, value: Term, _words: Words) -> None:
    if is_blank(node) or is_blank(value):
        _inverse(uses, node, value, _words)
    elif isinstance(value, str):
        uses.same_kind.append((node, value))


def _related_roles(uses: _Uses, node: str, value: Term, words: Words) -> None:
    uses.note(node, None)
    uses.note(value, None)
    _sub_property(uses, node, value, words)


_EVIDENCE = {
    ON_PROPERTY: _restriction,
    ON_PROPERTIES: _data_properties,
    INVERSE_OF: _inverse,
    PROPERTY_CHAIN: _chain,
    RANGE: _range,
    DOMAIN: _domain,
    HAS_KEY: _key,
    ASSERTION_PROPERTY: _negative_assertion,
    SUB_PROPERTY: _sub_property,
    EQUIVALENT_PROPERTY: _related_roles,
    DISJOINT_PROPERTY: _related_roles,
}


def _decide(uses: _Uses, kinds: Kinds) -> None:
    """Let what is certain decide first, then what is related to it, then what is likely, and again its relations."""
    for name, kind in uses.certain:
        if name in uses.undeclared:
            kinds.names[kind].add(name)
    _spread(uses, kinds)
    for name in uses.likely_roles:
        if name in uses.undeclared and not kinds.of(name):
            kinds.names[DataProperty if name in uses.with_literals else ObjectProperty].add(name)
    _spread(uses, kinds)


def _spread(uses: _Uses, kinds: Kinds) -> None:
    """Give properties without a kind those of the properties that they are below, above, equal to or disjoint from."""
    relatives: dict[str, list[str]] = {}
    for first, second in uses.same_kind:
        relatives.setdefault(first, []).append(second)
        relatives.setdefault(second, []).append(first)
    waiting = [name for name in relatives if kinds.of(name)]
    while waiting:
        name = waiting.pop()
        for relative in relatives[name]:
            if not kinds.of(relative):
                for kind in kinds.of(name):
                    kinds.names[kind].add(relative)
                waiting.append(relative)
