"""The arguments of the commands that work on a task, and the circuit that they ask for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError

if TYPE_CHECKING:
    from moose.circuit.circuit import Circuit
    from moose.cli.common.progress import Stage
    from moose.grounding.task.task import Task


class Encoding(StrEnum):
    """Which clauses are grounded."""

    full = "full"
    paper = "paper"


class VtreeKind(StrEnum):
    """How the atoms are arranged."""

    structure = "structure"
    balanced = "balanced"
    linear = "linear"


TaskFile = Annotated[Path | None, typer.Argument(metavar="[TASK]", help="A task in TOML.", show_default=False)]
RegimeName = Annotated[
    str | None, typer.Option("--regime", metavar="NAME", help="A bundled task: mnist1-3, pizzaA, pizzaB or pizzaC.")
]
EncodingOption = Annotated[Encoding, typer.Option(help="Every sound ground clause, or exactly the paper's.")]
ClosureOption = Annotated[
    bool, typer.Option("--closure/--no-closure", help="Close the families, or the EL theory alone.")
]
VtreeOption = Annotated[VtreeKind, typer.Option(help="Follow the structure, or the paper's balanced tree, or a line.")]
PinRoles = Annotated[
    bool | None,
    typer.Option("--pin-roles/--no-pin-roles", help="Fix known roles before compiling.  [default: not in paper]"),
]
TimeLimit = Annotated[float | None, typer.Option(metavar="SECONDS", help="Give up compiling after so long.")]
SizeLimit = Annotated[int | None, typer.Option(metavar="ELEMENTS", help="Give up when a diagram grows larger.")]


@dataclass(frozen=True, slots=True)
class TaskSource:
    """Which task to read."""

    file: Path | None
    regime: str | None
    outputs: tuple[Path, ...] = ()
    """Files that are to be written, and so must be none of those that are read."""

    def __post_init__(self) -> None:
        if (self.file is None) == (self.regime is None):
            came = "neither" if self.file is None else "both"
            raise MooseError(f"expected a task file or --regime NAME, but got {came}; give one of them")

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return str(self.file or self.regime)

    def read(self) -> Task:
        """Read the task; refuse to go on if a file that this takes would be overwritten."""
        from moose.grounding.task.task_file import read_task_and_files

        task, files = read_task_and_files(self._path())
        for output in self.outputs:
            if any(is_same_file(output, file) for file in files):
                raise MooseError(f"{output}: is read for this task and would be overwritten; choose another name")
        return task

    def _path(self) -> Path:
        if self.file is not None:
            return self.file
        from moose.grounding.task.regimes import regime_path

        assert self.regime is not None
        return regime_path(self.regime)


def is_same_file(one: Path, other: Path) -> bool:
    """Say whether two paths lead to one file, there already or not."""
    are_there = one.exists() and other.exists()
    return one.samefile(other) if are_there else os.path.realpath(one) == os.path.realpath(other)


@dataclass(frozen=True, slots=True)
class Making:
    """How a circuit is made of a task."""

    encoding: Encoding = Encoding.full
    closure: bool = True
    vtree: VtreeKind = VtreeKind.structure
    pin_roles: bool | None = None
    time_limit: float | None = None
    size_limit: int | None = None

    def make(self, source: TaskSource, stage: Stage) -> Circuit:
        """Read, ground and compile."""
        from moose.circuit.compile.compile_circuit import compile_circuit
        from moose.circuit.limits import Limits
        from moose.grounding.ground import ground
        from moose.grounding.task.components import CLOSURE_COMPONENTS, Components

        limits = Limits(seconds=self.time_limit, size=self.size_limit)
        task = source.read()
        stage.enter("grounding")
        components = Components() if self.closure else Components.without(*CLOSURE_COMPONENTS)
        clauses = ground(task, encoding=self.encoding.value, components=components, pin_roles=self.pin_roles)
        stage.enter("compiling")
        return compile_circuit(
            clauses,
            vtree=self.vtree.value,
            limits=limits,
            progress=lambda what, share: stage.enter(f"compiling: {what}, {share:.0%}"),
        )
