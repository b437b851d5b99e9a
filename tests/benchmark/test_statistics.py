from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.benchmark.statistics.statistics import (
    MOST_EXACT,
    Interval,
    bootstrap_interval,
    cohen_dz,
    compare,
    compare_all,
    holm,
    judge,
    permutation_p,
    rank_biserial,
    signed_ranks,
    summarise,
    t_interval,
    wilcoxon_p,
)
from tests.searching import examples

stats = pytest.importorskip("scipy.stats")

hundredths = st.integers(-60, 60).map(lambda number: number / 100)
some = st.lists(hundredths, min_size=1, max_size=9)
several = st.lists(hundredths, min_size=2, max_size=12)


def all_signs(differences: list[float]) -> float:
    """The sign-flip test as it is defined."""
    observed = abs(math.fsum(differences))
    flips = list(product((1, -1), repeat=len(differences)))
    sums = [abs(math.fsum(sign * one for sign, one in zip(flip, differences))) for flip in flips]
    return sum(one >= observed - 1e-9 for one in sums) / len(flips)


# ------------------------------------------------------------------------------------------------------ by hand


def test_a_summary_by_hand() -> None:
    found = summarise([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])
    assert (found.count, found.mean, found.smallest, found.largest) == (8, 5.0, 2.0, 9.0)
    assert found.deviation == pytest.approx(math.sqrt(32 / 7))
    assert found.t_interval == pytest.approx(
        (5 - 2.364624 * math.sqrt(32 / 7 / 8), 5 + 2.364624 * math.sqrt(32 / 7 / 8))
    )


def test_one_value_has_no_spread() -> None:
    found = summarise([0.4])
    assert (found.deviation, found.t_interval, found.bootstrap_interval) == (None, None, None)
    assert cohen_dz([0.4]) is None


def test_signs_by_hand() -> None:
    # 1 + 2 + 3 = 6; of eight choices of signs two reach 6.
    assert permutation_p([1.0, 2.0, 3.0]) == 0.25
    # 3 - 1 = 2: |±3 ± 1| is always at least 2.
    assert permutation_p([3.0, -1.0]) == 1.0
    # 5 - 1 - 1 = 3: sums are ±7, ±5 twice, ±3; all reach 3.
    assert permutation_p([5.0, -1.0, -1.0]) == 1.0
    # 4 + 2 - 1 = 5: ±7, ±5, ±3, ±1; four of eight reach 5.
    assert permutation_p([4.0, 2.0, -1.0]) == 0.5
    assert permutation_p([0.0, 0.0]) == 1.0


def test_twenty_differences_of_one_sign() -> None:
    differences = [0.01 * number for number in range(1, 21)]
    assert permutation_p(differences) == wilcoxon_p(differences) == 2 / 2**20


def test_ranks_by_hand() -> None:
    # Ranks 1 to 5; those below zero are 1 and 2: W = 3. Sums of ranks of at most 3: {}, 1, 2, 3, 12: 5 of 32, twice.
    differences = [-0.1, -0.2, 0.3, 0.4, 0.5]
    assert wilcoxon_p(differences) == 10 / 32
    assert rank_biserial(differences) == pytest.approx((12 - 3) / 15)
    assert signed_ranks([0.3 - 0.2, 0.2 - 0.1, -0.5]) == [1.5, 1.5, -3.0], "equal but for rounding"


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.02, 0.03, 0.04]) == [0.04, 0.06, 0.06, 0.06]
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_verdicts() -> None:
    better = compare({seed: 0.5 + seed / 100 for seed in range(6)}, dict.fromkeys(range(6), 0.4))
    worse = compare(dict.fromkeys(range(6), 0.4), {seed: 0.5 + seed / 100 for seed in range(6)})
    assert [judge(better, 0.01), judge(worse, 0.01), judge(better, 0.06)] == ["win", "loss", "ns"]
    assert [judge(one, 0.01, is_higher_better=False) for one in (better, worse)] == ["loss", "win"]


def test_an_outlier_does_not_win_against_the_ranks() -> None:
    first = {seed: 0.5 - seed / 1000 for seed in range(1, 20)} | {20: 5.5}
    found = compare_all(first, {"other": dict.fromkeys(range(1, 21), 0.5)})["other"]
    assert found.comparison.difference > 0 > found.comparison.rank_biserial
    assert found.holm_p < 0.05 and found.verdict == "ns"


def test_what_differs_by_rounding_alone_is_equal() -> None:
    found = compare_all(dict.fromkeys(range(6), 0.1 + 0.2), {"other": dict.fromkeys(range(6), 0.3)})["other"]
    assert (found.comparison.wilcoxon_p, found.comparison.permutation_p, found.verdict) == (1.0, 1.0, "ns")


