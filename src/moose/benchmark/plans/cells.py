"""Cells: one run each, named by all that decides what it comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Literal

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.benchmark.plans.baselines import BASELINES
from moose.benchmark.plans.plans import Kind, Plan, Row, Size

CIRCUIT = "circuit"
"""What stands in place of a data set where a circuit is measured."""
CIRCUIT_VERSION = 1
"""Raised when a regime is compiled to another circuit than before."""
TRAINING_VERSION = 1
"""Raised when what all methods share comes to other results: encoders, the training loop, settings not in a cell."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A run: everything that decides its result, and nothing else."""

    kind: Kind | Literal["baseline"]
    regime: str
    data: str
    method: str
    """Of the registry, or a baseline, or the way to compile."""
    seed: int
    configuration: Mapping[str, object]
    versions: Mapping[str, int] = field(default_factory=dict)
    """Of the method, of the data set, of what all methods share; what is absent is the first."""

    @property
    def name(self) -> str:
        """What its files are called: a cell of the same name has the same result.

        First versions have no part in it, so that cells from before there were versions keep their names.

        >>> Cell("circuit", "mnist1", "circuit", "default", 0, {"vtree": "structure"}).name
        'mnist1-circuit-default-0-1f19d96d59'
        """
        facts = asdict(self)
        later = {what: version for what, version in facts.pop("versions").items() if version != 1}
        text = json.dumps(facts | ({"versions": later} if later else {}), sort_keys=True, ensure_ascii=False)
        digest = blake2b(text.encode(), digest_size=5).hexdigest()
        return f"{self.regime}-{self.data}-{self.method}-{self.seed}-{digest}"


@dataclass(frozen=True, slots=True)
class Planned:
    """A cell as a plan has it."""

    row: str
    cell: Cell
    varied: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """A part of a plan: what is None is as the plan has it."""

    regimes: Sequence[str] | None = None
    rows: Sequence[str] | None = None
    seeds: Sequence[int] | None = None
    """May be others than the plan's."""


EVERYTHING = Choice()
OF_SETTINGS = ("epochs", "batch_size", "learning_rate", "size")
"""What a scale or a variation puts in place of the settings'."""


def planned_cells(plan: Plan, scale: str, choice: Choice = EVERYTHING) -> list[Planned]:
    """Return the cells of a plan at a scale, the first seed of everything before the second of anything.

    Two rows, or two varied values, may come to the same cell, which is then computed once.

    >>> from moose.benchmark.plans.plans import read_plan
    >>> len(planned_cells(read_plan("headline"), "smoke"))
    192
    """
    regimes = _chosen("a regime", plan.name, choice.regimes, plan.regimes)
    names = _chosen("a row", plan.name, choice.rows, [row.name for row in plan.rows])
    plan.scale(scale)
    seeds = range(plan.seeds[scale]) if choice.seeds is None else choice.seeds
    rows = [row for row in plan.rows if row.name in names]
    unseeded = [
        Planned(row.name, _cell(plan, scale, row=row, regime=regime, varied=varied), varied)
        for regime, row, varied in product(regimes, rows, list(_variations(plan)))
    ]
    return [replace(one, cell=replace(one.cell, seed=seed)) for seed in seeds for one in unseeded]


