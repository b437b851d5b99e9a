"""The fused executor: one compiled pass up and down the circuit, on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from threading import local
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.layer import derivatives
from moose.layer import torch_executor as plain
from moose.layer.kernels.arrays import (
    Bytes,
    Change,
    Examples,
    ExponentTile,
    Integers,
    Numbers,
    Outcome,
    ProductWiring,
    Search,
    Tile,
    Wiring,
    list_addresses,
)
from moose.layer.kernels.linear import MARGINALS, NOTHING, SLOPES
from moose.layer.products import find_uses, make_products
from moose.layer.program import Program
from moose.layer.schedule import make_schedule

Array = npt.NDArray[Any]

TILE = 64  # examples side by side: wide enough for vector instructions, and a tile of a small circuit stays in cache
PADDING = 8  # cells between the rows of a full tile; rows 512 bytes apart would share the same few lines of the cache
LINE = 64  # bytes of a line of the cache
LARGEST_TILE = 1 << 23  # cells of a tile: 64 MB
LARGE = 1000  # slots from which a circuit is run by `kernels.tiles`: what is rarer than 1e-200 is then nothing unusual
LARGE_TILE = 32  # examples side by side there: the more, the farther apart the numbers of a row
LIKE = {torch.float32: np.empty(0, np.float32), torch.float64: np.empty(0, np.float64)}
"""An array of each type of weights, for kernels that are given addresses."""


def empty_tile(rows: int, columns: int) -> Array:
    """Make an array that starts at a line of the cache, so that no vector of numbers spans two."""
    cells = np.empty(rows * columns + LINE // 8)
    skipped = -cells.ctypes.data % LINE // 8
    return cells[skipped : skipped + rows * columns].reshape(rows, columns)


class Scratch(local):
    """Work space of one thread, made when first needed and kept."""

    def __init__(self) -> None:
        self.tiles: dict[int, tuple[Tile, Integers]] = {}
        self.exponent_tiles: dict[int, ExponentTile] = {}
        self.arrays: dict[str, Array] = {}
        self.kept_states = np.empty(TILE, np.int8)

    def states(self, batch: int) -> Bytes:
        """Return space to say what became of each example."""
        if self.kept_states.shape[0] < batch:
            self.kept_states = np.empty(batch, np.int8)
        return self.kept_states

    def take(self, name: str, rows: int, columns: int, kind: type) -> Array:
        """Return the array of this name, with whatever was in it, or a new one if its shape has changed."""
        if name not in self.arrays or self.arrays[name].shape != (rows, columns):
            self.arrays[name] = np.empty((rows, columns), dtype=kind)
        return self.arrays[name]


@cache
def compiled() -> dict[str, Callable[..., Any]]:
    """Compile the kernels, or take them from numba's cache."""
    from moose.base.compiled.numba_compilation import compile_functions
    from moose.layer.kernels import by_address, curvature, linear, scaled, tiles

    entries = ["count_at", "scale_at", "count_scaled", "count_in_tiles", "change_marginals", "change_marginals_scaled"]
    functions: dict[str, Any] = compile_functions([linear, by_address, scaled, tiles, curvature], entries)
    return {name: functions[name] for name in entries}


@cache
def compiled_heaviest() -> Callable[..., None]:
    """Compile the search for heaviest models."""
    from moose.base.compiled.numba_compilation import compile_functions
    from moose.layer.kernels import heaviest

    return cast(Callable[..., None], compile_functions([heaviest], ["find_heaviest"])["find_heaviest"])


