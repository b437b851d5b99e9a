"""How firmly odds of siblings that are learnt after a network are held back: `python -m bench.odds_priors FOLDER`.

On each set with all labels `moose` learns from the rows to train on, with seed 0 and its settings; then the odds of
`moose-siblings` are learnt for that network under one pair of priors after another, and without priors that hold
anything back. Each is judged on the validation rows: how likely the labels are by the mean logarithm, AU(PRC), and
exact match in both ways.

With nine labels in ten hidden or more, or those of deeper classes, odds are learnt with the network from some of the
rows to train on, and then to the end under one pair of priors after another; judged are the others of these rows, but
for those it stopped by, with all their labels. So that it can be seen what of this is due to shifted biases, those of
networks without odds are shifted and scaled in the same way, by their own loss.

The test is not looked at. What is measured is written to `bench/results/odds_priors.json`, set by set; what is there is
not computed again. FOLDER has C-HMCNN's archive (`../shared/data/scale/hmc`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.epochs import SETS
from bench.label_runs import hmc_run, settings_run
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.learning.fit.base_rates import last_layer
from moose.learning.fit.sibling_odds import ENOUGH, MOST_STEPS, WITH_GAPS, OddsPriors, fit_odds
from moose.learning.fit.temperature import set_temperature
from moose.learning.fit.training_loop import mean_loss
from moose.learning.loss.objective import Part, Prepared, joint_outcome
from moose.learning.network import ConceptNetwork
from moose.methods.base.method import Predictor
from moose.methods.ours.moose_siblings import MooseSiblings, MooseSiblingsModel
from moose.methods.settings import find_settings

if TYPE_CHECKING:
    from moose.learning.examples import Examples

FILE = RESULTS / "odds_priors.json"
LOOSE, FIXED = 100.0, 1e-3
"""A prior that holds nothing back, and one that lets nothing move."""
TRIED = {
    "groups .3, biases .3": OddsPriors(),
    "groups .1, biases .3": OddsPriors(groups=0.1),
    "groups 1, biases .3": OddsPriors(groups=1.0),
    "groups .3, biases .1": OddsPriors(biases=0.1),
    "groups .3, biases 1": OddsPriors(biases=1.0),
    "groups .3, biases fixed": OddsPriors(biases=FIXED),
    "none held back": OddsPriors(LOOSE, LOOSE, LOOSE),
}
KEPT = ("au_prc", "exact_match", "world_match")
HIDDEN = {
    "imclef07a-hidden90": 2000,
    "imclef07d-hidden90": 2000,
    "imclef07a-hidden97": 2000,
    "imclef07d-hidden97": 2000,
    "eisen_fun-hidden90": 800,
    "spo_fun-hidden90": 800,
    "imclef07a-coarse2": 2000,
    "imclef07d-coarse2": 2000,
}
"""How many rows are learnt from."""
SEEDS = (7, 8)
"""Of which nothing is reported elsewhere."""
ALONE = "with the network alone"
LESS = {"rows to train on": "from the rows to train on alone", "unscaled": "not scaled again"}
"""What is left out of learning to the end, with the priors that are used."""
TRIED_HIDDEN = {
    f"groups {groups:g}, biases {biases:g}": OddsPriors(groups=groups, biases=biases)
    for groups, biases in ((0.3, 1.0), (0.3, 0.3), (0.3, 3.0), (1.0, 1.0), (1.0, 3.0))
}
WITHOUT_ODDS = ("moose", "max-constraint", "max-propagation")
SHIFTED = "biases shifted, and scaled again"


def main() -> int:
    """Measure what is not there yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.odds_priors", description=__doc__)
    parser.add_argument("folder", type=Path, help="with C-HMCNN's archive")
    parser.add_argument("--sets", default=",".join(SETS), help="with all labels; none if empty")
    options = parser.parse_args()
    record: dict[str, Any] = {"machine": describe_machine(), "sets": {}}
    if FILE.exists():
        record = json.loads(FILE.read_text("utf-8"))
    hidden = record.setdefault("hidden", {})
    for name in filter(None, options.sets.split(",")):
        if name not in record["sets"]:
            record["sets"][name] = dict(measured(options.folder, name))
            write_json(FILE, record)
    for regime, seed in product(HIDDEN, SEEDS):
        if (key := f"{regime} {seed}") not in hidden:
            hidden[key] = dict(measured_hidden(options.folder, regime, seed))
            write_json(FILE, record)
    others = record.setdefault("without_odds", {})
    for method, regime, seed in product(WITHOUT_ODDS, HIDDEN, SEEDS):
        if (key := f"{regime} {seed}") not in others.setdefault(method, {}):
            others[method][key] = dict(measured_without_odds(options.folder, method, regime, seed))
            write_json(FILE, record)
    return 0


