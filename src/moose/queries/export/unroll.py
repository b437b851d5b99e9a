"""Stage 4: acyclic definitions, by time-stamped copies of the atoms that depend on themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from moose.queries.export.clark import Body, Completion


class Variable(NamedTuple):
    """The variable x_h of an atom h, or its copy x_h^(t)."""

    atom: int
    time: int | None = None


Conjunction = frozenset[Variable]


@dataclass(frozen=True)
class Definitions:
    """Each variable as a disjunction of conjunctions of axioms and of variables defined before it."""

    bodies: Mapping[Variable, tuple[Conjunction, ...]]
    axioms: tuple[int, ...]

    @property
    def copies(self) -> int:
        """How many of the variables are time-stamped copies."""
        return sum(variable.time is not None for variable in self.bodies)


def unroll(completion: Completion, components: Iterable[Sequence[int]]) -> Definitions:
    """Define atoms of trivial components by their biconditionals, the others through T = |S| steps from all false."""
    definitions: dict[Variable, tuple[Conjunction, ...]] = {}
    for component in components:
        if completion.is_trivial(component):
            atom = component[0]
            definitions[Variable(atom)] = tuple(plain(body) for body in completion.bodies[atom])
        else:
            definitions.update(unrolled(completion, component))
    return Definitions(definitions, completion.axioms)


def plain(body: Body) -> Conjunction:
    """Read a body over the plain variables."""
    return frozenset(Variable(atom) for atom in body)


def unrolled(completion: Completion, component: Sequence[int]) -> Iterator[tuple[Variable, tuple[Conjunction, ...]]]:
    """Yield the definitions of the copies of one component, then of its atoms; copies that are false stay unwritten.

        x_h^(0)   ↔ ⊥                                                      eq:unroll-base
        x_h^(t+1) ↔ x_h^(t) ∨ ⋁ⱼ ⋀ { x_b^(t) : b ∈ bodyⱼ(h) }              eq:unroll-step
        x_h       ↔ x_h^(T)                                                eq:unroll-final

    Atoms of other components stand in the bodies as they are: they are defined already.
    """
    inside = frozenset(component)
    possible: frozenset[int] = frozenset()
    for time in range(len(component)):
        reached = set(possible)
        for atom in component:
            bodies = [stamped(body, inside, time) for body in completion.bodies[atom] if body & inside <= possible]
            if atom in possible:
                bodies.insert(0, frozenset([Variable(atom, time)]))
            if bodies:
                reached.add(atom)
                yield Variable(atom, time + 1), tuple(bodies)
        possible = frozenset(reached)
    last = len(component)
    for atom in component:
        yield Variable(atom), (frozenset([Variable(atom, last)]),) if atom in possible else ()


def stamped(body: Body, inside: frozenset[int], time: int) -> Conjunction:
    """Read a body over the copies of one time, where its atoms have any."""
    return frozenset(Variable(atom, time if atom in inside else None) for atom in body)


def cost(completion: Completion, components: Iterable[Sequence[int]]) -> int:
    """Bound the literals that unrolling writes, before it does."""
    total = 0
    for component in components:
        steps = 1 if completion.is_trivial(component) else len(component)
        total += steps * sum(1 + len(body) for atom in component for body in completion.bodies[atom])
    return total
