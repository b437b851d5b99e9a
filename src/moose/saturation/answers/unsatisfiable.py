"""Unsatisfiable classes: those that contradict themselves, and those that are empty only because others are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from moose.base.errors import InconsistentOntology
from moose.owl.normal.normal_form import BOTTOM, NormalForm, Table
from moose.owl.ontology import Ontology
from moose.saturation.answers.closure import saturate
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import saturate_form


@dataclass(frozen=True, slots=True)
class UnsatisfiableClass:
    """A class that can have no element; a root has a reason of its own, any other only that classes above it, or
    classes of which its elements would need one, are unsatisfiable.
    """

    iri: str
    is_root: bool
    derives_from: tuple[str, ...] = ()
    """The unsatisfiable classes that make this one so, too; of those above one another, the lowest."""


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
    reasons = Reasons(form, names)
    rows = [
        UnsatisfiableClass(iri, reasons.is_root(number), tuple(sorted(names[one] for one in reasons.sources(number))))
        for number, iri in names.items()
    ]
    return tuple(sorted(rows, key=lambda row: (not row.is_root, row.iri)))


class Reasons:
    """What would hold of unsatisfiable classes if nothing were impossible, and what is impossible about it.

    The kernel stops at ⊥. So the rules are run once more without what says that something is empty or disjoint; where
    such an axiom applies to the result, there is a clash.
    """

    def __init__(self, form: NormalForm, unsatisfiable: Iterable[int]) -> None:
        self._classes = frozenset(unsatisfiable)
        told = form.told.rows
        self._empty = frozenset(told[told[:, 1] == BOTTOM, 0].tolist())
        self._disjoint: dict[int, list[int]] = {}
        for position, (members, _) in enumerate(form.disjoint):
            for member in members:
                self._disjoint.setdefault(member, []).append(position)
        without = replace(form, disjoint=(), told=Table(told[told[:, 1] != BOTTOM]))
        self._facts: Facts = saturate_form(without, roots=sorted(self._classes)).base
        self._rows: dict[int, frozenset[int]] = {}
        self._clashes: dict[int, frozenset[tuple[int, ...]]] = {}
        self._impossible = self._all_impossible()

    def is_root(self, concept: int) -> bool:
        """Return whether a class is unsatisfiable for a reason that is no other class's."""
        above = self._above(concept)
        if any(all(clash not in self.clashes(other) for other in above) for clash in self.clashes(concept)):
            return True
        return not self.sources(concept) or any(
            target in self._impossible and not self._named(target) for target in self._targets(concept)
        )

    def sources(self, concept: int) -> frozenset[int]:
        """Return the other unsatisfiable classes because of which a class is so, the lowest of those above it."""
        above = self._above(concept)
        lowest = {one for one in above if not any(one in self.row(other) for other in above - {one})}
        linked = {
            one
            for target in self._targets(concept)
            for named in [self._named(target)]
            for one in named
            if one != concept and not any(one in self.row(other) for other in named - {one})
        }
        return frozenset((lowest or above) | linked)

    def row(self, concept: int) -> frozenset[int]:
        """Return what a concept is below."""
        if concept not in self._rows:
            self._rows[concept] = frozenset(self._facts.subsumers(concept).tolist())
        return self._rows[concept]

    def clashes(self, concept: int) -> frozenset[tuple[int, ...]]:
        """Return what is impossible about what a concept is below: something empty, or two disjoint things."""
        if concept not in self._clashes:
            self._clashes[concept] = frozenset(self._clashes_of(self.row(concept)))
        return self._clashes[concept]

    def _clashes_of(self, row: frozenset[int]) -> Iterator[tuple[int, ...]]:
        yield from ((one,) for one in row & self._empty)
        if BOTTOM in row:
            yield (BOTTOM,)
        members: dict[int, list[int]] = {}
        for one in sorted(row):
            for axiom in self._disjoint.get(one, ()):
                members.setdefault(axiom, []).append(one)
        for several in members.values():
            yield from ((one, two) for position, one in enumerate(several) for two in several[position + 1 :])

    def _above(self, concept: int) -> frozenset[int]:
        """Return the unsatisfiable classes strictly above."""
        return frozenset(one for one in self.row(concept) & self._classes if concept not in self.row(one))

    def _targets(self, concept: int) -> list[int]:
        """Return what links lead to that is impossible."""
        _, targets = self._facts.links_from(concept)
        return [target for target in dict.fromkeys(targets.tolist()) if target in self._impossible]

    def _named(self, concept: int) -> frozenset[int]:
        """Return the unsatisfiable classes that a concept is below."""
        return self.row(concept) & self._classes

    def _all_impossible(self) -> frozenset[int]:
        """Return every concept met that is impossible: it has a clash, or needs something that is."""
        contexts = dict.fromkeys(self._facts.contexts.tolist())
        impossible = {context for context in contexts if self.clashes(context)}
        sources: dict[int, list[int]] = {}
        for source, target in zip(self._facts.sources.tolist(), self._facts.targets.tolist(), strict=True):
            sources.setdefault(target, []).append(source)
        stack = list(impossible)
        while stack:
            for source in sources.get(stack.pop(), ()):
                if source not in impossible:
                    impossible.add(source)
                    stack.append(source)
        return frozenset(impossible)
