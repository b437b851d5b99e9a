"""Role assertions between individuals that have numbers, all of them together as arrays.

A graph has millions of them. The numbers are those that the axioms would have got one by one, in document order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl

FEW = 1_000
"""Role assertions up to which they are recorded one by one."""

Indices = npt.NDArray[np.int32]
Positions = npt.NDArray[np.int64]


class Numbers(Protocol):
    """The numbers that concepts and roles have so far."""

    classes: dict[str, int]
    somes: dict[tuple[int, int], int]
    nominal_of: dict[str, int]
    object_role_of: dict[str, int]

    def number_somes(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Number ∃r.D for pairs (r, D)."""
        ...


@dataclass
class NamedLinks:
    """The assertions r(a, b) at some positions among the axioms, and the ∃r.{b} that they need, by first appearance."""

    ids: Numbers
    positions: Positions
    sources: Indices
    pairs: list[tuple[int, int]]
    """The distinct (r, {b}), in the order in which they appear."""
    firsts: list[int]
    """Of each pair, at which axiom it appears first."""
    pair_of: Positions
    """Of each assertion, which pair it has."""
    numbered: int = 0

    def number_before(self, position: int) -> None:
        """Give numbers to the ∃r.{b} that appear before an axiom."""
        start = self.numbered
        while self.numbered < len(self.firsts) and self.firsts[self.numbered] < position:
            self.numbered += 1
        self.ids.number_somes(self.pairs[start : self.numbered])

    def knows(self, axiom: ax.Axiom) -> bool:
        """Return whether an axiom is seen at once to speak of nothing that has no number yet."""
        return (
            isinstance(axiom, ax.ClassAssertion)
            and isinstance(axiom.cls, owl.Class)
            and axiom.cls.iri in self.ids.classes
            and isinstance(axiom.individual, owl.NamedIndividual)
            and axiom.individual.iri in self.ids.nominal_of
        )

    def rows(self) -> Indices:
        """Return the rows {a} ⊑ ∃r.{b} with the positions of their axioms, all pairs being numbered."""
        somes = np.fromiter(map(self.ids.somes.__getitem__, self.pairs), dtype=np.int32, count=len(self.pairs))
        return np.column_stack([self.sources, somes[self.pair_of], self.positions]).astype(np.int32)


def in_order(told: Indices, links: Indices) -> Indices:
    """Return told rows, which are in the order of their axioms, with those of role assertions among them."""
    if not len(links):
        return told
    both = np.concatenate([told, links])
    return both[np.argsort(both[:, 2], kind="stable")]


def collect_links(axioms: Sequence[ax.Axiom], ids: Numbers) -> NamedLinks | None:
    """Collect the positive role assertions; None where they are few, or some end or role has no number yet."""
    places = [place for place, axiom in enumerate(axioms) if axiom.__class__ is ax.ObjectPropertyAssertion]
    if len(places) <= FEW:
        return None
    links = [axioms[place] for place in places]
    if any(map(attrgetter("negative"), links)):
        places = [place for place in places if not axioms[place].negative]  # type: ignore[union-attr]  # of that type
        links = [axioms[place] for place in places]
    roles = _numbers(
        map(attrgetter("property"), links), lambda one: ids.object_role_of.get(one.iri), owl.ObjectProperty
    )
    sources, targets = (
        _numbers(map(attrgetter(end), links), lambda one: ids.nominal_of.get(one.iri), owl.NamedIndividual)
        for end in ("source", "target")
    )
    if roles is None or sources is None or targets is None:
        return None
    keys = roles.astype(np.int64) << 32 | targets
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    chosen = first[order]
    positions = np.array(places, dtype=np.int64)
    return NamedLinks(
        ids=ids,
        positions=positions,
        sources=sources,
        pairs=[*zip(roles[chosen].tolist(), targets[chosen].tolist(), strict=True)],
        firsts=positions[chosen].tolist(),
        pair_of=rank[inverse],
    )


def _numbers(column: Iterable[object], number: Callable[[Any], int | None], kind: type) -> Indices | None:
    """Return the numbers of entities; None unless all are of a kind and have one.

    Readers keep one object for one entity, so that few have to be looked up; equal ones that are not one get the same.
    """
    entities = [*column]
    identities = np.fromiter(map(id, entities), dtype=np.int64, count=len(entities))
    _, first, inverse = np.unique(identities, return_index=True, return_inverse=True)
    each = [entities[place] for place in first.tolist()]
    numbers = [number(one) if type(one) is kind else None for one in each]
    return None if None in numbers else np.array(numbers, dtype=np.int32)[inverse]
