"""Where results are kept: a folder with one JSON file a cell.

Layout, below the folder DIR of `moose bench run --store DIR`:

    plans/PLAN-SCALE.json   which cells a plan has at a scale (`Listing`), finished or not
    cells/NAME.json         the record of a finished cell
    failed/NAME.json        the record of a cell that failed, with its error; gone once the cell is finished
    locks/NAME.lock         who computes the cell now (`moose.benchmark.sweep.locks`)
    work/NAME/              checkpoints of a cell that is being trained; gone once it is finished

NAME is `REGIME-DATA-METHOD-SEED-DIGEST`; METHOD is the registry's, DIGEST one of all that decides the result. Plans
share cells: where two plans ask for the same thing, it is computed once. Every file appears whole or not at all. Read
with `Store(DIR).listings()`, `.results(plan, scale)` and `.failures(plan, scale)`; a record that these give has `plan`,
`scale` and `method` as the listing names them, and `varied`.

Record of a learning cell (`kind` "learning"; a number that does not exist is null):

    format                  1
    kind, cell              "learning", NAME
    plan, scale             as they were when it was computed
    regime, data, seed      "mnist1", "digits", 0
    method                  the row of the plan: a method of the registry, or a variant such as "moose-open"
    configuration           by (the registry's name), options (all of the method's), closure, epochs, batch_size,
                            learning_rate, batch_norm, count, test_count, size, inductive
    version, commit         of Moose; commit is null outside a checkout, and ends in "-dirty" if files were changed
    software, machine       versions of Python, torch and numpy; processor, cores, memory_gb, system, load
    task_hash, data_hash    of concepts, families and clauses; of all images, evidence and truth of all splits
    instances               {"train": 500, "test": 359, …}
    began, ended            UTC, ISO 8601; began is that of the last start
    is_resumed              whether it went on from a checkpoint; cpu_seconds is then that of the rest
    seconds                 of all epochs, those before an interruption included
    opening_seconds, evaluation_seconds, cpu_seconds, threads (of torch)
    terms                   further numbers of the last epoch, such as {"divergence": 0.2}
    history                 one entry an epoch: epoch, steps, loss, accuracy, terms, validation_loss, seconds
    families                members of each latent family: [["D0", …, "D9"]]; [] where none is latent
    metrics                 of the split "test", given the evidence: acc_f, acc_c, acc_atom, nll, ece, ece_atom,
                            rs_cons, f1_macro, confident_error, collapse
    metrics_without_evidence, metrics_network
                            the same for the other two views
    SPLIT_split             for each further split, such as held_out_split: the same three, {"metrics": …, …}
    details                 {SPLIT: {VIEW: …}} for "test" and further splits, and the three views by the names above:
        reliability         {"counts": […], "confidence": […], "accuracy": […]}, ten bins of equal width; for `ece`
        reliability_atom    the same for latent atoms; for `ece_atom`
        confusions          a matrix for each of `families`: row = true, column = predicted
        concepts            {latent concept: [true positive, false positive, false negative, true negative]}, atoms at ½

Record of a baseline cell (`kind` "baseline"): as that of a learning cell, without what speaks of training. Its
configuration is size, count, test_count, closure and inductive; seconds are those of everything.

Record of a circuit cell (`kind` "circuit"): format, kind, cell, plan, scale, regime, data ("circuit"), method (the
row, such as "default" or "paper"), seed (0), configuration (encoding, vtree, repetitions), version, commit, software,
machine, task_hash, began, ended, seconds (the middle one), and

    circuit                 atoms, clauses, size (elements), nodes, models (as text: it may be long),
                            seconds {"smallest", "middle", "largest"}

Record of a failure: format, kind, cell, plan, scale, regime, data, method, seed, configuration, version, commit,
software, machine, began, ended, and

    error                   {"kind": "MooseError", "message": …, "traceback": …}

A listing: format, plan, scale, title, shows (labels of the paper's tables), reference (the row that others are compared
with, or null), kind, regimes, rows (names), varied (configuration keys that the plan varies: ["learning_rate"]),
seeds, inductive, settings ("ours" or "paper"), cells (a list of {"cell", "method", "regime", "data", "seed", "varied"},
the first seed of everything before the second of anything; `varied` is such as {"learning_rate": 0.001}).
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from moose.base.errors import MooseError
from moose.base.whole_files import whole_file
from moose.benchmark.sweep.cells import Choice, Planned, planned_cells
from moose.benchmark.sweep.locks import is_held
from moose.benchmark.sweep.plans import Plan
from moose.benchmark.sweep.provenance import FORMAT

Record = Mapping[str, Any]  # as the JSON has it
State = Literal["finished", "failed", "running", "waiting"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A cell of a plan, as its listing has it."""

    cell: str
    method: str
    """The row."""
    regime: str
    data: str
    seed: int
    varied: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a plan has at a scale, finished or not."""

    plan: str
    scale: str
    title: str
    kind: str
    shows: tuple[str, ...]
    reference: str | None
    regimes: tuple[str, ...]
    rows: tuple[str, ...]
    varied: tuple[str, ...]
    seeds: tuple[int, ...]
    inductive: bool
    settings: str
    cells: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of a benchmark's results."""

    folder: Path

    def __post_init__(self) -> None:
        if self.folder.exists() and not self.folder.is_dir():
            raise MooseError(f"{self.folder}: expected a folder for results, but it is a file; choose another name")

    # -------------------------------------------------------------------------------------------------- reading

    def listings(self) -> list[Listing]:
        """Return the plans that were begun here."""
        return [read_listing(path) for path in sorted((self.folder / "plans").glob("*.json"))]

    def listing(self, plan: str, scale: str) -> Listing:
        """Return one plan that was begun here."""
        path = self._plan(plan, scale)
        if not path.exists():
            known = ", ".join(f"{one.plan} at {one.scale}" for one in self.listings()) or "none"
            raise MooseError(f"{self.folder}: has no runs of {plan} at the scale {scale}, but {known}; run it first")
        return read_listing(path)

    def results(self, plan: str, scale: str) -> list[Record]:
        """Return the records of a plan's finished cells, in its order."""
        return self._records(plan, scale, self.finished)

    def failures(self, plan: str, scale: str) -> list[Record]:
        """Return the records of a plan's failed cells."""
        return self._records(plan, scale, self.failed)

    def state(self, cell: str) -> State:
        """Say how far a cell is."""
        if self.finished(cell).exists():
            return "finished"
        if is_held(self.lock(cell)):
            return "running"
        return "failed" if self.failed(cell).exists() else "waiting"

    def _records(self, plan: str, scale: str, place: Callable[[str], Path]) -> list[Record]:
        named = [(one, place(one.cell)) for one in self.listing(plan, scale).cells]
        own = {"plan": plan, "scale": scale}
        return [
            {**read_record(path), **own, "method": one.method, "varied": dict(one.varied)}
            for one, path in named
            if path.exists()
        ]

    # --------------------------------------------------------------------------------------------------- places

    def finished(self, cell: str) -> Path:
        """Return where the record of a finished cell is."""
        return self.folder / "cells" / f"{cell}.json"

    def failed(self, cell: str) -> Path:
        """Return where the record of a failed cell is."""
        return self.folder / "failed" / f"{cell}.json"

    def lock(self, cell: str) -> Path:
        """Return the lock of a cell."""
        return self.folder / "locks" / f"{cell}.lock"

    def work(self, cell: str) -> Path:
        """Return where the checkpoints of a cell are."""
        return self.folder / "work" / cell

    def _plan(self, plan: str, scale: str) -> Path:
        return self.folder / "plans" / f"{plan}-{scale}.json"

    # -------------------------------------------------------------------------------------------------- writing

    def finish(self, cell: str, record: Record) -> None:
        """Keep the record of a finished cell, and let go of what led to it."""
        write_json(self.finished(cell), record)
        self.failed(cell).unlink(missing_ok=True)
        shutil.rmtree(self.work(cell), ignore_errors=True)

    def fail(self, cell: str, record: Record) -> None:
        """Keep the record of a failed cell."""
        write_json(self.failed(cell), record)

    def list_plan(self, plan: Plan, scale: str, choice: Choice) -> None:
        """Write down what a plan has, with the seeds that were ever asked for."""
        seeds = set(range(plan.seeds[scale])).union(choice.seeds or ())
        path = self._plan(plan.name, scale)
        if path.exists():
            before = read_listing(path)
            if (before.plan, before.scale) != (plan.name, scale):
                raise MooseError(
                    f"{path}: is of {before.plan} at the scale {before.scale}, so that {plan.name} at {scale} has no "
                    "place there; give the plan another name"
                )
            seeds.update(before.seeds)
        listing = make_listing(plan, scale, sorted(seeds))
        write_json(path, {"format": FORMAT, **asdict(listing)})


