"""The committed results: few files, whose records are those of the plans that make them again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.run_tables import RESULTS
from moose.benchmark.plans.cells import Cell, planned_cells
from moose.benchmark.plans.plans import PLANS, read_plan
from moose.benchmark.report.assemble import make_report
from moose.benchmark.report.render.page import write_page
from moose.benchmark.store.packed_files import SUFFIX, packed_in
from moose.benchmark.store.record_files import read_content
from moose.benchmark.store.store import Store, make_listing

ROOT = Path(__file__).parent.parent.parent
FILES = [path for folder in ("learning", "standard") for path in packed_in(RESULTS / folder)]
IGNORED = ("cells", "failed", "locks", "plans", "work")
"""What a store that is being worked on has, and git does not."""


def test_there_are_few_files() -> None:
    kept = [
        path for path in RESULTS.rglob("*") if path.is_file() and not {*IGNORED} & {*path.relative_to(RESULTS).parts}
    ]
    assert len(kept) <= 20
    assert {path for path in kept if path.name.endswith(SUFFIX)} == set(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_plan_makes_these_cells_again(path: Path) -> None:
    listing = read_content(path).listing
    assert path.name == f"{listing.plan}-{listing.scale}{SUFFIX}"
    plan = read_plan(listing.plan if listing.plan in PLANS else ROOT / "bench" / "plans" / f"{listing.plan}.toml")
    now = make_listing(plan, listing.scale, listing.seeds)
    assert now == listing
    cells = {one.cell.name for one in planned_cells(plan, listing.scale)}
    assert cells >= {record["cell"] for record in read_content(path).finished.values()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_record_has_the_configuration_that_its_name_says(path: Path) -> None:
    for name, record in read_content(path).finished.items():
        settings = record["configuration"]
        method = settings.get("by") or name.removeprefix(f"{record['regime']}-{record['data']}-").rsplit("-", 2)[0]
        place = record["regime"], record["data"], method, record["seed"]
        cell = Cell(record["kind"], *place, settings, record.get("versions", {}))
        assert cell.name == name
        assert json.dumps(record).count("/home/") == json.dumps(record).count("/tmp/") == 0, "no folder of a machine"


def test_records_of_other_programs_say_so_in_a_report() -> None:
    mixed, old = (write_page(make_report(Store(RESULTS / "learning"), scale)) for scale in ("embedded", "mnist"))
    assert "not recorded: made by bench.methods" in mixed and "instances not recorded" in old
