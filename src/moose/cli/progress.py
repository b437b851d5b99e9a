"""Show on a terminal what is being done, if it takes more than a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

PATIENCE_SECONDS = 1.0
REFRESH_SECONDS = 0.2


@dataclass(slots=True)
class Stage:
    """What is being done now, and which part of it is done (none where nobody can know)."""

    name: str
    fraction: float | None = None
    finished: Event = field(default_factory=Event)

    def enter(self, name: str) -> None:
        """Say that another stage begins."""
        self.name, self.fraction = name, None

    def report(self, fraction: float) -> None:
        """Say how much of the stage is done, between 0 and 1."""
        self.fraction = fraction


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
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False, redirect_stdout=False)
    with bar as progress:
        task = progress.add_task(stage.name, total=None)
        while not stage.finished.wait(REFRESH_SECONDS):
            known = stage.fraction is not None
            progress.update(
                task,
                description=stage.name,
                total=1.0 if known else None,
                completed=stage.fraction or 0.0,
                refresh=True,
            )
