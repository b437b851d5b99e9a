"""What Moose and the naive reasoner say of a list of axioms, in one comparable value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bench.entailments import Entailments
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    THING,
    TOP_OBJECT_PROPERTY,
    Entity,
    NamedIndividual,
    ObjectHasValue,
    ObjectProperty,
)
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.saturation.answers.realise import realise
from moose.saturation.answers.taxonomy import classify
from tests.saturation.naive import World, holds, imagine, naive_closure
from tests.saturation.naive_reading import entities, nominal, read
from tests.saturation.random_ontologies import CLASSES, INDIVIDUALS

NAMES: tuple[Entity, ...] = (*CLASSES, *INDIVIDUALS)
"""What every random ontology declares, used or not."""


def make(axioms: Iterable[Axiom], names: Iterable[Entity] = NAMES) -> Ontology:
    """Make an ontology that knows all the names of the random ones."""
    return ontology_from_axioms(axioms, declarations=names)


def is_complete(ontology: Ontology) -> bool:
    """Say whether Moose promises to find all that follows: nothing is outside of what it knows."""
    return not ontology.profile.outside


def our_answer(ontology: Ontology) -> Entailments:
    """Ask Moose."""
    taxonomy = classify(ontology)
    realisation = realise(ontology)
    assert realisation.is_consistent == taxonomy.is_consistent
    if not taxonomy.is_consistent:
        assert taxonomy.unsatisfiable == taxonomy.classes
        assert taxonomy.closure_pairs() == []
        return Entailments(is_consistent=False)
    return Entailments(
        is_consistent=True,
        unsatisfiable=tuple((name,) for name in taxonomy.unsatisfiable),
        closure=tuple(taxonomy.closure_pairs()),
        types=tuple(realisation.types()),
        roles=tuple(realisation.role_assertions()),
        same=tuple(realisation.same_individuals()),
    )


def naive_answer(axioms: Sequence[Axiom]) -> Entailments:
    """Ask the naive reasoner about the same names."""
    pairs, unsatisfiable, is_consistent = naive_closure(axioms, [one.iri for one in CLASSES])
    if not is_consistent:
        return Entailments(is_consistent=False)
    told = read(axioms)
    world = imagine(replace(told, individuals=told.individuals | set(INDIVIDUALS)), THING)
    roles = {one for one in entities(list(axioms)) if isinstance(one, ObjectProperty)} - {TOP_OBJECT_PROPERTY}
    types = {one: world.types[frozenset([nominal(one)])] for one in INDIVIDUALS}
    return Entailments(
        is_consistent=True,
        unsatisfiable=tuple((name,) for name in sorted(unsatisfiable)),
        closure=tuple(sorted(pairs)),
        types=tuple(sorted((one.iri, cls.iri) for one in types for cls in CLASSES if cls in types[one])),
        roles=tuple(sorted(found for role in roles for found in naive_role(world, role))),
        same=tuple(
            (a.iri, b.iri) for a in INDIVIDUALS for b in INDIVIDUALS if a.iri < b.iri and nominal(b) in types[a]
        ),
    )


def naive_role(world: World, role: ObjectProperty) -> list[tuple[str, str, str]]:
    """List the pairs of individuals that a role links in a world."""

    def has(source: NamedIndividual, target: NamedIndividual) -> bool:
        return holds(world, frozenset([nominal(source)]), ObjectHasValue(role, target))

    return [(a.iri, role.iri, b.iri) for a in INDIVIDUALS for b in INDIVIDUALS if has(a, b)]


def wrong(ours: Entailments, theirs: Entailments, *, complete: bool) -> list[str]:
    """List what only one of two says; of a reasoner that may miss something, only what it says too much."""
    found = ours.differences(theirs)
    if complete or not ours.is_consistent or not theirs.is_consistent:
        return found if complete or theirs.is_consistent else []
    return [line for line in found if line.startswith("+")]
