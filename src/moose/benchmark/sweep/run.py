"""Run the cells of a plan that are not finished: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.processes.parallel import WorkerLost, Workers, cluster, dismiss, work_as_tasks
from moose.benchmark.plans.cells import EVERYTHING, Choice, missing_data, planned_cells
from moose.benchmark.plans.plans import Plan
from moose.benchmark.store.locks import holding, is_held
from moose.benchmark.store.provenance import now
from moose.benchmark.store.store import Store
from moose.benchmark.store.versions import expected_hash, seen_examples
from moose.benchmark.sweep.progress import Follower, Tell
from moose.benchmark.sweep.worker import Job, Outcome, attend, introduction

WAIT_SECONDS = 2.0
KILLED = {
    "kind": "Killed",
    "message": "the process that computed it was killed twice, perhaps for want of memory; give it more, and --retry",
    "traceback": "",
}


@dataclass(frozen=True, slots=True)
class Options:
    """How to run; none of these changes a result."""

    jobs: int = 1
    """Processes at a time; -1 for one a core."""
    threads: int = 1
    """Of torch, in each process."""
    folder: Path | None = None
    """Has a folder for each data set; None for the usual place."""
    retry: bool = False
    """Compute again what has failed."""
    cluster: str | None = None
    """The address of a Ray cluster, all of whose machines see the store's folder; "local" starts one here."""
    wait: bool = True
    """Wait for cells that another process computes."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the cells that were asked for: their names."""

    finished: tuple[str, ...]
    failed: tuple[str, ...]
    busy: tuple[str, ...]
    """Another process is at these."""


DEFAULTS = Options()


def run(  # noqa: PLR0913  # what, how large, where; the others are options with a default
    plan: Plan,
    scale: str,
    store: Store,
    *,
    choice: Choice = EVERYTHING,
    options: Options = DEFAULTS,
    tell: Tell | None = None,
) -> Result:
    """Compute the cells that are neither finished nor failed; `tell` hears of each that becomes so."""
    planned = planned_cells(plan, scale, choice)
    if not planned:
        raise MooseError(f"the plan {plan.name} has no cells of that choice; leave out some of the options")
    store.unpack(plan.name, scale, [one.cell.name for one in planned])
    open_cells = [one.cell for one in planned if not store.finished(one.cell.name).exists()]
    if missing := missing_data(open_cells, options.folder):
        raise MooseError("; ".join(missing.values()))
    store.list_plan(plan, scale, choice)
    folder = store.folder.absolute()
    single = {one.cell.name: one for one in reversed(planned)}  # of rows that come to the same, the first is told
    seen = seen_examples(store.unchecked(plan.name, scale))
    is_open = {one.name for one in open_cells}
    jobs = [
        Job(
            *(plan.name, scale, one, folder, options.folder, options.threads),
            expected_hash(one.cell, seen) if one.cell.name in is_open else None,
        )
        for one in reversed(single.values())
    ]
    if options.retry:
        _forget_failures(store, jobs)
    with Follower(store, jobs, Workers(options.jobs).count, tell), _workers(options) as work:
        while pending := [job for job in jobs if _is_waiting(store, job)]:
            _pass(store, pending, work)
            if not options.wait:
                break
            if any(_is_waiting(store, job) for job in pending):
                time.sleep(WAIT_SECONDS)  # another process is at them
    return _result(store, jobs)


Work = Callable[[Sequence[Job]], list[Outcome]]


def _pass(store: Store, pending: Sequence[Job], work: Work) -> None:
    """Attend to each job once.

    When a worker is killed, all workers end; a cluster tries a few times first. Those cells that were at work are then
    tried alone, one by one, so that only what is killed again has failed.
    """
    try:
        work(pending)
    except (BrokenProcessPool, WorkerLost):
        orphans = [job for job in pending if _is_forsaken(store, job)]
        if not orphans:
            raise MooseError(
                "the processes that compute were killed; perhaps memory is short: take fewer --jobs"
            ) from None
        for job in orphans:
            try:
                work([job])
            except (BrokenProcessPool, WorkerLost):
                store.fail(job.name, {**introduction(job), "began": None, "ended": now(), "error": KILLED})


def _is_waiting(store: Store, job: Job) -> bool:
    return not store.finished(job.name).exists() and not store.failed(job.name).exists()


def _is_forsaken(store: Store, job: Job) -> bool:
    lock = store.lock(job.name)
    return _is_waiting(store, job) and lock.exists() and not is_held(lock)


def _forget_failures(store: Store, jobs: Sequence[Job]) -> None:
    """Let failed cells begin anew, unless another process is at them already."""
    for job in jobs:
        with holding(store.lock(job.name)) as is_ours:
            if is_ours and store.failed(job.name).exists():
                shutil.rmtree(store.work(job.name), ignore_errors=True)
                store.failed(job.name).unlink()


def _result(store: Store, jobs: Sequence[Job]) -> Result:
    states = {job.name: store.state(job.name) for job in jobs}
    chosen = {state: tuple(name for name, present in states.items() if present == state) for state in states.values()}
    busy = chosen.get("running", ()) + chosen.get("waiting", ())
    return Result(chosen.get("finished", ()), chosen.get("failed", ()), busy)


# ------------------------------------------------------------------------------------------------------------- workers


@contextmanager
def _workers(options: Options) -> Iterator[Work]:
    """Give what attends to jobs: here, in other processes, or on a cluster."""
    if find_spec("joblib") is None:
        raise MooseError(
            "running a benchmark needs joblib, which is not installed; run `pip install 'moose-el[bench]'`"
        )
    from joblib import Parallel, delayed, parallel_config

    def work(jobs: Sequence[Job]) -> list[Outcome]:
        # A pool even for one job, when several were asked for: one that is killed must not take this process with it.
        outcomes: list[Outcome] = Parallel(n_jobs=options.jobs, batch_size=1)(delayed(attend)(job) for job in jobs)
        return outcomes

    if options.cluster is None:
        with parallel_config(backend="loky"):
            yield work
        if options.jobs != 1:
            dismiss()
        return
    with cluster(options.cluster):
        yield lambda jobs: [outcome for _, outcome in work_as_tasks(attend, jobs)]
