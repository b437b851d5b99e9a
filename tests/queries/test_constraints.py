"""The DeepProbLog correspondence: ProbLog's P(q) on violated constraints is the circuit's weighted model count."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.circuit.inference.weights import Weight
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from moose.queries.export.constraints import constraint_program, rule_program
from tests.circuit.random_clauses import clause_sets, evidence_on, probabilities
from tests.queries.peers import ask_problog, is_near
from tests.searching import examples

BODY, HEAD = Atom("B", ("x",)), Atom("H", ("x",))
IMPLICATION = clauses_from_lists([BODY, HEAD], [(-1, 2)])
WEIGHTS = {"B(x)": Fraction(6, 10), "H(x)": Fraction(3, 10)}


def visible(clauses: Clauses) -> list[Atom]:
    """Return the atoms that are not auxiliary."""
    return [atom for atom, kind in zip(clauses.atoms, clauses.kinds.tolist()) if kind != AtomKind.AUXILIARY]


def has_translation(clauses: Clauses) -> bool:
    """Tell whether each clause has at most one auxiliary atom on the right."""
    kinds = clauses.kinds.tolist()
    return all(sum(one > 0 and kinds[one - 1] == AtomKind.AUXILIARY for one in clause) <= 1 for clause in clauses)


def test_rules_are_a_noisy_or_and_constraints_are_not() -> None:
    # The paper's proposition on DeepProbLog takes the two for the same.
    evidence = {"H(x)": True}
    printed = ask_problog(rule_program(IMPLICATION, WEIGHTS, evidence, is_clamped=False))
    mended = ask_problog(constraint_program(IMPLICATION, WEIGHTS, evidence, is_clamped=False))
    observed: dict[str, Weight] = {"B(x)": WEIGHTS["B(x)"], "H(x)": (WEIGHTS["H(x)"], Fraction(0))}
    circuit = moose.compile_circuit(IMPLICATION).wmc(observed)
    assert is_near(printed, Fraction(72, 100))
    assert is_near(mended, Fraction(30, 100))
    assert circuit == Fraction(30, 100)


@examples(60)
@given(clause_sets(most=8, auxiliary=True, given=True).filter(has_translation), st.data())
def test_problog_is_the_circuit(clauses: Clauses, data: st.DataObject) -> None:
    atoms = visible(clauses)
    weights = {str(atom): data.draw(probabilities()) for atom in atoms}
    given = {abs(literal) - 1: literal > 0 for literal in clauses.given}
    drawn = data.draw(evidence_on(len(atoms)))
    evidence = {str(atoms[place]): truth for place, truth in drawn.items()}
    evidence |= {str(clauses.atoms[place]): truth for place, truth in given.items()}
    exact = moose.compile_circuit(clauses).wmc(weights, evidence)
    assert is_near(ask_problog(constraint_program(clauses, weights, evidence)), exact)


@examples(30)
@given(clause_sets(most=8), st.data())
def test_without_clamping_observed_atoms_weigh_what_they_weigh(clauses: Clauses, data: st.DataObject) -> None:
    values = [data.draw(probabilities()) for _ in clauses.atoms]
    evidence = data.draw(evidence_on(len(clauses.atoms)))
    weights = {str(atom): value for atom, value in zip(clauses.atoms, values)}
    pairs = {
        str(atom): (value * evidence.get(place, True), (1 - value) * (not evidence.get(place, False)))
        for place, (atom, value) in enumerate(zip(clauses.atoms, values))
    }
    told = {str(clauses.atoms[place]): truth for place, truth in evidence.items()}
    exact = moose.compile_circuit(clauses).wmc(pairs)
    assert is_near(ask_problog(constraint_program(clauses, weights, told, is_clamped=False)), exact)


@pytest.mark.parametrize("encoding", ["paper", "full"])
def test_mnist_agrees(encoding: str) -> None:
    clauses = moose.ground(moose.regime("mnist1"), encoding=encoding)
    circuit = moose.compile_circuit(clauses)
    atoms = visible(clauses)
    weights = {str(atom): Fraction(1 + place, 3 + 2 * place) for place, atom in enumerate(atoms)}
    evidence = {str(atom): True for atom in atoms if atom.predicate in {"Even", "Prime"}}
    assert evidence
    for told in ({}, evidence):
        assert is_near(ask_problog(constraint_program(clauses, weights, told)), circuit.wmc(weights, told))


def test_what_has_no_translation_is_refused() -> None:
    cover = clauses_from_lists([BODY, HEAD], [(1, 2)])
    with pytest.raises(MooseError, match="Horn"):
        rule_program(cover)
    with pytest.raises(MooseError, match="sum to 1"):
        constraint_program(IMPLICATION, {"B(x)": (3, 1)})
