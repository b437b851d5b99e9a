"""ARFF files of hierarchical multi-label classification: numbers and categories, and labels from a hierarchy.

The class attribute is `@ATTRIBUTE class hierarchical ENTRIES`; the labels of a row stand last and are parted by `@`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError

Values = NDArray[np.float64]
MISSING = "?"
ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.+)""", re.IGNORECASE)
NUMERIC = ("numeric", "real", "integer")
HOW = "get the file again"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column: a number, or one of some categories."""

    name: str
    categories: tuple[str, ...] | None = None

    def read(self, cells: Sequence[str], where: str, lines: Sequence[int]) -> list[float]:
        """Return the numbers, or the positions of the categories; NaN for what is missing."""
        if self.categories is not None:
            known = {category: float(position) for position, category in enumerate(self.categories)} | {MISSING: np.nan}
            values = [known.get(cell.strip(), np.inf) for cell in cells]
        else:
            values = _numbers(cells)
        if np.inf in values:
            row = values.index(np.inf)
            kind = "a number" if self.categories is None else f"one of {', '.join(self.categories[:6])}"
            raise MooseError(
                f"{where}:{lines[row]}: expected {kind} or ? under {self.name}, but got {cells[row].strip()!r}; {HOW}"
            )
        return values


def _numbers(cells: Sequence[str]) -> list[float]:
    """Read numbers; NaN for what is missing, infinity for what is no number."""
    try:
        values = list(map(float, cells))  # nearly all columns are numbers alone, and this is the fastest way
    except ValueError:
        return [_number(cell) for cell in cells]
    return values if np.isfinite(values).all() else [_number(cell) for cell in cells]


def _number(cell: str) -> float:
    if cell.strip() == MISSING:
        return np.nan
    try:
        number = float(cell)
    except ValueError:
        return np.inf
    return number if isfinite(number) else np.inf


@dataclass(frozen=True, slots=True, eq=False)
class Arff:
    """What a file says."""

    where: str
    attributes: tuple[Attribute, ...]
    entries: tuple[str, ...]
    """Of the class attribute: paths such as 01/03 in trees, pairs of a class and one below it in graphs."""
    values: Values
    """row × attribute, NaN for what is missing"""
    labels: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    """Where each row stands."""


def read_arff(text: str, where: str) -> Arff:
    """Read a file; anything that is not as expected is refused with its line."""
    attributes: list[Attribute] = []
    entries: tuple[str, ...] | None = None
    lines = _content(text)
    for number, line in lines:
        lowered = line.lower()
        if lowered.startswith("@data"):
            break
        if lowered.startswith("@relation"):
            continue
        match = ATTRIBUTE.fullmatch(line)
        if match is None:
            raise MooseError(f"{where}:{number}: expected @ATTRIBUTE NAME TYPE or @DATA, but got {line[:60]!r}; {HOW}")
        if entries is not None:
            raise MooseError(f"{where}:{number}: expected the class attribute last, but another follows; {HOW}")
        if match[2].lower().startswith("hierarchical"):
            entries = tuple(entry.strip() for entry in match[2][len("hierarchical") :].split(","))
        else:
            attributes.append(_attribute(match[1].strip("'\""), match[2].strip(), f"{where}:{number}"))
    if entries is None or not all(entries):
        raise MooseError(f"{where}: expected @ATTRIBUTE class hierarchical with its classes before @DATA; {HOW}")
    return _with_rows(where, attributes, entries, lines)


def _content(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers; a percent sign at the start makes a comment."""
    for number, line in enumerate(text.splitlines(), start=1):
        if (said := line.strip()) and not said.startswith("%"):
            yield number, said


def _attribute(name: str, kind: str, where: str) -> Attribute:
    if kind.lower() in NUMERIC:
        return Attribute(name)
    if kind.startswith("{") and kind.endswith("}"):
        return Attribute(name, tuple(one.strip().strip("'\"") for one in kind[1:-1].split(",")))
    raise MooseError(f"{where}: expected {name} to be numeric or {{categories}}, but got {kind[:40]!r}; {HOW}")


def _with_rows(
    where: str, attributes: Sequence[Attribute], entries: tuple[str, ...], lines: Iterator[tuple[int, str]]
) -> Arff:
    rows, labels, numbers = [], [], []
    for number, line in lines:
        # In a row a comment may follow; in the header a percent sign may be part of a name.
        cells = _cells(line.partition("%")[0].strip(), attributes, f"{where}:{number}")
        own = tuple(label.strip() for label in cells.pop().split("@"))
        if not all(own):
            raise MooseError(f"{where}:{number}: expected labels parted by @ at the end, but one is empty; {HOW}")
        rows.append(cells)
        labels.append(own)
        numbers.append(number)
    if not rows:
        raise MooseError(f"{where}: expected rows below @DATA, but there is none; {HOW}")
    columns = [attribute.read(cells, where, numbers) for attribute, cells in zip(attributes, zip(*rows))]
    values = np.array(columns).reshape(len(attributes), len(rows)).T
    return Arff(where, tuple(attributes), entries, values, tuple(labels), tuple(numbers))


def _cells(line: str, attributes: Sequence[Attribute], where: str) -> list[str]:
    """Return the cells of a row, the labels last.

    What a sparse one such as `{2 0.5, 7 01/03}` leaves out is zero, or the first category.
    """
    count = len(attributes) + 1
    if not line.startswith("{"):
        cells = line.split(",")
        if len(cells) != count:
            raise MooseError(f"{where}: expected {count:,} values, the labels last, but got {len(cells):,}; {HOW}")
        return cells
    if not line.endswith("}"):
        raise MooseError(f"{where}: expected a sparse row to end in }}, but it does not; {HOW}")
    cells = [*(one.categories[0] if one.categories else "0" for one in attributes), ""]
    for pair in line[1:-1].split(","):
        position, _, cell = pair.strip().partition(" ")
        if not position.isdecimal() or int(position) >= count or not cell.strip():
            raise MooseError(
                f"{where}: expected POSITION VALUE with a position below {count:,}, but got {pair!r}; {HOW}"
            )
        cells[int(position)] = cell
    return cells


def encode_features(file: Arff) -> Values:
    """Return row × feature: numbers as they are, NaN if missing; categories one by one, all 0 if missing."""
    columns = []
    for position, attribute in enumerate(file.attributes):
        column = file.values[:, position : position + 1]
        if attribute.categories is not None:
            column = (column == np.arange(len(attribute.categories))).astype(np.float64)
        columns.append(column)
    return np.concatenate(columns, axis=1) if columns else np.zeros((len(file.labels), 0))
