"""What stands inside a record: the shape of each of its parts, so that a damaged file is told and not stumbled over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any


@dataclass(frozen=True, slots=True)
class Value:
    """A value of one of some types; of a number, null is one that does not exist."""

    types: tuple[type, ...]
    name: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of parts of one shape."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table of parts of one shape, whatever their keys."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class Fields:
    """A table with keys of their own shapes: those that it must have, and those that it may have beside any others."""

    needed: Mapping[str, Shape] = field(default_factory=dict)
    perhaps: Mapping[str, Shape] = field(default_factory=dict)


Shape = Value | ListOf | TableOf | Fields

REAL = Value((int, float), "a number")
NUMBER = Value((int, float, type(None)), "a number or null")
COUNT = Value((int,), "a whole number")
TEXT = Value((str,), "a text")
TEXT_OR_NULL = Value((str, type(None)), "a text or null")
YES_OR_NO = Value((bool,), "true or false")
WORD = Value((str, int, float, bool, type(None)), "a text, a number or a truth value")

BINS = Fields({"counts": ListOf(COUNT), "confidence": ListOf(REAL), "accuracy": ListOf(REAL)})
VIEW = Fields(
    {
        "reliability": BINS,
        "reliability_atom": BINS,
        "confusions": ListOf(ListOf(ListOf(COUNT))),
        "concepts": TableOf(ListOf(COUNT)),
    }
)
METRICS = TableOf(NUMBER)
EPOCH = Fields(
    {"epoch": COUNT, "steps": COUNT, "loss": NUMBER, "accuracy": NUMBER, "seconds": NUMBER, "terms": METRICS},
    {"validation_loss": NUMBER},
)
CONFIGURATION = Fields(
    perhaps={
        **dict.fromkeys(("by", "valid", "stop_by", "encoding", "vtree"), TEXT),
        **dict.fromkeys(("inductive", "batch_norm", "base_rates"), WORD),
        **dict.fromkeys(("epochs", "batch_size", "learning_rate", "dropout", "weight_decay", "patience"), NUMBER),
        **dict.fromkeys(("size", "count", "test_count", "repetitions"), NUMBER),
        "hidden": ListOf(COUNT),
        "options": Fields(),
    }
)
MACHINE = Fields({"processor": TEXT_OR_NULL, "cores": NUMBER, "system": TEXT_OR_NULL})
ANY: dict[str, Shape] = {
    **dict.fromkeys(("cell", "regime", "data", "version"), TEXT),
    "seed": COUNT,
    "configuration": CONFIGURATION,
    "software": TableOf(WORD),
}
"""What every record has."""
JUDGED: dict[str, Shape] = {
    **ANY,
    "machine": MACHINE,
    "instances": TableOf(COUNT),
    "families": ListOf(ListOf(TEXT)),
    "metrics": METRICS,
    "details": TableOf(TableOf(VIEW)),
}
TOLD: dict[str, Shape] = {
    **dict.fromkeys(("metrics_without_evidence", "metrics_network", "metrics_observed", "metrics_labels"), METRICS),
    **dict.fromkeys(("seconds", "opening_seconds", "evaluation_seconds", "cpu_seconds", "threads"), NUMBER),
    **dict.fromkeys(("plan", "scale", "method", "began", "ended"), TEXT),
    "commit": TEXT_OR_NULL,
    "is_resumed": YES_OR_NO,
    "versions": TableOf(COUNT),
    "terms": METRICS,
    "history": ListOf(EPOCH),
}
SPLIT = Fields({"metrics": METRICS}, {name: METRICS for name in TOLD if name.startswith("metrics_")})
"""What a record says of a further split, under its name and `_split`."""
CIRCUIT = Fields(
    {
        **dict.fromkeys(("atoms", "clauses", "size", "nodes"), COUNT),
        "models": TEXT,
        "seconds": Fields({"middle": REAL}),
    }
)
RECORDS = {
    "judged": Fields({**JUDGED, "data_hash": TEXT, "task_hash": TEXT}, TOLD),
    "origin": Fields({**JUDGED, "machine": TableOf(WORD), "origin": Fields()}, TOLD),
    "circuit": Fields({**ANY, "machine": MACHINE, "circuit": CIRCUIT, "task_hash": TEXT}, TOLD),
    "error": Fields({**ANY, "machine": TableOf(WORD), "error": TableOf(WORD)}),
}
"""The shape of each kind of record: of what was learnt or predicted, here or by another program, of what was compiled,
and of what failed.
"""


def faults(value: object, shape: Shape, where: str) -> Iterator[str]:
    """Yield what does not fit, as what was expected, where, and what came.

    >>> list(faults({"epoch": 1}, Fields({"epoch": COUNT, "loss": NUMBER}), "history[0]"))
    ['history[0].loss as a number or null, but it is missing']
    >>> list(faults([True], ListOf(COUNT), "counts"))
    ['counts[0] as a whole number, but got True']
    """
    match shape:
        case Value(types, name):
            is_right = isinstance(value, types) and (not isinstance(value, bool) or bool in types)
            if not is_right:
                yield f"{where} as {name}, but got {value!r:.80}"
        case ListOf(inner):
            if not isinstance(value, list):
                yield f"{where} as a list, but got {value!r:.80}"
            elif not _are_all(value, inner):
                for place, one in enumerate(value):
                    yield from faults(one, inner, f"{where}[{place}]")
        case TableOf(inner):
            if not isinstance(value, dict):
                yield f"{where} as a table, but got {value!r:.80}"
            elif not _are_all(value.values(), inner):
                for key, one in value.items():
                    yield from faults(one, inner, f"{where}.{key}")
        case Fields(needed, perhaps):
            yield from _faults_of_fields(value, needed, perhaps, where)


def _are_all(values: Iterable[object], shape: Shape) -> bool:
    """Return at once whether values of which there are many are of the types that JSON has for them."""
    return isinstance(shape, Value) and all(type(one) in shape.types for one in values)


def _faults_of_fields(
    value: object, needed: Mapping[str, Shape], perhaps: Mapping[str, Shape], where: str
) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where} as a table, but got {value!r:.80}"
        return
    for key, inner in (*needed.items(), *perhaps.items()):
        here = f"{where}.{key}" if where else key
        if key in value:
            yield from faults(value[key], inner, here)
        elif key in needed:
            expected = inner.name if isinstance(inner, Value) else "a list" if isinstance(inner, ListOf) else "a table"
            yield f"{here} as {expected}, but it is missing"


def fault_of_record(record: Mapping[str, Any], kind: str) -> str | None:
    """Return what does not fit in a record of a kind: a part of it, or else how parts go together; None if all does."""
    splits = (faults(value, SPLIT, key) for key, value in record.items() if key.endswith("_split"))
    lengths = _uneven(record) if kind in ("judged", "origin") else ()
    return next(chain(faults(dict(record), RECORDS[kind], ""), chain.from_iterable(splits), lengths), None)


def _uneven(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield which bins and matrices of a record, whose parts have their shapes, are not as long as their like."""
    sizes = [len(family) for family in record["families"]]
    for split, views in record["details"].items():
        for name, view in views.items():
            where = f"details.{split}.{name}"
            for bins in ("reliability", "reliability_atom"):
                if len({len(view[bins][column]) for column in BINS.needed}) != 1:
                    yield f"{where}.{bins} with as many numbers in each column, but they differ"
            if [len(matrix) for matrix in view["confusions"]] != sizes:
                yield f"{where}.confusions with a row for each member of each family, but there are others"
            elif any(len(row) != len(matrix) for matrix in view["confusions"] for row in matrix):
                yield f"{where}.confusions as square matrices, but rows are shorter or longer"
