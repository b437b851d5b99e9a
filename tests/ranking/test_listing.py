"""A listing: posterior and information gain are what adding up all worlds gives, and learning follows the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from itertools import product
from math import exp, isfinite, log, log2, prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.ranking.cases import Case, Observation, case_of
from moose.ranking.findings import hierarchy
from moose.ranking.hypotheses import Coin, Hypotheses, make_hypotheses
from moose.ranking.listing.examples import example_of, loss_and_gradient
from moose.ranking.listing.learn_listing import (
    Judged,
    ListingOptions,
    bounded,
    certainty,
    certainty_gradient,
    confidence,
    held_out_loss,
    learn_listing,
    learn_sharpness,
    sharpened,
    unbounded,
)
from moose.ranking.noise import SHARES, Listing, Noise
from moose.ranking.posterior import posterior_of
from moose.ranking.rank import rank
from tests.ranking.brute_force import Family, families, observations

Seen = Sequence[tuple[int, bool]]


@st.composite
def listings(draw: st.DrawFn) -> Listing:
    share, above = st.floats(0.05, 0.95), st.floats(0.1, 3.0)
    return Listing(**{one.name: draw(share if one.name in SHARES else above) for one in fields(Listing)})


class Oracle:
    """The model in plain Python: every number from its definition, every probability from all worlds."""

    def __init__(self, family: Family, listing: Listing) -> None:
        self.family, self.listing = family, listing
        self.own = [
            [(finding, float(value)) for owner, finding, value in family.coins if owner == number]
            for number in range(len(family.priors))
        ]
        having = [
            sum(any(finding in family.above[at] for at, _ in coins) for coins in self.own)
            for finding in range(len(family.above))
        ]
        self.share = [max(count, 0.5) / len(family.priors) for count in having]

    def crowd(self, number: int, power: float) -> float:
        return float((1 + len(self.own[number]) / self.listing.few) ** -power)

    def relation(self, number: int, finding: int) -> tuple[bool, float, float]:
        above, share = self.family.above, self.share
        below = [value for at, value in self.own[number] if finding in above[at]]
        general = [
            value * min(1.0, share[finding] / share[at])
            for at, value in self.own[number]
            if at in above[finding] and finding not in above[at]
        ]
        beside = [at for at, _ in self.own[number] if finding not in above[at] and at not in above[finding]]
        least = min((share[one] for at in beside for one in above[at] & above[finding]), default=1.0)
        return any(value > 0 for value in below), max(general, default=0.0), min(1.0, share[finding] / min(1.0, least))

    def coins(self, number: int, findings: Sequence[int]) -> list[tuple[int, float]]:
        listing, crowd = self.listing, self.crowd(number, self.listing.many_power)
        found = [(at, value * listing.direct * crowd) for at, value in self.own[number]]
        found += [(at, float(value) * listing.direct) for at, value in enumerate(self.family.leak) if value]
        for finding in findings:
            _, general, near = self.relation(number, finding)
            found.append((finding, listing.general * crowd * general))
            found.append((finding, listing.related * crowd * near**listing.nearness))
        return found

    def chance(self, finding: int) -> tuple[float, float]:
        listing, share = self.listing, self.share[finding]
        excluded = listing.looked_for_chance * share**listing.looked_for_chance_power
        return listing.chance * share**listing.chance_power, excluded

    def looked_for(self, number: int, finding: int) -> float:
        """Against by chance."""
        listing = self.listing
        has, general, near = self.relation(number, finding)
        by_hypothesis = listing.looked_for * has + listing.looked_for_general * general
        by_hypothesis += listing.looked_for_related * near**listing.nearness
        return float(1 + self.crowd(number, listing.looked_for_many_power) * by_hypothesis / self.chance(finding)[1])

    def likelihood(self, number: int, seen: Seen, *, also: Sequence[int] = ()) -> float:
        coins = self.coins(number, [*(finding for finding, _ in seen), *also])
        total = 0.0
        for world in product((False, True), repeat=len(coins)):
            weight = prod(value if on else 1 - value for on, (_, value) in zip(world, coins, strict=True))
            if weight:
                there = frozenset[int]().union(
                    *(self.family.above[at] for on, (at, _) in zip(world, coins, strict=True) if on)
                )
                total += weight * prod(self.answer(finding in there, finding, said) for finding, said in seen)
        return total * prod(self.looked_for(number, finding) for finding, said in seen if not said)

    def answer(self, is_there: bool, finding: int, said: bool) -> float:
        if said:
            return 1.0 if is_there else self.chance(finding)[0]
        return 1 - self.listing.excludes if is_there else 1.0

    def posterior(self, seen: Seen) -> list[float]:
        divisor = self.listing.temperature * max(1, len(seen)) ** self.listing.redundancy
        priors = [float(one) for one in self.family.priors]
        joint = [
            prior * (1 - self.listing.unexplained) * self.likelihood(number, seen) ** (1 / divisor)
            for number, prior in enumerate(priors)
        ]
        average = prod(
            sum(prior * self.likelihood(number, [one]) for number, prior in enumerate(priors)) for one in seen
        )
        joint.append(self.listing.unexplained * average ** (1 / divisor))
        return [one / sum(joint) for one in joint]


def case_from(seen: Seen) -> Case:
    return Case("one", tuple(Observation(f"F{finding}", said) for finding, said in seen))


small = families().filter(lambda one: len(one.coins) <= 3 and sum(value > 0 for value in one.leak) <= 1)


@settings(max_examples=40)
@given(st.data())
def test_the_posterior_is_that_of_all_worlds(data: st.DataObject) -> None:
    family, listing = data.draw(small), data.draw(listings())
    seen = data.draw(observations(family, most=3))
    found = rank(family.hypotheses().with_noise(listing), case_from(seen))
    expected = Oracle(family, listing).posterior(seen)
    assert [*found.probabilities, found.none] == pytest.approx(expected, rel=1e-5)


@settings(max_examples=30)
@given(st.data())
def test_the_gain_of_a_question_is_that_of_all_worlds(data: st.DataObject) -> None:
    family, listing = data.draw(small), data.draw(listings())
    seen = data.draw(observations(family, most=2))
    asked = data.draw(st.sampled_from(range(len(family.above))))
    assume(asked not in [finding for finding, _ in seen])
    oracle = Oracle(family, listing)
    *belief, none = oracle.posterior(seen)
    before = [oracle.likelihood(number, seen, also=[asked]) for number in range(len(belief))]
    yes = [oracle.likelihood(one, [*seen, (asked, True)]) / before[one] for one in range(len(belief))]
    no = [
        oracle.chance(asked)[1] * oracle.likelihood(one, [*seen, (asked, False)]) / before[one]
        for one in range(len(belief))
    ]
    no = [min(one, 1 - other) for one, other in zip(no, yes, strict=True)]
    gain, chances = 0.0, []
    for answer in (yes, no):
        chance = sum(share * one for share, one in zip(belief, answer, strict=True)) / (1 - none)
        gain += sum(share * one * log2(one / chance) for share, one in zip(belief, answer, strict=True) if one > 0)
        chances.append(chance)
    model = family.hypotheses().with_noise(listing)
    (question,) = rank(model, case_from(seen)).questions(candidates=[f"F{asked}"])
    assert question.gain == pytest.approx(gain, abs=1e-5)
    assert question.probability == pytest.approx(chances[0] / sum(chances), rel=1e-4)


@settings(max_examples=20)
@given(st.data())
def test_bits_are_differences_of_posteriors(data: st.DataObject) -> None:
    family, listing = data.draw(small), data.draw(listings())
    seen = data.draw(observations(family, most=3))
    assume(seen)
    model = family.hypotheses().with_noise(listing)
    whole = rank(model, case_from(seen))
    found = {one.observations[0].finding: one.bits for one in whole.reasons("H0").observations}
    for position, (finding, _) in enumerate(seen):
        rest = rank(model, case_from([*seen[:position], *seen[position + 1 :]]))
        bits = log2(whole.probability_of("H0") / rest.probability_of("H0"))
        assert found[f"F{finding}"] == pytest.approx(bits, abs=1e-6)
    if len(family.priors) > 1:
        odds = whole.probability_of("H0") / whole.probability_of("H1")
        assert whole.compare("H0", "H1").bits == pytest.approx(log2(odds), abs=1e-6)


@settings(max_examples=25)
@given(st.data())
def test_bits_of_axioms_are_those_of_leaving_them_out(data: st.DataObject) -> None:
    family, listing = data.draw(small), data.draw(listings())
    seen = data.draw(observations(family, most=3))
    model = family.hypotheses().with_noise(listing)
    for reason in rank(model, case_from(seen)).reasons("H0").axioms:
        own = list(model.coins_of[0])
        kept = [one for one in own if one is not reason.coin]
        if kept:
            whole, without = (
                posterior_of(model, case_from(seen), replaced={0: row}).likelihoods.total[0] for row in (own, kept)
            )
            assert reason.bits == pytest.approx((whole - without) / log(2), abs=1e-5)


def fevers(noise: Noise | Listing | None = None) -> Hypotheses:
    findings = hierarchy(["Finding", "Fever", "HighFever", "Rash"], [[0], [0, 1], [0, 1, 2], [0, 3]])
    coins = [Coin(0, 2, 0.5), Coin(0, 1, 0.6), Coin(1, 3, 0.9), Coin(2, 1, 0.2)]
    return make_hypotheses(findings, ["Flu", "Measles", "Cold"], coins, noise=noise)


def test_what_was_looked_for_speaks_for_the_hypothesis_that_has_it() -> None:
    found = rank(fevers(Listing()), case_of("a", absent=["HighFever"]))
    assert found.probability_of("Flu") > found.probability_of("Measles")
    plain = rank(fevers(Noise()), case_of("a", absent=["HighFever"]))
    assert plain.probability_of("Flu") < plain.probability_of("Measles")


def test_none_of_these_takes_what_no_hypothesis_explains() -> None:
    known, odd = (
        rank(fevers(Listing(unexplained=0.2)), case_of("a", present=one)) for one in (["Rash"], ["HighFever", "Rash"])
    )
    assert known.none < odd.none
    assert known.probabilities.sum() + known.none == pytest.approx(1.0)
    assert rank(fevers(), case_of("a", present=["Rash"])).none == 0.0


def test_a_hypothesis_without_coins_left_is_none() -> None:
    found = posterior_of(fevers(Listing()), case_of("a", present=["Rash"]), replaced={1: []})
    assert found.probabilities[1] == 0.0 and found.none > 0


def test_noise_of_one_observation_and_a_listing_exclude_each_other() -> None:
    one = Case("a", (Observation("Rash", True, Noise()),))
    with pytest.raises(MooseError, match=r"case a: expected observations without noise of their own, .* but Rash has"):
        rank(fevers(Listing()), one)


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(MooseError, match=r"direct: expected a number above 0 and below 1, but got 1\.5"):
        Listing(direct=1.5)
    with pytest.raises(MooseError, match="few: expected a number above 0, but got nan"):
        Listing(few=float("nan"))


# ── Learning ──────────────────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=15)
@given(st.data())
def test_the_gradient_is_the_derivative(data: st.DataObject) -> None:
    family, listing = data.draw(small), data.draw(listings())
    seen = data.draw(observations(family, most=3))
    assume(seen)
    truth = data.draw(st.sampled_from(["H0", "nobody"]))
    case = replace(case_from(seen), truth=truth)
    one = example_of(posterior_of(family.hypotheses().with_noise(listing), case), np.random.default_rng(0))
    assert one is not None
    _, gradient = loss_and_gradient(one, listing)
    for name, value in asdict(listing).items():
        step = 1e-6 * value
        high, low = (loss_and_gradient(one, replace(listing, **{name: value + way * step}))[0] for way in (1, -1))
        assert gradient[name] == pytest.approx((high - low) / (2 * step), rel=1e-3, abs=1e-5), name


@given(st.data())
def test_the_loss_is_that_of_the_posterior_where_nothing_is_shared(data: st.DataObject) -> None:
    listing = data.draw(listings())
    seen = data.draw(st.lists(st.tuples(st.sampled_from([2, 3]), st.booleans()), min_size=1, unique_by=lambda x: x[0]))
    names = ["Finding", "Fever", "HighFever", "Rash"]
    case = Case("a", tuple(Observation(names[finding], said) for finding, said in seen), "Flu")
    posterior = posterior_of(fevers(listing), case)
    one = example_of(posterior, np.random.default_rng(0))
    assert one is not None
    assert loss_and_gradient(one, listing)[0] == pytest.approx(-log(posterior.probabilities[0]), rel=1e-4)


@pytest.mark.parametrize("truth", ["Flu", "nobody"])
def test_the_held_out_loss_is_that_of_the_posterior_and_never_lost(truth: str) -> None:
    case = Case("a", (Observation("Rash"), Observation("HighFever", is_present=False)), truth)
    posterior = posterior_of(fevers(Listing()), case)
    share = posterior.probabilities[0] if truth == "Flu" else posterior.none
    assert held_out_loss(fevers(Listing()), [case], ListingOptions()) == pytest.approx(-log(share))
    sure = fevers(Listing(temperature=1e-6))
    assert posterior_of(sure, case).probabilities[0] in (0.0, 1.0)
    assert isfinite(held_out_loss(sure, [case], ListingOptions()))


def sampled_cases(count: int) -> list[Case]:
    """Cases that list what a hypothesis has half of the time, and exclude nothing."""
    chance = np.random.default_rng(0)
    rows = {"Flu": ["HighFever", "Fever"], "Measles": ["Rash"], "Cold": ["Fever"]}
    found = []
    for number in range(count):
        truth = str(chance.choice(list(rows)))
        listed = [one for one in rows[truth] if chance.random() < 0.5] or rows[truth][:1]
        found.append(case_of(str(number), present=listed, truth=truth))
    return found


def test_learning_lowers_the_loss_and_is_the_same_each_time() -> None:
    counted: list[int] = []
    options = ListingOptions(steps=30, progress=counted.append)
    first, second = (learn_listing(fevers(), sampled_cases(20), options=options) for _ in range(2))
    assert first.after < first.before and first == second
    assert counted == [*range(1, 31)] * 2
    assert str(first).startswith("learnt from 20 cases; mean loss ")


def test_cases_of_other_hypotheses_make_none_of_these_likelier() -> None:
    strange = [replace(one, truth="Unheard") for one in sampled_cases(10)]
    known, mixed = (
        learn_listing(fevers(), cases, options=ListingOptions(steps=60)).listing
        for cases in (sampled_cases(20), [*sampled_cases(20)[10:], *strange])
    )
    assert mixed.unexplained > known.unexplained


def test_few_cases_leave_the_listing_near_where_it_began() -> None:
    learnt = learn_listing(fevers(), sampled_cases(1), options=ListingOptions(steps=100)).listing
    assert np.abs(unbounded(learnt) - unbounded(Listing())).max() < 2.5


def test_cases_without_a_truth_teach_nothing() -> None:
    with pytest.raises(MooseError, match="none has a truth"):
        learn_listing(fevers(), [case_of("a", present=["Rash"])])
    with pytest.raises(MooseError, match="that list findings, but none does"):
        learn_listing(fevers(), [case_of("a", truth="Flu")])


def test_sharpness_is_learnt_from_who_is_right() -> None:
    chance = np.random.default_rng(0)
    cases = []
    for _ in range(150):
        scores = 4 * chance.normal(size=5)
        share = np.exp(scores / 3) / np.exp(scores / 3).sum()
        right = int(chance.choice(5, p=share)) == int(np.argmax(scores))
        cases.append(Judged(np.append(scores, -100.0), np.full(5, log(0.2)), 1, right))
    start = Listing(temperature=1.0)
    found = learn_sharpness(start, cases)
    rate = np.mean([one.is_right for one in cases])
    before, after = (np.mean([confidence(one, case) for case in cases]) for one in (start, found))
    assert abs(after - rate) < 0.03 < before - rate


@given(st.data())
def test_the_gradient_of_certainty_is_the_derivative(data: st.DataObject) -> None:
    listing = data.draw(listings())
    totals = np.array(data.draw(st.lists(st.floats(-8, 0), min_size=3, max_size=5)))
    assume(len(set(np.round(totals[:-1], 2))) == len(totals) - 1)
    count = len(totals) - 1
    one = Judged(totals, np.full(count, -log(count)), data.draw(st.integers(0, 9)), data.draw(st.booleans()))
    share = listing.unexplained
    numbers = np.log(np.array([listing.temperature, listing.redundancy, share / (1 - share)]))

    def loss(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        first, shares = certainty(sharpened(listing, values), one)
        return -log(shares[first] if one.is_right else np.delete(shares, first).sum())

    for place, slope in enumerate(certainty_gradient(listing, one)):
        step = 1e-6 * np.eye(3)[place]
        expected = (loss(numbers + step) - loss(numbers - step)) / 2e-6
        assert slope == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_numbers_without_bounds_come_back() -> None:
    assert asdict(bounded(unbounded(Listing()))) == pytest.approx(asdict(Listing()), rel=1e-6)
    assert exp(1.0) == pytest.approx(bounded(np.ones(len(fields(Listing)))).few)


@pytest.mark.parametrize("name", ["redundancy", "looked_for_chance_power"])
def test_a_power_that_no_number_bears_is_refused(name: str) -> None:
    with pytest.raises(MooseError, match=f"{name}: expected a number above 0 and below 50"):
        Listing(**{name: 900.0})
