"""Vtrees: which variables a decision diagram splits on first."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysdd.sdd import Vtree

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


def make_vtree(tree: Tree) -> Vtree:
    """Build the vtree in PySDD, which takes one of any shape only from a file."""
    from pysdd.sdd import Vtree

    with tempfile.TemporaryDirectory(prefix="moose-") as folder:
        file = Path(folder) / "tree.vtree"
        file.write_text(_vtree_text(tree), encoding="ascii")
        return Vtree.from_file(str(file))


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
