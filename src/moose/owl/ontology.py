"""The frozen value that `load` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration
from moose.owl.model.document import Imported
from moose.owl.model.expressions import Class, DataProperty, Entity, NamedIndividual, ObjectProperty
from moose.owl.model.nesting import shallow_enough
from moose.owl.model.signature import Signature, collect_signature
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
