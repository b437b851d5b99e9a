"""`moose fit-probabilities`: the probabilities of axioms, learnt from cases."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say
from moose.cli.common.options import File, Imports, Json, Output
from moose.cli.common.output import check_output, finite, write_json, writing
from moose.cli.common.progress import stages
from moose.cli.probability.query_options import (
    ProbabilitiesFile,
    ProbabilitySource,
    WithoutAnnotations,
    find_probabilities,
)

if TYPE_CHECKING:
    from moose.queries.estimate.learn import LearntProbabilities
    from moose.queries.estimate.parameters import Beta


class FittingMethod(StrEnum):
    """How probabilities are learnt."""

    em = "em"
    gradient = "gradient"


def fit_probabilities(
    file: File,
    cases: Annotated[
        Path, typer.Argument(metavar="CASES", help="CSV with a column for each goal, JSON, or Phenopackets.")
    ],
    *,
    output: Output = None,
    probabilities: ProbabilitiesFile = None,
    without_annotations: WithoutAnnotations = False,
    method: Annotated[FittingMethod, typer.Option(help="Expectation maximisation, or along the gradient.")] = (
        FittingMethod.em
    ),
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="At most so many.")] = 1000,
    fixed: Annotated[
        list[str] | None, typer.Option(metavar="AXIOM", help="Leave its probability as it is; may be repeated.")
    ] = None,
    tied: Annotated[
        list[str] | None,
        typer.Option(metavar="AXIOMS", help="Axioms with | between them that share one probability; may be repeated."),
    ] = None,
    per_individual: Annotated[
        list[str] | None,
        typer.Option(metavar="AXIOM", help="Throw its coin for each named individual anew; may be repeated."),
    ] = None,
    prior: Annotated[
        str | None, typer.Option(metavar="A,B", help="A Beta prior of all probabilities, such as 2,2.")
    ] = None,
    held_out: Annotated[
        Path | None, typer.Option(metavar="CASES", help="Cases to weigh at the end, and not to learn from.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Written after each step; go on from it if it is there.")
    ] = None,
    finding_property: Annotated[
        str, typer.Option("--property", metavar="ROLE", help="By which a disease of a Phenopacket has findings.")
    ] = "hasFinding",
    json: Json = False,
    imports: Imports,
) -> None:
    """Learn the probabilities of axioms from cases. A case is what was seen to follow, and what not.

    Each case is a world of its own. Learning begins with the probabilities that axioms have; those without one are
    certain. The result is what --probabilities of the other commands reads.
    """
    source = ProbabilitySource(probabilities, without_annotations)
    check_output(output, source=file)
    with stages("reading") as stage:
        ontology = imports.read(file)
        start = find_probabilities(ontology, source, file)
        from moose.queries.estimate.cases import read_observed_cases
        from moose.queries.estimate.learn import LearningOptions, LearningStep, learn_probabilities
        from moose.queries.estimate.parameters import CoinSharing

        read = partial(read_observed_cases, finding_property=finding_property)
        sharing = CoinSharing(
            tuple(fixed or ()),
            tuple(tuple(one.strip() for one in several.split("|")) for several in tied or ()),
            tuple(per_individual or ()),
            read_prior_option(prior),
        )

        def show(step: LearningStep) -> None:
            stage.enter(f"step {step.number}, objective {step.objective:.6g}")

        learnt = learn_probabilities(
            ontology,
            read(cases),
            probabilities=start,
            sharing=sharing,
            learning=LearningOptions(method.value, steps, checkpoint=checkpoint, progress=show),
            held_out=[] if held_out is None else read(held_out),
        )
    rows = learnt_rows(learnt)
    with writing(output, source=file) as stream:
        if json:
            write_json({**facts(learnt), "axioms": rows}, stream)
        else:
            stream.writelines(f"{row['axiom']}\t{row['probability']}\n" for row in rows)
    if not json:
        say(f"{cases}: {learnt}")
        if learnt.held_out is not None:
            say(f"{held_out}: log-likelihood {learnt.held_out:.6g}")


def read_prior_option(text: str | None) -> Beta:
    """Return the prior that an option names."""
    from moose.queries.estimate.parameters import NO_PRIOR, Beta

    if text is None:
        return NO_PRIOR
    try:
        alpha, beta = map(float, text.split(","))
    except ValueError:
        raise MooseError(f"--prior: expected two numbers such as 2,2, but got {text!r}; write it like that") from None
    return Beta(alpha, beta)


def learnt_rows(learnt: LearntProbabilities) -> list[dict[str, object]]:
    """Return each uncertain axiom with its probability, and the standard error of one that was learnt."""
    from dataclasses import replace

    from moose.owl.syntax.functional.write_functional import render

    found = learnt.probabilities
    rows: list[dict[str, object]] = []
    for position, value in found.stated.items():
        axiom = found.ontology.axioms[position]
        error = learnt.standard_errors.get(axiom)
        is_known = error is not None and error != float("inf")
        rows.append(
            {
                "axiom": render(replace(axiom, annotations=())),
                "probability": str(value) if value.denominator < SMALL else f"{float(value):.12g}",
                "standard_error": error if is_known else None,
                "learnt": error is not None,
            }
        )
    return rows


SMALL = 1000
"""Fractions with a smaller denominator are written as such."""


def facts(learnt: LearntProbabilities) -> dict[str, object]:
    """Return how well the probabilities fit."""
    return {
        "log_likelihood": finite(learnt.log_likelihood),
        "cases": learnt.cases,
        "held_out_log_likelihood": finite(learnt.held_out),
        "steps": len(learnt.history) - 1,
        "converged": learnt.is_converged,
    }
