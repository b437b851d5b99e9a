"""From images and a regime to examples: which images stand together, what is observed, what is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pool, Positions
from moose.datasets.base.regimes import Regime, for_unseen
from moose.datasets.base.request import Request
from moose.datasets.base.subjects import meanings
from moose.learning.examples import Examples

Signs = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How instances are drawn from a pool."""

    count: int
    """How many instances; images come up again once all have been used."""
    sources: tuple[str, ...]
    """What the first individual's image may show."""
    is_shuffled: bool
    """Whether the first individuals' images come in a random order, rather than as they stand."""


def make_splits(request: Request, pools: Mapping[str, Pool]) -> dict[str, Examples]:
    """Draw the examples of every split from pools of images: `train`, `test` and, where there is one, `held_out`."""
    regime = request.regime
    allowed = regime.subject.labels
    if request.inductive:
        if not regime.held_back:
            raise MooseError(f"the regime {regime.name} has no inductive split; mnist2 and mnist3 have one")
        allowed = tuple(label for label in allowed if label not in regime.held_back)
    train = len(pools["train"]) if request.count is None else request.count
    splits = {
        "train": make_examples(regime, pools["train"], _stream(request, "train"), Drawing(train, allowed, True)),
        "test": make_examples(
            regime, pools["test"], _stream(request, "test"), _tested(request, pools["test"], allowed)
        ),
    }
    if request.inductive:
        drawing = _tested(request, pools["test"], regime.held_back)
        splits["held_out"] = make_examples(regime, pools["test"], _stream(request, "held_out"), drawing)
    elif regime.shows_unseen:
        pool = pools["held_out"]
        drawing = _tested(request, pool, pool.names)
        splits["held_out"] = make_examples(for_unseen(regime), pool, _stream(request, "held_out"), drawing)
    return splits


def make_examples(regime: Regime, pool: Pool, generator: np.random.Generator, drawing: Drawing) -> Examples:
    """Draw instances from one pool."""
    rows = choose_images(regime, pool, generator, drawing)
    truth = truth_table(regime, pool.names)[pool.labels[rows]]
    evidence = draw_evidence(regime, truth, generator)
    return Examples(
        task=regime.task,
        inputs=torch.from_numpy(pool.images[rows]),
        evidence=torch.from_numpy(evidence),
        truth=torch.from_numpy(truth),
    )


def choose_images(regime: Regime, pool: Pool, generator: np.random.Generator, drawing: Drawing) -> Positions:
    """Return for each instance and individual an image: the first as they come, the others any of the right label."""
    is_source = np.isin(pool.labels, [label for label, name in enumerate(pool.names) if name in drawing.sources])
    candidates = np.flatnonzero(is_source)
    if drawing.count and not len(candidates):
        raise MooseError(f"there is no image of {', '.join(drawing.sources)} for {regime.name}; check the data set")
    columns = [passes(candidates, drawing.count, generator if drawing.is_shuffled else None)]
    for step in regime.steps[1:]:
        wanted = (pool.labels[columns[0]] + step) % len(pool.names)
        columns.append(partners(pool, wanted, generator))
    return np.stack(columns, axis=1)


def passes(candidates: Positions, count: int, generator: np.random.Generator | None) -> Positions:
    """Go through the candidates as often as needed, each time in another order if there is a generator."""
    if not count:
        return np.zeros(0, dtype=np.int64)
    rounds = -(-count // len(candidates))
    orders = [candidates if generator is None else generator.permutation(candidates) for _ in range(rounds)]
    return np.concatenate(orders)[:count]


def partners(pool: Pool, wanted: Positions, generator: np.random.Generator) -> Positions:
    """Choose an image for each wanted label, any of that label being as likely."""
    chosen = np.zeros(len(wanted), dtype=np.int64)
    for label, name in enumerate(pool.names):
        rows = np.flatnonzero(wanted == label)
        images = np.flatnonzero(pool.labels == label)
        if len(rows) and not len(images):
            raise MooseError(f"there is no image of {name} to go with the others; check the data set")
        if len(rows):
            chosen[rows] = generator.choice(images, size=len(rows))
    return chosen


def truth_table(regime: Regime, names: tuple[str, ...]) -> Signs:
    """Return label × concept: +1 what holds of a label, -1 what does not."""
    known = meanings(regime.subject, regime.task)
    rows = [[1 if concept.name in known[name] else -1 for concept in regime.task.concepts] for name in names]
    return np.array(rows, dtype=np.int8).reshape(len(names), len(regime.task.concepts))


def draw_evidence(regime: Regime, truth: Signs, generator: np.random.Generator) -> Signs:
    """Observe `least` to `most` different atoms of the pool in each instance, with the sign that they have.

    Each atom gets a random key, and the atoms with the smallest keys are observed: every choice is equally likely.
    """
    columns = [column for column, concept in enumerate(regime.task.concepts) if concept.name in regime.pool]
    signs = truth[:, :, columns].reshape(len(truth), -1)
    keys = generator.random(signs.shape)
    wanted = generator.integers(regime.least, regime.most, size=len(truth), endpoint=True)
    if regime.only_positive:
        keys[signs < 0] = np.inf
    ranks = keys.argsort(axis=1).argsort(axis=1)
    is_observed = (ranks < wanted[:, None]) & np.isfinite(keys)
    evidence = np.zeros_like(truth)
    evidence[:, :, columns] = np.where(is_observed, signs, 0).reshape(len(truth), truth.shape[1], -1)
    return evidence


def _tested(request: Request, pool: Pool, sources: tuple[str, ...]) -> Drawing:
    """Show each test image once as the first individual, in the order of the pool, unless fewer or more are wanted."""
    is_source = np.isin(pool.labels, [label for label, name in enumerate(pool.names) if name in sources])
    count = int(is_source.sum()) if request.test_count is None else request.test_count
    # A part is taken at random: pools may stand in the order of their labels.
    return Drawing(count, sources, is_shuffled=count < int(is_source.sum()))


def _stream(request: Request, split: str) -> np.random.Generator:
    """Return a generator of its own for each split, so that the size of one does not change another."""
    return np.random.default_rng([request.seed, crc32(split.encode())])
