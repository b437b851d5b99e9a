"""MNIST's four files as published: how they are called, what they hold, and that they are the published ones.

They are IDX files: a magic number, the sizes, then bytes.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pixels

GZIP = b"\x1f\x8b"
LARGEST = 1 << 26
"""Bytes of an unpacked file: the largest, the images to train on, has 47,040,016."""
UNSIGNED_BYTE = 0x08
"""The one type of value that MNIST's files have."""
HOW = "run `moose data get mnist`, or name the folder that has the four IDX files"


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One published file."""

    name: str
    dimensions: int
    digest: str
    """SHA-256 of the unpacked file: archives of the same file differ."""


IMAGES = {
    "train": PublishedFile(
        "train-images-idx3-ubyte", 3, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"
    ),
    "test": PublishedFile(
        "t10k-images-idx3-ubyte", 3, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"
    ),
}
LABELS = {
    "train": PublishedFile(
        "train-labels-idx1-ubyte", 1, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"
    ),
    "test": PublishedFile(
        "t10k-labels-idx1-ubyte", 1, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"
    ),
}
PUBLISHED = (*IMAGES.values(), *LABELS.values())


def find_file(folder: Path, file: PublishedFile) -> Path | None:
    """Return the file, plain or gzip, under the names that are in use for it."""
    spellings = (file.name, file.name.replace("-idx", ".idx"))
    names = [f"{spelling}{ending}" for spelling in spellings for ending in ("", ".gz")]
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read_file(folder: Path, file: PublishedFile) -> Pixels:
    """Read one file and check that it is the published one."""
    path = find_file(folder, file)
    if path is None:
        raise MooseError(f"{folder}: expected MNIST's file {file.name} or {file.name}.gz, but it is not there; {HOW}")
    content = read_bytes(path)
    values = parse_idx(content, dimensions=file.dimensions, where=str(path))
    check_digest(content, file, where=str(path))
    return values


def check_digest(content: bytes, file: PublishedFile, *, where: str) -> None:
    """Refuse a file that is not the published one."""
    digest = sha256(content).hexdigest()
    if digest != file.digest:
        raise MooseError(
            f"{where}: expected MNIST's {file.name} with SHA-256 {file.digest[:12]}…, but it has {digest[:12]}…; "
            "delete it and run `moose data get mnist`"
        )


def read_bytes(path: Path) -> bytes:
    """Return what a file holds, unpacked if it is gzip, whatever its name."""
    try:
        with path.open("rb") as stream:
            content = stream.read(len(GZIP))
            stream.seek(0)
            unpacked = gzip.GzipFile(fileobj=stream) if content == GZIP else stream
            content = unpacked.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise MooseError(f"{path}: expected at most {LARGEST:,} bytes, but it holds more; get it again")
        return content
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise MooseError(f"{path}: is damaged or cut short ({error}); get it again") from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise MooseError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None


def parse_idx(content: bytes, *, dimensions: int, where: str) -> NDArray[np.uint8]:
    """Read an array of unsigned bytes with `dimensions` dimensions.

    >>> parse_idx(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1]), dimensions=1, where="labels")
    array([7, 2, 1], dtype=uint8)
    """
    header = 4 + 4 * dimensions
    if len(content) < 4:
        raise MooseError(f"{where}: expected an IDX file, but it has only {len(content)} bytes; get it again")
    if content[:4] != bytes([0, 0, UNSIGNED_BYTE, dimensions]):
        expected = bytes([0, 0, UNSIGNED_BYTE, dimensions]).hex()
        raise MooseError(
            f"{where}: expected an IDX file of bytes in {dimensions} dimension{'s' * (dimensions != 1)}, which opens "
            f"with {expected}, but it opens with {content[:4].hex()}; check which file this is"
        )
    if len(content) < header:
        raise MooseError(f"{where}: the IDX file ends within its header; get it again")
    shape = struct.unpack(f">{dimensions}I", content[4:header])
    expected_size = prod(shape)
    if len(content) - header != expected_size:
        sizes = " × ".join(str(extent) for extent in shape)
        raise MooseError(
            f"{where}: expected {expected_size:,} bytes for {sizes}, but {len(content) - header:,} follow the header; "
            "the file is cut short or damaged, get it again"
        )
    return np.frombuffer(content, dtype=np.uint8, offset=header).reshape(shape)
