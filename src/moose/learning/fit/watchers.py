"""Who is told how training goes: a progress bar, a log, TensorBoard."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TextIO


@dataclass(frozen=True, slots=True)
class Step:
    """One step of training."""

    step: int
    """Of the whole training, the first is 1."""
    steps: int
    """How many there will be."""
    epoch: int
    loss: float
    accuracy: float | None
    """Of the network alone, over this epoch so far."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of training; a line of the log."""

    epoch: int
    steps: int
    """Steps from the beginning."""
    loss: float
    """Mean of the loss (-log WMC) over the epoch, as the network changed."""
    accuracy: float | None
    terms: dict[str, float]
    """Further numbers, means over the epoch: λ of the cover, or the parts of another method's loss."""
    validation_loss: float | None
    seconds: float

    def as_dict(self) -> dict[str, object]:
        """Return the line of the log."""
        return asdict(self)


class Watcher(Protocol):
    """Somebody who is told how training goes."""

    def step(self, report: Step) -> None:
        """Hear of one step."""

    def epoch(self, report: Epoch) -> None:
        """Hear of one epoch, whose checkpoint is written within a second, or when training ends, however it does."""


class Bar:
    """A progress bar with loss, accuracy and the time left, on the standard error if no stream is given.

    Use it as a context. It shows nothing where the stream is no terminal.
    """

    def __init__(self, title: str = "training", stream: TextIO | None = None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[news]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        shown_on = sys.stderr if stream is None else stream
        console = Console(file=shown_on)
        self._progress = Progress(*columns, console=console, disable=not shown_on.isatty(), redirect_stdout=False)
        self._task = self._progress.add_task(title, total=None, news="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def step(self, report: Step) -> None:
        """Move on."""
        accuracy = "" if report.accuracy is None else f", accuracy {report.accuracy:.1%}"
        news = f"epoch {report.epoch}, loss {report.loss:.3f}{accuracy}"
        self._progress.update(self._task, total=report.steps, completed=report.step, news=news)

    def epoch(self, report: Epoch) -> None:
        """Do nothing: the steps say it all."""


class Board:
    """Scalars for TensorBoard, in a folder."""

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(str(folder))

    def step(self, report: Step) -> None:
        """Write nothing: a point for each epoch is enough."""

    def epoch(self, report: Epoch) -> None:
        """Write one point of each curve."""
        curves = {name: getattr(report, name) for name in ("loss", "accuracy", "validation_loss")} | report.terms
        for name, value in curves.items():
            if value is not None:
                self._writer.add_scalar(name, value, report.epoch)
        self._writer.flush()


def board_if_installed(folder: Path | None) -> tuple[Watcher, ...]:
    """Return a watcher for TensorBoard if that is installed and there is a folder to write to."""
    if folder is None or find_spec("tensorboard") is None:
        return ()
    return (Board(folder / "tensorboard"),)
