"""Pizzas that are drawn here, from the recipes of an ontology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pool
from moose.datasets.base.request import Request, Source, needs_library
from moose.datasets.base.subjects import recipes

if TYPE_CHECKING:
    from moose.learning.examples import Examples

SIZE = 64
COUNTS = {"train": 960, "test": 240, "held_out": 300}
"""Pizzas to draw; as many to train and test on as Pizzaïolo has."""


def draw_pool(  # noqa: PLR0913  # what is drawn, and how
    names: Sequence[str],
    menu: Mapping[str, Sequence[str]],
    *,
    count: int,
    size: int,
    seed: int,
    has_flags: bool = False,
) -> Pool:
    """Draw pizzas, each label in turn; the n-th is the same whatever the count, with a flag or without."""
    from moose.datasets.drawn_pizzas.drawing import draw_pizza

    if not names:
        raise MooseError("expected pizzas to draw in the subject of the regime, but it lists none")
    labels = np.arange(count, dtype=np.int64) % len(names)
    images = [
        draw_pizza(
            menu[names[label]],
            size,
            np.random.default_rng([seed, number]),
            flag=names[label] if has_flags else None,
        )
        for number, label in enumerate(labels.tolist())
    ]
    return Pool(np.stack(images), labels, tuple(names))


def open_pizzas(request: Request, *, has_flags: bool = False) -> Mapping[str, Examples]:
    """Draw as many pizzas as instances are asked for; the pictures to test on are the same for every seed."""
    from moose.datasets.base.instances import make_splits

    if reason := missing(request.folder):
        raise MooseError(reason)
    subject = request.regime.subject
    if not subject.toppings:
        raise MooseError(f"expected toppings to draw in the subject of {request.regime.name}, but it lists none")
    menu = recipes(subject)
    labels = {"train": subject.labels, "test": subject.labels}
    if request.regime.shows_unseen:
        labels["held_out"] = tuple(one.label for one in subject.unseen)
    pools = {
        split: draw_pool(
            names,
            menu,
            count=(request.count if split == "train" else request.test_count) or COUNTS[split],
            size=request.size or SIZE,
            seed=crc32(f"{split} {request.seed if split == 'train' else 0}".encode()),
            has_flags=has_flags,
        )
        for split, names in labels.items()
    }
    return make_splits(request, pools)


def missing(folder: Path | None) -> str | None:
    """Say which library is missing."""
    del folder
    return needs_library("PIL", "Pillow", "the data set pizzas")


SOURCE = Source(
    summary="pizzas drawn from the recipes of an ontology, 64×64 in colour; no download",
    subject="pizzas",
    open=open_pizzas,
    missing=missing,
    has_files=False,
)
