"""A graph that is too large for one example, taken apart: each example is two of its individuals.

The circuit of an example then has the roles of one pair, in both directions, and what is said of the two; it is
compiled once for all pairs. That is exact where axioms join roles of one pair with each other (inclusions, inverses,
disjoint roles) and with types that are known (domains, ranges). An axiom over three individuals, such as a chain, is
not seen in a pair by itself: what follows by it from known edges can be had from `moose.realise` beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples

Edges = npt.NDArray[np.int64]
Reals = npt.NDArray[np.floating]
Signs = npt.NDArray[np.int8]


def all_pairs(count: int) -> Edges:
    """Return every two of so many individuals, pair × 2, the smaller number first.

    >>> all_pairs(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return np.stack(np.triu_indices(count, 1), 1).astype(np.int64)


def pair_signs(pairs: Edges, edges: Edges, *, roles: int, others: int = 0) -> Signs:
    """Lay edges (first individual, role, second individual) out as pair × role × 2 × 2: +1 where there is one.

    `others` is what is said of the two directions elsewhere: 0 for nothing, -1 where all edges are listed. Of an
    individual with itself nothing is said.

    >>> pair_signs(np.array([[4, 7]]), np.array([[7, 0, 4]]), roles=1, others=-1).tolist()
    [[[[0, -1], [1, 0]]]]
    """
    signs = np.zeros((len(pairs), roles, 2, 2), np.int8)
    if not len(pairs):
        return signs
    size = int(max(pairs.max(), edges[:, [0, 2]].max(initial=0))) + 1
    is_there = np.zeros(size, bool)
    is_there[pairs] = True
    edges = edges[is_there[edges[:, [0, 2]]].all(1)]
    codes = np.unique((edges[:, 1] * size + edges[:, 0]) * size + edges[:, 2])
    numbers = np.arange(roles)[None, :]
    for first, second in ((0, 1), (1, 0)):
        wanted = (numbers * size + pairs[:, [first]]) * size + pairs[:, [second]]
        signs[:, :, first, second] = np.where(np.isin(wanted, codes), 1, others)
    return signs


def pair_examples(  # noqa: PLR0913  # as `Examples`, of which it fills the fields
    task: Task,
    pairs: Edges,
    inputs: Tensor,
    *,
    evidence: Tensor | None = None,
    role_evidence: Signs | None = None,
    role_truth: Signs | None = None,
    given: Sequence[str] = (),
) -> Examples:
    """Make an example of each pair; what is seen and known of an individual is given once, by its number.

    `inputs` is individual × whatever is seen of it, `evidence` int8, individual × concept as `task.concepts`; what is
    said of roles is pair × role × 2 × 2, as `pair_signs` lays it out.
    """
    _check(task, pairs, len(inputs))
    chosen = torch.from_numpy(pairs)
    if evidence is None:
        evidence = torch.zeros(len(inputs), len(task.concepts), dtype=torch.int8)
    if len(evidence) != len(inputs):
        raise MooseError(
            f"expected evidence of {len(inputs):,} individuals, as there are inputs, but got that of {len(evidence):,}"
        )
    known = evidence[chosen]
    return Examples(
        task,
        inputs[chosen],
        known,
        torch.zeros_like(known),
        allow_latent=True,
        role_evidence=None if role_evidence is None else torch.from_numpy(role_evidence),
        role_truth=None if role_truth is None else torch.from_numpy(role_truth),
        given=given,
    )


def pair_matrix(pairs: Edges, values: npt.NDArray[np.generic], count: int) -> Reals:
    """Put what is said of pairs, pair × role × 2 × 2, into role × individual × individual; NaN where nothing is.

    Of an individual with itself several examples may speak; the last one is heard.

    >>> pair_matrix(np.array([[0, 2]]), np.array([[[[0.1, 0.2], [0.3, 0.4]]]]), 3)[0, 0].tolist()
    [0.1, nan, 0.2]
    """
    whole = np.full((values.shape[1], count, count), np.nan)
    for first in (0, 1):
        for second in (0, 1):
            whole[:, pairs[:, first], pairs[:, second]] = values[:, :, first, second].T
    return whole


def _check(task: Task, pairs: Edges, count: int) -> None:
    if len(task.individuals) != 2:
        raise MooseError(
            f"expected a task of two individuals, as each example is a pair, but it has {len(task.individuals)}; "
            f"declare two names, such as x and y"
        )
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind != "i":
        raise MooseError(
            f"expected pairs as whole numbers of shape (pairs, 2), but got {pairs.dtype} of {pairs.shape}; "
            f"number the individuals as in inputs"
        )
    if len(pairs) and (pairs.min() < 0 or pairs.max() >= count):
        wrong = next(number for number in pairs.flatten().tolist() if not 0 <= number < count)
        raise MooseError(f"expected numbers below {count}, the individuals that have an input, but a pair has {wrong}")
