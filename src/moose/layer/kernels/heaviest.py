"""The heaviest model of each example: up a circuit by maxima of sums of logarithms, and down where they came from.

Numba compiles these functions. Logarithms are only added and compared here, so that nothing leaves its range.
"""

from __future__ import annotations

import math

from moose.layer.kernels.arrays import Bytes, Examples, Reals, Search, Wiring


def weigh_literals(row: int, examples: Examples, given: Bytes, values: Reals) -> float:
    """Write the log weights of one example, the likelier literal of each atom at 0; return what these weigh together.

    An atom that a part of the circuit does not mention then adds nothing to its value: it is as likely as can be.
    """
    atoms, rows, total = given.shape[0], examples.evidence.shape[0], 0.0
    for atom in range(atoms):
        observed = given[atom]
        if rows > 0:
            said = examples.evidence[row if rows > 1 else 0, atom]
            if observed * said < 0:
                return -math.inf
            observed = said if said != 0 else observed
        positive, negative = examples.log_weights[row, atom], examples.log_weights[row, atoms + atom]
        positive = -math.inf if observed < 0 else positive
        negative = -math.inf if observed > 0 else negative
        likelier = max(negative, positive)
        total += likelier
        values[atom] = positive - likelier if positive > -math.inf else -math.inf
        values[atoms + atom] = negative - likelier if negative > -math.inf else -math.inf
    return total


def maximise_up(wiring: Wiring, values: Reals) -> None:
    """Evaluate every decision: v(⊤) = 0, v(⊥) = -∞, v(decision) = maxₑ v(primeₑ) + v(subₑ)."""
    first = 2 * wiring.given.shape[0] + 2
    values[first - 2], values[first - 1] = 0.0, -math.inf
    for decision in range(wiring.starts.shape[0] - 1):
        best = -math.inf
        for element in range(wiring.starts[decision], wiring.starts[decision + 1]):
            value = values[wiring.primes[element]] + values[wiring.subs[element]]
            best = max(best, value)
        values[first + decision] = best


def follow_down(wiring: Wiring, values: Reals, used: Bytes) -> None:
    """Mark the slots that the value of the root came from, of equal elements the first."""
    first = 2 * wiring.given.shape[0] + 2
    for slot in range(used.shape[0]):
        used[slot] = 0
    used[wiring.root] = 1
    for decision in range(wiring.starts.shape[0] - 2, -1, -1):
        if used[first + decision] == 0:
            continue
        for element in range(wiring.starts[decision], wiring.starts[decision + 1]):
            prime, sub = wiring.primes[element], wiring.subs[element]
            if values[prime] + values[sub] == values[first + decision]:
                used[prime], used[sub] = 1, 1
                break


def find_heaviest(examples: Examples, wiring: Wiring, search: Search) -> None:
    """Write for each example the heaviest model, 1 for each atom that holds in it, and its log weight.

    An atom that is free takes its likelier value, 0 if both are as likely. Where there is no model the log weight is -∞
    and nothing holds.
    """
    atoms = wiring.given.shape[0]
    values, used, logs, worlds = search
    for row in range(examples.log_weights.shape[0]):
        logs[row] = weigh_literals(row, examples, wiring.given, values)
        if logs[row] > -math.inf:
            maximise_up(wiring, values)
            logs[row] += values[wiring.root]
        has_model = logs[row] > -math.inf
        if has_model:
            follow_down(wiring, values, used)
        for atom in range(atoms):
            is_likelier = values[atom] > values[atoms + atom]
            holds = used[atom] > 0 or (is_likelier and used[atoms + atom] == 0)
            worlds[row, atom] = 1 if has_model and holds else 0
