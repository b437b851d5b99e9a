"""`moose compile`: a task as a circuit, and how large that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.cli.options import Json
from moose.cli.output import print_json, writing
from moose.cli.progress import stages
from moose.cli.task_options import (
    ClosureOption,
    Encoding,
    EncodingOption,
    Making,
    PinRoles,
    RegimeName,
    SizeLimit,
    TaskFile,
    TaskSource,
    TimeLimit,
    VtreeKind,
    VtreeOption,
)
from moose.errors import MooseError

if TYPE_CHECKING:
    from moose.circuit.circuit import Circuit


def compile_task(
    task: TaskFile = None,
    regime: RegimeName = None,
    encoding: EncodingOption = Encoding.full,
    closure: ClosureOption = True,
    vtree: VtreeOption = VtreeKind.structure,
    pin_roles: PinRoles = None,
    time_limit: TimeLimit = None,
    size_limit: SizeLimit = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="Save the circuit to this file.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the circuit, if it is small.")] = None,
    json: Json = False,
) -> None:
    """Ground a task, compile it into a circuit, and print its size and the assumptions that it rests on."""
    source = TaskSource(task, regime)
    check_outputs(task, output, svg)
    with stages("reading") as stage:
        circuit = Making(encoding, closure, vtree, pin_roles, time_limit, size_limit).make(source, stage)
    if output is not None:
        circuit.save(output)
    if svg is not None:
        picture = circuit.svg()
        with writing(svg) as stream:
            stream.write(picture)
    if json:
        print_json(facts(circuit))
        return
    with writing(None) as stream:
        stream.writelines(f"{line}\n" for line in lines(circuit))


def check_outputs(task: Path | None, *outputs: Path | None) -> None:
    """Refuse to overwrite the task."""
    for output in outputs:
        if task is not None and output is not None and output.exists() and task.exists() and output.samefile(task):
            raise MooseError(f"{output}: is the task itself and would be overwritten; choose another name")


def facts(circuit: Circuit) -> dict[str, object]:
    """Return the size of a circuit and what it rests on, for programs."""
    statistics = circuit.statistics
    return {
        "atoms": statistics.atoms,
        "clauses": statistics.clauses,
        "size": statistics.size,
        "nodes": statistics.nodes,
        "seconds": round(statistics.seconds, 4),
        "vtree": statistics.vtree,
        "assumptions": [
            {"name": one.name, "statement": one.statement, "departure": one.departure} for one in circuit.assumptions
        ],
    }


def lines(circuit: Circuit) -> list[str]:
    """Spell the same for people."""
    statistics = circuit.statistics
    return [
        f"atoms\t{statistics.atoms}",
        f"clauses\t{statistics.clauses}",
        f"size\t{statistics.size}",
        f"nodes\t{statistics.nodes}",
        f"seconds\t{statistics.seconds:.3f}",
        f"vtree\t{statistics.vtree}",
        "assumptions",
        *(f"  {one.name}: {one.statement}\n    given up: {one.departure}" for one in circuit.assumptions),
    ]
