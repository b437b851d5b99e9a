"""MNIST: 70,000 real handwritten digits, from IDX files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pool
from moose.datasets.base.regimes import DIGITS
from moose.datasets.base.request import Request, Source, Tell, data_folder, needs_library
from moose.datasets.mnist_files.published import HOW, IMAGES, LABELS, PUBLISHED, find_file, read_file

if TYPE_CHECKING:
    from moose.learning.examples import Examples

COUNT = 10_000
"""Instances to train on, as in the paper."""


def read_pool(folder: Path, split: str) -> Pool:
    """Read the images and labels of a split."""
    images = read_file(folder, IMAGES[split])
    labels = read_file(folder, LABELS[split])
    if len(images) != len(labels):
        raise MooseError(f"{folder}: there are {len(images):,} images of {split}, but {len(labels):,} labels")
    if labels.size and labels.max() > 9:
        raise MooseError(f"{folder}: expected labels 0 to 9 in {LABELS[split].name}, but found {labels.max()}")
    return Pool(images[:, None], labels.astype(np.int64), DIGITS)


def open_mnist(request: Request) -> Mapping[str, Examples]:
    """Draw instances from MNIST's own two sets of images."""
    from moose.datasets.base.instances import make_splits
    from moose.datasets.base.resizing import resized

    if reason := missing(request.folder):
        raise MooseError(reason)
    folder = request.folder or data_folder("mnist")
    pools = {split: resized(read_pool(folder, split), request.size) for split in IMAGES}
    return make_splits(replace(request, count=request.count or COUNT), pools)


def missing(folder: Path | None) -> str | None:
    """Say which file is missing; none if all are there."""
    source = folder or data_folder("mnist")
    absent = [file.name for file in PUBLISHED if find_file(source, file) is None]
    if absent:
        return f"{source}: expected MNIST's {' and '.join(absent)}, but there is no such file; {HOW}"
    return needs_library("PIL", "Pillow", "the data set mnist")


def get(folder: Path | None, tell: Tell) -> Path:
    """Fetch the files that are not there yet."""
    from moose.datasets.mnist_files.fetching import fetch_mnist

    target = folder or data_folder("mnist")
    fetch_mnist(target, tell)
    return target


SOURCE = Source(
    summary="70,000 real handwritten digits, 28×28; `moose data get mnist` fetches them (11 MB)",
    subject="digits",
    open=open_mnist,
    missing=missing,
    get=get,
)
