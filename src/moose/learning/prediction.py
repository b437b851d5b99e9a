"""What a learner says of examples: the posteriors of the circuit, and the network's own word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task

AT_ONCE = 256
Reals = npt.NDArray[np.float32]
Signs = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Probabilities: example × individual × concept, columns as `task.concepts`."""

    task: Task
    posteriors: Reals
    """P(C(a) | input, theory, and the evidence if it was used)."""
    network: Reals
    """What the network alone says of each latent concept; NaN for observed ones, of which it says nothing."""
    roles: Reals | None = None
    """P(r(a, b) | …): example × role × individual × individual, as `task.role_predicates`; None if none is latent."""
    role_network: Reals | None = None
    """What the pair network alone says of each latent role; NaN for others."""
    worlds: Signs | None = None
    """+1 for what holds in the most probable world, which theory and evidence allow, -1 for what does not; 0 for a
    concept that an individual has not. None of methods that do not look for it."""

    def of(self, row: int, *, least: float = 0.0) -> dict[str, float]:
        """Return the posteriors of one example by atom, those of at least so much."""
        posteriors = dict[str, float]()
        for position, individual in enumerate(self.task.individuals):
            for column, concept in enumerate(self.task.concepts):
                if (value := float(self.posteriors[row, position, column])) >= least:
                    posteriors[str(Atom(concept.name, (individual,)))] = value
        if self.roles is not None:
            for slot in product(self.task.read_roles, *[range(len(self.task.individuals))] * 2):
                if (value := float(self.roles[row, *slot])) >= least:
                    role, first, second = slot
                    pair = (self.task.individuals[first], self.task.individuals[second])
                    posteriors[str(Atom(self.task.role_predicates[role].name, pair))] = value
        return posteriors

    def world_of(self, row: int) -> list[str]:
        """Return the atoms of concepts that hold in the most probable world of one example."""
        if self.worlds is None:
            raise MooseError(
                "no most probable world was looked for: moose, what is built on it and semantic-loss look for it where "
                "the task declares every concept latent, spl always; take one of these, or ask for posteriors"
            )
        return [
            str(Atom(self.task.concepts[column].name, (self.task.individuals[place],)))
            for place, column in np.argwhere(self.worlds[row] > 0).tolist()
        ]


def in_parts(size: int) -> Iterator[slice]:
    """Part examples so that memory is enough for each part."""
    for start in range(0, size, AT_ONCE):
        yield slice(start, min(start + AT_ONCE, size))
