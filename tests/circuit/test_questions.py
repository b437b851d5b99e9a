"""Questions by name: evidence, weights, fixed and given atoms, families, and the sentences for what goes wrong."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import ContradictoryEvidence, MooseError, UnknownName
from moose.circuit.checks.check_diagram import check_diagram
from moose.circuit.circuit import Circuit
from moose.circuit.inference.weights import Weight
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.brute_force import clamped, worlds_of
from tests.circuit.plain_compiler import circuit_of, sdd_diagram
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.searching import examples

ONE, TWO, EVEN = (Atom(name, ("a",)) for name in ("One", "Two", "Even"))
SUCC = Atom("succ", ("a", "b"))


def digit(**changes: object) -> Circuit:
    """Return One or Two, not both, Two is even; succ(a,b) is fixed."""
    clauses = clauses_from_lists([ONE, TWO, EVEN], [(1, 2), (-1, -2), (-2, 3), (-1, -3)])
    clauses = replace(clauses, fixed={SUCC: True}, families=((0, 1),))
    return circuit_of(replace(clauses, **changes))  # type: ignore[arg-type]


def test_posteriors_by_text_and_by_atom() -> None:
    posterior = digit().posterior({"Even(a)": True})
    assert posterior["Two(a)"] == 1.0 and posterior[ONE] == 0.0 and posterior["Even( a )"] == 1.0
    assert posterior["succ(a, b)"] == 1.0 and list(posterior) == ["One(a)", "Two(a)", "Even(a)", "succ(a,b)"]
    assert dict(digit().exact_posterior(weights={"Two(a)": Fraction(1, 3)}))["Two(a)"] == Fraction(1, 3)
    assert repr(digit()) == "Circuit(atoms=3, size=6, nodes=5)"


def test_counts_by_name() -> None:
    circuit = digit()
    assert circuit.wmc() == Fraction(1, 4) and circuit.wmc(evidence=["Two(a)"]) == Fraction(1, 4)
    weights: dict[str | Atom, float | tuple[float, float]] = {"One(a)": (3, 5), EVEN: 0.25}
    assert circuit.wmc(weights) == Fraction(3, 2) * Fraction(3, 4) + Fraction(5, 2) * Fraction(1, 4)
    assert circuit.log_wmc() == pytest.approx(math.log(0.25))
    assert circuit.model_count() == 2 and circuit.model_count(["not One(a)", "succ(a,b)"]) == 1
    assert circuit.log_wmc(evidence=["One(a)", "Two(a)"]) == -math.inf
    assert circuit.model_count(["One(a)", "Two(a)"]) == 0 and list(circuit.models(evidence=["One(a)", "Two(a)"])) == []


def test_worlds_hold_the_fixed_atoms_too() -> None:
    circuit = digit()
    world = circuit.most_probable(weights={"Two(a)": 0.9})
    assert dict(world.assignment) == {"One(a)": False, "Two(a)": True, "Even(a)": True, "succ(a,b)": True}
    assert world.probability == pytest.approx(0.9) and world.assignment[TWO]
    assert [model["One(a)"] for model in circuit.models()] == [True, False]
    assert len(list(circuit.models(limit=1))) == 1 and len(list(circuit.models(limit=0))) == 0
    samples = circuit.sample(50, seed=3, evidence=["Even(a)"])
    assert samples.dtype == np.bool_ and np.array_equal(samples, np.tile([False, True, True], (50, 1)))


def test_entailment_by_name() -> None:
    circuit = digit()
    assert circuit.entails("Two(a)", ["Even(a)"]) and circuit.entails("not One(a)", ["Even(a)"])
    assert not circuit.entails("Two(a)") and not circuit.entails("not Two(a)") and circuit.entails(SUCC)
    assert not circuit.entails("not succ(a,b)")
    assert dict(circuit.entailed(["Even(a)"])) == {"One(a)": False, "Two(a)": True, "Even(a)": True, "succ(a,b)": True}
    assert dict(circuit.entailed()) == {"succ(a,b)": True}
    assert circuit.family_argmax(["Even(a)"]) == (TWO,) and circuit.family_argmax() == (ONE,)


def test_given_literals_hold_in_every_question() -> None:
    circuit = digit(given=(-1,))
    assert circuit.model_count() == 1 and circuit.entails("Even(a)") and circuit.posterior()["Two(a)"] == 1.0
    assert circuit.wmc() == Fraction(1, 4)


def test_pairs_that_a_closed_role_leaves_out_are_known_to_be_false() -> None:
    circuit = digit(closed_roles=frozenset({"succ"}))
    back = Atom("succ", ("b", "a"))
    assert circuit.entails("not succ(b,a)") and not circuit.entails(back) and circuit.entails("not succ( a, a )")
    assert circuit.posterior()["succ(b, a)"] == circuit.posterior()[back] == 0.0
    assert circuit.exact_posterior()[back] == Fraction(0) and circuit.most_probable().assignment[back] is False
    assert circuit.entailed()["succ(b,a)"] is False and next(circuit.models())[back] is False
    assert circuit.wmc({"succ(b,a)": 0.3}) == circuit.wmc() and "succ(b,a)" in circuit.posterior()
    assert list(circuit.entailed()) == ["succ(a,b)"] and len(circuit.posterior()) == 4
    assert pickle.loads(pickle.dumps(circuit.posterior()))[back] == 0.0
    for unknown in ("succ(b,c)", "succ(b)"):
        assert unknown not in circuit.posterior()
        with pytest.raises(UnknownName):
            circuit.entails(unknown)
        with pytest.raises(UnknownName):
            circuit.wmc({unknown: 0.3})


def test_one_atom_has_one_weight() -> None:
    same: dict[str | Atom, Weight] = {"Two(a)": 0.5, "Two( a )": (0.5, 0.5), TWO: Fraction(1, 2)}
    assert digit().wmc(same) == Fraction(1, 4)
    with pytest.raises(MooseError, match=r"the weights say both 0\.5 and 0\.25 of Two\(a\); keep one"):
        digit().wmc({"Two(a)": 0.5, "Two( a )": 0.25})


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda c: c.posterior({"Evn(a)": True}), "did you mean Even"),
        (lambda c: c.posterior(weights={"Evn(a)": 0.5}), "did you mean Even"),
        (lambda c: c.entails("Even(z)"), "no individual 'z'"),
        (lambda c: c.entails("Even(a), Two(a)"), "expected one literal"),
        (lambda c: c.wmc({"Two(a)": 1.5}), r"probability of Two\(a\) must lie between 0 and 1, but is 1.5"),
        (lambda c: c.wmc({"Two(a)": -1}), "must not be negative"),
        (lambda c: c.wmc({"Two(a)": float("nan")}), "expected a number"),
        (lambda c: c.wmc({"Two(a)": "often"}), "expected a number"),
        (lambda c: c.wmc({"Two(a)": (1, 2, 3)}), "expected a pair"),
        (lambda c: c.posterior({"succ(a,b)": False}), "known to be true"),
        (lambda c: c.posterior(weights={"Two(a)": (0, 0)}), r"both Two\(a\) and not Two\(a\) weigh 0"),
        (lambda c: c.sample(-1, seed=0), "expected a number of samples"),
        (lambda c: list(c.models(limit=-1)), "expected a number of models"),
        (lambda c: c.posterior(3), "expected evidence such as .*, but got 3"),
        (lambda c: c.posterior({3: True}), "expected an atom such as .*, but got 3"),
        (lambda c: c.wmc(3), "expected weights such as .*, but got 3"),
        (lambda c: c.wmc(["Two(a)"]), "expected weights such as"),
        (lambda c: c.wmc({3: 0.5}), "expected an atom such as .*, but got 3"),
        (lambda c: c.entails(3), "expected literals such as .*, but got 3"),
        (lambda c: c.sample(1.5, seed=0), "expected a number of samples, .* but got 1.5"),
        (lambda c: c.sample(2, seed=-1), "expected a seed, .* but got -1"),
        (lambda c: c.sample(2, seed=None), "expected a seed, .* but got None"),
        (lambda c: c.models(1.5), "expected a number of models, .* but got 1.5"),
        (lambda c: c.check(seed=-1), "expected a seed, .* but got -1"),
    ],
)
def test_what_goes_wrong_is_said(ask: Callable[[Circuit], object], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        ask(digit())


def test_an_answer_without_an_atom_is_a_key_error_in_words() -> None:
    posterior = digit().posterior()
    with pytest.raises(UnknownName, match=r"expected an atom among One\(a\), Two\(a\).*, but got Even\(b\)"):
        posterior["Even(b)"]
    assert posterior.get("Even(b)") is None and "Even(b)" not in posterior and EVEN in posterior  # type: ignore[comparison-overlap]
    assert "junk" not in posterior and posterior.get("junk", 0.5) == 0.5 and 3 not in posterior  # type: ignore[comparison-overlap]
    with pytest.raises(UnknownName, match=r"expected an atom such as .*, but got 'junk'"):
        posterior["junk"]
    with pytest.raises(KeyError, match=r"expected an atom such as .*, but got 3"):
        posterior[3]  # type: ignore[index]


def test_weights_of_zero_clash_like_evidence() -> None:
    with pytest.raises(ContradictoryEvidence, match="with the literals that weigh 0 excluded") as caught:
        digit().posterior({"Even(a)": True}, {"Two(a)": 0})
    assert caught.value.literals == ("not Two(a)", "Even(a)")


def test_a_weight_of_what_is_fixed_makes_no_difference() -> None:
    assert digit().wmc({"succ(a,b)": 0.25}) == Fraction(1, 4)


@given(clause_sets(most=8, auxiliary=True, given=True), st.data())
@examples(80)
def test_names_positions_and_given_literals_are_carried_over(clauses: Clauses, data: st.DataObject) -> None:
    circuit, worlds = circuit_of(clauses, sdd_diagram(clauses)), worlds_of(clauses)
    size = len(worlds.atoms)
    pairs, evidence = data.draw(weight_pairs(size)), data.draw(evidence_on(size, most=2))
    given_atoms = {worlds.atoms.index(clauses.atoms[abs(k) - 1]): k > 0 for k in clauses.given}
    evidence = {k: truth for k, truth in evidence.items() if k not in given_atoms}
    known = {**evidence, **given_atoms}
    by_name = {worlds.atoms[k]: truth for k, truth in evidence.items()}
    weights = {str(atom): pair for atom, pair in zip(worlds.atoms, pairs)}
    expected = worlds.given(known).wmc(clamped(pairs, known))
    assert circuit.wmc(weights, by_name) == expected
    if expected:
        found = circuit.exact_posterior(by_name, weights)
        assert list(found.values()) == worlds.given(known).posteriors(clamped(pairs, known))
    else:
        with pytest.raises(MooseError):
            circuit.posterior(by_name, weights)


@pytest.mark.parametrize("truth", [True, False])
def test_a_theory_whose_atoms_are_all_fixed(truth: bool) -> None:
    clauses = replace(clauses_from_lists([], [] if truth else [()]), fixed={SUCC: False})
    circuit = circuit_of(clauses)
    assert circuit.wmc() == circuit.model_count() == int(truth)
    assert check_diagram(circuit.diagram).is_smooth and (">⊤<" if truth else ">⊥<") in circuit.svg()
    if truth:
        assert dict(circuit.posterior()) == {"succ(a,b)": 0.0} and dict(circuit.entailed()) == {"succ(a,b)": False}
        assert circuit.most_probable().probability == 1.0 and len(list(circuit.models())) == 1
        assert circuit.sample(3, seed=0).shape == (3, 0)
    else:
        with pytest.raises(ContradictoryEvidence, match="no model at all, because of ⊥"):
            circuit.posterior()


def test_weights_as_text_are_exact() -> None:
    circuit = moose.compile_circuit(moose.ground(moose.regime("mnist1")))
    assert circuit.exact_posterior(weights={"D3(a)": ("1/3", "1")})["D3(a)"] == Fraction(1, 28)
    for wrong in ("a third", "1/0", "1e999", "-1"):
        with pytest.raises(MooseError, match="expected a number"):
            circuit.posterior(weights={"D3(a)": wrong})


def test_what_was_not_grounded_cannot_be_compiled() -> None:
    with pytest.raises(MooseError, match=r"moose\.ground"):
        moose.compile_circuit(moose.regime("mnist1"))  # type: ignore[arg-type]
