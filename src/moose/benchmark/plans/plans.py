"""Plans as data: which rows, regimes and seeds an experiment has, and how large its runs are; read from TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import Literal, TypeVar, cast, get_args

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.base.whole_files import is_file_name
from moose.grounding.task.components import CLOSURE_COMPONENTS, USUAL_CLOSURE

PLANS = ("headline", "ablation", "inductive", "lr-sensitivity", "significance", "circuits")
"""The one table: each is a file of `plan_files`."""
SMOKE = "smoke"
"""The scale that shows that everything runs, and nothing else."""
SCALES = (SMOKE, "standard", "paper")
VARIED = ("learning_rate", "batch_size", "epochs", "count", "size")
SUBJECTS = ("digits", "pizzas", "hmc", "genes")

Kind = Literal["learning", "circuit"]
Table = dict[str, object]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a plan's table: a method with some of its options, a baseline, or a way to compile."""

    name: str
    method: str = ""
    """Of the registry or of `moose.benchmark.plans.baselines`; the name itself if empty."""
    options: Mapping[str, object] = field(default_factory=dict)
    """In place of those of the settings."""
    settings: str = ""
    """Whose group of the settings it takes; its method's if empty."""
    closure: bool | Sequence[str] = True
    """Whether declared families are closed, or by which parts of the closure, in training and in what is then asked."""
    encoding: str = "full"
    """Of a circuit."""
    vtree: str = "structure"
    repetitions: int = 3

    def __post_init__(self) -> None:
        if not self.method:
            object.__setattr__(self, "method", self.name)
        if not isinstance(self.closure, bool):
            object.__setattr__(self, "closure", _checked_closure(self.name, self.closure))


@dataclass(frozen=True, slots=True)
class Size:
    """Which data a subject's regimes have at a scale; what is None is as the settings and the data set have it."""

    data: str
    count: int | None = None
    test_count: int | None = None
    size: int | None = None
    epochs: int | None = None
    batch_size: int | None = None

    def __post_init__(self) -> None:
        for key in ("count", "test_count", "size", "epochs", "batch_size"):
            number: object = getattr(self, key)
            if number is not None and (type(number) is not int or number < 1):
                raise MooseError(f"expected {key} of a scale as a whole number from 1 on, but got {number!r}")


@dataclass(frozen=True, slots=True)
class Scale:
    """How large runs are."""

    name: str
    title: str
    settings: Literal["ours", "paper"]
    sizes: Mapping[str, Size]
    """For each subject: digits, pizzas, hmc, genes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment: its cells are the product of rows, regimes, what is varied, and seeds."""

    name: str
    title: str
    regimes: tuple[str, ...]
    rows: tuple[Row, ...]
    seeds: Mapping[str, int]
    """For each scale how many; they are 0, 1, 2, …"""
    scales: Mapping[str, Scale]
    kind: Kind = "learning"
    shows: tuple[str, ...] = ()
    """Labels of the paper's tables."""
    reference: str | None = None
    """The row that others are compared with."""
    inductive: bool = False
    vary: Mapping[str, tuple[object, ...]] = field(default_factory=dict)

    def scale(self, name: str) -> Scale:
        """Return one of its scales."""
        if name not in self.scales:
            raise unknown_word(f"a scale of the plan {self.name}", name, tuple(self.scales))
        return self.scales[name]


def read_plan(name: str | Path) -> Plan:
    """Read a plan of the table, or one from a file of the user's own, which ends in .toml.

    >>> plan = read_plan("headline")
    >>> len(plan.rows), len(plan.regimes), plan.seeds["standard"]
    (16, 6, 5)
    """
    if str(name).endswith(".toml"):
        path = Path(name)
        if path.stem in PLANS:
            raise MooseError(
                f"{path}: {path.stem} is a plan of the paper; give yours another name, so that none is lost"
            )
        return plan_from_table(path.stem, _load(_text(path), str(path)), source=str(path))
    if name not in PLANS:
        raise unknown_word("a plan", str(name), PLANS)
    return plan_from_table(str(name), _bundled(str(name)), source=f"{name}.toml")


def plan_from_table(name: str, table: Table, *, source: str) -> Plan:
    """Make a plan of what a file says; its scales stand on the shared ones."""
    given = dict(table)
    _check_types(given, source)
    shared = _merged(_bundled("scales"), cast(Table, given.pop("scales", {})))
    seeds = _needed(given, "seeds", dict, source)
    rows = tuple(_made(Row, row, f"{source}, rows") for row in _needed(given, "rows", list, source))
    scales = {key: _scale(key, cast(Table, shared.get(key, {})), f"{source}, scales") for key in seeds}
    vary = {key: tuple(values) for key, values in cast(dict[str, list[object]], given.pop("vary", {})).items()}
    given |= {"rows": rows, "seeds": seeds, "scales": scales, "vary": vary, "name": name}
    for key in ("regimes", "shows"):
        given[key] = tuple(cast(list[str], given.get(key, ())))
    plan = _made(Plan, given, source)
    _check(plan, source)
    return plan


