"""Compute one cell: train and evaluate a method, or compile a circuit; the result as one JSON object."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, cast

from moose.benchmark.cells import Cell, data_place

if TYPE_CHECKING:
    from moose.datasets.open import Dataset
    from moose.grounding.task import Task
    from moose.methods.predictor import Predictor

Found = dict[str, object]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What does not change a result, or should not."""

    work: Path | None = None
    """Where checkpoints are kept; a cell that finds some goes on from there."""
    folder: Path | None = None
    """Has a folder for each data set; None for the usual place."""
    threads: int = 1
    """Of torch."""


def compute(cell: Cell, surroundings: Surroundings) -> Found:
    """Compute what is to be known of a cell."""
    return compute_circuit(cell) if cell.kind == "circuit" else compute_learning(cell, surroundings)


def compute_learning(cell: Cell, surroundings: Surroundings) -> Found:
    """Train and evaluate."""
    import torch

    from moose.benchmark.judging import judge

    torch.set_num_threads(surroundings.threads)
    is_resumed = surroundings.work is not None and surroundings.work.exists()
    start, used = time.monotonic(), time.process_time()
    dataset = open_data(cell, surroundings.folder)
    opened = time.monotonic()
    predictor = train(cell, dataset, surroundings.work)
    trained = time.monotonic()
    judged = judge(predictor, dataset)
    ended, used = time.monotonic(), time.process_time() - used
    return {
        "task_hash": task_hash(dataset.train.task),
        "data_hash": data_hash(dataset),
        "instances": {split: len(dataset[split]) for split in dataset},
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


def open_data(cell: Cell, folder: Path | None) -> Dataset:
    """Open the data of a cell."""
    from moose.datasets.open import open_dataset
    from moose.datasets.regimes import find_regime

    wanted = cell.configuration
    regime = find_regime(cell.regime)
    if not wanted["closure"]:
        regime = replace(regime, task=replace(regime.task, closure=()))
    return open_dataset(
        cell.data,
        regime=regime,
        folder=data_place(cell.data, folder),
        seed=cell.seed,
        count=cast(int | None, wanted["count"]),
        test_count=cast(int | None, wanted["test_count"]),
        size=cast(int | None, wanted["size"]),
        inductive=bool(wanted["inductive"]),
    )


def train(cell: Cell, dataset: Dataset, work: Path | None) -> Predictor:
    """Train the method of a cell, from its checkpoint where there is one."""
    from moose.learning.fitting import Training
    from moose.methods.method import Perception
    from moose.methods.registry import make_method

    wanted, examples = cell.configuration, dataset.train
    training = Training(*(wanted[key] for key in ("epochs", "batch_size", "learning_rate")))  # type: ignore[arg-type]  # it checks
    return make_method(cell.method, **cast(Mapping[str, object], wanted["options"])).fit(
        examples.task,
        examples,
        seed=cell.seed,
        training=training,
        perception=Perception(examples.input_shape, bool(wanted["batch_norm"])),
        folder=work,
    )


def compute_circuit(cell: Cell) -> Found:
    """Compile a regime several times."""
    from moose.circuit.compile import compile_circuit
    from moose.grounding.ground import ground
    from moose.grounding.regimes import regime

    wanted, task = cell.configuration, regime(cell.regime)
    clauses = ground(task, encoding=str(wanted["encoding"]))
    found = [compile_circuit(clauses, vtree=str(wanted["vtree"])) for _ in range(cast(int, wanted["repetitions"]))]
    statistics = found[0].statistics
    seconds = sorted(circuit.statistics.seconds for circuit in found)
    spread = {"smallest": seconds[0], "middle": median(seconds), "largest": seconds[-1]}
    counts = {key: value for key, value in asdict(statistics).items() if key in ("atoms", "clauses", "size", "nodes")}
    return {
        "task_hash": task_hash(task),
        "seconds": spread["middle"],
        "circuit": {**counts, "models": str(found[0].model_count()), "seconds": spread},
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
    """Return a digest of all images, evidence and truth."""
    from moose.learning.tensor_files import digest

    tensors = []
    for split in dataset:
        tensors += [dataset[split].inputs, dataset[split].evidence, dataset[split].truth]
    return digest(tensors)
