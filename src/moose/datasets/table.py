"""A user's own features: a table in CSV or Parquet with an instance in each row, numbers in columns, and literals."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError, MooseWarning
from moose.base.suggestions import close_files, close_matches, did_you_mean, no_such_file, shortened
from moose.base.user_files import is_missing
from moose.datasets.base.request import Request, Source
from moose.datasets.images import ALIKE, INDIVIDUALS, LITERALS, ROLES, SPLIT, TRUTH, ImageRow, make_examples, read_row
from moose.grounding.task.task import Task

if TYPE_CHECKING:
    from moose.learning.examples import Examples

SAID = (LITERALS, TRUTH, SPLIT, ROLES, INDIVIDUALS)
"""Columns that hold words, not features."""
CHOOSE = "say with features (--features) which columns are looked at, such as 'x*'"
LEAVE_OUT = "leave the column out with features (--features)"
TRAIN_AGAIN = "train another model without this column (moose train --features), as this one looks at it"
CALLED = {TRUTH: ("label", "labels", "target", "class", "gold"), LITERALS: ("evidence", "literal", "observations")}
"""What people call these columns elsewhere."""
MOST_COLUMNS = 5
"""So many columns are named at most where one that is looked for is not there."""
PARQUET = (".parquet", ".pq")
HOW = (
    f"make a table (CSV or Parquet) with a row for each instance: columns of numbers (with several individuals "
    f"FEATURE_INDIVIDUAL), {LITERALS}, and, if you like, {TRUTH}, {ROLES}, {INDIVIDUALS} and {SPLIT}"
)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table as its file has it."""

    path: Path
    columns: Mapping[str, Sequence[object]]
    """Words in CSV, values of any kind in Parquet; None, NaN or a word such as NA where there is nothing."""
    lines: Sequence[str]
    """Where each row stands."""
    is_for_model: bool = False
    """Whether a model looks at it, whose columns are those that it was trained on."""

    def texts(self, row: int) -> dict[str, str]:
        """Return what a row says in words."""
        values = {column: self.columns[column][row] for column in SAID if column in self.columns}
        return {column: "" if value is None else str(value) for column, value in values.items()}

    def numbers(self, column: str) -> NDArray[np.float32]:
        """Return a column as numbers, NaN where it says nothing."""
        return np.array([self._number(column, row) for row in range(len(self.lines))], dtype=np.float32)

    def holds_words(self, column: str) -> bool:
        """Return whether something stands in a column, but no number, as in one of names or places."""
        said = [value for value in self.columns[column] if not is_missing(value)]
        return bool(said) and all(np.isnan(_as_number(value)) for value in said)

    def _number(self, column: str, row: int) -> float:
        value = self.columns[column][row]
        if is_missing(value):
            return np.nan
        number = _as_number(value)
        if not np.isfinite(number):
            raise MooseError(
                f"{self.lines[row]}: expected a number under {column}, but got {str(value)!r}; mend it, leave the row "
                f"out, or {TRAIN_AGAIN if self.is_for_model else CHOOSE}"
            )
        return number


def _as_number(value: object) -> float:
    """Return a number, NaN for what is none."""
    try:
        return float(value)  # type: ignore[arg-type]  # what is no number is caught here
    except (TypeError, ValueError):
        return np.nan


@dataclass(frozen=True, slots=True)
class Features:
    """Which columns of a table are looked at."""

    names: tuple[str, ...]
    """In the order that an encoder sees them; without the individual's name."""
    columns: Mapping[str, tuple[str, ...]]
    """For each individual with an input, its columns in that order."""


def read_table(path: Path) -> Table:
    """Read a table, by the ending of its name."""
    if not path.is_file():
        raise no_such_file(path, "a table")
    table = _read_parquet(path) if path.suffix.lower() in PARQUET else _read_csv(path)
    if not table.lines:
        raise MooseError(f"{path}: expected at least one row below the header, but there is none")
    return table


