"""Every method on ten garments: `python -m bench.garment_methods ARCHIVE [--seeds 3] [--methods ilr,ltn]`.

The task of `bench.garments`: an image of Fashion-MNIST, one to three literals of it, and a taxonomy of ten garments.
5,000 images to learn from and as many others to test on, six epochs, the encoder for digits with batch normalisation.
Each method has its own defaults. Writes `bench/results/garment_methods.json`; what is there already is kept, and a
method that refuses the task says why.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import torch

import moose
from bench.garments import make, read_images
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from bench.worlds.ways import WAYS, Way, measure
from bench.worlds.world import World
from moose.base.errors import MooseError
from moose.methods.registry import METHODS

FILE = RESULTS / "garment_methods.json"
EPOCHS, NETWORK = 6, "normalised"
LUKASIEWICZ = {"ilr-lukasiewicz": Way("ilr", {"logic": "lukasiewicz", "share": 0.1})}
ROWS = {name: Way(name) for name in METHODS} | LUKASIEWICZ | {"full labels": WAYS["full labels"]}

Row = dict[str, float | str | None]


def main() -> int:
    """Learn by every method, and write what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.garment_methods")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--task", type=Path, default=Path("../shared/drafts/objective/wear.toml"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--methods", default=",".join(ROWS), help="such as ilr,ltn")
    options = parser.parse_args()
    torch.set_num_threads(1)
    world = make(moose.read_task(options.task), read_images(options.archive), NETWORK, EPOCHS)
    found = json.loads(FILE.read_text("utf-8"))["rows"] if FILE.exists() else {}
    for seed in range(options.seeds):
        for name in options.methods.split(","):
            own = found.setdefault(name, [])
            if len(own) <= seed:
                own.append(run(ROWS[name], world, seed))
                settings = {"epochs": EPOCHS, "network": NETWORK}
                write_json(FILE, {"machine": describe_machine(), "settings": settings, "rows": found})
                print(name, seed, own[-1], flush=True)
    return 0


def run(way: Way, world: World, seed: int) -> Row:
    """Return what a method comes to and how much CPU time it takes, or why it does not take the task."""
    start = time.process_time()
    try:
        measured = measure(way, world, seed)
    except MooseError as error:
        return {"refused": str(error)}
    if measured is None:
        return {"refused": "the evidence contradicts its theory"}
    return {**measured, "cpu_seconds": round(time.process_time() - start, 1)}


if __name__ == "__main__":
    raise SystemExit(main())
