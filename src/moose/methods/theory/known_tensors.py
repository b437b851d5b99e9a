"""What a task knows of its individuals in every example, as tensors."""

from __future__ import annotations

import torch
from torch import Tensor

from moose.grounding.task.task import Task


def known_roles(task: Task) -> tuple[Tensor, Tensor]:
    """Return which role atoms are known, and whether they hold: role × individual × individual."""
    count = len(task.individuals)
    places = {name: place for place, name in enumerate(task.individuals)}
    roles = {role.name: place for place, role in enumerate(task.role_predicates)}
    is_known = torch.zeros(len(roles), count, count, dtype=torch.bool)
    known = torch.zeros(len(roles), count, count)
    for name, pairs in task.edges.items():
        is_known[roles[name]] = True
        for first, second in pairs:
            known[roles[name], places[first], places[second]] = 1.0
    for atom, is_true in task.known.items():
        if len(atom.arguments) == 2:
            place = (roles[atom.predicate], *(places[argument] for argument in atom.arguments))
            is_known[place], known[place] = True, float(is_true)
    return is_known, known


def known_concepts(task: Task) -> Tensor:
    """Return the facts on concepts as evidence that every example has: individual × concept."""
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    places = {name: place for place, name in enumerate(task.individuals)}
    facts = torch.zeros(len(places), len(columns), dtype=torch.int8)
    for atom, is_true in task.known.items():
        if len(atom.arguments) == 1:
            facts[places[atom.arguments[0]], columns[atom.predicate]] = 1 if is_true else -1
    return facts
