"""What a bag shows its parent: the classes of states of its separator that it tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from moose.circuit.sdd.jobs import Fragment, Functions

LocalAtom = tuple[int, int, int]
"""A predicate, and the positions of its individuals; the second is -1 where there is one."""


@dataclass(frozen=True, eq=False)
class Interface:
    """The classes of states that a bag tells apart, in an order that they alone determine."""

    atoms: tuple[LocalAtom, ...]
    """The atoms that matter, with positions within the separator: variable k + 1 of the classes is `atoms[k]`."""
    classes: Functions
    """One function of these atoms for each class; they exclude each other."""
    key: tuple[tuple[LocalAtom, ...], tuple[bytes, ...]]
    """Equal for equal interfaces."""


def read_interface(fragment: Fragment, atoms: Sequence[LocalAtom], *, first: int) -> tuple[list[int], Interface]:
    """Return the order of the fragment's classes, and the interface in that order.

    The job's variables from `first` on are the separator's `atoms`. Its conditions stand on a vtree that their atoms
    determine, so equal functions have equal diagrams.
    """
    functions = fragment.functions
    names = [b"?"] * (first - 1) + [repr(atom).encode() for atom in atoms]
    names += [b"?"] * (functions.variable_count - len(names))
    digests = _digests(functions, names)
    conditions = fragment.conditions.tolist()
    order = sorted(range(len(conditions)), key=lambda index: digests[conditions[index]])
    roots = [conditions[index] for index in order]
    kept = _reached(functions, roots)
    used = sorted({(slot % functions.variable_count) + 1 for slot in (*kept.literals, *_literals(functions, roots))})
    numbers = {variable: index for index, variable in enumerate(used)}
    support = tuple(atoms[variable - first] for variable in used)
    classes = _restricted(functions, roots, decisions=kept.decisions, numbers=numbers)
    return order, Interface(support, classes, (support, tuple(digests[root] for root in roots)))


@dataclass(frozen=True, slots=True)
class _Reached:
    decisions: list[int]
    literals: set[int]


def _literals(functions: Functions, slots: Sequence[int]) -> list[int]:
    return [slot for slot in slots if slot < functions.true]


def _reached(functions: Functions, roots: Sequence[int]) -> _Reached:
    """Return the decisions and literals below some slots, the decisions in their order."""
    first = functions.first_decision
    decisions: set[int] = set()
    literals: set[int] = set()
    agenda = [root - first for root in roots if root >= first]
    while agenda:
        decision = agenda.pop()
        if decision in decisions:
            continue
        decisions.add(decision)
        start, stop = functions.starts[decision : decision + 2].tolist()
        below = [*functions.primes[start:stop].tolist(), *functions.subs[start:stop].tolist()]
        literals.update(_literals(functions, below))
        agenda += [slot - first for slot in below if slot >= first]
    return _Reached(sorted(decisions), literals)


def _digests(functions: Functions, names: Sequence[bytes]) -> list[bytes]:
    """Return for each slot a digest of the function there; on one vtree, equal functions have equal digests."""
    digests = [_digest(b"+", name) for name in names] + [_digest(b"-", name) for name in names]
    digests += [_digest(b"true"), _digest(b"false")]
    primes, subs = functions.primes.tolist(), functions.subs.tolist()
    for start, stop in pairwise(functions.starts.tolist()):
        digests.append(_digest(*sorted(digests[primes[e]] + digests[subs[e]] for e in range(start, stop))))
    return digests


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=16).digest()


def _restricted(functions: Functions, roots: list[int], *, decisions: list[int], numbers: dict[int, int]) -> Functions:
    """Copy some decisions to functions of the variables in `numbers` alone."""
    old, new = functions.variable_count, len(numbers)
    table = np.zeros(functions.first_decision + functions.decision_count, dtype=np.int32)
    for variable, index in numbers.items():
        table[variable - 1], table[old + variable - 1] = index, new + index
    table[functions.true], table[functions.false] = 2 * new, 2 * new + 1
    table[functions.first_decision + np.array(decisions, dtype=np.int64)] = 2 * new + 2 + np.arange(len(decisions))
    bounds = [functions.starts[decision : decision + 2].tolist() for decision in decisions]
    elements = np.concatenate([np.arange(0), *(np.arange(start, stop) for start, stop in bounds)])
    lengths = np.array([stop - start for start, stop in bounds], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Functions(
        new, starts, table[functions.primes[elements]], table[functions.subs[elements]], table[np.array(roots, int)]
    )
