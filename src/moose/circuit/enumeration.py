"""The models one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from moose.circuit.diagram import Diagram
from moose.circuit.entailment import possible_slots
from moose.circuit.executor import as_lists

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
