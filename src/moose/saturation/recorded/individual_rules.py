"""The completion rules about individuals: nominals, pairs that a role joins, and keys.

They are rules of `moose.saturation.recorded.calculus`, which calls them when a premise is new; what they need of it is
`Individuals`.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, product
from typing import Protocol

from moose.base.errors import TooManyInstances
from moose.owl.normal.normal_form import Key, NormalForm
from moose.saturation.recorded.role_rules import LinkRules, RoleFacts
from moose.saturation.recorded.rule_instance import Arrow, Fact, Sub
from moose.saturation.recorded.told_index import ToldIndex

Fillers = dict[int, list[tuple[int, ...]]]
Choice = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Premises about one individual, premises about another, and the fillers that both have."""
ENOUGH_CHOICES = 500
"""Among which to look for a small proof, where each would do."""
MOST_CHOICES = 20_000
"""Of fillers that two individuals share, one for each role of a key: there are exponentially many."""


class Individuals(Protocol):
    """The possible facts so far, by what rules about individuals have in hand, and where their conclusions go."""

    form: NormalForm
    index: ToldIndex
    roles: RoleFacts
    links: LinkRules
    facts: list[Fact]
    asserted: set[int]
    contexts: dict[int, None]
    subsumers: defaultdict[int, dict[int, int]]
    known_as: defaultdict[int, dict[int, int]]
    is_certain: bool
    outgoing: defaultdict[int, list[tuple[int, int, int]]]
    incoming: defaultdict[int, list[tuple[int, int, int]]]

    def is_derived(self, fact: tuple[int, ...]) -> bool:
        """Return whether a fact needs no further instance."""
        ...

    def axiom(self, axiom: int) -> tuple[int, ...]:
        """Return the premise that an axiom holds; one that is certain is none."""
        ...

    def element(self, context: int) -> tuple[int, ...]:
        """Return the premise that a context has an element; an individual's has one."""
        ...

    def start_later(self, context: int) -> None:
        """Open a context; if goal-directed, with the next ring."""
        ...

    def assert_later(self, fact: Sub | Arrow) -> int:
        """Mark a fact as asserted."""
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
        """Keep a rule instance."""
        ...


# ── Nominals ──


def nominal(calculus: Individuals, context: int, nominal: int, position: int) -> None:
    """Rnominal, and R⊑⊑: what is asserted of a holds of all that is a

    C ⊑ {a}    C has an element        C ⊑ {a}    {a} ⊑ D is asserted
    ────────────────────────────       ───────────────────────────────
             {a} ⊑ C                             C ⊑ D
    """
    calculus.start_later(nominal)
    calculus.known_as[nominal][context] = position
    calculus.assert_later(Sub(nominal, context))
    calculus.conclude("Rnominal", Sub(nominal, context), position, *calculus.element(context))
    for _, _, arrow in calculus.incoming[context]:
        named_target(calculus, arrow, nominal, position)
    for concept, asserted in list(calculus.subsumers[nominal].items()):
        if asserted in calculus.asserted:
            calculus.conclude("R⊑⊑", Sub(context, concept), position, asserted)
    for role, target, asserted in list(calculus.outgoing[nominal]):
        if asserted in calculus.asserted:
            calculus.links.first_step("R⊑⊑", Arrow(context, role, target), position, asserted)


def share(calculus: Individuals, nominal: int, asserted: int) -> None:
    """Say of all that is a what is asserted of a, the assertion being new."""
    for context, position in list(calculus.known_as[nominal].items()):
        match calculus.facts[asserted]:
            case Sub(_, concept):
                calculus.conclude("R⊑⊑", Sub(context, concept), position, asserted)
            case Arrow(_, role, target):
                calculus.links.first_step("R⊑⊑", Arrow(context, role, target), position, asserted)


