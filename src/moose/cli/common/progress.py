"""Show on a terminal what is being done, if it takes more than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

from moose.cli.common.messages import harmless
from moose.cli.common.terminal import steered

PATIENCE_SECONDS = 1.0
REFRESH_SECONDS = 0.2


@dataclass(slots=True)
class Stage:
    """What is being done now, and how many steps of it are done, where somebody counts them."""

    name: str
    steps: int = 0
    finished: Event = field(default_factory=Event)

    def enter(self, name: str) -> None:
        """Say that another stage begins."""
        self.name, self.steps = name, 0

    def count(self, steps: int) -> None:
        """Say how many steps are done so far."""
        self.steps = steps

    def __str__(self) -> str:
        return f"{self.name}, {self.steps:,} steps" if self.steps else self.name


@contextmanager
def stages(first: str) -> Iterator[Stage]:
    """Show stages on the standard error while the body runs, if that is a terminal; write results after the body."""
    stage = Stage(first)
    if not sys.stderr.isatty():
        yield stage
        return
    thread = Thread(target=_show, args=(stage,), daemon=True)
    thread.start()
    try:
        yield stage
    finally:
        stage.finished.set()
        thread.join()


def _show(stage: Stage) -> None:
    if stage.finished.wait(PATIENCE_SECONDS):
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    console = Console(file=steered(sys.stderr))
    with Progress(*columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False) as progress:
        task = progress.add_task(harmless(str(stage)), total=None)
        while not stage.finished.wait(REFRESH_SECONDS):
            progress.update(task, description=harmless(str(stage)), refresh=True)
