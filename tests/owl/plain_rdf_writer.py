"""A plain writer of RDF, for tests: OWL 2 Mapping to RDF Graphs, section 2, as N-Triples; no code of the reader.

Annotations and rules are left out. An equivalence of three becomes two of two, as the mapping has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import OWL, RDF, RDFS, XSD

Triple = tuple[str, str, str]
KINDS = {
    owl.Class: OWL + "Class",
    owl.ObjectProperty: OWL + "ObjectProperty",
    owl.DataProperty: OWL + "DatatypeProperty",
    owl.NamedIndividual: OWL + "NamedIndividual",
    owl.Datatype: RDFS + "Datatype",
}
QUANTIFIERS = {"SomeValuesFrom": "someValuesFrom", "AllValuesFrom": "allValuesFrom"}
COUNTS = {
    "MinCardinality": "minQualifiedCardinality",
    "MaxCardinality": "maxQualifiedCardinality",
    "ExactCardinality": "qualifiedCardinality",
}


def write_ntriples(axioms: Iterable[ax.Axiom], names: Iterable[owl.Entity] = ()) -> bytes:
    """Write axioms, with a declaration of everything they name."""
    writer = Writer()
    writer.add("<http://example.org/ontology>", RDF + "type", full(OWL + "Ontology"))
    listed = list(axioms)
    for entity in dict.fromkeys([*names, *named(listed)]):
        if not entity.iri.startswith((OWL, XSD, RDF, RDFS)):
            writer.add(full(entity.iri), RDF + "type", full(KINDS[type(entity)]))
    for axiom in listed:
        writer.axiom(axiom)
    return "".join(f"{subject} <{predicate}> {value} .\n" for subject, predicate, value in writer.triples).encode()


def named(value: object) -> Iterable[owl.Entity]:
    """Yield every entity inside a value, without those in its annotations."""
    if type(value) in KINDS:
        yield value  # type: ignore[misc]  # an entity
    elif isinstance(value, list | tuple):
        for part in value:
            yield from named(part)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name != "annotations":
                yield from named(getattr(value, field.name))


def full(iri: str) -> str:
    return f"<{iri}>"


def literal(value: owl.Literal) -> str:
    text = value.lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{text}"@{value.language}' if value.language else f'"{text}"^^<{value.datatype}>'


class Writer:
    """Collects triples and makes blank nodes."""

    def __init__(self) -> None:
        self.triples: list[Triple] = []
        self.nodes = 0

    def add(self, subject: str, predicate: str, value: str) -> None:
        self.triples.append((subject, predicate, value))

    def blank(self, kind: str | None = None, **properties: str) -> str:
        """Make a blank node with a type and properties of the OWL vocabulary."""
        self.nodes += 1
        node = f"_:node{self.nodes}"
        if kind:
            self.add(node, RDF + "type", full(kind))
        for name, value in properties.items():
            self.add(node, OWL + name, value)
        return node

    def listed(self, nodes: Sequence[str]) -> str:
        """Write a list, back to front."""
        rest = full(RDF + "nil")
        for node in reversed(nodes):
            cell = self.blank()
            self.add(cell, RDF + "first", node)
            self.add(cell, RDF + "rest", rest)
            rest = cell
        return rest

    def all(self, values: Iterable[object]) -> list[str]:
        return [self.node(value) for value in values]

    # ── Expressions ──

    def node(self, value: object) -> str:
        """Write an entity, individual, literal or expression, and return its node."""
        match value:
            case owl.Literal():
                return literal(value)
            case owl.AnonymousIndividual():
                return f"_:anonymous{value.node.encode().hex()}"
            case owl.ObjectInverseOf():
                return self.blank(inverseOf=self.node(value.property))
        return full(value.iri) if type(value) in KINDS else self.expression(value)  # type: ignore[attr-defined]

    def expression(self, value: object) -> str:
        kind = RDFS + "Datatype" if isinstance(value, owl.DataRange) else OWL + "Class"
        match value:
            case owl.ObjectIntersectionOf() | owl.DataIntersectionOf():
                return self.blank(kind, intersectionOf=self.listed(self.all(value.operands)))
            case owl.ObjectUnionOf() | owl.DataUnionOf():
                return self.blank(kind, unionOf=self.listed(self.all(value.operands)))
            case owl.ObjectComplementOf():
                return self.blank(kind, complementOf=self.node(value.operand))
            case owl.DataComplementOf():
                return self.blank(kind, datatypeComplementOf=self.node(value.operand))
            case owl.ObjectOneOf():
                return self.blank(kind, oneOf=self.listed(self.all(value.individuals)))
            case owl.DataOneOf():
                return self.blank(kind, oneOf=self.listed(self.all(value.literals)))
            case owl.DatatypeRestriction():
                facets = []
                for facet, limit in value.facets:
                    facets.append(self.blank())
                    self.add(facets[-1], facet, literal(limit))
                on = self.node(value.datatype)
                return self.blank(kind, onDatatype=on, withRestrictions=self.listed(facets))
        return self.restriction(value)

    def restriction(self, value: object) -> str:
        name = type(value).__name__.removeprefix("Object").removeprefix("Data")
        roles = value.properties if hasattr(value, "properties") else (value.property,)  # type: ignore[attr-defined]
        on = {"onProperty": self.node(roles[0])}
        match value:
            case owl.ObjectHasSelf():
                return self.blank(OWL + "Restriction", **on, hasSelf=f'"true"^^<{XSD}boolean>')
            case owl.ObjectHasValue():
                return self.blank(OWL + "Restriction", **on, hasValue=self.node(value.individual))
            case owl.DataHasValue():
                return self.blank(OWL + "Restriction", **on, hasValue=self.node(value.literal))
        filler = self.node(getattr(value, "filler", None) or value.range)  # type: ignore[attr-defined]
        if name in QUANTIFIERS:
            return self.blank(OWL + "Restriction", **on, **{QUANTIFIERS[name]: filler})
        count = f'"{value.cardinality}"^^<{XSD}nonNegativeInteger>'  # type: ignore[attr-defined]
        qualifier = "onDataRange" if isinstance(getattr(value, "range", None), owl.DataRange) else "onClass"
        return self.blank(OWL + "Restriction", **on, **{COUNTS[name]: count, qualifier: filler})

    # ── Axioms ──

    def axiom(self, axiom: ax.Axiom) -> None:
        """Write an axiom that is one triple, or several."""
        if (simple := one_triple(axiom)) is not None:
            subject, predicate, value = simple
            self.add(self.node(subject), predicate, self.node(value))
        elif hasattr(axiom, "operands") or hasattr(axiom, "individuals"):
            self.several(axiom)
        else:
            self.other(axiom)

    def several(self, axiom: object) -> None:
        """Write an axiom over several operands."""
        if isinstance(axiom, ax.DisjointUnion):
            self.add(self.node(axiom.cls), OWL + "disjointUnionOf", self.listed(self.all(axiom.operands)))
            return
        predicate, together, word = TOGETHER[type(axiom)]
        nodes = self.all(getattr(axiom, "operands", None) or axiom.individuals)  # type: ignore[attr-defined]
        if not together or len(nodes) == 2:
            for one, other in pairwise(nodes):
                self.add(one, OWL + predicate, other)
        else:
            self.blank(OWL + together, **{word: self.listed(nodes)})

    def other(self, axiom: ax.Axiom) -> None:
        match axiom:
            case ax.SubObjectPropertyOf():
                self.add(self.node(axiom.sup), OWL + "propertyChainAxiom", self.listed(self.all(axiom.chain)))
            case ax.ObjectPropertyCharacteristic():
                kind = full(f"{OWL}{axiom.characteristic}Property")
                self.add(self.node(axiom.property), RDF + "type", kind)
            case ax.FunctionalDataProperty():
                self.add(self.node(axiom.property), RDF + "type", full(OWL + "FunctionalProperty"))
            case ax.HasKey():
                keys = self.listed(self.all((*axiom.object_properties, *axiom.data_properties)))
                self.add(self.node(axiom.cls), OWL + "hasKey", keys)
            case ax.ObjectPropertyAssertion() | ax.DataPropertyAssertion():
                self.assertion(axiom)
            case _:
                raise NotImplementedError(axiom)

    def assertion(self, axiom: ax.ObjectPropertyAssertion | ax.DataPropertyAssertion) -> None:
        is_object = isinstance(axiom, ax.ObjectPropertyAssertion)
        source = self.node(axiom.source)
        target = self.node(axiom.target if isinstance(axiom, ax.ObjectPropertyAssertion) else axiom.literal)
        if axiom.negative:
            word = "targetIndividual" if is_object else "targetValue"
            self.blank(
                OWL + "NegativePropertyAssertion",
                sourceIndividual=source,
                assertionProperty=self.node(axiom.property),
                **{word: target},
            )
        elif isinstance(axiom.property, owl.ObjectInverseOf):
            self.add(target, axiom.property.property.iri, source)
        else:
            self.add(source, axiom.property.iri, target)


def one_triple(axiom: ax.Axiom) -> tuple[object, str, object] | None:
    """Return the subject, predicate and value of an axiom that is one triple."""
    match axiom:
        case ax.SubClassOf():
            return axiom.sub, RDFS + "subClassOf", axiom.sup
        case ax.DatatypeDefinition():
            return axiom.datatype, OWL + "equivalentClass", axiom.range
        case ax.InverseObjectProperties():
            return axiom.first, OWL + "inverseOf", axiom.second
        case ax.ObjectPropertyDomain() | ax.DataPropertyDomain():
            return axiom.property, RDFS + "domain", axiom.domain
        case ax.ObjectPropertyRange() | ax.DataPropertyRange():
            return axiom.property, RDFS + "range", axiom.range
        case ax.SubObjectPropertyOf((sub,), sup) | ax.SubDataPropertyOf(sub, sup):
            return sub, RDFS + "subPropertyOf", sup
        case ax.ClassAssertion():
            return axiom.individual, RDF + "type", axiom.cls
    return None


# The predicate between two, and for more than two the type of a node that lists them; none for what is cut into pairs.
TOGETHER: dict[type, tuple[str, str, str]] = {
    ax.EquivalentClasses: ("equivalentClass", "", ""),
    ax.EquivalentObjectProperties: ("equivalentProperty", "", ""),
    ax.EquivalentDataProperties: ("equivalentProperty", "", ""),
    ax.SameIndividual: ("sameAs", "", ""),
    ax.DisjointClasses: ("disjointWith", "AllDisjointClasses", "members"),
    ax.DisjointObjectProperties: ("propertyDisjointWith", "AllDisjointProperties", "members"),
    ax.DisjointDataProperties: ("propertyDisjointWith", "AllDisjointProperties", "members"),
    ax.DifferentIndividuals: ("differentFrom", "AllDifferent", "distinctMembers"),
}
