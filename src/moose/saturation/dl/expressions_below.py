"""What is below a class expression: the concepts C with C ⊑ D, read off a closure without deriving anything.

The rules of the kernel compose C ⊑ D ⊓ E and C ⊑ ∃r.D only where these stand on a left-hand side. What they would
conclude of any other expression can be looked up: its parts are recognised from the inside out, over facts and links
that are all there.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from moose.base.integer_arrays import consecutive, distinct
from moose.owl.model import expressions as owl
from moose.owl.normal.normal_form import TOP, NormalForm
from moose.saturation.engine.arrays import Indices, Integers
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.global_rules import cases_of
from moose.saturation.engine.told_axioms import by_first

SCAN = 16
"""Looking a target up among the links of a role takes as long as looking through that many of them."""


class Numbers:
    """The numbers that names have in a normal form."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.roles = {role: number for number, role in enumerate(form.roles)}
        self.nominals = dict(zip(form.individuals, form.nominal_concepts.tolist(), strict=True))

    def atom(self, expression: owl.ClassExpression) -> int | None:
        """Return the number of a named class or a single individual; None for one that the form does not know."""
        match expression:
            case owl.Class(iri):
                return TOP if expression == owl.THING else self.form.class_number(iri)
            case owl.ObjectOneOf((individual,)):
                return self.nominals.get(individual)
        return None

    def knows(self, expression: owl.ClassExpression) -> bool:
        """Return whether an expression is made of ⊓, ∃, classes and individuals that the form knows."""
        match expression:
            case owl.ObjectIntersectionOf(operands):
                return all(map(self.knows, operands))
            case owl.ObjectSomeValuesFrom(role, filler):
                return role in self.roles and self.knows(filler)
            case owl.ObjectHasValue(role, individual):
                return role in self.roles and individual in self.nominals
        return self.atom(expression) is not None


class Below:
    """The sets of contexts below expressions that `Numbers.knows`, where all that follows is among the base facts."""

    def __init__(self, facts: Facts, numbers: Numbers) -> None:
        self.facts = facts
        self.numbers = numbers
        self._place = np.zeros(len(facts.form.kinds), dtype=np.int64)
        self._links: dict[int, tuple[Indices, Indices]] = {}

    def of(self, expression: owl.ClassExpression) -> Indices:
        """Return the contexts below an expression, each once; unsatisfiable ones may be missing."""
        match expression:
            case owl.ObjectIntersectionOf(operands):
                first, *others = sorted(map(self.of, operands), key=len)
                for other in others:
                    first = self.both(first, other)
                return first
            case owl.ObjectSomeValuesFrom(role, filler):
                assert isinstance(role, owl.ObjectProperty), "the profile check removes inverses"
                return self.some(self.numbers.roles[role], self.of(filler))
            case owl.ObjectHasValue(role, individual):
                return self.of(owl.ObjectSomeValuesFrom(role, owl.ObjectOneOf((individual,))))
        concept = self.numbers.atom(expression)
        assert concept is not None, "asked of expressions that are known"
        return self.of_concept(concept)

    def of_concept(self, concept: int) -> Indices:
        """Return the contexts below a numbered concept that is a class, a nominal or on a left-hand side."""
        pointers, contexts = self._by_concept
        return contexts[pointers[concept] : pointers[concept + 1]]

    @cached_property
    def _by_concept(self) -> tuple[Integers, Indices]:
        rows = np.stack([self.facts.concepts, self.facts.contexts], axis=1)
        pointers, (contexts,) = by_first(len(self.facts.form.kinds), rows)
        return pointers, contexts

    def both(self, one: Indices, other: Indices) -> Indices:
        """R⊓+ for all contexts at once."""
        if len(one) == 0:
            return one
        self._place[one] = np.arange(1, len(one) + 1)
        places = self._place[other]
        self._place[one] = 0
        return other[places > 0]

    def some(self, role: int, fillers: Indices) -> Indices:
        """R∃+ for all contexts at once: the sources of links to a filler by the role or one below it."""
        sources, targets = self._links_of(role)
        if len(fillers) * SCAN > len(targets):
            self._place[fillers] = 1
            found = sources[self._place[targets] > 0]
            self._place[fillers] = 0
        else:
            starts = np.searchsorted(targets, fillers, "left")
            found = sources[consecutive(starts, np.searchsorted(targets, fillers, "right") - starts)]
        found = self._each_once(found)
        return self._by_cases(found) if self._cases else found

    def _links_of(self, role: int) -> tuple[Indices, Indices]:
        """Return sources and targets of the links by a role and those below it, in the order of their targets."""
        if role not in self._links:
            facts = self.facts
            chosen = np.flatnonzero(facts.form.is_subrole[facts.roles, role])
            chosen = chosen[np.argsort(facts.targets[chosen], kind="stable")]
            self._links[role] = facts.sources[chosen], facts.targets[chosen]
        return self._links[role]

    def _each_once(self, numbers: Indices) -> Indices:
        order = np.arange(len(numbers))
        self._place[numbers] = order
        is_last = self._place[numbers] == order
        self._place[numbers] = 0
        members: Indices = numbers[is_last]
        return members

    # ── Rcases: what is below each member of a union that holds of it ─────────────────────────────────────────────

    @cached_property
    def _cases(self) -> list[tuple[int, list[int]]]:
        """Return the contexts below a union's left-hand side, each with its cases that can have an element."""
        facts = self.facts
        opened = []
        for union in facts.form.unions:
            for context in self.of_concept(union.concept).tolist():
                parts = cases_of(facts.form, context, union)
                if parts and not facts.is_bottom[context] and all(facts.is_started[part] for part in parts):
                    opened.append((context, [part for part in parts if not facts.is_bottom[part]]))
        return opened

    def _by_cases(self, below: Indices) -> Indices:
        while True:
            known = set(below.tolist())
            more = [
                self.of_concept(context)
                for context, parts in self._cases
                if context not in known and known.issuperset(parts)
            ]
            if not more:
                return below
            below = distinct(np.concatenate([below, *more]))
