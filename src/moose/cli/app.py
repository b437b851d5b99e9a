"""All commands, in the groups of the help; each is loaded when it is asked for, which halves the start of most."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Annotated

import typer

from moose.cli.common.commands import command_group

DESCRIPTION = """\
Moose reasons over OWL 2 EL ontologies, and learns with them. It classifies an ontology and proves what follows; where
axioms are uncertain, it says how likely an entailment is. From a theory and partial evidence it trains classifiers for
concepts that nobody labelled, and it shows beforehand which wrong readings of these concepts the evidence allows.

A FILE is an ontology in any OWL syntax; a TASK is one of the regimes mnist1-3 and pizzaA-C, or a task's file."""
EPILOG = """\
Exit codes: 0 done, 1 no (it does not follow, the evidence contradicts the theory, a certificate is refused, a run
failed), 2 bad input, 3 the ontology is inconsistent, 4 not found, but axioms that may matter were not used
whole, 70 a mistake of Moose. `moose COMMAND --help` has the options of a command."""

# The one table: the groups of the help, and in each the commands by their names, with the functions behind them.
COMMANDS: dict[str, dict[str, str]] = {
    "Reason": {
        "classify": "moose.cli.reason.classify:classify",
        "check": "moose.cli.reason.check:check",
        "explain": "moose.cli.reason.explain:explain",
        "dl": "moose.cli.reason.dl:dl",
        "explore": "moose.cli.reason.explore:explore",
        "realise": "moose.cli.reason.realise:realise",
        "verify": "moose.cli.reason.verify:verify",
    },
    "Build": {
        "reason": "moose.cli.authoring.reason:reason",
        "extract": "moose.cli.authoring.extract:extract",
        "diff": "moose.cli.authoring.diff:diff",
        "convert": "moose.cli.reason.convert:convert",
        "merge": "moose.cli.reason.convert:merge",
    },
    "Probability": {
        "query": "moose.cli.probability.query:query",
        "rank": "moose.cli.probability.rank:rank",
        "encode": "moose.cli.probability.encode:encode",
        "fit-probabilities": "moose.cli.probability.fit_probabilities:fit_probabilities",
        "fit-listing": "moose.cli.probability.fit_listing:fit_listing",
    },
    "Learn": {
        "compile": "moose.cli.learn.compile:compile_task",
        "ask": "moose.cli.learn.ask:ask",
        "shortcuts": "moose.cli.learn.shortcuts:shortcuts",
        "train": "moose.cli.learn.train:train",
        "evaluate": "moose.cli.learn.evaluate:evaluate",
        "predict": "moose.cli.learn.predict:predict",
        "data": "moose.cli.learn.data:data",
    },
    "Benchmark": {"bench": "moose.cli.bench.bench:bench"},
}


WITHOUT_MATRICES = ("Reason", "Build")
"""Groups whose commands multiply none: threads for that would be started, waited for, and never used (0.1 s)."""


def save_threads(wanted: str) -> None:
    """Start no threads of OpenBLAS with numpy, if a command has no use for them and the user has not said how many."""
    if any(wanted in COMMANDS[title] for title in WITHOUT_MATRICES):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def make_app(wanted: str = "") -> typer.Typer:
    """Return the command `moose`: with the name of one of its commands, that one alone; otherwise, all of them."""
    is_named = any(wanted in commands for commands in COMMANDS.values())
    loaded = {
        title: {name: _command(home) for name, home in commands.items() if name == wanted or not is_named}
        for title, commands in COMMANDS.items()
    }
    app = command_group(DESCRIPTION, loaded, epilog=EPILOG)
    app.callback(help=DESCRIPTION)(options)
    return app


def _command(home: str) -> Callable[..., None] | typer.Typer:
    module, _, name = home.partition(":")
    found: Callable[..., None] | typer.Typer = getattr(import_module(module), name)
    return found


def _version(context: typer.Context, wanted: bool) -> None:
    if wanted:
        from moose.cli.versions import version_lines

        for line in version_lines(is_verbose=bool(context.params.get("verbose"))):
            typer.echo(line)
        raise typer.Exit


def options(
    verbose: Annotated[
        bool, typer.Option("--verbose", is_eager=True, help="With --version: of all that a bug report should name.")
    ] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, help="Print the version and stop.")] = False,
) -> None:
    """Take what stands before a command."""
