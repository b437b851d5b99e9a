"""Check that the elements of a decision exclude each other: by a SAT solver, on a sample where there are too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.inference.executor import as_lists

if TYPE_CHECKING:
    from pysat.solvers import Solver

MOST_PAIRS = 50_000
"""Pairs given to the solver; one that propagation settles takes it a twentieth of a millisecond."""
MOST_CONFLICTS = 10_000
"""Conflicts after which the solver gives a pair up, as the question is NP-hard in general."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Determinism:
    """How many pairs of elements there are, how many were proved to exclude each other, and one that does not."""

    pairs: int
    proved: int
    overlap: Pair | None


def check_determinism(diagram: Diagram, seed: int) -> Determinism:
    """Prove that the elements of each decision exclude each other, or find two that do not.

    Elements whose primes are X and ¬X need no proof. For the others a solver is asked for a common model of the
    primes, then of the whole elements; this is exact. Beyond `MOST_PAIRS` a random sample is asked for.
    """
    starts, primes, _ = as_lists(diagram)
    open_pairs: list[Pair] = []
    count = 0
    for start, stop in pairwise(starts):
        for first, second in combinations(range(start, stop), 2):
            count += 1
            if not _are_opposite(diagram, primes[first], primes[second]):
                open_pairs.append((first, second))
    tried = open_pairs
    if len(open_pairs) > MOST_PAIRS:
        chosen = np.random.default_rng(seed).choice(len(open_pairs), MOST_PAIRS, replace=False)
        tried = [open_pairs[index] for index in np.sort(chosen).tolist()]
    proved = count - len(open_pairs)
    if not tried:
        return Determinism(count, proved, None)
    for pair, excludes in _settle(diagram, tried):
        if excludes is False:
            return Determinism(count, proved, pair)
        proved += excludes is True
    return Determinism(count, proved, None)


def _are_opposite(diagram: Diagram, first: int, second: int) -> bool:
    return max(first, second) < diagram.true and abs(first - second) == diagram.atom_count


def _settle(diagram: Diagram, pairs: list[Pair]) -> Iterator[tuple[Pair, bool | None]]:
    """Yield for each pair whether it excludes each other; None where the solver gave up.

    First by unit propagation from the primes, which settles most and needs only what is below them; then in earnest.
    """
    primes, subs = diagram.primes.tolist(), diagram.subs.tolist()
    verdicts: dict[Pair, bool | None] = {}
    with _solver(diagram, {primes[element] for pair in pairs for element in pair}) as solver:
        for pair in pairs:
            consistent, _ = solver.propagate(assumptions=[_literal(diagram, primes[element]) for element in pair])
            verdicts[pair] = None if consistent else True
    unsettled = {pair: [side[e] for side in (primes, subs) for e in pair] for pair in pairs if verdicts[pair] is None}
    with _solver(diagram, {slot for slots in unsettled.values() for slot in slots}) as solver:
        for pair, slots in unsettled.items():
            literals = [_literal(diagram, slot) for slot in slots]
            verdicts[pair] = not solver.propagate(assumptions=literals)[0] or None
            if verdicts[pair] is None:
                solver.conf_budget(MOST_CONFLICTS)
                answer = solver.solve_limited(assumptions=literals)
                verdicts[pair] = None if answer is None else not answer
    yield from verdicts.items()


def _solver(diagram: Diagram, roots: set[int]) -> Solver:
    """Return a solver that knows the formulas of these slots."""
    from pysat.solvers import Solver

    return Solver("glucose4", bootstrap_with=list(_encoded(diagram, roots)))


def _literal(diagram: Diagram, slot: int) -> int:
    """Return the solver's variable for a slot: atoms first, then slots from ⊤ on."""
    if slot < diagram.atom_count:
        return slot + 1
    if slot < diagram.true:
        return -(slot - diagram.atom_count + 1)
    return slot - diagram.atom_count + 1


def _encoded(diagram: Diagram, roots: set[int]) -> Iterator[list[int]]:
    """Yield clauses that make a slot under the roots true only where its formula holds.

    One direction is enough, as slots are only ever assumed to be true.
    """
    starts, primes, subs = as_lists(diagram)
    yield [_literal(diagram, diagram.true)]
    yield [-_literal(diagram, diagram.false)]
    above_slots = _literal(diagram, diagram.slot_count)
    pending, seen = list(roots), set(roots)
    while pending:
        slot = pending.pop()
        if slot < diagram.first_decision:
            continue
        decision = slot - diagram.first_decision
        elements = range(starts[decision], starts[decision + 1])
        yield [-_literal(diagram, slot), *(above_slots + element for element in elements)]
        for element in elements:
            for child in (primes[element], subs[element]):
                yield [-(above_slots + element), _literal(diagram, child)]
                if child not in seen:
                    seen.add(child)
                    pending.append(child)
