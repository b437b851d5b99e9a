"""The arguments of the commands that work on a task, and the circuit that they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.errors import MooseError

if TYPE_CHECKING:
    from moose.circuit.circuit import Circuit
    from moose.cli.progress import Stage
    from moose.grounding.task import Task


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

    def __post_init__(self) -> None:
        if (self.file is None) == (self.regime is None):
            came = "neither" if self.file is None else "both"
            raise MooseError(f"expected a task file or --regime NAME, but got {came}; give one of them")

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return str(self.file or self.regime)

    def read(self) -> Task:
        """Read the task."""
        if self.file is not None:
            from moose.grounding.task_file import read_task

            return read_task(self.file)
        from moose.grounding.regimes import regime

        assert self.regime is not None
        return regime(self.regime)


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
        from moose.circuit.compile import compile_circuit
        from moose.circuit.limits import Limits
        from moose.grounding.components import CLOSURE_COMPONENTS, Components
        from moose.grounding.ground import ground

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
