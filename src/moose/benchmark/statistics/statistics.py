"""Statistics of results over seeds: how they spread, and whether one method is better than another.

Two methods are compared on the seeds that both have run, since a seed draws the same examples for both. Nothing here
knows of records or files; `moose.benchmark.statistics.compare` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from moose.base.errors import MooseError

if TYPE_CHECKING:
    import numpy.typing as npt

    Reals = npt.NDArray[np.float64]

LEVEL = 0.95
ALPHA = 0.05
MOST_EXACT = 40
"""Pairs up to which all choices of signs are counted; 2²⁰ sums for each half."""
RESAMPLES = 9999
SEED = 0

Verdict = Literal["win", "loss", "ns"]


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """How a metric spreads over seeds; what needs two values is None with one."""

    count: int
    mean: float
    deviation: float | None
    """Of the sample: divided by count - 1."""
    smallest: float
    largest: float
    t_interval: Interval | None
    bootstrap_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One method against another on the seeds that they share; differences are the first less the second."""

    pairs: int
    first: float
    """Its mean over these seeds."""
    second: float
    difference: float
    t_interval: Interval | None
    """Of the mean difference."""
    bootstrap_interval: Interval | None
    wilcoxon_p: float
    permutation_p: float
    cohen_dz: float | None
    """Mean difference over its standard deviation; None where that is 0."""
    rank_biserial: float
    """Ranks of differences above zero less those below, as a share of all: from -1 to 1."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A comparison among others of the same regime."""

    comparison: Comparison
    holm_p: float
    """Wilcoxon's p, corrected for the number of comparisons."""
    holm_permutation_p: float
    verdict: Verdict
    """By `holm_p`."""


def summarise(values: Sequence[float]) -> Summary:
    """Summarise the values of a metric.

    >>> found = summarise([0.5, 0.7, 0.9])
    >>> round(found.mean, 3), round(found.deviation, 3)
    (0.7, 0.2)
    """
    numbers = _numbers(values)
    return Summary(
        count=len(numbers),
        mean=float(numbers.mean()),
        deviation=float(numbers.std(ddof=1)) if len(numbers) > 1 else None,
        smallest=float(numbers.min()),
        largest=float(numbers.max()),
        t_interval=t_interval(values),
        bootstrap_interval=bootstrap_interval(values),
    )


def compare(first: Mapping[int, float], second: Mapping[int, float]) -> Comparison:
    """Compare two methods, each given as value by seed, on the seeds that both have."""
    shared = [seed for seed in first if seed in second]
    if not shared:
        raise MooseError("expected two methods that share a seed to compare them, but got none; run both with the same")
    ours, theirs = _numbers([first[seed] for seed in shared]), _numbers([second[seed] for seed in shared])
    differences = ours - theirs
    listed = differences.tolist()
    return Comparison(
        pairs=len(shared),
        first=float(ours.mean()),
        second=float(theirs.mean()),
        difference=float(differences.mean()),
        t_interval=t_interval(listed),
        bootstrap_interval=bootstrap_interval(listed),
        wilcoxon_p=wilcoxon_p(listed),
        permutation_p=permutation_p(listed),
        cohen_dz=cohen_dz(listed),
        rank_biserial=rank_biserial(listed),
    )


def compare_all(
    reference: Mapping[int, float],
    others: Mapping[str, Mapping[int, float]],
    *,
    alpha: float = ALPHA,
    is_higher_better: bool = True,
) -> dict[str, Judged]:
    """Compare a method with each of some others in one regime; p-values are Holm's over all of them."""
    comparisons = {name: compare(reference, values) for name, values in others.items()}
    by_ranks = holm([one.wilcoxon_p for one in comparisons.values()])
    by_signs = holm([one.permutation_p for one in comparisons.values()])
    return {
        name: Judged(one, ranks, signs, judge(one, ranks, alpha=alpha, is_higher_better=is_higher_better))
        for (name, one), ranks, signs in zip(comparisons.items(), by_ranks, by_signs)
    }


def judge(comparison: Comparison, p: float, *, alpha: float = ALPHA, is_higher_better: bool = True) -> Verdict:
    """Say whether a difference counts; where one outlier turns the mean against the ranks, it does not."""
    if p > alpha or comparison.difference * comparison.rank_biserial <= 0:
        return "ns"
    return "win" if (comparison.difference > 0) == is_higher_better else "loss"


# ----------------------------------------------------------------------------------------------------------- intervals


def t_interval(values: Sequence[float], level: float = LEVEL) -> Interval | None:
    """Return Student's interval of the mean; None with fewer than two values."""
    numbers = _numbers(values)
    if len(numbers) < 2:
        return None
    from scipy.stats import t

    mean, error = float(numbers.mean()), float(numbers.std(ddof=1)) / len(numbers) ** 0.5
    reach = float(t.ppf(0.5 + level / 2, len(numbers) - 1)) * error
    return Interval(mean - reach, mean + reach)


