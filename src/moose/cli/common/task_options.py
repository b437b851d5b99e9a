"""The arguments of the commands that work on a task, a data set or a model, and the circuit that is made of a task."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.options import read_duration

if TYPE_CHECKING:
    from moose.circuit.bounds.bounds import Bounds
    from moose.circuit.circuit import Circuit
    from moose.circuit.inference.weights import Weights
    from moose.circuit.limits import Limits
    from moose.cli.common.progress import Stage
    from moose.grounding.clauses import Clauses
    from moose.grounding.evidence import Evidence
    from moose.grounding.task.task import Task
    from moose.owl.profile.profile import Outside


class Encoding(StrEnum):
    """Which clauses are grounded."""

    full = "full"
    paper = "paper"


class VtreeKind(StrEnum):
    """How the atoms are arranged."""

    auto = "auto"
    tables = "tables"
    structure = "structure"
    balanced = "balanced"
    linear = "linear"


def refuse_former_spelling(context: typer.Context, option: typer.CallbackParam, value: str | None) -> None:
    """Say how a task is given now, to somebody who gives it by an option as was once done."""
    if value is None:
        return
    from shlex import quote

    arguments = [one for one in context.command.params if one.param_type_name == "argument"]
    words = [quote(value) if one.name == "task" else str(one.name).upper() for one in arguments]
    raise MooseError(f"a task is now given without {option.opts[0]}: {' '.join([context.command_path, *words])}")


TaskName = Annotated[
    str | None,
    typer.Argument(metavar="TASK", help="A regime, mnist1-3 or pizzaA-C, or a task's file (TOML).", show_default=False),
]
# Eager, so that it is said before anything that is missing.
FormerRegime = Annotated[
    str | None, typer.Option("--regime", hidden=True, is_eager=True, callback=refuse_former_spelling)
]
FormerTask = Annotated[str | None, typer.Option("--task", hidden=True, is_eager=True, callback=refuse_former_spelling)]
EncodingOption = Annotated[Encoding, typer.Option(help="Every sound ground clause, or exactly the paper's.")]
ClosureOption = Annotated[
    bool, typer.Option("--closure/--no-closure", help="Close the families, or the EL theory alone.")
]
VtreeOption = Annotated[
    VtreeKind, typer.Option(help="Tables, or diagrams along the structure, the paper's tree, a line.")
]
PinRoles = Annotated[
    bool | None,
    typer.Option("--pin-roles/--no-pin-roles", help="Fix known roles before compiling.  [default: not in paper]"),
]
TimeLimit = Annotated[
    str | None, typer.Option(metavar="TIME", help="Give up compiling after so long, such as 10s.  [default: 10m]")
]
MemoryLimit = Annotated[
    float | None, typer.Option(metavar="MEGABYTES", help="Give up when it takes more.  [default: half of all]")
]
CacheOption = Annotated[bool, typer.Option("--cache/--no-cache", help="Keep circuits, and take those that are kept.")]
SizeLimit = Annotated[
    int | None,
    typer.Option(
        metavar="ELEMENTS",
        help="Give up when a diagram or all tables grow larger; one table may have 4,000,000 rows, or as many as this.",
    ),
]
Bounded = Annotated[
    bool, typer.Option("--bounds", help="Certified bounds instead of an exact circuit, however wide the theory.")
]
EvidenceText = Annotated[
    str, typer.Option("--evidence", metavar="LITERALS", help='What is observed, such as "Even(a), not Prime(a)".')
]

DataName = Annotated[
    str | None, typer.Option("--data", metavar="NAME", help="A data set; `moose data list` names them.")
]
DataFolder = Annotated[
    Path | None, typer.Option("--folder", metavar="FOLDER", help="Where the data set's files are, if it has some.")
]
TableFile = Annotated[
    Path | None, typer.Option("--table", metavar="FILE", help="Features in columns, CSV or Parquet, and literals.")
]
FeatureColumns = Annotated[
    list[str] | None,
    typer.Option("--features", metavar="COLUMNS", help="Columns to look at, such as 'x*,age'; else all with numbers."),
]
ImageSize = Annotated[int | None, typer.Option("--size", metavar="PIXELS", min=1, help="Scale images to this size.")]
ModelFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `moose train -o DIR` wrote.")]
SEED = typer.Option("--seed", metavar="N", min=0, help="Another seed, another draw of all that is drawn at random.")
THREADS = typer.Option("--threads", metavar="N", min=1, help="Threads of torch in a process.")


@dataclass(frozen=True, slots=True)
class DataSource:
    """Which data set to open, and where it is."""

    data: DataName = None
    folder: DataFolder = None
    table: TableFile = None
    features: FeatureColumns = None

    @property
    def name(self) -> str | None:
        """The data set, if one is said."""
        if self.table is not None and (self.folder is not None or self.data not in (None, "table")):
            other = "--data" if self.folder is None else "--folder"
            raise MooseError(f"--table names the data already, so {other} has no meaning beside it; leave one out")
        return self.data if self.table is None else "table"

    @property
    def place(self) -> Path | None:
        """Its folder or file, if one is said."""
        return self.folder if self.table is None else self.table

    @property
    def patterns(self) -> tuple[str, ...]:
        """The columns to look at."""
        words = [word.strip() for text in self.features or () for word in text.split(",")]
        return tuple(word for word in words if word)


@dataclass(frozen=True, slots=True)
class TaskSource:
    """Which task to read: as it was given, a regime's name or a task's file."""

    task: TaskName = None
    former_regime: FormerRegime = None

    @property
    def name(self) -> str:
        """The task as it was given."""
        if self.task is None:
            from moose.grounding.task.regimes import REGIMES

            raise MooseError(f"expected a task, but got none; name a regime ({', '.join(REGIMES)}) or a task's file")
        return self.task

    @property
    def path(self) -> Path:
        """Its file."""
        from moose.grounding.task.regimes import task_path

        return task_path(self.name)

    @property
    def regime(self) -> str | None:
        """The regime that it is, if it is one."""
        from moose.grounding.task.regimes import REGIMES

        return self.task if self.task in REGIMES else None

    def read(self, outputs: Sequence[Path] = ()) -> Task:
        """Read the task; refuse to go on if a file that this takes would be overwritten by one of the outputs."""
        from moose.grounding.task.task_file import read_task_and_files

        task, files = read_task_and_files(self.path)
        for output in outputs:
            if any(is_same_file(output, file) for file in files):
                raise MooseError(f"{output}: is read for this task and would be overwritten; choose another name")
        return task


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, there already or not."""
    are_there = one.exists() and other.exists()
    return one.samefile(other) if are_there else os.path.realpath(one) == os.path.realpath(other)


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """How circuits are compiled, by every command that needs one."""

    vtree: VtreeOption = VtreeKind.auto
    time_limit: TimeLimit = None
    size_limit: SizeLimit = None
    memory_limit: MemoryLimit = None
    cache: CacheOption = False

    @property
    def limits(self) -> Limits:
        """What compiling may take; what is not said is the default."""
        return limits_of(self.time_limit, self.size_limit, self.memory_limit)

    def applied(self) -> AbstractContextManager[object]:
        """Have everything that compiles inside a `with` statement do it so."""
        from moose.circuit.compile.settings import compiling

        return compiling(vtree=self.vtree.value, limits=self.limits, cache=self.cache)


