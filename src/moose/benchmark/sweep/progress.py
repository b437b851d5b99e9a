"""Follow a sweep by what appears in its store: how much is done, and how long the rest may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from threading import Event, Thread
from types import TracebackType
from typing import Self

from moose.benchmark.store.record_files import read_json
from moose.benchmark.store.records import Record
from moose.benchmark.store.store import Store
from moose.benchmark.sweep.worker import Job

LOOK_SECONDS = 0.5
TIMES = ("opening_seconds", "seconds", "evaluation_seconds")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is."""

    total: int
    finished: int
    failed: int
    seconds_left: float | None
    """None while nothing is known."""
    news: Record | None
    """The record of what was finished, or failed, just now; None at the start."""


Tell = Callable[[Progress], None]


class Follower:
    """Looks into the store while a sweep runs, and tells of each cell that appears there; use it as a context.

    Looking serves every way to run alike, and sees what other processes finish in the same store.
    """

    def __init__(self, store: Store, jobs: Sequence[Job], processes: int, tell: Tell | None) -> None:
        self._store, self._jobs, self._processes, self._tell = store, list(jobs), processes, tell
        self._took = dict[str, float]()
        """Seconds of each finished cell."""
        self._failed = set[str]()
        self._done = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        if self._tell is not None:
            self._look(is_told=False)
            self._tell(self._progress(None))
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tell is not None:
            self._done.set()
            self._thread.join()

    def _watch(self) -> None:
        is_over = False
        while not is_over:
            is_over = self._done.wait(LOOK_SECONDS)
            self._look(is_told=True)  # once more at the end

    def _look(self, *, is_told: bool) -> None:
        for job in self._jobs:
            name = job.name
            if name in self._took:
                continue
            if self._store.finished(name).exists():
                record = read_json(self._store.finished(name))
                self._took[name] = seconds_of(record)
                self._failed.discard(name)
            elif name not in self._failed and self._store.failed(name).exists():
                record = read_json(self._store.failed(name))
                self._failed.add(name)
            else:
                continue
            if is_told and self._tell is not None:
                planned = {"method": job.planned.row, "varied": dict(job.planned.varied)}
                self._tell(self._progress({**record, **planned}))

    def _progress(self, news: Record | None) -> Progress:
        took = [(job.planned.row, self._took[job.name]) for job in self._jobs if job.name in self._took]
        rest = [job.planned.row for job in self._jobs if job.name not in self._took and job.name not in self._failed]
        left = seconds_left(took, rest, self._processes)
        return Progress(len(self._jobs), len(self._took), len(self._failed), left, news)


def seconds_of(record: Mapping[str, object]) -> float:
    """Return how long a cell took from beginning to end."""
    seconds = [record.get(key) for key in TIMES]
    return float(sum(value for value in seconds if isinstance(value, int | float)))


def seconds_left(took: Sequence[tuple[str, float]], rest: Sequence[str], processes: int) -> float | None:
    """Estimate how long the rest takes: a row as long as it took on average, one not seen yet as long as all;
    but at least as long as the longest of the rest.

    >>> seconds_left([("moose", 10.0), ("moose", 20.0), ("bears", 60.0)], ["moose", "bears", "ltn"], processes=2)
    60.0
    """
    if not rest:
        return 0.0
    if not took:
        return None
    overall = mean(seconds for _, seconds in took)
    rows = {row: mean(seconds for other, seconds in took if other == row) for row, _ in took}
    total = sum(rows.get(row, overall) for row in rest)
    return max(total / processes, *(rows.get(row, overall) for row in rest))
