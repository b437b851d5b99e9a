"""Where results are kept: a folder with one JSON file a cell.

Layout, below the folder DIR of `moose bench run --store DIR`:

    plans/PLAN-SCALE.json   which cells a plan has at a scale (`Listing`), finished or not
    cells/NAME.json         the record of a finished cell
    failed/NAME.json        the record of a cell that failed, with its error; gone once the cell is finished
    locks/NAME.lock         who computes the cell now (`moose.benchmark.store.locks`)
    work/NAME/              checkpoints of a cell that is being trained; gone once it is finished
    PLAN-SCALE.jsonl.gz     all of a plan in one file (`moose.benchmark.packed_files`), as `moose bench pack` writes it

NAME is `REGIME-DATA-METHOD-SEED-DIGEST`; METHOD is the registry's, DIGEST one of all that decides the result. Plans
share cells: where two plans ask for the same thing, it is computed once. Every file appears whole or not at all. Read
with `Store(DIR).listings()`, `.results(plan, scale)` and `.failures(plan, scale)`; a record that these give has `plan`,
`scale` and `method` as the listing names them, and `varied`. What is packed is read as if it lay in the folder. What
the plan's own packed file has of a finished cell goes before the cell's file, which may be from another plan's. To
compute more, `moose bench run` first unpacks what it needs. `Store(FILE)` reads one packed file.

Record of a learning cell (`kind` "learning"; a number that does not exist is null):

    format                  1
    kind, cell              "learning", NAME
    plan, scale             as they were when it was computed
    regime, data, seed      "mnist1", "digits", 0
    method                  the row of the plan: a method of the registry, or a variant such as "moose-open"
    configuration           by (the registry's name), options (all of the method's), closure, epochs, batch_size,
                            learning_rate, batch_norm, count, test_count, size, inductive
    versions                {"method": 1, "data": 1, "training": 1}: of the method, of how the data set is made,
                            of what all methods share; later ones than 1 are in DIGEST; what is absent is 1
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
    metrics_observed        of observed concepts, without evidence: acc_y, f1_y; absent in older records
    left_open               where something is: by view, and of observed atoms, how much of what is judged is undecided
    SPLIT_split             for each further split, such as held_out_split: the same four, {"metrics": …, …}
    details                 {SPLIT: {VIEW: …}} for "test" and further splits, and the three views by the names above:
        reliability         {"counts": […], "confidence": […], "accuracy": […]}, ten bins of equal width; for `ece`
        reliability_atom    the same for latent atoms; for `ece_atom`
        confusions          a matrix for each of `families`: row = true, column = predicted
        concepts            {latent concept: [true positive, false positive, false negative, true negative]}, atoms at ½
    origin                  only where another program than `moose bench run` made it: runner; file, and the commit that
                            has it; configuration, as it was there. What that program did not keep is empty or absent

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

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Choice, Planned, planned_cells
from moose.benchmark.plans.plans import Plan
from moose.benchmark.store.locks import is_held
from moose.benchmark.store.packed_files import is_packed, packed_in, read_packed_listing
from moose.benchmark.store.record_files import read_content, read_json, read_listing, read_record, write_json
from moose.benchmark.store.records import FORMAT, Content, Listed, Listing, Record, joined, lent, listing_of

State = Literal["finished", "failed", "running", "waiting"]


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of a benchmark's results, or one packed file, which is only read."""

    folder: Path

    def __post_init__(self) -> None:
        if self.folder.exists() and not self.folder.is_dir() and not is_packed(self.folder):
            raise MooseError(f"{self.folder}: expected a folder for results, but it is a file; choose another name")

    # -------------------------------------------------------------------------------------------------- reading

    def listings(self) -> list[Listing]:
        """Return the plans that were begun here."""
        known = {(one.plan, one.scale): one for one in self._packed_listings().values()}
        for one in map(read_listing, (self.folder / "plans").glob("*.json")):
            key = one.plan, one.scale
            known[key] = joined(one, known[key]) if key in known else one
        return sorted(known.values(), key=lambda listing: f"{listing.plan}-{listing.scale}")

    def listing(self, plan: str, scale: str) -> Listing:
        """Return one plan that was begun here."""
        known = self.listings()
        for one in known:
            if (one.plan, one.scale) == (plan, scale):
                return one
        names = ", ".join(f"{one.plan} at {one.scale}" for one in known) or "none"
        raise MooseError(f"{self.folder}: has no runs of {plan} at the scale {scale}, but {names}; run it first")

    def results(self, plan: str, scale: str) -> list[Record]:
        """Return the records of a plan's finished cells, in its order."""
        listing = self.listing(plan, scale)
        return _in_order(listing, self._finished_of(listing))

    def failures(self, plan: str, scale: str) -> list[Record]:
        """Return the records of a plan's failed cells."""
        listing = self.listing(plan, scale)
        return _in_order(listing, self._failed_of(listing))

    def content(self, plan: str, scale: str) -> Content:
        """Return all that there is of a plan."""
        listing = self.listing(plan, scale)
        return Content(listing, self._finished_of(listing), self._failed_of(listing))

    def unchecked(self, plan: str, scale: str) -> list[Record]:
        """Return the records of a plan's finished cells as the files have them: a run goes on whatever is in them."""
        listing = self.listing(plan, scale)
        return _in_order(listing, self._finished_of(listing, read_json))

    def _finished_of(self, listing: Listing, read: Callable[[Path], Record] = read_record) -> dict[str, Record]:
        """Return the records of finished cells; the plan's packed file goes before the files of cells.

        A cell that is packed is not computed again, so its file holds the same, or what another plan's packed file
        has under that name: made before names covered versions, that may be another result.
        """
        records = {cell: one for packed in self._packed_of(listing) for cell, one in packed.finished.items()}
        own = {one.cell: self.finished(one.cell) for one in listing.cells if one.cell not in records}
        return records | {cell: read(path) for cell, path in own.items() if path.exists()}

    def _failed_of(self, listing: Listing) -> dict[str, Record]:
        """Return the records of failed cells, likewise; what has since been finished has not failed."""
        packed = {cell: one for packed in self._packed_of(listing) for cell, one in packed.failed.items()}
        records = {cell: one for cell, one in packed.items() if not self.finished(cell).exists()}
        own = {one.cell: self.failed(one.cell) for one in listing.cells}
        return records | {cell: read_record(path) for cell, path in own.items() if path.exists()}

    def _packed_listings(self) -> dict[Path, Listing]:
        return {path: listing_of(read_packed_listing(path), path) for path in packed_in(self.folder)}

    def _packed_of(self, listing: Listing) -> list[Content]:
        wanted = listing.plan, listing.scale
        return [read_content(path) for path, one in self._packed_listings().items() if (one.plan, one.scale) == wanted]

    def state(self, cell: str) -> State:
        """Say how far a cell is."""
        return self.states([cell])[cell]

    def states(self, cells: Iterable[str]) -> dict[str, State]:
        """Say of each cell how far it is."""
        packed = [read_content(path) for path in packed_in(self.folder)]
        finished = {cell for one in packed for cell in one.finished}
        failed = {cell for one in packed for cell in one.failed}
        return {cell: self._state(cell, cell in finished, cell in failed) for cell in cells}

    def _state(self, cell: str, is_finished: bool, is_failed: bool) -> State:
        if is_finished or self.finished(cell).exists():
            return "finished"
        if is_held(self.lock(cell)):
            return "running"
        return "failed" if is_failed or self.failed(cell).exists() else "waiting"

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
        for before in self.listings():
            if (before.plan, before.scale) == (plan.name, scale):
                seeds.update(before.seeds)
            elif self._plan(before.plan, before.scale) == path:
                raise MooseError(
                    f"{path}: is of {before.plan} at the scale {before.scale}, so that {plan.name} at {scale} has no "
                    "place there; give the plan another name"
                )
        listing = make_listing(plan, scale, sorted(seeds))
        write_json(path, {"format": FORMAT, **asdict(listing)})

    def unpack(self, plan: str, scale: str, cells: Collection[str]) -> None:
        """Give those cells that are packed a file of their own, unless they have one: who computes looks only there.

        The plan's own packed file goes first, then those of other plans; of these, records of another program come
        last. Where two other plans disagree about a cell, nobody can say which is meant.
        """
        if is_packed(self.folder):
            raise MooseError(
                f"{self.folder}: expected a folder to compute in, but it is a packed file, which is only read; give "
                "the folder that it is in, or put it into one"
            )
        wanted = {cell for cell in cells if not self.finished(cell).exists()}
        own, others = list[Content](), list[Content]()
        for path in packed_in(self.folder):
            packed = read_content(path)
            (own if (packed.listing.plan, packed.listing.scale) == (plan, scale) else others).append(packed)
        finished = lent(others, wanted, str(self.folder)) | {
            cell: one for some in own for cell, one in some.finished.items()
        }
        for cell in wanted & finished.keys():
            write_json(self.finished(cell), finished[cell])
        failed = {cell: one for some in (*others, *own) for cell, one in some.failed.items()}
        for cell in (wanted - finished.keys()) & failed.keys():
            if not self.failed(cell).exists():
                write_json(self.failed(cell), failed[cell])


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


def _in_order(listing: Listing, records: Mapping[str, Record]) -> list[Record]:
    """Return the records that there are, under the names that the listing has for them."""
    own = {"plan": listing.plan, "scale": listing.scale}
    return [
        {**records[one.cell], **own, "method": one.method, "varied": dict(one.varied)}
        for one in listing.cells
        if one.cell in records
    ]
