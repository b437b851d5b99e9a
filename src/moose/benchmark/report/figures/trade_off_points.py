"""Where methods stand between accuracy and calibration, and which of them nothing is superior to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.titles import BASELINE_ROWS, PAPER_ROWS, TITLES, title_of
from moose.benchmark.statistics.compare import principal, summary
from moose.benchmark.store.records import Record


class PaperNumber(Protocol):
    """A number of the paper's."""

    @property
    def mean(self) -> float:
        """Return its mean over seeds."""

    @property
    def deviation(self) -> float | None:
        """Return its standard deviation."""


Stating = Callable[[str, str, str], PaperNumber | None]
"""What the paper has for a regime, a method, and "accuracy" or "ece"; such as `Paper.headline`."""


@dataclass(frozen=True, slots=True)
class Point:
    """A method in the plane, in per cent."""

    method: str
    error: float
    accuracy: float
    error_deviation: float | None
    accuracy_deviation: float | None

    @property
    def tip(self) -> str:
        """Say its figures."""
        accuracy = write_percent(self.accuracy, self.accuracy_deviation)
        return f"{title_of(self.method)}: accuracy {accuracy}, ECE {write_percent(self.error, self.error_deviation)}"


@dataclass(frozen=True, slots=True)
class Plane:
    """What is drawn for a regime."""

    regime: str
    points: tuple[Point, ...]
    stated: tuple[Point, ...]
    """The paper's."""
    expected: float | None
    """The accuracy if no reading is preferred, as a fraction."""

    @property
    def methods(self) -> list[str]:
        """Return all that are drawn, each once, in the order of the table of titles."""
        order = list(TITLES)
        methods = dict.fromkeys(point.method for point in (*self.points, *self.stated))
        return sorted(methods, key=lambda method: order.index(method) if method in order else len(order))

    @property
    def compared(self) -> list[Point]:
        """Return the points that may be best: no baselines."""
        return [point for point in self.points if point.method not in BASELINE_ROWS]


def measured_points(records: Sequence[Record], regime: str) -> list[Point]:
    """Return where the methods stand, in the order of the records."""
    methods = dict.fromkeys(record["method"] for record in records if record["regime"] == regime)
    points = []
    for method in methods:
        accuracy = summary(records, regime, method, principal(regime))
        error = summary(records, regime, method, principal(regime, "ece_atom"))
        if accuracy and error:
            points.append(_point(method, accuracy, error))
    return points


def stated_points(stated: Stating, regime: str) -> list[Point]:
    """Return where the paper has its methods."""
    pairs = [(method, stated(regime, method, "accuracy"), stated(regime, method, "ece")) for method in PAPER_ROWS]
    return [_point(method, accuracy, error) for method, accuracy, error in pairs if accuracy and error]


def _point(method: str, accuracy: PaperNumber, error: PaperNumber) -> Point:
    deviations = [None if one.deviation is None else 100.0 * one.deviation for one in (error, accuracy)]
    return Point(method, 100.0 * error.mean, 100.0 * accuracy.mean, *deviations)


def front(points: Sequence[Point]) -> list[Point]:
    """Return the methods to which no other is superior in both, by error."""
    undominated: list[Point] = []
    for point in sorted(points, key=lambda one: (one.error, -one.accuracy)):
        if not undominated or point.accuracy > undominated[-1].accuracy:
            undominated.append(point)
    return undominated


def say_plane(plane: Plane) -> str:
    """Say in words what is to be seen."""
    where = ", on pizzas that were never shown" if principal(plane.regime).split == "held_out" else ""
    sentences = [f"Means over seeds{where}; bars are one standard deviation; upper left is better."]
    if plane.compared:
        best = max(plane.compared, key=lambda point: point.accuracy)
        calm = min(plane.compared, key=lambda point: point.error)
        sentences.append(f"Highest accuracy: {title_of(best.method)} ({write_percent(best.accuracy)}).")
        sentences.append(f"Least error: {title_of(calm.method)} ({write_percent(calm.error)}).")
    if plane.expected is not None:
        sentences.append(
            f"Dashed: what can be expected if no reading is preferred, {write_percent(100.0 * plane.expected)}."
        )
    return " ".join(sentences)


def write_percent(value: float, deviation: float | None = None) -> str:
    """Write a number of per cent."""
    return write_spread(value / 100.0, None if deviation is None else deviation / 100.0)
