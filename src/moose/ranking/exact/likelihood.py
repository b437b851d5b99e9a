"""How likely observations are under each hypothesis, exactly: components of observed findings, each by its program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np

from moose.base.compiled.numba_compilation import compile_functions
from moose.base.errors import LimitReached
from moose.base.graphs import component_of
from moose.base.integer_arrays import consecutive
from moose.ranking.exact import kernel
from moose.ranking.exact.elimination import Program, Step, plan
from moose.ranking.exact.evidence import Evidence
from moose.ranking.findings import Findings, Floats, Numbers
from moose.ranking.hypotheses import Coin, Coins, Hypotheses, log_off

WIDEST = 22
"""Open findings; 2 ** 22 states take 32 MB and a tenth of a second for each hypothesis and step."""
LITTLE_WORK = 4_000
"""Steps times hypotheses times states up to which the kernel runs uncompiled, which takes milliseconds."""


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """The logarithms of how likely the observations are: a row for each hypothesis, a column for each component."""

    components: tuple[tuple[int, ...], ...]
    """Positions in the evidence that hang together: some coin is below several of them."""
    by_component: Floats
    widths: tuple[int, ...]

    @property
    def total(self) -> Floats:
        """The logarithm of how likely all observations together are, for each hypothesis."""
        return np.asarray(self.by_component.sum(axis=1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Groups:
    """Coins with the same observed findings above them, as bits over the positions in the evidence."""

    above: tuple[int, ...]
    group_of: Numbers
    """For each finding its group, or -1."""
    carriers: Numbers


def likelihoods(hypotheses: Hypotheses, evidence: Evidence, *, replaced: Coins | None = None) -> Likelihoods:
    """Return how likely observations are under each hypothesis; `replaced` has other coins for some hypotheses."""
    further, log_factors = evidence.further, evidence.log_factors
    groups = group_coins(hypotheses, evidence, replaced or {}, is_each_carrier=further is not None)
    components = hang_together(len(evidence.findings), groups.above)
    programs = make_programs(hypotheses.findings, evidence, groups, components)
    widths = tuple(program.width for program, _ in programs)
    if max(widths, default=0) > WIDEST:
        raise LimitReached(
            f"expected observations of which at most {WIDEST} hang together at a time, but {max(widths)} do; "
            "leave out the most general ones"
        )
    found = np.zeros((hypotheses.count, len(components)))
    if programs:
        table = coin_table(hypotheses, groups, replaced or {})
        if further is not None:
            for position, finding in enumerate(evidence.findings):
                table[:-1, groups.group_of[finding]] += further[:, position]
        fill_in(programs, table, group_leak(hypotheses, groups), evidence, found)
    if log_factors is not None:
        for number, component in enumerate(components):
            found[:, number] += log_factors[:, list(component)].sum(axis=1)
    return Likelihoods(components, found, widths)


def group_coins(
    hypotheses: Hypotheses, evidence: Evidence, replaced: Coins, *, is_each_carrier: bool = False
) -> Groups:
    """Group the findings with coins by the observed findings at or above them."""
    findings = hypotheses.findings
    is_carrier = hypotheses.is_carrier
    extra = [int(findings.representatives[coin.finding]) for coins in replaced.values() for coin in coins]
    if is_each_carrier:
        extra += evidence.findings
    if extra:
        is_carrier = is_carrier.copy()
        is_carrier[extra] = True
    number = np.zeros(findings.count, dtype=np.int64)
    above = [0]
    for position, finding in enumerate(evidence.findings):
        below = findings.below(finding)
        below = below[is_carrier[below]]
        before, inverse = np.unique(number[below], return_inverse=True)
        number[below] = inverse + len(above)
        above += [above[one] | 1 << position for one in before.tolist()]
    carriers = np.flatnonzero(number)
    used, inverse = np.unique(number[carriers], return_inverse=True)
    number[:] = -1
    number[carriers] = inverse
    return Groups(tuple(above[one] for one in used.tolist()), number, carriers)


def hang_together(count: int, above: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the positions that share coins, in order."""
    links = [(one,) for one in range(count)]
    pairs = [tuple(position for position in range(count) if group >> position & 1) for group in above]
    component = component_of([*links, *pairs])
    rows: dict[int, list[int]] = {}
    for position in range(count):
        rows.setdefault(component[position], []).append(position)
    return tuple(map(tuple, rows.values()))


