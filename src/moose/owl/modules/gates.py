"""Threshold gates over names: what opens as names come in, found in time linear in what opens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from moose.owl.model import expressions as owl

Name = owl.Class | owl.ObjectProperty | owl.DataProperty | owl.Datatype
Gate = int
"""The number of a gate, or one of the two that never change."""
ALWAYS: Gate = -1
NEVER: Gate = -2


class Gates:
    """Gates that open once enough of what leads to them is open; a name is a gate that is opened from outside.

    >>> gates = Gates()
    >>> a, b = gates.of_name(owl.Class("a")), gates.of_name(owl.Class("b"))
    >>> both = gates.all_of([a, ALWAYS, b])
    >>> opening = Opening(gates)
    >>> opening.open(a), opening.open(b) == [b, both]
    ([0], True)
    """

    def __init__(self) -> None:
        self.needed: list[int] = []
        self.users: list[list[Gate]] = []
        self.names: dict[Name, Gate] = {}

    def of_name(self, name: Name) -> Gate:
        """Return the gate of a name."""
        gate = self.names.get(name)
        if gate is None:
            gate = self.names[name] = self._add(1, ())
        return gate

    def at_least(self, count: int, inputs: Iterable[Gate]) -> Gate:
        """Return a gate that opens once that many of the inputs are open; one that is listed twice counts twice."""
        listed = list(inputs)
        count -= listed.count(ALWAYS)
        waiting = [gate for gate in listed if gate >= 0]
        if count <= 0:
            return ALWAYS
        if len(waiting) < count:
            return NEVER
        return waiting[0] if len(waiting) == 1 else self._add(count, waiting)

    def all_of(self, inputs: Iterable[Gate]) -> Gate:
        """Return a gate that opens once all inputs are open."""
        listed = list(inputs)
        return self.at_least(len(listed), listed)

    def any_of(self, inputs: Iterable[Gate]) -> Gate:
        """Return a gate that opens once an input is open."""
        return self.at_least(1, inputs)

    def _add(self, needed: int, inputs: Iterable[Gate]) -> Gate:
        gate = len(self.needed)
        self.needed.append(needed)
        self.users.append([])
        for one in inputs:
            self.users[one].append(gate)
        return gate


class Opening:
    """Which gates are open; the gates themselves stay as they are, so that many can ask them."""

    def __init__(self, gates: Gates) -> None:
        self._gates = gates
        self._count: defaultdict[Gate, int] = defaultdict(int)

    def open(self, gate: Gate) -> list[Gate]:
        """Open the gate of a name that is not open yet; return all that open with it, itself first."""
        opened = [gate]
        for one in opened:  # the list grows while it is walked
            for user in self._gates.users[one]:
                self._count[user] += 1
                if self._count[user] == self._gates.needed[user]:
                    opened.append(user)
        return opened
