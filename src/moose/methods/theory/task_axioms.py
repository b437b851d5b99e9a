"""What an ontology tells in the names of a task alone: C ⊑ D, ranges, and r₁ ∘ … ∘ rₙ ⊑ s, as stated and not derived.

An axiom that needs another name, an individual or a value is left out, and its position returned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from moose.grounding.encodings.shapes import concept_numbers, role_numbers
from moose.grounding.task.task import Task
from moose.owl.normal.normal_form import BOTTOM, NO_AXIOM, TOP, Kind, NormalForm


@dataclass(frozen=True, slots=True)
class Conjunction:
    """C ⊓ D"""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Existential:
    """∃R.C"""

    role: int
    filler: int


Complex = Conjunction | Existential


@dataclass(frozen=True, eq=False)
class Told:
    """Axioms over concepts and roles by number.

    Concepts 0, 1, … are `task.concepts`, then ⊤ and ⊥, then those that are made of others, parts first. Roles are
    `task.role_predicates`.

    >>> import moose
    >>> told = told_axioms(moose.regime("mnist2"))
    >>> len(told.inclusions), told.complex[0], told.chains, told.left_out
    (75, Existential(role=0, filler=1), (), (75,))
    """

    named: int
    """How many concepts the task has."""
    complex: tuple[Complex, ...]
    inclusions: tuple[tuple[int, int], ...]
    """C and D for each C ⊑ D; no D is a conjunction, and none is ⊤."""
    ranges: tuple[tuple[int, int], ...]
    """R and C where every filler of R is a C."""
    chains: tuple[tuple[tuple[int, ...], int], ...]
    """The roles of each chain, and the role above them; a chain of one is an inclusion."""
    left_out: tuple[int, ...]
    """Positions, among the EL axioms of the ontology, of those that say something that is not in here."""

    @property
    def top(self) -> int:
        """⊤"""
        return self.named

    @property
    def bottom(self) -> int:
        """⊥"""
        return self.named + 1

    def parts(self, concept: int) -> Complex | None:
        """Return what a concept is made of; None for a name, ⊤ and ⊥."""
        return None if concept <= self.bottom else self.complex[concept - self.bottom - 1]


def told_axioms(task: Task) -> Told:
    """Collect what the ontology of a task tells in its names, in the order of the axioms."""
    return _Collector(task).collect()


class _Collector:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.form: NormalForm = task.ontology.normal_form
        self.roles = role_numbers(task, self.form)
        self.named = len(task.concepts)
        self.known: dict[int, int | None] = {TOP: self.named, BOTTOM: self.named + 1}
        self.known |= concept_numbers(task, self.form)
        self.complex: dict[Complex, int] = {}
        self.left_out: set[int] = set()

    def collect(self) -> Told:
        inclusions = dict.fromkeys(self._inclusions())
        ranges = dict.fromkeys(self._ranges())
        chains = dict.fromkeys(self._chains())
        left_out = tuple(sorted(self.left_out - {NO_AXIOM}))
        return Told(self.named, tuple(self.complex), tuple(inclusions), tuple(ranges), tuple(chains), left_out)

    def _inclusions(self) -> Iterator[tuple[int, int]]:
        items = [(axiom, sub, sup) for sub, sup, axiom in self.form.told.rows.tolist()]
        for axiom, sub, sup in items:
            for part in self._conjuncts(sup):
                yield from self._inclusion(self._concept(sub), self._concept(part), axiom)
        for members, axiom in self.form.disjoint:
            for pair in combinations(members, 2):
                yield from self._inclusion(self._made(Conjunction, *map(self._concept, pair)), self.named + 1, axiom)

    def _inclusion(self, sub: int | None, sup: int | None, axiom: int) -> Iterator[tuple[int, int]]:
        if sub is None or sup is None:
            self.left_out.add(axiom)
        elif sup not in (sub, self.named):  # C ⊑ C and C ⊑ ⊤ say nothing
            yield sub, sup

    def _conjuncts(self, concept: int) -> Iterator[int]:
        if self.form.kinds[concept] == Kind.CONJUNCTION:
            yield from self._conjuncts(int(self.form.first[concept]))
            yield from self._conjuncts(int(self.form.second[concept]))
        else:
            yield concept

    def _concept(self, concept: int) -> int | None:
        """Return the number of a concept of the normal form, None where it needs more than the names of the task."""
        if concept not in self.known:
            first, second = int(self.form.first[concept]), int(self.form.second[concept])
            parts = None
            if self.form.kinds[concept] == Kind.CONJUNCTION:
                parts = self._made(Conjunction, self._concept(first), self._concept(second))
            elif self.form.kinds[concept] == Kind.SOME:
                parts = self._made(Existential, self.roles.get(first), self._concept(second))
            self.known[concept] = parts
        return self.known[concept]

    def _made(self, kind: type[Conjunction | Existential], first: int | None, second: int | None) -> int | None:
        if first is None or second is None:
            return None
        return self.complex.setdefault(kind(first, second), self.named + 2 + len(self.complex))

    def _ranges(self) -> Iterator[tuple[int, int]]:
        for role, concept, axiom in self.form.ranges.rows.tolist():
            index = self._concept(concept)
            if role in self.roles and index is not None:
                yield self.roles[role], index
            else:
                self.left_out.add(axiom)

    def _chains(self) -> Iterator[tuple[tuple[int, ...], int]]:
        stated = [((sub,), sup, axiom) for sub, sup, axiom in self.form.inclusions.rows.tolist()]
        prefixes: dict[int, tuple[int, ...]] = {}
        for left, right, result, axiom in self.form.compositions.rows.tolist():
            chain = (*prefixes.get(left, (left,)), right)
            if result >= len(self.form.roles):  # no role of the ontology: the beginning of a longer chain
                prefixes[result] = chain
            else:
                stated.append((chain, result, axiom))
        for chain, result, axiom in stated:
            if result in self.roles and all(role in self.roles for role in chain):
                yield tuple(self.roles[role] for role in chain), self.roles[result]
            else:
                self.left_out.add(axiom)
