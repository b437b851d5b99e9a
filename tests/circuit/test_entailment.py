"""Entailments and enumeration against the table of all worlds."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.inference.entailment import entailed_atoms, is_entailed, is_satisfiable
from moose.circuit.inference.evaluate import smoothed
from moose.circuit.inference.models import list_models
from moose.grounding.clauses import Clauses
from tests.circuit.brute_force import worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on
from tests.searching import examples


@given(clause_sets(auxiliary=True), st.data())
@examples(200)
def test_what_is_entailed_holds_in_every_model(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    size = len(worlds.atoms)
    evidence = data.draw(evidence_on(size))
    known = worlds.given(evidence)
    for diagram in [*both(clauses), smoothed(both(clauses)[1])]:
        assert is_satisfiable(diagram, evidence) == (known.count() > 0)
        if known.count() == 0:
            assert entailed_atoms(diagram, evidence) is None
            continue
        entailed = known.entailed()
        assert entailed_atoms(diagram, evidence) == entailed
        for atom in range(size):
            for truth in (True, False):
                assert is_entailed(diagram, atom, truth, evidence) == (entailed.get(atom) is truth)


@given(clause_sets(most=8, auxiliary=True), st.data())
@examples(100)
def test_models_are_listed_once_each(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    evidence = data.draw(evidence_on(len(worlds.atoms)))
    for diagram in [*both(clauses), smoothed(both(clauses)[0])]:
        models = [tuple(model) for model in list_models(diagram, evidence)]
        assert sorted(models) == worlds.given(evidence).models()
        assert models == [tuple(model) for model in list_models(diagram, evidence)]


def test_the_first_models_of_very_many_come_at_once() -> None:
    from tests.circuit.test_evaluate import chain

    diagram = chain(2)
    wide = type(diagram)(10_000, diagram.starts[:1], diagram.primes[:0], diagram.subs[:0], 20_000)
    assert len(list(islice(list_models(wide, {5: True}), 10))) == 10
