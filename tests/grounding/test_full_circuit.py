"""The compiled full encoding entails what the reasoner derives, auxiliary atoms quantified away."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.clauses import AtomKind, Clauses
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom
from moose.saturation.answers.realise import realise
from tests.grounding.reasoning import draw_task, entailed_atoms, ground_entailed
from tests.saturation.random_ontologies import ontologies, random_axioms
from tests.searching import examples

MOST_ATOMS = 30


@examples(40)
@given(axioms=ontologies(), source=st.randoms(use_true_random=False), fresh=st.booleans())
def test_circuit_entails_what_the_reasoner_derives(axioms: list[Axiom], source: random.Random, *, fresh: bool) -> None:
    task = draw_task(source, axioms, fresh=fresh)
    if not task.ontology.profile.outside and realise(task.ontology).is_consistent:
        clauses = ground_entailed(task)
        if len(clauses.atoms) <= MOST_ATOMS:
            compare(task, clauses, source)


def test_auxiliary_atoms_are_quantified_away() -> None:
    compared = 0
    for seed in range(90):
        source = random.Random(seed)
        task = draw_task(source, random_axioms(source), fresh=False)
        if task.ontology.profile.outside or not realise(task.ontology).is_consistent:
            continue
        clauses = ground_entailed(task)
        if len(clauses.atoms) <= MOST_ATOMS and AtomKind.AUXILIARY in clauses.kinds:
            compare(task, clauses, source)
            compared += 1
    assert compared >= 5


def compare(task: Task, clauses: Clauses, source: random.Random) -> None:
    """Compile clauses and ask, under some evidence, what follows."""
    circuit = compile_circuit(clauses)
    assert circuit.atoms == tuple(a for a, k in zip(clauses.atoms, clauses.kinds) if k != AtomKind.AUXILIARY)
    for _ in range(3):
        evidence = source.sample(circuit.atoms, source.randint(0, min(3, len(circuit.atoms))))
        given_atoms = dict.fromkeys(map(str, evidence), True)
        expected = entailed_atoms(task, circuit.atoms, evidence)
        if expected is None:
            assert circuit.model_count(given_atoms) == 0
            continue
        entailed = circuit.entailed(given_atoms)
        assert {atom for atom in circuit.atoms if entailed.get(str(atom)) is True} == expected
