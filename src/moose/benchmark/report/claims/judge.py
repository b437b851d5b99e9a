"""What the paper says of its results, a row a claim, and how our results bear on each.

Claims are about relations within one set of results, so ours are compared with each other and never with the paper's
numbers; only the sizes of circuits are. The criteria stand at the head of `claim_checks`, and `criteria` tells them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moose.benchmark.plans.plans import SMOKE
from moose.benchmark.report.claims.appendix_claims import CLOSURE_CLAIMS, FURTHER_CLAIMS
from moose.benchmark.report.claims.checks import CLOSE, CLUSTER, FEWEST, NEAR_CHANCE, NEAR_PERFECT, TENS
from moose.benchmark.report.claims.evidence import attempt, gather, in_words
from moose.benchmark.report.claims.headline_claims import DIGIT_CLAIMS, PIZZA_CLAIMS
from moose.benchmark.report.model.model import Claim
from moose.benchmark.statistics.statistics import ALPHA
from moose.benchmark.store.records import Record

CLAIMS = (*DIGIT_CLAIMS, *PIZZA_CLAIMS, *CLOSURE_CLAIMS, *FURTHER_CLAIMS)


def judge_claims(results: Mapping[str, Sequence[Record]], *, scale: str) -> tuple[Claim, ...]:
    """Judge each claim by the records of each plan, all of them of one scale; at the smoke scale none is judged.

    >>> claims = judge_claims({}, scale="standard")
    >>> {claim.finding for claim in claims}
    {'not tested'}
    """
    given = gather(results)
    outcomes = [(row, attempt(row.check, given)) for row in CLAIMS]
    return tuple(
        Claim(row.key, row.text, row.place, "not tested" if scale == SMOKE else one.finding, in_words(one, scale))
        for row, one in outcomes
    )


def criteria(scale: str) -> tuple[str, ...]:
    """Say by what claims are judged, in paragraphs."""
    smoke = (
        f"At the {SMOKE} scale no claim is judged: its runs are too short and too few to say anything of them. Where "
        "there are figures, they are given all the same."
    )
    words = (
        "What the paper says of its results, in our words, and whether ours bear it out. Ours are compared with each "
        "other, over the seeds that all rows of a comparison have run. More accurate, and the best of a column, is by "
        "the mean; a difference that would be written as 0.0 points makes nothing better. "
        f"Alike, or at no cost: within {_points(CLOSE)} points; several rows close together: within "
        f"{_points(CLUSTER)}. Tens of points: at least {_points(TENS)}; a few points: less than {_points(TENS)}. Near "
        f"chance: at most {_points(NEAR_CHANCE)} %; near perfect: at least {_points(NEAR_PERFECT)} %. A difference is "
        f"significant if Wilcoxon's paired test with Holm's correction over the paper's rows has p at most {ALPHA:g}; "
        f"it is not tested with fewer than {FEWEST} shared seeds, or with so few that p could not be as small."
    )
    return (smoke, words) if scale == SMOKE else (words,)


def _points(share: float) -> str:
    return f"{100 * share:.0f}"
