"""The hierarchy as a tree whose branches are opened one by one: equivalent classes are one node, ⊤ is the root."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from moose.owl.model.expressions import THING
from moose.saturation.answers.taxonomy import Taxonomy
from moose.saturation.engine.arrays import Indices, Integers

ROOT = THING.iri


@dataclass(frozen=True)
class ClassTree:
    """The children of each class, found by one sort of all direct pairs."""

    taxonomy: Taxonomy
    name: Callable[[str], str]
    """What a class is called; children are sorted by it."""

    def children(self, iri: str) -> list[str]:
        """Return the classes directly below a class, one of those that are equivalent, sorted by name."""
        if iri == ROOT:
            numbers = self._roots
        else:
            number = self.taxonomy.row_numbers.get(iri)
            if number is None:
                return []
            pointers, below = self._below
            node = int(self._nodes[number])
            numbers = below[pointers[node] : pointers[node + 1]]
        names = self.taxonomy.rows.names
        return sorted((names[one] for one in numbers.tolist()), key=lambda one: (self.name(one).casefold(), one))

    def count(self, iri: str) -> int:
        """Return how many children a class has."""
        if iri == ROOT:
            return len(self._roots)
        number = self.taxonomy.row_numbers.get(iri)
        if number is None:
            return 0
        node = int(self._nodes[number])
        pointers, _ = self._below
        return int(pointers[node + 1] - pointers[node])

    def node(self, iri: str) -> str:
        """Return the class that stands in the tree for a class: itself, or the first of its equivalents."""
        number = self.taxonomy.row_numbers.get(iri)
        return iri if number is None else self.taxonomy.rows.names[int(self._nodes[number])]

    def parents(self, iri: str) -> list[str]:
        """Return the nodes directly above a class; of one that has no class above it, the root."""
        number = self.taxonomy.row_numbers.get(iri)
        if number is None:
            return []
        rows = self.taxonomy.rows
        row = rows.row(number)
        nodes = np.unique(self._nodes[rows.above[row][rows.is_direct[row]]])
        return [rows.names[one] for one in nodes.tolist()] or [ROOT]

    def path(self, iri: str) -> list[str]:
        """Return one way from the root down to the node of a class, both included; empty for one without elements."""
        if iri == ROOT:
            return [ROOT]
        if iri not in self.taxonomy.row_numbers:
            return []
        way = [self.node(iri)]
        while way[-1] != ROOT:
            way.append(self.parents(way[-1])[0])
        return way[::-1]

    @cached_property
    def _nodes(self) -> Indices:
        """Return, for each row, the first row of its equivalents: of those above it, the ones as high as it is."""
        rows = self.taxonomy.rows
        sources = np.repeat(np.arange(len(rows.names), dtype=np.int32), rows.heights)
        is_equal = rows.heights[rows.above] == rows.heights[sources]
        nodes = np.arange(len(rows.names), dtype=np.int32)
        np.minimum.at(nodes, sources[is_equal], rows.above[is_equal])
        return nodes

    @cached_property
    def _below(self) -> tuple[Integers, Indices]:
        """Return the nodes directly below each node, as pointers and rows."""
        rows, nodes = self.taxonomy.rows, self._nodes
        sources = np.repeat(np.arange(len(rows.names), dtype=np.int32), rows.heights)
        is_own = rows.is_direct & (nodes[sources] == sources)
        size = max(1, len(rows.names))
        pairs = np.unique(nodes[rows.above[is_own]].astype(np.int64) * size + sources[is_own])
        pointers = np.searchsorted(pairs, np.arange(len(rows.names) + 1) * size)
        return pointers, (pairs % size).astype(np.int32)

    @cached_property
    def _roots(self) -> Indices:
        """Return the nodes that no class is above."""
        rows = self.taxonomy.rows
        if not rows.names:
            return np.zeros(0, dtype=np.int32)
        has_parent = np.logical_or.reduceat(rows.is_direct, rows.pointers[:-1])
        is_node = self._nodes == np.arange(len(rows.names))
        return np.flatnonzero(is_node & ~has_parent).astype(np.int32)
