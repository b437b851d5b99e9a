"""Which versions of methods and data records are of: told wherever a table could mix them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import TRAINING_VERSION, Cell
from moose.benchmark.store.records import Record


def versions_of(record: Record) -> Mapping[str, int]:
    """Return the versions that a record is of; what it does not say is the first.

    >>> versions_of({"kind": "baseline", "versions": {"data": 2}})
    {'data': 2}
    >>> versions_of({"kind": "learning"})
    {'data': 1, 'method': 1, 'training': 1}
    """
    parts = {"learning": ("data", "method", "training"), "baseline": ("data",), "circuit": ("method",)}
    said = record.get("versions", {})
    return {part: said.get(part, 1) for part in parts[record.get("kind", "learning")]}


OF_EXAMPLES = ("count", "test_count", "size", "inductive", "closure")
"""Keys of a cell's configuration that decide which examples it sees."""
Key = tuple[object, ...]


def examples_key(cell: Cell) -> Key:
    """Return what decides which examples a cell sees."""
    found = (cell.configuration.get(key) for key in OF_EXAMPLES)
    own = (tuple(value) if isinstance(value, list) else value for value in found)
    return cell.data, cell.versions.get("data", 1), cell.regime, cell.seed, *own


def seen_examples(records: Iterable[Record]) -> dict[Key, dict[str, str]]:
    """Return the hashes of the examples that records were made from, each with the first cell that saw these."""
    hashes = dict[Key, dict[str, str]]()
    for one in records:
        if "data_hash" in one:
            about = one["kind"], one["regime"], one["data"], one["method"], one["seed"], one["configuration"]
            cell = Cell(*about, versions_of(one))
            hashes.setdefault(examples_key(cell), {}).setdefault(one["data_hash"], str(one.get("cell", cell.name)))
    return hashes


def expected_hash(cell: Cell, seen: Mapping[Key, Mapping[str, str]]) -> str | None:
    """Return the hash of the examples that a cell must see, if others saw the same ones; refuse if they did not."""
    hashes = seen.get(examples_key(cell), {})
    if len(hashes) > 1:
        (one, first), (other, second), *_ = hashes.items()
        raise MooseError(
            f"{cell.name}: expected finished cells that saw the same examples of {cell.data}, but {first} saw others "
            f"(hash {one[:12]}) than {second} ({other[:12]}); remove the records of one of them, or take another store"
        )
    return next(iter(hashes), None)


def version_text(records: Iterable[Record]) -> str:
    """Say of which rows and data sets records are not all of the first version, or not of this program's; or nothing.

    >>> one = {"kind": "circuit", "method": "paper", "data": "circuit"}
    >>> version_text([one, {**one, "versions": {"method": 2}}])
    'paper: mixed, versions 1 and 2'
    """
    named, present = dict[str, set[int]](), dict[str, int]()
    for record in records:
        for part, version in versions_of(record).items():
            name = {"data": f"data {record['data']}", "method": record["method"], "training": "training"}[part]
            named.setdefault(name, set()).add(version)
            if name not in present and (now := _present(record, part)) is not None:
                present[name] = now
    texts = [_text(name, versions, present.get(name)) for name, versions in named.items()]
    return "; ".join(sorted(text for text in texts if text))


def _text(name: str, versions: set[int], present: int | None) -> str:
    if len(versions) > 1:
        return f"{name}: mixed, versions {' and '.join(map(str, sorted(versions)))}"
    (version,) = versions
    if present is not None and present != version:
        return f"{name}: version {version}, where this program has {present}"
    return "" if version == 1 else f"{name}: version {version}"


def _present(record: Record, part: str) -> int | None:
    """Return the version that this program has, if it has the method or the data set, and can load it."""
    if record.get("kind", "learning") == "circuit" or find_spec("torch") is None:
        return None
    from moose.datasets.open import find_source
    from moose.methods.registry import find_method

    try:
        if part == "data":
            return find_source(record["data"]).version
        by = record["configuration"].get("by")
        return TRAINING_VERSION if part == "training" else None if by is None else find_method(by).version
    except MooseError:
        return None
