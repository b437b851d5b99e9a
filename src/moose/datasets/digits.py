"""The 1,797 real handwritten digits that come with scikit-learn: the default, without a download."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pool, split_pool
from moose.datasets.base.regimes import DIGITS
from moose.datasets.base.request import Request, Source, needs_library

if TYPE_CHECKING:
    from moose.learning.examples import Examples

SIZE = 28
"""Pixels along each side, as MNIST has them."""
DARKEST = 16
"""The largest value of a pixel in scikit-learn's digits."""
COUNT = 10_000
"""Instances to train on: many more pairs than images can be made."""
TEST_SHARE = 0.2


def read_pool(size: int = SIZE) -> Pool:
    """Return scikit-learn's digits, scaled from 8×8."""
    from sklearn.datasets import load_digits

    from moose.datasets.base.resizing import resized

    bunch = load_digits()
    images = np.rint(np.asarray(bunch.images) * (255 / DARKEST)).astype(np.uint8)
    return resized(Pool(images[:, None], np.asarray(bunch.target, dtype=np.int64), DIGITS), size)


def open_digits(request: Request) -> Mapping[str, Examples]:
    """Draw instances from the digits; a fifth of the images is for testing, the same for every seed."""
    from moose.datasets.base.instances import make_splits

    if reason := missing(request.folder):
        raise MooseError(reason)
    train, test = split_pool(read_pool(request.size or SIZE), TEST_SHARE)
    return make_splits(replace(request, count=request.count or COUNT), {"train": train, "test": test})


def missing(folder: Path | None) -> str | None:
    """Say which library is missing."""
    del folder
    return needs_library("sklearn", "scikit-learn", "the data set digits") or needs_library(
        "PIL", "Pillow", "the data set digits"
    )


SOURCE = Source(
    summary="1,797 real handwritten digits that come with scikit-learn, scaled to 28×28; no download",
    subject="digits",
    open=open_digits,
    missing=missing,
    has_files=False,
)
