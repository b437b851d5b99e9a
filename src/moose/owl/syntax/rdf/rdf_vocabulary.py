"""The words that OWL 2 is written in as RDF, the roles they play in its mapping to RDF graphs, and kinds of names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from moose.owl.model import expressions as model
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY_IRI,
    BOTTOM_OBJECT_PROPERTY_IRI,
    LANGUAGE_STRING_IRI,
    LITERAL_IRI,
    NOTHING_IRI,
    OWL,
    PLAIN_LITERAL_IRI,
    RDF,
    RDFS,
    THING_IRI,
    TOP_DATA_PROPERTY_IRI,
    TOP_OBJECT_PROPERTY_IRI,
    XSD,
)

Kind = type[model.Entity]

SWRL = "http://www.w3.org/2003/11/swrl#"
RESERVED = (OWL, RDF, RDFS, XSD, SWRL)

OWL_CLASS, RDFS_DATATYPE = OWL + "Class", RDFS + "Datatype"
TYPE, FIRST, REST, NIL, LIST = (RDF + name for name in ("type", "first", "rest", "nil", "List"))
SUB_CLASS, SUB_PROPERTY, DOMAIN, RANGE = (RDFS + name for name in ("subClassOf", "subPropertyOf", "domain", "range"))
RESOURCE = RDFS + "Resource"
"""What owl:Thing is called in RDF Schema."""

ONTOLOGY, IMPORTS, VERSION, DEPRECATED = (OWL + name for name in ("Ontology", "imports", "versionIRI", "deprecated"))

EQUIVALENT_CLASS, DISJOINT_WITH, DISJOINT_UNION, HAS_KEY = (
    OWL + name for name in ("equivalentClass", "disjointWith", "disjointUnionOf", "hasKey")
)
EQUIVALENT_PROPERTY, DISJOINT_PROPERTY, PROPERTY_CHAIN, OLD_CHAIN = (
    OWL + name for name in ("equivalentProperty", "propertyDisjointWith", "propertyChainAxiom", "propertyChain")
)
SAME_AS, DIFFERENT_FROM, FUNCTIONAL = (OWL + name for name in ("sameAs", "differentFrom", "FunctionalProperty"))

# ── Parts of expressions ──────────────────────────────────────────────────────────────────────────────────────────

INTERSECTION, UNION, COMPLEMENT, ONE_OF, DATA_COMPLEMENT = (
    OWL + name for name in ("intersectionOf", "unionOf", "complementOf", "oneOf", "datatypeComplementOf")
)
ON_PROPERTY, ON_PROPERTIES, ON_CLASS, ON_DATA_RANGE, INVERSE_OF, ON_DATATYPE, WITH_RESTRICTIONS = (
    OWL + name
    for name in ("onProperty", "onProperties", "onClass", "onDataRange", "inverseOf", "onDatatype", "withRestrictions")
)
SOME, ALL, HAS_VALUE, HAS_SELF = (OWL + name for name in ("someValuesFrom", "allValuesFrom", "hasValue", "hasSelf"))
CountObjects = Callable[[int, model.ObjectPropertyExpression, model.ClassExpression], model.ClassExpression]
CountData = Callable[[int, model.DataProperty, model.DataRange], model.ClassExpression]
CARDINALITIES: dict[str, tuple[CountObjects, CountData]] = {
    OWL + "minCardinality": (model.ObjectMinCardinality, model.DataMinCardinality),
    OWL + "maxCardinality": (model.ObjectMaxCardinality, model.DataMaxCardinality),
    OWL + "cardinality": (model.ObjectExactCardinality, model.DataExactCardinality),
}
QUALIFIED: dict[str, tuple[CountObjects, CountData]] = {
    OWL + "minQualifiedCardinality": (model.ObjectMinCardinality, model.DataMinCardinality),
    OWL + "maxQualifiedCardinality": (model.ObjectMaxCardinality, model.DataMaxCardinality),
    OWL + "qualifiedCardinality": (model.ObjectExactCardinality, model.DataExactCardinality),
}
# Each of these alone describes a class or a data range; on a named one it is short for an equivalence.
DESCRIPTIONS = frozenset([INTERSECTION, UNION, COMPLEMENT, ONE_OF, DATA_COMPLEMENT])
EXPRESSION_PARTS = frozenset(
    [
        *DESCRIPTIONS,
        *(ON_PROPERTY, ON_PROPERTIES, ON_CLASS, ON_DATA_RANGE, INVERSE_OF, ON_DATATYPE, WITH_RESTRICTIONS),
        *(SOME, ALL, HAS_VALUE, HAS_SELF),
        *CARDINALITIES,
        *QUALIFIED,
    ]
)
FACETS = frozenset(
    [
        *(XSD + name for name in ("length", "minLength", "maxLength", "pattern", "totalDigits", "fractionDigits")),
        *(XSD + name for name in ("minInclusive", "minExclusive", "maxInclusive", "maxExclusive")),
        RDF + "langRange",
    ]
)

# ── Axioms that are nodes of their own ────────────────────────────────────────────────────────────────────────────

AXIOM, ANNOTATION, NEGATIVE_ASSERTION = (OWL + name for name in ("Axiom", "Annotation", "NegativePropertyAssertion"))
ALL_DIFFERENT, ALL_DISJOINT_CLASSES, ALL_DISJOINT_PROPERTIES = (
    OWL + name for name in ("AllDifferent", "AllDisjointClasses", "AllDisjointProperties")
)
SOURCE, PROPERTY, TARGET = (OWL + name for name in ("annotatedSource", "annotatedProperty", "annotatedTarget"))
MEMBERS, DISTINCT_MEMBERS = OWL + "members", OWL + "distinctMembers"
ASSERTION_SOURCE, ASSERTION_PROPERTY, TARGET_INDIVIDUAL, TARGET_VALUE = (
    OWL + name for name in ("sourceIndividual", "assertionProperty", "targetIndividual", "targetValue")
)
NODE_PARTS = frozenset(
    [
        *(SOURCE, PROPERTY, TARGET, MEMBERS, DISTINCT_MEMBERS),
        *(ASSERTION_SOURCE, ASSERTION_PROPERTY, TARGET_INDIVIDUAL, TARGET_VALUE),
    ]
)
RULE = SWRL + "Imp"

STRUCTURE = EXPRESSION_PARTS | FACETS | NODE_PARTS | {FIRST, REST, OLD_CHAIN}
"""Words that make no statement of their own: whoever uses the node they stand on accounts for them."""

# ── What an rdf:type says ─────────────────────────────────────────────────────────────────────────────────────────

DECLARED_AS: dict[str, Kind] = {
    OWL_CLASS: model.Class,
    RDFS + "Class": model.Class,
    OWL + "DeprecatedClass": model.Class,
    RDFS_DATATYPE: model.Datatype,
    OWL + "DataRange": model.Datatype,
    OWL + "ObjectProperty": model.ObjectProperty,
    OWL + "DatatypeProperty": model.DataProperty,
    OWL + "AnnotationProperty": model.AnnotationProperty,
    OWL + "OntologyProperty": model.AnnotationProperty,
    OWL + "NamedIndividual": model.NamedIndividual,
}
RESTRICTION, SOME_PROPERTY = OWL + "Restriction", RDF + "Property"
DEPRECATIONS = frozenset([OWL + "DeprecatedClass", OWL + "DeprecatedProperty"])
CHARACTERISTICS = {
    OWL + name + "Property": name
    for name in ("InverseFunctional", "Reflexive", "Irreflexive", "Symmetric", "Asymmetric", "Transitive")
}

# ── Built-in entities ─────────────────────────────────────────────────────────────────────────────────────────────

BUILT_IN: dict[Kind, tuple[str, ...]] = {
    model.Class: (THING_IRI, NOTHING_IRI),
    model.ObjectProperty: (TOP_OBJECT_PROPERTY_IRI, BOTTOM_OBJECT_PROPERTY_IRI),
    model.DataProperty: (TOP_DATA_PROPERTY_IRI, BOTTOM_DATA_PROPERTY_IRI),
    model.Datatype: (
        *(LITERAL_IRI, PLAIN_LITERAL_IRI, LANGUAGE_STRING_IRI, OWL + "real", OWL + "rational"),
        *(RDF + name for name in ("XMLLiteral", "HTML", "JSON", "dirLangString")),
    ),
    model.AnnotationProperty: (
        *(RDFS + name for name in ("label", "comment", "seeAlso", "isDefinedBy")),
        *(OWL + name for name in ("versionInfo", "priorVersion", "backwardCompatibleWith", "incompatibleWith")),
        DEPRECATED,
    ),
    model.NamedIndividual: (),
}
PROPERTY_KINDS: tuple[Kind, ...] = (model.ObjectProperty, model.DataProperty, model.AnnotationProperty)


@dataclass(slots=True)
class Kinds:
    """The names of each kind; blank nodes that are said to be classes or data ranges are among them."""

    names: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set(iris) for kind, iris in BUILT_IN.items()})

    def is_datatype(self, name: str) -> bool:
        """Return whether a name is known as a datatype and nothing known speaks for a class."""
        return (name in self.names[model.Datatype] or name.startswith(XSD)) and name not in self.names[model.Class]

    def is_class(self, name: str) -> bool:
        """Return whether a name is known as a class and nothing known speaks for a datatype."""
        return name in self.names[model.Class] and name not in self.names[model.Datatype]

    def of(self, name: str) -> tuple[Kind, ...]:
        """Return the kinds of property that a name is known as: object before data before annotation properties."""
        return tuple(kind for kind in PROPERTY_KINDS if name in self.names[kind])

    def is_only(self, name: str, kind: Kind) -> bool:
        """Return whether a property is known to be of one kind and no other."""
        return self.of(name) == (kind,)

    def is_foreign(self, name: str) -> bool:
        """Return whether a name is of the vocabulary of OWL, RDF or SWRL itself and the document does not adopt it."""
        return name.startswith(RESERVED) and not any(name in names for names in self.names.values())
