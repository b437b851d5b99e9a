"""What the states of tables weigh, in logarithms, for the weights by which bounds are tightened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from moose.circuit.inference.scaled_numbers import scale, scaled_log
from moose.circuit.inference.weights import LiteralWeights
from moose.circuit.tables.bag_tables import TableTree
from moose.circuit.tables.rows import Numbers
from moose.circuit.tables.theory import Theory

Logs = npt.NDArray[np.float64]


def value_logs(theory: Theory, weights: LiteralWeights, positions: Numbers) -> list[Logs]:
    """Return for each variable what its values weigh; `positions` says where an atom's weights are."""
    on = [scaled_log(*scale(weight)) for weight in weights.positive]
    off = [scaled_log(*scale(weight)) for weight in weights.negative]
    result = []
    for variable, atoms in enumerate(theory.variables):
        places = positions[list(atoms)].tolist()
        if variable in theory.hidden:
            result.append(np.zeros(2))
        elif len(places) == 1:
            result.append(np.array([off[places[0]], on[places[0]]]))
        else:
            others = [sum(off[other] for other in places if other != one) for one in places]
            result.append(np.array([on[one] + rest for one, rest in zip(places, others)]))
    return result


def add_logs(logs: Logs, groups: Numbers, count: int) -> Logs:
    """Return the logarithm of the sum of each group; of an empty one it is -∞."""
    top = np.full(count, -np.inf)
    np.maximum.at(top, groups, logs)
    shift = np.where(np.isfinite(top), top, 0.0)
    sums = np.bincount(groups, np.exp(logs - shift[groups]), minlength=count)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sums) + shift, dtype=np.float64)


def row_logs(values: Logs, value: npt.NDArray[np.uint16], factors: Sequence[Logs]) -> Logs:
    """Return what rows weigh: their value, times what the children's states weigh."""
    total = values[value]
    for factor in factors:
        total = total + factor
    return np.asarray(total, dtype=np.float64)


def state_logs(tree: TableTree, values: Sequence[Logs]) -> list[Logs]:
    """Return what each state of each bag weighs, by variable."""
    result: list[Logs] = [np.zeros(0)] * len(tree.table_of)
    for variable in tree.order.order:
        table = tree.tables[tree.table_of[variable]]
        factors = [result[child][link] for child, link in zip(tree.children[variable], table.links)]
        rows = row_logs(values[variable], table.value, factors)
        result[variable] = add_logs(rows, table.state, table.states.shape[1])
    return result


def row_shares(rows: Logs, states: Logs, state: Numbers) -> Logs:
    """Return the share of each row in what its state weighs; nothing where that is nothing."""
    whole = states[state]
    possible = np.isfinite(whole)
    return np.where(possible, np.exp(np.where(possible, rows - np.where(possible, whole, 0.0), 0.0)), 0.0)
