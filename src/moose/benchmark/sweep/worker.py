"""Attend to one cell in one process: lock it, compute it, keep its record; what a worker does."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from moose.benchmark.plans.cells import Planned
from moose.benchmark.store.locks import holding
from moose.benchmark.store.provenance import now, provenance
from moose.benchmark.store.records import FORMAT, Record
from moose.benchmark.store.store import Store
from moose.benchmark.sweep.compute import Surroundings, compute

Outcome = Literal["finished", "failed", "busy"]


@dataclass(frozen=True, slots=True)
class Job:
    """A cell to attend to."""

    plan: str
    scale: str
    planned: Planned
    store: Path
    folder: Path | None = None
    """Has a folder for each data set."""
    threads: int = 1
    data_hash: str | None = None
    """Of the examples that finished cells of the plan saw, which must be the same; None if there are none."""

    @property
    def name(self) -> str:
        """The name of the cell."""
        return self.planned.cell.name


def attend(job: Job) -> Outcome:
    """Compute a cell, unless that is done already or another process is at it; a failure is kept, not raised."""
    store = Store(job.store)
    with holding(store.lock(job.name)) as is_ours:
        if store.finished(job.name).exists():  # perhaps by the process that has just let go of it
            return "finished"
        if not is_ours:
            return "busy"
        if store.failed(job.name).exists():
            return "failed"
        about = {**introduction(job), "began": now()}
        try:
            surroundings = Surroundings(store.work(job.name), job.folder, job.threads, job.data_hash)
            result = compute(job.planned.cell, surroundings)
        except Exception as error:  # noqa: BLE001  # whatever it is, the other cells go on, and it is told
            store.fail(job.name, {**about, "ended": now(), "error": describe_error(error)})
            return "failed"
        store.finish(job.name, {**about, "ended": now(), **result})
        return "finished"


def introduction(job: Job) -> dict[str, object]:
    """Return what the record of any cell begins with."""
    cell = job.planned.cell
    return {
        "format": FORMAT,
        "kind": cell.kind,
        "cell": cell.name,
        "plan": job.plan,
        "scale": job.scale,
        "regime": cell.regime,
        "data": cell.data,
        "method": job.planned.row,
        "seed": cell.seed,
        "configuration": dict(cell.configuration),
        "versions": dict(cell.versions),
        **provenance(),
    }


def describe_error(error: BaseException) -> Record:
    """Return an error as JSON has it."""
    return {
        "kind": type(error).__name__,
        "message": str(error),
        "traceback": "".join(traceback.format_exception(error)),
    }
