"""Packed files: what a plan came to at a scale, in one file that is small enough to be kept under version control.

A packed file is called `PLAN-SCALE.jsonl.gz` and is gzip of JSON lines, in UTF-8:

    line 1                  {"format": 1, "kind": "packed", "records": 252, "failures": 1, "listing": …}
    252 lines               the records of finished cells, in the order of the listing, a cell once
    1 line                  the records of failed cells, likewise

Keys stay in the order that a record has them in, which a report may show, and gzip's header has neither time nor name:
the same results and the same zlib make the same bytes. `moose.benchmark.store.store` says what a listing and a record
have. A file may come from anywhere: nothing in it is run, and no more than `LARGEST` bytes of it are unpacked.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moose.base.errors import MooseError
from moose.base.whole_files import whole_file
from moose.benchmark.store.records import FORMAT

SUFFIX = ".jsonl.gz"
KIND = "packed"
LARGEST = 1 << 28
"""Bytes that a file may unpack to: a record has some 10 kB, so that this is more than twenty thousand of them."""
CELL = re.compile(r"[\w.+-]+")
"""The name of a cell, which is that of a file too and so has no folder in it."""
REMEDY = "take the file once more from where it came, or pack the store again"


def is_packed(path: Path) -> bool:
    """Return whether a path is that of a packed file, by its name."""
    return path.name.endswith(SUFFIX) and path.is_file()


def packed_in(path: Path) -> list[Path]:
    """Return the packed files of a folder, or the one that the path itself is."""
    return [path] if is_packed(path) else sorted(path.glob(f"*{SUFFIX}"))


@dataclass(frozen=True, slots=True)
class Packed:
    """What a packed file holds: the listing of a plan as JSON has it, and records by their cells."""

    listing: dict[str, Any]
    finished: Mapping[str, Mapping[str, Any]]
    failed: Mapping[str, Mapping[str, Any]]


def write_packed(path: Path, packed: Packed) -> None:
    """Write a packed file, whole or not at all."""
    finished, failed = packed.finished.values(), packed.failed.values()
    counts = {"records": len(finished), "failures": len(failed)}
    header = {"format": FORMAT, "kind": KIND, **counts, "listing": packed.listing}
    text = "".join(f"{_line(one)}\n" for one in (header, *finished, *failed))
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        whole_file(path) as draft,
        draft.open("wb") as stream,
        gzip.GzipFile(filename="", mode="wb", fileobj=stream, compresslevel=9, mtime=0) as unpacked,
    ):
        unpacked.write(text.encode())


def read_packed(path: Path) -> Packed:
    """Read a packed file and refuse one that is damaged; the listing and each record are for the store to check."""
    lines = _read_lines(path)
    header = _read_header(lines, path)
    records = list(lines)
    count = header["records"]
    if len(records) != count + header["failures"]:
        raise damaged(path, f"it has {len(records)} records where it says {count} and {header['failures']} failures")
    parts = [_by_cell(records[:count], path), _by_cell(records[count:], path)]
    if twice := parts[0].keys() & parts[1].keys():
        raise damaged(path, f"the cell {min(twice)} is both finished and failed")
    return Packed(header["listing"], *parts)


def read_packed_listing(path: Path) -> dict[str, Any]:
    """Read the listing alone, which is at the beginning."""
    listing: dict[str, Any] = _read_header(_read_lines(path), path)["listing"]
    return listing


def damaged(path: Path, reason: str) -> MooseError:
    """Return the error of a file that is not as `moose bench pack` writes it."""
    return MooseError(f"{path}: expected results as `moose bench pack` writes them, but {reason}; {REMEDY}")


def _line(content: Mapping[str, object]) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the object of each line; all is unpacked before the first, so that gzip's checksum has been compared."""
    try:
        with gzip.open(path, "rb") as stream:
            content = stream.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:  # a file that was cut, or has another bit somewhere
        raise damaged(path, f"it cannot be unpacked ({error})") from None
    if len(content) > LARGEST:
        raise damaged(path, f"it unpacks to more than {LARGEST:,} bytes")
    for number, line in enumerate(content.splitlines(), 1):
        yield _object(line, path, number)


def _object(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise damaged(path, f"line {number} is no JSON ({error})") from None
    if not isinstance(content, dict):
        raise damaged(path, f"line {number} is a {type(content).__name__}, no object")
    return content


def _read_header(lines: Iterator[dict[str, Any]], path: Path) -> dict[str, Any]:
    header = next(lines, {})
    if header.get("kind") != KIND or header.get("format") != FORMAT:
        shown = {key: header.get(key) for key in ("kind", "format")}
        raise damaged(path, f"its first line has {shown!s:.80} in place of {KIND} and {FORMAT}")
    if type(header.get("records")) is not int or type(header.get("failures")) is not int:
        raise damaged(path, "its first line does not say how many records there are")
    if not isinstance(header.get("listing"), dict):
        raise damaged(path, "its first line has no listing")
    return header


def _by_cell(records: Sequence[dict[str, Any]], path: Path) -> dict[str, dict[str, Any]]:
    """Return records by their cells."""
    by_cell = dict[str, dict[str, Any]]()
    for record in records:
        cell = record.get("cell")
        if not isinstance(cell, str) or not CELL.fullmatch(cell) or cell in by_cell:
            raise damaged(path, f"it has a record of the cell {cell!r:.80}, which is no name, or there twice")
        by_cell[cell] = record
    return by_cell
