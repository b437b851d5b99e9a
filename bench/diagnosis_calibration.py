"""Why the posterior of a diagnosis is surer or less sure than it should be, on the phenopackets that are learnt from.

    python -m bench.diagnosis_calibration      # writes bench/results/diagnosis_calibration.json

Forms of saying how sure to be are fitted on seven eighths of the diseases and papers and judged on the last, for each
eighth, three times; the cases of the campaign are not looked at. What a calibrated method would show by chance is
computed from how much cases of one disease are right or wrong together.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from bench.diagnosis import apart, dated, diseases, learn
from bench.diagnosis_data import DATA, DATES, Report, read_reports
from bench.diagnosis_methods import Listed
from bench.diagnosis_summary import BINS, calibration_error, chance_error, correlation_within, rounded
from moose.base.graphs import component_of
from moose.base.whole_files import write_whole
from moose.ranking.findings import Flags, Floats, Numbers
from moose.ranking.listing.learn_listing import Judged

RESULT = Path(__file__).parent / "results" / "diagnosis_calibration.json"
LIKELIEST, GROUPS = 100, 30
"""The likelihoods of a case that are kept one by one, and in how many groups of equal size the rest is."""
PARTS, REPETITIONS = 8, 3
MOST_EVALUATIONS = 200


@dataclass(frozen=True, eq=False)
class Scored:
    """Cases: the logarithms of likelihoods, the largest first and the rest in groups, and which are right."""

    totals: Floats
    log_counts: Floats
    average: Floats
    """The logarithm of the likelihood of none of the diseases."""
    observations: Floats
    is_right: Flags
    is_empty: Flags
    """Whether nothing is left of the right disease's annotations."""
    cluster: Numbers
    """The same for cases that share diseases or papers, directly or by others."""

    def only(self, rows: Numbers) -> Scored:
        """Return some cases."""
        return Scored(
            self.totals[rows],
            self.log_counts,
            self.average[rows],
            self.observations[rows],
            self.is_right[rows],
            self.is_empty[rows],
            self.cluster[rows],
        )


def main() -> None:
    """Measure and write."""
    cases = read_reports(DATA / "phenopackets" / "cases5212.jsonl.gz")
    _, reports = apart(cases)
    method = Listed(dated(DATES[0]), diseases(DATES[0]).with_noise(learn(cases, len(reports))))
    rows = [method.judged(one, with_excluded=True, leave_paper_out=True) for one in reports]
    empty = np.array([is_empty(method, one) for one in reports])
    write_whole(RESULT, [json.dumps(summary(scored(rows, empty, clusters(reports))), indent=1) + "\n"])
    print(RESULT.read_text(encoding="utf-8"))


def is_empty(method: Listed, report: Report) -> bool:
    """Return whether nothing is left of the right disease's annotations without the report's papers."""
    number = method.hypotheses.numbers[report.gold]
    return not method.posterior(report, with_excluded=True, leave_paper_out=True).replaced.get(number, ["kept"])


def clusters(reports: list[Report]) -> Numbers:
    """Return a number for each report, the same for those that share diseases or papers."""
    component = component_of([(one.gold, *sorted(one.papers)) for one in reports])
    number = {name: place for place, name in enumerate(dict.fromkeys(component[one.gold] for one in reports))}
    return np.array([number[component[one.gold]] for one in reports])


def scored(rows: list[Judged], empty: Flags, cluster: Numbers) -> Scored:
    """Put cases into arrays."""
    totals = -np.sort(-np.array([np.maximum(one.totals[:-1], -1000.0) for one in rows]), axis=1)
    cuts = np.linspace(LIKELIEST, totals.shape[1], GROUPS + 1).astype(int)
    groups = [totals[:, low:high].mean(axis=1) for low, high in pairwise(cuts.tolist())]
    return Scored(
        np.column_stack([totals[:, :LIKELIEST], *groups]),
        np.concatenate([np.zeros(LIKELIEST), np.log(np.diff(cuts))]) - np.log(totals.shape[1]),
        np.array([one.totals[-1] for one in rows]),
        np.array([float(max(1, one.observations)) for one in rows]),
        np.array([one.is_right for one in rows]),
        empty,
        cluster,
    )


# ── Forms of saying how sure to be ────────────────────────────────────────────────────────────────────────────────

Form = Callable[[Floats, Scored], Floats]


def weights(cases: Scored, divisor: Floats) -> tuple[Floats, Floats]:
    """Return the logarithms of the likeliest disease's weight, and of that of all."""
    scores = cases.totals / divisor[:, None] + cases.log_counts
    first = scores[:, 0]
    return first, first + np.log(np.exp(scores - first[:, None]).sum(axis=1))


def by_correlation(numbers: Floats, cases: Scored) -> Floats:
    """Divide by T (1 + ρ (n - 1)); a share of the probability is spread over all."""
    first, total = weights(cases, np.exp(numbers[0]) * (1 + np.exp(numbers[1]) * (cases.observations - 1)))
    return np.asarray(np.exp(first - total) / (1 + np.exp(numbers[2])), dtype=np.float64)


