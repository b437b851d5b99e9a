"""Bounds: the exact value is always between them, they meet where rows suffice, and more rows bring them nearer."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations, product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.base.unit_propagation import simplify_clauses
from moose.circuit import limits
from moose.circuit.bounds import beliefs
from moose.circuit.bounds import compile_bounds as compiling_bounds
from moose.circuit.bounds.bounds import Bounds
from moose.circuit.bounds.compile_bounds import compile_bounds
from moose.circuit.bounds.interval import Interval
from moose.circuit.bounds.table_values import Logs
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Limits
from moose.grounding.atoms import Atom, parse_atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from tests.circuit.test_tables import clique, hierarchy, with_families
from tests.circuit.theories import diagram_table, theories, truth_table
from tests.searching import examples

Pair = tuple[Fraction, Fraction]

PARTS = st.sampled_from([Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1), Fraction(3), Fraction(1, 10**9)])


@st.composite
def asked(draw: st.DrawFn, theory: Clauses) -> tuple[dict[Atom, bool], dict[Atom, Pair]]:
    """Draw evidence and weights over the atoms that are no auxiliary ones."""
    atoms = [atom for atom, kind in zip(theory.atoms, theory.kinds) if kind != AtomKind.AUXILIARY]
    if not atoms:
        return {}, {}
    evidence = draw(st.dictionaries(st.sampled_from(atoms), st.booleans(), max_size=3))
    weights = draw(st.dictionaries(st.sampled_from(atoms), st.tuples(PARTS, PARTS)))
    return evidence, weights


@st.composite
def wide(draw: st.DrawFn) -> Clauses:
    """Draw clauses in which everything hangs together."""
    count = draw(st.integers(4, 9))
    literal = st.integers(1, count).flatmap(lambda n: st.sampled_from([n, -n]))
    rows = draw(st.lists(st.sets(literal, min_size=2, max_size=3).map(tuple), min_size=3, max_size=14))
    return clauses_from_lists([Atom(f"C{k}", ("a",)) for k in range(count)], rows)


SMALL = theories(most_atoms=9) | with_families() | wide()
SIZES = st.sampled_from([1, 4, 12, 30, 100])


def bounded(theory: Clauses, size: int, **told: object) -> Bounds:
    try:
        return compile_bounds(theory, limits=Limits(size=size), **told)  # type: ignore[arg-type]
    except MooseError:  # an auxiliary atom would have to be quantified
        assume(False)
        raise


@examples(150)
@given(st.data(), SMALL, SIZES, st.booleans())
def test_the_count_is_between_the_bounds(data: st.DataObject, theory: Clauses, size: int, is_told: bool) -> None:
    evidence, weights = data.draw(asked(theory))
    bounds = bounded(theory, size, **({"evidence": evidence, "weights": weights} if is_told else {}))
    exact = compile_circuit(theory, vtree="tables").wmc(weights, evidence)
    found = bounds.log_wmc(weights, evidence)
    low, high = bounds.lower.wmc(weights, evidence), bounds.upper.wmc(weights, evidence)
    assert low <= exact <= high
    assert (math.log(exact) if exact else -math.inf) in found
    assert found.lower == pytest.approx(math.log(low) if low else -math.inf, abs=1e-11)
    assert found.upper <= (math.log(high) + 1e-11 if high else -math.inf)


@examples(150)
@given(st.data(), SMALL, SIZES, st.booleans())
def test_posteriors_are_between_the_bounds(data: st.DataObject, theory: Clauses, size: int, is_told: bool) -> None:
    evidence, weights = data.draw(asked(theory))
    bounds = bounded(theory, size, **({"evidence": evidence, "weights": weights} if is_told else {}))
    try:
        exact = compile_circuit(theory, vtree="tables").exact_posterior(evidence, weights)
    except MooseError as error:
        with pytest.raises(type(error)):
            bounds.posterior(evidence, weights)
        return
    found = bounds.posterior(evidence, weights)
    assert list(found) == list(exact)
    for atom, probability in exact.items():
        assert found[atom].lower <= probability <= found[atom].upper
    literals = [(theory.positions[atom] + 1) * (1 if truth else -1) for atom, truth in evidence.items()]
    simplified = simplify_clauses([*theory, *((literal,) for literal in literals)])
    assert simplified is not None
    for literal in simplified[0]:
        followed = theory.atoms[abs(literal) - 1]
        if str(followed) in found:
            assert found[followed] == (Interval(1.0, 1.0) if literal > 0 else Interval(0.0, 0.0))


@examples(100)
@given(st.data(), SMALL, SIZES)
def test_evidence_that_is_told_counts_in_every_question(data: st.DataObject, theory: Clauses, size: int) -> None:
    given, _ = data.draw(asked(theory))
    evidence, weights = data.draw(asked(theory))
    bounds = bounded(theory, size, evidence=given)
    if any(evidence.get(atom, truth) != truth for atom, truth in given.items()):
        with pytest.raises(ContradictoryEvidence, match="is given in every instance"):
            bounds.log_wmc(weights, evidence)
        return
    exact = compile_circuit(theory, vtree="tables").wmc(weights, given | evidence)
    assert (math.log(exact) if exact else -math.inf) in bounds.log_wmc(weights, evidence)


def suspicious(people: int) -> Clauses:
    """Return a transitive role among people, all of whom may follow each other, and Bot ⊑ Suspicious."""
    names = [f"p{number}" for number in range(people)]
    atoms = [Atom(concept, (name,)) for concept in ("Bot", "Suspicious") for name in names]
    atoms += [Atom("follows", pair) for pair in product(names, repeat=2)]
    at = {atom: number + 1 for number, atom in enumerate(atoms)}
    rows: list[tuple[int, ...]] = [(-at[Atom("Bot", (one,))], at[Atom("Suspicious", (one,))]) for one in names]
    for one, two, three in product(names, repeat=3):
        first, second, third = (at[Atom("follows", pair)] for pair in ((one, two), (two, three), (one, three)))
        rows.append((-first, -second, third))
    for one, two in permutations(names, 2):
        rows.append((-at[Atom("follows", (one, two))], -at[Atom("Bot", (two,))], at[Atom("Suspicious", (one,))]))
    return clauses_from_lists(atoms, rows)


def test_what_evidence_entails_is_certain_however_wide_the_theory() -> None:
    theory = suspicious(9)
    evidence = ["Suspicious(p0)", "not Suspicious(p1)", "Bot(p2)"]
    untold = compile_bounds(theory, limits=Limits(size=2000))
    told = compile_bounds(theory, evidence=evidence, limits=Limits(size=2000))
    for bounds in (untold, told):
        assert not bounds.is_exact
        found = bounds.posterior(evidence)
        assert found["Suspicious(p2)"] == Interval(1.0, 1.0)
        assert found["Bot(p1)"] == found["follows(p1, p2)"] == Interval(0.0, 0.0)
    assert told.posterior() == told.posterior(evidence)


def test_bounds_told_of_evidence_are_those_of_the_simplified_theory() -> None:
    theory = suspicious(9)
    evidence = [f"not follows(p{one}, p{two})" for one in range(9) for two in range(9) if one != two and two > 2]
    told = compile_bounds(theory, evidence=evidence, limits=Limits(size=20_000))
    assert told.is_exact and told.log_wmc().gap < 1e-9
    exact = compile_circuit(with_units(theory, evidence), vtree="tables").posterior()
    for atom, probability in exact.items():
        assert probability == pytest.approx(told.posterior()[atom].lower, abs=1e-9)


def with_units(theory: Clauses, negated: list[str]) -> Clauses:
    units = [(-theory.positions[parse_atom(one.removeprefix("not "))] - 1,) for one in negated]
    return clauses_from_lists(theory.atoms, [*theory, *units])


def test_contradictory_evidence_that_is_told_is_refused_as_such() -> None:
    bounds = compile_bounds(suspicious(3), evidence=["Bot(p0)", "not Suspicious(p0)"])
    assert bounds.log_wmc() == Interval(-math.inf, -math.inf)
    with pytest.raises(ContradictoryEvidence, match=r"Bot\(p0\), not Suspicious\(p0\) cannot hold together"):
        bounds.posterior()


@examples(100)
@given(theories(most_atoms=9, auxiliary=False) | with_families() | wide(), SIZES)
def test_both_are_circuits_with_fewer_and_with_more_models(theory: Clauses, size: int) -> None:
    bounds = bounded(theory, size)
    below, exact, above = diagram_table(bounds.lower.diagram), truth_table(theory), diagram_table(bounds.upper.diagram)
    assert (below <= exact).all() and (exact <= above).all()


@examples(100)
@given(st.data(), SMALL)
def test_bounds_meet_where_rows_suffice(data: st.DataObject, theory: Clauses) -> None:
    evidence, weights = data.draw(asked(theory))
    bounds = bounded(theory, 100_000)
    exact = compile_circuit(theory, vtree="tables").wmc(weights, evidence)
    assert bounds.log_wmc().gap < 2e-9
    assert bounds.lower.wmc(weights, evidence) == exact == bounds.upper.wmc(weights, evidence)
    assert bounds.is_exact


@examples(60)
@given(wide())
def test_more_rows_bring_bounds_nearer(theory: Clauses) -> None:
    gaps = []
    for size in (1, 10, 30, 100, 1000):
        bounds = bounded(theory, size)
        told = [stage.log_wmc for stage in bounds.stages]
        assert all(one.lower <= two.lower and one.upper >= two.upper for one, two in pairwise(told))
        found, last = bounds.log_wmc(), bounds.stages[-1].log_wmc
        assert found.lower == pytest.approx(last.lower, abs=1e-9) and found.upper == pytest.approx(last.upper, abs=1e-9)
        gaps.append(last.gap)
    assert all(one >= two - 1e-9 for one, two in pairwise(gaps))
    assert gaps[-1] < 1e-9


def test_a_theory_too_wide_for_tables_has_bounds() -> None:
    theory = grid(12)
    bounds = compile_bounds(theory, limits=Limits(size=20_000))
    exact = compile_circuit(theory, vtree="tables")
    assert exact.statistics.size > 40_000 and bounds.stages[-1].rows <= 20_000
    assert exact.log_wmc() in bounds.log_wmc()
    assert 0 < bounds.log_wmc().gap < 12


def test_tables_that_may_not_grow_further_leave_the_bounds_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    theory = grid(12)
    exact = compile_circuit(theory, vtree="tables").log_wmc()
    monkeypatch.setattr(limits, "MOST_ROWS", 600)
    bounds = compile_bounds(theory, limits=Limits())
    assert exact in bounds.log_wmc()
    assert bounds.log_wmc().gap < 20 and not bounds.is_exact


def grid(side: int) -> Clauses:
    """Return Boolean variables in a square, neighbours of which do not both hold."""
    atoms = [Atom("C", (f"i{row}.{column}",)) for row in range(side) for column in range(side)]
    across = [(one, one + 1) for one in range(side * side) if one % side < side - 1]
    down = [(one, one + side) for one in range(side * side - side)]
    return clauses_from_lists(atoms, [(-one - 1, -other - 1) for one, other in across + down])


def test_bounds_are_tightened_for_what_is_told() -> None:
    theory = grid(9)
    weights = {atom: 0.9 if position % 2 else 0.1 for position, atom in enumerate(theory.atoms)}
    plain, told = (
        compile_bounds(theory, weights=given, limits=Limits(size=5_000)).log_wmc(weights=weights)
        for given in (None, weights)
    )
    assert told.gap < plain.gap


def test_contradictory_evidence_is_refused_also_where_only_the_lower_circuit_is_empty() -> None:
    theory = clique(8)  # where two hold, so do all that come later
    bounds = compile_bounds(theory, limits=Limits(size=1))
    assert not bounds.is_exact
    with pytest.raises(ContradictoryEvidence, match="cannot hold"):
        bounds.posterior(["not C(i0)", "not C(i1)", "C(i2)"])
    impossible = compile_bounds(clauses_from_lists([Atom("A", ("a",))], [(1,), (-1,)]))
    assert impossible.log_wmc() == Interval(-math.inf, -math.inf)
    with pytest.raises(ContradictoryEvidence, match="no model at all"):
        impossible.posterior()


def test_what_is_free_or_fixed_is_in_the_bounds() -> None:
    theory = clauses_from_lists([Atom(name, ("a",)) for name in "ABC"], [(1,)])
    found = compile_bounds(theory).posterior(weights={"B(a)": 0.25})
    assert found["A(a)"] == Interval(1.0, 1.0)
    assert 0.25 in found["B(a)"] and found["C(a)"].gap < 1e-9


def test_a_hierarchy_of_one_part_is_exact() -> None:
    theory = hierarchy(200)
    bounds = compile_bounds(theory)
    assert bounds.is_exact and bounds.lower is bounds.upper
    assert bounds.upper.model_count() == compile_circuit(theory, vtree="tables").model_count()


def test_the_same_clauses_make_the_same_bounds() -> None:
    first, second = (compile_bounds(grid(8), limits=Limits(size=3_000)) for _ in range(2))
    for one, two in ((first.lower, second.lower), (first.upper, second.upper)):
        np.testing.assert_array_equal(one.diagram.primes, two.diagram.primes)


def test_it_says_how_far_it_is_and_stops_when_time_is_up() -> None:
    messages: list[tuple[str, float]] = []
    bounds = compile_bounds(
        grid(12), limits=Limits(seconds=1e-9), progress=lambda message, share: messages.append((message, share))
    )
    assert len(bounds.stages) == 1  # coarse ones are always found
    assert any("gap" in message for message, _ in messages)
    assert [share for _, share in messages] == sorted(share for _, share in messages)


@examples(100)
@given(st.data(), SMALL, st.integers(0, 40))
def test_whenever_time_is_up_there_are_bounds(data: st.DataObject, theory: Clauses, calls: int) -> None:
    evidence, weights = data.draw(asked(theory))
    left = iter(range(calls))

    def time(self: compiling_bounds.Watch) -> None:
        if next(left, None) is None:
            raise compiling_bounds.LimitMet

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling_bounds.Watch, "time", time)
        bounds = bounded(theory, 30, evidence=evidence)
    exact = compile_circuit(theory, vtree="tables").wmc(weights, evidence)
    assert (math.log(exact) if exact else -math.inf) in bounds.log_wmc(weights)


@pytest.mark.parametrize("stage", ["order_of", "make_problem", "relax"])
def test_preparing_bounds_takes_no_longer_than_allowed(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is up before a stage begins, and every one of its steps would take long."""
    bounds = compile_bounds
    real = getattr(compiling_bounds, stage)
    steps: list[int] = []

    def late(*values: object, **told: object) -> object:
        def time(self: compiling_bounds.Watch) -> None:
            steps.append(1)
            raise compiling_bounds.LimitMet

        monkeypatch.setattr(compiling_bounds.Watch, "time", time)
        return real(*values, **told)

    monkeypatch.setattr(compiling_bounds, stage, late)
    found = bounds(grid(12))
    assert len(steps) == 1 and found.stages[-1].rows == 0
    assert found.log_wmc().lower == -math.inf and found.log_wmc().upper == pytest.approx(0, abs=1e-9)