def _read_csv(path: Path) -> Table:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header = next(reader, [])
            rows = [(f"{path}:{reader.line_num}", row) for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MooseError(f"{path}: expected a table in CSV, but it cannot be read as such ({error})") from None
    for mark, called in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and mark in header[0]:
            raise MooseError(
                f"{path}: expected commas between columns, but the header has {called}; write it with commas"
            )
    for name in header:
        if header.count(name) > 1:
            raise MooseError(f"{path}: expected one column {name!r}, but there are {header.count(name)}; rename one")
    for line, row in rows:
        if len(row) != len(header):
            raise MooseError(
                f"{line}: expected {len(header)} fields, but got {len(row)}; put literals with commas between quotes"
            )
    columns = {name: [row[place] for _, row in rows] for place, name in enumerate(header)}
    return Table(path, columns, [line for line, _ in rows])


def _read_parquet(path: Path) -> Table:
    if find_spec("pyarrow") is None:
        raise MooseError(
            f"{path}: reading Parquet needs pyarrow, which is not installed; run `pip install pyarrow`, or give CSV"
        )
    from pyarrow import ArrowException
    from pyarrow.parquet import read_table as read_file

    try:
        found = read_file(path)
    except (OSError, ArrowException) as error:
        reason = str(error).splitlines()[0]
        raise MooseError(f"{path}: expected a table in Parquet, but it cannot be read as such ({reason})") from None
    columns = {name: found.column(name).to_pylist() for name in found.column_names}
    return Table(path, columns, [f"{path}: row {row}" for row in range(found.num_rows)])


def find_features(table: Table, task: Task, patterns: Sequence[str], rows: Sequence[ImageRow]) -> Features:
    """Find the columns of each individual: those that patterns such as x* name, or else all that hold no words.

    With several individuals, the columns of one end in its name: x1_a, x1_b. Who is in no row needs none.
    """
    seen = [name for name, has_input in zip(task.individuals, task.has_input.tolist()) if has_input]
    others = [one for one in table.columns if one not in SAID and (patterns or not table.holds_words(one))]
    own = {name: others if len(seen) == 1 else _of_individual(others, name) for name in seen}
    absent = {name for name in seen if not own[name] and all(name not in (row.individuals or seen) for row in rows)}
    first = next((own[name] for name in seen if name not in absent), [])
    names = _matching(table, first, patterns, seen if len(seen) > 1 else ())
    columns: dict[str, tuple[str, ...]] = dict.fromkeys(seen, ())
    for name in (one for one in seen if one not in absent):
        columns[name] = names if len(seen) == 1 else tuple(f"{feature}_{name}" for feature in names)
        for feature, column in zip(names, columns[name]):
            if feature not in own[name]:
                raise MooseError(f"{table.path}: expected a column {column}, but there is none; {HOW}")
    return Features(names, columns)


def feature_names(path: Path, task: Task, patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the features that a table has, in the order that an encoder sees them."""
    table = read_table(path)
    return find_features(table, task, patterns, read_rows(table, task)).names


def _of_individual(columns: Sequence[str], name: str) -> list[str]:
    return [column.removesuffix(f"_{name}") for column in columns if column.endswith(f"_{name}")]


def _matching(table: Table, names: Sequence[str], patterns: Sequence[str], people: Sequence[str]) -> tuple[str, ...]:
    """Return the names that patterns match, pattern by pattern; a name that is spelled out is no pattern.

    Where there are several people, names are those of features, without who has them.
    """
    found = dict.fromkeys(() if patterns else names)
    for pattern in patterns:
        fitting = _fitting(names, pattern)
        if not fitting:
            raise _no_such_column(table, pattern, people)
        found |= dict.fromkeys(fitting)
    if not found:
        raise MooseError(f"{table.path}: expected columns with features, but there is none; {HOW}")
    return tuple(found)


def _fitting(names: Sequence[str], pattern: str) -> list[str]:
    return [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]


def _no_such_column(table: Table, pattern: str, people: Sequence[str]) -> MooseError:
    """Say that no feature is called so; and what is, if it is a column of words, or one with an individual's name."""
    others = [column for column in table.columns if column not in SAID]
    there = f"there is {shortened(others, MOST_COLUMNS) or 'nothing'}"
    if table.is_for_model:
        column = f"{pattern}_{people[0]}" if people else pattern
        what = f"expected a column {column}, as the model was trained on, but there is none; {there}"
    elif words := _fitting([column for column in SAID if column in table.columns], pattern):
        what = f"{words[0]} is read as what the rows say, and is no feature; leave {pattern!r} out of the features"
    elif people and (columns := _fitting(others, pattern)):
        ends = tuple(f"_{name}" for name in people)
        bare = dict.fromkeys(one.removesuffix(end) for one in columns for end in ends if one.endswith(end))
        what = f"{columns[0]} is a column, but of no individual; those of {people[0]} end in {ends[0]}"
        if bare:
            stem = next((pattern.removesuffix(end) for end in ends if pattern.endswith(end)), shortened(bare))
            what = f"features are named without the individual, as all have the same; for {pattern!r} give {stem!r}"
    else:
        what = f"expected columns like {pattern!r}, but there is none; {there}"
    return MooseError(f"{table.path}: {what}")


def read_rows(table: Table, task: Task) -> list[ImageRow]:
    """Read what is said of all instances."""
    return [read_row(table.texts(row), task, line) for row, line in enumerate(table.lines)]


def read_vectors(table: Table, features: Features, rows: Sequence[ImageRow]) -> NDArray[np.float32]:
    """Return instance × individual with an input × feature; 0 for who is not in an instance."""
    vectors = np.zeros((len(rows), len(features.columns), len(features.names)), dtype=np.float32)
    for place, (name, columns) in enumerate(features.columns.items()):
        is_there = np.array([row.individuals is None or name in row.individuals for row in rows])
        for number, column in enumerate(columns):
            values = table.numbers(column)
            wrong = np.flatnonzero(np.isnan(values) == is_there)
            if len(wrong):
                line = table.lines[wrong[0]]
                if is_there[wrong[0]]:
                    raise MooseError(
                        f"{line}: expected a number under {column}, but {_nothing(table, column, wrong[0])}; fill it "
                        f"in, leave the row out, or {TRAIN_AGAIN if table.is_for_model else LEAVE_OUT}"
                    )
                raise MooseError(f"{line}: expected nothing under {column}, as {name} is not among the {INDIVIDUALS}")
            vectors[:, place, number] = np.where(is_there, values, 0.0)
    return vectors


def _nothing(table: Table, column: str, row: int) -> str:
    """Say what stands in a cell that says nothing."""
    value = table.columns[column][row]
    is_empty = value is None or not str(value).strip()
    return "it is empty" if is_empty else f"got {str(value).strip()!r}, which says that none is known"


def read_instances(path: Path, task: Task, patterns: Sequence[str]) -> tuple[list[str], Examples]:
    """Read all rows of a table, whatever their split, with where each stands; they need no literals."""
    table = replace(read_table(path), is_for_model=True)
    warn_of_misnamed(table, (LITERALS, ROLES, INDIVIDUALS))
    rows = read_rows(table, task)
    vectors = read_vectors(table, find_features(table, task, patterns, rows), rows)
    return [row.where for row in rows], make_examples(rows, task, vectors, allow_latent=True)


def other_columns(path: Path, task: Task, patterns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return by where each row stands what it has in columns that are not read, such as an id."""
    table = replace(read_table(path), is_for_model=True)
    features = find_features(table, task, patterns, read_rows(table, task))
    seen = {*SAID, *(column for columns in features.columns.values() for column in columns)}
    others = {name: values for name, values in table.columns.items() if name not in seen}
    return {
        line: {name: "" if values[row] is None else str(values[row]) for name, values in others.items()}
        for row, line in enumerate(table.lines)
    }


def open_table(request: Request) -> Mapping[str, Examples]:
    """Read the instances of a table; evidence is what it says, nothing is drawn."""
    if reason := missing(request.folder):
        raise MooseError(reason)
    if request.count or request.test_count or request.inductive or request.size:
        raise MooseError(
            "the data set table has the instances of its file; leave count, test_count, size, inductive out"
        )
    assert request.folder is not None
    task, table = request.regime.task, read_table(request.folder)
    if LITERALS not in table.columns:
        close = misnamed(table, LITERALS)
        hint = HOW if close is None else f"rename {close} to {LITERALS}, if it is meant"
        raise MooseError(f"{table.path}: expected a column {LITERALS}, but there is none; {hint}")
    warn_of_misnamed(table, (TRUTH, SPLIT, ROLES, INDIVIDUALS))
    rows = read_rows(table, task)
    vectors = read_vectors(table, find_features(table, task, request.features, rows), rows)
    groups: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        groups.setdefault(row.split, []).append(number)
    from moose.learning.labels.complete_labels import complete_truth

    allow_latent = request.allow_latent
    return {
        split: complete_truth(
            make_examples([rows[one] for one in group], task, vectors[group], allow_latent=allow_latent)
        )
        for split, group in groups.items()
    }


def misnamed(table: Table, wanted: str) -> str | None:
    """Return the column of words that is nearly called as one that is read, or as people call that elsewhere."""
    others = {one.casefold().strip(): one for one in table.columns if one not in SAID and table.holds_words(one)}
    names = (wanted, *CALLED.get(wanted, ()))
    found = [*(name for name in names if name in others), *close_matches(wanted, others, most=1, least_alike=ALIKE)]
    return others[found[0]] if found else None


def warn_of_misnamed(table: Table, names: Sequence[str]) -> None:
    """Warn of columns that are not there where others look as if they were meant."""
    for name in names:
        if name not in table.columns and (close := misnamed(table, name)) is not None:
            warnings.warn(
                f"{table.path}: there is no column {name}, but one {close}, which is not read; rename it to {name}, if "
                "it is meant",
                MooseWarning,
                stacklevel=2,
            )


def missing(folder: Path | None) -> str | None:
    """Say that there is no file."""
    if folder is None:
        return f"the data set table is a file of your own, named with --table FILE; {HOW}"
    hint = did_you_mean(close_files(folder), otherwise=HOW)
    return None if folder.is_file() else f"{folder}: expected a table, but there is no such file; {hint}"


SOURCE = Source(
    summary="your own features: a table in CSV or Parquet, and a task",
    subject=None,
    open=open_table,
    missing=missing,
    version=2,  # truth is completed by the theory
)
