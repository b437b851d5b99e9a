"""Learn how case reports list findings, on phenopackets that share neither paper nor disease with the cases.

The loss is minus the logarithm of the right disease's posterior, by gradient: of the likeliest diseases of each case
and of a sample of the others, each observation by itself, which differs little from the exact likelihood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from scipy.optimize import minimize
from torch import Tensor

from bench.diagnosis_data import Report
from bench.diagnosis_listing import LEAST, Listed, Listing
from bench.diagnosis_relations import DIRECT, GENERAL, RELATED, Relations
from moose.ranking.findings import Floats

LIKELIEST, SAMPLED = 250, 150
STEPS, BATCH, RATE = 600, 32, 0.05
SHARES = (
    *("chance", "direct", "general", "related", "excludes", "unexplained"),
    *("looked_for", "looked_for_general", "looked_for_related", "looked_for_chance"),
)
"""Learnt as logits; the others, which are above 0, as logarithms."""
SEED = 0


@dataclass(frozen=True, eq=False)
class Example:
    """A phenopacket: some diseases, how they are related to its findings, and which is the right one."""

    relations: Tensor
    is_present: Tensor
    content: Tensor
    counts: Tensor
    log_weights: Tensor
    """Of a sampled disease, how many it stands for."""
    right: int
    disease: str


def learn_listing(relations: Relations, reports: Sequence[Report]) -> tuple[Listing, float]:
    """Return what is learnt, and the mean loss at the end."""
    method = Listed(relations, Listing(), is_naive=True)
    examples = [one for report in reports if (one := example(method, report)) is not None]
    often = Counter(one.disease for one in examples)
    weights = torch.tensor([often[one.disease] ** -0.5 for one in examples])
    free = {
        one.name: torch.tensor(unbounded(one.name, getattr(Listing(), one.name)), requires_grad=True)
        for one in fields(Listing)
    }
    optimiser = torch.optim.Adam(list(free.values()), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS)
    source = torch.Generator().manual_seed(SEED)
    for _ in range(STEPS):
        chosen = torch.multinomial(weights, BATCH, replacement=True, generator=source).tolist()
        optimiser.zero_grad()
        now = bounded(free)
        loss = torch.stack([loss_of(now, examples[one]) for one in chosen]).mean()
        loss.backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        now = bounded(free)
        mean = float(torch.stack([loss_of(now, one) for one in examples]).mean())
    return Listing(**{name: round(float(value.detach()), 6) for name, value in now.items()}), mean


def unbounded(name: str, value: float) -> float:
    """Return the number without bounds that stands for a setting."""
    return float(np.log(value / (1 - value)) if name in SHARES else np.log(value))


def bounded(free: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the settings that numbers without bounds stand for."""
    return {name: torch.sigmoid(value) if name in SHARES else torch.exp(value) for name, value in free.items()}


def example(method: Listed, report: Report) -> Example | None:
    """Return a phenopacket to learn from; none if nothing is left of its disease's annotations."""
    relations = method.relations
    right = relations.dated.diseases.numbers.get(report.gold)
    seen = method.observed(report, with_excluded=True, leave_paper_out=True)
    scores = method.log_likelihood(seen)
    if right is None or scores[right] <= LEAST or not seen.findings:
        return None
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > LEAST]
    likeliest = np.unique(np.append(order[:LIKELIEST], right))
    rest = np.setdiff1d(order, likeliest)
    sample = np.random.default_rng(SEED).choice(rest, min(SAMPLED, len(rest)), replace=False)
    chosen = np.concatenate([likeliest, sample])
    log_weights = np.zeros(len(chosen))
    if len(sample):
        log_weights[len(likeliest) :] = np.log(len(rest) / len(sample))
    rows = np.stack([relations.to(finding)[chosen] for finding in seen.findings], axis=1)
    counts = relations.annotated.counts[chosen]
    for number, coins in seen.replaced.items():
        for at in np.flatnonzero(chosen == number).tolist():
            rows[at] = [relations.of_coins(coins, finding) for finding in seen.findings]
            counts[at] = len(coins)
    arrays = (rows, seen.is_present, relations.content[list(seen.findings)], counts, log_weights)
    rows_, present, content, many, weights = (torch.tensor(one, dtype=torch.float32) for one in arrays)
    return Example(rows_, present, content, many, weights, int(np.flatnonzero(chosen == right)[0]), report.gold)


def loss_of(now: dict[str, Tensor], one: Example) -> Tensor:
    """Return minus the logarithm of the right disease's posterior; the same formulas as in `Listed`."""
    direct, general, related = (one.relations[..., way] for way in (DIRECT, GENERAL, RELATED))
    crowd, looked = (
        ((1 + one.counts / now["few"]) ** -now[power])[:, None] for power in ("many_power", "looked_for_many_power")
    )
    near = torch.exp(now["nearness"] * related)
    off = 1 - now["direct"] * crowd * direct
    off = off * (1 - now["general"] * crowd * general) * (1 - now["related"] * crowd * near)
    chance = now["chance"] * torch.exp(-now["chance_power"] * one.content)
    present = torch.log(chance * off + 1 - off)
    by_disease = (
        now["looked_for"] * (direct > 0) + now["looked_for_general"] * general + now["looked_for_related"] * near
    )
    by_chance = now["looked_for_chance"] * torch.exp(-now["looked_for_chance_power"] * one.content)
    excluded = torch.log(1 + looked * by_disease / by_chance) + torch.log(1 - now["excludes"] * (1 - off))
    total = torch.where(one.is_present > 0, present, excluded).sum(dim=1)
    sharpness = now["temperature"] * (1 + now["correlation"] * max(0, len(one.is_present) - 1))
    share = torch.log_softmax(total / sharpness + one.log_weights, dim=0)[one.right].exp()
    return -torch.log((1 - now["unexplained"]) * share + now["unexplained"] / one.log_weights.exp().sum())


# ── How sure to be ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Judged:
    """A case's log-likelihoods, how many observations it has, and the number of the right disease, if it has one."""

    scores: Floats
    observations: int
    right: int | None


def learn_sharpness(listing: Listing, cases: Sequence[Judged]) -> Listing:
    """Return the listing with the temperature, correlation and unexplained share that fit best.

    They make the first disease's probability that of its being right: the cross-entropy is least.
    """
    is_right = np.array([one.right is not None and one.scores[one.right] >= one.scores.max() > LEAST for one in cases])

    def with_numbers(numbers: Floats) -> Listing:
        temperature, correlation = np.exp(numbers[:2])
        return replace(
            listing,
            temperature=float(temperature),
            correlation=float(correlation),
            unexplained=float(1 / (1 + np.exp(-numbers[2]))),
        )

    def loss(numbers: Floats) -> float:
        top = np.clip([confidence(with_numbers(numbers), one) for one in cases], 1e-6, 1 - 1e-6)
        return float(-np.mean(np.where(is_right, np.log(top), np.log(1 - top)))) + 1e-3 * float(numbers @ numbers)

    start = np.array([np.log(listing.temperature), np.log(listing.correlation), -2.0])
    return with_numbers(minimize(loss, start, method="Nelder-Mead", options={"maxfev": 150}).x)


def confidence(listing: Listing, one: Judged) -> float:
    """Return the probability of the likeliest disease."""
    scores = (one.scores - one.scores.max()) / listing.sharpness(one.observations)
    return float((1 - listing.unexplained) / np.exp(scores).sum() + listing.unexplained / len(scores))
