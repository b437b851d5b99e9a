"""Which readings are compared with the truth: all consistent ones, or, where there are too many, the likeliest."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest

from torch import Tensor

from moose.shortcuts.count.consistent_map import spell
from moose.shortcuts.count.shortcuts import Shortcuts, possible_states
from moose.shortcuts.problem.problem import TrueState
from moose.shortcuts.problem.states import State
from moose.training.diagnosis.ideal_network import IdealLosses, Reading

MOST_CHANGES = 400
"""Readings that differ from the truth in one state, of which the likeliest of all are put together."""
MOST_FITTED = 12
"""Readings whose best odds are looked for, where odds are learnt; those of the rest are the truth's or even."""
Table = dict[TrueState, State]


@dataclass(frozen=True, slots=True)
class ReadingLoss:
    """A reading in words, its loss, and the share of what is seen that it gets wrong."""

    text: str
    loss: float
    wrong: float


def truth_of(shortcuts: Shortcuts) -> Reading:
    """Return the right reading."""
    problem = shortcuts.problem
    return Reading({place: place[1] for place in problem.true_states}, problem.pairs)


def wrong_readings(shortcuts: Shortcuts, losses: IdealLosses, odds: Tensor | None, most: int) -> list[Reading]:
    """List the consistent readings but for the truth: all if there are at most `most`, else the likeliest.

    Where individuals have nothing to do with each other, the loss of a reading is the sum of what each state costs, and
    the likeliest are found for certain. Else these are guesses; with them come those that err least, and some drawn.
    """
    if shortcuts.maps <= most + 1:
        listed = shortcuts.nearest(shortcuts.maps)
    else:
        few = max(1, most // 4)
        listed = [*shortcuts.nearest(few), *shortcuts.sample(few, 0)]
    found = {_key(one.table, one.pairs): Reading(one.table, one.pairs) for one in listed if not one.is_truth}
    if shortcuts.maps > most + 1 and not shortcuts.problem.pairs:
        for table in likeliest_tables(shortcuts, losses, odds, most):
            if len(found) < most and shortcuts.is_consistent(table):
                found.setdefault(_key(table, {}), Reading(table, {}))
    return list(found.values())


def _key(table: Table, pairs: object) -> tuple[object, ...]:
    assert isinstance(pairs, dict)
    return (*table.items(), *pairs.items())


def likeliest_tables(shortcuts: Shortcuts, losses: IdealLosses, odds: Tensor | None, most: int) -> list[Table]:
    """Put together readings of single states, those that cost least first; the truth is not among them."""
    truth = truth_of(shortcuts)
    base = losses.loss(losses.certain(truth, odds))
    places = shortcuts.problem.true_states
    each = max(2, MOST_CHANGES // len(places))
    possible = possible_states(shortcuts.arrangements[0], places, each)
    tables: list[tuple[float, Table]] = [(0.0, {})]
    for place in places:
        costs = {place[1]: 0.0}
        for read in possible[place]:
            if read != place[1]:
                changed = Reading({**truth.table, place: read}, truth.pairs)
                costs[read] = losses.loss(losses.certain(changed, odds)) - base
        tables = nsmallest(
            most + 1,
            ((total + cost, {**table, place: read}) for total, table in tables for read, cost in costs.items()),
            key=lambda pair: pair[0],
        )
    return [table for _, table in tables if table != truth.table]


def reading_losses(
    shortcuts: Shortcuts, losses: IdealLosses, readings: list[Reading], odds: Tensor | None
) -> list[ReadingLoss]:
    """Return what readings cost, the cheapest first; where odds are learnt, the cheapest with those best for them."""
    networks = [losses.certain(one, odds) for one in readings]
    costs = [min(losses.loss(network), losses.loss(losses.certain(one))) for one, network in zip(readings, networks)]
    if losses.learnt is not None:
        for index in nsmallest(MOST_FITTED, range(len(costs)), key=costs.__getitem__):
            costs[index] = min(costs[index], losses.best_odds(networks[index]))
    priced = [
        ReadingLoss(text_of(shortcuts, one), cost, wrong_share(shortcuts, one)) for one, cost in zip(readings, costs)
    ]
    return sorted(priced, key=lambda one: one.loss)


def text_of(shortcuts: Shortcuts, reading: Reading) -> str:
    """Spell what a reading gets wrong."""
    return spell(shortcuts.problem, shortcuts.arrangements[0].lens, reading.table, reading.pairs)


def wrong_share(shortcuts: Shortcuts, reading: Reading) -> float:
    """Return the share of what is seen that is read as something else; of pairs, where all states are right."""
    problem = shortcuts.problem
    states = sum(float(problem.frequencies[place]) for place, read in reading.table.items() if read != place[1])
    if states or not problem.pairs:
        return states
    return sum(reading.pairs[atom] != holds for atom, holds in problem.pairs.items()) / len(problem.pairs)
