"""The frozen value that `load` returns, and how it is made: of documents, or of axioms built in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from moose.base.memory import paused_collection
from moose.owl.model import axioms as ax
from moose.owl.model.annotations import AnnotationAxioms, Kept
from moose.owl.model.anonymous import rename_each, renamings
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, Document, Imported
from moose.owl.model.expressions import (
    LABEL_IRI,
    PROBABILITY_IRIS,
    Class,
    DataProperty,
    Entity,
    Literal,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.model.nesting import shallow_enough
from moose.owl.model.signature import Signature, collect_signature
from moose.owl.notebook import html_table
from moose.owl.profile.check_profile import check_profile
from moose.owl.profile.profile import Profile

if TYPE_CHECKING:
    from moose.owl.normal.normal_form import NormalForm


# Equality is identity, so that an ontology of a million axioms can be a key without being read; compare `axioms`.
@dataclass(frozen=True, eq=False)
class Ontology:
    """A document and all it imports: each logical axiom once, in document order, imported documents after.

    The signature (`classes`, `object_properties`, …) holds what is declared or used, as sorted IRIs, without the names
    that OWL 2 reserves such as owl:Thing.
    """

    axioms: tuple[Axiom, ...]
    profile: Profile
    iri: str | None = None
    version_iri: str | None = None
    declarations: tuple[Entity, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    imports: tuple[Imported, ...] = ()
    ignored_imports: tuple[str, ...] = ()
    import_cycles: tuple[tuple[str, ...], ...] = ()
    annotation_assertion_count: int = 0
    misplaced_probabilities: tuple[Declaration | AnnotationAssertion | Annotation, ...] = ()
    """Statements without logical meaning that bear a probability, which only a logical axiom can have."""
    annotation_source: Callable[[], AnnotationAxioms] | None = None
    """Gives the annotations when they are asked for: of a file, by reading it again."""

    @cached_property
    def annotations(self) -> AnnotationAxioms:
        """Return what is said beside the logical axioms: annotations, and declarations with theirs.

        Read when first asked for, and kept: who reasons does not pay for it, neither in time nor in memory.
        """
        if self.annotation_source is None:
            return AnnotationAxioms(declarations=tuple(map(Declaration, self.declarations)))
        return self.annotation_source()

    @cached_property
    def signature(self) -> Signature:
        """Return every name that is declared or used, by kind."""
        return collect_signature(self.axioms, self.declarations)

    @cached_property
    def normal_form(self) -> NormalForm:
        """Return the EL axioms as integers, the classes numbered in the order of their IRIs.

        Made when it is first asked for, and kept: who only looks at the axioms does not pay for it.
        """
        from moose.owl.normal.normalise import normalise

        names = self.signature
        entities: list[Entity] = [ObjectProperty(iri) for iri in names.object_properties]
        entities += [DataProperty(iri) for iri in names.data_properties]
        entities += [NamedIndividual(iri) for iri in names.individuals]
        with shallow_enough(self.iri or "the ontology"), paused_collection():
            return normalise(self.profile.used_axioms, classes=names.classes, entities=entities)

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the IRIs of the named classes, sorted."""
        return self.signature.classes

    @property
    def object_properties(self) -> tuple[str, ...]:
        """Return the IRIs of the object properties, sorted."""
        return self.signature.object_properties

    @property
    def data_properties(self) -> tuple[str, ...]:
        """Return the IRIs of the data properties, sorted."""
        return self.signature.data_properties

    @property
    def individuals(self) -> tuple[str, ...]:
        """Return the IRIs of the named individuals, sorted."""
        return self.signature.individuals

    def _repr_html_(self) -> str:
        """Show a notebook how much of what there is."""
        names = self.signature
        counts = {
            "classes": names.classes,
            "object properties": names.object_properties,
            "data properties": names.data_properties,
            "individuals": names.individuals,
            "axioms": self.axioms,
            "axioms outside OWL 2 EL": self.profile.outside,
        }
        rows = [(name, f"{len(members):,}") for name, members in counts.items()]
        return html_table(repr(self), ("", "count"), rows, count=len(rows))

    def __repr__(self) -> str:
        name = f"<{self.iri}>" if self.iri else "without IRI"
        return f"Ontology({name}, {len(self.axioms):,} axioms, {len(self.profile.outside):,} outside OWL 2 EL)"


