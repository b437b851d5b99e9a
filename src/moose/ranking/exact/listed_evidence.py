"""The evidence of a case by what is learnt of listing: further coins, and who looked for what is excluded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from moose.base.integer_arrays import consecutive
from moose.ranking.exact.evidence import Evidence
from moose.ranking.findings import Flags, Floats
from moose.ranking.hypotheses import Coins, Hypotheses, log_off
from moose.ranking.noise import Listing, crowding
from moose.ranking.relations import DIRECT, GENERAL, RELATED, CoinArrays

OFF, LOOKED_FOR, ON = range(3)
"""Of a hypothesis and a finding: the logarithm of how likely the further coins are off; that of how likely it was
looked for if it is excluded, against by chance; and how likely any coin at it or below it is on."""


def listed_evidence(
    hypotheses: Hypotheses,
    listing: Listing,
    findings: Sequence[int],
    is_present: Flags,
    *,
    replaced: Coins | None = None,
) -> Evidence:
    """Return the evidence of findings that are listed as present or as excluded.

    P(listed as excluded) is that of looking for it, which depends on the hypothesis only, times 1 if it is not there;
    it stands here against that of looking for it by chance, which is the same for all hypotheses.
    """
    chance = np.array([by_chance(hypotheses, listing, one)[0] for one in findings])
    numbers = listed_numbers(hypotheses, listing, findings, replaced=replaced)
    if_off, if_on = np.where(is_present, chance, 1.0), np.where(is_present, 1.0, 1.0 - listing.excludes)
    log_factors = np.where(is_present, 0.0, numbers[..., LOOKED_FOR])
    alone = (if_off + numbers[..., ON] * (if_on - if_off)) * np.exp(log_factors)
    return Evidence(
        tuple(findings), if_off, if_on, numbers[..., OFF], log_factors, log_average=np.log(hypotheses.priors @ alone)
    )


def by_chance(hypotheses: Hypotheses, listing: Listing, finding: int) -> tuple[float, float]:
    """Return how likely a finding is listed as present by chance, and as excluded."""
    content = float(hypotheses.relations.content[finding])
    excluded = listing.looked_for_chance * np.exp(-listing.looked_for_chance_power * content)
    return listing.chance * float(np.exp(-listing.chance_power * content)), float(excluded)


def listed_numbers(
    hypotheses: Hypotheses, listing: Listing, findings: Sequence[int], *, replaced: Coins | None = None
) -> Floats:
    """Return the numbers OFF, LOOKED_FOR and ON of each hypothesis for each finding."""
    found = np.empty((hypotheses.count, len(findings), 3))
    own = [(owner, coin) for owner, row in enumerate((replaced or {}).values()) for coin in row]
    others = hypotheses.arrays_of([coin for _, coin in own], [owner for owner, _ in own], len(replaced or {}))
    for position, finding in enumerate(findings):
        found[:, position] = hypotheses.listed_numbers.get(finding, partial(numbers_of, hypotheses, listing))
        if replaced:
            rows = hypotheses.relations.related(others, finding)
            off = others_off(hypotheses, listing, others, finding)
            chance = by_chance(hypotheses, listing, finding)[1]
            found[list(replaced), position] = with_further(
                listing, rows, others.counts, chance, off + leak_off(hypotheses, finding)
            )
    return found


def numbers_of(hypotheses: Hypotheses, listing: Listing, finding: int) -> Floats:
    """Return the numbers OFF, LOOKED_FOR and ON of each hypothesis for one finding."""
    relations, chance = hypotheses.relations, by_chance(hypotheses, listing, finding)[1]
    off = coins_off(hypotheses, finding) + leak_off(hypotheses, finding)
    return with_further(listing, relations.to(finding), relations.coins.counts, chance, off)


def leak_off(hypotheses: Hypotheses, finding: int) -> float:
    """Return the logarithm of how likely a finding is not there, and listed, by a leak."""
    return float(hypotheses.log_leak_off[hypotheses.findings.below(finding)].sum())


def coins_off(hypotheses: Hypotheses, finding: int) -> Floats:
    """Return the logarithm of how likely no coin of each hypothesis at a finding or below it is on and listed."""
    rows, below = hypotheses.coin_rows, hypotheses.findings.below(finding)
    starts = rows.pointers[below]
    entries = consecutive(starts, rows.pointers[below + 1] - starts)
    return np.bincount(rows.hypotheses[entries], rows.log_off[entries], hypotheses.count).astype(np.float64)


def others_off(hypotheses: Hypotheses, listing: Listing, others: CoinArrays, finding: int) -> Floats:
    """Return the same of coins that some hypotheses have instead."""
    inside = np.isin(others.findings, hypotheses.findings.below(finding))
    shares = listing.shares(others.counts)[others.owners[inside]]
    return np.bincount(others.owners[inside], log_off(others.frequencies[inside] * shares), others.count).astype(float)


def with_further(listing: Listing, relations: Floats, counts: Floats, chance: float, log_off_own: Floats) -> Floats:
    """Return OFF, LOOKED_FOR and ON of some hypotheses for one finding, by how their coins are related to it."""
    crowd = crowding(counts, listing.few, listing.many_power)
    looked = crowding(counts, listing.few, listing.looked_for_many_power)
    near = np.exp(listing.nearness * relations[:, RELATED])
    off = np.log1p(-listing.general * crowd * relations[:, GENERAL]) + np.log1p(-listing.related * crowd * near)
    by_hypothesis = listing.looked_for * (relations[:, DIRECT] > 0) + listing.looked_for_related * near
    by_hypothesis += listing.looked_for_general * relations[:, GENERAL]
    return np.column_stack([off, np.log1p(looked * by_hypothesis / chance), -np.expm1(off + log_off_own)])
