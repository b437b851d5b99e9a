"""The frozen value that `load` returns, and how it is made: of documents, or of axioms built in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, Document, Imported
from moose.owl.model.expressions import (
    LABEL_IRI,
    PROBABILITY_IRIS,
    AnonymousIndividual,
    Class,
    DataProperty,
    Entity,
    Literal,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.model.nesting import shallow_enough
from moose.owl.model.signature import LEAVES, PARTS, Signature, collect_signature, walk
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
        entities: list[Entity] = [Class(iri) for iri in names.classes]
        entities += [ObjectProperty(iri) for iri in names.object_properties]
        entities += [DataProperty(iri) for iri in names.data_properties]
        entities += [NamedIndividual(iri) for iri in names.individuals]
        with shallow_enough(self.iri or "the ontology"):
            return normalise(self.profile.used_axioms, entities=entities)

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

    def __repr__(self) -> str:
        name = f"<{self.iri}>" if self.iri else "without IRI"
        return f"Ontology({name}, {len(self.axioms):,} axioms, {len(self.profile.outside):,} outside OWL 2 EL)"


# ── Making an ontology ────────────────────────────────────────────────────────────────────────────────────────────


def ontology_from_axioms(
    axioms: Iterable[Axiom], *, iri: str | None = None, declarations: Iterable[Entity] = ()
) -> Ontology:
    """Make an ontology of axioms built in Python, e.g. `[SubClassOf(Class("A"), Class("B"))]`."""
    with shallow_enough("the axioms given"):
        each_once = tuple(dict.fromkeys(map(with_sets, axioms)))
        return Ontology(
            axioms=each_once, profile=check_profile(each_once), iri=iri, declarations=tuple(dict.fromkeys(declarations))
        )


def merge_documents(
    documents: Sequence[Document],
    *,
    imports: tuple[Imported, ...] = (),
    ignored_imports: tuple[str, ...] = (),
    import_cycles: tuple[tuple[str, ...], ...] = (),
) -> Ontology:
    """Make one ontology of a document and those it imports, the importing one first."""
    root = documents[0]
    axioms = tuple(dict.fromkeys(with_sets(axiom) for axioms in rename_apart(documents) for axiom in axioms))
    return Ontology(
        axioms=axioms,
        profile=check_profile(axioms),
        iri=root.iri,
        version_iri=root.version_iri,
        declarations=tuple(dict.fromkeys(told.entity for document in documents for told in document.declarations)),
        labels=collect_labels(documents),
        prefixes={name: iri for document in reversed(documents) for name, iri in document.prefixes.items()},
        imports=imports,
        ignored_imports=ignored_imports,
        import_cycles=import_cycles,
        annotation_assertion_count=sum(len(document.annotation_assertions) for document in documents),
        misplaced_probabilities=tuple(note for document in documents for note in misplaced_probabilities(document)),
    )


def collect_labels(documents: Iterable[Document]) -> dict[str, str]:
    """Return one rdfs:label a name: the first that is English or has no language, or else the first."""
    preferred: dict[str, str] = {}
    others: dict[str, str] = {}
    for document in documents:
        for assertion in document.annotation_assertions:
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


# ── Anonymous individuals of several documents are kept apart ─────────────────────────────────────────────────────


def rename_apart(documents: Sequence[Document]) -> list[tuple[Axiom, ...]]:
    """Return the axioms of each document, an anonymous individual renamed where an earlier document has its name."""
    if len(documents) == 1:
        return [documents[0].axioms]
    taken: set[str] = set()
    renamed = []
    for document in documents:
        own = _nodes(document.axioms)
        fresh = {node: _fresh(node, taken | own) for node in own & taken}
        renamed.append(tuple(rename(axiom, fresh) for axiom in document.axioms) if fresh else document.axioms)
        taken |= own | set(fresh.values())
    return renamed


def rename(axiom: Axiom, fresh: dict[str, str]) -> Axiom:
    """Return an axiom with its anonymous individuals renamed, built anew only where one is."""
    if not any(isinstance(part, AnonymousIndividual) and part.node in fresh for part in walk(axiom)):
        return axiom
    return cast(Axiom, _rebuild(axiom, fresh))


def _rebuild(value: object, fresh: dict[str, str]) -> object:
    if isinstance(value, AnonymousIndividual):
        return AnonymousIndividual(fresh.get(value.node, value.node))
    if isinstance(value, tuple):
        return tuple(_rebuild(part, fresh) for part in value)
    kind = type(value)
    if kind in LEAVES or kind not in PARTS:
        return value
    changed = {name: _rebuild(getattr(value, name), fresh) for name in PARTS[kind]}
    kept = {"annotations": value.annotations} if hasattr(value, "annotations") else {}
    return kind(**changed, **kept)


def _nodes(axioms: tuple[Axiom, ...]) -> set[str]:
    return {part.node for axiom in axioms for part in walk(axiom) if isinstance(part, AnonymousIndividual)}


def _fresh(node: str, taken: set[str]) -> str:
    count = 1
    while f"{node}.{count}" in taken:
        count += 1
    return f"{node}.{count}"


# ── Operands are sets ─────────────────────────────────────────────────────────────────────────────────────────────

OPERANDS: dict[type, str] = {
    **dict.fromkeys((ax.EquivalentClasses, ax.DisjointClasses, ax.DisjointUnion), "operands"),
    **dict.fromkeys((ax.EquivalentObjectProperties, ax.DisjointObjectProperties), "operands"),
    **dict.fromkeys((ax.EquivalentDataProperties, ax.DisjointDataProperties), "operands"),
    **dict.fromkeys((ax.SameIndividual, ax.DifferentIndividuals), "individuals"),
}
"""The field of each n-ary axiom that is a set (OWL 2 Structural Specification, section 2.1)."""


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
