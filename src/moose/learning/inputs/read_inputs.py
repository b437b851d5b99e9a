"""Inputs as users have them: tensors, NumPy arrays, tables, sparse matrices, AnnData, lists of sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from moose.base.errors import MooseError

HOW = "give a tensor or an array, or for sequences a list with a tensor, step × …, for each individual of each example"


class ReadInputs(NamedTuple):
    """One tensor of all inputs."""

    values: Tensor
    """example × individual with an input × whatever is seen of it."""
    mask: Tensor | None
    """bool, example × individual × step, where the inputs are sequences."""


def read_inputs(given: object, mask: object, individuals: int) -> ReadInputs:
    """Turn inputs into one tensor, checked; `individuals` is how many of an example have an input.

    >>> read_inputs(np.ones((4, 3)), None, 1).values.shape
    torch.Size([4, 1, 3])
    >>> read_inputs([torch.ones(2, 5), torch.ones(3, 5)], None, 1).mask.int().tolist()
    [[[1, 1, 0]], [[1, 1, 1]]]
    """
    if isinstance(given, list | tuple):
        if mask is not None:
            raise MooseError(
                "expected a mask beside one padded tensor, but the inputs are a list, which brings its own"
            )
        found = _pad(given, individuals)
    else:
        values = as_tensor(given, "inputs")
        if values.ndim == 2 and individuals == 1:
            values = values.unsqueeze(1)
        found = ReadInputs(values, None if mask is None else as_tensor(mask, "the mask"))
    _check(found, individuals)
    return found


def as_tensor(given: object, what: str) -> Tensor:
    """Return a tensor of what is one, or can be made one: an array, a sparse matrix, a table, or AnnData's `.X`."""
    if isinstance(given, Tensor):
        return given.to_dense() if given.layout != torch.strided else given
    if hasattr(given, "X") and hasattr(given, "obs"):
        given = given.X
    if hasattr(given, "toarray"):
        given = given.toarray()
    if not hasattr(given, "__array__"):
        raise MooseError(f"expected {what} as a tensor or an array, but got {type(given).__name__}; {HOW}")
    array = np.asarray(given)
    if array.dtype.kind not in "fiub":
        raise MooseError(
            f"expected numbers in {what}, but got an array of {array.dtype}; turn words into numbers first"
        )
    if array.dtype.kind == "u" and array.dtype != np.uint8:
        array = array.astype(np.int64)
    return torch.from_numpy(np.array(array))  # a copy, which may be written to


def _pad(given: Sequence[object], individuals: int) -> ReadInputs:
    """Fill sequences up; a list for each example, or the sequence itself where one individual has an input."""
    flat = list[Tensor | None]()
    for row, example in enumerate(given):
        own = example if isinstance(example, list | tuple) else [example]
        if len(own) != individuals:
            raise MooseError(f"expected {individuals} sequences in example {row}, but got {len(own)}; {HOW}")
        flat += [None if one is None else as_tensor(one, f"a sequence of example {row}") for one in own]
    known = [one for one in flat if one is not None]
    if not known:
        raise MooseError(f"expected inputs, but the list has none; {HOW}")
    for one in known:
        if not one.ndim or one.shape[1:] != known[0].shape[1:]:
            wanted, came = tuple(known[0].shape[1:]), tuple(one.shape)
            raise MooseError(f"expected sequences of steps of shape {wanted}, as the first has, but got one of {came}")
    nothing = known[0][:0]
    if any(one is not None and not len(one) for one in flat):
        row = next(place for place, one in enumerate(flat) if one is not None and not len(one)) // individuals
        raise MooseError(f"expected a step at least of each sequence, but example {row} has one without; leave it out")
    sequences = [nothing if one is None else one.to(known[0].dtype) for one in flat]
    mask = pad_sequence([torch.ones(len(one), dtype=torch.bool) for one in sequences], batch_first=True)
    padded = pad_sequence(sequences, batch_first=True)
    return ReadInputs(*(torch.unflatten(one, 0, (len(given), individuals)) for one in (padded, mask)))


def _check(found: ReadInputs, individuals: int) -> None:
    values, mask = found
    if values.ndim < 3 or values.shape[1] != individuals:
        raise MooseError(
            f"expected inputs of shape (examples, {individuals} individuals, features), (examples, {individuals} "
            f"individuals, channels, height, width) or more of the kind, but got {tuple(values.shape)}"
        )
    if values.is_complex():
        raise MooseError(f"expected real numbers in inputs, but got {values.dtype}; give both parts as features")
    if values.is_floating_point() and not bool(values.isfinite().all()):
        row = int(torch.nonzero(~values.isfinite().flatten(1).all(1))[0])
        raise MooseError(
            f"expected finite numbers in inputs, but those of example {row} are not; fill in what is missing"
        )
    if mask is not None and (mask.dtype != torch.bool or mask.shape != values.shape[:3]):
        raise MooseError(
            f"expected a mask of booleans (example, individual, step) of shape {tuple(values.shape[:3])}, true where "
            f"there is a step, but got {mask.dtype} of {tuple(mask.shape)}"
        )
