"""Learn from cases how findings are listed, and how sure to be: `learn_listing(hypotheses, cases)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace

import numpy as np

from moose.base.errors import MooseError
from moose.ranking.cases import Case, as_cases
from moose.ranking.exact.evidence import Evidence
from moose.ranking.findings import Floats
from moose.ranking.hypotheses import Coins, Hypotheses
from moose.ranking.listing.examples import Example, example_of, loss_and_gradient, truth_of
from moose.ranking.noise import LARGEST_POWER, POWERS, SHARES, Listing
from moose.ranking.posterior import Posterior, log_joints, log_sum, posterior_of, sharpness

RATE, DECAY = 0.05, (0.9, 0.999)
"""Adam's step and how long it remembers."""
BATCH = 32
WIDTH = 1.0
"""How far a number is expected from where learning begins: the deviation of its logarithm or logit."""


@dataclass(frozen=True, slots=True)
class ListingOptions:
    """How a listing is learnt."""

    start: Listing = field(default_factory=Listing)
    """Where learning begins; what few cases say little about stays near it."""
    steps: int = 600
    sharpened: int = 800
    """On how many cases to learn how sure to be."""
    seed: int = 0
    progress: Callable[[int], None] | None = None
    """Called with the number of the step."""
    replaced: Callable[[Case], Coins] | None = None
    """Other coins that hypotheses have for a case, such as those without what its own paper says."""
    skip_unknown: bool = False


@dataclass(frozen=True, slots=True)
class LearntListing:
    """What was learnt, and how well it fits: the mean of minus the logarithm of the posterior of what holds."""

    listing: Listing
    cases: int
    before: float
    after: float
    unexplained: tuple[str, ...] = ()
    """What held in cases that none of the hypotheses explains."""

    def __str__(self) -> str:
        cases = f"{self.cases:,} case{'' if self.cases == 1 else 's'}"
        return f"learnt from {cases}; mean loss {self.before:.4g} before, {self.after:.4g} after"


def learn_listing(
    hypotheses: Hypotheses, cases: Sequence[Case], *, options: ListingOptions | None = None
) -> LearntListing:
    """Return how cases list findings, learnt from some of which it is known what held.

    A case whose truth is none of the hypotheses is one that none of them explains; one without a truth is left out.
    Cases of one hypothesis are alike, so that n of them are drawn as often as √n of others.
    """
    used = options or ListingOptions()
    known = [case for case in as_cases(cases) if case.truth]
    if not known:
        raise MooseError("expected cases with what turned out to hold, but none has a truth; name it in the cases")
    model = hypotheses.with_noise(used.start)
    chance = np.random.default_rng(used.seed)
    examples = [one for case in known if (one := example_of(weighed(model, case, used), chance)) is not None]
    if not examples:
        raise MooseError("expected cases that list findings, but none does; add observations to them")
    before = mean_loss(examples, used.start)
    found = descend(examples, used, chance)
    model = hypotheses.with_noise(found)
    chosen = chance.permutation(len(known))[: used.sharpened].tolist()
    judged = [judge(weighed(model, known[one], used)) for one in chosen]
    none = tuple(dict.fromkeys(one.name for one in examples if one.truth is None))
    sure = learn_sharpness(found, judged)
    return LearntListing(sure, len(examples), before, mean_loss(examples, sure), none)


def weighed(hypotheses: Hypotheses, case: Case, options: ListingOptions) -> Posterior:
    """Return the posterior of a case."""
    replaced = None if options.replaced is None else options.replaced(case)
    return posterior_of(hypotheses, case, skip_unknown=options.skip_unknown, replaced=replaced)


def held_out_loss(hypotheses: Hypotheses, cases: Sequence[Case], options: ListingOptions) -> float:
    """Return the mean of minus the logarithm of the exact posterior of what held, over cases of which it is known."""
    losses = []
    for case in as_cases(cases):
        if case.truth:
            found = weighed(hypotheses, case, options)
            truth = truth_of(found)
            log_weights = log_joints(hypotheses, found.likelihoods.total, found.evidence)
            losses.append(found.log_evidence - float(log_weights[-1 if truth is None else truth]))
    if not losses:
        raise MooseError("expected cases with what turned out to hold, but none has a truth; name it in the cases")
    return float(np.mean(losses))


def mean_loss(examples: Sequence[Example], listing: Listing) -> float:
    """Return the mean loss of cases."""
    return float(np.mean([loss_and_gradient(one, listing)[0] for one in examples]))


# ── Down the gradient ─────────────────────────────────────────────────────────────────────────────────────────────


def descend(examples: Sequence[Example], options: ListingOptions, chance: np.random.Generator) -> Listing:
    """Return the listing after Adam's steps on cases that are drawn, with a prior around where it began."""
    often = Counter(one.name for one in examples)
    weights = np.array([often[one.name] ** -0.5 for one in examples])
    weights /= weights.sum()
    start = unbounded(options.start)

    def gradient(now: Floats) -> Floats:
        chosen = chance.choice(len(examples), min(BATCH, len(examples)), p=weights).tolist()
        listing = bounded(now)
        mean = np.mean([unbounded_gradient(listing, examples[one]) for one in chosen], axis=0)
        return np.asarray(mean + (now - start) / WIDTH**2 / len(examples), dtype=np.float64)

    return bounded(adam(start, gradient, options.steps, options.progress))


