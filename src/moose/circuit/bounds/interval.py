"""An interval that is certain to hold a number, and how it was narrowed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """Two bounds of a number.

    >>> Interval(0.25, 0.5).gap, 0.3 in Interval(0.25, 0.5)
    (0.25, True)
    >>> print(Interval(-4.0982613, -4.0982608), Interval(0.5, 0.5))
    [-4.0982613, -4.0982608] [0.5, 0.5]
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        assert self.lower <= self.upper, f"lower bound {self.lower} above upper bound {self.upper}"

    @property
    def gap(self) -> float:
        """How far the bounds are apart."""
        return 0.0 if self.lower == self.upper else self.upper - self.lower

    def __contains__(self, number: float) -> bool:
        return self.lower <= number <= self.upper

    def __str__(self) -> str:
        """Spell both with six digits, or as many as tell them apart, if nine do: beyond is rounding."""
        shown = next((digits for digits in range(6, 10) if f"{self.lower:.{digits}g}" != f"{self.upper:.{digits}g}"), 6)
        return f"[{self.lower:.{shown}g}, {self.upper:.{shown}g}]"


@dataclass(frozen=True, slots=True)
class Stage:
    """How far the bounds of log WMC had come."""

    rows: int
    seconds: float
    log_wmc: Interval
    """For the weights and the evidence that they were tightened for."""

    def __str__(self) -> str:
        return f"{self.rows:,} rows, gap {self.log_wmc.gap:.3g}"
