"""Compile one job with PySDD, and copy the diagram out of it. This file and `vtrees` alone know PySDD."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np

from moose.circuit.fragments import Fragment, Functions, Job
from moose.circuit.limits import Overgrown
from moose.circuit.simplify import simplify
from moose.circuit.vtrees import Tree, balanced, joined, linear, make_vtree

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode

Checkpoint = Callable[[float, int], None]
"""Called between two steps with the share that is done and the present size; raises to stop."""

ROUNDS = 8  # of minimisation; PySDD's search often finds more when it is started again, four rounds are the most seen
FEW_VARIABLES = 100  # up to which several vtrees are tried; with more, the vtree is changed while clauses are conjoined
VERY_FEW_VARIABLES = 20  # up to which random orders are tried as well: 0.2 s for the 14 of a digit
RANDOM_ORDERS = 6
SMALL_DIAGRAM = 3000  # elements; for a larger one, one vtree has to do, because to minimise takes seconds


def run_job(job: Job, checkpoint: Checkpoint) -> Fragment:
    """Compile a job on the vtree that its shape names; for "best", on each of several, and keep the smallest result."""
    if job.variable_count == 0:
        return _constant(is_true=len(job.starts) == 1)

    def check(share: float, size: int) -> None:
        if job.most_elements is not None and size > job.most_elements:
            raise Overgrown(share, size)
        checkpoint(share, size)

    found: list[tuple[int, Fragment]] = []
    for tree in _trees(job):
        fragment = _compile_on(job, tree, check)
        found.append((_template_size(fragment, job), fragment))
        if fragment.size > SMALL_DIAGRAM:
            break
    return min(found, key=lambda pair: pair[0])[1]


def _template_size(fragment: Fragment, job: Job) -> int:
    """Return the size that counts in the end: of the template that the fragment becomes."""
    own = job.variable_count - len(job.separator) - len(job.names)
    return simplify(fragment, own_count=own, names=job.names, order=range(len(fragment.results))).size


def _constant(*, is_true: bool) -> Fragment:
    """Return the fragment of a theory without variables."""
    nothing, roots = np.zeros(0, np.int32), np.zeros(2 if is_true else 0, np.int32)
    return Fragment(Functions(0, np.zeros(1, np.int64), nothing, nothing, roots), nothing, 0, 0)


def _trees(job: Job) -> Iterator[Tree]:
    """Yield the vtrees to try: the separator, then the bag's own variables in some order and shape, then the blocks."""
    apart, named = set(job.separator.tolist()), set(job.names.tolist())
    own = [variable for variable in range(1, job.variable_count + 1) if variable not in apart | named]
    blocks = [job.names[start:stop].tolist() for start, stop in pairwise(job.block_starts.tolist()) if stop > start]
    for shape, order in _shapes(job, own) if own else [(linear, own)]:
        parts = [balanced(sorted(apart))] if apart else []
        parts += [shape(order)] if own else []
        yield joined([*parts, *(linear(block) for block in blocks)])


def _shapes(job: Job, own: list[int]) -> Iterator[tuple[Callable[[Sequence[int]], Tree], list[int]]]:
    """Yield the shapes and orders to try: as declared, and for a whole small theory backwards and at random, too."""
    if job.shape != "best" or job.variable_count > FEW_VARIABLES:
        yield linear if job.shape == "linear" else balanced, own
        return
    orders = [own] if job.variable_count > len(own) else [own, own[::-1]]
    if job.variable_count <= VERY_FEW_VARIABLES:
        random = np.random.default_rng(0)
        orders += [random.permutation(own).tolist() for _ in range(RANDOM_ORDERS)]
    yield from product((linear, balanced), orders)


def _compile_on(job: Job, tree: Tree, checkpoint: Checkpoint) -> Fragment:
    from pysdd.sdd import SddManager

    manager = SddManager.from_vtree(make_vtree(tree))
    if job.minimise and job.variable_count > FEW_VARIABLES:
        manager.auto_gc_and_minimize_on()
    theory = _conjoin_clauses(manager, job, tree, checkpoint)
    manager.auto_gc_and_minimize_off()
    if len(job.quantified):
        flags = np.zeros(job.variable_count + 1, np.int32)
        flags[job.quantified] = 1
        theory = manager.exists_multiple_static(flags, theory)
    for block in _blocks(manager, job):
        theory = manager.conjoin(theory, block)
        checkpoint(1.0, manager.live_size())
    if job.minimise and theory.is_decision():
        _minimise(manager, theory, is_divided=len(job.separator) > 0)
    return _export(theory, job)


