"""Numbers for the cases of unions: C ⊓ D for each C that may lie below one, and each member D of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from moose.owl.normal.axiom_rows import AxiomRows
from moose.owl.normal.normal_form import Kind

CASES = 20_000
"""How many cases are numbered at most; each costs a row of the kernel's arrays, but no work before it is needed."""


def number_cases(rows: AxiomRows, goals: Iterable[int], targets: Mapping[int, int]) -> dict[tuple[int, int], int]:
    """Number C ⊓ D for members D of unions and concepts C: all that can be below one if they are few.

    If they are many, those that told inclusions lead from to the left-hand side of the union; if these are too many,
    the left-hand side alone. `goals` are further concepts of which something may be asked, `targets` where links lead
    if not to the filler.
    """
    ids = rows.ids
    case_of: dict[tuple[int, int], int] = {}
    if not rows.unions:
        return case_of
    ends = [targets.get(some, filler) for (_, filler), some in ids.somes.items()]
    everything = [*ids.classes.values(), *ids.nominals.values(), *ends, *goals]
    everything = [concept for concept in dict.fromkeys(everything) if ids.kinds[concept] != Kind.VALUES]
    is_small = len(everything) * sum(len(union.members) for union in rows.unions) <= CASES
    below = {} if is_small else told_below(rows)
    left_over = CASES
    for union in rows.unions:
        lefts = dict.fromkeys([union.concept, *(everything if is_small else reaching(union.concept, below))])
        conjuncts = sum(1 for left in lefts for _ in ids.flatten([left]))  # of which each case has all
        if conjuncts * len(union.members) > left_over:
            lefts = {union.concept: None}
            conjuncts = sum(1 for _ in ids.flatten([union.concept]))
        if conjuncts * len(union.members) > left_over:
            continue
        left_over -= conjuncts * len(union.members)
        for left in lefts:
            for member in union.members:
                case_of[left, member] = ids.conjunction([left, member])
    return case_of


def told_below(rows: AxiomRows) -> dict[int, list[int]]:
    """Return, for each concept, what is told to be below it, conjuncts on the right taken one by one."""
    below: defaultdict[int, list[int]] = defaultdict(list)
    for sub, sup, _ in [*rows.told, *rows.links.tolist()]:
        for part in rows.ids.flatten([sup]):
            below[part].append(sub)
    return below


def reaching(concept: int, below: dict[int, list[int]]) -> list[int]:
    """Return a concept and all that told inclusions lead from to it."""
    reached = {concept: None}
    stack = [concept]
    while stack:
        for sub in below.get(stack.pop(), ()):
            if sub not in reached:
                reached[sub] = None
                stack.append(sub)
    return list(reached)
