"""Vtrees: which variables a decision diagram splits on first."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from moose.circuit.sdd.jobs import Job

if TYPE_CHECKING:
    from pysdd.sdd import Vtree

FEW = 20  # variables up to which random orders are tried as well: 0.2 s for the 14 of a digit
RANDOM_ORDERS = 6
MANY = 100  # variables from which a linear order is not tried: it hardly ever does better and can take long

Tree = int | tuple["Tree", "Tree"]
"""A variable, or two trees of variables."""


def balanced(variables: Sequence[int]) -> Tree:
    """Split in halves, the larger on the right, as PySDD does.

    >>> balanced([1, 2, 3])
    (1, (2, 3))
    """
    if len(variables) == 1:
        return variables[0]
    middle = len(variables) // 2
    return balanced(variables[:middle]), balanced(variables[middle:])


def linear(variables: Sequence[int]) -> Tree:
    """Split off one variable after another: the vtree of an ordered binary decision diagram.

    >>> linear([1, 2, 3])
    (1, (2, 3))
    """
    tree: Tree = variables[-1]
    for variable in reversed(variables[:-1]):
        tree = variable, tree
    return tree


def joined(parts: Sequence[Tree]) -> Tree:
    """Put one tree beside all the later ones."""
    tree = parts[-1]
    for part in reversed(parts[:-1]):
        tree = part, tree
    return tree


def candidates(job: Job) -> list[Tree]:
    """Return the vtrees to try."""
    own = list(range(1, job.own_count + 1))
    return [_whole(job, middle) for middle in (_arrangements(job, own) if own else [[]])]


def random_candidates(job: Job) -> list[Tree]:
    """Return more vtrees to try, of random orders, for a whole theory of few variables."""
    own = list(range(1, job.own_count + 1))
    if job.shape != "best" or len(own) < job.variable_count or len(own) > FEW:
        return []
    random = np.random.default_rng(0)
    orders = [random.permutation(own).tolist() for _ in range(RANDOM_ORDERS)]
    return [_whole(job, [shape(order)]) for order in orders for shape in (balanced, linear)]


def _whole(job: Job, middle: Sequence[Tree]) -> Tree:
    """Put the separator before the bag's own variables and the names behind them."""
    apart = job.separator.tolist()
    blocks = [job.names[start:stop].tolist() for start, stop in pairwise(job.block_starts.tolist()) if stop > start]
    before = [balanced(apart)] if apart else []
    after = [linear(block) for block in blocks]
    return joined([*before, *middle, *after])


def _arrangements(job: Job, own: list[int]) -> list[list[Tree]]:
    """Return ways to arrange a bag's own variables.

    Where there are several individuals, their role atoms come first and then one individual after another: once the
    roles are decided, little connects these. Or each individual with the roles to those before it.
    """
    if job.shape != "best":
        return [[balanced(own) if job.shape == "balanced" else linear(own)]]
    arrangements: list[list[Tree]] = []
    clusters = job.clusters.tolist()
    individuals = sorted({cluster if cluster >= 0 else -1 - cluster for cluster in clusters})
    if len(individuals) > 1:
        concepts = [[v for v in own if clusters[v - 1] == one] for one in individuals]
        roles = [v for v in own if clusters[v - 1] < 0]
        late = [[v for v in roles if clusters[v - 1] == -1 - one] for one in individuals]
        arrangements.append([*roles, *(linear(part) for part in concepts if part)])
        arrangements.append(
            [balanced(part + own_roles) for part, own_roles in zip(concepts, late) if part or own_roles]
        )
    orders = [own] if len(job.separator) else [own, own[::-1]]
    arrangements += [[balanced(order)] for order in orders]
    return arrangements + ([[linear(order)] for order in orders] if len(own) <= MANY else [])


def leaves(tree: Tree) -> list[int]:
    """Return the variables from left to right.

    >>> leaves(((1, 3), 2))
    [1, 3, 2]
    """
    variables: list[int] = []
    agenda = [tree]
    while agenda:
        part = agenda.pop()
        if isinstance(part, tuple):
            agenda += [part[1], part[0]]
        else:
            variables.append(part)
    return variables


def make_vtree(tree: Tree) -> Vtree:
    """Build the vtree in PySDD, which takes one of any shape only from a file."""
    from pysdd.sdd import Vtree

    assert sorted(leaves(tree)) == list(range(1, len(leaves(tree)) + 1)), "PySDD would overrun its memory"
    with _file_of(_vtree_text(tree)) as path:
        return Vtree.from_file(path)


@contextmanager
def _file_of(text: str) -> Iterator[str]:
    """Give the name of a file that holds a text: in memory where the system can, as a disk may be read-only."""
    if hasattr(os, "memfd_create"):
        with os.fdopen(os.memfd_create("moose-vtree"), "w", encoding="ascii", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            yield f"/proc/self/fd/{stream.fileno()}"
        return
    descriptor, path = tempfile.mkstemp(prefix="moose-", suffix=".vtree")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as stream:
            stream.write(text)
        yield path
    finally:
        Path(path).unlink()


def _vtree_text(tree: Tree) -> str:
    """Write a vtree in the format of the SDD library: children before parents, numbered in order."""
    lines: list[str] = []
    done: list[int] = []
    agenda: list[Tree | None] = [tree]
    while agenda:
        part = agenda.pop()
        if part is None:
            right, left = done.pop(), done.pop()
            lines.append(f"I {len(lines)} {left} {right}")
        elif isinstance(part, int):
            lines.append(f"L {len(lines)} {part}")
        else:
            agenda += [None, part[1], part[0]]
            continue
        done.append(len(lines) - 1)
    return f"vtree {len(lines)}\n" + "\n".join(lines) + "\n"
