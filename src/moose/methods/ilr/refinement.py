"""Iterative local refinement: change truth values as little as it takes until every clause is true.

From Daniele, van Krieken, Serafini and van Harmelen 2023, "Refining neural network predictions using background
knowledge", Machine Learning 112. A clause ℓ₁ ∨ … ∨ ℓₙ has the truth S(t) of a t-conorm; its minimal refinement towards
a target s is the closest vector whose truth is s:

    Gödel         S = max tᵢ              the largest tᵢ becomes s                               (least in every norm)
    product       S = 1 - Π (1 - tᵢ)      the largest tᵢ becomes 1 - (1 - tᵢ)·(1 - s)/(1 - S)    (least sum of changes)
    Łukasiewicz   S = min(1, Σ tᵢ)        every tᵢ rises by (s - S)/n                            (least squares)

The conjunction of all clauses is true only where each of them is, in all three logics, so that the target of each is 1.
One step moves every clause by the share α of its way there, s = S + α·(1 - S). A literal of several clauses, of which
some want more and some less, makes the largest of the changes that it is asked for. Then comes the next step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor

Logic = Literal["godel", "product", "lukasiewicz"]
LOGICS: tuple[Logic, ...] = ("godel", "product", "lukasiewicz")


class Refinement(NamedTuple):
    """How truth values are refined."""

    logic: Logic = "godel"
    steps: int = 10
    """How many times all clauses are refined."""
    share: float = 1.0
    """α"""


TINY = 1e-12
"""Below this a clause is true, and nothing is divided by how false it is."""


@dataclass(frozen=True, eq=False)
class ClauseTable:
    """Clauses as a matrix of literals: 2·atom for an atom, 2·atom + 1 for its negation, and a false one to fill up."""

    literals: Tensor
    """int64, clause × literal."""
    atoms: int

    @property
    def is_literal(self) -> Tensor:
        """Which entries are literals of the clause, not filling."""
        return self.literals < 2 * self.atoms


def clause_table(clauses: Sequence[Sequence[int]], atoms: int) -> ClauseTable:
    """Lay out clauses whose literals are k + 1 for atom k and -(k + 1) for its negation.

    >>> clause_table([(-1, 2), (3,)], 3).literals.tolist()
    [[1, 2], [4, 6]]
    """
    width = max((len(clause) for clause in clauses), default=0)
    rows = [[2 * (abs(one) - 1) + (one < 0) for one in clause] for clause in clauses]
    padded = [[*row, *[2 * atoms] * (width - len(row))] for row in rows]
    return ClauseTable(torch.tensor(padded, dtype=torch.int64).reshape(len(rows), width), atoms)


def refine(truths: Tensor, held: Tensor, table: ClauseTable, how: Refinement) -> Tensor:
    """Return truth values after some steps: example × atom, as they came; those that are held stay as they are.

    >>> table = clause_table([(-1, 2)], 2)  # the first atom implies the second
    >>> truths, held = torch.tensor([[0.9, 0.4]]), torch.tensor([[True, False]])
    >>> [round(one, 2) for one in refine(truths, ~held, table, Refinement(steps=1))[0].tolist()]
    [0.0, 0.4]
    """
    can_change = ~held
    for _ in range(how.steps if len(table.literals) else 0):
        truths = truths + change(truths, can_change, table, how)
    return truths


def change(truths: Tensor, can_change: Tensor, table: ClauseTable, how: Refinement) -> Tensor:
    """Return what one step adds to each atom: the largest of the changes that clauses ask for."""
    values, free = literal_values(truths, can_change, table)
    asked = raises(values, free & table.is_literal, how.logic, how.share)
    most = _largest_by_literal(asked, table).unflatten(1, (table.atoms, 2))
    up, down = most.unbind(-1)
    return torch.where(up >= down, up, -down)


def literal_values(truths: Tensor, can_change: Tensor, table: ClauseTable) -> tuple[Tensor, Tensor]:
    """Return the truth of each literal of each clause, and whether it may change: example × clause × literal."""
    both = torch.stack([truths, 1 - truths], -1).flatten(1)
    both = torch.cat([both, both.new_zeros(len(both), 1)], 1)
    free = torch.cat([can_change.repeat_interleave(2, 1), can_change.new_zeros(len(can_change), 1)], 1)
    flat = table.literals.flatten()
    shape = table.literals.shape
    return both.index_select(1, flat).unflatten(1, shape), free.index_select(1, flat).unflatten(1, shape)


def raises(values: Tensor, free: Tensor, logic: Logic, share: float) -> Tensor:
    """Return by how much each literal of each clause is to rise; what is held has no part in it."""
    if logic == "lukasiewicz":
        missing = torch.relu(1 - values.sum(-1, keepdim=True))
        return torch.where(free, share * missing / free.sum(-1, keepdim=True).clamp_min(1), 0.0)
    falsity = 1 - values
    if logic == "godel":
        truth = values.amax(-1, keepdim=True)
        missing = 1 - truth
        rise = truth + share * missing - values
    else:
        # 1 - (1 - t)·(1 - s)/(1 - S) - t with 1 - s = (1 - share)·(1 - S)
        missing = falsity.prod(-1, keepdim=True)
        rise = share * falsity
    largest = torch.where(free, values, -1.0).argmax(-1, keepdim=True)
    is_chosen = torch.zeros_like(free).scatter_(-1, largest, True) & free & (missing > TINY)
    return torch.where(is_chosen, torch.relu(rise), 0.0)


def _largest_by_literal(asked: Tensor, table: ClauseTable) -> Tensor:
    """Return the largest rise that any clause asks of each literal: example × literal."""
    rows = asked.new_zeros(len(asked), 2 * table.atoms + 1)
    where = table.literals.flatten().expand(len(asked), -1)
    return rows.scatter_reduce(1, where, asked.flatten(1), "amax")[:, :-1]


def satisfied(truths: Tensor, table: ClauseTable, *, threshold: float = 0.5) -> Tensor:
    """Return the share of clauses with a literal above a threshold, of none all: one number for each example."""
    if not len(table.literals):
        return truths.new_ones(len(truths))
    values, _ = literal_values(truths, torch.ones_like(truths, dtype=torch.bool), table)
    return (values > threshold).any(-1).to(truths.dtype).mean(-1)
