"""Follow the weight of the relaxed theory down the elimination tree, and tell apart the states that most of it is in.

This is best-first search of the AND/OR graph (Lou, Dechter and Ihler 2017): a node is a state of a bag, an assignment
to its whole separator. A state that is *kept* has rows of its own, one for each value of the bag's variable, and each
of them leads to a state of every child: a kept one, or else the relaxed state that forgets what the child's bag has
forgotten. With what is not kept at its relaxed state the sum is an upper bound, with it left out a lower one. The more
states are kept, the closer the two; both hold for any weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from moose.circuit.bounds.interval import Interval, Stage
from moose.circuit.bounds.relaxation import Problem, Relaxation
from moose.circuit.bounds.table_values import Logs, add_logs, row_shares, state_logs
from moose.circuit.tables.rows import Flags, Numbers, Values, codes, members


@dataclass(frozen=True, eq=False)
class Link:
    """Where rows lead in one child."""

    child: int
    kept: Numbers
    """For each row the kept state, -1 where it is not kept."""
    missing: Numbers
    """The rows whose state is not kept."""
    relaxed: Numbers
    """For these the state of the child's relaxed table."""


@dataclass(frozen=True, eq=False)
class KeptBag:
    """The kept states of a bag, and their rows."""

    states: Values
    """Separator × state."""
    state: Numbers
    """For each row its state."""
    value: Values
    """For each row the value of the bag's variable."""
    links: tuple[Link, ...]


Kept = Mapping[int, KeptBag]
"""The bags with states of their own: all that are not exact in the relaxation."""


@dataclass(frozen=True, eq=False)
class Found:
    """States that are kept beside a relaxation, and the bounds of log WMC that they give."""

    relaxation: Relaxation
    kept: Kept
    stage: Stage

    @cached_property
    def is_complete(self) -> bool:
        """Whether no row leads to a state that is neither kept nor exact."""
        exact = self.relaxation.is_exact
        if any(not exact[root] and root not in self.kept for root in self.relaxation.tree.roots):
            return False
        links = (link for bag in self.kept.values() for link in bag.links)
        return not any(len(link.missing) for link in links if not exact[link.child])


@dataclass(frozen=True, eq=False)
class Estimates:
    """What kept states weigh, in logarithms: by variable, from above and from below."""

    upper: Mapping[int, Logs]
    lower: Mapping[int, Logs]


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows that agree on a separator."""

    of_row: Numbers
    first: Numbers
    """For each group one of its rows."""
    earlier: Numbers
    """For each group the number of the state that was kept before, -1 where there is none."""


def grouped(columns: Sequence[Values], earlier: Values, sizes: Sequence[int]) -> Groups:
    """Group rows, in lexicographic order, and find the states that were kept before."""
    old, count = earlier.shape[1], len(columns[0])
    code = codes([np.concatenate([one, column]) for one, column in zip(earlier, columns)], sizes, old + count)
    different, first, of_row = np.unique(code[old:], return_index=True, return_inverse=True)
    numbers = np.full(len(different), -1)
    if old and len(different):
        position = np.minimum(np.searchsorted(different, code[:old]), len(different) - 1)
        is_there = different[position] == code[:old]
        numbers[position[is_there]] = np.flatnonzero(is_there)
    return Groups(of_row.reshape(-1), first, numbers)


class Grown(NamedTuple):
    """The rows of some states."""

    state: Numbers
    columns: dict[int, Values]
    """The values of the bag's variables."""
    relaxed: dict[int, Numbers]
    """For each child the state of its relaxed table that a row agrees with."""


class Chosen(NamedTuple):
    """The states of a child that are kept: for each a row that leads there, and the share of the weight that passes."""

    rows: Numbers
    flow: Logs


class Lead(NamedTuple):
    """What rows lead to in a child, before it is known which states are kept."""

    child: int
    relaxed: Numbers
    logs: Logs
    groups: Groups | None
    """The child's states; none where its relaxed table is exact."""

    def choose(self, passing: Logs, least: float) -> tuple[Link, Chosen | None]:
        """Keep the states that enough passes."""
        if self.groups is None:
            missing = np.arange(len(passing))
            return Link(self.child, np.full(len(passing), -1), missing, self.relaxed), None
        flow = np.bincount(self.groups.of_row, passing, minlength=len(self.groups.earlier)).astype(np.float64)
        is_kept = (flow >= least) | (self.groups.earlier >= 0)
        kept = np.where(is_kept, np.cumsum(is_kept) - 1, -1)[self.groups.of_row]
        missing = np.flatnonzero(kept < 0)
        link = Link(self.child, kept, missing, self.relaxed[missing])
        chosen = np.flatnonzero(is_kept)
        return link, Chosen(self.groups.first[chosen], flow[chosen]) if len(chosen) else None


