"""The objectives on families whose members say different amounts: `python -m bench.objective`.

Families of eight members over ten observables are drawn; each member decides some of them. How often the others hold is
what the tasks differ in: never, mostly not, as likely as not, at any rate, always, or always or never by the member.
An input is a point near the middle of its member. One to three literals of each instance are seen, of those that hold
only or of all. Every row learns with the same small network; accuracy is the network's alone, on 2,000 inputs that were
not learnt from. Writes `bench/results/objective.json`, a task after the other; what is there already is kept.

    python -m bench.objective [--seeds 3] [--only absent]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import moose
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.base.errors import ContradictoryEvidence
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

MEMBERS, OBSERVABLES, FEATURES = 8, 10, 20
TRAIN, TEST, EPOCHS = 3000, 2000, 10
WORLDS = ("absent", "mostly absent", "half", "mixed", "present", "sharp")
SHOWN = ("both", "positive")
FILE = RESULTS / "objective.json"
PAPER = {"objective": "paper", "open_weights": "half"}


@dataclass(frozen=True)
class Row:
    """A way to learn."""

    method: str
    options: Mapping[str, object] = field(default_factory=dict)
    is_only: bool = False
    """Whether the task says that members have only their profiles."""


ROWS = {
    "full labels": Row(""),
    "paper": Row("moose", {"head": "softmax", **PAPER}),
    "paper, cover": Row("moose-cover", PAPER),
    "conditional, ½": Row("moose", {"head": "softmax", "open_weights": "half"}),
    "conditional, ½, cover": Row("moose-cover", {"open_weights": "half"}),
    "conditional, learnt": Row("moose", {"head": "softmax"}),
    "conditional, learnt, cover": Row("moose-cover"),
    "only, cover": Row("moose-cover", is_only=True),
}


@dataclass(frozen=True)
class Family:
    """Members and what they decide: +1 holds, -1 does not, 0 open; and how often each observable holds."""

    decided: Integers
    rates: Reals
    middles: Reals


def main() -> int:
    """Learn every task by every row, and write what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.objective")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", choices=WORLDS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    found = json.loads(FILE.read_text("utf-8"))["tasks"] if FILE.exists() else {}
    for world in [options.only] if options.only else WORLDS:
        for shown in SHOWN:
            table = found.setdefault(f"{world}, {shown}", {})
            for name, row in ROWS.items():
                if len(table.get(name, [])) < options.seeds:
                    table[name] = [accuracy_or_none(row, world, shown, seed) for seed in range(options.seeds)]
                    write_json(FILE, {"machine": describe_machine(), "tasks": found})
                print(f"{world}, {shown}: {name} {table[name]}", flush=True)
    return 0


def accuracy_or_none(row: Row, world: str, shown: str, seed: int) -> float | None:
    """Return how often the network is right; None where the evidence contradicts what the row takes for granted."""
    try:
        return round(accuracy(row, world, shown, seed), 4)
    except ContradictoryEvidence:
        return None


def accuracy(row: Row, world: str, shown: str, seed: int) -> float:
    """Learn one task by one row, and return how often the network is right."""
    numbers = np.random.default_rng(seed)
    family = draw_family(numbers, world)
    with tempfile.TemporaryDirectory() as folder:
        task = task_of(family, Path(folder))
    if row.is_only:
        task = replace(task, closure=(*task.closure, "only"))
    train, test = (draw_examples(numbers, family, task, count, shown) for count in (TRAIN, TEST))
    if not row.method:
        return supervised(train, test, seed)
    perception = Perception(train.input_shape, make=network)
    predictor = make_method(row.method, **row.options).fit(
        task, train, seed=seed, training=Training(epochs=EPOCHS), perception=perception
    )
    return right(predictor.predict(test, evidence=False).network[:, 0, :MEMBERS], test)


