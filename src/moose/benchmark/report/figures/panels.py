"""Small multiples: a panel a method, three in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.svg import write, write_number
from moose.benchmark.report.model.titles import BASELINE_ROWS
from moose.benchmark.statistics.compare import chosen, principal
from moose.benchmark.store.records import Record

WIDTH = 420.0
IN_ROW = 3
LETTER = 6.4
"""Of a letter of a title, on the wide side."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Where panels stand; their own drawing begins below a line for the title."""

    count: int
    height: float
    """Of a panel's own drawing."""
    left: float = 0.0
    """What is kept free at the left, for names of rows."""
    below: float = 16.0
    """What is kept free below each, for an axis."""
    gap: float = 14.0
    heading: float = 18.0

    @property
    def width(self) -> float:
        """Return how wide a panel's own drawing is."""
        return (WIDTH - self.left - self.gap * (IN_ROW - 1) - 2.0) / IN_ROW

    @property
    def total(self) -> float:
        """Return how high all are together."""
        return -(-self.count // IN_ROW) * self._pitch

    @property
    def _pitch(self) -> float:
        return self.heading + self.height + self.below

    def corner(self, number: int) -> tuple[float, float]:
        """Return the corner of a panel's own drawing: upper left."""
        row, column = divmod(number, IN_ROW)
        return self.left + column * (self.width + self.gap), row * self._pitch + self.heading

    def is_first(self, number: int) -> bool:
        """Return whether a panel is the first of its row."""
        return number % IN_ROW == 0


def write_title(panel: Element, title: str, width: float) -> None:
    """Write the title of a panel above it, drawn together where it would run into the next."""
    text = write(panel, title, (0.0, -5.0), "key")
    if len(title) * LETTER > width:
        text.set("textLength", write_number(width))
        text.set("lengthAdjust", "spacingAndGlyphs")


def trained_methods(records: Sequence[Record], regime: str) -> list[str]:
    """Return the methods of a regime in the order of the records; baselines are not trained."""
    methods = dict.fromkeys(record["method"] for record in chosen(records, regime=regime))
    return [method for method in methods if method not in BASELINE_ROWS]


def details_of(records: Sequence[Record], regime: str, method: str) -> list[Record]:
    """Return the details of each seed, given the evidence, of the split that the headline shows."""
    split = principal(regime).split
    details = [record["details"].get(split, {}) for record in chosen(records, regime=regime, method=method)]
    return [views["metrics"] for views in details if "metrics" in views]
