"""A clash is one, and nothing in it can be spared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import ContradictoryEvidence
from moose.circuit.clash import contradiction, find_clash
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Origin, clauses_from_lists
from tests.circuit.brute_force import worlds_of
from tests.circuit.plain_compiler import circuit_of
from tests.circuit.random_clauses import clause_sets
from tests.searching import examples

A, B, C, D = (Atom(name, ("a",)) for name in "ABCD")


def has_model(clauses: Clauses, literals: tuple[int, ...], indices: tuple[int, ...]) -> bool:
    kept = [*(clauses.clause(index) for index in indices), *((literal,) for literal in literals)]
    return worlds_of(clauses_from_lists(clauses.atoms, kept)).count() > 0


@given(clause_sets(most=9, auxiliary=True), st.data())
@examples(150)
def test_a_clash_has_no_model_and_nothing_to_spare(clauses: Clauses, data: st.DataObject) -> None:
    size = len(clauses.atoms)
    literals = data.draw(st.lists(st.integers(1, size).flatmap(lambda k: st.sampled_from([k, -k])), unique=True))
    clash = find_clash(clauses, literals)
    if has_model(clauses, tuple(literals), tuple(range(len(clauses)))):
        assert clash is None
        return
    assert clash is not None and set(clash.literals) <= set(literals)
    assert not has_model(clauses, clash.literals, clash.clauses)
    for literal in clash.literals:
        assert has_model(clauses, tuple(other for other in clash.literals if other != literal), clash.clauses)
    for index in clash.clauses:
        assert has_model(clauses, clash.literals, tuple(other for other in clash.clauses if other != index))


def digits() -> Clauses:
    clauses = clauses_from_lists([A, B, C, D], [(-1, 2), (-2, 3), (-3, -4), (1, 4)])
    origins = [Origin.SUBSUMPTION, Origin.SUBSUMPTION, Origin.DISJOINTNESS, Origin.COVER]
    return replace(clauses, origins=np.array(origins, dtype=np.int8))


def test_the_message_names_literals_and_implications() -> None:
    error = contradiction(digits(), [4, 1])
    assert error.literals == ("A(a)", "D(a)")
    assert error.clauses == (
        "A(a) → B(a) (subsumption)",
        "B(a) → C(a) (subsumption)",
        "C(a) ∧ D(a) → ⊥ (disjointness)",
    )
    assert str(error) == (
        "the evidence contradicts the theory: A(a), D(a) cannot hold together, because of A(a) → B(a) (subsumption); "
        "B(a) → C(a) (subsumption); C(a) ∧ D(a) → ⊥ (disjointness); leave out or correct one"
    )


def test_a_theory_without_models_says_so() -> None:
    circuit = circuit_of(clauses_from_lists([A, B], [(1,), (-1, 2), (-2,)]))
    with pytest.raises(ContradictoryEvidence, match=r"^the theory has no model at all, because of A\(a\)") as caught:
        circuit.posterior(["B(a)"])
    assert caught.value.literals == () and len(caught.value.clauses) == 3


@pytest.mark.parametrize("ask", ["posterior", "exact_posterior", "most_probable", "entailed", "family_argmax"])
def test_every_question_reports_the_clash(ask: str) -> None:
    circuit = circuit_of(digits())
    with pytest.raises(ContradictoryEvidence, match="cannot hold together") as caught:
        getattr(circuit, ask)({"A(a)": True, "D(a)": True, "B(a)": True})
    assert caught.value.literals == ("B(a)", "D(a)")


def test_given_literals_count_as_evidence() -> None:
    circuit = circuit_of(replace(digits(), given=(4,)))
    with pytest.raises(ContradictoryEvidence) as caught:
        circuit.posterior(["B(a)"])
    assert caught.value.literals == ("B(a)", "D(a)")
    with pytest.raises(ContradictoryEvidence, match=r"the evidence says not D\(a\), but D\(a\) is given"):
        circuit.posterior(["not D(a)"])


def test_a_clash_may_run_through_auxiliary_atoms() -> None:
    kinds = np.array([AtomKind.OBSERVABLE, AtomKind.AUXILIARY, AtomKind.AUXILIARY, AtomKind.OBSERVABLE], dtype=np.int8)
    circuit = circuit_of(replace(digits(), kinds=kinds))
    with pytest.raises(ContradictoryEvidence) as caught:
        circuit.entails("A(a)", ["A(a)", "D(a)"])
    assert caught.value.literals == ("A(a)", "D(a)") and len(caught.value.clauses) == 3


def test_a_clash_in_a_long_chain_names_few() -> None:
    size = 20_000
    atoms = [Atom("A", (f"i{k}",)) for k in range(size)]
    clauses = clauses_from_lists(atoms, [(-k, k + 1) for k in range(1, size)])
    error = contradiction(clauses, [*range(1, 100), -10_050, 10_000, -11_000, *range(12_000, 13_000)])
    assert error.literals == ("A(i9999)", "not A(i10049)") and len(error.clauses) == 50
    assert "and 42 more" in str(error)


def test_a_clash_that_takes_a_distinction_of_cases_is_found_far_from_the_literals() -> None:
    size = 3000
    atoms = [Atom("A", (f"i{k}",)) for k in range(size)]
    rows = [clause for k in range(1, size - 3, 3) for clause in _two_ways(k)]
    clash = find_clash(clauses_from_lists(atoms, rows), [1, 2000, -901])
    assert clash is not None and clash.literals == (1, -901) and len(clash.clauses) == 3 * 300


def _two_ways(start: int) -> list[tuple[int, ...]]:
    """Return clauses by which one atom implies the third from it, by one of the two between."""
    return [(-start, start + 1, start + 2), (-start - 1, start + 3), (-start - 2, start + 3)]


@pytest.mark.parametrize(
    ("regime", "evidence", "expected"),
    [
        ("mnist1", ["Even(a)", "D0(a)", "not D6(a)", "Composite(a)"], {"D0(a)", "Composite(a)"}),
        ("mnist1", ["D4(a)", "Prime(a)", "Even(a)"], {"D4(a)", "Prime(a)"}),
        ("pizzaA", ["RocketTopping(a)", "not Capricciosa(a)"], {"RocketTopping(a)"}),
    ],
)
def test_no_literal_is_named_that_the_others_can_do_without(
    regime: str, evidence: list[str], expected: set[str]
) -> None:
    circuit = moose.compile_circuit(moose.ground(moose.regime(regime)))
    with pytest.raises(ContradictoryEvidence) as clash:
        circuit.posterior(evidence)
    assert set(clash.value.literals) == expected
