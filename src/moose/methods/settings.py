"""Hyperparameters as data: `settings.toml`, read for a method and a regime."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal, cast

from moose.base.errors import MooseError
from moose.learning.fit.training_loop import Training
from moose.methods.base.method import Method
from moose.methods.registry import find_method, make_method

Source = Literal["paper", "ours"]
SOURCES: tuple[Source, ...] = ("paper", "ours")
OF_TRAINING = ("epochs", "batch_size", "learning_rate")
OTHERS = ("batch_norm", "size", "why", "unset")

Table = dict[str, object]


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides a run, besides data and seed."""

    method: Method
    training: Training
    batch_norm: bool = False
    size: int | None = None
    """Pixels a side; as the data set has them if None."""
    reasons: tuple[str, ...] = field(default=())
    """Why ours differ from the paper's."""


def find_settings(method: str, regime: str, source: Source = "ours", **changes: object) -> Settings:
    """Return the settings of a method in a regime, with some changed.

    >>> find_settings("moose", "mnist1", "paper").training.learning_rate
    0.003
    >>> find_settings("bears", "pizzaB", "paper", members=3).method.options
    {'members': 3, 'gamma1': 2.0, 'gamma2': 0.1, 'sign': 'printed', 'over': 'atoms', 'head': 'sigmoid'}
    """
    if source not in SOURCES:
        raise MooseError(f"expected settings among {', '.join(SOURCES)}, but got {source!r}")
    find_method(method)
    merged, reasons = Table(), list[str]()
    for table in _tables(method, regime, source):
        reasons += [str(table["why"])] if "why" in table else []
        merged |= {key: value for key, value in table.items() if not isinstance(value, dict)}
        for key in cast(list[str], table.get("unset", [])):  # back to the method's own default
            merged.pop(key, None)
    merged |= changes
    training = {key: merged[key] for key in OF_TRAINING}
    options = {key: value for key, value in merged.items() if key not in (*OF_TRAINING, *OTHERS)}
    return Settings(
        method=make_method(method, **options),
        training=Training(**training),  # type: ignore[arg-type]  # it checks them
        batch_norm=bool(merged.get("batch_norm", False)),
        size=cast(int | None, merged.get("size")),
        reasons=tuple(reasons),
    )


def _tables(method: str, regime: str, source: Source) -> Iterator[Table]:
    """Yield the tables that apply, the general ones first."""
    whole = read_settings()
    for name in SOURCES[: SOURCES.index(source) + 1]:
        for group in ("shared", method):
            table = cast(Table, whole.get(group, {}).get(name, {}))
            yield table
            yield cast(Table, table.get(regime, {}))


def read_settings() -> dict[str, Table]:
    """Read the file as it is."""
    return tomllib.loads(files("moose.methods").joinpath("settings.toml").read_text("utf-8"))
