"""Listings as files: one JSON object with every number, and what it was learnt from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.base.user_files import parse_json, table_of
from moose.base.whole_files import write_whole
from moose.owl.files.fetch import fetch
from moose.ranking.noise import Listing

KIND = "moose listing 1"
LARGEST = 1e9
"""What no number of a listing can sensibly be above."""


def listing_object(listing: Listing, learnt: Mapping[str, object] | None = None) -> dict[str, object]:
    """Return a listing as a JSON object; `learnt` says from what."""
    return {"kind": KIND, **({"learnt": dict(learnt)} if learnt else {}), "listing": asdict(listing)}


def write_listing(path: Path | str, listing: Listing, learnt: Mapping[str, object] | None = None) -> None:
    """Write a listing to a file that appears when it is whole."""
    write_whole(Path(path), [json.dumps(listing_object(listing, learnt), indent=2) + "\n"])


def read_listing(path: Path | str) -> Listing:
    """Return the listing of a file; numbers that it does not name are those that learning begins with."""
    expected = f"{path}: expected a listing as `moose fit-listing` writes it, but"
    table = table_of(parse_json(fetch(Path(path)), expected), expected)
    if table.get("kind") != KIND:
        raise MooseError(f"{expected} its kind is not {KIND!r}; learn it anew")
    numbers = table_of(table.get("listing"), f"{path}: expected the numbers of a listing under `listing`, but")
    known = [one.name for one in fields(Listing)]
    for name, value in numbers.items():
        if name not in known:
            raise unknown_word(f"a number of a listing in {path}", name, known)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise MooseError(f"{path}, {name}: expected a number, but got {json.dumps(value)}; correct it")
        if abs(value) > LARGEST:
            raise MooseError(
                f"{path}, {name}: expected a number of at most {LARGEST:g}, but got a larger one; correct it"
            )
    try:
        return Listing(**{name: float(value) for name, value in numbers.items() if isinstance(value, int | float)})
    except MooseError as error:
        raise MooseError(f"{path}, {error}") from None
