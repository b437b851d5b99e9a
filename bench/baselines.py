"""What can be had without learning: `python -m bench.baselines --data pizzas,pizzaiolo --folder DIR`.

For every regime that a data set has, and every split of it that is not learnt from, the four predictors of
`moose.benchmark.sweep.baselines`, which never look at an image. They write
`bench/results/learning_baselines.json`, a part for each data set; the other parts of the file stay.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import moose
from bench.measure import write_json
from bench.table import RESULTS
from moose.base.errors import MooseError
from moose.benchmark.sweep.baselines import BASELINES, THEORY, find_baseline
from moose.benchmark.sweep.evaluate_splits import judge_split
from moose.datasets.base.regimes import ROWS
from moose.datasets.open import Dataset, find_source
from moose.training.run import Run

FILE = "learning_baselines.json"
DIGITS = 6
"""Of each figure, so that the file does not change with the order in which numbers are added up."""

SIZE = 8
"""Pixels: nobody looks at them."""

Scores = dict[str, float | None]
Found = dict[str, dict[str, dict[str, Scores]]]


def score_dataset(dataset: Dataset) -> Found:
    """Score every baseline on every split that is not learnt from, by split, baseline and view."""
    predictors = {name: find_baseline(name, dataset.train) for name in BASELINES}
    found: Found = {split: {} for split in dataset if split != "train"}
    for split, by_name in found.items():
        for name, predictor in predictors.items():
            evaluation, _ = judge_split(predictor, dataset[split])
            views = evaluation.as_dict() if name == THEORY else {"metrics": evaluation.as_dict()["metrics"]}
            by_name[name] = {view: rounded(scores) for view, scores in views.items()}
    return found


def rounded(scores: Scores) -> Scores:
    """Round all figures."""
    return {name: None if value is None else round(value, DIGITS) for name, value in scores.items()}


def regimes_of(data: str) -> list[str]:
    """Return the regimes whose images a data set has."""
    subject = find_source(data).subject
    return [name for name, row in ROWS.items() if row.subject == subject]


def main(arguments: Sequence[str] | None = None) -> int:
    """Score the baselines, print a line for each, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m bench.baselines", description=__doc__)
    parser.add_argument("--data", default="pizzas", help="one or more, with commas")
    parser.add_argument("--folder", help="where the files of a data set that has some are")
    parser.add_argument("--seed", type=int, default=0, help="which draw of the evidence; only `theory` depends on it")
    parser.add_argument("--count", type=int, help="instances to take base rates from")
    parser.add_argument("--test-count", type=int)
    parser.add_argument("--results", default=str(RESULTS))
    options = parser.parse_args(arguments)
    path = Path(options.results) / FILE
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for data in options.data.split(","):
        folder = Path(options.folder) if options.folder and find_source(data).has_files else None
        regimes = dict[str, object]()
        for regime in regimes_of(data):
            run = Run(
                regime=regime,
                data=data,
                seed=options.seed,
                count=options.count,
                test_count=options.test_count,
                size=SIZE,
            )
            found = score_dataset(run.open(folder))
            regimes[regime] = found
            show(regime, data, found)
        content[data] = {"version": moose.__version__, "seed": options.seed, "regimes": regimes}
    write_json(path, dict(sorted(content.items())))
    return 0


def show(regime: str, data: str, found: Found) -> None:
    """Print accuracy and calibration."""
    for split, baselines in found.items():
        for name, views in baselines.items():
            for view, scores in views.items():
                figures = ", ".join(f"{key} {scores[key]}" for key in ("acc_c", "acc_f", "ece", "ece_atom"))
                print(f"{regime} {data} {split} {name} {view}: {figures}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MooseError as error:
        sys.exit(f"bench.baselines: {error}")
