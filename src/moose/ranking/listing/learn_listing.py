"""Learn from cases how findings are listed, and how sure to be: `learn_listing(hypotheses, cases)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace

import numpy as np
from scipy.optimize import minimize

from moose.base.errors import MooseError
from moose.ranking.cases import Case, as_cases
from moose.ranking.exact.evidence import Evidence
from moose.ranking.findings import Floats
from moose.ranking.hypotheses import Coins, Hypotheses
from moose.ranking.listing.examples import Example, example_of, loss_and_gradient, truth_of
from moose.ranking.noise import SHARES, Listing
from moose.ranking.posterior import Posterior, log_sum, posterior_of, sharpness

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

    def __str__(self) -> str:
        return f"learnt from {self.cases:,} cases; mean loss {self.before:.4g} before, {self.after:.4g} after"


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
    after = mean_loss(examples, found)
    model = hypotheses.with_noise(found)
    chosen = chance.permutation(len(known))[: used.sharpened].tolist()
    judged = [judge(weighed(model, known[one], used)) for one in chosen]
    return LearntListing(learn_sharpness(found, judged), len(examples), before, after)


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
            losses.append(-np.log(found.none if truth is None else found.probabilities[truth]))
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
    now, mean, square = start.copy(), np.zeros(len(start)), np.zeros(len(start))
    for step in range(1, options.steps + 1):
        chosen = chance.choice(len(examples), min(BATCH, len(examples)), p=weights).tolist()
        listing = bounded(now)
        gradient = np.mean([unbounded_gradient(listing, examples[one]) for one in chosen], axis=0)
        gradient += (now - start) / WIDTH**2 / len(examples)
        mean = DECAY[0] * mean + (1 - DECAY[0]) * gradient
        square = DECAY[1] * square + (1 - DECAY[1]) * gradient**2
        rate = RATE * np.sin(np.pi * step / (options.steps + 1))
        scaled = np.sqrt(square / (1 - DECAY[1] ** step)) + 1e-8
        now = now - rate * mean / (1 - DECAY[0] ** step) / scaled
        if options.progress is not None:
            options.progress(step)
    return bounded(now)


def unbounded(listing: Listing) -> Floats:
    """Return the logits of shares and the logarithms of all other numbers."""
    values = asdict(listing)
    return np.array([np.log(one / (1 - one)) if name in SHARES else np.log(one) for name, one in values.items()])


def bounded(numbers: Floats) -> Listing:
    """Return the listing of logits and logarithms.

    >>> bounded(unbounded(Listing(few=3.0))).few
    3.0
    """
    names = [one.name for one in fields(Listing)]
    pairs = zip(names, np.clip(numbers, -15.0, 15.0).tolist(), strict=True)
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
    is_right = np.array([one.is_right for one in cases])
    share = listing.unexplained
    start = np.array([np.log(listing.temperature), np.log(listing.redundancy), np.log(share / (1 - share))])

    def with_numbers(numbers: Floats) -> Listing:
        temperature, redundancy = np.exp(np.clip(numbers[:2], -15, 15)).tolist()
        unexplained = float(1 / (1 + np.exp(-np.clip(numbers[2], -15, 15))))
        return replace(listing, temperature=temperature, redundancy=redundancy, unexplained=unexplained)

    def loss(numbers: Floats) -> float:
        found = with_numbers(numbers)
        top = np.clip([confidence(found, one) for one in cases], 1e-6, 1 - 1e-6)
        fit = -float(np.mean(np.where(is_right, np.log(top), np.log(1 - top))))
        return fit + float(np.sum((numbers - start) ** 2)) / 2 / WIDTH**2 / len(cases)

    return with_numbers(minimize(loss, start, method="Nelder-Mead", options={"maxfev": 150}).x)


def confidence(listing: Listing, one: Judged) -> float:
    """Return the probability of the likeliest hypothesis."""
    scores = one.totals / listing.sharpness(one.observations)
    scores[:-1] += one.log_priors + np.log1p(-listing.unexplained)
    scores[-1] += np.log(listing.unexplained)
    return float(np.exp(scores[:-1].max() - log_sum(scores)))
