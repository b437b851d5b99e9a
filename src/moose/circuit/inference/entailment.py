"""What holds in every model, without any arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.circuit.inference.bitsets import blocks
from moose.circuit.inference.executor import loop, run, wiring

Marks = npt.NDArray[np.int64]


def possible_slots(diagram: Diagram, evidence: Mapping[int, bool]) -> Marks:
    """Mark the slots that have a model which agrees with the evidence."""
    possible = np.zeros(diagram.slot_count, dtype=np.int64)
    possible[: diagram.true + 1] = 1
    for atom, truth in evidence.items():
        possible[atom + (diagram.atom_count if truth else 0)] = 0
    run(diagram, "satisfy", possible)
    return possible


def is_satisfiable(diagram: Diagram, evidence: Mapping[int, bool]) -> bool:
    """Return whether some model agrees with the evidence."""
    return bool(possible_slots(diagram, evidence)[diagram.root])


def is_entailed(diagram: Diagram, atom: int, truth: bool, evidence: Mapping[int, bool]) -> bool:
    """Return whether an atom has this value in every model: no model is left when it has the other.

    Paper, the entailment query: WMC(α; w_½, e ∪ {C(a) := false}) = 0.
    """
    if atom in evidence:
        return evidence[atom] == truth or not is_satisfiable(diagram, evidence)
    return not is_satisfiable(diagram, {**evidence, atom: not truth})


def entailed_atoms(diagram: Diagram, evidence: Mapping[int, bool]) -> dict[int, bool] | None:
    """Return every atom that has one value in all models, with that value; none if there is no model.

    An atom is a candidate if the models use one of its literals and not the other; it is entailed if they all use it,
    as otherwise it is free in some.
    """
    possible = possible_slots(diagram, evidence)
    if not possible[diagram.root]:
        return None
    used = np.zeros(diagram.slot_count, dtype=np.int64)
    used[diagram.root] = 1
    run(diagram, "reach", possible, used)
    count = diagram.atom_count
    literals = np.flatnonzero(used[:count] != used[count : 2 * count])
    candidates = np.array([k + count * used[count + k] for k in literals.tolist() if k not in evidence], dtype=np.int64)
    certain = dict(evidence)
    for block in blocks(diagram, candidates.reshape(-1, 1)):
        marks = possible if block.compiled else possible.tolist()
        wires = wiring(diagram, compiled=block.compiled)
        loop("agree", compiled=block.compiled)(wires, marks, block.width, block.bits)
        for index in block.members(diagram.root):
            slot = int(candidates[index])
            certain[slot % count] = slot < count
    return {atom: certain[atom] for atom in sorted(certain)}
