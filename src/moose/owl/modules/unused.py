"""What an answer leaves open: axioms that can matter for it, and of which EL does not use all.

Where there are none, what is not derived does not follow. Otherwise it was merely not found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from weakref import WeakKeyDictionary

from moose.owl.model.axioms import Axiom
from moose.owl.modules.gates import NEVER, Gates, Name
from moose.owl.modules.locality import Locality
from moose.owl.modules.module_extraction import Inclusion, Modules, goal_module
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside


def unused(ontology: Ontology, goals: Iterable[Inclusion]) -> tuple[Outside, ...]:
    """Return the axioms that can matter for class inclusions of OWL 2 EL and are not used whole, in their order.

    >>> import moose
    >>> from moose.owl.model.axioms import SubClassOf
    >>> from moose.owl.model.expressions import Class, ObjectUnionOf
    >>> a, b, c, d = map(Class, "abcd")
    >>> ontology = moose.ontology([SubClassOf(a, ObjectUnionOf((b, c))), SubClassOf(b, d), SubClassOf(c, d)])
    >>> len(unused(ontology, [(a, d)])), len(unused(ontology, [(b, d)]))
    (1, 0)
    """
    return tuple(unused_positions(ontology, goals).values())


def unused_positions(
    ontology: Ontology, goals: Iterable[Inclusion], *, absent: Collection[int] = ()
) -> dict[int, Outside]:
    """Return the same by position in the ontology, as if some axioms were not there."""
    gaps = _gaps(ontology)
    if not gaps.rows.keys() - absent:
        return {}
    positions = {position for goal in goals for position in gaps.module(goal, absent)}
    return {position: row for position, row in gaps.rows.items() if position in positions}


def module_of(ontology: Ontology, goals: Iterable[Inclusion], *, absent: Collection[int] = ()) -> list[int]:
    """Return the positions, sorted, of the axioms that can matter for class inclusions of OWL 2 EL."""
    gaps = _gaps(ontology)
    return sorted({position for goal in goals for position in gaps.module(goal, absent)})


def unused_anywhere(ontology: Ontology) -> tuple[Outside, ...]:
    """Return the axioms that can matter for something in the ontology's own names and are not used whole."""
    return _gaps(ontology).of_all_names


def unused_for_individuals(ontology: Ontology) -> tuple[Outside, ...]:
    """Return the axioms that can matter for what individuals are and are not used whole."""
    return unused_for_names(ontology, ())


def unused_for_names(ontology: Ontology, names: Iterable[Name]) -> tuple[Outside, ...]:
    """Return the axioms that can matter for what named individuals are, in some names, and are not used whole."""
    gaps = _gaps(ontology)
    if not gaps.of_all_names:
        return ()
    positions = set(gaps.modules.module(names))
    return tuple(row for position, row in gaps.rows.items() if position in positions)


def axioms_for_names(ontology: Ontology, names: Iterable[Name]) -> tuple[Axiom, ...]:
    """Return all axioms that can matter for what named individuals are, in some names, in their order."""
    return tuple(ontology.axioms[position] for position in _gaps(ontology).modules.module(names))


class Gaps:
    """The axioms of an ontology that are not used whole, by position, and the modules to look for them in."""

    def __init__(self, ontology: Ontology) -> None:
        self.axioms: tuple[Axiom, ...] = ontology.axioms
        waiting = iter(row for row in ontology.profile.outside if not row.is_exact)
        row = next(waiting, None)
        self.rows: dict[int, Outside] = {}
        for position, axiom in enumerate(self.axioms if row is not None else ()):
            if row is not None and row.axiom is axiom:
                self.rows[position] = row
                row = next(waiting, None)
        self._module_of: dict[tuple[Inclusion, frozenset[int]], list[int]] = {}

    @cached_property
    def modules(self) -> Modules:
        """The modules of all axioms, made when first asked for: most ontologies never need them."""
        return Modules(self.axioms)

    @cached_property
    def of_all_names(self) -> tuple[Outside, ...]:
        """The axioms that say something about the names of the ontology."""
        locality = Locality(Gates())
        return tuple(row for row in self.rows.values() if locality.gate(row.axiom) != NEVER)

    def module(self, goal: Inclusion, absent: Collection[int]) -> list[int]:
        """Return the positions of the axioms that can matter for C ⊑ D."""
        key = (goal, frozenset(absent))
        if key not in self._module_of:
            if len(self._module_of) >= MOST_KEPT:
                self._module_of.clear()
            self._module_of[key] = goal_module(self.modules, goal, absent=key[1])
        return self._module_of[key]


MOST_KEPT = 1_000
"""How many modules are kept for the next time that something about their goals is asked."""
_KEPT: WeakKeyDictionary[Ontology, Gaps] = WeakKeyDictionary()
"""Kept as long as the ontology is, to which it must not refer."""


def _gaps(ontology: Ontology) -> Gaps:
    gaps = _KEPT.get(ontology)
    if gaps is None:
        gaps = _KEPT[ontology] = Gaps(ontology)
    return gaps
