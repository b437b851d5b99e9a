"""Entities, literals, data ranges and class expressions of OWL 2, and the IRIs that it reserves, by their own names.

Every value is frozen and hashable. Operand tuples keep the order of the document: two expressions that differ only in
that order are different values with the same meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# ── Names that OWL 2 and others reserve ───────────────────────────────────────────────────────────────────────────

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
OBO = "http://purl.obolibrary.org/obo/"

THING_IRI = OWL + "Thing"
NOTHING_IRI = OWL + "Nothing"
TOP_OBJECT_PROPERTY_IRI = OWL + "topObjectProperty"
BOTTOM_OBJECT_PROPERTY_IRI = OWL + "bottomObjectProperty"
TOP_DATA_PROPERTY_IRI = OWL + "topDataProperty"
BOTTOM_DATA_PROPERTY_IRI = OWL + "bottomDataProperty"
LITERAL_IRI = RDFS + "Literal"
PLAIN_LITERAL_IRI = RDF + "PlainLiteral"
LANGUAGE_STRING_IRI = RDF + "langString"
STRING_IRI = XSD + "string"
LABEL_IRI = RDFS + "label"

STANDARD_PREFIXES = {"owl": OWL, "rdf": RDF, "rdfs": RDFS, "xsd": XSD, "xml": "http://www.w3.org/XML/1998/namespace"}

# OWL 2 Profiles, section 2.2.1: the datatypes of OWL 2 EL, chosen so that every intersection is empty or infinite.
EL_DATATYPES = frozenset(
    [PLAIN_LITERAL_IRI, RDF + "XMLLiteral", LITERAL_IRI, OWL + "real", OWL + "rational"]
    + [
        XSD + name
        for name in (
            "decimal integer nonNegativeInteger string normalizedString token Name NCName NMTOKEN "
            "hexBinary base64Binary anyURI dateTime dateTimeStamp"
        ).split()
    ]
)

# The annotation of an axiom that says how probable it is: as TRILL and BUNDLE write it, as TRILL has written it since,
# and a short one of our own.
DISPONTE_IRI = "https://sites.google.com/a/unife.it/ml/disponte#probability"
NEWER_DISPONTE_IRI = "http://ml.unife.it/disponte#probability"
PROBABILITY_IRI = "urn:moose:probability"
PROBABILITY_IRIS = frozenset({DISPONTE_IRI, NEWER_DISPONTE_IRI, PROBABILITY_IRI})

# ── Entities and individuals ──────────────────────────────────────────────────────────────────────────────────────


def hash_by_iri(kind: int) -> Callable[[Any], int]:
    """Return what hashes entities of a kind, by their IRIs, which keep their hash: names are hashed more than all."""

    def hash_of(self: Any) -> int:
        return hash(self.iri) ^ kind

    return hash_of


@dataclass(frozen=True, slots=True)
class Class:
    """A named class."""

    iri: str

    __hash__ = hash_by_iri(0)


@dataclass(frozen=True, slots=True)
class ObjectProperty:
    """A named role between individuals."""

    iri: str

    __hash__ = hash_by_iri(1)


@dataclass(frozen=True, slots=True)
class ObjectInverseOf:
    """The inverse of a named role (outside OWL 2 EL)."""

    property: ObjectProperty


@dataclass(frozen=True, slots=True)
class DataProperty:
    """A named role from individuals to literals."""

    iri: str

    __hash__ = hash_by_iri(2)


@dataclass(frozen=True, slots=True)
class AnnotationProperty:
    """A property without logical meaning."""

    iri: str

    __hash__ = hash_by_iri(3)


@dataclass(frozen=True, slots=True)
class NamedIndividual:
    """An individual with an IRI."""

    iri: str

    __hash__ = hash_by_iri(4)


@dataclass(frozen=True, slots=True)
class AnonymousIndividual:
    """An individual known only inside its document, e.g. `_:x` (outside OWL 2 EL)."""

    node: str


@dataclass(frozen=True, slots=True)
class Datatype:
    """A named datatype such as xsd:integer."""

    iri: str

    __hash__ = hash_by_iri(5)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: lexical form, datatype IRI, language tag ("" when there is none)."""

    lexical: str
    datatype: str = STRING_IRI
    language: str = ""


ObjectPropertyExpression = ObjectProperty | ObjectInverseOf
Individual = NamedIndividual | AnonymousIndividual
Entity = Class | ObjectProperty | DataProperty | AnnotationProperty | NamedIndividual | Datatype

# ── Data ranges ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DataIntersectionOf:
    """Literals in every operand."""

    operands: tuple[DataRange, ...]


@dataclass(frozen=True, slots=True)
class DataUnionOf:
    """Literals in some operand (outside OWL 2 EL)."""

    operands: tuple[DataRange, ...]


@dataclass(frozen=True, slots=True)
class DataComplementOf:
    """Literals not in the operand (outside OWL 2 EL)."""

    operand: DataRange


