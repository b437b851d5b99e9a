"""What holds of the fillers of properties: universals, at most one filler, and inverses, said in EL for known fillers.

C ⊑ ∀r.B is beyond EL, but C ⊓ ∃r.D ⊑ ∃r.(D ⊓ B) is not, and follows from it. Of all D, those matter that an axiom says
are fillers of r. The same goes for the other axioms here:

    r ⊑ s⁻          C ⊓ ∃r.D ⊑ ∃r.(D ⊓ ∃s.C)       where ∃s.C matters on a left-hand side, or C and D are individuals
    C ⊑ ≤ 1 r.B     C ⊓ ∃r.(D ⊓ B) ⊓ ∃r.(E ⊓ B) ⊑ ∃r.(D ⊓ E ⊓ B)

With a nominal for D, the reasoner's rule for nominals makes {b} ⊑ B of ∃r.({b} ⊓ B), and so on: that is how these
axioms reach individuals.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import THING, ClassExpression, Individual, ObjectProperty
from moose.owl.profile.roles.role_box import Consequence, RoleBox, Sources

Filler = tuple[ClassExpression, ...]
"""The conjuncts of a filler."""

LEAST_COMPLETIONS, MOST_COMPLETIONS = 20, 4_000
"""How many axioms about fillers that are classes are written, in between as many as there are axioms: sets of conjuncts
can be exponentially many, and few of what follows is ever needed, while each has a part in every closure. Those with
few conjuncts come first."""

FEW_INDIVIDUALS = 12
"""Up to which individuals are compared each with each; of more, only those that one individual is related to."""


@dataclass(frozen=True, slots=True)
class Bound:
    """C ⊑ ∀r.B or C ⊑ ≤ 1 r.B, and the axioms it follows from."""

    sub: ClassExpression
    role: ObjectProperty
    filler: ClassExpression
    sources: Sources


def conjunction(parts: Iterable[ClassExpression]) -> ClassExpression:
    """Return the conjunction of expressions, flat, each once and without ⊤."""
    listed = conjuncts(parts)
    return owl.ObjectIntersectionOf(listed) if len(listed) > 1 else (listed[0] if listed else THING)


def conjuncts(parts: Iterable[ClassExpression]) -> Filler:
    """Return the conjuncts of expressions, each once and without ⊤."""
    found: dict[ClassExpression, None] = {}
    stack = list(parts)[::-1]
    while stack:
        part = stack.pop()
        if isinstance(part, owl.ObjectIntersectionOf):
            stack.extend(reversed(part.operands))
        elif part != THING:
            found[part] = None
    return tuple(found)


def some(role: ObjectProperty, *parts: ClassExpression) -> ClassExpression:
    """Return ∃r.(C ⊓ D ⊓ …)."""
    return owl.ObjectSomeValuesFrom(role, conjunction(parts))


def single(individual: Individual) -> ClassExpression:
    """Return {a}."""
    return owl.ObjectOneOf((individual,))


# ── What the EL axioms speak of ───────────────────────────────────────────────────────────────────────────────────


class Occurrences:
    """The fillers that EL axioms give to properties, those that they ask for, and who is related to whom."""

    def __init__(self, axioms: Iterable[ax.Axiom]) -> None:
        self.given: dict[tuple[ObjectProperty, ClassExpression], None] = {}
        self.asked: dict[tuple[ObjectProperty, ClassExpression], None] = {}
        self.pairs: dict[tuple[ObjectProperty, Individual, Individual], None] = {}
        self.individuals: dict[Individual, None] = {}
        self.axioms = 0
        for axiom in axioms:
            self.axioms += 1
            self._read(axiom)

    def _read(self, axiom: ax.Axiom) -> None:
        match axiom:
            case ax.SubClassOf(sub, sup):
                self._gather(sub, self.asked)
                self._gather(sup, self.given)
                if isinstance(sub, owl.ObjectOneOf):
                    self._relate(sub.individuals[0], sup)
            case ax.EquivalentClasses(operands):
                for operand in operands:
                    self._gather(operand, self.asked)
                    self._gather(operand, self.given)
            case ax.DisjointClasses(operands):
                for operand in operands:
                    self._gather(operand, self.asked)
            case ax.ObjectPropertyDomain(_, concept) | ax.ObjectPropertyRange(_, concept):
                self._gather(concept, self.given)
            case ax.DataPropertyDomain(_, concept):
                self._gather(concept, self.given)
            case ax.ClassAssertion(concept, individual):
                self.individuals[individual] = None
                self._gather(concept, self.given)
                self._relate(individual, concept)
            case ax.ObjectPropertyAssertion(ObjectProperty() as role, source, target, negative):
                if negative:
                    self.asked[role, single(target)] = None
                else:
                    self.pairs[role, source, target] = None
                    self.individuals |= {source: None, target: None}

    def _gather(self, expression: ClassExpression, found: dict[tuple[ObjectProperty, ClassExpression], None]) -> None:
        if isinstance(expression, owl.Class):
            return
        stack: list[ClassExpression] = [expression]
        while stack:
            match stack.pop():
                case owl.ObjectIntersectionOf(operands):
                    stack.extend(operands)
                case owl.ObjectSomeValuesFrom(ObjectProperty() as role, filler):
                    found[role, filler] = None
                    stack.append(filler)
                case owl.ObjectHasValue(ObjectProperty() as role, individual):
                    found[role, single(individual)] = None

    def _relate(self, source: Individual, expression: ClassExpression) -> None:
        """Record r(a, b) where a is told to be an ∃r.{b}."""
        for part in conjuncts([expression]):
            match part:
                case owl.ObjectHasValue(ObjectProperty() as role, target):
                    self.pairs[role, source, target] = None
                case owl.ObjectSomeValuesFrom(ObjectProperty() as role, owl.ObjectOneOf((target,))):
                    self.pairs[role, source, target] = None


# ── Consequences ──────────────────────────────────────────────────────────────────────────────────────────────────


class Successors:
    """Writes down what holds of fillers, first of individuals that are related, then of classes."""

    def __init__(
        self, occurrences: Occurrences, box: RoleBox, universals: Sequence[Bound], at_most_one: Sequence[Bound]
    ) -> None:
        self.box = box
        self.occurrences = occurrences
        self.universals = by_role(universals)
        self.at_most_one = by_role(at_most_one)
        self.pairs = related(occurrences, box)
        self._fillers: defaultdict[ObjectProperty, dict[frozenset[ClassExpression], Filler]] = defaultdict(dict)
        self._queue: deque[tuple[ObjectProperty, Filler]] = deque()
        self._left = min(max(LEAST_COMPLETIONS, occurrences.axioms), MOST_COMPLETIONS)

    def consequences(self) -> Iterator[Consequence]:
        """Yield what follows, each axiom once."""
        yield from self._of_individuals()
        yield from self._of_classes()

    # ── Individuals that are related ──

    def _of_individuals(self) -> Iterator[Consequence]:
        for role, pairs in self.pairs.items():
            targets = dict.fromkeys(target for _, target in pairs)
            for bound in self.universals.get(role, ()):
                for target in targets:
                    yield self._narrowed(bound, (single(target),))
            for back, sources in self.box.backs.get(role, {}).items():
                if len(sources) == 1:  # what leads through more inclusions follows from these
                    for source, target in pairs:
                        yield led_back(role, single(target), back, single(source), sources)
            for bound in self.at_most_one.get(role, ()):
                for first, second in neighbours(pairs, targets):
                    yield self._merged(bound, (single(first),), (single(second),))

    def _narrowed(self, bound: Bound, filler: Filler) -> Consequence:
        """C ⊑ ∀r.B gives C ⊓ ∃r.D ⊑ ∃r.(D ⊓ B)."""
        left = conjunction([bound.sub, some(bound.role, *filler)])
        return Consequence(ax.SubClassOf(left, some(bound.role, *filler, bound.filler)), bound.sources)

    def _merged(self, bound: Bound, first: Filler, second: Filler) -> Consequence:
        """C ⊑ ≤ 1 r.B gives C ⊓ ∃r.(D ⊓ B) ⊓ ∃r.(E ⊓ B) ⊑ ∃r.(D ⊓ E ⊓ B)."""
        role, inside = bound.role, bound.filler
        left = conjunction([bound.sub, some(role, *first, inside), some(role, *second, inside)])
        return Consequence(ax.SubClassOf(left, some(role, *first, *second, inside)), bound.sources)

    # ── Fillers that are classes ──

    def _of_classes(self) -> Iterator[Consequence]:
        for role, given in self.occurrences.given:
            for above in self._above(role):
                self._add(above, conjuncts([given]))
        while self._queue and self._left > 0:
            role, filler = self._queue.popleft()
            for consequence in (*self._universal(role, filler), *self._back(role, filler), *self._one(role, filler)):
                if self._left > 0:
                    self._left -= 1
                    yield consequence

    def _above(self, role: ObjectProperty) -> Iterable[ObjectProperty]:
        return sorted(self.box.named_above(role), key=str)

    def _add(self, role: ObjectProperty, filler: Filler) -> None:
        key = frozenset(filler)
        if key not in self._fillers[role] and len(self._queue) < MOST_COMPLETIONS:
            self._fillers[role][key] = filler
            self._queue.append((role, filler))

    def _universal(self, role: ObjectProperty, filler: Filler) -> Iterator[Consequence]:
        for bound in self.universals.get(role, ()):
            more = conjuncts([*filler, bound.filler])
            if len(more) > len(filler):
                yield self._narrowed(bound, filler)
                self._add(role, more)

    def _back(self, role: ObjectProperty, filler: Filler) -> Iterator[Consequence]:
        for back, sources in self.box.backs.get(role, {}).items():
            if len(sources) > 1:
                continue
            for concept in (*self._asked(back), *self._few_individuals(filler)):
                more = conjuncts([*filler, some(back, concept)])
                if len(more) > len(filler):
                    yield led_back(role, conjunction(filler), back, concept, sources)
                    self._add(role, more)
                    self._add(back, conjuncts([concept]))

    def _asked(self, role: ObjectProperty) -> Iterator[ClassExpression]:
        """Yield the C for which ∃r.C, or ∃s.C with r ⊑ s, matters on a left-hand side."""
        above = self.box.named_above(role)
        yield from dict.fromkeys(filler for other, filler in self.occurrences.asked if other in above)
        for bound in (*self.universals.get(role, ()), *self.at_most_one.get(role, ())):
            yield bound.sub

    def given_individuals(self, role: ObjectProperty) -> Iterator[Individual]:
        """Yield the individuals that class axioms name as fillers of a property."""
        for other, filler in self.occurrences.given:
            if isinstance(filler, owl.ObjectOneOf) and role in self.box.named_above(other):
                yield filler.individuals[0]

    def _few_individuals(self, filler: Filler) -> list[ClassExpression]:
        """Return the individuals, if they are few, that may be related to one that is a filler."""
        is_nominal = len(filler) == 1 and isinstance(filler[0], owl.ObjectOneOf)
        return [single(one) for one in self.individuals] if is_nominal else []

    @cached_property
    def individuals(self) -> tuple[Individual, ...]:
        """Return the individuals of the ontology, or none if they are many."""
        found = self.occurrences.individuals
        return tuple(found) if len(found) <= FEW_INDIVIDUALS else ()

    def _one(self, role: ObjectProperty, filler: Filler) -> Iterator[Consequence]:
        for bound in self.at_most_one.get(role, ()):
            others = list(self._fillers[role].values())
            others += [(single(target),) for target in dict.fromkeys(b for _, b in self.pairs.get(role, ()))]
            for other in others[: self._left]:
                more = conjuncts([*filler, *other])
                if len(more) > max(len(filler), len(other)):
                    yield self._merged(bound, filler, other)
                    self._add(role, more)


def led_back(
    role: ObjectProperty, filler: ClassExpression, back: ObjectProperty, concept: ClassExpression, sources: Sources
) -> Consequence:
    """r ⊑ s⁻ gives C ⊓ ∃r.D ⊑ ∃r.(D ⊓ ∃s.C)."""
    left = conjunction([concept, some(role, filler)])
    return Consequence(ax.SubClassOf(left, some(role, filler, some(back, concept))), sources)


def by_role(bounds: Sequence[Bound]) -> dict[ObjectProperty, list[Bound]]:
    """Return bounds by their property."""
    found: defaultdict[ObjectProperty, list[Bound]] = defaultdict(list)
    for bound in bounds:
        found[bound.role].append(bound)
    return found


Pairs = dict[tuple[Individual, Individual], None]


def related(occurrences: Occurrences, box: RoleBox) -> dict[ObjectProperty, Pairs]:
    """Return who may be related to whom by each property: as told, by inclusions and by inverses."""
    pairs: defaultdict[ObjectProperty, Pairs] = defaultdict(dict)
    stack = list(occurrences.pairs)
    while stack:
        role, source, target = stack.pop()
        if (source, target) not in pairs[role]:
            pairs[role][source, target] = None
            stack.extend((above, source, target) for above in box.named_above(role))
            stack.extend((back, target, source) for back in box.backs.get(role, ()))
    return pairs


def neighbours(pairs: Pairs, targets: Iterable[Individual]) -> Iterator[tuple[Individual, Individual]]:
    """Yield targets to compare: all if they are few, else those next to each other among the targets of one source."""
    listed = list(targets)
    if len(listed) <= FEW_INDIVIDUALS:
        yield from combinations(listed, 2)
        return
    of_source: defaultdict[Individual, list[Individual]] = defaultdict(list)
    for source, target in pairs:
        of_source[source].append(target)
    for row in of_source.values():
        yield from pairwise(row)