def make_listing(plan: Plan, scale: str, seeds: Sequence[int]) -> Listing:
    """Return what a plan has at a scale."""
    return Listing(
        plan=plan.name,
        scale=scale,
        title=plan.title,
        kind=plan.kind,
        shows=plan.shows,
        reference=plan.reference,
        regimes=plan.regimes,
        rows=tuple(row.name for row in plan.rows),
        varied=tuple(plan.vary),
        seeds=tuple(seeds),
        inductive=plan.inductive,
        settings=plan.scale(scale).settings,
        cells=tuple(map(listed, planned_cells(plan, scale, Choice(seeds=seeds)))),
    )


def listed(planned: Planned) -> Listed:
    """Return a cell as a listing has it."""
    cell = planned.cell
    return Listed(cell.name, planned.row, cell.regime, cell.data, cell.seed, dict(planned.varied))


def read_listing(path: Path) -> Listing:
    """Read a listing."""
    table = read_json(path)
    try:
        cells = tuple(Listed(**one) for one in table.pop("cells"))
        table = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
        table.pop("format")
        return Listing(cells=cells, **table)
    except (KeyError, TypeError) as error:
        raise MooseError(f"{path}: expected the listing of a plan, but it is another version's ({error})") from None


def read_json(path: Path) -> dict[str, Any]:
    """Read an object that `write_json` wrote."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MooseError(f"{path}: expected a JSON file of a benchmark, but {error}; remove it and run again") from None
    if not isinstance(found, dict):
        raise MooseError(f"{path}: expected a JSON object, but got {type(found).__name__}; remove it and run again")
    return found


NEEDED: dict[str, dict[str, type]] = {
    "any": {
        "cell": str,
        "regime": str,
        "data": str,
        "seed": int,
        "configuration": dict,
        "software": dict,
        "machine": dict,
    },
    "judged": {
        "instances": dict,
        "families": list,
        "metrics": dict,
        "details": dict,
        "data_hash": str,
        "task_hash": str,
    },
    "circuit": {"circuit": dict, "task_hash": str},
    "error": {"error": dict},
}
"""Keys that a record of each kind has, and of what type they are."""


def read_record(path: Path) -> dict[str, Any]:
    """Read the record of a cell, and refuse what is none, or is of another version."""
    found = read_json(path)
    if found.get("format") != FORMAT:
        raise MooseError(
            f"{path}: expected a record of the format {FORMAT}, but got {found.get('format')!r:.80}; it is another "
            "version's: use that one, or remove the file and run again"
        )
    kind = "error" if "error" in found else "circuit" if found.get("kind") == "circuit" else "judged"
    for key, wanted in (NEEDED["any"] | NEEDED[kind]).items():
        if not isinstance(found.get(key), wanted):
            raise MooseError(
                f"{path}: expected {key} as a {wanted.__name__} in a record, but got {found.get(key)!r:.80}; "
                "remove the file and run again"
            )
    if not _is_finite(found):
        raise MooseError(f"{path}: has a number that is not finite; remove the file and run again")
    return found


def _is_finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, parts))


def write_json(path: Path, content: Record) -> None:
    """Write an object whole or not at all; a number that is not finite becomes null."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_finite(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8")


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
