"""Records and listings: the values that a store keeps, and how they are checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from moose.base.errors import MooseError
from moose.base.whole_files import is_file_name

FORMAT = 1
"""Of records, listings and packed files; a program that writes them otherwise has another number."""

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


def joined(first: Listing, second: Listing) -> Listing:
    """Return a listing with the seeds of both; where both have a seed, its cells are the first one's."""
    more = [one for one in second.cells if one.seed not in first.seeds]
    cells = sorted((*first.cells, *more), key=lambda one: one.seed)  # those of a seed stay in their order
    return replace(first, seeds=tuple(sorted({*first.seeds, *second.seeds})), cells=tuple(cells))


def lent(contents: Sequence[Content], cells: Collection[str], folder: str) -> dict[str, Record]:
    """Return what packed files of other plans have of finished cells; refuse a cell of which they say different things.

    A record that another program made gives way: what that program did is not known as well.
    """
    found = dict[str, tuple[Record, Listing]]()
    by_origin = sorted(
        ((cell, record, content.listing) for content in contents for cell, record in content.finished.items()),
        key=lambda one: "origin" in one[1],
    )
    for cell, record, listing in by_origin:
        if cell not in cells:
            continue
        first, giver = found.setdefault(cell, (record, listing))
        if "origin" not in record and _came_to(first) != _came_to(record):
            raise MooseError(
                f"{folder}: the cell {cell} came to one result in {giver.plan} at {giver.scale} and to another in "
                f"{listing.plan} at {listing.scale}, so that neither can be taken over; compute in a folder that has "
                "at most one of the two packed files"
            )
    return {cell: record for cell, (record, _) in found.items()}


def _came_to(record: Record) -> tuple[object, ...]:
    """Return what a record says that does not differ from run to run: metrics, or the counts of a circuit."""
    circuit = record.get("circuit") or {}
    return record.get("metrics"), {name: value for name, value in circuit.items() if name != "seconds"}


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