# ── Making an ontology ────────────────────────────────────────────────────────────────────────────────────────────


def ontology_from_axioms(
    axioms: Iterable[Axiom], *, iri: str | None = None, declarations: Iterable[Entity] = ()
) -> Ontology:
    """Make an ontology of axioms built in Python, e.g. `[SubClassOf(Class("A"), Class("B"))]`."""
    with shallow_enough("the axioms given"):
        told = each_once(axioms)
        return Ontology(
            axioms=told, profile=check_profile(told), iri=iri, declarations=tuple(dict.fromkeys(declarations))
        )


def with_axioms(ontology: Ontology, axioms: Iterable[Axiom]) -> Ontology:
    """Return an ontology with other logical axioms, and all else as it is: names, annotations, declarations."""
    told = each_once(axioms)
    return replace(ontology, axioms=told, profile=check_profile(told))


def with_annotations(ontology: Ontology, annotations: AnnotationAxioms) -> Ontology:
    """Return an ontology with other annotations and declarations, and the same logical axioms."""
    return replace(
        ontology,
        declarations=tuple(dict.fromkeys(told.entity for told in annotations.declarations)),
        labels=collect_labels(annotations.assertions),
        annotation_assertion_count=len(annotations.assertions),
        annotation_source=Kept(annotations),
    )


def merge_documents(
    documents: Sequence[Document],
    *,
    annotation_source: Callable[[], AnnotationAxioms] | None = None,
    imports: tuple[Imported, ...] = (),
    ignored_imports: tuple[str, ...] = (),
    import_cycles: tuple[tuple[str, ...], ...] = (),
) -> Ontology:
    """Make one ontology of a document and those it imports, the importing one first.

    Without an `annotation_source` the annotations are kept in memory.
    """
    root = documents[0]
    if annotation_source is None:
        annotation_source = Kept(merge_annotations(documents))
    axioms = each_once(
        chain.from_iterable(
            rename_each(document.axioms, fresh) if fresh else document.axioms
            for document, fresh in zip(documents, renamings(documents), strict=True)
        )
    )
    return Ontology(
        axioms=axioms,
        profile=check_profile(axioms),
        iri=root.iri,
        version_iri=root.version_iri,
        declarations=tuple(dict.fromkeys(told.entity for document in documents for told in document.declarations)),
        labels=collect_labels(told for document in documents for told in document.annotation_assertions),
        prefixes={name: iri for document in reversed(documents) for name, iri in document.prefixes.items()},
        imports=imports,
        ignored_imports=ignored_imports,
        import_cycles=import_cycles,
        annotation_assertion_count=sum(len(document.annotation_assertions) for document in documents),
        misplaced_probabilities=tuple(note for document in documents for note in misplaced_probabilities(document)),
        annotation_source=annotation_source,
    )


def as_document(ontology: Ontology) -> Document:
    """Return an ontology as one document: its axioms and annotations, and imports only of what was not read."""
    annotations = ontology.annotations
    return Document(
        iri=ontology.iri,
        version_iri=ontology.version_iri,
        imports=ontology.ignored_imports,
        annotations=annotations.header,
        declarations=annotations.declarations,
        axioms=ontology.axioms,
        annotation_assertions=annotations.assertions,
        prefixes=dict(ontology.prefixes),
    )


def merge_annotations(documents: Sequence[Document]) -> AnnotationAxioms:
    """Return what a document and those it imports say beside logical axioms; each statement once.

    The header is that of the first document, as its IRI is.
    """
    renamed = [*zip(documents, renamings(documents), strict=True)]
    return AnnotationAxioms(
        header=tuple(dict.fromkeys(documents[0].annotations)),
        declarations=tuple(
            dict.fromkeys(told for document, fresh in renamed for told in rename_each(document.declarations, fresh))
        ),
        assertions=tuple(
            dict.fromkeys(
                told for document, fresh in renamed for told in rename_each(document.annotation_assertions, fresh)
            )
        ),
    )


