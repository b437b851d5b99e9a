"""IDX files, the form in which MNIST is published: a magic number, the sizes, then bytes."""

from __future__ import annotations

import gzip
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError

GZIP = b"\x1f\x8b"
UNSIGNED_BYTE = 0x08
"""The one type of value that MNIST's files have."""


def read_bytes(path: Path) -> bytes:
    """Return what a file holds, unpacked if it is gzip, whatever its name."""
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if content.startswith(GZIP) else content
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise MooseError(f"{path}: is damaged or cut short ({error}); get it again") from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise MooseError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None


def parse_idx(content: bytes, *, dimensions: int, where: str) -> NDArray[np.uint8]:
    """Read an array of unsigned bytes with so many dimensions.

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
    expected_size = int(np.prod(shape, dtype=object))
    if len(content) - header != expected_size:
        sizes = " × ".join(str(extent) for extent in shape)
        raise MooseError(
            f"{where}: expected {expected_size:,} bytes for {sizes}, but {len(content) - header:,} follow the header; "
            "the file is cut short or damaged, get it again"
        )
    return np.frombuffer(content, dtype=np.uint8, offset=header).reshape(shape)
