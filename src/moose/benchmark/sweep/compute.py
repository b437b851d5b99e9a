"""Compute one cell: train and evaluate a method, or compile a circuit; the result as one JSON object."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, cast

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Cell, data_place
from moose.training.run import Run

if TYPE_CHECKING:
    from moose.datasets.open import Dataset
    from moose.grounding.task.task import Task

Found = dict[str, object]
OF_RUN = (
    *("epochs", "batch_size", "learning_rate", "batch_norm"),
    *("count", "test_count", "size", "closure", "inductive"),
    *("hidden", "dropout", "valid", "patience", "weight_decay", "stop_by", "base_rates"),
)
"""Keys of a cell's configuration that are fields of its run."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What does not change a result, or should not."""

    work: Path | None = None
    """Where checkpoints are kept; a cell that finds some goes on from there."""
    folder: Path | None = None
    """Has a folder for each data set; None for the usual place."""
    threads: int = 1
    """Of torch."""
    data_hash: str | None = None
    """Of the examples that the cell must see; None if any will do."""


def compute(cell: Cell, surroundings: Surroundings) -> Found:
    """Compute what is to be known of a cell."""
    if cell.kind == "circuit":
        return compute_circuit(cell)
    return compute_baseline(cell, surroundings) if cell.kind == "baseline" else compute_learning(cell, surroundings)


def compute_learning(cell: Cell, surroundings: Surroundings) -> Found:
    """Train and evaluate."""
    import torch

    from moose.training.evaluate_splits import judge

    torch.set_num_threads(surroundings.threads)
    is_resumed = surroundings.work is not None and surroundings.work.exists()
    start, used = time.monotonic(), time.process_time()
    run = run_of(cell)
    dataset = run.open(data_place(cell.data, surroundings.folder))
    if dataset.judged != "test":  # records name what is judged so
        dataset = replace(dataset, splits={**dataset.splits, "test": dataset.train})
    about = about_data(dataset, surroundings.data_hash)
    opened = time.monotonic()
    predictor = run.fit(dataset, folder=surroundings.work)
    trained = time.monotonic()
    judged = judge(predictor, run.to_judge(dataset))
    ended, used = time.monotonic(), time.process_time() - used
    return {
        **about,
        "is_resumed": is_resumed,
        "seconds": round(predictor.seconds, 2),
        "opening_seconds": round(opened - start, 2),
        "evaluation_seconds": round(ended - trained, 2),
        "cpu_seconds": round(used, 2),
        "threads": surroundings.threads,
        "terms": predictor.history[-1].terms,
        "history": [epoch.as_dict() for epoch in predictor.history],
        **judged,
    }


def compute_baseline(cell: Cell, surroundings: Surroundings) -> Found:
    """Judge what predicts without learning."""
    from moose.benchmark.plans.baselines import find_baseline
    from moose.training.evaluate_splits import judge

    start = time.monotonic()
    dataset = run_of(cell).open(data_place(cell.data, surroundings.folder))
    about = about_data(dataset, surroundings.data_hash)
    judged = judge(find_baseline(cell.method, dataset.train), dataset)
    return {**about, "seconds": round(time.monotonic() - start, 2), **judged}


def about_data(dataset: Dataset, expected: str | None) -> Found:
    """Return what identifies task and data; refuse others than finished cells saw."""
    seen = data_hash(dataset)
    if expected is not None and seen != expected:
        raise MooseError(
            f"{dataset.name}, {dataset.regime}: expected the examples that finished cells of the plan saw (hash "
            f"{expected[:12]}), but the data give others ({seen[:12]}): the files are other ones; take the same, or "
            "another store"
        )
    return {
        "task_hash": task_hash(dataset.train.task),
        "data_hash": seen,
        "instances": {split: len(dataset[split]) for split in dataset},
    }


def run_of(cell: Cell) -> Run:
    """Return the run that a cell stands for; a baseline has no settings of training, which stay at their defaults."""
    from moose.methods.registry import find_method

    wanted = cell.configuration
    ours = {key: wanted[key] for key in OF_RUN if key in wanted}
    options = dict(cast(Mapping[str, object], wanted.get("options", {})))
    if cell.kind == "learning":  # a cell leaves out what is as it was before there was a choice
        options = dict(find_method(cell.method).before) | options
    return Run(regime=cell.regime, data=cell.data, seed=cell.seed, by=cell.method, options=options, **ours)  # type: ignore[arg-type]  # it checks


def compute_circuit(cell: Cell) -> Found:
    """Compile a regime several times."""
    from moose.circuit.compile.compile_circuit import compile_circuit
    from moose.grounding.ground import ground
    from moose.grounding.task.regimes import regime

    wanted, task = cell.configuration, regime(cell.regime)
    clauses = ground(task, encoding=str(wanted["encoding"]))
    circuits = [compile_circuit(clauses, vtree=str(wanted["vtree"])) for _ in range(cast(int, wanted["repetitions"]))]
    statistics = circuits[0].statistics
    seconds = sorted(circuit.statistics.seconds for circuit in circuits)
    spread = {"smallest": seconds[0], "middle": median(seconds), "largest": seconds[-1]}
    counts = {key: value for key, value in asdict(statistics).items() if key in ("atoms", "clauses", "size", "nodes")}
    return {
        "task_hash": task_hash(task),
        "seconds": spread["middle"],
        "circuit": {**counts, "models": str(circuits[0].model_count()), "seconds": spread},
    }


def task_hash(task: Task) -> str:
    """Return a digest of a task's concepts and ground clauses."""
    from moose.grounding.ground import ground

    clauses = ground(task)
    state = sha256(repr([(concept.name, concept.is_latent) for concept in task.concepts]).encode())
    state.update(repr((list(map(str, clauses.atoms)), clauses.given, clauses.families)).encode())
    state.update(repr(sorted((str(atom), truth) for atom, truth in clauses.fixed.items())).encode())
    for numbers in (clauses.kinds, clauses.literals, clauses.starts):
        state.update(repr(numbers.tolist()).encode())
    return state.hexdigest()


def data_hash(dataset: Dataset) -> str:
    """Return a digest of all images, evidence and truth, and of the graphs of examples that have some."""
    from moose.learning.tensor_files import digest

    tensors = []
    for split in dataset:
        tensors += [dataset[split].inputs, dataset[split].evidence, dataset[split].truth]
    graphs = {split: dataset[split].graphs for split in dataset if dataset[split].graphs is not None}
    return sha256((digest(tensors) + repr(graphs)).encode()).hexdigest() if graphs else digest(tensors)