@dataclass(frozen=True, eq=False)
class Search:
    """A problem, its relaxation, and what values and relaxed states weigh."""

    problem: Problem
    relaxation: Relaxation
    values: Sequence[Logs]
    """What the values of each variable weigh."""

    @cached_property
    def relaxed(self) -> list[Logs]:
        """What the relaxed states of each bag weigh."""
        return state_logs(self.relaxation.tree, self.values)

    def sweep(self, least: float, before: Kept, known: Estimates, watch: Callable[[int], None]) -> dict[int, KeptBag]:
        """Keep, from the roots down, states that at least this share of the weight passes, and those kept before."""
        exact = self.relaxation.is_exact
        waiting = {
            root: (np.zeros((0, 1), np.uint16), np.ones(1)) for root in self.problem.order.roots if not exact[root]
        }
        kept: dict[int, KeptBag] = {}
        rows = 0
        for variable in reversed(self.problem.order.order):
            if variable not in waiting:
                continue
            states, flow = waiting.pop(variable)
            grown = self._rows(variable, states)
            logs = self.values[variable][grown.columns[variable]]
            leads = [self._lead(child, grown, before, known) for child in self.problem.children[variable]]
            for lead in leads:
                logs = logs + lead.logs
            passing = flow[grown.state] * row_shares(logs, add_logs(logs, grown.state, states.shape[1]), grown.state)
            links = []
            for lead in leads:
                link, chosen = lead.choose(passing, least)
                links.append(link)
                if chosen is not None:
                    separator = self.problem.order.separators[lead.child]
                    columns = [grown.columns[one][chosen.rows] for one in separator]
                    waiting[lead.child] = np.array(columns, dtype=np.uint16), chosen.flow
            kept[variable] = KeptBag(states, grown.state, grown.columns[variable], tuple(links))
            rows += len(grown.state)
            watch(rows)
        return kept

    def _rows(self, variable: int, states: Values) -> Grown:
        """Give states every value of the bag's variable that constraints and the relaxed tables below allow."""
        sizes, count = self.problem.sizes, states.shape[1]
        state = np.repeat(np.arange(count), sizes[variable])
        columns = {one: column[state] for one, column in zip(self.problem.order.separators[variable], states)}
        columns[variable] = np.tile(np.arange(sizes[variable], dtype=np.uint16), count)
        holds = np.ones(len(state), dtype=bool)
        for constraint in self.problem.own[variable]:
            satisfied: Flags = np.zeros(len(state), dtype=bool)
            for one, values in constraint:
                satisfied |= members(values, sizes[one])[columns[one]]
            holds &= satisfied
        state, columns = state[holds], {one: column[holds] for one, column in columns.items()}
        relaxed = {child: self._relaxed(child, columns, len(state)) for child in self.problem.children[variable]}
        possible = np.ones(len(state), dtype=bool)
        for found in relaxed.values():
            possible &= found >= 0
        if possible.all():
            return Grown(state, columns, relaxed)
        columns = {one: column[possible] for one, column in columns.items()}
        return Grown(state[possible], columns, {one: found[possible] for one, found in relaxed.items()})

    def _relaxed(self, bag: int, columns: Mapping[int, Values], count: int) -> Numbers:
        """Find the states of a relaxed table that rows agree with, -1 where there is none."""
        tree, separator = self.relaxation.tree, self.relaxation.separators[bag]
        states = tree.tables[tree.table_of[bag]].states
        both = [np.concatenate([one, columns[variable]]) for one, variable in zip(states, separator)]
        total = states.shape[1]
        code = codes(both, [self.problem.sizes[one] for one in separator], total + count)
        position = np.searchsorted(code[:total], code[total:])
        found = code[np.minimum(position, total - 1)] == code[total:] if total else np.zeros(count, dtype=bool)
        return np.where(found, position, -1)

    def _lead(self, child: int, grown: Grown, before: Kept, known: Estimates) -> Lead:
        """Weigh what rows lead to in a child, by the states kept before where there are such."""
        relaxed = grown.relaxed[child]
        logs = self.relaxed[child][relaxed]
        if self.relaxation.is_exact[child]:
            return Lead(child, relaxed, logs, None)
        separator = self.problem.order.separators[child]
        earlier = before[child].states if child in before else np.zeros((len(separator), 0), np.uint16)
        sizes = [self.problem.sizes[one] for one in separator]
        groups = grouped([grown.columns[one] for one in separator], earlier, sizes)
        if earlier.shape[1]:
            better = np.where(groups.earlier >= 0, known.upper[child][np.maximum(groups.earlier, 0)], np.inf)
            logs = np.minimum(logs, better[groups.of_row])
        return Lead(child, relaxed, logs, groups)

    def evaluate(self, kept: Kept) -> Estimates:
        """Weigh the kept states from above and from below, children first."""
        exact = self.relaxation.is_exact
        upper: dict[int, Logs] = {}
        lower: dict[int, Logs] = {}
        nothing = np.full(1, -np.inf)
        for variable in self.problem.order.order:
            if variable not in kept:
                continue
            bag = kept[variable]
            high = self.values[variable][bag.value]
            low = high.copy()
            for link in bag.links:
                relaxed = self.relaxed[link.child][link.relaxed]
                own = np.append(upper.get(link.child, nothing[:0]), nothing)[link.kept]
                own[link.missing] = relaxed
                high = high + own
                if exact[link.child]:
                    low = low + relaxed
                else:
                    low = low + np.append(lower.get(link.child, nothing[:0]), nothing)[link.kept]
            count = bag.states.shape[1]
            upper[variable], lower[variable] = add_logs(high, bag.state, count), add_logs(low, bag.state, count)
        return Estimates(upper, lower)

    def total(self, known: Estimates) -> Interval:
        """Return bounds of what everything weighs."""
        exact, roots = self.relaxation.is_exact, self.problem.order.roots
        nothing = np.full(1, -np.inf)
        relaxed = {one: self.relaxed[one] for one in roots}
        below = (relaxed[one] if exact[one] else known.lower.get(one, nothing) for one in roots)
        above = (relaxed[one] if exact[one] else known.upper.get(one, relaxed[one]) for one in roots)
        low, high = (sum(float(one.sum()) for one in side) for side in (below, above))
        return Interval(min(low, high), high)
