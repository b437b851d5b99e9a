"""Check that a diagram is what inference takes it for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moose.base.errors import MooseError
from moose.circuit.checks.determinism import check_determinism
from moose.circuit.diagram import Diagram
from moose.circuit.inference.bitsets import blocks
from moose.circuit.inference.executor import loop, wiring


@dataclass(frozen=True, slots=True)
class Report:
    """What a diagram is. It answers right if it is decomposable and deterministic; smooth it need not be."""

    is_decomposable: bool
    is_deterministic: bool
    is_smooth: bool
    pairs: int
    """Pairs of elements of one decision, which must exclude each other."""
    proved: int
    """Pairs that were proved to; fewer than `pairs` where those were too many, so that only a sample was tried."""
    faults: tuple[str, ...]
    """A sentence for each property that it lacks."""

    @property
    def is_exact(self) -> bool:
        """Whether determinism was settled, and not only sampled."""
        return self.proved == self.pairs or not self.is_deterministic


def check_diagram(diagram: Diagram, *, seed: int = 0) -> Report:
    """Check every property: order, decomposability and smoothness exactly, determinism as far as its budget goes.

    The seed chooses which pairs of elements are tried where there are too many.

    >>> nothing = np.zeros(0, np.int32)
    >>> check_diagram(Diagram(2, np.zeros(1, np.int64), nothing, nothing, root=0)).faults
    ('not smooth: the root does not mention every atom',)
    """
    check_order(diagram)
    shared, uneven, is_whole = check_scopes(diagram)
    faults = []
    if shared is not None:
        faults.append(f"not decomposable: the two sides of element {shared} share an atom")
    if uneven is not None:
        faults.append(f"not smooth: the elements of decision {uneven} mention different atoms")
    elif not is_whole:
        faults.append("not smooth: the root does not mention every atom")
    determinism = check_determinism(diagram, seed)
    if determinism.overlap is not None:
        faults.append("not deterministic: elements {} and {} have a common model".format(*determinism.overlap))
    return Report(
        is_decomposable=shared is None,
        is_deterministic=determinism.overlap is None,
        is_smooth=uneven is None and is_whole,
        pairs=determinism.pairs,
        proved=determinism.proved,
        faults=tuple(faults),
    )


def check_order(diagram: Diagram) -> None:
    """Raise unless the arrays fit together and every decision stands above what it uses."""
    if len(diagram.primes) != len(diagram.subs) or diagram.starts[0] != 0 or diagram.starts[-1] != len(diagram.primes):
        raise MooseError(
            "the arrays of the diagram do not fit together: starts must lead from 0 to the number of elements"
        )
    sizes = np.diff(diagram.starts)
    if np.any(sizes <= 0):
        raise MooseError(
            f"decision {int(np.argmax(sizes <= 0))} of the diagram has no elements; it must have one or more"
        )
    own = np.repeat(np.arange(diagram.decision_count), sizes) + diagram.first_decision
    for side in (diagram.primes, diagram.subs):
        wrong = (side < 0) | (side >= own)
        if np.any(wrong):
            element = int(np.argmax(wrong))
            raise MooseError(
                f"element {element} of the diagram uses slot {side[element]}, which must stand below {own[element]}"
            )
    if not 0 <= diagram.root < diagram.slot_count:
        raise MooseError(
            f"the root of the diagram must be one of its {diagram.slot_count} slots, but is {diagram.root}"
        )


def check_scopes(diagram: Diagram) -> tuple[int | None, int | None, bool]:
    """Return an element whose sides share an atom, a decision that is not smooth, and whether the root mentions all.

    Atoms are taken a block at a time (512 in compiled passes), so that space grows with slots only: exact for 100,000
    atoms too, in as many passes as there are blocks.
    """
    atoms = np.arange(diagram.atom_count, dtype=np.int64)
    faults = np.zeros(2, dtype=np.int64)
    is_whole = diagram.root != diagram.true or diagram.atom_count == 0
    for block in blocks(diagram, np.stack([atoms, atoms + diagram.atom_count], axis=1)):
        wires = wiring(diagram, compiled=block.compiled)
        loop("gather", compiled=block.compiled)(wires, block.width, block.bits, faults)
        is_whole = is_whole and (diagram.root == diagram.false or len(block.members(diagram.root)) == block.size)
    shared, uneven = (int(fault) - 1 if fault else None for fault in faults)
    return shared, uneven, is_whole
