"""Evidence and truth of examples as arrays of signs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.grounding.task.task import Task

Signs = npt.NDArray[np.int8]
"""+1 for true, -1 for false, 0 for unknown: example × individual × concept."""


def as_array(values: object, name: str) -> npt.NDArray[np.generic]:
    """Return an array, or say that rows differ in length."""
    try:
        return np.asarray(values)
    except ValueError:
        raise MooseError(f"expected {name} as one array, but got rows of different lengths") from None


def checked_signs(values: object, task: Task, name: str) -> Signs:
    """Return an array of signs with one row for each example, or say what is wrong with it."""
    array = as_array(values, name)
    wanted = (len(task.individuals), len(task.concepts))
    if array.ndim != 3 or array.shape[1:] != wanted:
        raise MooseError(
            f"expected {name} of shape (examples, {wanted[0]} individuals, {wanted[1]} concepts), "
            f"but got {tuple(array.shape)}"
        )
    if array.dtype.kind not in "iub" or not np.isin(array, (-1, 0, 1)).all():
        raise MooseError(f"expected {name} to be +1 for true, -1 for false and 0 for unknown, but got other values")
    return array.astype(np.int8)


def checked_pairs(values: object, task: Task, name: str, count: int) -> Signs | None:
    """Return signs of pairs, or say what is wrong with them; None for none."""
    if values is None:
        return None
    array = as_array(values, name)
    people = len(task.individuals)
    wanted = (count, len(task.role_predicates), people, people)
    if array.shape != wanted or array.dtype.kind not in "iub" or not np.isin(array, (-1, 0, 1)).all():
        raise MooseError(
            f"expected {name} of shape {wanted} (example, role, individual, individual) with +1 for true, -1 for false "
            f"and 0 for unknown, but got {array.dtype} {tuple(array.shape)}"
        )
    return array.astype(np.int8)
