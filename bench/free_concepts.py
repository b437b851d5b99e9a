"""The two objectives on latent concepts of no family: `python -m bench.free_concepts`.

Six concepts over eight observables are drawn; each implies one to three of them, and half of the concepts exclude one.
Any may hold together, each with the same frequency. An observable that no concept decides holds at a rate of its own,
for a reason that the input shows as well. One to three literals of each instance are seen, of those that hold only or
of all. Both rows learn with the same small network, which is judged alone on 1,000 inputs that were not learnt from.
Writes `bench/results/free_concepts.json`, a task after the other; what is there already is kept.

    python -m bench.free_concepts [--seeds 2]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import moose
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

CONCEPTS, OBSERVABLES, FEATURES = 6, 8, 20
TRAIN, TEST, EPOCHS, NOISE = 3000, 1000, 10, 0.5
OTHER_REASONS, FREQUENCIES, SHOWN = (0.0, 0.2, 0.5), (0.2, 0.5), ("both", "positive")
OBJECTIVES = ("paper", "conditional")
FILE = RESULTS / "free_concepts.json"

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """What concepts decide (+1 implied, -1 excluded, 0 open), how often things hold, and how they look."""

    decided: Integers
    frequency: float
    other_reasons: float
    looks: Reals
    """(concept, then observable for another reason) × feature."""


def main() -> int:
    """Learn every task by both objectives, and write what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.free_concepts")
    parser.add_argument("--seeds", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(1)
    found = json.loads(FILE.read_text("utf-8"))["tasks"] if FILE.exists() else {}
    for seed, reasons, frequency, shown in product(range(options.seeds), OTHER_REASONS, FREQUENCIES, SHOWN):
        table = found.setdefault(f"{reasons} other reasons, {frequency} hold, {shown}", {})
        for objective in OBJECTIVES:
            own = table.setdefault(objective, [])
            if len(own) <= seed:
                own.append(measure(objective, reasons, frequency, shown, seed))
                write_json(FILE, {"machine": describe_machine(), "tasks": found})
    return 0


def measure(objective: str, other_reasons: float, frequency: float, shown: str, seed: int) -> dict[str, float | None]:
    """Learn one task by one objective, and judge the network alone."""
    numbers = np.random.default_rng(seed)
    decided = draw_decided(numbers)
    world = World(decided, frequency, other_reasons, numbers.normal(size=(CONCEPTS + OBSERVABLES, FEATURES)))
    with tempfile.TemporaryDirectory() as folder:
        task = task_of(world, Path(folder))
    train, test = (draw_examples(numbers, world, task, count, shown) for count in (TRAIN, TEST))
    predictor = make_method("moose", objective=objective).fit(
        task, train, training=Training(epochs=EPOCHS, seed=seed), perception=Perception((FEATURES,), make=network)
    )
    scores = predictor.evaluate(test).network.scores
    chosen = {"acc_c": scores.acc_c, "f1": scores.f1_macro, "ece": scores.ece_atom, "nll": scores.nll}
    return {name: None if value is None else round(value, 4) for name, value in chosen.items()}


def draw_decided(numbers: np.random.Generator) -> Integers:
    """Draw what each concept implies and excludes."""
    decided = np.zeros((CONCEPTS, OBSERVABLES), dtype=np.int64)
    for concept in decided:
        concept[numbers.choice(OBSERVABLES, numbers.integers(1, 4), replace=False)] = 1
        if numbers.random() < 0.5:
            concept[numbers.choice(np.flatnonzero(concept == 0))] = -1
    return decided


def task_of(world: World, folder: Path) -> Task:
    """Write what concepts decide as an ontology, and make the task of it."""
    concepts, observables = (
        [f"{letter}{one}" for one in range(n)] for letter, n in (("C", CONCEPTS), ("P", OBSERVABLES))
    )
    lines = [f"Declaration(Class(:{name}))" for name in (*concepts, *observables)]
    for concept, own in zip(concepts, world.decided):
        lines += [f"SubClassOf(:{concept} :P{one})" for one in np.flatnonzero(own > 0)]
        lines += [f"DisjointClasses(:{concept} :P{one})" for one in np.flatnonzero(own < 0)]
    path = folder / "drawn.ofn"
    path.write_text("\n".join(["Prefix(:=<https://example.org/drawn#>)", "Ontology(", *lines, ")"]), "utf-8")
    return Task(moose.load(path), ["a"], observables, concepts)


def draw_examples(numbers: np.random.Generator, world: World, task: Task, count: int, shown: str) -> Examples:
    """Draw instances that contradict nothing, and one to three literals of each."""
    truth = np.zeros((count, 1, CONCEPTS + OBSERVABLES), dtype=np.int8)
    evidence, points = np.zeros_like(truth), numbers.normal(scale=NOISE, size=(count, 1, FEATURES))
    for row in range(count):
        holds, others, reasons = draw_instance(numbers, world)
        truth[row, 0] = np.where(np.concatenate([holds, others]), 1, -1)
        points[row, 0] += np.concatenate([holds, reasons]) @ world.looks
        there = np.flatnonzero(others) if shown == "positive" else np.arange(OBSERVABLES)
        seen = CONCEPTS + numbers.permutation(there)[: numbers.integers(1, 4)]
        evidence[row, 0, seen] = truth[row, 0, seen]
    return Examples(task, torch.from_numpy(points).float(), torch.from_numpy(evidence), torch.from_numpy(truth))


def draw_instance(numbers: np.random.Generator, world: World) -> tuple[Integers, Integers, Integers]:
    """Draw which concepts and observables hold, and which of these for another reason than a concept."""
    while True:
        holds = numbers.random(CONCEPTS) < world.frequency
        implied, excluded = ((sign * world.decided[holds] > 0).any(0) for sign in (1, -1))
        if not (implied & excluded).any():
            reasons = (numbers.random(OBSERVABLES) < world.other_reasons) & ~implied & ~excluded
            return holds.astype(np.int64), (implied | reasons).astype(np.int64), reasons.astype(np.int64)


def network(outputs: int, seed: int) -> nn.Module:
    """Make the network of both rows."""
    torch.manual_seed(seed)
    return nn.Sequential(nn.Flatten(), nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, outputs))


if __name__ == "__main__":
    raise SystemExit(main())
