"""Pack a store: one small file for each plan and scale, in place of one for each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from moose.base.errors import MooseError
from moose.benchmark.store.packed_files import SUFFIX, Packed, is_packed, write_packed
from moose.benchmark.store.record_files import read_content
from moose.benchmark.store.records import FORMAT, Content, Listed, Record
from moose.benchmark.store.store import Store


def pack(store: Store, folder: Path) -> dict[Path, Packed]:
    """Write a packed file for each plan of a store into a folder, which may be the store's own.

    The store stays as it is, and the folder is one too. What is returned is what each file has: records of cells that
    the plan no longer has are not among them.
    """
    contents = [store.content(one.plan, one.scale) for one in store.listings()]
    if not contents:
        raise MooseError(
            f"{store.folder}: expected results of the benchmark to pack, but it has none; give what bench run filled"
        )
    files = dict[Path, Content]()
    for content in contents:
        path = folder / file_name(content)
        _refuse_namesake(path, content, files.get(path))
        files[path] = content
    for path, content in files.items():
        _refuse_loss(path, content)
    packed = {path: _packed(content) for path, content in files.items()}
    for path, one in packed.items():
        write_packed(path, one)
    return packed


def _packed(content: Content) -> Packed:
    """Return what the file of a plan has."""
    listing = {"format": FORMAT, **asdict(content.listing)}
    return Packed(listing, _ordered(content, content.finished), _ordered(content, content.failed))


def file_name(content: Content) -> str:
    """Return what the packed file of a plan is called."""
    return f"{content.listing.plan}-{content.listing.scale}{SUFFIX}"


def _refuse_namesake(path: Path, content: Content, other: Content | None) -> None:
    """Refuse to write two plans to one file, as `x-y` at `z` and `x` at `y-z` would be."""
    given = content.listing
    if other is None and is_packed(path):
        other = read_content(path)
    if other is not None and (other.listing.plan, other.listing.scale) != (given.plan, given.scale):
        taken = other.listing
        raise MooseError(
            f"{path}: is the file of {taken.plan} at the scale {taken.scale} and of {given.plan} at {given.scale}, so "
            "that one would be lost; give one of the plans another name, or pack them into different folders with -o"
        )


def _refuse_loss(path: Path, content: Content) -> None:
    """Refuse to put a file in place of one that has results which the new one has nothing for."""
    if not is_packed(path):
        return
    before = read_content(path)
    done = {_place(one) for one in content.listing.cells if one.cell in content.finished}
    lost = [one for one in before.listing.cells if one.cell in before.finished and _place(one) not in done]
    if lost:
        first = lost[0]
        raise MooseError(
            f"{path}: has results of {len(lost)} cells that the store has none for, such as {first.method} in "
            f"{first.regime} with the seed {first.seed}: the plan, or the version of a method or of data, is another "
            "now; finish the run first, or pack into another folder with -o, or remove the file"
        )


def _place(one: Listed) -> tuple[object, ...]:
    """Return which entry of the plan's table a cell is, whatever decides its result."""
    return one.method, one.regime, one.data, one.seed, tuple(sorted((key, str(it)) for key, it in one.varied.items()))


def _ordered(content: Content, records: Mapping[str, Record]) -> dict[str, Record]:
    """Return records in the order of the cells."""
    return {one.cell: records[one.cell] for one in content.listing.cells if one.cell in records}