def limits_of(time: str | None, size: int | None, megabytes: float | None) -> Limits:
    """Return limits, those that are not said being the default ones."""
    from moose.circuit.limits import Limits

    said = {"seconds": read_duration(time, "--time-limit"), "size": size, "megabytes": megabytes}
    return Limits(**{name: value for name, value in said.items() if value is not None})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Compilation:
    """How a circuit is made of a task."""

    encoding: EncodingOption = Encoding.full
    closure: ClosureOption = True
    vtree: VtreeOption = VtreeKind.auto
    pin_roles: PinRoles = None
    time_limit: TimeLimit = None
    size_limit: SizeLimit = None
    memory_limit: MemoryLimit = None
    cache: CacheOption = False

    def run(self, task: Task, stage: Stage) -> Circuit:
        """Ground and compile."""
        from moose.circuit.compile.compile_circuit import compile_circuit

        clauses = self._ground(task, stage)
        stage.enter("compiling")
        return compile_circuit(
            clauses,
            vtree=self.vtree.value,
            limits=limits_of(self.time_limit, self.size_limit, self.memory_limit),
            cache=self.cache,
            progress=lambda what, share: stage.enter(f"compiling: {what}, {share:.0%}"),
        )

    def run_bounds(
        self, task: Task, stage: Stage, evidence: Evidence | None = None, weights: Weights | None = None
    ) -> Bounds:
        """Ground, and compile bounds that are tight for evidence and weights; the limits say how tight."""
        from moose.circuit.bounds.compile_bounds import ENOUGH, compile_bounds

        if self.vtree != VtreeKind.auto:
            raise MooseError(f"--bounds and --vtree {self.vtree} are two ways to compile; choose one")
        clauses = self._ground(task, stage)
        stage.enter("bounding")
        return compile_bounds(
            clauses,
            evidence=evidence,
            weights=weights,
            limits=limits_of(self.time_limit, self.size_limit or ENOUGH.size, self.memory_limit),
            progress=lambda what, share: stage.enter(f"bounding: {what}, {share:.0%}"),
        )

    def left_out(self, task: Task) -> tuple[Outside, ...]:
        """Return the axioms that may matter and are not used whole; the paper's encoding uses none outside EL."""
        return task.outside if self.encoding == Encoding.paper else task.unused

    def _ground(self, task: Task, stage: Stage) -> Clauses:
        from moose.grounding.ground import ground
        from moose.grounding.task.components import CLOSURE_COMPONENTS, Components

        stage.enter("grounding")
        components = Components() if self.closure else Components.without(*CLOSURE_COMPONENTS)
        return ground(task, encoding=self.encoding.value, components=components, pin_roles=self.pin_roles)
