"""What individuals are, and how they are related."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.owl.model.expressions import NamedIndividual, ObjectProperty
from moose.owl.modules.unused import unused_for_individuals
from moose.owl.names import Names
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.owl.notebook import data_frame, html_table
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside
from moose.saturation.answers.closure import KEPT, Closure, closure_of_form
from moose.saturation.engine.arrays import Indices
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.run import Progress

if TYPE_CHECKING:
    import pandas as pd

Strings = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Realisation:
    """The inferred types, relations and equalities of the named individuals of a consistent ontology."""

    ontology: Ontology
    closure: Closure

    def __repr__(self) -> str:
        return f"Realisation({len(self.ontology.individuals):,} individuals)"

    @property
    def is_consistent(self) -> bool:
        """Return whether the ontology has a model; without one, every individual is everything."""
        return self.closure.is_consistent

    @cached_property
    def unused(self) -> tuple[Outside, ...]:
        """The axioms that can matter for individuals and are not used whole; without any, these are all types."""
        return unused_for_individuals(self.ontology)

    def to_pandas(self) -> pd.DataFrame:
        """Return the types of all individuals with their labels as a data frame."""
        label = Names(self.ontology).label
        individuals, classes = [one for one, _ in self.types()], [cls for _, cls in self.types()]
        return data_frame({"individual": individuals, "class": classes, "class_label": [*map(label, classes)]})

    def _repr_html_(self) -> str:
        """Show a notebook what individuals are."""
        show, types = Names(self.ontology).show, self.types() if self.is_consistent else []
        rows = ((show(one), show(cls)) for one, cls in types)
        return html_table(repr(self), ("individual", "class"), rows, count=len(types))

    def types(self) -> list[tuple[str, str]]:
        """Return pairs (individual, class), sorted, without owl:Thing."""
        form, facts = self._consistent()
        named = list(self._named())
        people, individual_of = ranked([name for name, _ in named], [concept for _, concept in named], form)
        classes, class_of = ranked(form.classes[1:], form.class_concepts[1:].tolist(), form)
        rows, columns = individual_of[facts.contexts], class_of[facts.concepts]
        is_type = (rows >= 0) & (columns >= 0)
        keys = rows[is_type].astype(np.int64) * len(classes) + columns[is_type]
        keys.sort()
        rows, columns = np.divmod(keys, max(len(classes), 1))
        return list(zip(people[rows].tolist(), classes[columns].tolist(), strict=True))

    def role_assertions(self) -> list[tuple[str, str, str]]:
        """Return triples (individual, object property, individual), sorted, without owl:topObjectProperty."""
        form, facts = self._consistent()
        links = set()
        for name, concept in self._named():
            for role, target in zip(*(column.tolist() for column in facts.links_from(concept)), strict=True):
                for other in self._named_among(facts.subsumers(target)):
                    for sup in np.flatnonzero(form.is_subrole[role, : len(form.roles)]).tolist():
                        links.add((name, sup, other))
        if form.universal_role >= 0:
            names = [name for name, _ in self._named()]
            everywhere = np.flatnonzero(form.is_subrole[form.universal_role, : len(form.roles)]).tolist()
            links |= {(name, role, other) for role in everywhere for name in names for other in names}
        is_listed = {number: isinstance(role, ObjectProperty) for number, role in enumerate(form.roles)}
        triples = [
            (name, form.roles[role].iri, other)
            for name, role, other in links
            if is_listed[role] and role != form.universal_role
        ]
        return sorted(triples)

    def same_individuals(self) -> list[tuple[str, str]]:
        """Return pairs of different names for one individual, sorted, each once."""
        _, facts = self._consistent()
        pairs = {
            (name, other) for name, concept in self._named() for other in self._named_among(facts.subsumers(concept))
        }
        return sorted((first, second) for first, second in pairs if first < second)

    def _consistent(self) -> tuple[NormalForm, Facts]:
        if not self.is_consistent:
            raise MooseError(
                "expected a consistent ontology, but in this one every individual is everything; "
                "ask for a proof of SubClassOf(owl:Thing owl:Nothing) to see why"
            )
        return self.closure.form, self.closure.base

    def _named(self) -> Iterator[tuple[str, int]]:
        form = self.closure.form
        for individual, concept in zip(form.individuals, form.nominal_concepts.tolist(), strict=True):
            if isinstance(individual, NamedIndividual):
                yield individual.iri, concept

    def _named_among(self, concepts: Indices) -> Iterator[str]:
        form = self.closure.form
        for position in form.first[concepts[form.kinds[concepts] == Kind.NOMINAL]].tolist():
            individual = form.individuals[position]
            if isinstance(individual, NamedIndividual):
                yield individual.iri


def ranked(names: Sequence[str], concepts: Sequence[int], form: NormalForm) -> tuple[Strings, Indices]:
    """Return names sorted, and for each concept of the form the place of its name among them, -1 for the others."""
    order = sorted(range(len(names)), key=names.__getitem__)
    place_of = np.full(len(form.kinds), -1, dtype=np.int32)
    place_of[np.array(concepts, dtype=np.int32)[order]] = np.arange(len(names))
    return np.array(names, dtype=object)[order], place_of


def realise(ontology: Ontology, *, progress: Progress | None = None) -> Realisation:
    """Compute what every individual is; only what individuals lead to is looked at, unless the closure is there."""
    closure = KEPT.get(ontology) or closure_of_form(ontology.normal_form, roots=(), progress=progress)
    return Realisation(ontology, closure)
