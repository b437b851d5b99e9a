"""How long a compilation may take, how much memory, and how large a circuit may grow."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from numbers import Real

from moose.base.errors import LimitReached, MooseError
from moose.base.memory import half_of_memory
from moose.grounding.clauses import Clauses

SECONDS = 600.0
MOST_ROWS = 4_000_000
"""Of one table, unless the limit on size is larger: some hundred megabytes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most a compilation may take; `None` is no limit.

    >>> Limits(seconds=10).size is None
    True
    """

    seconds: float | None = SECONDS
    """Wall-clock seconds for the whole compilation."""
    size: int | None = None
    """Elements of the circuit, and of every diagram, or rows of all tables, that are built on the way to it. Without
    it, or with less, one table may have at most `MOST_ROWS` rows."""
    megabytes: float | None = field(default_factory=half_of_memory)
    """Of tables, or of the process that builds diagrams (whose system is asked a few times a second)."""

    @property
    def table_rows(self) -> int:
        """How many rows one table may have."""
        return max(MOST_ROWS, int(self.size or 0))

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("size", self.size), ("megabytes", self.megabytes)):
            given: object = value
            if given is not None and not (isinstance(given, Real) and float(given) > 0):
                raise MooseError(f"a limit must be a positive number or None, but {name} is {given!r}")


def checked_limits(given: object) -> Limits:
    """Return limits, or say that something else came."""
    if not isinstance(given, Limits):
        raise MooseError(f"expected limits such as moose.Limits(seconds=10), but got {given!r}")
    return given


class Overgrown(Exception):
    """A job's diagram grew larger than the job allows."""

    def __init__(self, share: float, size: int) -> None:
        super().__init__(share, size)
        self.share = share
        """Of the clauses, how many were in it."""
        self.size = size


RAISE = "raise the limit"


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment after which work must stop, and the limits that it comes from."""

    limits: Limits
    start: float
    clauses: Clauses | None = None
    """What is compiled."""
    trial: float | None = None
    """For how many seconds one way of compiling is tried, where that ends before the time that is allowed."""

    @classmethod
    def begin(cls, limits: Limits, clauses: Clauses | None = None) -> Deadline:
        """Start the clock."""
        return cls(limits, time.monotonic(), clauses)

    def within(self, seconds: float) -> Deadline:
        """Return a deadline so many seconds from now, unless this one is nearer."""
        until = self.elapsed + seconds
        if self.limits.seconds is not None and self.limits.seconds <= until:
            return self
        return replace(self, limits=replace(self.limits, seconds=until), trial=seconds)

    @property
    def advice(self) -> str:
        """What would help where a limit is reached."""
        return RAISE if self.clauses is None else advice_for(self.clauses)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.start

    @property
    def remaining(self) -> float | None:
        """Seconds that are left, never less than zero; none without a limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.elapsed)

    def check(self, progress: str, *, size: int = 0, megabytes: float = 0.0) -> None:
        """Raise when the time is up, or size or memory are too large; `progress` says how far the work got."""
        limits = self.limits
        if limits.seconds is not None and self.elapsed > limits.seconds:
            if self.trial is not None:
                raise LimitReached(
                    f"this was tried for {self.trial:.3g} seconds ({progress}), which no limit changes; "
                    "with the vtree structure it has all the time that is allowed"
                )
            raise LimitReached(
                f"the circuit was not compiled within the {limits.seconds:.3g} seconds allowed ({progress}): "
                f"{self.advice}"
            )
        if limits.size is not None and size > limits.size:
            raise self.too_large(size, progress)
        if limits.megabytes is not None and megabytes > limits.megabytes:
            raise LimitReached(
                f"compiling took {megabytes:,.0f} MB of memory, {limits.megabytes:,.0f} MB are allowed ({progress}): "
                f"{self.advice}"
            )

    def too_large(self, size: int, progress: str) -> LimitReached:
        """Return the error of a circuit or diagram that grew too large."""
        return LimitReached(
            f"the circuit grew to {size} elements, {self.limits.size} are allowed ({progress}): {self.advice}"
        )


def advice_for(clauses: Clauses) -> str:
    """Say what makes a theory smaller: only what there is can be left out or fixed."""
    atoms = [atom for atom in clauses.atoms if atom not in clauses.fixed]
    help_by = [RAISE]
    if any(len(atom.arguments) == 2 for atom in atoms):
        help_by.append("fix the truth of role atoms in advance")
    is_one = len({name for atom in atoms for name in atom.arguments}) < 2
    help_by.append("leave out concepts" if is_one else "leave out individuals")
    help_by.append("take bounds (moose.compile_bounds, --bounds)")
    return f"{', '.join(help_by[:-1])}, or {help_by[-1]}"
