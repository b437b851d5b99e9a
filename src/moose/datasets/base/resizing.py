"""Bring images to one size and one number of channels."""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pixels, Pool

UNREADABLE = (
    OSError, UnidentifiedImageError, SyntaxError, ValueError, Image.DecompressionBombError,
    Image.DecompressionBombWarning, OverflowError, struct.error, IndexError, EOFError, MemoryError,
)  # fmt: skip
"""What Pillow raises on what is no image, or too large a one."""

MOST_PIXELS = 50_000_000
"""What a good camera takes; a file of a few kilobytes can say that it has thousands of times as many."""

GREY = frozenset({"1", "L", "LA", "I", "I;16", "I;16B", "I;16L", "F"})
"""Pillow's names of the kinds of images without colour."""


def resized(pool: Pool, size: int | None) -> Pool:
    """Return the images of a pool with `size` pixels along each side."""
    if size is None or pool.images.shape[2:] == (size, size):
        return pool
    return Pool(np.stack([resize(image, size) for image in pool.images]), pool.labels, pool.names)


def resize(image: Pixels, size: int) -> Pixels:
    """Scale one image (channel × height × width), smoothly."""
    planes = [Image.fromarray(plane).resize((size, size), Image.Resampling.BILINEAR) for plane in image]
    return np.stack([np.asarray(plane, dtype=np.uint8) for plane in planes])


def read_image(path: Path, *, channels: int, size: int | None) -> Pixels:
    """Read an image of any kind (palette, with transparency, grey) as grey or RGB, channel × height × width."""
    try:
        with open_image(path) as image:
            image.load()
            flat = flattened(eight_bits(ImageOps.exif_transpose(image))).convert("L" if channels == 1 else "RGB")
    except FileNotFoundError:
        raise MooseError(f"{path}: expected an image, but there is no such file; check the folder") from None
    except UNREADABLE as error:
        raise MooseError(f"{path}: expected an image, but it cannot be read as one ({error}); get it again") from None
    if size is not None and flat.size != (size, size):
        flat = flat.resize((size, size), Image.Resampling.BILINEAR)
    values = np.asarray(flat, dtype=np.uint8)
    return values[None] if channels == 1 else np.ascontiguousarray(values.transpose(2, 0, 1))


@contextmanager
def open_image(path: Path) -> Iterator[Image.Image]:
    """Open an image; refuse one that says it is larger than any that a network takes, before it is unpacked."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        image = Image.open(path)
    with image:
        width, height = image.size
        if width * height > MOST_PIXELS:
            raise ValueError(f"it has {width:,} × {height:,} pixels, more than {MOST_PIXELS:,}; make it smaller")
        yield image


def eight_bits(image: Image.Image) -> Image.Image:
    """Scale 16 bits to 8, which Pillow would cut off at 255 instead; refuse wider values, whose white nobody knows."""
    if image.mode.startswith("I;16"):
        return Image.fromarray((np.asarray(image) // 256).astype(np.uint8))
    if image.mode in ("I", "F"):
        values = np.asarray(image)
        if not (values.min() >= 0 and values.max() <= 255 and (values == np.rint(values)).all()):
            raise ValueError("it has other values than 0 to 255; save it with 8 or 16 bits")
    return image


def flattened(image: Image.Image) -> Image.Image:
    """Put an image with transparency on black: what is hidden behind full transparency may have any colour."""
    if image.mode == "P" and "transparency" in image.info:
        image = image.convert("RGBA")
    if image.mode not in ("RGBA", "LA", "PA", "RGBa", "La"):
        return image
    above = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", above.size, (0, 0, 0, 255)), above)


def is_grey(path: Path) -> bool:
    """Return whether an image has no colour, by its kind alone."""
    try:
        with open_image(path) as image:
            return image.mode in GREY
    except FileNotFoundError:
        raise MooseError(f"{path}: expected an image, but there is no such file; check the folder") from None
    except UNREADABLE as error:
        raise MooseError(f"{path}: expected an image, but it cannot be read as one ({error}); get it again") from None
