"""What can be had without learning: `python -m bench.baselines --data pizzas,pizzaiolo --folder DIR`.

For every regime that a data set has, and every split of it that is not learnt from, four predictors that never look at
an image: every latent atom absent, each at its base rate, always the commonest member of the family, and the theory
alone, where the network says ½ of everything. They write `bench/results/learning_baselines.json`, a part for each data
set; the other parts of the file stay. What a learnt model scores means little unless it is more than these.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import moose
from bench.measure import write_json
from bench.table import RESULTS
from moose.cli.training import Run
from moose.datasets.open import Dataset, find_source
from moose.datasets.regimes import ROWS
from moose.errors import MooseError
from moose.learning.examples import Examples
from moose.learning.learner import ConceptLearner
from moose.learning.scores import score

FILE = "learning_baselines.json"
DIGITS = 6
"""Of each figure, so that the file does not change with the order in which numbers are added up."""

SIZE = 8
"""Pixels: nobody looks at them."""

Row = NDArray[np.float64]
Scores = dict[str, float | None]


class Silent(torch.nn.Module):
    """A network that knows nothing: ½ for each atom, and every member of a family alike."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return logits of zero."""
        return torch.zeros(len(images), self.outputs)


def absent(train: Examples) -> Row:
    """Predict that nothing holds."""
    return np.zeros(len(train.task.concepts))


def base_rate(train: Examples) -> Row:
    """Predict each atom with the share of the individuals to learn from of which it holds."""
    return np.asarray((_rows(train) > 0).mean(axis=0))


def commonest(train: Examples) -> Row | None:
    """Predict the commonest member of the task's first family, of equals the first, and all that holds of it."""
    if not train.task.families:
        return None
    columns = [concept.name for concept in train.task.concepts]
    truth = _rows(train) > 0
    member = max(
        (columns.index(name) for name in train.task.families[0]), key=lambda column: int(truth[:, column].sum())
    )
    return np.asarray(truth[truth[:, member]].mean(axis=0))


PREDICTORS = {"absent": absent, "base_rate": base_rate, "commonest": commonest}


def score_dataset(dataset: Dataset) -> dict[str, dict[str, dict[str, Scores]]]:
    """Score every baseline on every split that is not learnt from, by split, baseline and view."""
    train = dataset.train
    silent = ConceptLearner(train.task, Silent(sum(concept.is_latent for concept in train.task.concepts)))
    rows = {name: predictor(train) for name, predictor in PREDICTORS.items()}
    found = dict[str, dict[str, dict[str, Scores]]]()
    for split in (name for name in dataset if name != "train"):
        examples = dataset[split]
        found[split] = {name: {"metrics": score_row(examples, row)} for name, row in rows.items() if row is not None}
        found[split]["theory"] = {view: rounded(one) for view, one in silent.evaluate(examples).as_dict().items()}
    return found


def score_row(examples: Examples, row: Row) -> Scores:
    """Score the same prediction for every individual."""
    truth = _rows(examples)
    predicted = np.tile(row, (len(truth), 1))
    return rounded(score(examples.task, predicted, network=predicted, truth=truth).scores.as_dict())


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


def show(regime: str, data: str, found: dict[str, dict[str, dict[str, Scores]]]) -> None:
    """Print accuracy and calibration."""
    for split, baselines in found.items():
        for name, views in baselines.items():
            for view, scores in views.items():
                figures = ", ".join(f"{key} {scores[key]}" for key in ("acc_c", "acc_f", "ece", "ece_atom"))
                print(f"{regime} {data} {split} {name} {view}: {figures}", flush=True)


def _rows(examples: Examples) -> NDArray[np.int8]:
    """Return the truth as individual × concept."""
    truth: NDArray[np.int8] = examples.truth.flatten(0, 1).numpy()
    return truth


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MooseError as error:
        sys.exit(f"bench.baselines: {error}")
