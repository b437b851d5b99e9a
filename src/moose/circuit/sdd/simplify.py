"""From the diagram of a bag to a template: class variables become holes that the children's circuits are put into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from moose.circuit.sdd.jobs import Fragment, Integers, Job, Pointers

Elements = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Template:
    """Circuits that share their decisions, to be instantiated by looking slots up in a table.

    With n atoms and h holes, slot k < n is the literal of atom k, n + k its negation, 2n is ⊤, 2n + 1 is ⊥, then come
    the holes, then the decisions.
    """

    atom_count: int
    hole_count: int
    starts: Pointers
    primes: Integers
    subs: Integers
    results: Integers
    """The slot of each class."""
    size: int
    """Elements as PySDD counts them."""
    nodes: int
    """Decisions as PySDD counts them."""

    @property
    def decision_count(self) -> int:
        """How many decisions there are."""
        return len(self.starts) - 1


def simplify(fragment: Fragment, job: Job, *, order: Sequence[int]) -> Template:
    """Put a hole for each class variable and ⊤ for its negation, and leave out what this makes superfluous.

    The job's own variables are the template's atoms; those that are silent become ⊤ as well, either way. In each state
    of the bag exactly one class of a block holds, and no path through the diagram passes over one of its variables: so
    beside the one that holds, the others are there as negations, which count for nothing. `order` is the order of the
    classes among the results.
    """
    own_count = job.own_count
    slots = _literal_slots(job)
    true, first = 2 * own_count, 2 * own_count + 2 + len(job.names)
    known: dict[Elements, int] = {}
    rows: list[tuple[Elements, int]] = []
    primes, subs = fragment.functions.primes.tolist(), fragment.functions.subs.tolist()
    for size, (start, stop) in zip(fragment.sizes.tolist(), pairwise(fragment.functions.starts.tolist())):
        elements = tuple(sorted((slots[primes[index]], slots[subs[index]]) for index in range(start, stop)))
        if len(elements) == 1 and true in elements[0]:
            slots.append(elements[0][1] if elements[0][0] == true else elements[0][0])
            continue
        if elements not in known:
            known[elements] = first + len(rows)
            rows.append((elements, size))
        slots.append(known[elements])
    results = [slots[fragment.results[index]] for index in order]
    is_changed = len(job.names) > 0 or bool(job.silent.any())
    return _lay_out(results, rows, first=first, own_count=own_count, whole=None if is_changed else fragment)


def _literal_slots(job: Job) -> list[int]:
    """Return the template's slots of the job's literals and constants; the separator's literals have none, so ⊥."""
    own_count = job.own_count
    true, false = 2 * own_count, 2 * own_count + 1
    outside = [false] * job.variable_count
    positive, negative = outside.copy(), outside.copy()
    positive[:own_count] = range(own_count)
    negative[:own_count] = range(own_count, 2 * own_count)
    for atom in np.flatnonzero(job.silent).tolist():
        positive[atom] = negative[atom] = true
    for hole, name in enumerate(job.names.tolist()):
        positive[name - 1] = 2 * own_count + 2 + hole
        negative[name - 1] = true
    return [*positive, *negative, true, false]


def _lay_out(
    results: list[int], rows: list[tuple[Elements, int]], *, first: int, own_count: int, whole: Fragment | None
) -> Template:
    """Keep the decisions that the results reach, and number them anew."""
    is_reached = [False] * len(rows)
    for slot in results:
        if slot >= first:
            is_reached[slot - first] = True
    for number in reversed(range(len(rows))):
        if is_reached[number]:
            for slot in (slot for element in rows[number][0] for slot in element if slot >= first):
                is_reached[slot - first] = True
    numbers = np.concatenate([np.arange(first), first + np.cumsum(is_reached, dtype=np.int64) - 1]).astype(np.int32)
    kept = [row for row, reached in zip(rows, is_reached) if reached]
    pairs = np.array([element for elements, _ in kept for element in elements], dtype=np.int64).reshape(-1, 2)
    lengths = [len(elements) for elements, _ in kept]
    return Template(
        atom_count=own_count,
        hole_count=first - 2 * own_count - 2,
        starts=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64),
        primes=numbers[pairs[:, 0]],
        subs=numbers[pairs[:, 1]],
        results=numbers[np.array(results, dtype=np.int64)],
        size=sum(size for _, size in kept) if whole is None else whole.size,
        nodes=len(kept) if whole is None else whole.count,
    )
