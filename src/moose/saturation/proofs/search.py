"""Choose, among all rule instances, those that make a short and small proof."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from moose.saturation.recorded.derivations import Derivations
from moose.saturation.recorded.rule_instance import Chosen, NumberFact


def smallest_proof(derivations: Derivations, goal: NumberFact) -> Chosen | None:
    """Return one rule instance for each fact of a proof of the goal, or None where there is none.

    The proof is the smallest tree of those among the contexts that are open; more are opened until there is one. Most
    proofs stay near the concept that they are about, while what can be reached from it may be most of an ontology.
    """
    while True:
        chosen = smallest_tree(derivations, goal) if derivations.has(goal) else None
        if chosen is not None:
            return derivations.joined(chosen)
        if not derivations.widen():
            return None


def smallest_tree(derivations: Derivations, goal: NumberFact) -> Chosen | None:
    """Settle facts in the order of the size of their proofs, so that no fact is used in its own.

    This is Knuth's form of Dijkstra's algorithm, from the instances without premises up to the goal. A step of a longer
    chain counts nothing, since in the proof it is a part of the next one.
    """
    instances = list(derivations.stepwise())
    own_sizes = [0 if derivations.is_prefix(fact) else 1 for fact, _ in instances]
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
                heappush(
                    ready, (own_sizes[user] + sum(sizes[premise] for premise in instances[user][1].premises), user)
                )
    return None
