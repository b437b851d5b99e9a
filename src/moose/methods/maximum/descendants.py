"""The maximum over a class and its subclasses, as the ontology entails them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.grounding.encodings.shapes import atomic_subsumptions, saturated
from moose.grounding.task.task import Task

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Descendants:
    """The subclasses of each concept of a task, itself left out: `members[starts[c]:starts[c + 1]]`."""

    starts: Positions
    members: Positions

    def winners(self, values: Tensor, labels: Tensor | None = None) -> Tensor:
        """Return which of a class and its subclasses has the largest value: int64, row × class as the values are.

        With labels, int8 of the same shape, those of a class labelled +1 are only those that are labelled +1 as well.
        """
        given = values.detach().contiguous().numpy()
        signs = np.zeros(given.shape, np.int8) if labels is None else labels.contiguous().numpy()
        found = np.empty(given.shape, np.int64)
        compiled()(given, signs, self.starts, self.members, found)
        return torch.from_numpy(found)

    def maximum(self, values: Tensor, labels: Tensor | None = None) -> Tensor:
        """Return the largest value among a class and its subclasses, … × class; its slope goes to the winner alone."""
        flat = values.reshape(-1, values.shape[-1])
        signs = None if labels is None else labels.reshape(flat.shape)
        return flat.gather(1, self.winners(flat, signs)).view(values.shape)


def descendants(task: Task) -> Descendants:
    """Return the subclasses that the ontology of a task entails between its concepts.

    >>> import moose
    >>> task = moose.regime("mnist1")
    >>> found = descendants(task)
    >>> even = [concept.name for concept in task.concepts].index("Even")
    >>> [task.concepts[one].name for one in found.members[found.starts[even] : found.starts[even + 1]]]
    ['D0', 'D2', 'D4', 'D6', 'D8']
    """
    pairs = np.array(atomic_subsumptions(task, saturated(task)), dtype=np.int64).reshape(-1, 2)
    ordered = pairs[np.lexsort((pairs[:, 0], pairs[:, 1]))]
    counts = np.bincount(ordered[:, 1], minlength=len(task.concepts))
    return Descendants(np.concatenate([[0], counts.cumsum()]), np.ascontiguousarray(ordered[:, 0]))


@cache
def compiled() -> Callable[..., None]:
    """Compile the loop, or take it from numba's cache."""
    from moose.base.compiled.numba_compilation import compile_functions
    from moose.methods.maximum import maximum_loops

    return cast(Callable[..., None], compile_functions([maximum_loops], ["find_winners"])["find_winners"])
