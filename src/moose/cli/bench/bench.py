"""`moose bench`: run the paper's experiments, stop and go on as you like, see how far they are, and make a report."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.bench.bench_results import make_page, pack_store
from moose.cli.bench.sweep_progress import SweepProgress
from moose.cli.common.commands import command_group
from moose.cli.common.messages import say
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing
from moose.cli.common.task_options import THREADS

if TYPE_CHECKING:
    from moose.benchmark.store.store import Store
    from moose.benchmark.sweep.run import Result

SOME_FAILED = 1
SEEDS = re.compile(r"([0-9]{1,12})(?:-([0-9]{1,12}))?")
MOST_SEEDS = 10_000

PlanName = Annotated[str, typer.Argument(metavar="PLAN", help="A plan; `moose bench list` names them. Or a TOML file.")]
StoreFolder = Annotated[Path, typer.Option("--store", metavar="DIR", help="Keep the results here.")]


def run_plan(
    plan: PlanName,
    *,
    store: StoreFolder,
    scale: Annotated[str, typer.Option(metavar="NAME", help="smoke, standard or paper.")] = "smoke",
    regimes: Annotated[str | None, typer.Option(metavar="NAMES", help="Only these, such as mnist1,mnist2.")] = None,
    methods: Annotated[str | None, typer.Option(metavar="NAMES", help="Only these rows, such as moose,bears.")] = None,
    seeds: Annotated[str | None, typer.Option(metavar="SEEDS", help="These, such as 0-4 or 0,2.")] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Processes at a time; one a core.")] = None,
    threads: Annotated[int, THREADS] = 1,
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
    """Run a plan; given again, it goes on where it was stopped.

    Exit code 1 if something failed: the others are computed nevertheless.
    """
    from moose.benchmark.plans.cells import Choice
    from moose.benchmark.plans.plans import read_plan
    from moose.benchmark.store.store import Store
    from moose.benchmark.sweep.run import Options, run

    experiment, results = read_plan(plan), Store(store)
    choice = Choice(_words(regimes), _words(methods), None if seeds is None else read_seeds(seeds))
    options = Options(jobs or -1, threads, None if data is None else data.absolute(), retry, cluster, wait)
    gc.enable()  # unlike ontologies, what a training makes may hold itself
    try:
        with SweepProgress(f"{experiment.name}, {scale}") as progress:
            result = run(experiment, scale, results, choice=choice, options=options, tell=progress.show)
    except KeyboardInterrupt:
        say("stopped; the same command goes on where it was")
        raise
    _print_result(result, results, json=json)
    if result.failed:
        raise typer.Exit(SOME_FAILED)


def list_plans(
    plan: Annotated[str | None, typer.Argument(metavar="PLAN", help="Only this one. Or a TOML file.")] = None,
    store: Annotated[Path | None, typer.Option("--store", metavar="DIR", help="Say how far each is there.")] = None,
    json: Json = False,
) -> None:
    """List the plans; with a store, how far each of them is. The runs of each scale are counted."""
    from moose.benchmark.plans.cells import planned_cells
    from moose.benchmark.plans.plans import PLANS, read_plan
    from moose.benchmark.store.store import Store

    if store is not None and not store.exists():
        raise MooseError(f"{store}: expected a folder with results, but there is none; check its name")
    results = None if store is None else Store(store)
    rows = list[dict[str, object]]()
    for name in PLANS if plan is None else (plan,):
        experiment = read_plan(name)
        for scale in experiment.seeds:
            cells = list(dict.fromkeys(one.cell.name for one in planned_cells(experiment, scale)))
            row: dict[str, object] = {"plan": experiment.name, "scale": scale, "cells": len(cells)}
            if results is not None:
                row |= Counter(results.states(cells).values())
            rows.append({**row, "title": experiment.title})
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


def read_seeds(text: str) -> list[int]:
    """Read seeds.

    >>> read_seeds("0-2,7")
    [0, 1, 2, 7]
    """
    seeds = list[int]()
    for part in text.split(","):
        written = SEEDS.fullmatch(part)
        asked = range(int(written[1]), int(written[2] or written[1]) + 1) if written else range(0)
        if not 0 < len(asked) <= MOST_SEEDS:
            raise MooseError(f"expected seeds such as 0-4 or 0,2, at most {MOST_SEEDS:,} of them, but got {text!r:.60}")
        seeds += asked
    return list(dict.fromkeys(seeds))


def _words(text: str | None) -> Sequence[str] | None:
    return None if text is None else [word.strip() for word in text.split(",") if word.strip()]


def _print_result(result: Result, store: Store, *, json: bool) -> None:
    from moose.benchmark.store.record_files import read_json

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


bench = command_group(
    "Run the paper's experiments and make a report of them.",
    {"Commands": {"run": run_plan, "list": list_plans, "report": make_page, "pack": pack_store}},
)
