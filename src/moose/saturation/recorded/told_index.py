"""What was told, looked up by premise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from moose.owl.model.datatypes import ValueSet
from moose.owl.model.expressions import NamedIndividual
from moose.owl.normal.functional_values import FunctionalValues
from moose.owl.normal.normal_form import BOTTOM, Kind, NormalForm

MANY_MEMBERS = 100
"""Members of a disjointness beyond which what a concept is below is gone through, and not they."""

KINDS = tuple(Kind)

Value = TypeVar("Value")


class Composition(NamedTuple):
    """r ∘ t ⊑ s, and the axiom that tells it."""

    left: int
    right: int
    result: int
    axiom: int


class ToldIndex:
    """The told items of a normal form, by what a rule has in hand."""

    def __init__(self, form: NormalForm) -> None:
        self.kinds: list[Kind] = [KINDS[kind] for kind in form.kinds.tolist()]
        self.first: list[int] = form.first.tolist()
        self.second: list[int] = form.second.tolist()
        """As in the form; single entries of lists are quicker to read than those of arrays."""
        self._is_subrole = form.is_subrole
        self._universal_role, self._value_sets = form.universal_role, form.value_sets
        self.nominals = frozenset(form.nominal_concepts.tolist())
        self.named = named_nominals(form)
        self.told = grouped((sub, (sup, axiom)) for sub, sup, axiom in form.told.rows.tolist())
        disjoint = [(dict.fromkeys(members), axiom) for members, axiom in form.disjoint]
        self.disjoint = grouped((one, (members, axiom)) for members, axiom in disjoint for one in members)
        self.unions = grouped((union.concept, union) for union in form.unions)
        self.conjunctions = grouped(conjunctions(form))
        self.somes = somes_by_role(form)
        """For each role r, by D: s and ∃s.D for what, recognised on left-hand sides, a link by r to a D makes true."""
        self.telling = frozenset([BOTTOM, *self.nominals, *form.second[recognised(form, Kind.SOME)].tolist()])
        """What tells those something that have a link to it."""
        self.compositions = compositions(form)
        self.roles_above = [np.flatnonzero(row).tolist() for row in form.is_subrole]
        self.ranges = grouped(
            (sub, (role, concept, axiom))
            for role, concept, axiom in form.ranges.rows.tolist()
            for sub in np.flatnonzero(form.is_subrole[:, role]).tolist()
        )
        self.somewhere = grouped(
            (int(form.second[some]), some)
            for some in recognised(form, Kind.SOME)
            if self.is_universal(int(form.first[some]))
        )
        self._functional = [(role, axiom) for role, axiom in form.functional.rows.tolist()]
        self._functional_values = FunctionalValues(form.value_sets)
        self._numbers: dict[ValueSet, int] = dict(zip(form.value_sets, form.value_concepts.tolist(), strict=True))

    def disjoint_among(self, concept: int, others: Collection[int]) -> Iterator[tuple[int, int]]:
        """Yield those of others that a concept is told to be disjoint from, each with the axiom."""
        for members, axiom in self.disjoint[concept]:
            fewer, more = (members, others) if len(members) <= MANY_MEMBERS else (others, members)
            yield from ((other, axiom) for other in list(fewer) if other in more and other != concept)

    def is_universal(self, role: int) -> bool:
        """Return whether a role relates everything to everything."""
        universal = self._universal_role
        return universal >= 0 and bool(self._is_subrole[universal, role])

    def is_single(self, concept: int) -> bool:
        """Return whether a filler is one named individual or one data value."""
        if concept < len(self.kinds) and self.kinds[concept] == Kind.VALUES:
            return self._value_sets[self.first[concept]].single is not None
        return concept in self.named

    def functional_above(self, role: int, other: int) -> list[tuple[int, int]]:
        """Return the functional properties that two data properties lie below, each with its axiom."""
        is_subrole = self._is_subrole
        return [(f, axiom) for f, axiom in self._functional if is_subrole[role, f] and is_subrole[other, f]]

    def shared(self, first: int, second: int) -> list[int]:
        """Return the numbers of the data ranges that a value of two lies in, and of neither alone."""
        sets = self._value_sets
        together = self._functional_values.shared([sets[self.first[first]], sets[self.first[second]]])
        return [self._numbers[values] for values in together]


KEPT: WeakKeyDictionary[NormalForm, ToldIndex] = WeakKeyDictionary()
"""Kept as long as the normal form is, to which an index must not refer."""


def told_index(form: NormalForm) -> ToldIndex:
    """Return the index of a normal form, made when it is first asked for."""
    index = KEPT.get(form)
    if index is None:
        index = KEPT[form] = ToldIndex(form)
    return index


def grouped(pairs: Iterable[tuple[int, Value]]) -> defaultdict[int, list[Value]]:
    """Group the seconds of pairs by their firsts."""
    groups: defaultdict[int, list[Value]] = defaultdict(list)
    for first, second in pairs:
        groups[first].append(second)
    return groups


def recognised(form: NormalForm, kind: Kind) -> list[int]:
    """Return the concepts of a kind that occur on a left-hand side."""
    return np.flatnonzero((form.kinds == kind) & form.is_negative).tolist()


def conjunctions(form: NormalForm) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each recognised conjunction, by either conjunct."""
    for both in recognised(form, Kind.CONJUNCTION):
        first, second = int(form.first[both]), int(form.second[both])
        yield first, (second, both)
        yield second, (first, both)


def somes_by_role(form: NormalForm) -> list[dict[int, list[tuple[int, int]]]]:
    """Return, for each role r and by D, the s above r and the recognised ∃s.D."""
    roles_below = [np.flatnonzero(column).tolist() for column in form.is_subrole.T]
    tables: list[dict[int, list[tuple[int, int]]]] = [{} for _ in roles_below]
    for some in recognised(form, Kind.SOME):
        above, filler = int(form.first[some]), int(form.second[some])
        for role in roles_below[above]:
            tables[role].setdefault(filler, []).append((above, some))
    return tables


def compositions(form: NormalForm) -> dict[tuple[int, int], tuple[Composition, ...]]:
    """Return what two roles compose to, with the role hierarchy below them taken in."""
    by_pair: defaultdict[tuple[int, int], dict[Composition, None]] = defaultdict(dict)
    for left, right, result, axiom in form.compositions.rows.tolist():
        for first in np.flatnonzero(form.is_subrole[:, left]).tolist():
            for second in np.flatnonzero(form.is_subrole[:, right]).tolist():
                by_pair[first, second][Composition(left, right, result, axiom)] = None
    return {pair: tuple(results) for pair, results in by_pair.items()}


def named_nominals(form: NormalForm) -> frozenset[int]:
    """Return the nominals of the individuals that have a name."""
    return frozenset(
        int(nominal)
        for nominal, one in zip(form.nominal_concepts, form.individuals, strict=True)
        if isinstance(one, NamedIndividual)
    )
