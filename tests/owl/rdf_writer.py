"""A plain writer of N-Triples, for tests: OWL 2 Mapping to RDF, section 2, sharing no code with the reader."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import OWL, RDF, RDFS

Node = str
"""A term as N-Triples writes it."""

DECLARED_AS: dict[type, str] = {
    owl.Class: OWL + "Class",
    owl.Datatype: RDFS + "Datatype",
    owl.ObjectProperty: OWL + "ObjectProperty",
    owl.DataProperty: OWL + "DatatypeProperty",
    owl.AnnotationProperty: OWL + "AnnotationProperty",
    owl.NamedIndividual: OWL + "NamedIndividual",
}
LISTS: dict[type, tuple[str, str]] = {
    owl.ObjectIntersectionOf: ("Class", "intersectionOf"),
    owl.ObjectUnionOf: ("Class", "unionOf"),
    owl.DataIntersectionOf: ("Datatype", "intersectionOf"),
    owl.DataUnionOf: ("Datatype", "unionOf"),
}
CARDINALITY: dict[type, tuple[str, str]] = {
    owl.ObjectMinCardinality: ("minQualifiedCardinality", "onClass"),
    owl.ObjectMaxCardinality: ("maxQualifiedCardinality", "onClass"),
    owl.ObjectExactCardinality: ("qualifiedCardinality", "onClass"),
    owl.DataMinCardinality: ("minQualifiedCardinality", "onDataRange"),
    owl.DataMaxCardinality: ("maxQualifiedCardinality", "onDataRange"),
    owl.DataExactCardinality: ("qualifiedCardinality", "onDataRange"),
}
PAIRS: dict[type, str] = {
    ax.EquivalentClasses: "equivalentClass",
    ax.EquivalentObjectProperties: "equivalentProperty",
    ax.EquivalentDataProperties: "equivalentProperty",
}
MANY: dict[type, tuple[str, str]] = {
    ax.DisjointClasses: ("disjointWith", "AllDisjointClasses"),
    ax.DisjointObjectProperties: ("propertyDisjointWith", "AllDisjointProperties"),
    ax.DisjointDataProperties: ("propertyDisjointWith", "AllDisjointProperties"),
}


def iri(name: str) -> Node:
    return f"<{name}>"


def word(name: str) -> Node:
    """Write a word of the OWL, RDF or RDFS vocabulary."""
    if name in ("type", "first", "rest", "nil"):
        return iri(RDF + name)
    return iri((RDFS if name in ("subClassOf", "subPropertyOf", "domain", "range", "Datatype") else OWL) + name)


def write_ntriples(document: Document) -> bytes:
    """Write a document whose entities are all declared."""
    writer = Writer()
    header = iri(document.iri) if document.iri else writer.blank()
    writer.say(header, "type", word("Ontology"))
    if document.version_iri:
        writer.say(header, "versionIRI", iri(document.version_iri))
    for name in document.imports:
        writer.say(header, "imports", iri(name))
    writer.annotate(header, document.annotations)
    for statement in (*document.declarations, *document.axioms, *document.annotation_assertions):
        writer.statement(statement)
    return "".join(f"{line}\n" for line in writer.lines).encode()


class Writer:
    """Collects triples."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def blank(self) -> Node:
        self._count += 1
        return f"_:node{self._count}"

    def say(self, subject: Node, predicate: str, value: Node) -> None:
        self.lines.append(f"{subject} {predicate if predicate[0] == '<' else word(predicate)} {value} .")

    def node(self, type_: str, **words: Node) -> Node:
        """Write a new blank node with a type and some words."""
        node = self.blank()
        self.say(node, "type", word(type_))
        for name, value in words.items():
            self.say(node, name, value)
        return node

    def list_of(self, items: Iterable[Node]) -> Node:
        head = word("nil")
        for item in [*items][::-1]:
            cell = self.blank()
            self.say(cell, "first", item)
            self.say(cell, "rest", head)
            head = cell
        return head

    def literal(self, value: owl.Literal) -> Node:
        escaped = "".join(f"\\U{ord(c):08X}" if c in '"\\\n\r' or ord(c) > 126 else c for c in value.lexical)
        return f'"{escaped}"@{value.language}' if value.language else f'"{escaped}"^^{iri(value.datatype)}'

    # ── Expressions ───────────────────────────────────────────────────────────────────────────────────────────────

    def term(self, value: object) -> Node:
        """Write an entity, an individual, a literal or an expression."""
        match value:
            case str():
                return iri(value)
            case owl.Literal():
                return self.literal(value)
            case owl.AnonymousIndividual():
                return f"_:{value.node}"
            case owl.ObjectInverseOf():
                node = self.blank()
                self.say(node, "inverseOf", iri(value.property.iri))
                return node
            case owl.ObjectOneOf():
                return self.node("Class", oneOf=self.list_of(map(self.term, value.individuals)))
            case owl.DataOneOf():
                return self.node("Datatype", oneOf=self.list_of(map(self.literal, value.literals)))
            case owl.ObjectComplementOf():
                return self.node("Class", complementOf=self.term(value.operand))
            case owl.DataComplementOf():
                return self.node("Datatype", datatypeComplementOf=self.term(value.operand))
            case owl.DatatypeRestriction():
                facets = [self._facet(facet, literal) for facet, literal in value.facets]
                restrictions = self.list_of(facets)
                return self.node("Datatype", onDatatype=self.term(value.datatype), withRestrictions=restrictions)
        if type(value) in LISTS:
            type_, name = LISTS[type(value)]
            return self.node(type_, **{name: self.list_of(map(self.term, value.operands))})  # type: ignore[attr-defined]
        if type(value) in DECLARED_AS:
            return iri(value.iri)  # type: ignore[attr-defined]  # every entity has one
        return self.node("Restriction", **self._restriction(value))

    def _facet(self, facet: str, literal: owl.Literal) -> Node:
        node = self.blank()
        self.say(node, iri(facet), self.literal(literal))
        return node

    def _restriction(self, value: object) -> dict[str, Node]:
        match value:
            case owl.ObjectSomeValuesFrom(role, filler):
                return {"onProperty": self.term(role), "someValuesFrom": self.term(filler)}
            case owl.ObjectAllValuesFrom(role, filler):
                return {"onProperty": self.term(role), "allValuesFrom": self.term(filler)}
            case owl.ObjectHasValue(role, individual):
                return {"onProperty": self.term(role), "hasValue": self.term(individual)}
            case owl.DataHasValue(property_, literal):
                return {"onProperty": self.term(property_), "hasValue": self.term(literal)}
            case owl.ObjectHasSelf(role):
                return {"onProperty": self.term(role), "hasSelf": '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'}
            case owl.DataSomeValuesFrom(properties, range_):
                return {**self._on(properties), "someValuesFrom": self.term(range_)}
            case owl.DataAllValuesFrom(properties, range_):
                return {**self._on(properties), "allValuesFrom": self.term(range_)}
        name, on = CARDINALITY[type(value)]
        number = f'"{value.cardinality}"^^<http://www.w3.org/2001/XMLSchema#nonNegativeInteger>'  # type: ignore[attr-defined]
        filler = value.filler if on == "onClass" else value.range  # type: ignore[attr-defined]
        on_property = self.term(value.property)  # type: ignore[attr-defined]
        plain = {"minQualifiedCardinality": "minCardinality", "maxQualifiedCardinality": "maxCardinality"}
        if filler in (owl.THING, owl.LITERAL):
            return {"onProperty": on_property, plain.get(name, "cardinality"): number}
        return {"onProperty": on_property, name: number, on: self.term(filler)}

    def _on(self, properties: tuple[owl.DataProperty, ...]) -> dict[str, Node]:
        if len(properties) == 1:
            return {"onProperty": self.term(properties[0])}
        return {"onProperties": self.list_of(map(self.term, properties))}

    # ── Statements ────────────────────────────────────────────────────────────────────────────────────────────────

    def annotate(self, node: Node, annotations: ax.Annotations) -> None:
        for annotation in annotations:
            value = self.term(annotation.value)
            self.say(node, iri(annotation.property), value)
            if annotation.annotations:
                self._about("Annotation", (node, iri(annotation.property), value), annotation.annotations)

    def _about(self, type_: str, triple: tuple[Node, Node, Node], annotations: ax.Annotations) -> None:
        source, predicate, target = triple
        words = {"annotatedSource": source, "annotatedProperty": predicate, "annotatedTarget": target}
        self.annotate(self.node(type_, **words), annotations)

    def main(self, subject: Node, predicate: str, value: Node, annotations: ax.Annotations) -> None:
        """Write the triple that is an axiom, and the annotations about it."""
        self.say(subject, predicate, value)
        if annotations:
            predicate = predicate if predicate[0] == "<" else word(predicate)
            self._about("Axiom", (subject, predicate, value), annotations)

    def statement(self, statement: ax.Axiom | ax.Declaration | ax.AnnotationAssertion) -> None:
        notes = statement.annotations
        kind = type(statement)
        if kind in PAIRS:
            operands = [self.term(operand) for operand in statement.operands]  # type: ignore[union-attr]
            for first, second in pairwise(operands):
                self.main(first, PAIRS[kind], second, notes)
        elif kind in MANY:
            pair, node = MANY[kind]
            operands = [self.term(operand) for operand in statement.operands]  # type: ignore[union-attr]
            self._many(pair, node, operands, notes)
        else:
            self._single(statement, notes)

    def _many(self, pair: str, type_: str, items: list[Node], notes: ax.Annotations) -> None:
        if len(items) == 2:
            self.main(items[0], pair, items[1], notes)
        else:
            self.annotate(self.node(type_, members=self.list_of(items)), notes)

    def _single(self, statement: object, notes: ax.Annotations) -> None:  # noqa: C901, PLR0912 - a flat table
        term = self.term
        match statement:
            case ax.Declaration(entity):
                self.main(term(entity), "type", iri(DECLARED_AS[type(entity)]), notes)
            case ax.AnnotationAssertion(property_, subject, value):
                self.main(term(subject), iri(property_), term(value), notes)
            case ax.SubClassOf(sub, sup):
                self.main(term(sub), "subClassOf", term(sup), notes)
            case ax.DisjointUnion(cls, operands):
                self.main(term(cls), "disjointUnionOf", self.list_of(map(term, operands)), notes)
            case ax.HasKey(key_of, roles, data):
                self.main(term(key_of), "hasKey", self.list_of(map(term, (*roles, *data))), notes)
            case ax.DatatypeDefinition(datatype, defined):
                self.main(term(datatype), "equivalentClass", term(defined), notes)
            case ax.SubObjectPropertyOf((role,), above):
                self.main(term(role), "subPropertyOf", term(above), notes)
            case ax.SubObjectPropertyOf(chain, above):
                self.main(term(above), "propertyChainAxiom", self.list_of(map(term, chain)), notes)
            case ax.SubDataPropertyOf(below, above_data):
                self.main(term(below), "subPropertyOf", term(above_data), notes)
            case ax.InverseObjectProperties(first, second):
                self.main(term(first), "inverseOf", term(second), notes)
            case ax.ObjectPropertyDomain(of, domain) | ax.DataPropertyDomain(of, domain):
                self.main(term(of), "domain", term(domain), notes)
            case ax.ObjectPropertyRange(of, range_) | ax.DataPropertyRange(of, range_):
                self.main(term(of), "range", term(range_), notes)
            case ax.ObjectPropertyCharacteristic(name, role):
                self.main(term(role), "type", word(f"{name}Property"), notes)
            case ax.FunctionalDataProperty(functional):
                self.main(term(functional), "type", word("FunctionalProperty"), notes)
            case ax.SameIndividual(individuals):
                for one, other in pairwise(individuals):
                    self.main(term(one), "sameAs", term(other), notes)
            case ax.DifferentIndividuals(individuals):
                self._many("differentFrom", "AllDifferent", [*map(term, individuals)], notes)
            case ax.ClassAssertion(cls, individual):
                self.main(term(individual), "type", term(cls), notes)
            case ax.ObjectPropertyAssertion(owl.ObjectInverseOf(role), source, target, False):
                self.main(term(target), iri(role.iri), term(source), notes)
            case ax.ObjectPropertyAssertion(owl.ObjectProperty(name), source, target, False) | ax.DataPropertyAssertion(
                owl.DataProperty(name), source, target, False
            ):
                self.main(term(source), iri(name), term(target), notes)
            case ax.ObjectPropertyAssertion(of, source, target) | ax.DataPropertyAssertion(of, source, target):
                words = {"sourceIndividual": term(source), "assertionProperty": term(of)}
                name = "targetValue" if isinstance(target, owl.Literal) else "targetIndividual"
                self.annotate(self.node("NegativePropertyAssertion", **words, **{name: term(target)}), notes)
            case _:
                raise NotImplementedError(type(statement))