def measured(folder: Path, name: str) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield what comes of each pair of priors on a set, first of `moose` as it is."""
    import torch

    torch.set_num_threads(1)
    training = find_settings("moose", name, data="hmc").training
    run = hmc_run("moose", name, epochs=training.epochs, weight_decay=training.weight_decay)
    dataset = run.open(folder)
    train = dataset.train
    perception = run.perception(train.input_shape)
    start = time.process_time()
    plain = run.make_method().fit(train.task, train, training=run.training, perception=perception)
    yield "moose", judged(plain, dataset["valid"], start)
    method = MooseSiblings()
    model = MooseSiblingsModel(train.task, perception, seed=0)
    ours = Predictor(method, model, perception)
    prepared = [one for _, one in model.prepare_shapes(train)]
    ours.look_at(train)
    begin = {name: value.clone() for name, value in (model.state_dict() | plain.model.state_dict()).items()}
    for of_priors, priors in TRIED.items():
        start = time.process_time()
        model.load_state_dict(begin)
        fit_odds(model.network, prepared, priors)
        yield of_priors, judged(ours, dataset["valid"], start)


def measured_hidden(folder: Path, regime: str, seed: int) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield what comes of odds that are learnt with the network, and then to the end in one way after another."""
    start = time.process_time()
    trained = Trained.of(folder, "moose-siblings", regime, seed, odds="together")
    yield ALONE, judged(trained.predictor, trained.others, start)
    model = trained.predictor.model
    assert isinstance(model, MooseSiblingsModel)
    begin = {key: value.clone() for key, value in model.state_dict().items()}
    every = [*trained.train, *trained.held_back]
    ways = {of_priors: (every, priors, True) for of_priors, priors in TRIED_HIDDEN.items()}
    ways[LESS["rows to train on"]] = (trained.train, WITH_GAPS, True)
    ways[LESS["unscaled"]] = (every, WITH_GAPS, False)
    for way, (rows, priors, is_scaled) in ways.items():
        start = time.process_time()
        model.load_state_dict(begin)
        fit_odds(model.network, rows, priors)
        if is_scaled:
            trained.scale()
        yield way, judged(trained.predictor, trained.others, start)


def measured_without_odds(folder: Path, method: str, regime: str, seed: int) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield what comes of a method as it is, and of its biases shifted under the prior that is used beside odds."""
    start = time.process_time()
    trained = Trained.of(folder, method, regime, seed)
    yield "as it is", judged(trained.predictor, trained.others, start)
    start = time.process_time()
    trained.shift_biases()
    trained.scale()
    yield SHIFTED, judged(trained.predictor, trained.others, start)


@dataclass(frozen=True, slots=True)
class Trained:
    """A method that has learnt from some rows of a set, and what is there to go on with."""

    predictor: Predictor
    train: list[Prepared]
    held_back: list[Prepared]
    """It stopped by them."""
    others: Examples
    """The rest of the rows to train on, with all their labels."""

    @classmethod
    def of(cls, folder: Path, method: str, regime: str, seed: int, **options: Any) -> Trained:
        """Train a method by its settings."""
        import torch

        torch.set_num_threads(1)
        settings = find_settings(method, regime, data="hmc", **options)
        training = settings.training
        run = settings_run(
            settings,
            regime,
            "hmc",
            seed=seed,
            count=HIDDEN[regime],
            epochs=training.epochs,
            valid=settings.valid,
            patience=training.patience or 0,
            stop_by=training.stop_by,
        )
        dataset = run.open(folder)
        whole = hmc_run(method, regime.split("-", maxsplit=1)[0], seed=seed).open(folder).train
        known = {row.numpy().tobytes() for split in ("train", "valid") for row in dataset[split].inputs}
        others = whole.take([row for row, inputs in enumerate(whole.inputs) if inputs.numpy().tobytes() not in known])
        predictor = run.fit(dataset)
        train, held_back = (
            [one for _, one in predictor.model.prepare_shapes(rows)] for rows in (dataset.train, dataset["valid"])
        )
        return cls(predictor, train, held_back, others)

    def scale(self) -> None:
        """Let the rows held back say how sure the network may be."""
        import torch

        (stage,) = self.predictor.model.stages()
        with torch.no_grad():
            set_temperature(stage.network, lambda: mean_loss(stage.network, self.held_back, stage.objective))

    def shift_biases(self) -> None:
        """Learn the biases of the last layer to the end, from all rows, by the method's own loss."""
        import numpy as np
        import torch
        from scipy.optimize import minimize

        (stage,) = self.predictor.model.stages()
        parts = [Part(one, torch.arange(len(one))) for one in (*self.train, *self.held_back)]
        bias, count = last_layer(stage.network).bias, sum(len(part.rows) for part in parts)
        before, prior = bias.detach().clone(), WITH_GAPS.biases**-2 / count
        scale = float(next(one for one in stage.network.modules() if isinstance(one, ConceptNetwork)).log_scale.exp())
        self.predictor.model.eval()
        self.predictor.model.requires_grad_(False)
        bias.requires_grad_(True)

        def loss(shift: Any) -> tuple[float, Any]:
            with torch.no_grad():
                bias.copy_(before + torch.from_numpy(shift / scale).to(bias))
            losses = [
                joint_outcome(stage.objective, stage.network, [part], 0.0).total * len(part.rows) for part in parts
            ]
            total = torch.stack(losses).sum()
            (slope,) = torch.autograd.grad(total / count, [bias])
            found = float(total.detach()) / count + prior * float(shift @ shift) / 2
            return found, slope.double().numpy() / scale + prior * shift

        found = minimize(
            loss, np.zeros(len(bias)), jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS, "ftol": ENOUGH}
        )
        loss(found.x)


def judged(predictor: Predictor, rows: Examples, start: float) -> dict[str, float]:
    """Return what rows that were held back say of a predictor, and how long it took to learn."""
    import torch

    seconds = round(time.process_time() - start, 1)
    predictor.model.eval()
    with torch.no_grad():
        loss = float(predictor.loss(rows))
    labels = predictor.evaluate(rows).labels
    assert labels is not None
    of_labels = labels.as_dict()
    found = {"log_likelihood": -loss} | {name: of_labels[name] for name in KEPT}
    return {name: round(value, 4) for name, value in found.items() if value is not None} | {"cpu_seconds": seconds}


if __name__ == "__main__":
    raise SystemExit(main())
