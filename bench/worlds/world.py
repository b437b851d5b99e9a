"""A world to learn: its task, its network, and how examples are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import torch

import moose
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.methods.base.perception import MakeEncoder

Signs = npt.NDArray[np.int8]
Draw = Callable[[Task, int], tuple[Examples, Examples]]
"""From a task and a seed to examples to learn from and to test on."""
MOST = 3
"""Literals of an individual; one at least."""


@dataclass(frozen=True)
class World:
    """What is learnt, by which network, for how long."""

    task: Task
    draw: Draw
    make: MakeEncoder
    epochs: int
    batch_size: int = 64
    held_back: float = 0.0
    """Which share of the examples to learn from tells when to stop, by the loss of the way itself: no label is seen."""
    is_closed: bool = True
    """Whether members have only their profiles, so that what a supervised network says may be closed by `only`."""
    further: Mapping[str, tuple[str, ...]] | None = None
    """Further closures to learn by, by the names of their rows."""

    @property
    def members(self) -> list[int]:
        """The columns of the family that is learnt."""
        names = [concept.name for concept in self.task.concepts]
        return [names.index(name) for name in self.task.families[0]]


def closed(task: Task, *components: str) -> Task:
    """Return the task with further components of the closure."""
    return replace(task, closure=(*task.closure, *components)) if components else task


def profiles_of(task: Task) -> Signs:
    """Return member × concept: +1 for what the ontology says of the member, -1 for all else.

    >>> from moose.grounding.task.regimes import regime
    >>> profiles_of(regime("mnist1"))[2].tolist()
    [-1, -1, 1, -1, -1, -1, -1, -1, -1, -1, 1, -1, 1, -1]
    """
    layer = moose.WMCLayer(moose.compile_circuit(moose.ground(closed(replace(task, roles=None), "only"))))
    who = task.individuals[0]
    rows = [
        [1 if layer.entails({f"{member}({who})": True}, f"{one.name}({who})") else -1 for one in task.concepts]
        for member in task.families[0]
    ]
    return np.array(rows, dtype=np.int8)


def some_literals(truth: Signs, among: Sequence[int], numbers: np.random.Generator) -> Signs:
    """Return one to three literals of each row, of these columns; what is 0 is never shown."""
    evidence = np.zeros_like(truth)
    for own, true in zip(evidence, truth, strict=True):
        known = np.array([column for column in among if true[column]], dtype=np.int64)
        seen = numbers.choice(known, min(len(known), int(numbers.integers(1, MOST + 1))), replace=False)
        own[seen] = true[seen]
    return evidence


def bits_told(profiles: Signs, among: Sequence[int]) -> float:
    """Return how much one to three literals of these columns tell of which member it is, all being equally likely.

    >>> bits_told(np.array([[1], [-1]], dtype=np.int8), [0])
    1.0
    """
    left = list[float]()
    for count in range(1, min(MOST, len(among)) + 1):
        alike = [
            np.log2((profiles[:, seen] == own[list(seen)]).all(1).sum())
            for seen in map(list, combinations(among, count))
            for own in profiles
        ]
        left.append(float(np.mean(alike)))
    return float(np.log2(len(profiles))) - float(np.mean(left))


def observed_columns(task: Task) -> list[int]:
    """Return the columns of concepts that evidence may speak of."""
    return [column for column, concept in enumerate(task.concepts) if not concept.is_latent]


def one_each(task: Task, inputs: torch.Tensor, truth: Signs, evidence: Signs) -> Examples:
    """Return examples of one individual."""
    return Examples(task, inputs[:, None], torch.from_numpy(evidence)[:, None], torch.from_numpy(truth)[:, None])
