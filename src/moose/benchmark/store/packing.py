"""Pack a store: one small file for each plan and scale, in place of one for each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from moose.base.errors import MooseError
from moose.benchmark.store.packed_files import SUFFIX, Packed, write_packed
from moose.benchmark.store.records import FORMAT, Content, Record
from moose.benchmark.store.store import Store


def pack(store: Store, folder: Path) -> dict[Path, Content]:
    """Write a packed file for each plan of a store into a folder, which may be the store's own.

    The store stays as it is, and the folder is one too. What is returned says what each file has.
    """
    contents = [store.content(one.plan, one.scale) for one in store.listings()]
    if not contents:
        raise MooseError(
            f"{store.folder}: expected results of the benchmark to pack, but it has none; give what bench run filled"
        )
    files = {folder / file_name(one): one for one in contents}
    for path, content in files.items():
        listing = {"format": FORMAT, **asdict(content.listing)}
        write_packed(path, Packed(listing, _ordered(content, content.finished), _ordered(content, content.failed)))
    return files


def file_name(content: Content) -> str:
    """Return what the packed file of a plan is called."""
    return f"{content.listing.plan}-{content.listing.scale}{SUFFIX}"


def _ordered(content: Content, records: Mapping[str, Record]) -> dict[str, Record]:
    """Return records in the order of the cells."""
    return {one.cell: records[one.cell] for one in content.listing.cells if one.cell in records}
