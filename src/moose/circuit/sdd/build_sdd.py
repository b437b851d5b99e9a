"""Build diagrams in PySDD: clauses conjoined along the vtree, and blocks of functions of which exactly one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from moose.circuit.sdd.jobs import Functions, Job
from moose.circuit.sdd.vtrees import Tree, leaves

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode

Checkpoint = Callable[[float, int], None]
"""Called between two steps with the share that is done and the present size; raises to stop."""


def conjoin_clauses(manager: SddManager, job: Job, tree: Tree, checkpoint: Checkpoint) -> SddNode:
    """Conjoin each clause where the vtree first holds all its variables, below before above: keeps what grows small."""
    order = leaves(tree)
    rank = {variable: position for position, variable in enumerate(order)}
    waiting: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in order]  # by first leaf: last leaf and clause
    units = manager.true()
    flat, done, total = job.literals.tolist(), 0, len(job.starts) - 1
    for clause in sorted({tuple(sorted(set(flat[i:j]))) for i, j in pairwise(job.starts.tolist())}, key=_by_length):
        ranks = [rank[abs(literal)] for literal in clause]
        if not ranks:
            return manager.false()
        waiting[min(ranks)].append((max(ranks), clause))
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


def _disjoin(manager: SddManager, clause: Sequence[int]) -> SddNode:
    disjunction = manager.false()
    for literal in clause:
        disjunction = manager.disjoin(disjunction, manager.literal(literal))
    return disjunction


def build_blocks(manager: SddManager, job: Job) -> Iterator[SddNode]:
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
