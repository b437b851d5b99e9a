"""A hierarchy of classes: what stands directly above each, which exclude each other, and what follows from labels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.owl.model.axioms import Axiom, DisjointClasses, SubClassOf
from moose.owl.model.expressions import Class
from moose.owl.ontology import Ontology, ontology_from_axioms

Signs = NDArray[np.int8]
Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchy:
    """Classes in the order of their depth and name; make it with `make_hierarchy`."""

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    """For each class those directly above it."""
    depths: NDArray[np.int64]
    """How many classes stand on the shortest way from the top to each, itself included: 1 at the top."""
    order: tuple[int, ...]
    """Every class after all that stand above it."""
    disjoint: tuple[tuple[int, int], ...] = ()
    """Pairs of classes that nothing can have both of."""

    def __len__(self) -> int:
        return len(self.names)


def make_hierarchy(names: Collection[str], pairs: Pairs, *, disjoint: Pairs = ()) -> Hierarchy:
    """Make a hierarchy of pairs of a class and one directly above it; refuse a cycle.

    >>> make_hierarchy("cab", [("b", "a"), ("c", "b"), ("c", "a")]).names
    ('a', 'b', 'c')
    """
    above: dict[str, set[str]] = {name: set() for name in sorted(names)}
    for low, high in pairs:
        if low != high:
            above[low].add(high)
    try:
        upward = list(TopologicalSorter(above).static_order())
    except CycleError as error:
        circle = " below ".join(error.args[1][:4])
        raise MooseError(f"expected a hierarchy, but its classes stand in a circle: {circle} …") from None
    depth: dict[str, int] = {}
    for name in upward:
        depth[name] = 1 + min((depth[high] for high in above[name]), default=0)
    ordered = sorted(above, key=lambda name: (depth[name], name))
    number = {name: position for position, name in enumerate(ordered)}
    return Hierarchy(
        names=tuple(ordered),
        parents=tuple(tuple(sorted(number[high] for high in above[name])) for name in ordered),
        depths=np.array([depth[name] for name in ordered], dtype=np.int64),
        order=tuple(number[name] for name in upward),
        disjoint=tuple(sorted({(min(one), max(one)) for one in _numbered(disjoint, number)})),
    )


def _numbered(pairs: Pairs, number: dict[str, int]) -> Iterable[tuple[int, int]]:
    return ((number[one], number[other]) for one, other in pairs)


def part_of_hierarchy(hierarchy: Hierarchy, is_kept: NDArray[np.bool_]) -> Hierarchy:
    """Return some of the classes, which must have with each class all that stand above it."""
    names = hierarchy.names
    kept = [position for position in range(len(hierarchy)) if is_kept[position]]
    assert all(is_kept[high] for low in kept for high in hierarchy.parents[low]), "the part is not closed upward"
    return make_hierarchy(
        [names[one] for one in kept],
        [(names[low], names[high]) for low in kept for high in hierarchy.parents[low]],
        disjoint=[(names[one], names[other]) for one, other in hierarchy.disjoint if is_kept[one] and is_kept[other]],
    )


def with_disjoint_siblings(hierarchy: Hierarchy) -> Hierarchy:
    """Return the hierarchy of a tree in which nothing can have two classes that stand directly below the same one."""
    if any(len(highs) > 1 for highs in hierarchy.parents):
        raise MooseError("siblings are declared disjoint in trees only, but here a class stands below two others")
    below: dict[tuple[int, ...], list[int]] = {}
    for position, highs in enumerate(hierarchy.parents):
        below.setdefault(highs, []).append(position)
    pairs = [(one, other) for same in below.values() for one in same for other in same if one < other]
    return Hierarchy(hierarchy.names, hierarchy.parents, hierarchy.depths, hierarchy.order, tuple(sorted(pairs)))


def label_truth(hierarchy: Hierarchy, labels: Sequence[Iterable[str]]) -> Signs:
    """Return row × class: +1 for a row's labels and all that stands above them, -1 for everything else."""
    number = {name: position for position, name in enumerate(hierarchy.names)}
    holds = np.zeros((len(hierarchy), len(labels)), dtype=bool)
    for row, own in enumerate(labels):
        for label in own:
            holds[number[label], row] = True
    spread_up(hierarchy, holds)
    return np.where(holds.T, 1, -1).astype(np.int8)


def complete_evidence(hierarchy: Hierarchy, signs: Signs) -> Signs:
    """Return what the theory entails from observed labels, row × class: +1, -1, and 0 for what stays open.

    What holds brings all that stands above it, and excludes what is disjoint with it; what does not hold excludes all
    that stands below it. Contradictory labels are refused.
    """
    holds, fails = signs.T > 0, signs.T < 0
    spread_up(hierarchy, holds)
    for one, other in hierarchy.disjoint:
        fails[one] |= holds[other]
        fails[other] |= holds[one]
    fails[_unsatisfiable(hierarchy)] = True
    for position in hierarchy.order:
        for high in hierarchy.parents[position]:
            fails[position] |= fails[high]
    if (wrong := holds & fails).any():
        position, row = (int(one) for one in np.argwhere(wrong)[0])
        raise MooseError(
            f"the labels of row {row} contradict the hierarchy: {hierarchy.names[position]} is said or implied to hold "
            f"and not to hold"
        )
    return (holds.astype(np.int8) - fails.astype(np.int8)).T


def spread_up(hierarchy: Hierarchy, holds: NDArray[np.bool_]) -> None:
    """Let every class hold, class × row, of which one below holds."""
    for position in reversed(hierarchy.order):
        for high in hierarchy.parents[position]:
            holds[high] |= holds[position]


def _unsatisfiable(hierarchy: Hierarchy) -> list[int]:
    """Return the classes that stand below two disjoint ones."""
    if not hierarchy.disjoint:
        return []
    above = ancestors(hierarchy)
    return [low for low in range(len(hierarchy)) if any(above[low, a] and above[low, b] for a, b in hierarchy.disjoint)]


def ancestors(hierarchy: Hierarchy) -> NDArray[np.bool_]:
    """Return class × class: whether the second is the first or stands above it.

    >>> ancestors(make_hierarchy("abc", [("b", "a"), ("c", "b")])).sum(axis=1).tolist()
    [1, 2, 3]
    """
    above = np.eye(len(hierarchy), dtype=bool)
    for position in hierarchy.order:
        for high in hierarchy.parents[position]:
            above[position] |= above[high]
    return above


def hierarchy_ontology(hierarchy: Hierarchy, iri: Callable[[str], str]) -> Ontology:
    """Return the ontology of subclass axioms, and of disjoint pairs where there are any."""
    classes = [Class(iri(name)) for name in hierarchy.names]
    axioms: list[Axiom] = [
        SubClassOf(classes[low], classes[high]) for low, highs in enumerate(hierarchy.parents) for high in highs
    ]
    axioms += [DisjointClasses((classes[one], classes[other])) for one, other in hierarchy.disjoint]
    return ontology_from_axioms(axioms, declarations=classes)
