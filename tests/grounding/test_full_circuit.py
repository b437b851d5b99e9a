"""The compiled full encoding entails what the reasoner derives, auxiliary atoms quantified away."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.compile import compile_circuit
from moose.grounding.clauses import AtomKind
from moose.owl.axioms import Axiom
from moose.saturation.realise import realise
from tests.grounding.reasoning import draw_task, entailed_atoms, ground_entailed
from tests.saturation.random_ontologies import ontologies
from tests.searching import examples

MOST_ATOMS = 22


@examples(80)
@given(axioms=ontologies(), source=st.randoms(use_true_random=False), fresh=st.booleans())
def test_circuit_entails_what_the_reasoner_derives(axioms: list[Axiom], source: random.Random, *, fresh: bool) -> None:
    task = draw_task(source, axioms, fresh=fresh)
    if task.ontology.profile.outside or not realise(task.ontology).is_consistent:
        return
    clauses = ground_entailed(task)
    if len(clauses.atoms) > MOST_ATOMS:
        return
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
