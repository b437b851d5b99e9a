"""Choose, among all rule instances, those that make a short and small proof."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from moose.saturation.proofs.derivations import Derivations, Instance, NumberFact

Chosen = dict[NumberFact, Instance]
Found = list[tuple[NumberFact, Instance]]

FIRST_DEPTH = 4
"""How many rules deep to look first; then half as deep again, and again. Most proofs are short, and the number of
instances grows steeply with the depth where chains compose."""


def smallest_proof(derivations: Derivations, goal: NumberFact) -> Chosen | None:
    """Return one rule instance for each fact of a proof of the goal, or None where there is none.

    The proof is the smallest tree of those that a bounded depth allows; the bound is raised until there is one.
    """
    known: dict[NumberFact, list[Instance]] = {}
    depth, seen = FIRST_DEPTH, -1
    while True:
        instances = relevant_instances(derivations, goal, depth, known)
        chosen = smallest_tree(instances, goal)
        if chosen is not None or len(instances) == seen:
            return chosen
        depth, seen = depth + depth // 2, len(instances)


def relevant_instances(
    derivations: Derivations, goal: NumberFact, depth: int, known: dict[NumberFact, list[Instance]]
) -> Found:
    """Return the rule instances for the goal, for their premises, and so on, down to a depth."""
    found: Found = []
    seen = {goal}
    level = [goal]
    while level and depth:
        below = []
        for fact in level:
            if fact not in known:
                known[fact] = list(dict.fromkeys(derivations.of(fact)))
            for instance in known[fact]:
                found.append((fact, instance))
                for premise in instance.premises:
                    if premise not in seen:
                        seen.add(premise)
                        below.append(premise)
        level, depth = below, depth - 1
    return found


def smallest_tree(instances: Found, goal: NumberFact) -> Chosen | None:
    """Settle facts in the order of the size of their proofs, so that no fact is used in its own.

    This is Knuth's form of Dijkstra's algorithm, from the instances without premises up to the goal.
    """
    uses: dict[NumberFact, list[int]] = {}
    missing = [len(set(instance.premises)) for _, instance in instances]
    for number, (_, instance) in enumerate(instances):
        for premise in set(instance.premises):
            uses.setdefault(premise, []).append(number)
    sizes: dict[NumberFact, int] = {}
    chosen: Chosen = {}
    ready = [(1, number) for number, count in enumerate(missing) if count == 0]
    heapify(ready)
    while ready:
        size, number = heappop(ready)
        fact, instance = instances[number]
        if fact in chosen:
            continue
        chosen[fact], sizes[fact] = instance, size
        if fact == goal:
            return chosen
        for user in uses.get(fact, ()):
            missing[user] -= 1
            if missing[user] == 0:
                heappush(ready, (1 + sum(sizes[premise] for premise in instances[user][1].premises), user))
    return None