def by_power(numbers: Floats, cases: Scored) -> Floats:
    """Divide by T n^r; a share of the probability is spread over all."""
    first, total = weights(cases, np.exp(numbers[0]) * cases.observations ** np.exp(numbers[1]))
    return np.asarray(np.exp(first - total) / (1 + np.exp(numbers[2])), dtype=np.float64)


def by_power_and_average(numbers: Floats, cases: Scored) -> Floats:
    """Divide by T n^r; none of the diseases lists findings as they do on average. That is what a listing does."""
    divisor = np.exp(numbers[0]) * cases.observations ** np.exp(numbers[1])
    first, total = weights(cases, divisor)
    return np.asarray(np.exp(first - np.logaddexp(total, numbers[2] + cases.average / divisor)), dtype=np.float64)


def by_two_temperatures(numbers: Floats, cases: Scored) -> Floats:
    """Take the mean of two, each divided by T n^r with a temperature of its own."""
    power = cases.observations ** np.exp(numbers[1])
    parts = [weights(cases, np.exp(one) * power) for one in (numbers[0], numbers[2])]
    share = 1 / (1 + np.exp(-numbers[3]))
    one, other = (np.exp(first - total) for first, total in parts)
    return np.asarray(share * one + (1 - share) * other, dtype=np.float64)


FORMS: dict[str, tuple[Form, tuple[float, ...]]] = {
    "correlation, evenly spread": (by_correlation, (0.4, -3.0, -2.0)),
    "power, evenly spread": (by_power, (0.0, -1.0, -2.0)),
    "power, none on average": (by_power_and_average, (0.0, -1.0, -2.0)),
    "power, two temperatures": (by_two_temperatures, (0.0, -1.0, 0.7, 0.0)),
}


def fitted(form: Form, start: tuple[float, ...], cases: Scored) -> Floats:
    """Return the numbers with the least cross-entropy of the first disease's being right."""

    def loss(numbers: Floats) -> float:
        return cross_entropy(form(numbers, cases), cases.is_right) + 1e-3 * float(np.sum((numbers - start) ** 2))

    found = minimize(loss, np.array(start), method="Nelder-Mead", options={"maxfev": MOST_EVALUATIONS})
    return np.asarray(found.x, dtype=np.float64)


def cross_entropy(top: Floats, is_right: Flags) -> float:
    """Return the mean of minus the logarithm of what came out."""
    inside = np.clip(top, 1e-6, 1 - 1e-6)
    return float(-np.mean(np.where(is_right, np.log(inside), np.log(1 - inside))))


# ── What is reported ──────────────────────────────────────────────────────────────────────────────────────────────


def summary(cases: Scored) -> dict[str, object]:
    """Return all that is reported."""
    form, start = FORMS["power, none on average"]
    numbers = fitted(form, start, cases)
    top = form(numbers, cases)
    divisor = np.exp(numbers[0]) * cases.observations ** np.exp(numbers[1])
    odds = cases.average / divisor - weights(cases, divisor)[1]
    return {
        "phenopackets": len(top),
        "clusters": int(cases.cluster.max()) + 1,
        "right": rounded(np.mean(cases.is_right)),
        "nothing left of the right disease": rounded(np.mean(cases.is_empty)),
        "none of the diseases told from the others": rounded(area(odds[cases.is_empty], odds[~cases.is_empty])),
        "correlation within clusters": rounded(correlation_within(top, cases.is_right, cases.cluster)),
        "ece of a calibrated method": rounded(chance_error(top, cases.is_right, cases.cluster)),
        "the same without correlation": rounded(chance_error(top, cases.is_right, np.arange(len(top)))),
        "ece": rounded(calibration_error(top, cases.is_right)),
        "reliability": reliability(top, cases.is_right),
        "forms, held out": {name: held_out(*one, cases) for name, one in FORMS.items()},
    }


def held_out(form: Form, start: tuple[float, ...], cases: Scored) -> dict[str, float]:
    """Judge a form on diseases and papers that it was not fitted on."""
    rows = []
    for seed in range(REPETITIONS):
        part = np.random.default_rng(seed).permutation(cases.cluster.max() + 1)[cases.cluster] % PARTS
        top = np.zeros(len(part))
        for one in range(PARTS):
            inside = np.flatnonzero(part == one)
            top[inside] = form(fitted(form, start, cases.only(np.flatnonzero(part != one))), cases.only(inside))
        squares = float(np.mean((top - cases.is_right) ** 2))
        rows.append((calibration_error(top, cases.is_right), cross_entropy(top, cases.is_right), squares))
    return dict(zip(("ece", "cross-entropy", "brier"), map(rounded, np.mean(rows, axis=0)), strict=True))


def reliability(top: Floats, is_right: Flags) -> list[dict[str, float | int]]:
    """Return how sure the first disease is said to be, and how often it is right, in bins of equal width."""
    bins = np.minimum((top * BINS).astype(int), BINS - 1)
    return [
        {"said": rounded(top[bins == one].mean()), "is": rounded(is_right[bins == one].mean()), "cases": int(count)}
        for one, count in enumerate(np.bincount(bins, minlength=BINS))
        if count
    ]


def area(first: Floats, second: Floats) -> float:
    """Return how often a value of the first is above one of the second."""
    return float(np.mean([np.mean(one > second) for one in first])) if len(first) and len(second) else 0.5


if __name__ == "__main__":
    main()
