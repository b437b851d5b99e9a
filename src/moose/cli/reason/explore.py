"""`moose explore`: an ontology in the browser, on this machine alone, or as one page in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say
from moose.cli.common.naming import Naming
from moose.cli.common.ontology_notes import say_probabilities
from moose.cli.common.options import File, Imports
from moose.cli.common.output import writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from moose.explore.explorer import Explorer
    from moose.shortcuts.problem.problem import Problem

TaskOption = Annotated[
    str | None, typer.Option("--task", metavar="TASK", help="Show the shortcuts of this task: a regime or a file.")
]
ExportFile = Annotated[
    Path | None, typer.Option("--export", metavar="HTML", help="Write one page that needs no server, and stop.")
]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 is any that is free.")]
Browser = Annotated[bool, typer.Option("--browser", help="Open the address in the browser.")]
ProbabilitiesBeside = Annotated[
    Path | None,
    typer.Option("--probabilities", metavar="TSV", help="Lines `axiom<TAB>probability`, or JSON, beside annotations."),
]


def explore(
    file: File,
    *,
    task: TaskOption = None,
    probabilities: ProbabilitiesBeside = None,
    export: ExportFile = None,
    port: Port = 0,
    browser: Browser = False,
    naming: Naming,
    imports: Imports,
) -> None:
    """Explore an ontology in the browser.

    There are search, hierarchy, classes and why, DL queries, and what is unsatisfiable.

    A page is served on the loopback interface, under an address with a secret token that is printed; Ctrl-C ends it.
    Sliders show how likely a goal is as the probabilities of axioms move. With --export, a small ontology is written
    as one page that needs neither server nor network.
    """
    if export is not None and (browser or port):
        raise MooseError("--export writes a page and serves none; leave out --port and --browser")
    problem = read_problem(task)
    with stages("reading") as stage:
        ontology = imports.read(file)
        from moose.explore.explorer import Explorer
        from moose.queries.probabilities.probabilities import probabilities_of
        from moose.saturation.answers.taxonomy import classify

        stated = probabilities_of(ontology, probabilities)
        stage.enter("classifying")
        taxonomy = classify(ontology, progress=stage.count)
        explorer = Explorer(
            ontology, taxonomy=taxonomy, names=naming.of(ontology), probabilities=stated, problem=problem
        )
        stage.enter("preparing the page")
        if export is None:
            explorer.prepare()
        else:
            from moose.explore.export import answers, left_out_count, page_of

            kept = answers(explorer)
    say_probabilities(ontology, file)
    if export is None:
        serve(explorer, port, browser=browser)
        return
    with writing(export, source=file) as stream:
        stream.write(page_of(kept))
    if count := left_out_count(kept):
        proofs = "1 proof is" if count == 1 else f"{count:,} proofs are"
        say(f"{file}: {proofs} left out of the page, as to find them takes too long; a sentence stands in their place")


def read_problem(task: str | None) -> Problem | None:
    """Read a task, and what its evidence shows, as `moose shortcuts` does."""
    if task is None:
        return None
    from moose.grounding.task.regimes import REGIMES, task_path
    from moose.grounding.task.task_file import read_task
    from moose.shortcuts.problem.options import Encoder, Showing
    from moose.shortcuts.problem.problem import ShownTask, make_problem

    showing = Showing()
    if task in REGIMES:
        from moose.datasets.base.regimes import ROWS

        showing = Showing(ROWS[task].pool, "positive" if ROWS[task].only_positive else "both")
    return make_problem([ShownTask(read_task(task_path(task)), showing)], Encoder())


def serve(explorer: Explorer, port: int, *, browser: bool) -> None:
    """Serve until the process is interrupted."""
    from moose.explore.server import ExploreServer

    try:
        server = ExploreServer(explorer, port=port)
    except OSError as problem:
        why = (problem.strerror or type(problem).__name__).lower()
        raise MooseError(f"port {port} cannot be listened on ({why}); choose another by --port, or 0 for any") from None
    with server:
        with writing(None) as stream:
            stream.write(f"{server.address}\n")
        say("open this address in a browser on this machine; Ctrl-C ends the explorer")
        if browser:
            import webbrowser

            webbrowser.open(server.address)
        explorer.read_synonyms()
        server.serve_forever()