def test_a_comparison_pairs_seeds() -> None:
    found = compare({0: 0.9, 1: 0.8, 2: 0.7, 9: 0.0}, {2: 0.4, 1: 0.6, 0: 0.8, 7: 1.0})
    assert found.pairs == 3
    assert (found.first, found.second, found.difference) == pytest.approx((0.8, 0.6, 0.2))
    assert found.permutation_p == found.wilcoxon_p == 0.25
    assert found.cohen_dz == pytest.approx(2.0) and found.rank_biserial == pytest.approx(1.0)
    with pytest.raises(MooseError, match="share a seed"):
        compare({0: 1.0}, {1: 1.0})


def test_within_a_regime_p_values_are_corrected_together() -> None:
    ours = {seed: 0.7 + 0.001 * seed for seed in range(6)}
    worse = {seed: 0.5 - 0.002 * seed for seed in range(6)}
    better = {seed: 0.9 + 0.003 * seed for seed in range(6)}
    alone = compare_all(ours, {"worse": worse})
    assert alone["worse"].holm_p == 0.03125 and alone["worse"].verdict == "win"
    both = compare_all(ours, {"worse": worse, "better": better})
    assert {one.holm_p for one in both.values()} == {0.0625} and {one.verdict for one in both.values()} == {"ns"}
    loose = compare_all(ours, {"worse": worse, "better": better}, alpha=0.1)
    assert (loose["worse"].verdict, loose["better"].verdict) == ("win", "loss")
    lower = compare_all(ours, {"worse": worse, "better": better}, alpha=0.1, is_higher_better=False)
    assert (lower["worse"].verdict, lower["better"].verdict) == ("loss", "win")


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(MooseError, match="finite numbers"):
        summarise([0.1, math.nan])


# --------------------------------------------------------------------------------------- against an oracle, and SciPy


@examples(60)
@given(some)
def test_signs_are_counted_as_by_enumeration(differences: list[float]) -> None:
    assert permutation_p(differences) == pytest.approx(all_signs(differences), abs=1e-12)


@examples(60)
@given(some)
def test_ranks_are_counted_as_by_enumeration(differences: list[float]) -> None:
    ranks = signed_ranks(differences)
    assert wilcoxon_p(differences) == pytest.approx(all_signs(ranks) if ranks else 1.0, abs=1e-12)


@examples(40)
@given(st.lists(st.integers(1, 400), min_size=3, max_size=20, unique=True), st.integers(0, 2**20))
def test_without_equal_ranks_wilcoxon_is_scipys(sizes: list[int], signs: int) -> None:
    differences = [size / 100 * (1 if signs >> place & 1 else -1) for place, size in enumerate(sizes)]
    assert wilcoxon_p(differences) == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue, rel=1e-9)


@examples(15)
@given(st.lists(hundredths.filter(bool), min_size=3, max_size=8))
def test_with_equal_ranks_wilcoxon_is_scipys_permutation(differences: list[float]) -> None:
    exact = stats.PermutationMethod(n_resamples=np.inf)
    assert wilcoxon_p(differences) == pytest.approx(stats.wilcoxon(differences, method=exact).pvalue, rel=1e-9)


@examples(15)
@given(st.lists(hundredths.filter(bool), min_size=3, max_size=8))
def test_signs_are_those_of_scipys_permutation_test(differences: list[float]) -> None:
    def mean(values: np.ndarray[tuple[int], np.dtype[np.float64]], axis: int) -> object:
        return np.round(values.sum(axis=axis), 9)

    found = stats.permutation_test(
        (np.array(differences),), mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert permutation_p(differences) == pytest.approx(found.pvalue, abs=1e-9)


def test_beyond_the_exact_it_is_sampled_and_close() -> None:
    differences = np.random.default_rng(3).normal(0.25, 1.0, MOST_EXACT + 1).round(6).tolist()
    exact = permutation_p(differences[:MOST_EXACT])
    assert permutation_p(differences) == pytest.approx(exact, abs=0.1)
    assert wilcoxon_p(differences) == pytest.approx(stats.wilcoxon(differences).pvalue)


@examples(40)
@given(several)
def test_the_t_interval_is_scipys(values: list[float]) -> None:
    if len(set(values)) > 1:
        found = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
        assert t_interval(values) == pytest.approx((found.low, found.high))
        t = stats.ttest_1samp(values, 0.0).statistic
        assert cohen_dz(values) == pytest.approx(t / math.sqrt(len(values)))


def test_the_bootstrap_is_the_same_each_time_and_near_the_t_interval() -> None:
    values = np.random.default_rng(0).normal(0.7, 0.05, 20).tolist()
    found, other = bootstrap_interval(values), t_interval(values)
    assert found == bootstrap_interval(values) and found is not None and other is not None
    assert found == pytest.approx(other, abs=0.01)
    assert bootstrap_interval([0.5, 0.5, 0.5]) == Interval(0.5, 0.5)


@examples(40)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_statsmodels(p_values: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="pip install statsmodels")
    assert holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1].tolist())


@examples(40)
@given(several)
def test_the_t_interval_is_statsmodels(values: list[float]) -> None:
    weighted = pytest.importorskip("statsmodels.stats.weightstats", reason="pip install statsmodels")
    assert t_interval(values) == pytest.approx(weighted.DescrStatsW(values).tconfint_mean(0.05), abs=1e-12)
