"""The likelihood of observations is what adding up all worlds gives, however findings are nested or shared."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import LimitReached
from moose.ranking.exact import likelihood
from moose.ranking.exact.elimination import plan, run_program
from moose.ranking.exact.evidence import Evidence
from moose.ranking.exact.likelihood import likelihoods
from moose.ranking.findings import hierarchy
from moose.ranking.hypotheses import Coin, make_hypotheses
from moose.ranking.noise import Noise
from tests.ranking.brute_force import ONE, Family, closure, families, observations


def evidence_of(family: Family, seen: list[tuple[int, bool]]) -> Evidence:
    return Evidence(
        tuple(finding for finding, _ in seen),
        np.array([float(family.answer(False, said)) for _, said in seen]),
        np.array([float(family.answer(True, said)) for _, said in seen]),
    )


def exact(family: Family, number: int, seen: list[tuple[int, bool]]) -> Fraction:
    """Run one program for all observations, in fractions."""
    coins = [(finding, value) for owner, finding, value in family.coins if owner == number] + list(
        enumerate(family.leak)
    )
    place = {finding: position for position, (finding, _) in enumerate(seen)}
    above = [
        sum(1 << place[one] for one in family.above[finding] if one in place and one != finding) for finding, _ in seen
    ]
    off: dict[int, Fraction] = {}
    for finding, value in coins:
        group = sum(1 << place[one] for one in family.above[finding] if one in place)
        if group:
            off[group] = off.get(group, ONE) * (1 - value)
    program = plan(list(off), above)
    if_on = [family.answer(True, said) for _, said in seen]
    if_off = [family.answer(False, said) for _, said in seen]
    return run_program(program, list(off.values()), if_on, if_off, ONE)


@given(st.data())
def test_the_program_is_exact_in_fractions(data: st.DataObject) -> None:
    family = data.draw(families())
    seen = data.draw(observations(family, most=6))
    for number in range(len(family.priors)):
        assert exact(family, number, seen) == family.likelihood(number, seen)


@given(st.data(), st.booleans())
def test_likelihoods_are_those_of_all_worlds(data: st.DataObject, with_noise: bool) -> None:
    family = data.draw(families(with_noise=with_noise))
    seen = data.draw(observations(family))
    found = likelihoods(family.hypotheses(), evidence_of(family, seen)).total
    expected = [float(family.likelihood(number, seen)) for number in range(len(family.priors))]
    assert np.exp(found) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_the_compiled_kernel_agrees_with_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    for _ in range(3):
        parents = [
            rng.choice(number, size=min(number, 2), replace=False).tolist() if number else [] for number in range(30)
        ]
        findings = hierarchy([f"F{number}" for number in range(30)], [sorted(row) for row in closure(parents)])
        coins = [Coin(int(rng.integers(5)), int(rng.integers(30)), float(rng.random())) for _ in range(30)]
        model = make_hypotheses(findings, list("abcde"), coins, leak=rng.random(30) / 10)
        evidence = Evidence(tuple(rng.permutation(30)[:8].tolist()), rng.random(8), rng.random(8))
        monkeypatch.setattr(likelihood, "LITTLE_WORK", 10**12)
        plain = likelihoods(model, evidence).by_component
        monkeypatch.setattr(likelihood, "LITTLE_WORK", -1)
        assert likelihoods(model, evidence).by_component == pytest.approx(plain, rel=1e-12)


def test_nested_findings_are_counted_once() -> None:
    findings = hierarchy(["Finding", "Fever", "HighFever"], [[0], [0, 1], [0, 1, 2]])
    model = make_hypotheses(findings, ["flu"], [Coin(0, 2, 0.4)], noise=Noise(0.0, 0.0))
    sure = Evidence((0, 1, 2), np.zeros(3), np.ones(3))
    assert np.exp(likelihoods(model, sure).total[0]) == pytest.approx(0.4)


def test_a_long_chain_of_nested_findings_stays_narrow() -> None:
    names = [f"F{number}" for number in range(60)]
    findings = hierarchy(names, [list(range(number + 1)) for number in range(60)])
    model = make_hypotheses(findings, ["only"], [Coin(0, number, 0.1) for number in range(60)])
    found = likelihoods(model, Evidence(tuple(range(60)), np.full(60, 0.1), np.full(60, 0.9)))
    assert found.widths == (2,)


def test_hundreds_of_observations_do_not_vanish() -> None:
    names = [f"F{number}" for number in range(301)]
    findings = hierarchy(names, [[0], *([0, number] for number in range(1, 301))])
    model = make_hypotheses(findings, ["only"], [Coin(0, number, 0.5) for number in range(1, 301)])
    found = likelihoods(model, Evidence(tuple(range(301)), np.full(301, 0.01), np.full(301, 0.02))).total[0]
    assert found == pytest.approx(300 * np.log(0.015) + np.log(0.02), rel=1e-6)


def test_what_hangs_together_too_widely_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood, "WIDEST", 2)
    findings = hierarchy(["a", "b", "c", "abc"], [[0], [1], [2], [0, 1, 2, 3]])
    model = make_hypotheses(findings, ["only"], [Coin(0, 3, 0.5), Coin(0, 0, 0.5), Coin(0, 1, 0.5), Coin(0, 2, 0.5)])
    with pytest.raises(LimitReached, match="at most 2 hang together at a time, but 3 do; leave out"):
        likelihoods(model, Evidence((0, 1, 2), np.full(3, 0.1), np.full(3, 0.9)))


@given(st.data())
def test_other_coins_for_a_hypothesis_are_as_if_it_had_them(data: st.DataObject) -> None:
    family = data.draw(families())
    seen = data.draw(observations(family))
    other = data.draw(families())
    size = len(family.above)
    coins = tuple((0, finding % size, value) for _, finding, value in other.coins)
    rest = tuple(coin for coin in family.coins if coin[0] != 0)
    changed = Family(family.above, (*coins, *rest), family.leak, family.priors, family.missed, family.reported)
    replaced = {0: [Coin(0, finding, float(value)) for _, finding, value in coins]}
    evidence = evidence_of(family, seen)
    found = likelihoods(family.hypotheses(), evidence, replaced=replaced).total
    assert found == pytest.approx(likelihoods(changed.hypotheses(), evidence).total, rel=1e-9)


@given(st.data())
def test_further_coins_are_coins_at_the_observed_findings(data: st.DataObject) -> None:
    family = data.draw(families())
    seen = data.draw(observations(family))
    shares = [[data.draw(st.integers(0, 6)) / 7 for _ in seen] for _ in family.priors]
    further = np.log1p(-np.array(shares)).reshape(len(family.priors), len(seen))
    model = family.hypotheses()
    more = [
        Coin(number, finding, share)
        for number, row in enumerate(shares)
        for (finding, _), share in zip(seen, row, strict=True)
    ]
    evidence = evidence_of(family, seen)
    expected = likelihoods(replace(model, coins=(*model.coins, *more)), evidence).total
    found = likelihoods(model, replace(evidence, further=further)).total
    assert found == pytest.approx(expected, rel=1e-9)
