"""MNIST: 70,000 real handwritten digits, from IDX files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pixels, Pool
from moose.datasets.base.regimes import DIGITS
from moose.datasets.base.request import Request, Source, Tell, data_folder, needs_library
from moose.datasets.mnist_files.idx import parse_idx, read_bytes

if TYPE_CHECKING:
    from moose.learning.examples import Examples

COUNT = 10_000
"""Instances to train on, as in the paper."""
HOW = "run `moose data get mnist`, or name the folder that has the four IDX files"


@dataclass(frozen=True, slots=True)
class Part:
    """One published file."""

    name: str
    dimensions: int
    digest: str
    """SHA-256 of the unpacked file: archives of the same file differ."""


IMAGES = {
    "train": Part("train-images-idx3-ubyte", 3, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
    "test": Part("t10k-images-idx3-ubyte", 3, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
}
LABELS = {
    "train": Part("train-labels-idx1-ubyte", 1, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
    "test": Part("t10k-labels-idx1-ubyte", 1, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
}
PARTS = (*IMAGES.values(), *LABELS.values())


def find_part(folder: Path, part: Part) -> Path | None:
    """Return the file, plain or gzip, under the names that are in use for it."""
    spellings = (part.name, part.name.replace("-idx", ".idx"))
    names = [f"{spelling}{ending}" for spelling in spellings for ending in ("", ".gz")]
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read_part(folder: Path, part: Part) -> Pixels:
    """Read one file and check that it is the published one."""
    path = find_part(folder, part)
    if path is None:
        raise MooseError(f"{folder}: expected MNIST's file {part.name} or {part.name}.gz, but it is not there; {HOW}")
    content = read_bytes(path)
    values = parse_idx(content, dimensions=part.dimensions, where=str(path))
    check_digest(content, part, where=str(path))
    return values


def check_digest(content: bytes, part: Part, *, where: str) -> None:
    """Refuse a file that is not the published one."""
    found = sha256(content).hexdigest()
    if found != part.digest:
        raise MooseError(
            f"{where}: expected MNIST's {part.name} with SHA-256 {part.digest[:12]}…, but it has {found[:12]}…; "
            "delete it and run `moose data get mnist`"
        )


def read_pool(folder: Path, split: str) -> Pool:
    """Read the images and labels of a split."""
    images = read_part(folder, IMAGES[split])
    labels = read_part(folder, LABELS[split])
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
    """Say which file is missing."""
    place = folder or data_folder("mnist")
    absent = [part.name for part in PARTS if find_part(place, part) is None]
    if absent:
        return f"{place}: expected MNIST's {' and '.join(absent)}, but there is no such file; {HOW}"
    return needs_library("PIL", "Pillow", "the data set mnist")


def get(folder: Path | None, tell: Tell) -> Path:
    """Fetch the files that are not there yet."""
    from moose.datasets.mnist_files.fetching import fetch_mnist

    place = folder or data_folder("mnist")
    fetch_mnist(place, tell)
    return place


SOURCE = Source(
    summary="70,000 real handwritten digits, 28×28; `moose data get mnist` fetches them (11 MB)",
    subject="digits",
    open=open_mnist,
    missing=missing,
    get=get,
)
