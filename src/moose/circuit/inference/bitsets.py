"""Sets of atoms for every slot, a block of atoms at a time, so that the space does not grow with atoms × slots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.circuit.inference.executor import is_worth_compiling
from moose.circuit.inference.kernels import Bits

PLAIN_BLOCK = 4096
"""Atoms in a block of Python's long integers."""
WORDS = 8
"""Words of 64 bits for each slot of a compiled pass: what one line of the processor's cache holds."""


@dataclass(frozen=True, eq=False)
class Block:
    """Which atoms a block is about, and their bits at the slots where they begin."""

    start: int
    size: int
    width: int
    bits: Bits
    compiled: bool

    def members(self, slot: int) -> list[int]:
        """Return the positions whose bits are set at a slot."""
        words = [int(self.bits[slot * self.width + word]) for word in range(self.width)]
        whole = sum(word << 64 * index for index, word in enumerate(words))
        return [self.start + bit for bit in range(self.size) if whole >> bit & 1]


def blocks(diagram: Diagram, seeds: npt.NDArray[np.int64]) -> Iterator[Block]:
    """Yield blocks in which bit k is set at the slots `seeds[k]` (one row for each bit, any number of columns)."""
    compiled = is_worth_compiling(diagram.element_count)
    width = WORDS if compiled else 1
    most = 64 * width if compiled else PLAIN_BLOCK
    for start in range(0, len(seeds), most):
        rows = seeds[start : start + most]
        bits: Bits = np.zeros(diagram.slot_count * width, dtype=np.uint64) if compiled else [0] * diagram.slot_count
        for bit, slots in enumerate(rows.tolist()):
            word, position = divmod(bit, 64) if compiled else (0, bit)
            for slot in slots:
                bits[slot * width + word] = 1 << position
        yield Block(start, len(rows), width, bits, compiled)
