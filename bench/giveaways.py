"""What is learnt of toppings when a flag tells the kind of a pizza: `python -m bench.giveaways`.

In `pizzaA` the kind is seen and the toppings are to be learnt. The drawn pizzas come plain, and with a flag and a crust
that tell the kind; else the pictures are the same. Each encoder is trained on both. Then it looks at test pictures of
the kind that it was trained on, at the same pictures with the flags taken away (or put on), and at five kinds of pizza
that it never saw. Of toppings that training pizzas have, *found* is the share that it says of those that are on a
pizza, *false* of those that are not. Nothing but the network is asked: no theory helps. Writes
`bench/results/giveaways.json`, one training after the other; what is there already is kept.

    python -m bench.giveaways [--seeds 2] [--only patch] [--most 1]
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import torch

from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.datasets.open import Dataset
from moose.learning.examples import Examples
from moose.methods.base.method import Predictor
from moose.training.run import Run

FILE = RESULTS / "giveaways.json"
SIZE, COUNT, TEST, EPOCHS, TOP = 48, 480, 120, 12, 4
DATA = {"plain": "pizzas", "flags": "flagged_pizzas"}
ENCODERS = {"pizza_encoder": 0, "patch_encoder": TOP}


def main() -> int:
    """Train what is not there yet, and write what came of it after each."""
    parser = argparse.ArgumentParser(prog="python -m bench.giveaways")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", choices=["pizza", "patch"])
    parser.add_argument("--most", type=int, default=100, help="trainings, before it stops to be called again")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["rows"] if FILE.exists() else []
    done = {(row["encoder"], row["data"], row["seed"]) for row in rows}
    for seed in range(options.seeds):
        for encoder in ENCODERS:
            for data in DATA:
                if (encoder, data, seed) in done or (options.only and not encoder.startswith(options.only)):
                    continue
                if len(rows) - len(done) == options.most:
                    return 0
                rows.append(measure(encoder, data, seed))
                settings = {"size": SIZE, "count": COUNT, "test": TEST, "epochs": EPOCHS, "top": TOP}
                write_json(FILE, {"settings": settings, "machine": describe_machine(), "rows": rows})
                print(rows[-1], flush=True)
    return 0


def measure(encoder: str, data: str, seed: int) -> dict[str, Any]:
    """Train once, and look at pictures of three sorts."""
    begin = time.process_time()
    run = Run(
        regime="pizzaA",
        data=DATA[data],
        seed=seed,
        epochs=EPOCHS,
        count=COUNT,
        test_count=TEST,
        size=SIZE,
        batch_norm=True,
        batch_size=32,
        patches=ENCODERS[encoder],
    )
    dataset = run.open()
    predictor = run.fit(dataset)
    other = Run(
        regime="pizzaA", data=DATA["flags" if data == "plain" else "plain"], count=4, test_count=TEST, size=SIZE
    )
    seen = toppings_seen(dataset)
    return {
        "encoder": encoder,
        "data": data,
        "seed": seed,
        "same": told(predictor, dataset.test, seen),
        "other": told(predictor, other.open().test, seen),
        "held_out": told(predictor, dataset["held_out"], seen),
        "cpu_seconds": round(time.process_time() - begin, 1),
    }


def toppings_seen(dataset: Dataset) -> list[int]:
    """Return the concepts of toppings that some training pizza has."""
    task, truth = dataset.train.task, np.asarray(dataset.train.truth)
    latent = [position for position, concept in enumerate(task.concepts) if concept.is_latent]
    return [position for position in latent if (truth[:, 0, position] > 0).any()]


def told(predictor: Predictor, examples: Examples, seen: list[int]) -> dict[str, float]:
    """Return how many of the toppings that are there the network says, and how many of those that are not."""
    said = predictor.predict(examples, evidence=False).network[:, 0, seen] > 0.5
    is_there = np.asarray(examples.truth)[:, 0, seen] > 0
    return {"found": round(float(said[is_there].mean()), 4), "false": round(float(said[~is_there].mean()), 4)}


if __name__ == "__main__":
    raise SystemExit(main())
