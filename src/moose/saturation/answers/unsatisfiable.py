"""Unsatisfiable classes: those that contradict themselves, and those that are empty only because others are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from moose.base.errors import InconsistentOntology
from moose.base.graphs import strong_components
from moose.owl.normal.normal_form import BOTTOM, Kind, NormalForm, Table
from moose.owl.ontology import Ontology
from moose.saturation.answers.closure import saturate
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import saturate_form

Clash = tuple[int, ...]
"""Something empty, or two disjoint things."""
Graph = Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class UnsatisfiableClass:
    """A class that can have no element; a root has a reason of its own, any other only that classes above it, or
    classes of which its elements would need one, are unsatisfiable.
    """

    iri: str
    is_root: bool
    derives_from: tuple[str, ...] = ()
    """Of a class that is no root: the unsatisfiable classes that make this one so and are nearer to a root."""
    roots: tuple[str, ...] = ()
    """Of a class that is no root: the roots that it derives from in the end. It stays unsatisfiable while one does."""


def unsatisfiable_classes(ontology: Ontology) -> tuple[UnsatisfiableClass, ...]:
    """Return the unsatisfiable classes, roots first, each kind sorted by IRI.

    >>> from moose.owl.model.axioms import DisjointClasses, SubClassOf
    >>> from moose.owl.model.expressions import Class
    >>> from moose.owl.ontology import ontology_from_axioms
    >>> a, b, c, d = map(Class, "abcd")
    >>> told = [SubClassOf(a, b), SubClassOf(b, c), SubClassOf(b, d), DisjointClasses((c, d))]
    >>> [(one.iri, one.is_root, one.derives_from) for one in unsatisfiable_classes(ontology_from_axioms(told))]
    [('b', True, ()), ('a', False, ('b',))]
    """
    closure = saturate(ontology)
    if not closure.is_consistent:
        raise InconsistentOntology(
            "expected an ontology with a model, but this one is inconsistent, so that every class is unsatisfiable; "
            "ask why with --inconsistency, or explain SubClassOf(owl:Thing owl:Nothing)"
        )
    form = closure.form
    names = {
        number: iri
        for iri, number in zip(form.classes, form.class_concepts.tolist(), strict=True)
        if number != BOTTOM and not closure.is_satisfiable(number)
    }
    if not names:
        return ()
    rows = [as_row(number, names, origins) for origins in [origins_of(Reasons(form, names))] for number in names]
    return tuple(sorted(rows, key=lambda row: (not row.is_root, row.iri)))


@dataclass(frozen=True, slots=True)
class Origins:
    """Where unsatisfiability comes from: steps to the nearest root, causes that are nearer, roots."""

    steps: dict[int, int]
    nearer: dict[int, frozenset[int]]
    roots: dict[int, frozenset[int]]


def as_row(number: int, names: Mapping[int, str], origins: Origins) -> UnsatisfiableClass:
    """Return what is known of a class, by IRIs."""
    if origins.steps[number] == 0:
        return UnsatisfiableClass(names[number], is_root=True)
    nearer, roots = (tuple(sorted(names[one] for one in some[number])) for some in (origins.nearer, origins.roots))
    return UnsatisfiableClass(names[number], is_root=False, derives_from=nearer, roots=roots)


def origins_of(reasons: Reasons) -> Origins:
    """Trace each unsatisfiable class back to roots."""
    causes = {concept: reasons.causes(concept) for concept in reasons.classes}
    roots = {concept for concept in causes if reasons.has_own(concept)}
    reached: dict[int, frozenset[int]] = {}
    for component in strong_components(sorted(causes), causes.__getitem__):
        ends = frozenset(component) & roots
        outside = (reached[one] for member in component for one in causes[member] if one in reached)
        ends = ends.union(*outside)
        if not ends:  # each of them needs the others, and no class else
            ends = frozenset(component)
            roots |= ends
        reached |= dict.fromkeys(component, ends)
    steps = steps_from(roots, causes)
    nearer = {one: frozenset(cause for cause in some if steps[cause] < steps[one]) for one, some in causes.items()}
    return Origins(steps, nearer, reached)


def steps_from(roots: Iterable[int], causes: Graph) -> dict[int, int]:
    """Count the steps from each class back to the nearest root."""
    effects: dict[int, list[int]] = {}
    for concept, some in causes.items():
        for cause in some:
            effects.setdefault(cause, []).append(concept)
    steps = dict.fromkeys(sorted(roots), 0)
    waiting = list(steps)
    for cause in waiting:  # which grows while it is walked
        for concept in effects.get(cause, ()):
            if concept not in steps:
                steps[concept] = steps[cause] + 1
                waiting.append(concept)
    return steps


class Reasons:
    """What would hold of unsatisfiable classes if nothing were impossible, and what is impossible about it.

    The kernel stops at ⊥. So the rules are run once more without what says that something is empty or disjoint; where
    such an axiom applies to the result, there is a clash. They are run a third time with, of each unsatisfiable class,
    a twin: the twin has what is told of the class, while the class itself has nothing. So what holds of the twin holds
    of the class without what is told of any other unsatisfiable class.
    """

    def __init__(self, form: NormalForm, unsatisfiable: Iterable[int]) -> None:
        self.classes = frozenset(unsatisfiable)
        told = form.told.rows
        self._empty = frozenset(told[told[:, 1] == BOTTOM, 0].tolist())
        self._disjoint: dict[int, list[int]] = {}
        for position, (members, _) in enumerate(form.disjoint):
            for member in members:
                self._disjoint.setdefault(member, []).append(position)
        without = replace(form, disjoint=(), told=Table(told[told[:, 1] != BOTTOM]))
        self._all = Rows(saturate_form(without, roots=sorted(self.classes)).base)
        contexts = dict.fromkeys(self._all.facts.contexts.tolist())
        self._twins = {one: len(form.kinds) + position for position, one in enumerate(sorted(self.classes))}
        roots = [self._twins.get(context, context) for context in contexts]
        self._own = Rows(saturate_form(with_twins(without, self._twins), roots=roots).base)
        self._clashes: dict[int, frozenset[Clash]] = {}
        self._impossible = upstream((one for one in contexts if self.clashes(one)), self._all.sources_of)
        self._with_own = self._all_with_own()

    def has_own(self, concept: int) -> bool:
        """Return whether a concept is impossible for a reason that is no other class's."""
        return concept in self._with_own

    def causes(self, concept: int) -> frozenset[int]:
        """Return the other unsatisfiable classes because of which a class is so, the lowest of those above it."""
        found: set[int] = set()
        seen = {concept}
        stack = [concept]
        while stack:
            context = stack.pop()
            strictly, equal = self._above(context)
            lowest = self._lowest(strictly)
            found |= equal | lowest
            inherited = frozenset[int]().union(*map(self._all.targets, lowest))
            for target in (self._all.targets(context) & self._impossible) - inherited:
                if target in self.classes:
                    found.add(target)
                elif target not in seen:
                    seen.add(target)
                    stack.append(target)
        return frozenset(found - {concept})

    def clashes(self, concept: int) -> frozenset[Clash]:
        """Return what is impossible about what a concept is below: something empty, or two disjoint things."""
        if concept not in self._clashes:
            self._clashes[concept] = frozenset(self._clashes_of(self._all.row(concept)))
        return self._clashes[concept]

    def _clashes_of(self, row: frozenset[int]) -> Iterator[Clash]:
        yield from ((one,) for one in row & self._empty)
        if BOTTOM in row:
            yield (BOTTOM,)
        members: dict[int, list[int]] = {}
        for one in sorted(row):
            for axiom in self._disjoint.get(one, ()):
                members.setdefault(axiom, []).append(one)
        for several in members.values():
            yield from ((one, two) for position, one in enumerate(several) for two in several[position + 1 :])

    def _others_above(self, concept: int) -> frozenset[int]:
        """Return the other unsatisfiable classes that a concept is below."""
        return (self._all.row(concept) & self.classes) - {concept}

    def _above(self, concept: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return the other unsatisfiable classes strictly above a concept, and those equal to it."""
        above = self._others_above(concept)
        equal = frozenset(one for one in above if concept in self._all.row(one))
        return above - equal, equal

    def _lowest(self, several: frozenset[int]) -> set[int]:
        """Leave out classes strictly above others; what is strictly below another has the longer row."""
        row = self._all.row
        lowest: set[int] = set()
        higher: set[int] = set()
        for one in sorted(several, key=lambda member: -len(row(member))):
            if one not in higher:
                lowest.add(one)
                higher.update(two for two in row(one) & several if one not in row(two))
        return lowest

    def _all_with_own(self) -> frozenset[int]:
        """Return the concepts with a clash of their own, or of their own in need of one without a name that has."""

        def needing(target: int) -> list[int]:
            if target in self.classes:
                return []
            return [source for source in self._all.sources_of(target) if self._is_own_link(source, target)]

        return upstream((one for one in self._impossible if any(map(self._own_clash(one), self.clashes(one)))), needing)

    def _own_clash(self, concept: int) -> Callable[[Clash], bool]:
        """Return what tells whether a clash is of a concept's own.

        It is where no other class above has it, or where one side of it is there without what is told of these. An
        unsatisfiable class that is itself a side has to be there so together with the other side.
        """
        others = self._others_above(concept)

        def is_own(clash: Clash) -> bool:
            bearers = frozenset(one for one in others if clash in self.clashes(one))
            row = self._row_without(concept, bearers)
            if not bearers or any(one in row and one not in bearers for one in clash):
                return True
            return len(clash) > 1 and row.issuperset(clash)

        return is_own

    def _row_without(self, concept: int, others: frozenset[int]) -> frozenset[int]:
        """Return what a concept is below without what is told of other classes."""
        row: set[int] = set()
        seen = {concept}
        stack = [concept]
        while stack:
            one = stack.pop()
            more = self._own.row(self._twins.get(one, one))
            row |= more
            further = (more & self.classes) - others - seen
            seen |= further
            stack += further
        return frozenset(row)

    def _is_own_link(self, source: int, target: int) -> bool:
        """Return whether a link is there without the other unsatisfiable classes above its source, or not theirs."""
        if target in self._own.targets(self._twins.get(source, source)):
            return True
        return not any(target in self._all.targets(one) for one in self._others_above(source))


class Rows:
    """The facts of a saturation as sets, by concept."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._rows: dict[int, frozenset[int]] = {}
        self._targets: dict[int, frozenset[int]] = {}
        self._sources: dict[int, dict[int, None]] = {}
        for source, target in zip(facts.sources.tolist(), facts.targets.tolist(), strict=True):
            self._sources.setdefault(target, {})[source] = None

    def row(self, concept: int) -> frozenset[int]:
        """Return what a concept is below."""
        if concept not in self._rows:
            self._rows[concept] = frozenset(self.facts.subsumers(concept).tolist())
        return self._rows[concept]

    def targets(self, concept: int) -> frozenset[int]:
        """Return what the links from a concept lead to."""
        if concept not in self._targets:
            self._targets[concept] = frozenset(self.facts.links_from(concept)[1].tolist())
        return self._targets[concept]

    def sources_of(self, concept: int) -> Iterable[int]:
        """Return what has links to a concept."""
        return self._sources.get(concept, ())


def with_twins(form: NormalForm, twins: Mapping[int, int]) -> NormalForm:
    """Move what is told of some classes to twins of these, which are below them; the twins' numbers go on."""
    classes = np.array(list(twins), dtype=np.int32)
    to_twin = np.arange(len(form.kinds), dtype=np.int32)
    to_twin[classes] = list(twins.values())
    told = form.told.rows.copy()
    told[:, 0] = to_twin[told[:, 0]]
    below = np.stack([to_twin[classes], classes, np.full_like(classes, -1)], axis=1)
    none = np.full_like(classes, -1)
    return replace(
        form,
        kinds=np.append(form.kinds, np.full_like(classes, Kind.CLASS)),
        first=np.append(form.first, form.first[classes]),
        second=np.append(form.second, none),
        is_negative=np.append(form.is_negative, np.zeros(len(classes), dtype=np.bool_)),
        some_target=np.append(form.some_target, none),
        told=Table(np.concatenate([told, below]).astype(form.told.rows.dtype)),
    )


def upstream(start: Iterable[int], sources_of: Callable[[int], Iterable[int]]) -> frozenset[int]:
    """Return some concepts and all that leads to them."""
    found = set(start)
    stack = list(found)
    while stack:
        for source in sources_of(stack.pop()):
            if source not in found:
                found.add(source)
                stack.append(source)
    return frozenset(found)