def make_programs(
    findings: Findings, evidence: Evidence, groups: Groups, components: Sequence[Sequence[int]]
) -> list[tuple[Program, tuple[int, ...]]]:
    """Return a program for each component, with its steps' numbers of groups and positions those of the evidence."""
    position_of = {finding: position for position, finding in enumerate(evidence.findings)}
    found = []
    for component in components:
        local = {position: number for number, position in enumerate(component)}
        inside = sum(1 << position for position in component)
        own = [number for number, above in enumerate(groups.above) if above & inside]
        above = [
            bits(local[position_of[one]] for one in findings.above(finding).tolist() if position_of.get(one) in local)
            & ~(1 << number)
            for number, finding in enumerate(evidence.findings[position] for position in component)
        ]
        program = plan([renumbered(groups.above[number], local) for number in own], above)
        names = (own, component)
        steps = tuple(Step(one.kind, names[one.kind][one.index], one.slot, one.turned_on) for one in program.steps)
        found.append((Program(steps, program.width), tuple(own)))
    return found


def bits(numbers: object) -> int:
    """Write a set of numbers as bits."""
    return sum({1 << number for number in cast("Sequence[int]", numbers)})


def renumbered(above: int, local: Mapping[int, int]) -> int:
    """Write a set of positions in the numbers of a component."""
    return bits([number for position, number in local.items() if above >> position & 1])


def coin_table(hypotheses: Hypotheses, groups: Groups, replaced: Coins) -> Floats:
    """Return the logarithm of how likely no coin of a group is on: a row for each hypothesis, and one of zeros."""
    rows = hypotheses.coin_rows
    width = len(groups.above)
    starts = rows.pointers[groups.carriers]
    lengths = rows.pointers[groups.carriers + 1] - starts
    entries = consecutive(starts, lengths)
    cells = rows.hypotheses[entries] * width + np.repeat(groups.group_of[groups.carriers], lengths)
    size = (hypotheses.count + 1) * width
    found = np.bincount(cells, weights=rows.log_off[entries], minlength=size).astype(np.float64)  # whole if empty
    table = found.reshape(hypotheses.count + 1, width)
    for number, coins in replaced.items():
        table[number] = coin_row(hypotheses, groups, coins)
    return table


def coin_row(hypotheses: Hypotheses, groups: Groups, coins: Sequence[Coin]) -> Floats:
    """Return the row of a hypothesis that has these coins."""
    row = np.zeros(len(groups.above))
    places = np.array([coin.finding for coin in coins], dtype=np.int64)
    numbers = groups.group_of[hypotheses.findings.representatives[places]]
    frequencies = np.array([coin.frequency for coin in coins], dtype=np.float64)
    shares = hypotheses.listed_shares(np.array([float(len(coins))]))
    for number, value in zip(numbers.tolist(), log_off(frequencies * shares).tolist()):
        if number >= 0:
            row[number] += value
    return row


def group_leak(hypotheses: Hypotheses, groups: Groups) -> Floats:
    """Return the logarithm of how likely no coin of the background is on, for each group."""
    weights = hypotheses.log_leak_off[groups.carriers]
    return np.bincount(groups.group_of[groups.carriers], weights, len(groups.above)).astype(np.float64)


def fill_in(
    programs: Sequence[tuple[Program, tuple[int, ...]]], coins: Floats, leak: Floats, evidence: Evidence, found: Floats
) -> None:
    """Run the programs of all components for all hypotheses."""
    steps = [(one.kind, one.index, one.slot, one.turned_on) for program, _ in programs for one in program.steps]
    ends = np.cumsum([len(program.steps) for program, _ in programs])
    sizes = np.array([1 << program.width for program, _ in programs])
    bounds = np.column_stack([np.concatenate([[0], ends[:-1]]), ends, sizes])
    table = np.zeros(int(sizes.max()))
    work = len(coins) * sum(len(program.steps) << program.width for program, _ in programs)
    run = kernel.all_components if work <= LITTLE_WORK else compiled()
    factors = np.column_stack([evidence.if_off, evidence.if_on])
    run(np.array(steps, dtype=np.int64).reshape(-1, 4), bounds, coins, leak, factors, table, found)


@cache
def compiled() -> Callable[..., None]:
    """Return the kernel, compiled."""
    return cast("Callable[..., None]", compile_functions([kernel], ["all_components"])["all_components"])