def test_bounds_that_are_not_exact_are_told_apart_in_print() -> None:
    assert str(Interval(-4.098261, -4.09826)) == "[-4.098261, -4.09826]"
    assert str(Interval(0.5 - 1e-14, 0.5 + 1e-14)) == "[0.5, 0.5]"


def test_it_can_be_interrupted() -> None:
    def interrupt(message: str, share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_bounds(grid(8), progress=interrupt)


def test_what_is_no_theory_is_refused() -> None:
    with pytest.raises(MooseError, match="expected clauses"):
        compile_bounds("theory")  # type: ignore[arg-type]


def test_circuits_of_bounds_are_decomposable() -> None:
    bounds = compile_bounds(grid(6), limits=Limits(size=500))
    circuits: list[Circuit] = [bounds.lower, bounds.upper]
    assert not bounds.is_exact
    for report in (circuit.check() for circuit in circuits):
        assert report.is_decomposable and report.is_deterministic


def test_beliefs_of_a_large_family_take_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    one_round = beliefs.Beliefs._round

    def counted(self: beliefs.Beliefs, weights: Logs) -> Logs:
        rounds.append(len(self._value))
        return one_round(self, weights)

    monkeypatch.setattr(beliefs.Beliefs, "_round", counted)
    monkeypatch.setattr(beliefs, "STEPS", 20_000)
    members = range(1, 41)
    atoms = [Atom(f"F{one}", ("a",)) for one in members] + [Atom(f"P{bit}", ("a",)) for bit in range(6)]
    rows = [tuple(members), *((-one, -other) for one in members for other in members if one < other)]
    rows += [(-one, (41 + bit) * (1 if one >> bit & 1 else -1)) for one in members for bit in range(6)]
    theory = replace(clauses_from_lists(atoms, rows), families=(tuple(range(40)),))
    bounds = compile_bounds(theory)
    assert bounds.is_exact and bounds.lower.model_count() == 40
    assert max(rounds) <= 20_000 and len(rounds) <= 5 * 20_000 // max(rounds)


@pytest.mark.parametrize("size", [50, 200, 1000])
@pytest.mark.parametrize("seed", [0, 2])
def test_a_theory_with_models_has_a_lower_bound_however_few_rows_are_allowed(size: int, seed: int) -> None:
    draw = Random(seed)
    rows = [(-low, high) for low in range(2, 81) for high in sorted(draw.sample(range(1, low), min(2, low - 1)))]
    theory = clauses_from_lists([Atom(f"K{number}", ("a",)) for number in range(1, 81)], rows)
    found = compile_bounds(theory, limits=Limits(size=size)).log_wmc()
    assert -math.inf < found.lower <= found.upper
