"""All commands, in the groups of the help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from moose.cli.authoring.diff import diff
from moose.cli.authoring.extract import extract
from moose.cli.authoring.reason import reason
from moose.cli.bench.bench import bench
from moose.cli.common.commands import command_group
from moose.cli.learn.ask import ask
from moose.cli.learn.compile import compile_task
from moose.cli.learn.data import data
from moose.cli.learn.evaluate import evaluate
from moose.cli.learn.predict import predict
from moose.cli.learn.shortcuts import shortcuts
from moose.cli.learn.train import train
from moose.cli.probability.encode import encode
from moose.cli.probability.fit_listing import fit_listing
from moose.cli.probability.fit_probabilities import fit_probabilities
from moose.cli.probability.query import query
from moose.cli.probability.rank import rank
from moose.cli.reason.check import check
from moose.cli.reason.classify import classify
from moose.cli.reason.convert import convert, merge
from moose.cli.reason.dl import dl
from moose.cli.reason.explain import explain
from moose.cli.reason.explore import explore
from moose.cli.reason.realise import realise
from moose.cli.reason.verify import verify

DESCRIPTION = """\
Moose reasons over OWL 2 EL ontologies, and learns with them. It classifies an ontology and proves what follows; where
axioms are uncertain, it says how likely an entailment is. From a theory and partial evidence it trains classifiers for
concepts that nobody labelled, and it shows beforehand which wrong readings of these concepts the evidence allows.

A FILE is an ontology in any OWL syntax; a TASK is one of the regimes mnist1-3 and pizzaA-C, or a task's file."""
EPILOG = """\
Exit codes: 0 done, 1 no (it does not follow, the evidence contradicts the theory, a certificate is refused, a run
failed), 2 bad input, 3 the ontology is inconsistent, 4 not found, but axioms that may matter were not used
whole, 70 a mistake of Moose. `moose COMMAND --help` has the options of a command."""

# The one table: the groups of the help, and in each the commands by their names.
COMMANDS: dict[str, dict[str, Callable[..., None] | typer.Typer]] = {
    "Reason": {
        "classify": classify,
        "check": check,
        "explain": explain,
        "dl": dl,
        "explore": explore,
        "realise": realise,
        "verify": verify,
    },
    "Build": {"reason": reason, "extract": extract, "diff": diff, "convert": convert, "merge": merge},
    "Probability": {
        "query": query,
        "rank": rank,
        "encode": encode,
        "fit-probabilities": fit_probabilities,
        "fit-listing": fit_listing,
    },
    "Learn": {
        "compile": compile_task,
        "ask": ask,
        "shortcuts": shortcuts,
        "train": train,
        "evaluate": evaluate,
        "predict": predict,
        "data": data,
    },
    "Benchmark": {"bench": bench},
}
app = command_group(DESCRIPTION, COMMANDS, epilog=EPILOG)


def _version(context: typer.Context, wanted: bool) -> None:
    if wanted:
        from moose.cli.versions import version_lines

        for line in version_lines(is_verbose=bool(context.params.get("verbose"))):
            typer.echo(line)
        raise typer.Exit


@app.callback(help=DESCRIPTION)
def options(
    verbose: Annotated[
        bool, typer.Option("--verbose", is_eager=True, help="With --version: of all that a bug report should name.")
    ] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, help="Print the version and stop.")] = False,
) -> None:
    """Take what stands before a command."""
