"""Check that the elements of a decision exclude each other: by a SAT solver, on a sample where there are too many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.executor import as_lists

MOST_PAIRS = 10_000
"""Pairs given to the solver; a pair takes it a tenth of a millisecond as a rule."""
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
        tried = [open_pairs[place] for place in np.sort(chosen).tolist()]
    proved = count - len(open_pairs)
    for pair, excludes in _settle(diagram, tried):
        if excludes is False:
            return Determinism(count, proved, pair)
        proved += excludes is True
    return Determinism(count, proved, None)


def _are_opposite(diagram: Diagram, first: int, second: int) -> bool:
    return max(first, second) < diagram.true and abs(first - second) == diagram.atom_count


def _settle(diagram: Diagram, pairs: list[Pair]) -> Iterator[tuple[Pair, bool | None]]:
    """Yield for each pair whether it excludes each other; None where the solver gave up.

    First by the primes, which are small as a rule; only pairs whose primes have a common model need their subs.
    """
    primes, subs = diagram.primes.tolist(), diagram.subs.tolist()
    questions = {pair: [primes[element] for element in pair] for pair in pairs}
    verdicts = dict(zip(pairs, _exclude(diagram, list(questions.values()))))
    unsettled = [pair for pair in pairs if verdicts[pair] is not True]
    whole = [[*questions[pair], *(subs[element] for element in pair)] for pair in unsettled]
    verdicts.update(zip(unsettled, _exclude(diagram, whole)))
    yield from verdicts.items()


def _exclude(diagram: Diagram, questions: list[list[int]]) -> Iterator[bool | None]:
    """Yield for each list of slots whether they have no model in common; None where the solver gave up."""
    if not questions:
        return
    from pysat.solvers import Solver

    roots = {slot for slots in questions for slot in slots}
    with Solver("glucose4", bootstrap_with=list(_encoded(diagram, roots))) as solver:
        for slots in questions:
            solver.conf_budget(MOST_CONFLICTS)
            answer = solver.solve_limited(assumptions=[_literal(diagram, slot) for slot in slots])
            yield None if answer is None else not answer


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
