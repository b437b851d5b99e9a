"""Posterior, reasons, comparison and information gain are what adding up all worlds gives."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from moose.base.errors import ContradictoryEvidence, MooseError, UnknownName
from moose.ranking.cases import Case, Observation, case_of
from moose.ranking.findings import hierarchy
from moose.ranking.hypotheses import Coin, Hypotheses, make_hypotheses
from moose.ranking.noise import Noise
from moose.ranking.rank import rank, rankings
from tests.ranking.brute_force import Family, families, observations


def case_from(seen: list[tuple[int, bool]]) -> Case:
    return Case("one", tuple(Observation(f"F{finding}", said) for finding, said in seen))


SOME_NOISE = Noise(0.1, 0.05)


def flu(noise: Noise = SOME_NOISE) -> Hypotheses:
    findings = hierarchy(["Finding", "Fever", "HighFever", "Rash"], [[0], [0, 1], [0, 1, 2], [0, 3]])
    coins = [Coin(0, 2, 0.5, "row 1"), Coin(0, 1, 0.6, "row 2"), Coin(1, 3, 0.9, "row 3")]
    return make_hypotheses(findings, ["Flu", "Measles"], coins, noise=noise)


@given(st.data())
def test_the_posterior_is_that_of_all_worlds(data: st.DataObject) -> None:
    family = data.draw(families())
    seen = data.draw(observations(family))
    found = rank(family.hypotheses(), case_from(seen))
    assert found.probabilities == pytest.approx([float(value) for value in family.posterior(seen)], rel=1e-9)


@given(st.data())
def test_the_information_gain_is_that_of_all_worlds(data: st.DataObject) -> None:
    family = data.draw(families())
    seen = data.draw(observations(family, most=3))
    asked = data.draw(st.sampled_from(range(len(family.above))))
    assume(asked not in [finding for finding, _ in seen])
    (question,) = rank(family.hypotheses(), case_from(seen)).questions(candidates=[f"F{asked}"])
    assert question.gain == pytest.approx(family.gain(seen, asked), abs=1e-9)
    yes = sum(
        prior * family.likelihood(number, [*seen, (asked, True)]) for number, prior in enumerate(family.priors)
    ) / sum(prior * family.likelihood(number, seen) for number, prior in enumerate(family.priors))
    assert question.probability == pytest.approx(float(yes), rel=1e-9)


@given(st.data())
def test_bits_of_observations_are_those_of_all_worlds(data: st.DataObject) -> None:
    family = data.draw(families())
    seen = data.draw(observations(family, most=4))
    number = data.draw(st.sampled_from(range(len(family.priors))))
    reasons = rank(family.hypotheses(), case_from(seen)).reasons(f"H{number}")
    found = {one.observations[0].finding: one.bits for one in reasons.observations}
    for position, (finding, _) in enumerate(seen):
        rest = [*seen[:position], *seen[position + 1 :]]
        own = family.likelihood(number, seen) / family.likelihood(number, rest)
        mixed = evidence(family, seen) / evidence(family, rest)
        assert found[f"F{finding}"] == pytest.approx(log2(own / mixed), abs=1e-8)


def evidence(family: Family, seen: list[tuple[int, bool]]) -> Fraction:
    return sum((prior * family.likelihood(number, seen) for number, prior in enumerate(family.priors)), Fraction(0))


@given(st.data())
def test_bits_of_axioms_are_those_of_leaving_them_out(data: st.DataObject) -> None:
    family = data.draw(families())
    assume(family.coins)
    seen = data.draw(observations(family, most=4))
    left_out = data.draw(st.sampled_from(range(len(family.coins))))
    owner, finding, value = family.coins[left_out]
    assume(family.coins.count((owner, finding, value)) == 1)
    reasons = rank(family.hypotheses(), case_from(seen)).reasons(f"H{owner}")
    coins = (*family.coins[:left_out], *family.coins[left_out + 1 :])
    rest = Family(family.above, coins, family.leak, family.priors, family.missed, family.reported)
    bits = log2(family.likelihood(owner, seen) / rest.likelihood(owner, seen))
    key = (finding, float(value))
    found = {(one.coin.finding, one.coin.frequency): one.bits for one in reasons.axioms}
    assert found.get(key, 0.0) == pytest.approx(bits, abs=1e-8)


@given(st.data())
def test_the_bits_of_a_comparison_add_up_to_the_odds(data: st.DataObject) -> None:
    family = data.draw(families())
    assume(len(family.priors) > 1)
    seen = data.draw(observations(family))
    posterior = family.posterior(seen)
    found = rank(family.hypotheses(), case_from(seen)).compare("H0", "H1")
    assert found.bits == pytest.approx(log2(posterior[0] / posterior[1]), abs=1e-8)


def test_a_sensitivity_is_the_derivative() -> None:
    case = case_of("anna", present=["Fever"], absent=["Rash"])
    step = 1e-6
    (one, *_) = [each for each in rank(flu(), case).reasons("Flu").axioms if each.coin.source == "row 1"]
    model = flu()
    coins = (Coin(0, 2, 0.5 + step), *model.coins[1:])
    nudged = make_hypotheses(model.findings, model.names, coins, noise=model.noise)
    before, after = (rank(each, case).posterior.likelihoods.total[0] for each in (model, nudged))
    assert one.sensitivity == pytest.approx((after - before) / step, rel=1e-4)


def test_a_finding_reported_twice_is_one_observation() -> None:
    once, twice = (rank(flu(), case_of("a", present=["Fever"] * times)).probabilities for times in (1, 2))
    assert once.tolist() == twice.tolist()


def test_noise_of_one_observation_counts_instead_of_the_general_one() -> None:
    sure = Case("a", (Observation("Rash", True, Noise(0.0, 0.0)),))
    assert rank(flu(), sure).probability_of("Flu") == 0.0


def test_contradictory_observations_are_weighed_by_their_noise() -> None:
    both = rank(flu(), case_of("a", present=["Rash"], absent=["Rash"]))
    rash = 0.9 * 0.9 * 0.1 + 0.1 * 0.05 * 0.95
    no_rash = 0.05 * 0.95
    assert both.probability_of("Measles") == pytest.approx(rash / (rash + no_rash))
    assert both.reasons("Measles").observations[0].observations == (Observation("Rash"), Observation("Rash", False))


def test_without_noise_contradictory_observations_are_refused() -> None:
    sure = flu(Noise(0.0, 0.0))
    with pytest.raises(ContradictoryEvidence, match="none can produce Rash and not Rash; allow for noise") as caught:
        rank(sure, case_of("a", present=["Rash"], absent=["Rash"]))
    assert caught.value.literals == ("Rash", "not Rash")
    with pytest.raises(ContradictoryEvidence, match=r"case a: .* none can produce all of them"):
        rank(sure, case_of("a", present=["HighFever"], absent=["Finding"]))


def test_unknown_findings_get_one_sentence_with_suggestions() -> None:
    with pytest.raises(
        UnknownName, match=r"case anna: expected a finding, but got 'Fevr'; did you mean Fever or HighFever\?"
    ):
        rank(flu(), case_of("anna", present=["Fevr"]))
    found = rank(flu(), case_of("anna", present=["Fevr", "Rash"]), skip_unknown=True)
    assert found.left_out == ("Fevr",)
    assert found.top(1)[0].name == "Measles"
    with pytest.raises(UnknownName, match="expected a hypothesis, but got 'Flue'; did you mean Flu"):
        found.probability_of("Flue")


def test_costs_change_what_is_asked_first() -> None:
    ranking = rank(flu(), case_of("anna"))
    assert ranking.questions(1)[0].finding == "Rash"
    cheap = ranking.questions(1, costs={"Rash": 100.0})[0]
    assert cheap.finding != "Rash" and cheap.cost == 1.0
    with pytest.raises(MooseError, match="expected a cost above 0, but Rash has 0"):
        ranking.questions(costs={"Rash": 0.0})


def test_those_equally_likely_all_count_as_before() -> None:
    ranking = rank(flu(), case_of("nobody"))
    assert ranking.rank_of("Flu") == ranking.rank_of("Measles") == 2
    assert [one.name for one in ranking.top()] == ["Flu", "Measles"]


def test_several_cases_are_ranked_in_order_and_can_be_stopped() -> None:
    cases = [case_of("a", present=["Fever"]), case_of("b", present=["Rash"])]
    counted: list[int] = []
    found = rank(flu(), cases, progress=counted.append)
    assert [one.top(1)[0].name for one in found] == ["Flu", "Measles"]
    assert counted == [1, 2]
    assert next(rankings(flu(), cases)).case.name == "a"
    with pytest.raises(MooseError, match="'a' stands for 2 of them"):
        rank(flu(), [cases[0], cases[0]])


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(MooseError, match=r"expected a frequency from 0 to 1, but got 2\.0 "):
        Coin(0, 0, 2.0)
    with pytest.raises(MooseError, match="missed: expected a probability"):
        Noise(1.0, 0.0)
    findings = hierarchy(["F"], [[0]])
    with pytest.raises(MooseError, match="expected a prior for each hypothesis, but b has none"):
        make_hypotheses(findings, ["a", "b"], [], priors={"a": 1.0})
    with pytest.raises(UnknownName, match="expected priors of hypotheses, but got 'c'"):
        make_hypotheses(findings, ["a"], [], priors={"a": 1.0, "c": 1.0})
    with pytest.raises(MooseError, match="not all 0"):
        make_hypotheses(findings, ["a"], [], priors={"a": 0.0})
    with pytest.raises(MooseError, match="at least one hypothesis"):
        make_hypotheses(findings, [], [])
    with pytest.raises(MooseError, match="leaks from 0 to 1"):
        make_hypotheses(findings, ["a"], [], leak=np.array([inf]))
