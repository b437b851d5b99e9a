"""What `moose bench run` says while it runs: a line for each cell, and a bar where the standard error is a terminal."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Self

from moose.cli.common.messages import harmless
from moose.cli.common.terminal import steered

if TYPE_CHECKING:
    from moose.benchmark.store.records import Record
    from moose.benchmark.sweep.progress import Progress


class SweepProgress:
    """Says on the standard error what is finished and how long the rest may take, with a bar where it is a terminal."""

    def __init__(self, title: str) -> None:
        self._bar: AbstractContextManager[object] = nullcontext()
        self._print = _to_standard_error
        if sys.stderr.isatty():
            self._begin_bar(title)

    def _begin_bar(self, title: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            TimeElapsedColumn(),
        )
        console = Console(file=steered(sys.stderr), highlight=False, soft_wrap=True)
        bar = Bar(*columns, console=console, redirect_stdout=False)
        self._task = bar.add_task(harmless(title), total=None, left="")
        self._rich, self._bar, self._print = bar, bar, lambda line: console.print(harmless(line), markup=False)

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)

    def show(self, progress: Progress) -> None:
        """Say what became of one cell."""
        left = "" if progress.seconds_left is None else f"about {in_words(progress.seconds_left)} left"
        done = progress.finished + progress.failed
        if progress.news is None:
            self._print(f"{progress.total} runs, {progress.finished} of them finished already")
        if progress.news is not None:
            width = len(str(progress.total))
            rest = "" if self._has_bar or not left else f"; {left}"
            self._print(f"[{done:{width}}/{progress.total}] {describe(progress.news)}{rest}")
        if self._has_bar:
            self._rich.update(self._task, total=progress.total, completed=done, left=left)

    @property
    def _has_bar(self) -> bool:
        return not isinstance(self._bar, nullcontext)


def describe(record: Record) -> str:
    """Say what became of a cell, in one line."""
    varied = "".join(f" {key} {value}" for key, value in record.get("varied", {}).items())
    title = f"{record['regime']} {record['data']} {record['method']}{varied} seed {record['seed']}"
    if isinstance(error := record.get("error"), dict):
        return f"{title} failed: {error['kind']}: {error['message']}".splitlines()[0]
    if isinstance(circuit := record.get("circuit"), dict):
        return f"{title}: {circuit['size']} elements, {record['seconds']:.2g} s"
    scores = record["metrics"]
    assert isinstance(scores, dict)
    shown = [f"{key} {value:.3f}" for key in ("acc_f", "acc_c", "ece") if (value := scores[key]) is not None]
    return f"{title}: {', '.join(shown)}, {record['seconds']:.0f} s"


def in_words(seconds: float) -> str:
    """Write a time for people.

    >>> in_words(50), in_words(3000), in_words(9000)
    ('50 s', '50 min', '2 h 30 min')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201
