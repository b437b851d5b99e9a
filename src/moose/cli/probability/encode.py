"""`moose encode`: a goal as weighted clauses or as a ProbLog program, for other programs."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import LimitReached
from moose.cli.common.completeness import ListUnused, say_unused, unused_texts
from moose.cli.common.messages import say
from moose.cli.common.ontology_notes import say_outside
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages
from moose.cli.probability.query_options import (
    ProbabilitiesFile,
    ProbabilitySource,
    WithoutAnnotations,
    find_probabilities,
)

if TYPE_CHECKING:
    from moose.queries.export.encode import Encoding


class EncodingFormat(StrEnum):
    """What a goal is written as."""

    dimacs = "dimacs"
    problog = "problog"


def encode(
    file: File,
    goal: Annotated[str, typer.Argument(metavar="GOAL", help='As for `moose query`, e.g. "SubClassOf(A B)".')],
    *,
    output: Output = None,
    format: Annotated[  # noqa: A002  # the option is called --format
        EncodingFormat, typer.Option(help="Weighted DIMACS by Stages 2-5, or the rule instances for ProbLog.")
    ] = EncodingFormat.dimacs,
    probabilities: ProbabilitiesFile = None,
    without_annotations: WithoutAnnotations = False,
    groundable_heads: Annotated[
        bool, typer.Option("--groundable-heads", help="Keep only atoms that have a ground counterpart.")
    ] = False,
    json: Json = False,
    unused: ListUnused = False,
    imports: Imports,
) -> None:
    """Write a goal as clauses or as a ProbLog program. They say when it holds, over uncertain axioms.

    With -o, how large each stage came out is printed; without, the encoding itself.
    With --json one object takes the place of both, and the encoding then only goes to a file given by -o.
    """
    source = ProbabilitySource(probabilities, without_annotations)
    with stages("reading") as stage:
        ontology = imports.read(file)
        stated = find_probabilities(ontology, source, file)
        stage.enter("encoding")
        from moose.owl.names import Names
        from moose.queries.export.encode import encode as encode_goal

        encoding = encode_goal(ontology, goal, stated, is_groundable=groundable_heads)
        text = spell(encoding, format)
        counts = sizes(encoding, format)
    if output is not None or not json:
        with writing(output, source=file) as stream:
            stream.write(text)
    if json:
        rows = {"complete": not encoding.unused, "unused": unused_texts(encoding.unused)}
        print_json({"goal": encoding.goal.text, "format": format.value, **counts, **rows})
        return
    if output is not None and str(output) != "-":
        with writing(None) as stream:
            stream.writelines(f"{name.replace('_', ' ')}\t{count}\n" for name, count in counts.items())
    say_outside(ontology, file)
    say_unused(encoding.unused, Names(ontology), file, what="the encoding is of the EL part only", is_listed=unused)


def spell(encoding: Encoding, form: EncodingFormat) -> str:
    """Write an encoding."""
    if form is EncodingFormat.problog:
        from moose.queries.export.problog import problog_program

        return problog_program(encoding)
    from moose.queries.export.weighted_cnf import weighted_cnf

    return weighted_cnf(encoding)


def sizes(encoding: Encoding, form: EncodingFormat) -> dict[str, int]:
    """Return how large each stage came out; a ProbLog program does without Stages 2-5, which may be too large."""
    try:
        return asdict(encoding.diagnostics)
    except LimitReached as error:
        if form is not EncodingFormat.problog:
            raise
        say(str(error))
        return {"axioms": len(encoding.axioms), "rule_instances": len(encoding.instances.clauses)}
