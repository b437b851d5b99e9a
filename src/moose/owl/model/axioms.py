"""Axioms of OWL 2, under the specification's own names, and the documents that they stand in.

Each axiom carries its annotations last, without logical meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from moose.owl.model.expressions import (
    AnonymousIndividual,
    Class,
    ClassExpression,
    DataProperty,
    DataRange,
    Datatype,
    Entity,
    Individual,
    Literal,
    ObjectPropertyExpression,
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """A property IRI and a value: an IRI (str), a literal or an anonymous individual."""

    property: str
    value: str | Literal | AnonymousIndividual
    annotations: tuple[Annotation, ...] = ()


Annotations = tuple[Annotation, ...]


def annotation_set(annotations: Annotations) -> Annotations:
    """Return annotations each once and in an order of their own, since in OWL 2 they are a set.

    >>> one, other = Annotation("p", "urn:a"), Annotation("p", "urn:b")
    >>> annotation_set((other, one, other)) == (one, other)
    True
    """
    if len(annotations) < 2 and not any(one.annotations for one in annotations):
        return annotations
    inner = {replace(one, annotations=annotation_set(one.annotations)) for one in annotations}
    return tuple(sorted(inner, key=repr))


# ── Without logical meaning ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Declaration:
    """An entity is part of the vocabulary."""

    entity: Entity
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class AnnotationAssertion:
    """An annotation of an IRI or an anonymous individual; sub-annotation-property and the like are read as these."""

    property: str
    subject: str | AnonymousIndividual
    value: str | Literal | AnonymousIndividual
    annotations: Annotations = ()


# ── Classes ───────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SubClassOf:
    """C ⊑ D"""

    sub: ClassExpression
    sup: ClassExpression
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class EquivalentClasses:
    """C ≡ D ≡ …"""

    operands: tuple[ClassExpression, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DisjointClasses:
    """No two of the operands share an element."""

    operands: tuple[ClassExpression, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DisjointUnion:
    """A class is the union of pairwise disjoint operands (outside OWL 2 EL)."""

    cls: Class
    operands: tuple[ClassExpression, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class HasKey:
    """Named instances of a class that agree on all the properties are the same."""

    cls: ClassExpression
    object_properties: tuple[ObjectPropertyExpression, ...]
    data_properties: tuple[DataProperty, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DatatypeDefinition:
    """A name for a data range (outside OWL 2 EL)."""

    datatype: Datatype
    range: DataRange
    annotations: Annotations = ()


# ── Object properties ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SubObjectPropertyOf:
    """r₁ ∘ … ∘ rₙ ⊑ s; a plain inclusion has a chain of one."""

    chain: tuple[ObjectPropertyExpression, ...]
    sup: ObjectPropertyExpression
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class EquivalentObjectProperties:
    """r ≡ s ≡ …"""

    operands: tuple[ObjectPropertyExpression, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DisjointObjectProperties:
    """No two of the roles share a pair (outside OWL 2 EL)."""

    operands: tuple[ObjectPropertyExpression, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class InverseObjectProperties:
    """Two roles are each other's inverse (outside OWL 2 EL)."""

    first: ObjectPropertyExpression
    second: ObjectPropertyExpression
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class ObjectPropertyDomain:
    """∃r.⊤ ⊑ C"""

    property: ObjectPropertyExpression
    domain: ClassExpression
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class ObjectPropertyRange:
    """Every filler of r is a C."""

    property: ObjectPropertyExpression
    range: ClassExpression
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class ObjectPropertyCharacteristic:
    """One of Functional, InverseFunctional, Reflexive, Irreflexive, Symmetric, Asymmetric, Transitive.

    `characteristic` is that first word; OWL 2 EL has Reflexive and Transitive only.
    """

    characteristic: str
    property: ObjectPropertyExpression
    annotations: Annotations = ()


# ── Data properties ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SubDataPropertyOf:
    """d ⊑ e"""

    sub: DataProperty
    sup: DataProperty
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class EquivalentDataProperties:
    """d ≡ e ≡ …"""

    operands: tuple[DataProperty, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DisjointDataProperties:
    """No two of the properties share a pair (outside OWL 2 EL)."""

    operands: tuple[DataProperty, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DataPropertyDomain:
    """∃d.⊤ ⊑ C"""

    property: DataProperty
    domain: ClassExpression
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DataPropertyRange:
    """Every value of d lies in D."""

    property: DataProperty
    range: DataRange
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class FunctionalDataProperty:
    """An individual has at most one value of d."""

    property: DataProperty
    annotations: Annotations = ()


# ── Assertions ────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SameIndividual:
    """a = b = …"""

    individuals: tuple[Individual, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DifferentIndividuals:
    """No two of the individuals are the same."""

    individuals: tuple[Individual, ...]
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class ClassAssertion:
    """C(a)"""

    cls: ClassExpression
    individual: Individual
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class ObjectPropertyAssertion:
    """r(a, b), or ¬r(a, b) when `negative`."""

    property: ObjectPropertyExpression
    source: Individual
    target: Individual
    negative: bool = False
    annotations: Annotations = ()


@dataclass(frozen=True, slots=True)
class DataPropertyAssertion:
    """d(a, v), or ¬d(a, v) when `negative`."""

    property: DataProperty
    source: Individual
    literal: Literal
    negative: bool = False
    annotations: Annotations = ()


# ── What Moose cannot interpret, kept so that nothing is lost ─────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class UnreadAxiom:
    """A logical statement that no OWL 2 axiom of the model expresses (a SWRL rule, broken RDF): its text and why."""

    text: str
    reason: str
    annotations: Annotations = ()


Axiom = (
    SubClassOf
    | EquivalentClasses
    | DisjointClasses
    | DisjointUnion
    | HasKey
    | DatatypeDefinition
    | SubObjectPropertyOf
    | EquivalentObjectProperties
    | DisjointObjectProperties
    | InverseObjectProperties
    | ObjectPropertyDomain
    | ObjectPropertyRange
    | ObjectPropertyCharacteristic
    | SubDataPropertyOf
    | EquivalentDataProperties
    | DisjointDataProperties
    | DataPropertyDomain
    | DataPropertyRange
    | FunctionalDataProperty
    | SameIndividual
    | DifferentIndividuals
    | ClassAssertion
    | ObjectPropertyAssertion
    | DataPropertyAssertion
    | UnreadAxiom
)
"""Every axiom with logical meaning."""


def without_annotations(axiom: Axiom) -> Axiom:
    """Return an axiom without what is annotated to it."""
    return replace(axiom, annotations=()) if axiom.annotations else axiom


# ── Documents ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Document:
    """What one document says, before its imports are merged and its profile is checked: what every reader returns.

    The order is the document's own (or sorted, never the run's).

    Each reader is one function `read_…(text: str, where: str) -> Document` (or `bytes` where the syntax says so);
    `where` is the name for error messages. A reader raises `ParseError` and nothing else.
    """

    iri: str | None = None
    version_iri: str | None = None
    imports: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    axioms: tuple[Axiom, ...] = ()
    annotation_assertions: tuple[AnnotationAssertion, ...] = ()
    prefixes: dict[str, str] = field(default_factory=dict)
    """Prefix (without the colon; "" for the default) to namespace IRI."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A document that was read because another imports it: the IRI it was imported by, and its file."""

    iri: str
    path: str
