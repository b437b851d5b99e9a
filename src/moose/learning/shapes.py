"""Examples whose individuals are connected differently, put together by shape: those of one shape share a circuit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from moose.grounding.task.graphs import Graph, Shape, shape_of, task_of_graph, task_of_shape
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.roles.role_tensors import take_pairs


@dataclass(frozen=True, eq=False)
class Group:
    """Examples of one shape, with a task of their own in which all of them have the same individuals and roles."""

    examples: Examples
    rows: Tensor
    """int64: which of all examples these are."""
    places: Tensor
    """int64, example × individual of the group's task: which individual of the whole task it is."""


def split_by_shape(examples: Examples) -> list[Group]:
    """Part examples by the shape of their graphs, the one that comes first leading."""
    if examples.graphs is None:
        count = len(examples)
        everybody = torch.arange(len(examples.task.individuals)).expand(count, -1)
        return [Group(examples, torch.arange(count), everybody)]
    known: dict[Graph, tuple[Shape, tuple[int, ...]]] = {}
    members: dict[Shape, list[int]] = {}
    for row, graph in enumerate(examples.graphs):
        if graph not in known:
            known[graph] = shape_of(examples.task, graph)
        members.setdefault(known[graph][0], []).append(row)
    groups = []
    for shape, rows in members.items():
        places = [known[examples.graphs[row]][1] for row in rows]
        task = task_of_shape(examples.task, shape, examples.graphs[rows[0]], places[0])
        groups.append(_group(examples, task, rows, places))
    return groups


def alone(examples: Examples, row: int) -> Examples:
    """Return one example in its own names."""
    if examples.graphs is None:
        return examples.take([row])
    graph = examples.graphs[row]
    task = task_of_graph(examples.task, graph, graph.individuals)
    return _group(examples, task, [row], [graph.individuals]).examples


def _group(examples: Examples, task: Task, rows: list[int], places: list[tuple[int, ...]]) -> Group:
    which, where = torch.tensor(rows), torch.tensor(places)
    beside = which[:, None]
    # among inputs, individuals are numbered without those that have none
    input_of = torch.from_numpy(np.cumsum(examples.task.has_input) - 1)
    seen = torch.from_numpy(np.flatnonzero(task.has_input))
    inputs = (beside, input_of[where[:, seen]])
    chosen = Examples(
        task,
        examples.inputs[inputs],
        examples.evidence[beside, where],
        examples.truth[beside, where],
        allow_latent=examples.allow_latent,
        role_evidence=_pairs(examples.role_evidence, which, where),
        role_truth=_pairs(examples.role_truth, which, where),
        pair_features=_features(examples.pair_features, which, where),
        mask=None if examples.mask is None else examples.mask[inputs],
        given=examples.given,
        where=None if examples.where is None else [examples.where[row] for row in rows],
    )
    return Group(chosen, which, where)


def _pairs(values: Tensor | None, rows: Tensor, places: Tensor) -> Tensor | None:
    return None if values is None else take_pairs(values, rows, places)


def _features(values: Tensor | None, rows: Tensor, places: Tensor) -> Tensor | None:
    return None if values is None else take_pairs(values.permute(0, 3, 1, 2), rows, places).permute(0, 2, 3, 1)
