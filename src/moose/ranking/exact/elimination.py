"""How likely observations are that share coins: one state for each way that what is still needed may stand.

The observed findings and the coins below them are taken one by one. Coins with the same observed findings above them
are one *group*: it is on if any of its coins is. A state is the set of *open* findings, those that some coin or some
lower finding reaches but that are not yet settled, which are on so far. Two steps change the states:

    a group is thrown:    a state s goes to s ∪ M with the probability that the group is on, M its lowest findings
    a finding is settled: the weight is multiplied by the probability of what was observed of it, on or off;
                          if it is on, so are the observed findings directly above it; then it is forgotten

All weights are sums and products of probabilities, so nothing cancels, and nested findings are counted once. There
are at most 2^width states, where the width is the largest number of findings that are open at a time: at most 1 for
nested findings however many, few where the hierarchy is nearly a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

THROW, SETTLE = 0, 1


Real = TypeVar("Real", float, Fraction)


@dataclass(frozen=True, slots=True)
class Step:
    """A group is thrown, or a finding is settled; states are sets of slots, written as bits."""

    kind: int
    index: int
    """Of the group or of the finding."""
    slot: int
    """The bit of the finding that is settled; 0 if nothing can turn it on."""
    turned_on: int
    """The bits that the group, or the settled finding if it is on, turns on."""


@dataclass(frozen=True, slots=True)
class Program:
    """The steps for one component of observed findings."""

    steps: tuple[Step, ...]
    width: int


def lowest(findings: int, above: Sequence[int]) -> int:
    """Return those of a set of findings that are above none of the others; sets are written as bits.

    >>> bin(lowest(0b111, [0b110, 0b100, 0]))
    '0b1'
    """
    covered = 0
    for number in members(findings):
        covered |= above[number]
    return findings & ~covered


def members(bits: int) -> list[int]:
    """Return the numbers in a set that is written as bits.

    >>> members(0b1010)
    [1, 3]
    """
    found = []
    while bits:
        last = bits & -bits
        found.append(last.bit_length() - 1)
        bits ^= last
    return found


def plan(groups: Sequence[int], above: Sequence[int]) -> Program:
    """Return the steps for findings 0, 1, …, given those strictly above each and those above the coins of each group.

    Next is always the finding that leaves the fewest open; a group is thrown just before its first finding is settled.
    """
    direct = [lowest(one, above) for one in above]
    lowest_of = [lowest(group, above) for group in groups]
    waiting = dict(enumerate(lowest_of))
    unsettled = (1 << len(above)) - 1
    opened = 0
    slots = Slots()
    steps: list[Step] = []
    while unsettled:
        finding = min(ready(unsettled, above), key=lambda one: (openness(one, opened, waiting, direct), one))
        thrown = [number for number, reached in waiting.items() if reached >> finding & 1]
        for number in thrown:
            reached = waiting.pop(number)
            opened |= reached
            steps.append(Step(THROW, number, 0, slots.bits(reached)))
        is_open = opened >> finding & 1
        own = slots.bits(1 << finding) if is_open else 0
        parents = direct[finding] if is_open else 0
        opened = (opened | parents) & ~(1 << finding)
        steps.append(Step(SETTLE, finding, own, slots.bits(parents)))
        slots.free(finding)
        unsettled &= ~(1 << finding)
    return Program(tuple(steps), slots.most)


def ready(unsettled: int, above: Sequence[int]) -> list[int]:
    """Return the findings that are above no unsettled one."""
    return members(lowest(unsettled, above))


def openness(finding: int, opened: int, waiting: dict[int, int], direct: Sequence[int]) -> int:
    """Return how many findings are open at most while this one is settled."""
    for reached in waiting.values():
        if reached >> finding & 1:
            opened |= reached
    return (opened | direct[finding]).bit_count()


class Slots:
    """Which bit of a state each open finding has."""

    def __init__(self) -> None:
        self.slot_of: dict[int, int] = {}
        self.most = 0

    def bits(self, findings: int) -> int:
        """Return the bits of findings, given to them now if they have none."""
        found = 0
        for finding in members(findings):
            if finding not in self.slot_of:
                used = set(self.slot_of.values())
                self.slot_of[finding] = next(slot for slot in range(len(used) + 1) if slot not in used)
                self.most = max(self.most, self.slot_of[finding] + 1)
            found |= 1 << self.slot_of[finding]
        return found

    def free(self, finding: int) -> None:
        """Take the bit of a finding back."""
        self.slot_of.pop(finding, None)


def run_program(
    program: Program, off: Sequence[Real], if_on: Sequence[Real], if_off: Sequence[Real], one: Real
) -> Real:
    """Return how likely the observations are, in any numbers: the plain form of the kernel.

    >>> from fractions import Fraction
    >>> nested = plan([0b11, 0b10], [0b10, 0])  # the second finding is above the first
    >>> run_program(nested, [Fraction(1, 3), Fraction(1, 2)], [Fraction(1)] * 2, [Fraction(0)] * 2, Fraction(1))
    Fraction(2, 3)
    """
    states: dict[int, Real] = {0: one}
    for step in program.steps:
        following: dict[int, Real] = {}
        for state, weight in states.items():
            if step.kind == THROW:
                moves = [(state, weight * off[step.index]), (state | step.turned_on, weight * (1 - off[step.index]))]
            elif state & step.slot:
                moves = [(state & ~step.slot | step.turned_on, weight * if_on[step.index])]
            else:
                moves = [(state, weight * if_off[step.index])]
            for target, value in moves:
                following[target] = following[target] + value if target in following else value
        states = following
    return states[0]
