"""`moose bench`: run the paper's experiments, stop and go on as you like, and see how far they are."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer

from moose.base.errors import MooseError
from moose.cli import say
from moose.cli.bench.bench_pack import pack_store
from moose.cli.bench.bench_report import report
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing

if TYPE_CHECKING:
    from moose.benchmark.sweep.progress import Progress
    from moose.benchmark.sweep.run import Result
    from moose.benchmark.sweep.store import Record, Store

SOME_FAILED = 1

bench = typer.Typer(
    name="bench",
    help="Run the paper's experiments, see how far they are, and make a report of them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PlanName = Annotated[str, typer.Argument(metavar="PLAN", help="A plan; `moose bench list` names them. Or a TOML file.")]
StoreFolder = Annotated[Path, typer.Option("--store", metavar="DIR", help="Keep the results here.")]


@bench.command("run")
def run_plan(
    plan: PlanName,
    store: StoreFolder,
    scale: Annotated[str, typer.Option(metavar="NAME", help="smoke, standard or paper.")] = "smoke",
    regimes: Annotated[str | None, typer.Option(metavar="NAMES", help="Only these, such as mnist1,mnist2.")] = None,
    methods: Annotated[str | None, typer.Option(metavar="NAMES", help="Only these rows, such as moose,bears.")] = None,
    seeds: Annotated[str | None, typer.Option(metavar="SEEDS", help="These, such as 0-4 or 0,2.")] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Processes at a time; one a core.")] = None,
    threads: Annotated[int, typer.Option(metavar="N", min=1, help="Threads of torch in each process.")] = 1,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Has a folder for each data set that has files.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Compute what has failed once more.")] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for what another process computes.")] = True,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Use this Ray cluster; its machines must all see DIR.")
    ] = None,
    json: Json = False,
) -> None:
    """Compute what is not in DIR yet; the same command goes on where it was stopped.

    Exit code 1 if something failed: the others are computed nevertheless.
    """
    from moose.benchmark.sweep.cells import Choice
    from moose.benchmark.sweep.plans import read_plan
    from moose.benchmark.sweep.run import Options, run
    from moose.benchmark.sweep.store import Store

    found, place = read_plan(plan), Store(store)
    choice = Choice(_words(regimes), _words(methods), None if seeds is None else read_seeds(seeds))
    options = Options(jobs or -1, threads, None if data is None else data.absolute(), retry, cluster, wait)
    gc.enable()  # unlike ontologies, what a training makes may hold itself
    try:
        with Teller(f"{found.name}, {scale}") as teller:
            result = run(found, scale, place, choice=choice, options=options, tell=teller.tell)
    except KeyboardInterrupt:
        say("stopped; the same command goes on where it was")
        raise
    _print_result(result, place, json=json)
    if result.failed:
        raise typer.Exit(SOME_FAILED)


@bench.command("list")
def list_plans(
    plan: Annotated[str | None, typer.Argument(metavar="PLAN", help="Only this one. Or a TOML file.")] = None,
    store: Annotated[Path | None, typer.Option("--store", metavar="DIR", help="Say how far each is there.")] = None,
    json: Json = False,
) -> None:
    """List the plans with the number of their runs at each scale; with a store, how many of these are finished."""
    from moose.benchmark.sweep.cells import planned_cells
    from moose.benchmark.sweep.plans import PLANS, read_plan
    from moose.benchmark.sweep.store import Store

    if store is not None and not store.exists():
        raise MooseError(f"{store}: expected a folder with results, but there is none; check its name")
    place = None if store is None else Store(store)
    rows = list[dict[str, object]]()
    for name in PLANS if plan is None else (plan,):
        found = read_plan(name)
        for scale in found.seeds:
            cells = list(dict.fromkeys(one.cell.name for one in planned_cells(found, scale)))
            row: dict[str, object] = {"plan": found.name, "scale": scale, "cells": len(cells)}
            if place is not None:
                row |= Counter(place.states(cells).values())
            rows.append({**row, "title": found.title})
    if json:
        print_json({"plans": rows})
        return
    with writing(None) as stream:
        for row in rows:
            states = ", ".join(
                f"{row[key]} {key}" for key in ("finished", "running", "failed", "waiting") if key in row
            )
            counts = f"{row['cells']} runs" + (f": {states}" if states else "")
            stream.write(f"{row['plan']}\t{row['scale']}\t{counts}\t{row['title']}\n")


bench.command("report")(report)
bench.command("pack")(pack_store)


def read_seeds(text: str) -> list[int]:
    """Read seeds.

    >>> read_seeds("0-2,7")
    [0, 1, 2, 7]
    """
    found = list[int]()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal() or int(last or first) < int(first):
            raise MooseError(f"expected seeds such as 0-4 or 0,2, but got {text!r}")
        found += range(int(first), int(last or first) + 1)
    return list(dict.fromkeys(found))


def _words(text: str | None) -> Sequence[str] | None:
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]


def _print_result(result: Result, store: Store, *, json: bool) -> None:
    from moose.benchmark.sweep.store import read_json

    errors = {name: read_json(store.failed(name))["error"] for name in result.failed}
    if json:
        print_json({"finished": result.finished, "failed": errors, "elsewhere": result.busy})
        return
    with writing(None) as stream:
        stream.write(f"finished\t{len(result.finished)}\n")
        if result.busy:
            stream.write(f"elsewhere\t{len(result.busy)}\n")
        for name, error in errors.items():
            stream.write(f"failed\t{name}\t{error['kind']}: {error['message']}\n")
    if errors:
        say("to compute what failed once more, give the same command with --retry")


class Teller:
    """Says on the standard error what is finished and how long the rest may take, with a bar where it is a terminal."""

    def __init__(self, title: str) -> None:
        self._bar: AbstractContextManager[object] = nullcontext()
        self._print = _to_standard_error
        if sys.stderr.isatty():
            self._begin_bar(title)

    def _begin_bar(self, title: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            TimeElapsedColumn(),
        )
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        bar = Bar(*columns, console=console, redirect_stdout=False)
        self._task = bar.add_task(title, total=None, left="")
        self._rich, self._bar, self._print = bar, bar, lambda line: console.print(line, markup=False)

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.__exit__(None, None, None)

    def tell(self, progress: Progress) -> None:
        """Tell of one cell."""
        left = "" if progress.seconds_left is None else f"about {in_words(progress.seconds_left)} left"
        done = progress.finished + progress.failed
        if progress.news is None:
            self._print(f"{progress.total} runs, {progress.finished} of them finished already")
        if progress.news is not None:
            width = len(str(progress.total))
            rest = "" if self._has_bar or not left else f"; {left}"
            self._print(f"[{done:{width}}/{progress.total}] {describe(progress.news)}{rest}")
        if self._has_bar:
            self._rich.update(self._task, total=progress.total, completed=done, left=left)

    @property
    def _has_bar(self) -> bool:
        return not isinstance(self._bar, nullcontext)


def describe(record: Record) -> str:
    """Say what became of a cell, in one line."""
    varied = "".join(f" {key} {value}" for key, value in record.get("varied", {}).items())
    title = f"{record['regime']} {record['data']} {record['method']}{varied} seed {record['seed']}"
    if isinstance(error := record.get("error"), dict):
        return f"{title} failed: {error['kind']}: {error['message']}".splitlines()[0]
    if isinstance(circuit := record.get("circuit"), dict):
        return f"{title}: {circuit['size']} elements, {record['seconds']:.2g} s"
    scores = record["metrics"]
    assert isinstance(scores, dict)
    shown = [f"{key} {value:.3f}" for key in ("acc_f", "acc_c", "ece") if (value := scores[key]) is not None]
    return f"{title}: {', '.join(shown)}, {record['seconds']:.0f} s"


def in_words(seconds: float) -> str:
    """Write a time for people.

    >>> in_words(50), in_words(3000), in_words(9000)
    ('50 s', '50 min', '2 h 30 min')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201
