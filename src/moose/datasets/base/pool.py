"""Images and what each shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError

Pixels = NDArray[np.uint8]
Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Images to make instances of, each with the label of what it shows."""

    images: Pixels
    """image × channel × height × width"""
    labels: Positions
    """Positions in `names`."""
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.images.ndim != 4 or len(self.images) != len(self.labels):
            raise MooseError(
                f"expected as many images (image, channel, height, width) as labels, but got images of shape "
                f"{self.images.shape} and {len(self.labels)} labels"
            )

    def __len__(self) -> int:
        return len(self.images)

    def take(self, rows: Positions) -> Pool:
        """Return some of the images."""
        return Pool(self.images[rows], self.labels[rows], self.names)


def split_pool(pool: Pool, test_share: float, *, seed: int = 0) -> tuple[Pool, Pool]:
    """Part a pool into images to train and to test on, the same share of each label; none is in both.

    The seed is not that of an experiment: every experiment is tested on the same images.
    """
    generator = np.random.default_rng(seed)
    to_train: list[Positions] = []
    to_test: list[Positions] = []
    for label in range(len(pool.names)):
        rows = generator.permutation(np.flatnonzero(pool.labels == label))
        cut = round(len(rows) * test_share)
        to_test.append(rows[:cut])
        to_train.append(rows[cut:])
    return pool.take(np.sort(np.concatenate(to_train))), pool.take(np.sort(np.concatenate(to_test)))
