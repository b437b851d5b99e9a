"""How long a compilation may take and how large a circuit may grow."""

from __future__ import annotations

import time
from dataclasses import dataclass

from moose.base.errors import LimitReached, MooseError


@dataclass(frozen=True, slots=True)
class Limits:
    """The most a compilation may take; `None` is no limit.

    >>> Limits(seconds=10).size is None
    True
    """

    seconds: float | None = None
    """Wall-clock seconds for the whole compilation."""
    size: int | None = None
    """Elements of the circuit, and of every diagram that is built on the way to it."""

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("size", self.size)):
            if value is not None and not value > 0:
                raise MooseError(f"a limit must be a positive number or None, but {name} is {value!r}")


class Overgrown(Exception):
    """A job's diagram grew larger than the job allows."""

    def __init__(self, share: float, size: int) -> None:
        super().__init__(share, size)
        self.share = share
        """Of the clauses, how many were in it."""
        self.size = size


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment after which work must stop, and the limits that it comes from."""

    limits: Limits
    start: float

    @classmethod
    def begin(cls, limits: Limits) -> Deadline:
        """Start the clock."""
        return cls(limits, time.monotonic())

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.start

    @property
    def remaining(self) -> float | None:
        """Seconds that are left, never less than zero; none without a limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.elapsed)

    def check(self, progress: str, size: int = 0) -> None:
        """Raise when the time is up or the size is too large; `progress` says how far the work got."""
        if self.limits.seconds is not None and self.elapsed > self.limits.seconds:
            raise time_is_up(self.limits.seconds, progress)
        if self.limits.size is not None and size > self.limits.size:
            raise too_large(self.limits.size, size, progress)


ADVICE = (
    "raise the limit, fix the truth of role atoms in advance, leave out individuals, "
    "or take bounds (moose.compile_bounds, --bounds)"
)


def time_is_up(seconds: float, progress: str) -> LimitReached:
    """Return the error of a compilation that took too long."""
    return LimitReached(f"the circuit was not compiled within the {seconds:g} seconds allowed ({progress}): {ADVICE}")


def too_large(allowed: int, size: int, progress: str) -> LimitReached:
    """Return the error of a diagram that grew too large."""
    return LimitReached(f"the circuit grew to {size} elements, {allowed} are allowed ({progress}): {ADVICE}")
