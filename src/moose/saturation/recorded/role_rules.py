"""The completion rules about roles: inclusions, ranges, chains, and the values of functional properties.

Inclusions and ranges are premises where they are uncertain (`RoleFacts`, which needs a `Recorder`). What puts links
together (`LinkRules`) are rules of `moose.saturation.recorded.calculus`, which calls them with each new C → r → D; what
they need of it is `Links`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.recorded.rule_instance import Arrow, Below, Fact, Sub
from moose.saturation.recorded.told_index import Composition, ToldIndex

# ── Inclusions and ranges ──


class Recorder(Protocol):
    """Where rule instances are kept."""

    form: NormalForm
    uncertain: frozenset[int]
    index: ToldIndex

    def position(self, fact: Fact) -> int:
        """Number a fact."""
        ...

    def conclude(self, rule: str, head: Fact, *premises: int, axioms: tuple[int, ...] = ()) -> int:
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
        index = self._calculus.index
        role, filler = index.first[some], index.second[some]
        if not self._has_uncertain_ranges or index.kinds[filler] is Kind.VALUES:
            return int(self._calculus.form.some_target[some])
        if role not in index.ranges:
            return filler
        context = self._fillers.setdefault((role, filler), len(index.kinds) + len(self._fillers))
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


# ── Links ──


class Links(Protocol):
    """The possible facts so far, by what rules about links have in hand, and where their conclusions go."""

    index: ToldIndex
    roles: RoleFacts
    outgoing: defaultdict[int, list[tuple[int, int, int]]]
    incoming: defaultdict[int, list[tuple[int, int, int]]]

    def position(self, fact: Fact) -> int:
        """Number a fact."""
        ...

    def is_derived(self, fact: tuple[int, ...]) -> bool:
        """Return whether a fact needs no further instance."""
        ...

    def kind(self, context: int) -> Kind:
        """Return what a context is."""
        ...

    def conclude(
        self,
        rule: str,
        head: Fact,
        *premises: int,
        axioms: tuple[int, ...] = (),
        below: tuple[int, ...] = (),
        details: tuple[int, ...] = (),
    ) -> int:
        """Keep a rule instance; return the number of its conclusion."""
        ...


class LinkRules:
    """The links that are there without their role being transitive, and what links lead to together."""

    def __init__(self, calculus: Links, *, are_paths_one_way: bool) -> None:
        self._calculus = calculus
        self._are_paths_one_way = are_paths_one_way
        self._first_steps: set[int] = set()
        self.listed: set[int] = set()
        """The links that are listed where they leave: their turn has come."""

    def chains(self, source: int, role: int, target: int, position: int) -> None:
        """Rrchain

        C → r → D    D → t → E    r ∘ t ⊑ s
        ────────────────────────────────────
                     C → s → E
        """
        compositions = self._calculus.index.compositions
        if not compositions:
            return
        self.compose_onward(source, role, target, position)
        for start, first_role, before in list(self._calculus.incoming[source]):
            roles = (first_role, role)
            if roles in compositions:
                for one in compositions[roles]:
                    self.compose((start, target), (before, position), one, roles)

    def compose_onward(self, source: int, role: int, target: int, position: int) -> None:
        """Compose a link with all that follow it."""
        compositions = self._calculus.index.compositions
        for next_role, end, onward in list(self._calculus.outgoing[target]):
            roles = (role, next_role)
            if roles in compositions:
                for one in compositions[roles]:
                    self.compose((source, end), (position, onward), one, roles)

    def compose(
        self, ends: tuple[int, int], premises: tuple[int, int], chain: Composition, roles: tuple[int, int]
    ) -> None:
        """Keep an instance of Rrchain, with the role inclusions up to the chain as told among its premises.

        A link that was derived, where that is enough, needs no further instance; it may still become a first step.
        """
        left, right, result, axiom = chain
        is_transitive = left == right == result
        if self._are_paths_one_way and is_transitive and roles[0] == left and premises[0] not in self._first_steps:
            return
        head = Arrow(ends[0], result, ends[1])
        if self._calculus.is_derived(head):
            is_first = is_transitive or not self._are_paths_one_way
            if is_first or self._calculus.position(head) in self._first_steps:
                return
        below = () if roles == (left, right) else self._below(roles, (left, right))
        keep = self._calculus.conclude if is_transitive else self.first_step
        keep("Rrchain", head, *premises, below=below, axioms=(axiom,), details=(left, right))

    def _below(self, roles: tuple[int, int], told: tuple[int, int]) -> tuple[int, ...]:
        """Return the premises that two roles are below two others."""
        below = self._calculus.roles.below
        return (*below(roles[0], told[0]), *below(roles[1], told[1]))

    def first_step(
        self,
        rule: str,
        head: Arrow,
        *premises: int,
        axioms: tuple[int, ...] = (),
        below: tuple[int, ...] = (),
        details: tuple[int, ...] = (),
    ) -> None:
        """Conclude a link that is there without its role being transitive; compose it if its turn has come and gone."""
        position = self._calculus.conclude(rule, head, *premises, axioms=axioms, below=below, details=details)
        if self._are_paths_one_way and position not in self._first_steps:
            self._first_steps.add(position)
            if position in self.listed:
                self.compose_onward(*head, position)

    def functional(self, source: int, role: int, target: int, position: int) -> None:
        """Rfunctional: the values of a functional property are one

        C → d → D    C → e → E    d, e ⊑* f    f is told functional
        ────────────────────────────────────────────────────────────
                     C → d → D ⊓ E
        """
        if self._calculus.kind(target) != Kind.VALUES:
            return
        for other_role, other, before in list(self._calculus.outgoing[source]):
            if other == target:
                continue
            for above, axiom in self._calculus.index.functional_above(role, other_role):
                below = (*self._calculus.roles.below(role, above), *self._calculus.roles.below(other_role, above))
                for both in self._calculus.index.shared(target, other):
                    for result, premises in ((role, (position, before)), (other_role, (before, position))):
                        head = Arrow(source, result, both)
                        self._calculus.conclude("Rfunctional", head, *premises, below=below, axioms=(axiom,))
