"""The order in which plain torch operations evaluate a circuit: steps of decisions that do not need each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from moose.layer.program import Program

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ScheduleStep:
    """Some decisions of one level, padded to the same number of elements.

    A step reads from the leaves it asks for, followed by the decisions that earlier steps have passed on.
    """

    leaves: Positions
    """Slots of literals and constants that it reads; the first is ⊥, for padding."""
    primes: Positions
    """Decision × element: where in what it reads the prime stands."""
    subs: Positions
    keeps: Positions
    """Which of the decisions passed on to it are needed later too; its own are passed on after them."""


@dataclass(frozen=True, eq=False)
class Schedule:
    """All steps, and where the root stands in what the last one passes on."""

    steps: tuple[ScheduleStep, ...]
    root: int


def make_schedule(program: Program) -> Schedule:
    """Find the steps from the leaves to the root.

    Every leaf value is looked up once for all steps, and decisions are handed from step to step only as long as they
    are needed. So a circuit of many levels costs in proportion to its size, and not to size times levels.
    """
    diagram = program.diagram
    groups = list(group_decisions(program))
    last_use = find_last_use(program, groups)
    steps = []
    rank = np.zeros(diagram.first_decision, dtype=np.int64)
    input_index = np.zeros(diagram.decision_count, dtype=np.int64)
    passed_on = np.zeros(0, dtype=np.int64)
    for number, group in enumerate(groups):
        primes, subs = padded_elements(program, group)
        children = np.concatenate([primes.ravel(), subs.ravel()])
        leaves = np.unique(children[children < diagram.first_decision])
        leaves = np.concatenate([[diagram.false], leaves[leaves != diagram.false]])
        rank[leaves] = np.arange(len(leaves))
        input_index[passed_on] = len(leaves) + np.arange(len(passed_on))
        keeps = np.flatnonzero(last_use[passed_on] > number)
        steps.append(ScheduleStep(leaves, look_up(primes, rank, input_index), look_up(subs, rank, input_index), keeps))
        passed_on = np.concatenate([passed_on[keeps], group])
    return Schedule(tuple(steps), int(np.argmax(passed_on == diagram.root - diagram.first_decision)) if steps else 0)


def look_up(slots: Positions, rank: Positions, input_index: Positions) -> Positions:
    """Find where the values of slots stand in what a step reads."""
    first = len(rank)
    is_leaf = slots < first
    return np.where(is_leaf, rank[np.where(is_leaf, slots, 0)], input_index[np.where(is_leaf, 0, slots - first)])


def group_decisions(program: Program) -> Iterator[Positions]:
    """Yield decisions level by level, those of a level apart if padding them together would waste half or more."""
    counts = np.diff(program.diagram.starts)
    order = np.lexsort((-counts, program.levels))
    bounds = np.flatnonzero(np.diff(program.levels[order], prepend=-1, append=-1))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist()):
        yield from of_like_width(order[start:stop], counts)


def of_like_width(level: Positions, counts: Positions) -> Iterator[Positions]:
    """Yield decisions, widest first, in groups of which padding to the widest wastes no more than half, or little."""
    while len(level):
        widths = counts[level]
        padded, used = widths[0] * np.arange(1, len(level) + 1), np.cumsum(widths)
        fits = padded <= 2 * used + 256
        taken = len(level) if fits.all() else max(1, int(np.argmin(fits)))
        yield level[:taken]
        level = level[taken:]


def padded_elements(program: Program, group: Positions) -> tuple[Positions, Positions]:
    """Return primes and subs of some decisions, a row for each, filled up with ⊥ ∧ ⊥."""
    diagram = program.diagram
    counts = diagram.starts[group + 1] - diagram.starts[group]
    columns = np.arange(int(counts.max(initial=0)))
    is_real = columns < counts[:, None]
    elements = np.where(is_real, diagram.starts[group][:, None] + columns, 0)
    primes = np.where(is_real, diagram.primes[elements], diagram.false).astype(np.int64)
    return primes, np.where(is_real, diagram.subs[elements], diagram.false).astype(np.int64)


def find_last_use(program: Program, groups: list[Positions]) -> Positions:
    """Find the last step that reads each decision; that of the root is after all steps."""
    diagram = program.diagram
    step_of = np.zeros(diagram.decision_count, dtype=np.int64)
    for number, group in enumerate(groups):
        step_of[group] = number
    reader = np.repeat(step_of, np.diff(diagram.starts))
    last_use = np.full(diagram.decision_count, -1, dtype=np.int64)
    for children in (diagram.primes, diagram.subs):
        is_decision = children >= diagram.first_decision
        np.maximum.at(last_use, children[is_decision] - diagram.first_decision, reader[is_decision])
    if diagram.root >= diagram.first_decision:
        last_use[diagram.root - diagram.first_decision] = len(groups)
    return last_use
