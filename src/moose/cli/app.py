"""The commands and what all of them share."""

from __future__ import annotations

from typing import Annotated

import typer

import moose
from moose.cli.bench.bench import bench
from moose.cli.learn.ask import ask
from moose.cli.learn.compile import compile_task
from moose.cli.learn.data import data
from moose.cli.learn.evaluate import evaluate
from moose.cli.learn.predict import predict
from moose.cli.learn.shortcuts import shortcuts
from moose.cli.learn.train import train
from moose.cli.probability.encode import encode
from moose.cli.probability.query import query
from moose.cli.reason.check import check
from moose.cli.reason.classify import classify
from moose.cli.reason.explain import explain
from moose.cli.reason.realise import realise
from moose.cli.reason.verify import verify

app = typer.Typer(
    name="moose",
    help="Read an OWL 2 EL ontology, classify it, and explain what follows.",
    epilog="Exit codes: 0 done, 1 it does not follow, 2 bad input, 3 the ontology is inconsistent.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: drawing it with rich would take longer than all else together
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (classify, check, explain, realise, ask, query, encode, train, evaluate, predict, shortcuts, verify):
    app.command()(command)
app.command("compile")(compile_task)
app.add_typer(data)
app.add_typer(bench)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"moose {moose.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Read an OWL 2 EL ontology, classify it, and explain what follows."""