# ── Building ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _conjoin_clauses(manager: SddManager, job: Job, tree: Tree, checkpoint: Checkpoint) -> SddNode:
    """Conjoin each clause where the vtree first holds all its variables, below before above: keeps what grows small."""
    order = _leaves(tree)
    rank = {variable: place for place, variable in enumerate(order)}
    waiting: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in order]  # by first leaf: last leaf and clause
    units = manager.true()
    flat, done, total = job.literals.tolist(), 0, len(job.starts) - 1
    for clause in sorted({tuple(sorted(set(flat[i:j]))) for i, j in pairwise(job.starts.tolist())}, key=_by_length):
        places = [rank[abs(literal)] for literal in clause]
        if not places:
            return manager.false()
        waiting[min(places)].append((max(places), clause))
    parts: list[tuple[int, SddNode, list[tuple[int, tuple[int, ...]]]]] = []  # last leaf, theory, clauses that wait
    leaf = 0
    agenda: list[Tree | None] = [tree]
    while agenda:
        part = agenda.pop()
        if isinstance(part, tuple):
            agenda += [None, part[1], part[0]]
            continue
        if part is None:
            last, right, later = parts.pop()
            _, left, earlier = parts.pop()
            theory, pending = manager.conjoin(left, right), earlier + later
        else:
            last, theory, pending = leaf, units, waiting[leaf]
            leaf += 1
        for _, clause in (entry for entry in pending if entry[0] <= last):
            theory = manager.conjoin(theory, _disjoin(manager, clause))
            done += 1
            checkpoint(done / total, manager.live_size())
        parts.append((last, theory, [entry for entry in pending if entry[0] > last]))
    return parts[0][1]


def _by_length(clause: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(clause), clause


def _leaves(tree: Tree) -> list[int]:
    """Return the variables from left to right."""
    found: list[int] = []
    agenda = [tree]
    while agenda:
        part = agenda.pop()
        if isinstance(part, tuple):
            agenda += [part[1], part[0]]
        else:
            found.append(part)
    return found


def _disjoin(manager: SddManager, clause: Sequence[int]) -> SddNode:
    disjunction = manager.false()
    for literal in clause:
        disjunction = manager.disjoin(disjunction, manager.literal(literal))
    return disjunction


def _blocks(manager: SddManager, job: Job) -> Iterator[SddNode]:
    """Yield for each block ⋁ₖ functionₖ ∧ nameₖ ∧ no other name: exactly one of the block's functions holds."""
    nodes = rebuild(manager, job.blocks) if len(job.names) else []
    for start, stop in pairwise(job.block_starts.tolist()):
        names = job.names[start:stop].tolist()
        block = manager.false()
        for chosen, function in zip(names, nodes[start:stop]):
            case = function
            for name in names:
                case = manager.conjoin(case, manager.literal(name if name == chosen else -name))
            block = manager.disjoin(block, case)
        yield block


def rebuild(manager: SddManager, functions: Functions) -> list[SddNode]:
    """Build functions again in another manager, whatever its vtree."""
    count = functions.variable_count
    nodes = [manager.literal(v) for v in range(1, count + 1)] + [manager.literal(-v) for v in range(1, count + 1)]
    nodes += [manager.true(), manager.false()]
    primes, subs = functions.primes.tolist(), functions.subs.tolist()
    for start, stop in pairwise(functions.starts.tolist()):
        decision = manager.false()
        for element in range(start, stop):
            product = manager.conjoin(nodes[primes[element]], nodes[subs[element]])
            decision = manager.disjoin(decision, product)
        nodes.append(decision)
    return [nodes[root] for root in functions.roots.tolist()]


def _minimise(manager: SddManager, theory: SddNode, *, is_divided: bool) -> None:
    """Search for a better vtree until it finds none; a divided one keeps its root and its left side."""
    size = theory.size()
    for _ in range(ROUNDS):
        found = manager.vtree_minimize(manager.vtree().right() if is_divided else manager.vtree())
        found.is_ref = True  # the vtree belongs to the manager: without this PySDD would free it twice
        if theory.size() >= size:
            return
        size = theory.size()


# ── Copying out ───────────────────────────────────────────────────────────────────────────────────────────────────


def _export(theory: SddNode, job: Job) -> Fragment:
    classes = _classes(theory, job)
    conditions, results = _canonical([p for p, _ in classes], job.variable_count), [s for _, s in classes]
    copier = _Copier(job.variable_count)
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
    position, place = theory.vtree().position(), root.position()
    if position == place:
        return [(prime, sub) for prime, sub in theory.elements() if not sub.is_false()]
    return [(theory, manager.true())] if position < place else [(manager.true(), theory)]


def _canonical(conditions: list[SddNode], variable_count: int) -> list[SddNode]:
    """Build the conditions again on the balanced vtree of just the variables that they depend on.

    There equal functions have equal diagrams, whatever else the separator holds.
    """
    from pysdd.sdd import SddManager

    copier = _Copier(variable_count)
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
    found: dict[int, SddNode] = {}
    agenda = list(roots)
    while agenda:
        node = agenda.pop()
        if node.is_decision() and node.id not in found:
            found[node.id] = node
            for prime, sub in node.elements():
                agenda += [prime, sub]
    return list(found.values())


class _Copier:
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
