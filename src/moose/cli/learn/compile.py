"""`moose compile`: a task as a circuit, and how large that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.completeness import ListUnused, completeness, say_open
from moose.cli.common.messages import DOES_NOT_FOLLOW, say
from moose.cli.common.options import Certificate, Json
from moose.cli.common.output import print_json, save_certificate, writing
from moose.cli.common.progress import stages
from moose.cli.common.task_options import Bounded, Compilation, TaskSource, is_same_file
from moose.cli.learn.bounded import size_facts, size_lines
from moose.cli.learn.learning_output import warn_of_impossible_concepts

if TYPE_CHECKING:
    from moose.circuit.circuit import Circuit

STANDARD_OUTPUT = Path("-")


def compile_task(
    source: TaskSource,
    *,
    compilation: Compilation,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="Save the circuit to this file.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the circuit, if it is small.")] = None,
    certificate: Certificate = None,
    bounds: Bounded = False,
    json: Json = False,
    unused: ListUnused = False,
) -> None:
    """Compile a task into a circuit; print its size and assumptions.

    A theory without a model is still compiled and saved, but said to be one, and the exit code is then 1.
    """
    outputs = checked_outputs(output, svg, certificate, as_json=json)
    if bounds:
        compile_bounded(source, compilation, outputs, as_json=json, is_listed=unused)
        return
    with stages("reading") as stage:
        task = source.read(outputs)
        warn_of_impossible_concepts(task)
        circuit = compilation.run(task, stage)
        without_model = no_model_at_all(circuit)
    if output is not None:
        save(circuit, output)
    if svg is not None:
        picture = circuit.svg()
        with writing(svg) as stream:
            stream.write(picture)
    if certificate is not None:
        certify(circuit, certificate)
    if json:
        print_json(facts(circuit, is_satisfiable=without_model is None) | completeness(compilation.left_out(task)))
    elif svg != STANDARD_OUTPUT:
        with writing(None) as stream:
            stream.writelines(f"{line}\n" for line in lines(circuit))
    say_open(task, compilation.left_out(task), source.path, is_listed=unused)
    if without_model is not None:
        say(str(without_model))
        raise typer.Exit(DOES_NOT_FOLLOW)


def compile_bounded(
    source: TaskSource, compilation: Compilation, outputs: tuple[Path, ...], *, as_json: bool, is_listed: bool
) -> None:
    """Compile a task into bounds; print how large they are, and how far apart."""
    if outputs:
        raise MooseError(f"{outputs[0]}: --bounds makes two circuits, which are not written; leave one of the two out")
    with stages("reading") as stage:
        task = source.read()
        warn_of_impossible_concepts(task)
        bounds = compilation.run_bounds(task, stage)
        without_model = no_model_at_all(bounds.upper)
    if as_json:
        print_json(size_facts(bounds) | completeness(compilation.left_out(task)))
    else:
        with writing(None) as stream:
            stream.writelines(f"{line}\n" for line in size_lines(bounds))
    say_open(task, compilation.left_out(task), source.path, is_listed=is_listed)
    if without_model is not None:
        say(str(without_model))
        raise typer.Exit(DOES_NOT_FOLLOW)


def certify(circuit: Circuit, output: Path) -> None:
    """Write a certificate that the circuit is its clauses."""
    from moose.certificates.make.certify_circuit import certify_circuit

    save_certificate(certify_circuit(circuit), output)


def checked_outputs(
    output: Path | None, svg: Path | None, certificate: Path | None, *, as_json: bool
) -> tuple[Path, ...]:
    """Return the files to write; refuse what cannot be one, and two things in one place."""
    if output == STANDARD_OUTPUT:
        raise MooseError("-o -: a circuit is binary, so it cannot go to the standard output; name a file")
    if svg == STANDARD_OUTPUT and as_json:
        raise MooseError("--svg - and --json would both go to the standard output; name a file for the picture")
    if output is not None and svg is not None and is_same_file(output, svg):
        raise MooseError(f"{svg}: is named by -o and by --svg; choose two names")
    if certificate == STANDARD_OUTPUT:
        raise MooseError("--certificate -: the standard output has the size of the circuit; name a file")
    others = [path for path in (output, svg) if path is not None]
    if certificate is not None and any(is_same_file(certificate, path) for path in others):
        raise MooseError(f"{certificate}: is named by --certificate and by -o or --svg; choose two names")
    if output is not None and output.exists() and not output.is_file():
        raise MooseError(f"{output}: is no file to write to; choose another name")
    files = tuple(path for path in (output, svg, certificate) if path is not None and path != STANDARD_OUTPUT)
    for path in files:
        if not path.parent.is_dir():
            raise MooseError(f"{path}: cannot be written, as there is no such folder; make it, or choose another name")
    return files


def save(circuit: Circuit, output: Path) -> None:
    """Save a circuit, or say what to do about it."""
    try:
        circuit.save(output)
    except MooseError as error:
        raise MooseError(f"{error}; check the folder, its permissions and the disk") from None


def no_model_at_all(circuit: Circuit) -> MooseError | None:
    """Return why the theory and what is given in every instance have no model, if they have none."""
    from moose.circuit.inference.entailment import is_satisfiable
    from moose.circuit.question import no_model, observed

    known = observed(circuit, None)
    return None if is_satisfiable(circuit.diagram, known) else no_model(circuit, known, what="what the task knows")


def facts(circuit: Circuit, *, is_satisfiable: bool) -> dict[str, object]:
    """Return the size of a circuit and what it rests on, for programs."""
    statistics = circuit.statistics
    return {
        "atoms": statistics.atoms,
        "clauses": statistics.clauses,
        "size": statistics.size,
        "nodes": statistics.nodes,
        "seconds": round(statistics.seconds, 4),
        "vtree": statistics.vtree,
        "satisfiable": is_satisfiable,
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
