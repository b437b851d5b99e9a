"""A record with any part missing or of another kind is told in one line, or its report is made."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.benchmark.report.assemble import make_report
from moose.benchmark.store.record_files import check_record
from moose.benchmark.store.shapes import fault_of_record
from moose.benchmark.store.store import Store
from tests.benchmark.made_up import make_store
from tests.benchmark.test_report import FEW, SOME
from tests.searching import examples

pytest.importorskip("jinja2")

Place = tuple[str | int, ...]
ALIENS: tuple[object, ...] = (None, "x", 7, -1.5, True, [], [1], {}, {"a": 1})


def places(value: object, above: Place = ()) -> Iterator[Place]:
    """Yield the way to every part of a value; of long lists, to the first two."""
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*above, key)
        yield from places(part, (*above, key))


def spoilt(record: dict[str, Any], place: Place, alien: object, *, is_left_out: bool) -> dict[str, Any]:
    """Return a record with one part left out or put in another's place."""
    changed = copy.deepcopy(record)
    inner: Any = changed
    for key in place[:-1]:
        inner = inner[key]
    if is_left_out:
        del inner[place[-1]]
    else:
        inner[place[-1]] = alien
    return changed


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A part of the headline."""
    return make_store(tmp_path_factory.mktemp("shapes") / "store", [FEW], choice=SOME)


def files_of(store: Store) -> list[Path]:
    return sorted((store.folder / "cells").iterdir())


def scale_of(store: Store) -> str:
    return store.listings()[0].scale


def complaint_about(store: Store) -> str | None:
    """Return what is said where no report can be made."""
    try:
        make_report(Store(store.folder), scale_of(store))
    except MooseError as told:
        return str(told)
    return None


@given(st.data())
@examples(25)
def test_a_damaged_record_is_told_or_does_no_harm(store: Store, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(files_of(store)))
    whole = file.read_text("utf-8")
    record = json.loads(whole)
    place = data.draw(st.sampled_from(list(places(record))))
    alien, is_left_out = data.draw(st.sampled_from(ALIENS)), data.draw(st.booleans())
    file.write_text(json.dumps(spoilt(record, place, alien, is_left_out=is_left_out)), encoding="utf-8")
    said = complaint_about(store)
    file.write_text(whole, encoding="utf-8")
    assert said is None or (file.name in said and "\n" not in said)


CASES: list[tuple[Place, object, str]] = [
    (("metrics", "acc_c"), [], "metrics.acc_c as a number or null, but got []"),
    (("history", 0, "loss"), "low", "history[0].loss as a number or null, but got 'low'"),
    (("families", 0, 1), {"a": 1}, "families[0][1] as a text, but got {'a': 1}"),
    (("details", "test"), None, "details.test as a table, but got None"),
    (("details", "test", "metrics", "confusions", 0, 0), [1], "confusions as square matrices"),
    (("details", "test", "metrics", "reliability", "counts"), [1], "reliability with as many numbers in each column"),
    (("instances", "train"), True, "instances.train as a whole number, but got True"),
    (("kind",), ["learning"], "expected a record of the kind learning, baseline, circuit, but got ['learning']"),
]


@pytest.mark.parametrize(("place", "alien", "told"), CASES)
def test_what_does_not_fit_is_named(store: Store, place: Place, alien: object, told: str) -> None:
    for file in files_of(store):
        record = json.loads(file.read_text("utf-8"))
        if record["kind"] == "learning" and record["families"]:
            break
    assert fault_of_record(record, "judged") is None
    with pytest.raises(MooseError) as caught:
        check_record(spoilt(record, place, alien, is_left_out=False), "a.json")
    assert told in str(caught.value) and str(caught.value).startswith("a.json: ")


def test_a_closure_may_be_a_list(store: Store) -> None:
    record = json.loads(files_of(store)[0].read_text("utf-8"))
    configuration = {**record["configuration"], "closure": ["mutex", "cover"], "options": {"widths": [1, 2]}}
    check_record({**record, "configuration": configuration}, "a.json")
