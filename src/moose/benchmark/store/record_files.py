"""Records and listings on disk: JSON files of a sweep that runs, packed files of one that is done."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from moose.base.errors import MooseError
from moose.base.whole_files import whole_file
from moose.benchmark.store.packed_files import REMEDY, read_packed
from moose.benchmark.store.records import FORMAT, Content, Listing, Record, listing_of
from moose.benchmark.store.shapes import fault_of_record


def read_listing(path: Path) -> Listing:
    """Read a listing."""
    return listing_of(read_json(path), path)


def read_record(path: Path) -> dict[str, Any]:
    """Read the record of a cell, and refuse what is none, or is of another version."""
    record = read_json(path)
    check_record(record, str(path))
    return record


def read_content(path: Path) -> Content:
    """Read a packed file, and refuse it where one of its records is none, or is of another version."""
    packed = read_packed(path)
    for cell, record in {**packed.finished, **packed.failed}.items():
        check_record(record, f"{path}, cell {cell}", REMEDY)
    return Content(listing_of(packed.listing, path), packed.finished, packed.failed)


KINDS = ("learning", "baseline", "circuit")


def check_record(record: Record, source: str, remedy: str = "remove the file and run again") -> None:
    """Refuse what is no record, or one of another version."""
    if record.get("format") != FORMAT:
        raise MooseError(
            f"{source}: expected a record of the format {FORMAT}, but got {record.get('format')!r:.80}; it is another "
            f"version's: use that one, or {remedy}"
        )
    said = record.get("kind", "learning")
    if said not in KINDS:
        raise MooseError(f"{source}: expected a record of the kind {', '.join(KINDS)}, but got {said!r:.80}; {remedy}")
    kind = "error" if "error" in record else "circuit" if said == "circuit" else "judged"
    kind = "origin" if kind == "judged" and "origin" in record else kind
    fault = fault_of_record(record, kind)
    if fault is not None:
        raise MooseError(f"{source}: expected {fault}; {remedy}")
    if not _is_finite(record):
        raise MooseError(f"{source}: has a number that is not finite; {remedy}")


def _is_finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, parts))


def read_json(path: Path) -> dict[str, Any]:
    """Read an object that `write_json` wrote."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise MooseError(f"{path}: expected a JSON file of a benchmark, but {error}; remove it and run again") from None
    if not isinstance(content, dict):
        raise MooseError(f"{path}: expected a JSON object, but got {type(content).__name__}; remove it and run again")
    return content


def write_json(path: Path, content: Record) -> None:
    """Write an object whole or not at all; a number that is not finite becomes null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_finite(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8")


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
