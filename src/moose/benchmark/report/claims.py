"""What the paper says of its results, a row a claim, and how our results bear on each.

Claims are about relations within one set of results, so ours are compared with each other and never with the paper's
numbers; only the sizes of circuits are. The criteria stand at the head of `claim_checks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moose.benchmark.report.claims_appendix import CLOSURE_CLAIMS, FURTHER_CLAIMS
from moose.benchmark.report.claims_headline import DIGIT_CLAIMS, PIZZA_CLAIMS
from moose.benchmark.report.evidence import attempt, gather, in_words
from moose.benchmark.report.model import Claim
from moose.benchmark.store import Record

CLAIMS = (*DIGIT_CLAIMS, *PIZZA_CLAIMS, *CLOSURE_CLAIMS, *FURTHER_CLAIMS)


def judge_claims(results: Mapping[str, Sequence[Record]], *, scale: str) -> tuple[Claim, ...]:
    """Judge each claim by the records of each plan, all of them of one scale.

    >>> claims = judge_claims({}, scale="smoke")
    >>> {claim.finding for claim in claims}
    {'not tested'}
    """
    given = gather(results)
    found = [(row, attempt(row.check, given)) for row in CLAIMS]
    return tuple(Claim(row.key, row.text, row.place, one.finding, in_words(one, scale)) for row, one in found)
