"""Class expressions, data ranges and properties as nodes: OWL 2 Mapping to RDF Graphs, table 1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import get_args

from moose.owl.model import expressions as model
from moose.owl.model.expressions import LITERAL, OWL, THING, XSD, Literal
from moose.owl.syntax.rdf import rdf_vocabulary as rdf
from moose.owl.syntax.rdf.writing.tree import Blank, Listed, Object, Pairs, Subject, use

TRUE = Literal("true", XSD + "boolean")
CLASS, DATATYPE = rdf.OWL_CLASS, rdf.RDFS_DATATYPE

_SAFE_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.-]+[A-Za-z0-9_]+)*")
_ENTITIES = frozenset(get_args(model.Entity))
_LISTS: dict[type, tuple[str, str, str]] = {
    model.ObjectIntersectionOf: (CLASS, rdf.INTERSECTION, "operands"),
    model.ObjectUnionOf: (CLASS, rdf.UNION, "operands"),
    model.ObjectOneOf: (CLASS, rdf.ONE_OF, "individuals"),
    model.DataIntersectionOf: (DATATYPE, rdf.INTERSECTION, "operands"),
    model.DataUnionOf: (DATATYPE, rdf.UNION, "operands"),
    model.DataOneOf: (DATATYPE, rdf.ONE_OF, "literals"),
}
_QUANTIFIERS: dict[type, tuple[str, str]] = {
    model.ObjectSomeValuesFrom: (rdf.SOME, "filler"),
    model.ObjectAllValuesFrom: (rdf.ALL, "filler"),
    model.ObjectHasValue: (rdf.HAS_VALUE, "individual"),
    model.DataHasValue: (rdf.HAS_VALUE, "literal"),
}
_COUNTS: dict[type, tuple[str, str]] = {
    model.ObjectMinCardinality: ("min", rdf.ON_CLASS),
    model.ObjectMaxCardinality: ("max", rdf.ON_CLASS),
    model.ObjectExactCardinality: ("", rdf.ON_CLASS),
    model.DataMinCardinality: ("min", rdf.ON_DATA_RANGE),
    model.DataMaxCardinality: ("max", rdf.ON_DATA_RANGE),
    model.DataExactCardinality: ("", rdf.ON_DATA_RANGE),
}


class NodeMaker:
    """Makes the nodes of one axiom after another; the text of the axiom and a count give a node its label."""

    def __init__(self) -> None:
        self._individuals: dict[str, Blank] = {}
        self._seed = ""
        self._count = 0

    def begin(self, seed: str) -> None:
        """Begin with another axiom."""
        self._seed, self._count = seed, 0

    def blank(self, pairs: Pairs) -> Blank:
        """Return a new node."""
        self._count += 1
        for _, value in pairs:
            use(value)
        return Blank(f"{self._seed} {self._count}", pairs)

    def listed(self, values: Iterable[object]) -> Listed:
        """Return a list of values of the model."""
        items = tuple(self.term(value) for value in values)
        for item in items:
            use(item)
        return Listed(items)

    @property
    def seed(self) -> str:
        """Return a text that no other node of the document has, for a label."""
        self._count += 1
        return f"{self._seed} {self._count}"

    def individual(self, anonymous: model.AnonymousIndividual) -> Blank:
        """Return the node of an anonymous individual, under its own label where that can be one."""
        node = anonymous.node
        if node not in self._individuals:
            is_safe = _SAFE_LABEL.fullmatch(node) is not None and not node.startswith(("node-", "other-"))
            name = node if is_safe else f"other-{blake2b(node.encode(), digest_size=10).hexdigest()}"
            self._individuals[node] = Blank(node, name=name)
        return self._individuals[node]

    def subject(self, value: object) -> Subject:
        """Return the node of something that a triple can be about."""
        node = self.term(value)
        assert isinstance(node, str | Blank), "literals and lists are no subjects"
        return node

    def term(self, value: object) -> Object:
        """Return the node of an entity, an individual, a literal or an expression; text is an IRI."""
        if isinstance(value, str | Literal):
            return value
        kind = type(value)
        if kind in _ENTITIES:
            return value.iri  # type: ignore[attr-defined,no-any-return]  # every entity has one
        if isinstance(value, model.AnonymousIndividual):
            return self.individual(value)
        if isinstance(value, model.ObjectInverseOf):
            return self.blank([(rdf.INVERSE_OF, value.property.iri)])
        if kind in _LISTS:
            type_, word, name = _LISTS[kind]
            return self.blank([(rdf.TYPE, type_), (word, self.listed(getattr(value, name)))])
        if isinstance(value, model.ObjectComplementOf):
            return self.blank([(rdf.TYPE, CLASS), (rdf.COMPLEMENT, self.term(value.operand))])
        if isinstance(value, model.DataComplementOf):
            return self.blank([(rdf.TYPE, DATATYPE), (rdf.DATA_COMPLEMENT, self.term(value.operand))])
        if isinstance(value, model.DatatypeRestriction):
            facets = tuple(self.blank([(facet, limit)]) for facet, limit in value.facets)
            for facet_node in facets:
                use(facet_node)
            told: Pairs = [(rdf.ON_DATATYPE, value.datatype.iri), (rdf.WITH_RESTRICTIONS, Listed(facets))]
            return self.blank([(rdf.TYPE, DATATYPE), *told])
        return self.blank([(rdf.TYPE, rdf.RESTRICTION), *self._restriction(value)])

    def _restriction(self, value: object) -> Pairs:
        kind = type(value)
        if isinstance(value, model.ObjectHasSelf):
            return [(rdf.ON_PROPERTY, self.term(value.property)), (rdf.HAS_SELF, TRUE)]
        if isinstance(value, model.DataSomeValuesFrom | model.DataAllValuesFrom):
            word = rdf.SOME if isinstance(value, model.DataSomeValuesFrom) else rdf.ALL
            return [self._on(value.properties), (word, self.term(value.range))]
        if kind in _QUANTIFIERS:
            word, name = _QUANTIFIERS[kind]
            role = self.term(value.property)  # type: ignore[attr-defined]  # all of these have one
            return [(rdf.ON_PROPERTY, role), (word, self.term(getattr(value, name)))]
        return self._count_of(value)

    def _on(self, properties: tuple[model.DataProperty, ...]) -> tuple[str, Object]:
        if len(properties) == 1:
            return rdf.ON_PROPERTY, properties[0].iri
        return rdf.ON_PROPERTIES, self.listed(properties)

    def _count_of(self, value: object) -> Pairs:
        word, on = _COUNTS[type(value)]
        filler = getattr(value, "filler" if on == rdf.ON_CLASS else "range")
        number = Literal(str(value.cardinality), XSD + "nonNegativeInteger")  # type: ignore[attr-defined]  # as above
        role = (rdf.ON_PROPERTY, self.term(value.property))  # type: ignore[attr-defined]  # as above
        if filler in (THING, LITERAL):
            return [role, (OWL + (f"{word}Cardinality" if word else "cardinality"), number)]
        qualified = f"{word}QualifiedCardinality" if word else "qualifiedCardinality"
        return [role, (OWL + qualified, number), (on, self.term(filler))]
