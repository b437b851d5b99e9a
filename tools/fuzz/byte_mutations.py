"""Spoil bytes: bits, cuts, insertions, repetitions, splices; encodings; gzip."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from random import Random

Mutation = Callable[[bytes, bytes, Random], bytes]
"""Takes a document, another one, and a source of choices."""

STRANGE = (
    b"\0",
    b"\xed\xa0\x80",  # a lone surrogate
    b"\xc0\xaf",  # a slash in two bytes
    b"\xef\xbb\xbf",
    b"\x1b[31m",
    b"\x7f\x9b",
    "\u202e\u2066".encode(),
    "\x85\u2028\ufeff".encode(),
    "e\u0301\U0001f98c".encode(),
    b"\r",
    b"\x0b\x0c",
    b"%00%zz",
    b"\\u0000\\uD800",
    b"&#0;&#xD800;&x;",
)


def _at(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _span(data: bytes, random: Random) -> tuple[int, int]:
    """Choose a part, most often a short one."""
    start = _at(data, random)
    longest = random.choice((1, 4, 16, 64, len(data)))
    return start, min(len(data), start + 1 + random.randrange(max(1, longest)))


def flip(data: bytes, _other: bytes, random: Random) -> bytes:
    """Change some bytes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def cut(data: bytes, _other: bytes, random: Random) -> bytes:
    """Leave a part out."""
    start, stop = _span(data, random)
    return data[:start] + data[stop:]


def end_early(data: bytes, _other: bytes, random: Random) -> bytes:
    """Leave the end out."""
    return data[: _at(data, random)]


def insert(data: bytes, _other: bytes, random: Random) -> bytes:
    """Put some bytes in."""
    what = random.choice((*STRANGE, random.randbytes(3), bytes([random.randrange(33, 127)])))
    at = _at(data, random)
    return data[:at] + what + data[at:]


def repeat(data: bytes, _other: bytes, random: Random) -> bytes:
    """Repeat a part."""
    start, stop = _span(data, random)
    return data[:stop] + data[start:stop] * random.choice((1, 2, 10, 300)) + data[stop:]


def splice(data: bytes, other: bytes, random: Random) -> bytes:
    """Go on in another document."""
    return data[: _at(data, random)] + other[_at(other, random) :]


def transplant(data: bytes, other: bytes, random: Random) -> bytes:
    """Put a part of another document in."""
    start, stop = _span(other, random)
    at = _at(data, random)
    return data[:at] + other[start:stop] + data[at:]


BYTES: tuple[Mutation, ...] = (flip, cut, end_early, insert, repeat, splice, transplant)

# ── Encodings and packing ─────────────────────────────────────────────────────────────────────────────────────────


def encode_otherwise(data: bytes, _other: bytes, random: Random) -> bytes:
    """Write the text in another encoding, with or without a mark, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: b"\xef\xbb\xbf" + data,
        lambda: b"\xef\xbb\xbf" * 2 + data,
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-16-le"),
        lambda: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda: text.encode("utf-32"),
        lambda: text.encode("latin-1", "replace"),
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: data.replace(b" ", "\u00a0".encode()),
        lambda: b"\0" + data,
        lambda: b"\n" * 5_000 + data,
    )
    return random.choice(ways)()


def pack(data: bytes, other: bytes, random: Random) -> bytes:
    """Pack, and perhaps spoil the archive."""
    packed = gzip.compress(data, mtime=0)
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: packed,
        lambda: packed[: _at(packed, random)],
        lambda: packed[:-4],
        lambda: packed + packed,
        lambda: packed + b"\0" * 20,
        lambda: packed + other[:50],
        lambda: flip(packed, b"", random),
        lambda: gzip.compress(packed, mtime=0),
        lambda: packed[:10],
        lambda: gzip.compress(data + b" " * 3_000_000, mtime=0),
    )
    return random.choice(ways)()
