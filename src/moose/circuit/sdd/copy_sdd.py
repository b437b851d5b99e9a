"""Copy diagrams out of PySDD: the classes of a theory, each decision once, children first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from moose.circuit.sdd.build_sdd import rebuild
from moose.circuit.sdd.jobs import Fragment, Functions, Job
from moose.circuit.sdd.vtrees import balanced, joined, linear, make_vtree

if TYPE_CHECKING:
    from pysdd.sdd import SddNode


def export(theory: SddNode, job: Job) -> Fragment:
    """Copy a theory: its classes and what each leaves to the rest."""
    classes = _classes(theory, job)
    conditions, results = _canonical([p for p, _ in classes], job.variable_count), [s for _, s in classes]
    copier = Copier(job.variable_count)
    roots = [copier.copy(node) for node in conditions]
    copier.slots.clear()  # the conditions may stand in a manager of their own, whose numbers mean other nodes
    roots += [copier.copy(node) for node in results]
    below = _reachable(results)
    return Fragment(
        functions=copier.functions(roots),
        sizes=np.array(copier.sizes, np.int32),
        size=sum(node.node_size() for node in below),
        count=len(below),
    )


def _classes(theory: SddNode, job: Job) -> list[tuple[SddNode, SddNode]]:
    """Return the elements of the root: a function of the separator, and what it leaves to the rest."""
    manager = theory.manager
    if theory.is_false():
        return []
    if len(job.separator) == 0 or theory.is_true():
        return [(manager.true(), theory)]
    if len(job.separator) == job.variable_count:
        return [(theory, manager.true())]
    root = manager.vtree()
    position, root_position = theory.vtree().position(), root.position()
    if position == root_position:
        return [(prime, sub) for prime, sub in theory.elements() if not sub.is_false()]
    return [(theory, manager.true())] if position < root_position else [(manager.true(), theory)]


def _canonical(conditions: list[SddNode], variable_count: int) -> list[SddNode]:
    """Build the conditions again on the balanced vtree of just the variables that they depend on.

    There equal functions have equal diagrams, whatever else the separator holds.
    """
    from pysdd.sdd import SddManager

    copier = Copier(variable_count)
    functions = copier.functions([copier.copy(node) for node in conditions])
    slots = np.concatenate([functions.primes, functions.subs, functions.roots])
    used = set((slots[slots < functions.true] % max(1, variable_count) + 1).tolist())
    if not used:
        return conditions
    unused = [variable for variable in range(1, variable_count + 1) if variable not in used]
    parts = [balanced(sorted(used)), *([linear(unused)] if unused else [])]
    return rebuild(SddManager.from_vtree(make_vtree(joined(parts))), functions)


def _reachable(roots: Sequence[SddNode]) -> list[SddNode]:
    """Return all decisions below some nodes, as PySDD counts them."""
    reached: dict[int, SddNode] = {}
    agenda = list(roots)
    while agenda:
        node = agenda.pop()
        if node.is_decision() and node.id not in reached:
            reached[node.id] = node
            for prime, sub in node.elements():
                agenda += [prime, sub]
    return list(reached.values())


class Copier:
    """Copies decisions, each once, children first; elements with a false sub are left out."""

    def __init__(self, variable_count: int) -> None:
        self.variable_count = variable_count
        self.slots: dict[int, int] = {}
        self.starts = [0]
        self.primes: list[int] = []
        self.subs: list[int] = []
        self.sizes: list[int] = []

    def copy(self, root: SddNode) -> int:
        """Copy what is below a node and return its slot."""
        agenda: list[tuple[SddNode, list[tuple[SddNode, SddNode]] | None]] = [(root, None)]
        while agenda:
            node, elements = agenda.pop()
            if elements is not None:
                self._add(node, elements)
            elif node.is_decision() and node.id not in self.slots:
                elements = [(prime, sub) for prime, sub in node.elements() if not sub.is_false()]
                agenda.append((node, elements))
                agenda += [(child, None) for element in elements for child in element]
        return self._slot(root)

    def _add(self, node: SddNode, elements: list[tuple[SddNode, SddNode]]) -> None:
        if node.id in self.slots:  # reached a second time before it was finished the first time
            return
        self.primes += [self._slot(prime) for prime, _ in elements]
        self.subs += [self._slot(sub) for _, sub in elements]
        self.slots[node.id] = 2 * self.variable_count + 1 + len(self.starts)
        self.starts.append(len(self.primes))
        self.sizes.append(node.node_size())

    def _slot(self, node: SddNode) -> int:
        if node.is_decision():
            return self.slots[node.id]
        if node.is_literal():
            literal: int = node.literal
            return literal - 1 if literal > 0 else self.variable_count - literal - 1
        return 2 * self.variable_count + (1 if node.is_false() else 0)

    def functions(self, roots: Sequence[int]) -> Functions:
        """Return everything that was copied."""
        return Functions(
            self.variable_count,
            np.array(self.starts, np.int64),
            np.array(self.primes, np.int32),
            np.array(self.subs, np.int32),
            np.array(roots, np.int32),
        )
