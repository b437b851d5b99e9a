"""What documents say beside their logical axioms: annotations of the ontology, declarations, annotation assertions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration
from moose.owl.model.expressions import AnonymousIndividual, Literal


@dataclass(frozen=True)
class AnnotationAxioms:
    """Everything without logical meaning, in document order; the annotations of logical axioms stand on these."""

    header: tuple[Annotation, ...] = ()
    """Annotations of the ontology itself."""

    declarations: tuple[Declaration, ...] = ()
    """With their annotations, each once."""

    assertions: tuple[AnnotationAssertion, ...] = ()
    """SubAnnotationPropertyOf and the like are among them, as rdfs:subPropertyOf, rdfs:domain and rdfs:range."""

    @cached_property
    def by_subject(self) -> dict[str | AnonymousIndividual, tuple[AnnotationAssertion, ...]]:
        """Return the assertions of each subject."""
        groups: dict[str | AnonymousIndividual, list[AnnotationAssertion]] = {}
        for told in self.assertions:
            groups.setdefault(told.subject, []).append(told)
        return {subject: tuple(told) for subject, told in groups.items()}

    def of(self, subject: str | AnonymousIndividual) -> tuple[AnnotationAssertion, ...]:
        """Return what is annotated to an IRI or an anonymous individual."""
        return self.by_subject.get(subject, ())

    def texts(self, subject: str, *properties: str) -> Iterator[Literal]:
        """Yield the literals that some properties give to a subject, those of the first property first.

        >>> from moose.owl.model.expressions import LABEL_IRI
        >>> label = AnnotationAssertion(LABEL_IRI, "urn:x", Literal("an x"))
        >>> [text.lexical for text in AnnotationAxioms(assertions=(label,)).texts("urn:x", LABEL_IRI)]
        ['an x']
        """
        told = self.of(subject)
        for wanted in properties:
            for one in told:
                if one.property == wanted and isinstance(one.value, Literal):
                    yield one.value

    def about(self, iris: Collection[str]) -> AnnotationAxioms:
        """Return the part that speaks of some IRIs: the header, their declarations and their assertions."""
        return AnnotationAxioms(
            self.header,
            tuple(told for told in self.declarations if told.entity.iri in iris),
            tuple(told for told in self.assertions if told.subject in iris),
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """Annotations that are in memory, as a source of them."""

    annotations: AnnotationAxioms

    def __call__(self) -> AnnotationAxioms:
        """Return them."""
        return self.annotations