@dataclass(frozen=True, slots=True)
class DataOneOf:
    """The listed literals (in OWL 2 EL: exactly one)."""

    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class DatatypeRestriction:
    """A datatype narrowed by facets, each a pair of facet IRI and literal (outside OWL 2 EL)."""

    datatype: Datatype
    facets: tuple[tuple[str, Literal], ...]


DataRange = Datatype | DataIntersectionOf | DataUnionOf | DataComplementOf | DataOneOf | DatatypeRestriction

# ── Class expressions ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ObjectIntersectionOf:
    """C ⊓ D ⊓ …"""

    operands: tuple[ClassExpression, ...]


@dataclass(frozen=True, slots=True)
class ObjectUnionOf:
    """C ⊔ D ⊔ … (outside OWL 2 EL)."""

    operands: tuple[ClassExpression, ...]


@dataclass(frozen=True, slots=True)
class ObjectComplementOf:
    """¬C (outside OWL 2 EL)."""

    operand: ClassExpression


@dataclass(frozen=True, slots=True)
class ObjectOneOf:
    """{a, b, …} (in OWL 2 EL: exactly one)."""

    individuals: tuple[Individual, ...]


@dataclass(frozen=True, slots=True)
class ObjectSomeValuesFrom:
    """∃r.C"""

    property: ObjectPropertyExpression
    filler: ClassExpression


@dataclass(frozen=True, slots=True)
class ObjectAllValuesFrom:
    """∀r.C (outside OWL 2 EL)."""

    property: ObjectPropertyExpression
    filler: ClassExpression


@dataclass(frozen=True, slots=True)
class ObjectHasValue:
    """∃r.{a}"""

    property: ObjectPropertyExpression
    individual: Individual


@dataclass(frozen=True, slots=True)
class ObjectHasSelf:
    """∃r.Self"""

    property: ObjectPropertyExpression


@dataclass(frozen=True, slots=True)
class ObjectMinCardinality:
    """≥ n r.C (outside OWL 2 EL)."""

    cardinality: int
    property: ObjectPropertyExpression
    filler: ClassExpression


@dataclass(frozen=True, slots=True)
class ObjectMaxCardinality:
    """≤ n r.C (outside OWL 2 EL)."""

    cardinality: int
    property: ObjectPropertyExpression
    filler: ClassExpression


@dataclass(frozen=True, slots=True)
class ObjectExactCardinality:
    """= n r.C (outside OWL 2 EL)."""

    cardinality: int
    property: ObjectPropertyExpression
    filler: ClassExpression


@dataclass(frozen=True, slots=True)
class DataSomeValuesFrom:
    """∃d.D; more than one property is legal OWL 2 syntax but has no meaning with the standard's unary data ranges."""

    properties: tuple[DataProperty, ...]
    range: DataRange


@dataclass(frozen=True, slots=True)
class DataAllValuesFrom:
    """∀d.D (outside OWL 2 EL)."""

    properties: tuple[DataProperty, ...]
    range: DataRange


@dataclass(frozen=True, slots=True)
class DataHasValue:
    """∃d.{v}"""

    property: DataProperty
    literal: Literal


@dataclass(frozen=True, slots=True)
class DataMinCardinality:
    """≥ n d.D (outside OWL 2 EL)."""

    cardinality: int
    property: DataProperty
    range: DataRange


@dataclass(frozen=True, slots=True)
class DataMaxCardinality:
    """≤ n d.D (outside OWL 2 EL)."""

    cardinality: int
    property: DataProperty
    range: DataRange


@dataclass(frozen=True, slots=True)
class DataExactCardinality:
    """= n d.D (outside OWL 2 EL)."""

    cardinality: int
    property: DataProperty
    range: DataRange


ClassExpression = (
    Class
    | ObjectIntersectionOf
    | ObjectUnionOf
    | ObjectComplementOf
    | ObjectOneOf
    | ObjectSomeValuesFrom
    | ObjectAllValuesFrom
    | ObjectHasValue
    | ObjectHasSelf
    | ObjectMinCardinality
    | ObjectMaxCardinality
    | ObjectExactCardinality
    | DataSomeValuesFrom
    | DataAllValuesFrom
    | DataHasValue
    | DataMinCardinality
    | DataMaxCardinality
    | DataExactCardinality
)

THING = Class(THING_IRI)
NOTHING = Class(NOTHING_IRI)
TOP_OBJECT_PROPERTY = ObjectProperty(TOP_OBJECT_PROPERTY_IRI)
BOTTOM_OBJECT_PROPERTY = ObjectProperty(BOTTOM_OBJECT_PROPERTY_IRI)
TOP_DATA_PROPERTY = DataProperty(TOP_DATA_PROPERTY_IRI)
BOTTOM_DATA_PROPERTY = DataProperty(BOTTOM_DATA_PROPERTY_IRI)
LITERAL = Datatype(LITERAL_IRI)
