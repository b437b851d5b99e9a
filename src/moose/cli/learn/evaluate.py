"""`moose evaluate`: how good a model that was kept is, on the data of its run or on others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.options import Json
from moose.cli.common.output import print_json
from moose.cli.common.progress import stages
from moose.cli.common.task_options import SEED, DataSource, ModelFolder
from moose.cli.learn.learning_output import (
    draw_pictures,
    print_scores,
    read_record,
    refuse_unfinished,
    run_on,
    what_it_came_to,
)
from moose.training.run import evaluate_splits


def evaluate(
    model: ModelFolder,
    where: DataSource,
    seed: Annotated[int | None, SEED] = None,
    test_count: Annotated[int | None, typer.Option(metavar="N", min=1, help="Instances to evaluate on.")] = None,
    pictures: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Draw reliability, confusion and predictions into this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Evaluate a model on instances that it did not learn from.

    They are of its run's own data set and draw, unless --data, --folder, --table or --seed names others.
    """
    from moose.methods.load_predictor import load_predictor

    record = read_record(model)
    run = run_on(model, where.name, where.place, where.patterns)
    seconds = record.get("seconds")
    if not isinstance(seconds, float):
        raise MooseError(f"{model}: the record of its run does not say how long it took; train again")
    run = replace(run, seed=run.seed if seed is None else seed, test_count=test_count)
    with stages("reading"):
        refuse_unfinished(model)
        predictor = load_predictor(model)
        dataset = run.open(task=predictor.task)
        evaluations = evaluate_splits(predictor, run.to_judge(dataset))
        if pictures is not None:
            draw_pictures(pictures, predictor, dataset[dataset.judged], evaluations[dataset.judged])
    found = run.record(seconds, evaluations) | what_it_came_to(predictor)
    if json:
        print_json(found)
    else:
        print_scores(found)
