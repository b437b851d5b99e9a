"""A ranking as rows for programs and pages: the first hypotheses, why they are first, and what to look for next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from moose.ranking.hypotheses import Hypotheses
from moose.ranking.rank import Ranking
from moose.ranking.reasons import Comparison, Reasons

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is reported of each case."""

    hypotheses: int = 10
    explained: int = 3
    """For how many of them reasons are given."""
    questions: int = 5
    costs: Mapping[str, float] = field(default_factory=dict)


def report_of(ranking: Ranking, detail: Detail) -> Row:
    """Return what is said of one case."""
    hypotheses = ranking.hypotheses
    top = ranking.top(detail.hypotheses)
    rows = [
        {
            "rank": one.rank,
            "hypothesis": one.name,
            "shown": hypotheses.shown(one.name),
            "probability": one.probability,
            "prior": one.prior,
            **(reason_rows(ranking.reasons(one.name), hypotheses) if one.rank <= detail.explained else {}),
        }
        for one in top
    ]
    comparison = ranking.compare(top[0].name, top[1].name) if len(top) > 1 else None
    questions = ranking.questions(detail.questions, costs=detail.costs) if detail.questions else ()
    return {
        "case": ranking.case.name,
        "truth": ranking.case.truth or None,
        "present": [shown_finding(hypotheses, one) for one in ranking.case.present],
        "absent": [shown_finding(hypotheses, one) for one in ranking.case.absent],
        "left_out": list(ranking.left_out),
        "hypotheses": rows,
        "none": ranking.none,
        "comparison": comparison_row(comparison, hypotheses) if comparison else None,
        "questions": [
            {
                "finding": one.finding,
                "shown": hypotheses.shown(one.finding),
                "gain_bits": one.gain,
                "probability": one.probability,
                "cost": one.cost,
            }
            for one in questions
        ],
    }


def shown_finding(hypotheses: Hypotheses, text: str) -> str:
    """Return what people read for a finding of a case; one that is not known stands as it is."""
    try:
        return hypotheses.shown(hypotheses.spelling.finding(text))
    except ValueError:
        return text


def reason_rows(reasons: Reasons, hypotheses: Hypotheses) -> Row:
    """Return what speaks for and against a hypothesis."""
    return {
        "observations": [
            {
                "finding": shown_finding(hypotheses, one.observations[0].finding),
                "present": [each.is_present for each in one.observations],
                "bits": one.bits,
                "probability": one.probability,
            }
            for one in reasons.observations
        ],
        "axioms": [
            {
                "finding": hypotheses.shown(hypotheses.findings.names[one.coin.finding]),
                "frequency": one.coin.frequency,
                "source": one.coin.source,
                "bits": one.bits,
                "sensitivity": one.sensitivity,
            }
            for one in reasons.axioms
        ],
    }


def comparison_row(comparison: Comparison, hypotheses: Hypotheses) -> Row:
    """Return what speaks for the first of two hypotheses rather than for the second."""
    return {
        "first": comparison.first,
        "first_shown": hypotheses.shown(comparison.first),
        "second": comparison.second,
        "second_shown": hypotheses.shown(comparison.second),
        "bits": comparison.bits,
        "prior_bits": comparison.prior_bits,
        "differences": [
            {
                "observations": [
                    ("" if each.is_present else "not ") + shown_finding(hypotheses, each.finding)
                    for each in one.observations
                ],
                "bits": one.bits,
            }
            for one in comparison.differences
        ],
    }
