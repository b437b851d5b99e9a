"""Role atoms as tensors: example × role × individual × individual, roles as `task.role_predicates`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.graphs import Graph
from moose.grounding.task.task import Task

Truths = npt.NDArray[np.float32]


def known_truths(task: Task) -> Truths:
    """Return what the task itself knows of role atoms: 1, 0, or NaN where it leaves a pair open."""
    count = len(task.individuals)
    numbers = {name: number for number, name in enumerate(task.individuals)}
    roles = {role.name: number for number, role in enumerate(task.role_predicates)}
    truths = np.full((len(roles), count, count), np.nan, np.float32)
    for name, pairs in task.edges.items():
        truths[roles[name]] = 0.0
        for first, second in pairs:
            truths[roles[name], numbers[first], numbers[second]] = 1.0
    for atom, is_true in task.known.items():
        if len(atom.arguments) == 2:
            truths[roles[atom.predicate], numbers[atom.arguments[0]], numbers[atom.arguments[1]]] = is_true
    return truths


def check_roles(task: Task, name: str, values: object, count: int) -> Tensor:
    """Return evidence or truth of roles as a tensor of the right shape and kind, or say what came instead."""
    people = len(task.individuals)
    wanted = (count, len(task.role_predicates), people, people)
    if not isinstance(values, Tensor):
        raise MooseError(f"expected {name} as a tensor, but got {type(values).__name__}; torch.from_numpy makes one")
    if tuple(values.shape) != wanted:
        raise MooseError(
            f"expected {name} of shape {wanted} (example, role as in task.role_predicates, individual, individual), "
            f"but got {tuple(values.shape)}"
        )
    if values.dtype != torch.int8:
        raise MooseError(f"expected {name} as int8 (+1 true, -1 false, 0 unknown), but got {values.dtype}")
    if values.numel() and int(values.abs().max()) > 1:
        raise MooseError(f"expected only +1, 0 and -1 in {name}, but found {int(values.abs().max())}")
    return values


def check_pairs_there(task: Task, name: str, values: Tensor, graphs: Sequence[Graph] | None) -> None:
    """Refuse what is said of a pair of which one is not in the example."""
    if graphs is None:
        return
    is_absent = torch.ones(len(graphs), len(task.individuals), dtype=torch.bool)
    for row, graph in enumerate(graphs):
        is_absent[row, list(graph.individuals)] = False
    wrong = torch.nonzero((values != 0) & (is_absent[:, None, :, None] | is_absent[:, None, None, :]))
    if len(wrong):
        row, *slot = wrong[0].tolist()
        absent = next(one for one in slot[1:] if is_absent[row, one])
        raise MooseError(
            f"{name} of example {row} speaks of {role_atom(task, *slot)}, but {task.individuals[absent]} is not in "
            f"that example; leave it out"
        )


def check_open_roles(task: Task, evidence: Tensor, graphs: Sequence[Graph] | None) -> None:
    """Refuse evidence on a role that is known: its pairs are given as structure, in the task or in `roles`."""
    listed = {role for graph in graphs or () for role, _ in graph.roles} | set(task.edges)
    known = [number for number, role in enumerate(task.role_predicates) if role.name in listed]
    wrong = torch.nonzero(evidence[:, known])
    if len(wrong):
        row, position, *pair = wrong[0].tolist()
        atom = role_atom(task, known[position], *pair)
        raise MooseError(
            f"role_evidence of example {row} speaks of {atom}, but the pairs of {atom.predicate} are known in advance; "
            f"say them under roles alone, or leave that out there"
        )


def role_atom(task: Task, role: int, first: int, second: int) -> Atom:
    """Return the atom at a place of such a tensor."""
    return Atom(task.role_predicates[role].name, (task.individuals[first], task.individuals[second]))


def take_pairs(values: Tensor, rows: Tensor, places: Tensor) -> Tensor:
    """Return some examples (first dimension), their individuals (last two) in an order of their own.

    `places` says for each example which individual comes where.
    """
    chosen = values[rows]
    count, size = places.shape
    first = places[:, None, :, None].expand(count, chosen.shape[1], size, chosen.shape[3])
    second = places[:, None, None, :].expand(count, chosen.shape[1], size, size)
    return chosen.gather(2, first).gather(3, second)


def as_columns(values: Tensor) -> Tensor:
    """Lay example × role × individual × individual out as columns of the first individual, as a network's logits are.

    >>> as_columns(torch.arange(8).view(1, 2, 2, 2)).tolist()
    [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    """
    return values.permute(0, 2, 1, 3).flatten(2)


def from_columns(columns: Tensor) -> Tensor:
    """Undo `as_columns`; what has no columns has no role."""
    people = columns.shape[1]
    return torch.unflatten(columns, 2, (-1, people)).permute(0, 2, 1, 3)