def named_target(calculus: Individuals, arrow: int, nominal: int, position: int) -> None:
    """Rlink-nominal: an individual's filler that is b is b

    {a} → r → C    C ⊑ {b}
    ───────────────────────
        {a} → r → {b}
    """
    link = calculus.facts[arrow]
    assert isinstance(link, Arrow)
    if link.source in calculus.index.nominals:
        calculus.links.first_step("Rlink-nominal", Arrow(link.source, link.role, nominal), arrow, position)


# ── Pairs ──


def between_individuals(calculus: Individuals, source: int, role: int, target: int, position: int) -> None:
    """Rrinc and Rrange on named pairs, and what is asserted of a pair

    {a} → r → {b}    r ⊑* s        {a} → r → {b}    range(r) ⊑ C is told
    ────────────────────────       ──────────────────────────────────────
        {a} → s → {b}                          {b} ⊑ C
    """
    for above in calculus.index.roles_above[role]:
        below = calculus.roles.below(role, above)
        calculus.links.first_step("Rrinc", Arrow(source, above, target), position, below=below)
    for above, concept, axiom in calculus.index.ranges[role]:
        below = calculus.roles.below(role, above)
        calculus.conclude("Rrange", Sub(target, concept), position, below=below, axioms=(axiom,))
    if position in calculus.asserted:
        share(calculus, source, position)


# ── Keys ──


def keys(calculus: Individuals) -> None:
    """Rkey: named instances that agree on every key are one

    {a} ⊑ C    {a} → r → {c} …    {b} ⊑ C    {b} → r → {c} …    HasKey(C (r …)) is told
    ────────────────────────────────────────────────────────────────────────────────────
                                {a} ⊑ {b}
    """
    for key in calculus.form.keys:
        holders = [one for one in calculus.index.named if key.concept in calculus.subsumers[one]]
        fillers = {one: [named_fillers(calculus, one, role) for role in key.roles] for one in holders}
        for a in holders:
            for b in holders:
                if a < b:
                    agreeing(calculus, key, a, b, list(zip(fillers[a], fillers[b], strict=True)))


def agreeing(calculus: Individuals, key: Key, a: int, b: int, pairs: list[tuple[Fillers, Fillers]]) -> None:
    """Keep the instances of Rkey for two individuals, one for each choice of shared fillers, or those that suffice."""
    shared: list[list[Choice]] = [
        [(x, y, (filler,)) for filler in first if filler in second for x in first[filler] for y in second[filler]]
        for first, second in pairs
    ]
    calculus.axiom(key.axiom)  # numbered before what it helps to conclude
    members = (calculus.subsumers[a][key.concept],), (calculus.subsumers[b][key.concept],), ()
    heads = Sub(a, b), Sub(b, a)
    for count, choice in enumerate(product(*shared)):
        if count and all(map(calculus.is_derived, heads)):
            return
        if count == ENOUGH_CHOICES and calculus.is_certain:
            return
        if count == MOST_CHOICES:
            raise TooManyInstances(
                f"expected two individuals to agree on a key in at most {MOST_CHOICES:,} ways, but they share "
                f"{' × '.join(str(len(ways)) for ways in shared)} values; ask about less, or leave some of them out"
            )
        mine, yours, fillers = (tuple(chain.from_iterable(parts)) for parts in zip(members, *choice, strict=True))
        for head, premises in zip(heads, ((*mine, *yours), (*yours, *mine)), strict=True):
            calculus.assert_later(head)
            calculus.conclude("Rkey", head, *premises, axioms=(key.axiom,), details=fillers)


def named_fillers(calculus: Individuals, individual: int, role: int) -> Fillers:
    """Return the named fillers of a role and single data values, each with the premises of its being one."""
    if calculus.index.is_universal(role):
        return {one: [()] for one in calculus.index.named}
    fillers: Fillers = {}
    for below, target, position in calculus.outgoing[individual]:
        if calculus.form.is_subrole[below, role] and calculus.index.is_single(target):
            fillers.setdefault(target, []).append((position, *calculus.roles.below(below, role)))
    return fillers