def draw_family(numbers: np.random.Generator, world: str) -> Family:
    """Draw members until any two differ in an observable by 0.4 at least."""
    while True:
        decided = np.zeros((MEMBERS, OBSERVABLES), dtype=np.int64)
        for member in decided:
            some = numbers.choice(OBSERVABLES, numbers.integers(1, OBSERVABLES - 2), replace=False)
            member[some] = np.where(numbers.random(len(some)) < 0.7, 1, -1)
        shape = decided.shape
        open_rates = {
            "absent": np.zeros(shape),
            "mostly absent": np.where(numbers.random(shape) < 0.85, 0.02, 0.9),
            "half": np.full(shape, 0.5),
            "mixed": numbers.random(shape),
            "present": np.ones(shape),
            "sharp": (numbers.random(shape) < 0.5).astype(float),
        }[world]
        rates = np.where(decided > 0, 1.0, np.where(decided < 0, 0.0, open_rates))
        apart = np.abs(rates[:, None] - rates[None]).max(-1) + np.eye(MEMBERS)
        if apart.min() > 0.4:
            return Family(decided, rates, numbers.normal(size=(MEMBERS, FEATURES)))


def task_of(family: Family, folder: Path) -> Task:
    """Write what members decide as an ontology, and make the task of it."""
    lines = []
    for member, decided in enumerate(family.decided):
        lines += [f"SubClassOf(:M{member} :P{one})" for one in np.flatnonzero(decided > 0)]
        lines += [f"DisjointClasses(:M{member} :P{one})" for one in np.flatnonzero(decided < 0)]
    declared = [f"Declaration(Class(:P{one}))" for one in range(OBSERVABLES)]
    text = "\n".join(["Prefix(:=<https://example.org/drawn#>)", "Ontology(", *declared, *lines, ")"])
    path = folder / "drawn.ofn"
    path.write_text(text, "utf-8")
    members = [f"M{member}" for member in range(MEMBERS)]
    return Task(moose.load(path), ["a"], [f"P{one}" for one in range(OBSERVABLES)], members, [members])


def draw_examples(numbers: np.random.Generator, family: Family, task: Task, count: int, shown: str) -> Examples:
    """Draw instances, and one to three literals of each."""
    labels = numbers.integers(0, MEMBERS, count)
    points = 0.8 * family.middles[labels] + 0.75 * numbers.normal(size=(count, FEATURES))
    holds = np.where(numbers.random((count, OBSERVABLES)) < family.rates[labels], 1, -1)
    evidence = np.zeros((count, 1, MEMBERS + OBSERVABLES), dtype=np.int8)
    for row, own in enumerate(holds):
        there = np.flatnonzero(own > 0) if shown == "positive" else np.arange(OBSERVABLES)
        seen = numbers.choice(there, min(len(there), int(numbers.integers(1, 4))), replace=False)
        evidence[row, 0, MEMBERS + seen] = own[seen]
    truth = np.concatenate([np.where(np.arange(MEMBERS) == labels[:, None], 1, -1), holds], 1)[:, None].astype(np.int8)
    inputs = torch.from_numpy(1 / (1 + np.exp(-points))).float().reshape(count, 1, 1, 4, FEATURES // 4)
    return Examples(task, inputs, torch.from_numpy(evidence), torch.from_numpy(truth))


def network(outputs: int, seed: int) -> nn.Module:
    """Make the network of all rows."""
    torch.manual_seed(seed)
    return nn.Sequential(nn.Flatten(), nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, outputs))


def supervised(train: Examples, test: Examples, seed: int) -> float:
    """Learn from all labels."""
    model = network(MEMBERS, seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    labels = train.truth[:, 0, :MEMBERS].argmax(1)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(train)).split(64):
            loss = nn.functional.cross_entropy(model(train.inputs[rows, 0]), labels[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    with torch.no_grad():
        return right(model(test.inputs[:, 0]).numpy(), test)


def right(scores: npt.NDArray[np.floating], test: Examples) -> float:
    """Return how often the highest score is that of the true member."""
    return float((scores.argmax(1) == test.truth[:, 0, :MEMBERS].numpy().argmax(1)).mean())


if __name__ == "__main__":
    raise SystemExit(main())