class Fused:
    """A program ready to run on the CPU; threads may share it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        diagram = program.diagram
        self.slots = diagram.slot_count
        self.is_large = self.slots >= LARGE
        self.columns = {NOTHING: 0, MARGINALS: 2 * diagram.atom_count, SLOPES: diagram.atom_count}
        self.wiring = Wiring(program.given, diagram.starts, diagram.primes, diagram.subs, diagram.root, program.noise)
        self.no_evidence = np.zeros((0, diagram.atom_count), dtype=np.int8)
        self.widest = max(1, min(TILE, LARGEST_TILE // max(1, self.slots)))
        self.scratch = Scratch()
        self.number = derivatives.register(self)

    def __reduce__(self) -> tuple[type[Fused], tuple[Program]]:
        return Fused, (self.program,)  # the scratch stays with its threads

    @cached_property
    def product_wiring(self) -> ProductWiring:
        """The same circuit in fewer slots, for `kernels.tiles`."""
        made = make_products(self.program.diagram)
        uses = find_uses(made, self.program.diagram)
        return ProductWiring(
            self.program.given, made.starts, made.factors, *uses, root=made.root, noise=self.program.noise
        )

    @cached_property
    def plain_wiring(self) -> plain.TorchWiring:
        """The same circuit in torch operations, for derivatives beyond the second."""
        return plain.make_wiring(make_schedule(self.program))

    @property
    def plain_arguments(self) -> tuple[Tensor, int, plain.TorchWiring]:
        """What the torch executor's functions need besides weights and evidence."""
        return torch.from_numpy(self.program.given), self.program.diagram.root, self.plain_wiring

    def run(self, log_weights: Tensor, evidence: Tensor | None, wants: int) -> tuple[Tensor, Tensor]:
        """Return log WMC of each example and what else is wanted: marginals of literals, slopes by probabilities."""
        weights = log_weights.contiguous()
        mask = None if evidence is None else evidence.contiguous()
        batch, columns, kind = weights.shape[0], self.columns[wants], weights.dtype
        logs, results = torch.empty(batch, dtype=kind), torch.empty(batch, columns, dtype=kind)
        states = self.scratch.states(batch)
        kernels = compiled()
        if self.is_large:
            examples, outcome = self._arrays(weights, mask, logs, states, results)
            tile = self._exponent_tile(batch)
            left = kernels["count_in_tiles"](examples, self.product_wiring, tile, wants, outcome)
        else:
            seen = (0, 0) if mask is None else (mask.shape[0], mask.data_ptr())
            places = (logs.data_ptr(), states.ctypes.data, results.data_ptr(), columns)
            _, table = self._work(batch)
            noise, like = self.wiring.noise, LIKE[kind]
            left = kernels["count_at"](table, noise, like, wants, batch, weights.data_ptr(), *seen, *places)
        if left:
            examples, outcome = self._arrays(weights, mask, logs, states, results)
            kernels["count_scaled"](examples, self.wiring, self._numbers(), wants, outcome)
        return logs, results

    def _arrays(
        self, weights: Tensor, evidence: Tensor | None, logs: Tensor, states: Array, results: Tensor
    ) -> tuple[Examples, Outcome]:
        observed = self.no_evidence if evidence is None else evidence.numpy()
        return Examples(weights.detach().numpy(), observed), Outcome(logs.numpy(), states, results.numpy())

    def heaviest(self, log_weights: Tensor, evidence: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the heaviest model of each example, example × atom, and its log weight."""
        weights = np.ascontiguousarray(log_weights.detach().numpy())
        observed = self.no_evidence if evidence is None else np.ascontiguousarray(evidence.numpy())
        search = Search(
            values=np.empty(self.slots),
            used=np.zeros(self.slots, np.int8),
            logs=np.empty(len(weights)),
            worlds=np.empty((len(weights), self.program.diagram.atom_count), np.int8),
        )
        compiled_heaviest()(Examples(weights, observed), self.wiring, search)
        return torch.from_numpy(search.worlds > 0), torch.from_numpy(search.logs).to(log_weights.dtype)

    def scale(self, marginals: Tensor, slope: Tensor) -> Tensor:
        """Return the marginals of each example times its slope, in half the time of torch's two operations."""
        factors, scaled = slope.contiguous(), torch.empty_like(marginals)
        sizes, places = marginals.shape, (marginals.data_ptr(), factors.data_ptr(), scaled.data_ptr())
        compiled()["scale_at"](LIKE[marginals.dtype], *sizes, *places)
        return scaled

    def change(self, log_weights: Tensor, evidence: Tensor | None, directions: Tensor) -> Tensor:
        """Return how the marginals change along directions of the log weights."""
        weights = np.ascontiguousarray(log_weights.detach().numpy())
        observed = self.no_evidence if evidence is None else np.ascontiguousarray(evidence.numpy())
        examples = Examples(weights, observed)
        logs, states = np.empty(weights.shape[0], weights.dtype), np.empty(weights.shape[0], np.int8)
        outcome = Outcome(logs, states, np.empty_like(weights))
        tile, _ = self._work(weights.shape[0])
        rows, columns = tile.values.shape
        changes = self.scratch.take("changes", 2 * rows, columns, np.float64)
        change = Change(np.ascontiguousarray(directions.detach().numpy()), changes[:rows], changes[rows:])
        kernels = compiled()
        if kernels["change_marginals"](examples, self.wiring, tile, change, outcome):
            numbers = self._numbers()
            kernels["change_marginals_scaled"](examples, self.wiring, numbers, change.directions, outcome)
        return torch.from_numpy(outcome.results)

    def _work(self, batch: int) -> tuple[Tile, Integers]:
        width = min(self.widest, max(1, batch))
        if width in self.scratch.tiles:
            return self.scratch.tiles[width]
        padded = width if width < TILE else width + PADDING
        powers = np.empty(width, np.int64)
        tiles = (empty_tile(self.slots, padded), empty_tile(self.slots, padded))
        tile = Tile(*tiles, np.empty((4, width)), powers, powers.view(np.float64))
        work = tile, list_addresses(self.wiring, tile)
        # Only the two most usual widths are kept: the whole batch's, and that of what is left of an epoch.
        self.scratch.tiles = dict([*self.scratch.tiles.items()][-1:]) | {width: work}
        return work

    def _exponent_tile(self, batch: int) -> ExponentTile:
        slots = len(self.product_wiring.use_starts) - 1
        width = max(1, min(LARGE_TILE, batch, LARGEST_TILE // slots))
        if width not in self.scratch.exponent_tiles:
            values, slopes, powers = empty_tile(slots, width), empty_tile(slots, width), np.empty(width, np.int64)
            kept = dict([*self.scratch.exponent_tiles.items()][-1:])
            self.scratch.exponent_tiles = kept | {
                width: ExponentTile(
                    values=values,
                    slopes=slopes,
                    value_bits=values.view(np.int64),
                    slope_bits=slopes.view(np.int64),
                    exponents=np.empty((2, slots), np.int64),
                    lost=np.empty(width, np.int64),
                    notes=np.empty((4, width)),
                    powers=powers,
                    power_values=powers.view(np.float64),
                )
            }
        return self.scratch.exponent_tiles[width]

    def _numbers(self) -> Numbers:
        take = self.scratch.take
        return Numbers(take("mantissas", 4, self.slots, np.float64), take("exponents", 4, self.slots, np.int64))
