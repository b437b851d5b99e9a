"""Records and listings: the values that a store keeps, how they are read, checked and written."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from moose.base.errors import MooseError
from moose.base.whole_files import is_file_name, whole_file
from moose.benchmark.plans.cells import Choice, Planned, planned_cells
from moose.benchmark.plans.plans import Plan
from moose.benchmark.store.packed_files import REMEDY, read_packed
from moose.benchmark.store.provenance import FORMAT

Record = Mapping[str, Any]  # as the JSON has it


@dataclass(frozen=True, slots=True)
class Listed:
    """A cell of a plan, as its listing has it."""

    cell: str
    method: str
    """The row."""
    regime: str
    data: str
    seed: int
    varied: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a plan has at a scale, finished or not."""

    plan: str
    scale: str
    title: str
    kind: str
    shows: tuple[str, ...]
    reference: str | None
    regimes: tuple[str, ...]
    rows: tuple[str, ...]
    varied: tuple[str, ...]
    seeds: tuple[int, ...]
    inductive: bool
    settings: str
    cells: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """All that there is of a plan at a scale; records by their cells."""

    listing: Listing
    finished: Mapping[str, Record]
    failed: Mapping[str, Record]


def make_listing(plan: Plan, scale: str, seeds: Sequence[int]) -> Listing:
    """Return what a plan has at a scale."""
    return Listing(
        plan=plan.name,
        scale=scale,
        title=plan.title,
        kind=plan.kind,
        shows=plan.shows,
        reference=plan.reference,
        regimes=plan.regimes,
        rows=tuple(row.name for row in plan.rows),
        varied=tuple(plan.vary),
        seeds=tuple(seeds),
        inductive=plan.inductive,
        settings=plan.scale(scale).settings,
        cells=tuple(map(listed, planned_cells(plan, scale, Choice(seeds=seeds)))),
    )


def listed(planned: Planned) -> Listed:
    """Return a cell as a listing has it."""
    cell = planned.cell
    return Listed(cell.name, planned.row, cell.regime, cell.data, cell.seed, dict(planned.varied))


def joined(first: Listing, second: Listing) -> Listing:
    """Return a listing with the seeds of both; where both have a seed, its cells are the first one's."""
    more = [one for one in second.cells if one.seed not in first.seeds]
    cells = sorted((*first.cells, *more), key=lambda one: one.seed)  # those of a seed stay in their order
    return replace(first, seeds=tuple(sorted({*first.seeds, *second.seeds})), cells=tuple(cells))


def read_listing(path: Path) -> Listing:
    """Read a listing."""
    return listing_of(read_json(path), path)


def listing_of(table: dict[str, Any], path: Path) -> Listing:
    """Make a listing of what a file has."""
    try:
        cells = tuple(Listed(**one) for one in table.pop("cells"))
        table = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
        table.pop("format")
        listing = Listing(cells=cells, **table)
        check_fields(listing)
        for one in cells:
            check_fields(one)
        names = [listing.plan, listing.scale, *(one.cell for one in cells)]  # parts of names of files
        if foreign := [name for name in names if not is_file_name(name)]:
            raise TypeError(f"{foreign[0]!r:.80} is no name")
    except (KeyError, TypeError) as error:
        raise MooseError(f"{path}: expected the listing of a plan, but it is another version's ({error})") from None
    return listing


def check_fields(value: Listing | Listed) -> None:
    """Raise a TypeError where a field is not of the type that it is declared with."""
    for name, hint in get_type_hints(type(value)).items():
        given = getattr(value, name)
        outer, inner = get_origin(hint), get_args(hint)
        is_right = isinstance(given, hint if outer in (None, UnionType) else outer)
        if outer is tuple and is_right:
            is_right = all(isinstance(one, inner[0]) and not isinstance(one, bool) for one in given)
        elif isinstance(given, bool):  # which Python takes for an integer
            is_right = hint is bool
        if not is_right:
            raise TypeError(f"{name} is {given!r:.80}")


def read_json(path: Path) -> dict[str, Any]:
    """Read an object that `write_json` wrote."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise MooseError(f"{path}: expected a JSON file of a benchmark, but {error}; remove it and run again") from None
    if not isinstance(content, dict):
        raise MooseError(f"{path}: expected a JSON object, but got {type(content).__name__}; remove it and run again")
    return content


NEEDED: dict[str, dict[str, type]] = {
    "any": {
        "cell": str,
        "regime": str,
        "data": str,
        "seed": int,
        "configuration": dict,
        "software": dict,
        "machine": dict,
    },
    "judged": {
        "instances": dict,
        "families": list,
        "metrics": dict,
        "details": dict,
        "data_hash": str,
        "task_hash": str,
    },
    "origin": {"instances": dict, "families": list, "metrics": dict, "details": dict, "origin": dict},
    "circuit": {"circuit": dict, "task_hash": str},
    "error": {"error": dict},
}
"""Keys that a record of each kind has, and of what type they are."""


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


def check_record(record: Record, source: str, remedy: str = "remove the file and run again") -> None:
    """Refuse what is no record, or one of another version."""
    if record.get("format") != FORMAT:
        raise MooseError(
            f"{source}: expected a record of the format {FORMAT}, but got {record.get('format')!r:.80}; it is another "
            f"version's: use that one, or {remedy}"
        )
    kind = "error" if "error" in record else "circuit" if record.get("kind") == "circuit" else "judged"
    needed = NEEDED["any"] | NEEDED["origin" if kind == "judged" and "origin" in record else kind]
    for key, wanted in needed.items():
        if not isinstance(record.get(key), wanted):
            raise MooseError(
                f"{source}: expected {key} as a {wanted.__name__} in a record, but got {record.get(key)!r:.80}; "
                f"{remedy}"
            )
    if not _is_finite(record):
        raise MooseError(f"{source}: has a number that is not finite; {remedy}")


def _is_finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, parts))


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
