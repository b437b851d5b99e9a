"""A store whose figures are made up, but whose files have the form of real ones: for whatever reads a store."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

import moose
from moose.benchmark.plans.cells import EVERYTHING, Cell, Choice, planned_cells
from moose.benchmark.plans.plans import PLANS, Plan, read_plan
from moose.benchmark.store.records import FORMAT
from moose.benchmark.store.store import Store
from moose.learning.binding import latent_columns, latent_families
from moose.training.evaluate_splits import VIEWS

Made = dict[str, object]
METRICS = ("acc_f", "acc_c", "acc_atom", "nll", "ece", "ece_atom", "rs_cons", "f1_macro", "confident_error", "collapse")
NO_FAMILY = ("acc_f", "rs_cons", "collapse")


def make_store(
    folder: Path, plans: Sequence[str | Plan] = PLANS, scale: str = "smoke", choice: Choice = EVERYTHING
) -> Store:
    """Write a record for every cell of the plans."""
    store = Store(folder)
    for one in plans:
        plan = one if isinstance(one, Plan) else read_plan(one)
        store.list_plan(plan, scale, choice)
        for planned in planned_cells(plan, scale, choice):
            fill = {"circuit": make_circuit, "baseline": make_judged, "learning": make_learning}[planned.cell.kind]
            introduced = introduce(plan.name, scale, row=planned.row, cell=planned.cell)
            store.finish(planned.cell.name, {**introduced, **fill(planned.cell)})
    return store


def introduce(plan: str, scale: str, *, row: str, cell: Cell) -> Made:
    """Return what any record begins with."""
    return {
        "format": FORMAT,
        "kind": cell.kind,
        "cell": cell.name,
        "plan": plan,
        "scale": scale,
        "regime": cell.regime,
        "data": cell.data,
        "method": row,
        "seed": cell.seed,
        "configuration": dict(cell.configuration),
        "version": moose.__version__,
        "commit": "0" * 40,
        "software": {"python": "3.11.7", "torch": "2.13.0", "numpy": "2.4.6"},
        "machine": {"processor": "made up", "cores": 2, "memory_gb": 16.0, "system": "Linux"},
        "began": "2026-01-01T00:00:00+00:00",
        "ended": "2026-01-01T00:01:00+00:00",
    }


def make_circuit(cell: Cell) -> Made:
    """Make up a circuit."""
    size = int(generator(cell).integers(50, 500))
    seconds = {"smallest": 0.01, "middle": 0.02, "largest": 0.03}
    counts = {"atoms": size // 5, "clauses": size // 3, "size": size, "nodes": size // 2, "models": str(size)}
    return {"task_hash": "0" * 64, "seconds": 0.02, "circuit": {**counts, "seconds": seconds}}


def make_learning(cell: Cell) -> Made:
    """Make up what a run came to."""
    epoch = {"epoch": 1, "steps": 10, "loss": 0.5, "accuracy": 0.5, "terms": {}, "validation_loss": None}
    times = {"opening_seconds": 0.1, "evaluation_seconds": 0.1, "cpu_seconds": 1.2, "threads": 1}
    history = [{**epoch, "seconds": 1.0}]
    return {**make_judged(cell), "is_resumed": False, **times, "terms": {}, "history": history}


def make_judged(cell: Cell) -> Made:
    """Make up what a predictor scores; on pizzaA and in inductive runs there is a second split."""
    random, task = generator(cell), moose.regime(cell.regime)
    names = [concept.name for concept in task.concepts]
    families = [[names[column] for column in family] for family in latent_families(task)]
    latent = [names[column] for column in latent_columns(task)]
    has_more = cell.regime == "pizzaA" or bool(cell.configuration.get("inductive"))
    splits = ["test", "held_out"] if has_more else ["test"]
    scores: Made = {}
    for split in splits:
        views = {view: make_scores(random, has_family=bool(families)) for view in VIEWS}
        scores |= views if split == "test" else {f"{split}_split": views}
    details = {split: {view: make_details(random, families, latent) for view in VIEWS} for split in splits}
    return {
        "task_hash": "0" * 64,
        "data_hash": "0" * 32,
        "instances": {"train": 100, **dict.fromkeys(splits, 50)},
        "seconds": 1.0,
        "families": families,
        **scores,
        "details": details,
    }


def make_scores(random: np.random.Generator, *, has_family: bool) -> Made:
    """Make up the metrics of one view."""
    drawn = dict(zip(METRICS, random.random(len(METRICS)).round(4).tolist()))
    return {name: None if name in NO_FAMILY and not has_family else value for name, value in drawn.items()}


def make_details(random: np.random.Generator, families: list[list[str]], latent: list[str]) -> Made:
    """Make up reliability, confusion and counts."""
    bins = {
        "counts": random.integers(0, 20, 10).tolist(),
        "confidence": [0.1 * place + 0.05 for place in range(10)],
        "accuracy": random.random(10).round(4).tolist(),
    }
    return {
        "reliability": bins,
        "reliability_atom": bins,
        "confusions": [random.integers(0, 9, (len(family), len(family))).tolist() for family in families],
        "concepts": {name: random.integers(0, 9, 4).tolist() for name in latent},
    }


def generator(cell: Cell) -> np.random.Generator:
    """Return what draws the figures of a cell: the same ones each time."""
    return np.random.default_rng(int.from_bytes(blake2b(cell.name.encode(), digest_size=6).digest()))
