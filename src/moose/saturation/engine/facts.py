"""The facts of a finished saturation, for looking up: what is C below, what does it link to, what links to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from moose.owl.normal.normal_form import NormalForm
from moose.saturation.engine.arrays import Flags, Indices, Integers
from moose.saturation.engine.told_axioms import by_first


@dataclass(frozen=True, slots=True)
class Added:
    """A subsumption that a rule outside the kernel concluded; the kernel treats it as told."""

    rule: str
    sub: int
    sup: int
    axiom: int = -1


@dataclass(frozen=True)
class Facts:
    """Σ and Λ over concept numbers. Of an unsatisfiable concept, Σ holds what was derived, not all that follows."""

    form: NormalForm
    contexts: Indices
    concepts: Indices
    sources: Indices
    roles: Indices
    targets: Indices
    is_bottom: Flags
    is_started: Flags
    added: tuple[Added, ...]

    @cached_property
    def _subsumers(self) -> tuple[Integers, Indices]:
        rows = np.stack([self.contexts, self.concepts], axis=1)
        pointers, (concepts,) = by_first(len(self.form.kinds), rows[np.argsort(self.concepts, kind="stable")])
        return pointers, concepts

    @cached_property
    def _outgoing(self) -> tuple[Integers, Indices, Indices]:
        rows = np.stack([self.sources, self.roles, self.targets], axis=1)
        pointers, (roles, targets) = by_first(len(self.form.kinds), rows)
        return pointers, roles, targets

    def subsumers(self, concept: int) -> Indices:
        """Return the D for which C ⊑ D was derived, sorted."""
        pointers, concepts = self._subsumers
        return concepts[pointers[concept] : pointers[concept + 1]]

    def has(self, sub: int, sup: int) -> bool:
        """Return whether C ⊑ D was derived."""
        row = self.subsumers(sub)
        position = int(np.searchsorted(row, sup))
        return position < len(row) and bool(row[position] == sup)

    def links_from(self, source: int) -> tuple[Indices, Indices]:
        """Return the roles and targets of the links that leave C."""
        pointers, roles, targets = self._outgoing
        row = slice(pointers[source], pointers[source + 1])
        return roles[row], targets[row]

    def reachable(self, start: Indices) -> Flags:
        """Tell which concepts have an element wherever one of the starting ones has.

        Rnonempty-link
            C has an element    C → r → D
            ──────────────────────────────
                   D has an element
        """
        pointers, _, targets = self._outgoing
        flags = np.zeros(len(self.form.kinds), dtype=np.bool_)
        frontier = distinct(start)
        while len(frontier):
            flags[frontier] = True
            rows = [targets[pointers[source] : pointers[source + 1]] for source in frontier]
            frontier = np.concatenate(rows)
            frontier = distinct(frontier[~flags[frontier]])
        return flags


def distinct(numbers: Indices) -> Indices:
    """Return numbers sorted, each once; np.unique hashes, which takes many times as long on a hundred thousand."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered
