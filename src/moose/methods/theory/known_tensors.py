"""What a task knows of its individuals in every example, as tensors."""

from __future__ import annotations

import torch
from torch import Tensor

from moose.grounding.task.task import Task


def known_roles(task: Task) -> tuple[Tensor, Tensor]:
    """Return which role atoms are known, and whether they hold: role × individual × individual."""
    count = len(task.individuals)
    positions = {name: position for position, name in enumerate(task.individuals)}
    roles = {role.name: position for position, role in enumerate(task.role_predicates)}
    is_known = torch.zeros(len(roles), count, count, dtype=torch.bool)
    known = torch.zeros(len(roles), count, count)
    for name, pairs in task.edges.items():
        is_known[roles[name]] = True
        for first, second in pairs:
            known[roles[name], positions[first], positions[second]] = 1.0
    for atom, is_true in task.known.items():
        if len(atom.arguments) == 2:
            slot = (roles[atom.predicate], *(positions[argument] for argument in atom.arguments))
            is_known[slot], known[slot] = True, float(is_true)
    return is_known, known


def known_concepts(task: Task) -> Tensor:
    """Return the facts on concepts as evidence that every example has: individual × concept."""
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    positions = {name: position for position, name in enumerate(task.individuals)}
    facts = torch.zeros(len(positions), len(columns), dtype=torch.int8)
    for atom, is_true in task.known.items():
        if len(atom.arguments) == 1:
            facts[positions[atom.arguments[0]], columns[atom.predicate]] = 1 if is_true else -1
    return facts
