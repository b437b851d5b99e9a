"""Stage 2: Clark completion of the recorded rule instances (the paper's equation `eq:clark`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from moose.base.graphs import strong_components
from moose.queries.program.program import GOAL
from moose.saturation.recorded.horn import HornClause

Body = frozenset[int]


@dataclass(frozen=True)
class Completion:
    """One biconditional for each derived atom; the other atoms are the axiom variables α, which are free."""

    bodies: Mapping[int, tuple[Body, ...]]
    """h ↔ body₁ ∨ … ∨ bodyₖ; no body at all makes h false, an empty one makes it true."""
    axioms: tuple[int, ...]
    """The axiom variables that occur, sorted."""

    def dependencies(self, atom: int) -> Iterator[int]:
        """Yield the derived atoms that an atom is defined by."""
        for body in self.bodies[atom]:
            yield from (other for other in sorted(body) if other in self.bodies)

    def components(self) -> list[list[int]]:
        """Stage 3: return the strong components of the derived atoms, what is depended on first."""
        return list(strong_components(sorted(self.bodies), self.dependencies))

    def is_trivial(self, component: Sequence[int]) -> bool:
        """Return whether a component is one atom that does not depend on itself."""
        return len(component) == 1 and component[0] not in self.dependencies(component[0])


def complete(clauses: Iterable[HornClause], axioms: Iterable[int]) -> Completion:
    """Replace the clauses that define an atom by a biconditional; the goal is defined whether or not it has any.

        h ↔ body₁ ∨ body₂ ∨ … ∨ bodyₖ                                             eq:clark

    >>> completion = complete([(frozenset({1, 2}), GOAL), (frozenset({3}), GOAL)], axioms=[1, 2, 3])
    >>> completion.bodies
    {-1: (frozenset({1, 2}), frozenset({3}))}
    """
    free = frozenset(axioms)
    bodies: dict[int, dict[Body, None]] = {GOAL: {}}
    for body, head in clauses:
        assert head not in free, "an axiom variable is defined by nothing"
        bodies.setdefault(head, {})[body] = None
        for atom in body - free:
            bodies.setdefault(atom, {})
    used = frozenset().union(*(body for alternatives in bodies.values() for body in alternatives)) & free
    return Completion({atom: tuple(alternatives) for atom, alternatives in sorted(bodies.items())}, tuple(sorted(used)))