def _chosen(what: str, plan: str, wanted: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    for name in wanted or ():
        if name not in known:
            raise unknown_word(f"{what} of the plan {plan}", name, known)
    return [name for name in known if wanted is None or name in wanted]


def _variations(plan: Plan) -> Iterator[dict[str, object]]:
    for values in product(*plan.vary.values()):
        yield dict(zip(plan.vary, values))


def _cell(plan: Plan, scale: str, *, row: Row, regime: str, varied: Mapping[str, object]) -> Cell:
    """Return a cell with the seed 0."""
    from moose.datasets.open import find_source
    from moose.methods.registry import find_method

    if plan.kind == "circuit":
        ways = {"encoding": row.encoding, "vtree": row.vtree, "repetitions": row.repetitions}
        name = re.sub(r"[^\w.+-]+", "-", row.name)  # it is part of the name of a file
        return Cell("circuit", regime, CIRCUIT, name, 0, ways, {"method": CIRCUIT_VERSION})
    size = _size(plan, scale, regime)
    wanted = {key: value for key, value in asdict(size).items() if value is not None} | dict(varied)
    configuration = {
        "count": wanted.get("count"),
        "test_count": wanted.get("test_count"),
        "closure": row.closure if isinstance(row.closure, bool) else list(row.closure),
        "inductive": plan.inductive,
    }
    versions = {"data": find_source(size.data).version}
    if row.method in BASELINES:  # nobody looks at the images, whatever their size
        ours = {"size": wanted.get("size"), **configuration}
        return Cell("baseline", regime, size.data, row.method, 0, ours, versions)
    changes = {key: wanted[key] for key in OF_SETTINGS if key in wanted}
    settings = _settings(row, regime, plan.scale(scale).settings, changes, size.data)
    versions |= {"method": find_method(row.method).version, "training": TRAINING_VERSION}
    return Cell("learning", regime, size.data, row.method, 0, settings | configuration, versions)


def _settings(row: Row, regime: str, source: str, changes: Mapping[str, object], data: str) -> dict[str, object]:
    from moose.datasets.base.regimes import ROWS
    from moose.methods.settings import find_settings

    own = None if regime in ROWS else data
    settings = find_settings(
        row.method,
        regime,
        source,  # type: ignore[arg-type]  # it checks
        data=own,
        group=row.settings,
        **row.options,
        **changes,
    )
    added = {
        "hidden": list(settings.hidden),
        "dropout": settings.dropout,
        "valid": settings.valid,
        "patience": settings.training.patience,
        "weight_decay": settings.training.weight_decay,
        "stop_by": "" if settings.training.stop_by == "loss" else settings.training.stop_by,
        "base_rates": settings.training.base_rates,
    }
    return {key: value for key, value in added.items() if value} | {
        "by": row.method,
        "options": settings.method.options,
        "epochs": settings.training.epochs,
        "batch_size": settings.training.batch_size,
        "learning_rate": settings.training.learning_rate,
        "batch_norm": settings.batch_norm,
        "size": settings.size,
    }


def _size(plan: Plan, scale: str, regime: str) -> Size:
    from moose.datasets.base.regimes import ROWS

    sizes = plan.scale(scale).sizes
    if regime not in ROWS:
        return _size_of_own(plan, regime, sizes)
    subject = ROWS[regime].subject
    if subject not in sizes:
        raise unknown_word(f"a subject with a size in the scale {scale}", subject, tuple(sizes))
    return sizes[subject]


def _size_of_own(plan: Plan, regime: str, sizes: Mapping[str, Size]) -> Size:
    """Return the size of a data set among whose own regimes is one; what is wrong with a name is said by that."""
    from moose.datasets.base.regimes import ROWS
    from moose.datasets.open import find_source

    refusals = list[MooseError]()
    for size in sizes.values():
        own = find_source(size.data).own_regimes
        if own is not None:
            try:
                own.check(regime)
            except MooseError as error:
                refusals.append(error)
            else:
                return size
    raise refusals[0] if refusals else unknown_word(f"a regime in the plan {plan.name}", regime, tuple(ROWS))


def missing_data(cells: Iterable[Cell], folder: Path | None) -> dict[str, str]:
    """Say for each data set that cells need and that cannot be opened what is missing."""
    from moose.datasets.open import find_source

    names = dict.fromkeys(cell.data for cell in cells if cell.kind != "circuit")
    reasons = {name: find_source(name).missing(data_place(name, folder)) for name in names}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def data_place(name: str, folder: Path | None) -> Path | None:
    """Return where a data set's files are, given the folder that has a folder for each; None for the usual place."""
    from moose.datasets.open import find_source

    return None if folder is None or not find_source(name).has_files else folder / name
