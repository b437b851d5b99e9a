"""Case distinction: what holds of C with each member of a union that C is below holds of C.

The rule of `moose.saturation.recorded.calculus` for unions, which calls it with each new C ⊑ D; what it needs of the
calculus is `Cases`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from moose.owl.normal.normal_form import BOTTOM, NormalForm, Union
from moose.saturation.recorded.rule_instance import Fact, Sub
from moose.saturation.recorded.told_index import ToldIndex


@dataclass(frozen=True, eq=False)
class Split:
    """C, that it is below the left-hand side of a union (by position), its cases C ⊓ Dᵢ, and the axiom."""

    context: int
    position: int
    parts: tuple[int, ...]
    axiom: int
    counts: Counter[int] = field(default_factory=Counter)
    """Of how many different cases something is known: only what is known of all that may be is looked at."""

    @cached_property
    def size(self) -> int:
        """Return how many different cases there are."""
        return len(set(self.parts))

    def may_be_shared(self, concept: int) -> bool:
        """Return whether all cases may be below a concept, or impossible."""
        return self.counts[concept] + self.counts[BOTTOM] >= self.size


class Cases(Protocol):
    """The possible facts so far, by what case distinction has in hand, and where its conclusions go."""

    form: NormalForm
    index: ToldIndex
    subsumers: defaultdict[int, dict[int, int]]

    def position(self, fact: Fact) -> int:
        """Number a fact."""
        ...

    def start_later(self, context: int) -> None:
        """Open a context, or have it opened with the next ring."""
        ...

    def conclude(
        self, rule: str, head: Fact, *premises: int, axioms: tuple[int, ...] = (), composed: bool = False
    ) -> int:
        """Keep a rule instance."""
        ...


class CaseRules:
    """The splits so far, and what they have shown."""

    def __init__(self, calculus: Cases) -> None:
        self._calculus = calculus
        self._wholes = {whole for whole, _ in calculus.form.case_of}
        """What can be split."""
        self._splits: defaultdict[int, list[Split]] = defaultdict(list)
        """The splits by each of their cases."""
        self._shown: defaultdict[int, dict[int, int]] = defaultdict(dict)
        """What was shown of C by its cases: D, and the position of C ⊑ D."""
        self._below: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        """What is below a C that can be split, and the position of that fact."""
        self._unsplit: set[int] = set()
        """What is below the left-hand side of a union and has no cases of its own."""

    def subsumer(self, context: int, concept: int, position: int) -> None:
        """Apply every rule about cases that has C ⊑ D as a premise."""
        if not self._wholes:
            return
        for union in self._calculus.index.unions.get(concept, ()):
            parts = self._cases_of(context, union)
            if parts:
                self._split(Split(context, position, parts, union.axiom))
            elif context not in self._unsplit:
                self._unsplit.add(context)
                for above in self._wholes.intersection(self._calculus.subsumers[context]):
                    self._calculus.start_later(above)
        if concept in self._wholes and concept != context:
            self._share(context, concept, position)
        for one in self._splits.get(context, ()):
            self._go_on(one, concept)

    def _cases_of(self, context: int, union: Union) -> tuple[int, ...]:
        """Return C ⊓ Dᵢ for the members Dᵢ of a union, or none where these have no numbers."""
        case_of = self._calculus.form.case_of
        if (context, union.members[0]) not in case_of:  # which is seen at once, however many members there are
            return ()
        parts = tuple(case_of.get((context, member), -1) for member in union.members)
        return () if -1 in parts else parts

    def _share(self, context: int, whole: int, position: int) -> None:
        """R⊑⊑: what cases show of D holds of all C below D

        C ⊑ D    D ⊑ E by cases
        ────────────────────────
                 C ⊑ E
        """
        self._below[whole].append((context, position))
        if context in self._unsplit:
            self._calculus.start_later(whole)
        for concept, shown in list(self._shown[whole].items()):
            self._calculus.conclude("R⊑⊑", Sub(context, concept), position, shown)

    def _split(self, one: Split) -> None:
        """Open the cases of C."""
        for part in dict.fromkeys(one.parts):
            self._splits[part].append(one)
            self._calculus.start_later(part)
        for part in dict.fromkeys(one.parts):
            for concept in list(self._calculus.subsumers[part]):
                self._go_on(one, concept)

    def _go_on(self, one: Split, concept: int) -> None:
        """Go on where a case is found to be below something; an impossible one is below all that the others are."""
        one.counts[concept] += 1
        for above in list(one.counts) if concept == BOTTOM else [concept]:
            if one.may_be_shared(above):
                self.decide(one, above)

    def decide(self, one: Split, concept: int) -> None:
        """Rcases, and R⊥⊑ for the cases that are impossible

        C ⊑ D    D ⊑ D₁ ⊔ … ⊔ Dₙ is told    C ⊓ Dᵢ ⊑ E for each i
        ────────────────────────────────────────────────────────────
                                  C ⊑ E
        """
        calculus = self._calculus
        rows = [calculus.subsumers[part] for part in one.parts]
        if one.context in one.parts or not all(concept in row or BOTTOM in row for row in rows):
            return
        if concept != BOTTOM:
            for part, row in zip(one.parts, rows, strict=True):
                if BOTTOM in row:
                    calculus.conclude("R⊥⊑", Sub(part, concept), row[BOTTOM], composed=True)
        if all(concept in row for row in rows):  # else when what follows from ⊥ has its turn
            head = Sub(one.context, concept)
            calculus.conclude("Rcases", head, one.position, *(row[concept] for row in rows), axioms=(one.axiom,))
            if concept not in self._shown[one.context]:
                self._shown[one.context][concept] = shown = calculus.position(head)
                for below, position in list(self._below[one.context]):
                    calculus.conclude("R⊑⊑", Sub(below, concept), position, shown)
