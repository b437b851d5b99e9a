"""Cases to learn a listing from: how some hypotheses are related to what is listed, and the gradient of the loss.

The loss of a case is minus the logarithm of the posterior of what turned out to hold: of the likeliest hypotheses of
the case and a sample of the others, each observation by itself, which differs little from the exact likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moose.ranking.findings import Flags, Floats, Numbers
from moose.ranking.noise import Listing
from moose.ranking.posterior import Posterior, log_sum
from moose.ranking.relations import DIRECT, GENERAL, RELATED

LIKELIEST, SAMPLED = 250, 150


@dataclass(frozen=True, eq=False)
class Example:
    """A case: some hypotheses, how they are related to its findings, and which turned out to hold."""

    relations: Floats
    """By hypothesis and finding, the columns of `Relations.to`."""
    is_present: Flags
    content: Floats
    counts: Floats
    log_weights: Floats
    """Of each hypothesis the logarithm of its prior; of a sampled one, times how many it stands for."""
    truth: int | None
    """Its position; nothing, if none of the hypotheses holds."""
    name: str
    """Of what turned out to hold."""


def example_of(posterior: Posterior, chance: np.random.Generator) -> Example | None:
    """Return what there is to learn from a case; nothing, if it lists no finding."""
    hypotheses, observed, case = posterior.hypotheses, posterior.observed, posterior.observed.case
    if not observed.findings:
        return None
    truth = truth_of(posterior)
    chosen, log_weights = sample(posterior, truth, chance)
    relations = hypotheses.relations
    findings = observed.findings
    rows = np.stack([relations.to(finding)[chosen] for finding in findings], axis=1)
    counts = relations.coins.counts[chosen]
    for number, coins in posterior.replaced.items():
        for place in np.flatnonzero(chosen == number).tolist():
            others = hypotheses.arrays_of(coins, [0] * len(coins), 1)
            rows[place] = np.stack([relations.related(others, finding)[0] for finding in findings])
            counts[place] = len(coins)
    return Example(
        rows.astype(np.float32),
        np.array([any(one.is_present for one in row) for row in observed.observations], dtype=np.bool_),
        relations.content[list(findings)],
        counts,
        log_weights,
        None if truth is None else int(np.flatnonzero(chosen == truth)[0]),
        case.truth,
    )


def truth_of(posterior: Posterior) -> int | None:
    """Return the number of the hypothesis that turned out to hold; nothing, if it is none of those with coins."""
    number = posterior.hypotheses.find(posterior.observed.case.truth)
    return number if number is not None and posterior.probabilities[number] > 0 else None


def sample(posterior: Posterior, truth: int | None, chance: np.random.Generator) -> tuple[Numbers, Floats]:
    """Return the likeliest hypotheses, what holds, and some of the others with how many each stands for."""
    order = np.argsort(-posterior.probabilities, kind="stable")
    order = order[posterior.likelihoods.total[order] > -np.inf]
    likeliest = np.unique(np.append(order[:LIKELIEST], [] if truth is None else [truth]).astype(np.int64))
    rest = np.setdiff1d(order, likeliest)
    drawn = chance.choice(rest, min(SAMPLED, len(rest)), replace=False)
    chosen = np.concatenate([likeliest, drawn])
    log_weights = posterior.hypotheses.log_priors[chosen]
    if len(drawn):
        log_weights[len(likeliest) :] += np.log(len(rest) / len(drawn))
    return chosen, log_weights


# ── The loss and its gradient ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Cells:
    """The logarithm of how likely each observation is under each hypothesis, and what it was computed from."""

    log_likely: Floats
    crowd: Floats
    looked: Floats
    near: Floats
    parts: tuple[Floats, Floats, Floats]
    """How likely a finding is there to be listed: directly, by a more general one, by a similar one."""
    off: Floats
    chance: Floats
    by_hypothesis: Floats
    by_chance: Floats
    """How likely a finding is looked for because of the hypothesis, and by chance."""


def cells_of(one: Example, now: Listing) -> Cells:
    """Return the same numbers as `listed_evidence` does, each observation by itself."""
    direct, general, related = (one.relations[..., way].astype(np.float64) for way in (DIRECT, GENERAL, RELATED))
    base = (1 + one.counts / now.few)[:, None]
    crowd, looked = base**-now.many_power, base**-now.looked_for_many_power
    near = np.exp(now.nearness * related)
    parts = (now.direct * crowd * direct, now.general * crowd * general, now.related * crowd * near)
    off = (1 - parts[0]) * (1 - parts[1]) * (1 - parts[2])
    chance = now.chance * np.exp(-now.chance_power * one.content)
    by_hypothesis = now.looked_for * (direct > 0) + now.looked_for_general * general + now.looked_for_related * near
    by_chance = now.looked_for_chance * np.exp(-now.looked_for_chance_power * one.content)
    present = np.log1p(-off * (1 - chance))
    excluded = np.log1p(looked * by_hypothesis / by_chance) + np.log1p(-now.excludes * (1 - off))
    log_likely = np.where(one.is_present, present, excluded)
    return Cells(log_likely, crowd, looked, near, parts, off, chance, by_hypothesis, by_chance)


def loss_and_gradient(one: Example, now: Listing) -> tuple[float, dict[str, float]]:
    """Return minus the logarithm of the posterior of what holds, and its derivative by every number of the listing."""
    cells = cells_of(one, now)
    count = len(one.is_present)
    divisor = now.sharpness(count)
    weights = np.exp(one.log_weights)
    alone = weights[:, None] * np.exp(cells.log_likely)
    average = alone.sum(axis=0)
    totals = np.append(cells.log_likely.sum(axis=1), np.log(average / weights.sum()).sum())
    log_priors = np.append(one.log_weights + np.log1p(-now.unexplained), np.log(now.unexplained))
    scores = log_priors + totals / divisor
    log_shares = scores - log_sum(scores)  # not the shares' logarithms, which are infinite where a share is lost
    shares = np.exp(log_shares)
    right = len(shares) - 1 if one.truth is None else one.truth
    pull = shares.copy()
    pull[right] -= 1
    by_cell = (pull[:-1, None] + pull[-1] * alone / average) / divisor
    found = cell_gradient(one, now, cells, by_cell)
    slope = -float(pull @ totals) / divisor**2
    found["temperature"] = slope * divisor / now.temperature
    found["redundancy"] = slope * divisor * float(np.log(count))
    found["unexplained"] = float(pull[-1] / now.unexplained - pull[:-1].sum() / (1 - now.unexplained))
    return -float(log_shares[right]), found


def cell_gradient(one: Example, now: Listing, cells: Cells, by_cell: Floats) -> dict[str, float]:
    """Carry the derivative by each cell down to the numbers of the listing."""
    present, excluded = np.where(one.is_present, by_cell, 0.0), np.where(one.is_present, 0.0, by_cell)
    kept = 1 - cells.off * (1 - cells.chance)
    listed = 1 - now.excludes * (1 - cells.off)
    by_off = -present * (1 - cells.chance) / kept + excluded * now.excludes / listed
    by_parts = [-by_off * cells.off / (1 - part) for part in cells.parts]
    by_chance = (present * cells.off / kept).sum(axis=0)
    odds = cells.looked * cells.by_hypothesis / cells.by_chance
    by_log_odds = excluded * odds / (1 + odds)
    by_looking = excluded * cells.looked / cells.by_chance / (1 + odds)
    direct, general, related = (one.relations[..., way] for way in (DIRECT, GENERAL, RELATED))
    by_near = by_parts[2] * now.related * cells.crowd + by_looking * now.looked_for_related
    crowded = sum(change * part for change, part in zip(by_parts, cells.parts, strict=True))
    log_base = np.log1p(one.counts / now.few)[:, None]
    by_log_base = -now.many_power * crowded - now.looked_for_many_power * by_log_odds
    return {
        "chance": float((by_chance * cells.chance).sum()) / now.chance,
        "chance_power": -float((by_chance * cells.chance * one.content).sum()),
        "direct": float((by_parts[0] * cells.parts[0]).sum()) / now.direct,
        "general": float((by_parts[1] * cells.parts[1]).sum()) / now.general,
        "related": float((by_parts[2] * cells.parts[2]).sum()) / now.related,
        "nearness": float((by_near * cells.near * related).sum()),
        "few": float((by_log_base * (-one.counts / now.few / (now.few + one.counts))[:, None]).sum()),
        "many_power": -float((crowded * log_base).sum()),
        "looked_for": float((by_looking * (direct > 0)).sum()),
        "looked_for_general": float((by_looking * general).sum()),
        "looked_for_related": float((by_looking * cells.near).sum()),
        "looked_for_chance": -float(by_log_odds.sum()) / now.looked_for_chance,
        "looked_for_chance_power": float((by_log_odds * one.content).sum()),
        "looked_for_many_power": -float((by_log_odds * log_base).sum()),
        "excludes": -float((excluded * (1 - cells.off) / listed).sum()),
    }