def collect_labels(assertions: Iterable[AnnotationAssertion]) -> dict[str, str]:
    """Return one rdfs:label a name: the first that is English or has no language, or else the first."""
    preferred: dict[str, str] = {}
    others: dict[str, str] = {}
    for assertion in assertions:
        if assertion.property == LABEL_IRI and isinstance(assertion.subject, str):
            value = assertion.value
            if isinstance(value, Literal):
                is_preferred = value.language.lower().partition("-")[0] in ("", "en")
                (preferred if is_preferred else others).setdefault(assertion.subject, value.lexical)
    return {**others, **preferred}


def misplaced_probabilities(document: Document) -> Iterator[Declaration | AnnotationAssertion | Annotation]:
    """Yield what bears the annotation of a probability and is no logical axiom."""
    yield from (note for note in document.annotations if note.property in PROBABILITY_IRIS)
    for declaration in document.declarations:
        if declaration.annotations and any(note.property in PROBABILITY_IRIS for note in declaration.annotations):
            yield declaration
    for told in document.annotation_assertions:
        if told.property in PROBABILITY_IRIS or (
            told.annotations and any(note.property in PROBABILITY_IRIS for note in told.annotations)
        ):
            yield told


# ── Axioms and operands are sets ──────────────────────────────────────────────────────────────────────────────────────

OPERANDS: dict[type, str] = {
    **dict.fromkeys((ax.EquivalentClasses, ax.DisjointClasses, ax.DisjointUnion), "operands"),
    **dict.fromkeys((ax.EquivalentObjectProperties, ax.DisjointObjectProperties), "operands"),
    **dict.fromkeys((ax.EquivalentDataProperties, ax.DisjointDataProperties), "operands"),
    **dict.fromkeys((ax.SameIndividual, ax.DifferentIndividuals), "individuals"),
}
"""The field of each n-ary axiom that is a set (OWL 2 Structural Specification, section 2.1)."""


def each_once(axioms: Iterable[Axiom]) -> tuple[Axiom, ...]:
    """Return axioms in order, each once, and without repeated operands.

    Those of names alone are known by their IRIs, since a string is hashed but once.
    """
    known: dict[object, Axiom] = {}
    for axiom in axioms:
        told = with_sets(axiom) if type(axiom) in OPERANDS else axiom
        key: object = told
        if isinstance(told, ax.ObjectPropertyAssertion):
            key = _link_key(told)
        elif isinstance(told, ax.SubClassOf) and not told.annotations:
            sub, sup = told.sub, told.sup
            key = (sub.iri, sup.iri) if isinstance(sub, Class) and isinstance(sup, Class) else told
        known.setdefault(key, told)
    return tuple(known.values())


def _link_key(axiom: ax.ObjectPropertyAssertion) -> object:
    """Return what a role assertion is known by."""
    role, source, target = axiom.property, axiom.source, axiom.target
    if axiom.negative or axiom.annotations or not isinstance(role, ObjectProperty):
        return axiom
    if not isinstance(source, NamedIndividual) or not isinstance(target, NamedIndividual):
        return axiom
    return role.iri, source.iri, target.iri


def with_sets(axiom: Axiom) -> Axiom:
    """Return an axiom without repeated operands, which OWL 2 asks tools to remove when they read.

    One whose operands are all the same is left as it is written: OWL 2 has no axiom of one operand.

    >>> from moose.owl.model.expressions import Class
    >>> a, b = Class("a"), Class("b")
    >>> with_sets(ax.DisjointClasses((a, b, a))) == ax.DisjointClasses((a, b))
    True
    """
    name = OPERANDS.get(type(axiom))
    if name is None:
        return axiom
    operands = getattr(axiom, name)
    distinct = tuple(dict.fromkeys(operands))
    changed: dict[str, Any] = {name: distinct}
    return axiom if len(distinct) in (1, len(operands)) else replace(axiom, **changed)
