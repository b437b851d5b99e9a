"""The truth of concepts that are made of others, for all examples, elements and concepts of one shape at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import torch
from torch import Tensor

from moose.methods.ltn.fuzzy import conjunction
from moose.methods.theory.task_axioms import Conjunction, Existential, Told

Side = Literal["left", "right"]
"""Of an axiom; a Skolem witness stands only for what is promised on the right."""


class Block(NamedTuple):
    """Concepts of one shape whose parts have their columns already: C ⊓ D, or ∃R.C on one side."""

    side: Side | None
    """None for conjunctions."""
    first: Tensor
    """Columns of C, or roles."""
    second: Tensor
    """Columns of D, or of the fillers."""


class Exists(Protocol):
    """What ∃ means."""

    def __call__(self, truths: Tensor, block: Block) -> Tensor:
        """Return the truth of each ∃R.C: example × element × concept, as the truths that it is given."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Which columns hold what."""

    blocks: tuple[Block, ...]
    positions: dict[tuple[int, Side], int]

    def of(self, concepts: Iterable[int], side: Side) -> Tensor:
        """Return the columns of concepts."""
        return torch.tensor([self.positions[concept, side] for concept in concepts], dtype=torch.int64)

    def fill(self, truths: Tensor, exists: Exists) -> Tensor:
        """Extend the truth of the task's concepts, example × element × concept, by ⊤, ⊥ and all that are made of them.

        The truth of ∃ is found by a function, as it depends on what is known of roles.
        """
        one = torch.ones_like(truths[..., :1])
        filled = torch.cat([truths, one, torch.zeros_like(one)], -1)
        for block in self.blocks:
            if block.side is None:
                truths = conjunction(filled.index_select(-1, block.first), filled.index_select(-1, block.second))
            else:
                truths = exists(filled, block)
            filled = torch.cat([filled, truths], -1)
        return filled


def lay_out_columns(told: Told) -> Columns:
    """Order the concepts that axioms need, parts first, those of one shape together."""
    needed = dict[tuple[int, Side], int]()
    for sub, sup in told.inclusions:
        _visit(told, sub, "left", needed)
        _visit(told, sup, "right", needed)
    for _, concept in told.ranges:
        _visit(told, concept, "right", needed)
    positions = {key: key[0] for key, depth in needed.items() if depth == 0}
    shapes = dict[tuple[int, Side | None], list[tuple[int, Side]]]()
    for key, depth in needed.items():
        parts = told.parts(key[0])
        if parts is not None:
            shapes.setdefault((depth, key[1] if isinstance(parts, Existential) else None), []).append(key)
    blocks = list[Block]()
    start = told.bottom + 1
    for (_, side), keys in sorted(shapes.items(), key=lambda item: item[0][0]):
        rows = [_row(told, key, positions) for key in keys]
        blocks.append(Block(side, *torch.tensor(rows, dtype=torch.int64).T.contiguous()))
        positions |= {key: start + position for position, key in enumerate(keys)}
        start += len(keys)
    return Columns(tuple(blocks), positions)


def _visit(told: Told, concept: int, side: Side, needed: dict[tuple[int, Side], int]) -> int:
    """Note a concept and its parts with their depth, which is returned."""
    if (concept, side) not in needed:
        depth = 0
        match told.parts(concept):
            case Conjunction(first, second):
                depth = 1 + max(_visit(told, part, side, needed) for part in (first, second))
            case Existential(_, filler):
                depth = 1 + _visit(told, filler, side, needed)
        needed[concept, side] = depth
    return needed[concept, side]


def _row(told: Told, key: tuple[int, Side], positions: dict[tuple[int, Side], int]) -> tuple[int, int]:
    concept, side = key
    parts = told.parts(concept)
    assert parts is not None
    if isinstance(parts, Existential):
        return parts.role, positions[parts.filler, side]
    return positions[parts.first, side], positions[parts.second, side]
