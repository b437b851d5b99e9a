"""Role inclusions and ranges as premises, for when they are uncertain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.recorded.rule_instance import Below, Fact, Sub
from moose.saturation.recorded.told_index import ToldIndex


class Recorder(Protocol):
    """Where rule instances are kept."""

    form: NormalForm
    uncertain: frozenset[int]
    index: ToldIndex

    def position(self, fact: Fact) -> int:
        """Number a fact."""
        ...

    def conclude(self, rule: str, head: Fact, *premises: int, axioms: tuple[int, ...] = ()) -> None:
        """Keep a rule instance."""
        ...


class RoleFacts:
    """What follows from role axioms, with the premises that uncertain ones among them are."""

    def __init__(self, calculus: Recorder) -> None:
        self._calculus = calculus
        form = calculus.form
        inclusions = form.inclusions.rows.tolist()
        ranges = {axiom for _, _, axiom in form.ranges.rows.tolist()}
        self._above: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for role, above, axiom in inclusions:
            self._above[role].append((above, axiom))
        self._has_uncertain_inclusions = any(axiom in calculus.uncertain for _, _, axiom in inclusions)
        self._has_uncertain_ranges = bool(ranges) and (
            self._has_uncertain_inclusions or not calculus.uncertain.isdisjoint(ranges)
        )
        self._known: dict[tuple[int, int], tuple[int, ...]] = {}
        self._fillers: dict[tuple[int, int], int] = {}
        self._filler_of: dict[int, tuple[int, int]] = {}

    def below(self, role: int, above: int) -> tuple[int, ...]:
        """Return the premise that r ⊑* s, which holds if all axioms do; none where it is certain."""
        if role == above or not self._has_uncertain_inclusions:
            return ()
        if (role, above) not in self._known:
            self._climb(role)
        return self._known[role, above]

    def _climb(self, role: int) -> None:
        """Rrinc

        r ⊑* s    s ⊑ t is told
        ────────────────────────
                r ⊑* t
        """
        calculus, form = self._calculus, self._calculus.form
        for above in np.flatnonzero(form.is_subrole[role]).tolist():
            self._known[role, above] = () if above == role else (calculus.position(Below(role, above)),)
        for middle in np.flatnonzero(form.is_subrole[role]).tolist():
            for above, axiom in self._above[middle]:
                if above != role:
                    calculus.conclude("Rrole", Below(role, above), *self._known[role, middle], axioms=(axiom,))

    def target(self, some: int) -> int:
        """Return the context that ∃r.D leads to: D and the ranges of r, a context apart where these are uncertain."""
        form = self._calculus.form
        role, filler = int(form.first[some]), int(form.second[some])
        if not self._has_uncertain_ranges or form.kinds[filler] == Kind.VALUES:
            return int(form.some_target[some])
        if not self._calculus.index.ranges[role]:
            return filler
        context = self._fillers.setdefault((role, filler), len(form.kinds) + len(self._fillers))
        self._filler_of[context] = (role, filler)
        return context

    def filler(self, context: int) -> tuple[int, int] | None:
        """Return the r and D of a context apart, "r-filler D"; none for a concept of the normal form."""
        return self._filler_of.get(context)

    def unfold(
        self, context: int, concept: int, position: int
    ) -> Iterator[tuple[Sub, tuple[int, ...], tuple[int, ...]]]:
        """Yield, with their premises and axioms, what being a filler says: D, and each range of r.

        C is an r-filler D          C is an r-filler D    r ⊑* s    range(s) ⊑ E is told
        ──────────────────          ─────────────────────────────────────────────────────
              C ⊑ D                                       C ⊑ E
        """
        if concept not in self._filler_of:
            return
        role, filler = self._filler_of[concept]
        yield Sub(context, filler), (position,), ()
        for above, concept_in_range, axiom in self._calculus.index.ranges[role]:
            yield Sub(context, concept_in_range), (position, *self.below(role, above)), (axiom,)
