"""Find the axiom of an ontology that is meant: annotations and the order of operands make no difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from moose.base.suggestions import similarity
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.signature import LEAVES, PARTS, walk
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render

UNORDERED: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((ax.EquivalentClasses, ax.DisjointClasses, ax.DisjointUnion), ("operands",)),
    **dict.fromkeys((ax.EquivalentObjectProperties, ax.DisjointObjectProperties), ("operands",)),
    **dict.fromkeys((ax.EquivalentDataProperties, ax.DisjointDataProperties), ("operands",)),
    **dict.fromkeys((ax.SameIndividual, ax.DifferentIndividuals, owl.ObjectOneOf), ("individuals",)),
    **dict.fromkeys((owl.ObjectIntersectionOf, owl.ObjectUnionOf), ("operands",)),
    **dict.fromkeys((owl.DataIntersectionOf, owl.DataUnionOf), ("operands",)),
    owl.DataOneOf: ("literals",),
    owl.DatatypeRestriction: ("facets",),
    ax.HasKey: ("object_properties", "data_properties"),
}
"""The part of each construct whose order means nothing; the structural specification of OWL 2 makes it a set."""

_LEAVES = frozenset(LEAVES)
MOST_SUGGESTIONS = 3
# Ranking by text takes some 0.1 ms an axiom.
MOST_COMPARED = 1_000


def structure(value: object) -> object:
    """Return what two axioms have in common just when they say the same in the same words.

    >>> a, b = owl.Class("a"), owl.Class("b")
    >>> structure(ax.EquivalentClasses((a, b))) == structure(ax.EquivalentClasses((b, a)))
    True
    """
    kind = type(value)
    if kind in _LEAVES:
        return value
    if isinstance(value, tuple):
        return tuple([structure(item) for item in value])
    if isinstance(value, ax.InverseObjectProperties):
        return kind, _unordered((value.first, value.second))
    names = PARTS.get(kind)
    if names is None:  # a number, a word, a truth value
        return value
    unordered = UNORDERED.get(kind, ())
    parts: list[object] = [kind]
    for name in names:
        part = getattr(value, name)
        parts.append(_unordered(part) if name in unordered else structure(part))
    return tuple(parts)


def _unordered(operands: tuple[object, ...]) -> object:
    """Return operands without their order and repetitions; one that only repeats itself is kept as it is read."""
    counts = Counter(map(structure, operands))
    return frozenset(counts) if len(counts) > 1 else frozenset(counts.items())


class AxiomPositions:
    """Where the axioms of an ontology stand, looked up by what they say; each kind is indexed when first needed."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._by_kind: dict[type, dict[object, list[int]]] = {}

    def of(self, axiom: ax.Axiom) -> tuple[int, ...]:
        """Return all positions at which an axiom stands, whatever its annotations."""
        index = self._by_kind.get(type(axiom))
        if index is None:
            index = self._by_kind[type(axiom)] = {}
            for position, known in enumerate(self._ontology.axioms):
                if type(known) is type(axiom):
                    index.setdefault(structure(known), []).append(position)
        return tuple(index.get(structure(axiom), ()))


def closest(axiom: ax.Axiom, ontology: Ontology, names: Names) -> list[str]:
    """Return a few axioms, as people read them, that look like one: those that share most names, then most text."""
    wanted = frozenset(entities(axiom))
    text = spelt(axiom, names.show)
    shared = ((len(wanted.intersection(entities(known))), known) for known in ontology.axioms)
    best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    ranked = [
        (count + similarity(text, shown), shown)
        for count, known in islice(best, MOST_COMPARED)
        for shown in [spelt(known, names.show)]
    ]
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    return list(dict.fromkeys(shown for _, shown in ranked))[:MOST_SUGGESTIONS]


def entities(axiom: ax.Axiom) -> Iterator[object]:
    """Yield the entities of an axiom."""
    return (part for part in walk(axiom) if type(part) in _LEAVES)


def spelt(axiom: ax.Axiom, display: Callable[[str], str]) -> str:
    """Write an axiom with names as they are displayed, without its annotations."""
    return render(replace(axiom, annotations=()) if axiom.annotations else axiom, display)