def bootstrap_interval(values: Sequence[float], level: float = LEVEL, *, seed: int = SEED) -> Interval | None:
    """Return the bias-corrected and accelerated bootstrap interval of the mean; None with fewer than two values."""
    numbers = _numbers(values)
    if len(numbers) < 2:
        return None
    if np.ptp(numbers) == 0:  # every resample is the same
        return Interval(float(numbers[0]), float(numbers[0]))
    from scipy.stats import bootstrap

    drawn = bootstrap(
        (numbers,),
        np.mean,
        confidence_level=level,
        n_resamples=RESAMPLES,
        method="BCa",
        rng=np.random.default_rng(seed),
    )
    return Interval(float(drawn.confidence_interval.low), float(drawn.confidence_interval.high))


# --------------------------------------------------------------------------------------------------------------- tests


def wilcoxon_p(differences: Sequence[float]) -> float:
    """Return the two-sided p of Wilcoxon's signed-rank test, without the differences that are 0.

    Up to 40 pairs exactly, with equal ranks counted as they are, by the test below on ranks in place of differences:
    SciPy would turn to the normal distribution where ranks are equal. Beyond that, SciPy's.

    >>> wilcoxon_p([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    0.03125
    """
    ranks = signed_ranks(differences)
    if len(ranks) <= MOST_EXACT:
        return permutation_p(ranks)
    from scipy.stats import wilcoxon

    return float(wilcoxon(ranks).pvalue)


def permutation_p(differences: Sequence[float], *, seed: int = SEED) -> float:
    """Return the two-sided p of the sign-flip test of the mean: the share of all 2ⁿ signs that reach as far.

    Up to 40 pairs exactly: the sums of each half of the pairs are listed, and those of one half that go with each of
    the other are counted by bisection. Beyond that, by random signs.

    >>> permutation_p([1.0, 2.0, -0.5])
    0.5
    """
    numbers = _numbers(differences)
    numbers = _rounded(numbers)
    numbers = numbers[numbers != 0]  # either sign of 0 is the same
    if not len(numbers):
        return 1.0
    # Sums that are equal but for rounding count as reaching as far.
    least = abs(float(numbers.sum())) - 1e-9 * float(np.abs(numbers).sum())
    if len(numbers) > MOST_EXACT:
        return _sampled(numbers, least, np.random.default_rng(seed))
    middle = len(numbers) // 2
    one, other = np.sort(_sums(numbers[:middle])), _sums(numbers[middle:])
    above = len(one) - np.searchsorted(one, least - other, side="left")
    below = np.searchsorted(one, -least - other, side="right")
    total = len(one) * len(other)
    return min(1.0, float(above.sum() + below.sum()) / total)


def _sums(numbers: Reals) -> Reals:
    """Return the sums of numbers with all choices of signs."""
    sums = np.zeros(1)
    for number in numbers.tolist():
        sums = np.concatenate([sums + number, sums - number])
    return sums


def _sampled(numbers: Reals, least: float, generator: np.random.Generator) -> float:
    drawn = generator.choice(np.array([-1.0, 1.0]), size=(RESAMPLES, len(numbers))) @ numbers
    return (1 + int((np.abs(drawn) >= least).sum())) / (1 + RESAMPLES)  # the signs as they are, too


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, by Holm's step-down: the k-th smallest of n is multiplied by n + 1 - k.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, (len(p_values) - rank) * p_values[index])
        corrected[index] = min(1.0, largest)
    return corrected


# -------------------------------------------------------------------------------------------------------- effect sizes


def cohen_dz(differences: Sequence[float]) -> float | None:
    """Return the mean difference in units of its standard deviation; None where there is no deviation.

    >>> cohen_dz([1.0, 2.0, 3.0])
    2.0
    """
    numbers = _numbers(differences)
    if len(numbers) < 2 or np.ptp(numbers) == 0:
        return None
    return float(numbers.mean() / numbers.std(ddof=1))


def rank_biserial(differences: Sequence[float]) -> float:
    """Return the share of ranks above zero less that below; 0 where all differences are 0.

    >>> rank_biserial([0.3, 0.2, -0.1])
    0.6666666666666666
    """
    ranks = _numbers(signed_ranks(differences))
    total = float(np.abs(ranks).sum())
    return float(ranks.sum()) / total if total else 0.0


def signed_ranks(differences: Sequence[float]) -> list[float]:
    """Rank differences that are not 0 by size, equal ones by their mean rank, and give each rank the sign.

    >>> signed_ranks([0.5, -0.25, 0.0, 0.25])
    [3.0, -1.5, 1.5]
    """
    from scipy.stats import rankdata

    numbers = _rounded(_numbers(differences))
    numbers = numbers[numbers != 0]
    ranks: list[float] = (np.sign(numbers) * rankdata(np.abs(numbers))).tolist()
    return ranks


def _rounded(numbers: Reals) -> Reals:
    """Make numbers equal that differ by rounding alone: 0.3 - 0.2 and 0.2 - 0.1; 0.1 + 0.2 - 0.3 is 0."""
    return np.round(numbers, 12)


def _numbers(values: Sequence[float]) -> Reals:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise MooseError(f"expected a list of finite numbers, but got {values!r}")
    return numbers
