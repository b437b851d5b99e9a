"""Exact samples of the models, in proportion to their weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.circuit.evaluate import normalised
from moose.circuit.executor import is_worth_compiling, loop, run, wiring
from moose.circuit.kernels import Integers, Reals
from moose.circuit.marginals import element_shares
from moose.circuit.weights import LiteralWeights

Flags = npt.NDArray[np.bool_]


def draw_models(diagram: Diagram, weights: LiteralWeights, count: int, seed: int) -> Flags | None:
    """Draw so many models (count × atoms); none if the whole weighs nothing.

    From the root down, each decision chooses one of its elements by their shares; an atom that the choices leave free
    is drawn from its prior. The same seed gives the same samples, compiled or not.
    """
    normal = normalised(weights)
    shares = None if normal is None else element_shares(diagram, normal[0])
    if normal is None or shares is None:
        return None
    for_choices, for_free = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2))
    priors = np.array([float(weight) for weight in normal[0].positive])
    samples = np.empty((count, diagram.atom_count), dtype=np.bool_)
    for row, literals in enumerate(_choices(diagram, shares, count, for_choices)):
        samples[row] = for_free.random(diagram.atom_count) < priors
        samples[row, literals % diagram.atom_count] = literals < diagram.atom_count
    return samples


def _choices(
    diagram: Diagram, shares: npt.NDArray[np.float64], count: int, generator: np.random.Generator
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield for each sample the literals that its choices lead to."""
    visits = np.zeros(diagram.slot_count, dtype=np.int64)
    run(diagram, "measure", visits)
    most = int(visits[diagram.root])
    compiled = is_worth_compiling(count * most)
    draw = cast(Callable[..., int], loop("draw", compiled=compiled))
    wires = wiring(diagram, compiled=compiled)
    parts: Reals = shares if compiled else shares.tolist()
    stack: Integers = np.zeros(most + 2, dtype=np.int64) if compiled else [0] * (most + 2)
    used: Integers = np.zeros(diagram.atom_count, dtype=np.int64) if compiled else [0] * diagram.atom_count
    for _ in range(count):
        uniforms = generator.random(most)
        stack[0] = diagram.root
        found = draw(wires, parts, uniforms if compiled else uniforms.tolist(), stack, used)
        yield np.array(used[:found], dtype=np.int64)
