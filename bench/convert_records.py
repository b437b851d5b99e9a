"""Bring the flat records of `bench.learning` and `bench.methods` into a store: `python -m bench.convert_records STORE`.

Each becomes the record of the cell that a plan of `bench/plans` has for it, which must be there: what decides a result
is the same, under the names that it has now. All that a record had stays, its configuration as it was under `origin`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.run_tables import RUNS
from moose.benchmark.cells import Choice, Planned, planned_cells
from moose.benchmark.plans import Plan, read_plan
from moose.benchmark.provenance import FORMAT
from moose.benchmark.store import Store

PLANS = Path(__file__).parent / "plans"
RENAMED = {"weight": "cover_weight", "epochs": "cover_epochs"}
"""Options of moose-cover that were called otherwise."""
KEPT = ("cpu_seconds", "evaluation_seconds", "terms", "metrics", "metrics_without_evidence", "metrics_network")
Record = dict[str, Any]


def plan_of(path: Path, record: Record) -> tuple[str, str]:
    """Return the plan and the scale that a file belongs to."""
    if record["data"] == "digits" or path.parent.name == "32px":
        return "methods", "embedded"
    if record["data"] == "mnist":
        return "learning-digits", "mnist"
    return "learning-pizzas-b" if record["regime"] == "pizzaB" else "learning-pizzas", record["data"]


def configuration_of(record: Record) -> Record:
    """Return the configuration as a cell has it."""
    told = record["configuration"]
    by, options = told.get("by"), dict(told.get("options", {}))
    if by is None:  # a ConceptLearner, which is the method of this name
        by = "moose-cover" if told["cover"] else "moose"
        cover = {"cover_weight": told["cover"], "cover_epochs": told["cover_epochs"]}
        options = cover if told["cover"] else {"head": told["head"], "closure": True}
    if by == "moose-cover":
        options = {RENAMED.get(key, key): value for key, value in options.items()}
    keys = (
        "epochs",
        "batch_size",
        "learning_rate",
        "batch_norm",
        "size",
        "count",
        "test_count",
        "closure",
        "inductive",
    )
    return {"by": by, "options": options} | {key: told[key] for key in keys}


def convert(path: Path, record: Record, planned: Planned, about: Record) -> Record:
    """Return the record of a cell."""
    cell = planned.cell
    assert configuration_of(record) == cell.configuration, path
    git = ["git", "log", "-1", "--format=%H", "--", str(path)]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    others = {key: value for key, value in record.items() if key in KEPT or key.endswith("_split")}
    return {
        "format": FORMAT,
        "kind": "learning",
        "cell": cell.name,
        **about,
        **{key: record[key] for key in ("regime", "data", "method", "seed")},
        "configuration": dict(cell.configuration),
        "version": record["version"],
        "commit": None,
        "software": {},
        "machine": record["machine"],
        "instances": {},
        "seconds": record["seconds"],
        "families": [],
        **others,
        "details": {},
        "origin": {
            "runner": "bench.methods" if "cpu_seconds" in record else "bench.learning",
            "file": str(path.relative_to(RUNS.parent)),
            "commit": commit,
            "configuration": record["configuration"],
        },
    }


def main(folder: Path) -> None:
    """Convert every flat record."""
    store, cells = Store(folder), dict[tuple[Any, ...], Planned]()
    plans: dict[str, Plan] = {path.stem: read_plan(path) for path in PLANS.glob("*.toml")}
    for plan in plans.values():
        for scale in plan.seeds:
            for one in planned_cells(plan, scale):
                cells[plan.name, scale, one.row, one.cell.regime, one.cell.seed] = one
    listed = set()
    for path in [*sorted(RUNS.glob("*.json")), *sorted((RUNS / "32px").glob("*.json"))]:
        record = json.loads(path.read_text(encoding="utf-8"))
        plan_name, scale = plan_of(path, record)
        planned = cells[plan_name, scale, record["method"], record["regime"], record["seed"]]
        if (plan_name, scale) not in listed:
            store.list_plan(plans[plan_name], scale, Choice())
            listed.add((plan_name, scale))
        new = convert(path, record, planned, {"plan": plan_name, "scale": scale})
        missing = {key for key in record if record[key] != new.get(key) and key != "configuration"}
        assert not missing, (path, missing)
        store.finish(planned.cell.name, new)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
