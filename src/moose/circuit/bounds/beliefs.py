"""How likely each value of each variable is, roughly: belief propagation along the constraints.

A constraint tells a variable how likely it is that one of the others satisfies it: that is what a value weighs which
does not. The result guides which variables are forgotten or fixed; no bound rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from moose.circuit.bounds.table_values import Logs
from moose.circuit.tables.rows import Numbers, members
from moose.circuit.tables.theory import Theory

ROUNDS, STEPS = 40, 5_000_000
"""Of messages, and how many values these may speak of in one call, at least one round: half a second, where a large
family in thousands of constraints would take many. Counted, not timed, so that the same clauses have the same bounds.
"""
KEPT_SHARE = 0.5
"""Of a message from one round to the next, so that loops do not swing."""
LEAST = 1e-30
"""A probability that is taken for this if it is smaller, so that logarithms are finite."""


class Beliefs:
    """The edges between constraints and variables, flat, and messages along them that are kept from call to call."""

    def __init__(self, theory: Theory) -> None:
        sizes = theory.sizes
        self._starts: Numbers = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        clause, edge, value, satisfies = list[int](), list[int](), list[int](), list[bool]()
        edges = 0
        for number, constraint in enumerate(theory.constraints):
            for variable, values in constraint:
                clause.append(number)
                edge += [edges] * sizes[variable]
                value += range(self._starts[variable], self._starts[variable + 1])
                satisfies += members(values, sizes[variable]).tolist()
                edges += 1
        self._clause = np.array(clause, dtype=np.int64)
        self._edge, self._value = np.array(edge, dtype=np.int64), np.array(value, dtype=np.int64)
        self._breaks = ~np.array(satisfies, dtype=bool)
        self._messages = np.zeros(edges)
        """For each edge what a value weighs that does not satisfy the constraint, as a logarithm."""

    def shares(self, values: Sequence[Logs]) -> list[Logs]:
        """Return how likely each value of each variable is."""
        if not values:
            return []
        weights = np.maximum(np.concatenate(values), np.log(LEAST))
        for _ in range(min(ROUNDS, max(1, STEPS // len(self._value))) if len(self._value) else 0):
            self._messages = KEPT_SHARE * self._messages + (1 - KEPT_SHARE) * self._round(weights)
        beliefs = np.split(self._beliefs(weights), self._starts[1:-1])
        return [np.exp(one - one.max()) / np.exp(one - one.max()).sum() for one in beliefs]

    def _beliefs(self, weights: Logs) -> Logs:
        breaking = self._breaks
        sums = np.bincount(self._value[breaking], self._messages[self._edge[breaking]], minlength=len(weights))
        return np.asarray(weights + sums, dtype=np.float64)

    def _round(self, weights: Logs) -> Logs:
        """Return the messages that follow from those of the last round."""
        edges = len(self._messages)
        beliefs = self._beliefs(weights)[self._value] - np.where(self._breaks, self._messages[self._edge], 0.0)
        top = np.full(edges, -np.inf)
        np.maximum.at(top, self._edge, beliefs)
        masses = np.exp(beliefs - top[self._edge])
        broken = np.bincount(self._edge, masses * self._breaks, minlength=edges)
        whole = np.bincount(self._edge, masses, minlength=edges)
        logs = np.log(np.maximum(broken / whole, LEAST))
        others = np.bincount(self._clause, logs)[self._clause] - logs
        return np.asarray(np.log(np.maximum(-np.expm1(np.minimum(others, 0.0)), LEAST)), dtype=np.float64)
