"""Inferred existential restrictions and role assertions of chosen properties, written down as axioms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from moose.base.errors import MooseError
from moose.owl.model.axioms import Axiom, ObjectPropertyAssertion, SubClassOf
from moose.owl.model.expressions import (
    BOTTOM_OBJECT_PROPERTY_IRI,
    TOP_OBJECT_PROPERTY_IRI,
    Class,
    NamedIndividual,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.names import short_name
from moose.saturation.answers.realise import realise
from moose.saturation.answers.taxonomy import Taxonomy
from moose.saturation.engine.arrays import Indices

BUILT_IN = (TOP_OBJECT_PROPERTY_IRI, BOTTOM_OBJECT_PROPERTY_IRI)


def materialised(taxonomy: Taxonomy, properties: Sequence[ObjectProperty]) -> Iterator[Axiom]:
    """Yield for each property r the most specific A ⊑ ∃r.B between named classes, and r(a, b) between individuals.

    A ⊑ ∃r.B is left out where a class above A is below ∃r.B, or A is below ∃r.C for a C below B.
    """
    for role in properties:
        if role.iri in BUILT_IN:
            raise MooseError(
                f"expected properties of the ontology to materialise, but got owl:{short_name(role.iri)}, which joins "
                f"{'all' if role.iri == TOP_OBJECT_PROPERTY_IRI else 'no'} pairs; leave it out"
            )
        if role not in taxonomy.closure.form.roles:  # no axiom speaks of it
            continue
        fillers = Fillers(taxonomy, role)
        for number, name in enumerate(taxonomy.rows.names):
            for filler in fillers.own(number).tolist():
                yield SubClassOf(Class(name), ObjectSomeValuesFrom(role, Class(taxonomy.rows.names[filler])))
    wanted = {role.iri for role in properties}
    if wanted and taxonomy.ontology.individuals:
        for source, role_iri, target in realise(taxonomy.ontology).role_assertions():
            if role_iri in wanted:
                yield ObjectPropertyAssertion(
                    ObjectProperty(role_iri), NamedIndividual(source), NamedIndividual(target)
                )


class Fillers:
    """The named classes B with A ⊑ ∃r.B, for one property r, as rows of the taxonomy."""

    def __init__(self, taxonomy: Taxonomy, role: ObjectProperty) -> None:
        self._taxonomy = taxonomy
        self._rows = taxonomy.rows
        form = taxonomy.closure.form
        self._is_below = form.is_subrole[:, form.roles.index(role)]
        self._least: dict[int, Indices] = {}
        self._row_of = np.full(len(form.kinds), -1, dtype=np.int32)
        for number, name in enumerate(self._rows.names):
            self._row_of[form.class_number(name)] = number

    def least(self, number: int) -> Indices:
        """Return the most specific fillers of a class."""
        if number not in self._least:
            closure = self._taxonomy.closure
            concept = closure.form.class_number(self._rows.names[number])
            assert concept is not None
            facts = closure.world_of(concept)
            roles, targets = facts.links_from(concept)
            found = [
                self._row_of[facts.subsumers(target)] for target in np.unique(targets[self._is_below[roles]]).tolist()
            ]
            rows = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int32)
            self._least[number] = self._rows.least(rows[rows >= 0])
        return self._least[number]

    def own(self, number: int) -> Indices:
        """Return the most specific fillers of a class that no class above it has too."""
        fillers = self.least(number)
        row = self._rows.row(number)
        inherited: set[int] = set()
        for parent in self._rows.above[row][self._rows.is_direct[row]].tolist():
            for filler in self.least(parent).tolist():
                inherited.update(self._rows.above[self._rows.row(filler)].tolist())
        return np.array([one for one in fillers.tolist() if one not in inherited], dtype=np.int32)