def adam(
    start: Floats,
    gradient: Callable[[Floats], Floats],
    steps: int,
    progress: Callable[[int], None] | None = None,
) -> Floats:
    """Return where Adam's steps lead, small ones first and last."""
    now, mean, square = start.copy(), np.zeros(len(start)), np.zeros(len(start))
    for step in range(1, steps + 1):
        slope = gradient(now)
        mean = DECAY[0] * mean + (1 - DECAY[0]) * slope
        square = DECAY[1] * square + (1 - DECAY[1]) * slope**2
        rate = RATE * np.sin(np.pi * step / (steps + 1))
        now = now - rate * mean / (1 - DECAY[0] ** step) / (np.sqrt(square / (1 - DECAY[1] ** step)) + 1e-8)
        if progress is not None:
            progress(step)
    return now


def unbounded(listing: Listing) -> Floats:
    """Return the logits of shares and the logarithms of all other numbers."""
    values = asdict(listing)
    return np.array([np.log(one / (1 - one)) if name in SHARES else np.log(one) for name, one in values.items()])


POWER_BOUND = float(np.log(LARGEST_POWER)) - 1e-6


def bounded(numbers: Floats) -> Listing:
    """Return the listing of logits and logarithms.

    >>> bounded(unbounded(Listing(few=3.0))).few
    3.0
    """
    names = [one.name for one in fields(Listing)]
    most = np.array([POWER_BOUND if name in POWERS else 15.0 for name in names])
    pairs = zip(names, np.clip(numbers, -15.0, most).tolist(), strict=True)
    return Listing(
        **{name: round(float(1 / (1 + np.exp(-one)) if name in SHARES else np.exp(one)), 9) for name, one in pairs}
    )


def unbounded_gradient(listing: Listing, one: Example) -> Floats:
    """Return the derivative of a case's loss by logits and logarithms."""
    by_number = loss_and_gradient(one, listing)[1]
    values = asdict(listing)
    return np.array(
        [by_number[name] * value * ((1 - value) if name in SHARES else 1.0) for name, value in values.items()]
    )


# ── How sure to be ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Judged:
    """A case's log-likelihoods, with that of none of the hypotheses at the end, and whether the first is right."""

    totals: Floats
    log_priors: Floats
    observations: int
    is_right: bool


def judge(posterior: Posterior) -> Judged:
    """Return what is needed of a case to learn how sure to be."""
    return judged(posterior.hypotheses, posterior.likelihoods.total, posterior.evidence, truth_of(posterior))


def judged(hypotheses: Hypotheses, total: Floats, evidence: Evidence, truth: int | None) -> Judged:
    """Return the same, given likelihoods; of several that are equally likely, none is right."""
    none = 0.0 if evidence.log_average is None else float(evidence.log_average.sum())
    divided = hypotheses.log_priors + total / sharpness(hypotheses, len(evidence.findings))
    is_right = truth is not None and np.count_nonzero(divided >= divided[truth]) == 1
    return Judged(np.append(total, none), hypotheses.log_priors, len(evidence.findings), is_right)


def learn_sharpness(listing: Listing, cases: Sequence[Judged]) -> Listing:
    """Return the listing with the temperature, redundancy and unexplained share that fit best.

    They make the first hypothesis' probability that of its being right: the cross-entropy is least.
    """
    share = listing.unexplained
    start = np.log(np.array([listing.temperature, listing.redundancy, share / (1 - share)]))

    def gradient(numbers: Floats) -> Floats:
        now = sharpened(listing, numbers)
        slopes = [certainty_gradient(now, one) for one in cases]
        return np.asarray(np.mean(slopes, axis=0) + (numbers - start) / WIDTH**2 / len(cases), dtype=np.float64)

    return sharpened(listing, adam(start, gradient, SHARPENING_STEPS))


SHARPENING_STEPS = 100


def sharpened(listing: Listing, numbers: Floats) -> Listing:
    """Return a listing with another temperature, redundancy and unexplained share: two logarithms and a logit."""
    temperature, redundancy, odds = np.exp(np.clip(numbers, -15, [15, POWER_BOUND, 15])).tolist()
    return replace(listing, temperature=temperature, redundancy=redundancy, unexplained=odds / (1 + odds))


def certainty(listing: Listing, one: Judged) -> tuple[int, Floats]:
    """Return the position of the likeliest hypothesis, and how likely all are, none of them at the end."""
    scores = one.totals / listing.sharpness(one.observations)
    scores[:-1] += one.log_priors + np.log1p(-listing.unexplained)
    scores[-1] += np.log(listing.unexplained)
    return int(np.argmax(scores[:-1])), np.exp(scores - log_sum(scores))


def confidence(listing: Listing, one: Judged) -> float:
    """Return the probability of the likeliest hypothesis."""
    first, shares = certainty(listing, one)
    return float(shares[first])


def certainty_gradient(listing: Listing, one: Judged) -> Floats:
    """Return the derivative of a case's cross-entropy by the logarithms of temperature and redundancy and the logit."""
    first, shares = certainty(listing, one)
    is_other = (shares > 0) & (np.arange(len(shares)) != first)
    others = shares[is_other]
    # Both are sums over the others, so that nothing is lost where the first is all but certain.
    behind = float(others @ (one.totals[is_other] - one.totals[first]))
    rest = float(others.sum())
    by_log_divisor = behind / listing.sharpness(one.observations)
    by_redundancy = listing.redundancy * np.log(max(1, one.observations))
    by_log_top = -1.0 if one.is_right else float(shares[first]) / max(rest, np.finfo(np.float64).tiny)
    return by_log_top * np.array([by_log_divisor, by_log_divisor * by_redundancy, -shares[-1]])
