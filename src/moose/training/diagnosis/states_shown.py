"""Examples as an ideal network sees them: the true state of each individual, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.examples import Examples
from moose.learning.loss.objective import Prepared
from moose.methods.base.model import Model
from moose.shortcuts.model.examples import Seen, UnknownTruth, row_roles, row_states
from moose.shortcuts.problem.observations import Lens, Observation
from moose.shortcuts.problem.options import Showing
from moose.shortcuts.problem.problem import Problem, ShownTask, task_parts
from moose.shortcuts.problem.states import State
from moose.shortcuts.problem.worlds import read_pairs


@dataclass(frozen=True, eq=False)
class StateRows:
    """The distinct examples of one shape: those with the same evidence of the same states are one row."""

    prepared: Prepared
    counts: Tensor
    """float64: how many examples each row stands for."""
    states: Tensor
    """int64, row × individual: which of the problem's true states it is in; one past the last for none."""
    pairs: Tensor | None
    """int64, row × role × individual × individual: which of the problem's pairs it is; one past the last for none."""


def with_known_truth(model: Model, examples: Sequence[Examples]) -> tuple[list[Examples], int]:
    """Part examples by shape, keep those whose latent truth is known, and count those that are left out."""
    kept, left_out = list[Examples](), 0
    for several in examples:
        for group, _ in model.prepare_shapes(several):
            is_known = _is_known(group.examples)
            left_out += int((~is_known).sum())
            if bool(is_known.any()):
                kept.append(
                    group.examples if bool(is_known.all()) else group.examples.take(torch.nonzero(is_known)[:, 0])
                )
    if not kept:
        raise UnknownTruth(
            "the truth of the latent concepts is known in no example, so that nothing can be compared with it; give "
            "examples with truth"
        )
    return kept, left_out


def _is_known(examples: Examples) -> Tensor:
    task = examples.task
    wanted = torch.from_numpy(task.has_concept & task.has_input[:, None])[:, list(latent_columns(task))]
    known = ((examples.truth[..., list(latent_columns(task))] != 0) | ~wanted).flatten(1).all(1)
    if task.read_roles and examples.role_truth is None:
        return torch.zeros_like(known)
    return known


def seen_by(model: Model, groups: Sequence[Examples]) -> list[Seen]:
    """Return evidence and truth of examples, under the theory that the model is held against."""
    return [
        Seen(
            model.theory(one.task),
            one.evidence.numpy(),
            one.truth.numpy(),
            *(None if pairs is None else pairs.numpy() for pairs in (one.role_evidence, one.role_truth)),
        )
        for one in groups
    ]


def lay_out(model: Model, groups: Sequence[Examples], problem: Problem) -> list[StateRows]:
    """Put examples that show the same together, and find the states that they are in."""
    laid = list[StateRows]()
    for examples in groups:
        latent = list(latent_columns(examples.task))
        shown = [examples.evidence, examples.truth[..., latent], examples.role_evidence, examples.role_truth]
        flat = np.concatenate([one.flatten(1).numpy() for one in shown if one is not None], axis=1)
        _, first, counts = np.unique(flat, axis=0, return_index=True, return_counts=True)
        chosen = examples.take(torch.from_numpy(first))
        states, pairs = state_numbers(model, chosen, problem)
        laid.append(StateRows(model.prepare(chosen), torch.from_numpy(counts).double(), states, pairs))
    return laid


def state_numbers(model: Model, examples: Examples, problem: Problem) -> tuple[Tensor, Tensor | None]:
    """Return which true state each individual of each example is in, and which pair of states each pair is."""
    task, places = model.theory(examples.task), {place: number for number, place in enumerate(problem.true_states)}
    people = {name: number for number, name in enumerate(task.individuals)}
    numbers = np.full((len(examples), len(people)), len(places), np.int64)
    found = [row_states(task, problem.vocabulary, row) for row in examples.truth.numpy()]
    for row, states in enumerate(found):
        for individual, state in states.items():
            owner = "" if problem.encoder.is_shared else individual
            numbers[row, people[individual]] = places.get((owner, state), len(places))
    pairs = _pair_numbers(examples, problem, task, found) if task.read_roles else None
    return torch.from_numpy(numbers), pairs


def _pair_numbers(examples: Examples, problem: Problem, task: Task, states: Sequence[dict[str, State]]) -> Tensor:
    words = problem.vocabulary
    lens = Lens(words, problem.encoder, tuple(range(len(words.variables))))
    known = {atom: number for number, atom in enumerate(problem.pairs)}
    roles = {task.role_predicates[number].name: place for place, number in enumerate(task.read_roles)}
    people = {name: number for number, name in enumerate(task.individuals)}
    numbers = np.full((len(examples), len(roles), len(people), len(people)), len(known), np.int64)
    assert examples.role_truth is not None
    for part in task_parts(ShownTask(task, Showing())):
        atoms = read_pairs(part.theory, words.roles)
        for row, truth in enumerate(examples.role_truth.numpy()):
            shown = Observation(0, tuple(states[row].items()), frozenset(), row_roles(task, part, words, truth))
            for atom in atoms:
                first, second = (people[name] for name in atom.arguments)
                place = known.get(lens.role_atom(atom, shown), len(known))
                numbers[row, roles[atom.predicate], first, second] = place
    return torch.from_numpy(numbers)
