"""The models of a diagram: one by one, and exact samples in proportion to their weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import cast

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.circuit.inference.entailment import possible_slots
from moose.circuit.inference.evaluate import normalised
from moose.circuit.inference.executor import as_lists, is_worth_compiling, loop, run, wiring
from moose.circuit.inference.kernels import Integers, Reals
from moose.circuit.inference.marginals import element_shares
from moose.circuit.inference.weights import LiteralWeights

Thread = tuple[int, "Thread"] | None
"""A list that branches share: its last member and the rest."""


def list_models(diagram: Diagram, evidence: Mapping[int, bool]) -> Iterator[list[bool]]:
    """Yield the models that agree with the evidence, in the order of the diagram's elements, each once.

    Only elements that have a model are entered, so every branch ends in one; free atoms count up from all false.
    """
    possible = possible_slots(diagram, evidence).tolist()
    if not possible[diagram.root]:
        return
    for literals in _choices(diagram, possible):
        yield from _completions(diagram.atom_count, literals, evidence)


def _choices(diagram: Diagram, possible: Sequence[int]) -> Iterator[list[int]]:
    """Yield the literals under each choice of one possible element in every decision that is reached."""
    starts, primes, subs = as_lists(diagram)
    branches: list[tuple[Thread, Thread]] = [((diagram.root, None), None)]
    while branches:
        agenda, chosen = branches.pop()
        while agenda is not None:
            slot, agenda = agenda
            if slot < diagram.true:
                chosen = (slot, chosen)
            elif slot >= diagram.first_decision:
                decision = slot - diagram.first_decision
                elements = [
                    element
                    for element in range(starts[decision], starts[decision + 1])
                    if possible[primes[element]] and possible[subs[element]]
                ]
                branches += [((primes[other], (subs[other], agenda)), chosen) for other in reversed(elements[1:])]
                agenda = (primes[elements[0]], (subs[elements[0]], agenda))
        literals = []
        while chosen is not None:
            literals.append(chosen[0])
            chosen = chosen[1]
        yield literals


def _completions(atom_count: int, literals: Sequence[int], evidence: Mapping[int, bool]) -> Iterator[list[bool]]:
    world = [False] * atom_count
    bound = dict(evidence) | {slot % atom_count: slot < atom_count for slot in literals}
    for atom, truth in bound.items():
        world[atom] = truth
    free = [atom for atom in range(atom_count) if atom not in bound]
    for values in product((False, True), repeat=len(free)):
        for atom, truth in zip(free, values):
            world[atom] = truth
        yield list(world)


Flags = npt.NDArray[np.bool_]


def draw_models(diagram: Diagram, weights: LiteralWeights, count: int, seed: int) -> Flags | None:
    """Draw `count` models (count × atoms); none if the whole weighs nothing.

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
    for row, literals in enumerate(_drawn_literals(diagram, shares, count, for_choices)):
        samples[row] = for_free.random(diagram.atom_count) < priors
        samples[row, literals % diagram.atom_count] = literals < diagram.atom_count
    return samples


def _drawn_literals(
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
        literal_count = draw(wires, parts, uniforms if compiled else uniforms.tolist(), stack, used)
        yield np.array(used[:literal_count], dtype=np.int64)