TYPES: dict[str, type] = {
    "title": str,
    "kind": str,
    "reference": str,
    "regimes": list,
    "shows": list,
    "scales": dict,
    "vary": dict,
    "inductive": bool,
}
TYPES_OF_ROW: dict[str, type] = {"name": str, "method": str, "options": dict, "repetitions": int}


def _check_types(table: Table, source: str) -> None:
    """Refuse what is of another type than a plan has it, before it comes to be in a store."""
    rows = table.get("rows")
    parts = [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
    for given, types in [(table, TYPES), *((row, TYPES_OF_ROW) for row in parts)]:
        for key, wanted in types.items():
            if key in given and not isinstance(given[key], wanted):
                raise MooseError(f"{source}: expected {key} as a {wanted.__name__}, but got {given[key]!r:.80}")
    for key in ("regimes", "shows"):
        if not all(isinstance(one, str) for one in cast(list[object], table.get(key, []))):
            raise MooseError(f"{source}: expected {key} as a list of names, but got {table[key]!r:.80}")
    for key, values in cast(Table, table.get("vary", {})).items():
        if not isinstance(values, list):
            raise MooseError(f"{source}: expected a list of values for {key} to vary, but got {values!r:.80}")


def _checked_closure(row: str, given: object) -> bool | tuple[str, ...]:
    """Return parts of the closure in their order, each once; true for the usual ones, and false for none."""
    if not isinstance(given, list | tuple) or any(one not in CLOSURE_COMPONENTS for one in given):
        raise MooseError(
            f"expected true, false or a list of {', '.join(CLOSURE_COMPONENTS)} for the closure of the row {row}, but "
            f"got {given!r}"
        )
    parts = tuple(one for one in CLOSURE_COMPONENTS if one in given)
    return True if parts == USUAL_CLOSURE else parts or False


def _check(plan: Plan, source: str) -> None:
    for what, name in (("plan", plan.name), *(("scale", scale) for scale in plan.seeds)):
        if not is_file_name(name):
            raise MooseError(f"{source}: expected a {what} whose name can be that of a file, but got {name!r}")
    names = [row.name for row in plan.rows]
    if not plan.regimes:
        raise MooseError(f"{source}: expected the names of regimes, but there are none; name one, such as mnist1")
    if not names or len(set(names)) != len(names):
        raise MooseError(f"{source}: expected rows, each with a name of its own, but got {names}")
    if plan.kind not in get_args(Kind):
        raise MooseError(f"{source}: expected the kind learning or circuit, but got {plan.kind!r}")
    if plan.reference is not None and plan.reference not in names:
        raise unknown_word(f"{source}: a row as reference", plan.reference, names)
    _check_varied(plan, source)
    for scale, count in plan.seeds.items():
        if type(count) is not int or count < 1:
            raise MooseError(f"{source}: expected a positive number of seeds for {scale}, but got {count!r}")


def _check_varied(plan: Plan, source: str) -> None:
    for key in plan.vary:
        if key not in VARIED:
            raise unknown_word(f"{source}: something to vary", key, VARIED)
        for value in plan.vary[key]:
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
                raise MooseError(f"{source}: expected positive numbers for {key} to vary, but got {value!r}")


def _scale(name: str, table: Table, source: str) -> Scale:
    if not table:
        raise MooseError(f"{source}: expected a table for the scale {name}, but there is none; describe it there")
    sizes = {subject: _made(Size, table[subject], f"{source}.{name}") for subject in SUBJECTS if subject in table}
    rest = {key: value for key, value in table.items() if key not in SUBJECTS}
    return _made(Scale, {"settings": "ours", "title": ""} | rest | {"name": name, "sizes": sizes}, f"{source}.{name}")


def _made(kind: type[Value], table: object, source: str) -> Value:
    """Make a frozen value of a table, whose keys must be its fields."""
    if not isinstance(table, dict):
        raise MooseError(f"{source}: expected a table, but got {table!r}")
    known = tuple(one.name for one in fields(kind))  # type: ignore[arg-type]  # all kinds here are dataclasses
    for key in table:
        if key not in known:
            raise unknown_word(f"{source}: a key", key, known)
    try:
        return kind(**table)
    except (MooseError, TypeError) as error:
        raise MooseError(f"{source}: {error}") from None


def _needed(table: Table, key: str, kind: type[Value], source: str) -> Value:
    value = table.pop(key, None)
    if not isinstance(value, kind) or not value:
        raise MooseError(f"{source}: expected {key} as a {kind.__name__} that is not empty, but got {value!r}")
    return value


def _merged(below: Table, above: Table) -> Table:
    """Lay one table over another, tables inside them likewise."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _bundled(name: str) -> Table:
    return tomllib.loads(files("moose.benchmark.plans").joinpath("plan_files", f"{name}.toml").read_text("utf-8"))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # Windows' editors begin with a mark
    except (OSError, UnicodeDecodeError) as error:
        raise MooseError(f"{path}: expected a plan in TOML, but it cannot be read: {error}") from None


def _load(text: str, source: str) -> Table:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MooseError(f"{source}: expected a plan in TOML, but {error}") from None
