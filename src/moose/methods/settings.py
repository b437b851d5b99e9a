"""Hyperparameters as data: `settings.toml`, read for a method and a regime."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal, cast

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.learning.fit.training_loop import Training
from moose.methods.base.method import Method
from moose.methods.registry import find_method, make_method

Source = Literal["paper", "ours"]
SOURCES: tuple[Source, ...] = ("paper", "ours")
OF_TRAINING = ("epochs", "batch_size", "learning_rate", "patience", "weight_decay", "stop_by", "base_rates")
OTHERS = ("batch_norm", "size", "hidden", "dropout", "valid", "why", "unset")

Table = dict[str, object]


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides a run, besides data and seed."""

    method: Method
    training: Training
    batch_norm: bool = False
    size: int | None = None
    """Pixels a side; as the data set has them if None."""
    hidden: tuple[int, ...] = ()
    """The widths of the layers that look at features; as the encoder has them if there are none."""
    dropout: float = 0.0
    valid: str = ""
    """What the split `valid` is for: to stop by, or to learn from."""
    reasons: tuple[str, ...] = field(default=())
    """Why ours differ from the paper's."""


def find_settings(
    method: str, regime: str, source: Source = "ours", *, data: str | None = None, group: str = "", **changes: object
) -> Settings:
    """Return the settings of a method in a regime, perhaps of a data set with regimes of its own, with some changed.

    A method may have several groups of settings; `group` names one that is not called as the method is.

    >>> find_settings("moose", "mnist1", "paper").training.learning_rate
    0.003
    >>> find_settings("bears", "pizzaB", "paper", members=3).method.options
    {'members': 3, 'gamma1': 2.0, 'gamma2': 0.1, 'sign': 'printed', 'over': 'atoms', 'head': 'sigmoid'}
    """
    if source not in SOURCES:
        raise MooseError(f"expected settings among {', '.join(SOURCES)}, but got {source!r}")
    find_method(method)
    if group and group not in read_settings():
        raise unknown_word("a group of settings", group, sorted(read_settings()))
    merged, reasons = Table(), list[str]()
    for table in _tables(group or method, regime, source, data):
        reasons += [str(table["why"])] if "why" in table else []
        merged |= {key: value for key, value in table.items() if not isinstance(value, dict)}
        for key in cast(list[str], table.get("unset", [])):  # back to the method's own default
            merged.pop(key, None)
    merged |= changes
    training = {key: merged[key] for key in OF_TRAINING if key in merged}
    options = {key: value for key, value in merged.items() if key not in (*OF_TRAINING, *OTHERS)}
    return Settings(
        method=make_method(method, **options),
        training=Training(**training),  # type: ignore[arg-type]  # it checks them
        batch_norm=bool(merged.get("batch_norm", False)),
        size=cast(int | None, merged.get("size")),
        hidden=tuple(cast(list[int], merged.get("hidden", []))),
        dropout=cast(float, merged.get("dropout", 0.0)),
        valid=str(merged.get("valid", "")),
        reasons=tuple(reasons),
    )


def _tables(own: str, regime: str, source: Source, data: str | None) -> Iterator[Table]:
    """Yield the tables that apply, the general ones first.

    A regime such as cellcycle_fun-hidden90 has those of its data set, of cellcycle_fun, of hidden, and its own; where
    nothing is said after the name of the set, those of cellcycle_fun-complete.
    """
    whole = read_settings()
    words = [word.rstrip("0123456789") if place else word for place, word in enumerate(regime.split("-"))]
    words += [f"{regime}-complete"] if len(words) == 1 else []
    names = dict.fromkeys([*([] if data is None else [data, *words]), regime])
    for name in SOURCES[: SOURCES.index(source) + 1]:
        for group in ("shared", own):
            table = cast(Table, whole.get(group, {}).get(name, {}))
            yield table
            yield from (cast(Table, table.get(name, {})) for name in names)


def read_settings() -> dict[str, Table]:
    """Read the file as it is."""
    return tomllib.loads(files("moose.methods").joinpath("settings.toml").read_text("utf-8"))
