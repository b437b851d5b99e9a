"""The fused executor: one compiled pass up and down the circuit, on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.layer import torch_executor as plain
from moose.layer.kernels.arrays import Change, Examples, Numbers, Outcome, Tile, Wiring
from moose.layer.kernels.linear import MARGINALS, NOTHING, SLOPES
from moose.layer.program import Program
from moose.layer.schedule import make_schedule

Array = npt.NDArray[Any]

TILE = 64  # examples side by side: wide enough for vector instructions, and a tile of a small circuit stays in cache
PADDING = 8  # cells between the rows of a full tile; rows 512 bytes apart would share the same few lines of the cache
LINE = 64  # bytes of a line of the cache
LARGEST_TILE = 1 << 23  # cells of a tile: 64 MB


def empty_tile(rows: int, columns: int) -> Array:
    """Make an array that starts at a line of the cache, so that no vector of numbers spans two."""
    cells = np.empty(rows * columns + LINE // 8)
    skipped = -cells.ctypes.data % LINE // 8
    return cells[skipped : skipped + rows * columns].reshape(rows, columns)


class Scratch(local):
    """Work space of one thread, made when first needed and kept."""

    def __init__(self) -> None:
        self.tiles: dict[int, Tile] = {}
        self.arrays: dict[str, Array] = {}

    def take(self, name: str, rows: int, columns: int, kind: type) -> Array:
        """Return the array of this name, with whatever was in it, or a new one if its shape has changed."""
        if name not in self.arrays or self.arrays[name].shape != (rows, columns):
            self.arrays[name] = np.empty((rows, columns), dtype=kind)
        return self.arrays[name]


@cache
def compiled() -> dict[str, Callable[..., Any]]:
    """Compile the kernels, or take them from numba's cache."""
    from moose.base.numba_compilation import compile_functions
    from moose.layer.kernels import curvature, linear, scaled

    entries = ["count", "count_scaled", "change_marginals", "change_marginals_scaled"]
    functions: dict[str, Any] = compile_functions([linear, scaled, curvature], entries)
    return {name: functions[name] for name in entries}


class Fused:
    """A program ready to run on the CPU; threads may share it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        diagram = program.diagram
        self.slots = diagram.slot_count
        self.columns = {NOTHING: 0, MARGINALS: 2 * diagram.atom_count, SLOPES: diagram.atom_count}
        self.wiring = Wiring(program.given, diagram.starts, diagram.primes, diagram.subs, diagram.root, program.noise)
        self.no_evidence = np.zeros((0, diagram.atom_count), dtype=np.int8)
        self.widest = max(1, min(TILE, LARGEST_TILE // max(1, self.slots)))
        self.scratch = Scratch()

    def __reduce__(self) -> tuple[type[Fused], tuple[Program]]:
        return Fused, (self.program,)  # the scratch stays with its threads

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
        weights = np.ascontiguousarray(log_weights.detach().numpy())
        observed = self.no_evidence if evidence is None else np.ascontiguousarray(evidence.numpy())
        batch = weights.shape[0]
        # Arrays made by numpy and handed to torch: that takes half the time of the other way round.
        logs, states = np.empty(batch, weights.dtype), np.empty(batch, np.int8)
        results = np.empty((batch, self.columns[wants]), weights.dtype)
        kernels = compiled()
        work = self._work(batch)
        if kernels["count"](weights, observed, *self.wiring, *work, wants, logs, states, results):
            outcome = Outcome(logs, states, results)
            kernels["count_scaled"](Examples(weights, observed), self.wiring, self._numbers(), wants, outcome)
        return torch.from_numpy(logs), torch.from_numpy(results)

    def change(self, log_weights: Tensor, evidence: Tensor | None, directions: Tensor) -> Tensor:
        """Return how the marginals change along directions of the log weights."""
        weights = np.ascontiguousarray(log_weights.detach().numpy())
        observed = self.no_evidence if evidence is None else np.ascontiguousarray(evidence.numpy())
        examples = Examples(weights, observed)
        logs, states = np.empty(weights.shape[0], weights.dtype), np.empty(weights.shape[0], np.int8)
        outcome = Outcome(logs, states, np.empty_like(weights))
        tile = self._work(weights.shape[0])
        rows, columns = tile.values.shape
        changes = self.scratch.take("changes", 2 * rows, columns, np.float64)
        change = Change(np.ascontiguousarray(directions.detach().numpy()), changes[:rows], changes[rows:])
        kernels = compiled()
        if kernels["change_marginals"](examples, self.wiring, tile, change, outcome):
            numbers = self._numbers()
            kernels["change_marginals_scaled"](examples, self.wiring, numbers, change.directions, outcome)
        return torch.from_numpy(outcome.results)

    def _work(self, batch: int) -> Tile:
        width = min(self.widest, max(1, batch))
        if width in self.scratch.tiles:
            return self.scratch.tiles[width]
        padded = width if width < TILE else width + PADDING
        powers = np.empty(width, np.int64)
        tiles = (empty_tile(self.slots, padded), empty_tile(self.slots, padded))
        work = Tile(*tiles, np.empty((4, width)), powers, powers.view(np.float64))
        # Only the two most usual widths are kept: the whole batch's, and that of what is left of an epoch.
        self.scratch.tiles = dict([*self.scratch.tiles.items()][-1:]) | {width: work}
        return work

    def _numbers(self) -> Numbers:
        take = self.scratch.take
        return Numbers(take("mantissas", 4, self.slots, np.float64), take("exponents", 4, self.slots, np.int64))


class LogCount(torch.autograd.Function):
    """log WMC; its derivative by a literal's log weight is the probability of the literal."""

    @staticmethod
    def forward(ctx: Any, log_weights: Tensor, evidence: Tensor | None, fused: Fused) -> Tensor:
        """Count, and keep the marginals, which the same pass finds."""
        logs, marginals = fused.run(log_weights, evidence, MARGINALS)
        # Only second derivatives need the weights. `save_for_backward` would cost every call 2 μs, of some 60.
        ctx.kept = marginals, log_weights, log_weights._version, evidence, fused
        return logs

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        """Multiply the marginals by the slope; differentiably, if asked."""
        marginals, log_weights, version, evidence, fused = ctx.kept
        if torch.is_grad_enabled():
            if log_weights._version != version:
                raise MooseError("the log weights were changed in place after the layer saw them; give it a copy")
            marginals = find_marginals(log_weights, evidence, fused)
        return marginals * slope.unsqueeze(1), None, None


class Marginals(torch.autograd.Function):
    """The probability of each literal, which is differentiable itself."""

    @staticmethod
    def forward(ctx: Any, log_weights: Tensor, evidence: Tensor | None, fused: Fused) -> Tensor:
        """Count and keep the marginals only."""
        _, marginals = fused.run(log_weights, evidence, MARGINALS)
        ctx.save_for_backward(log_weights)
        ctx.evidence, ctx.fused = evidence, fused
        return marginals

    @staticmethod
    def backward(ctx: Any, direction: Tensor) -> tuple[Tensor, None, None]:
        """Apply the second derivative of log WMC, which is symmetric; by torch operations if more are to follow."""
        (log_weights,) = ctx.saved_tensors
        if not torch.is_grad_enabled():
            return ctx.fused.change(log_weights, ctx.evidence, direction), None, None
        marginals = plain.marginals(log_weights, ctx.evidence, *ctx.fused.plain_arguments)
        return torch.autograd.grad(marginals, log_weights, direction, create_graph=True)[0], None, None


class LogCountOfProbabilities(torch.autograd.Function):
    """log WMC for the weights p and 1 - p, in float64; its derivative is (WMC given X - WMC given ¬X) / WMC."""

    @staticmethod
    def forward(ctx: Any, probabilities: Tensor, evidence: Tensor | None, fused: Fused) -> Tensor:
        """Count, and keep the derivative."""
        log_weights = torch.cat([probabilities.log(), (-probabilities).log1p()], 1)
        logs, slopes = fused.run(log_weights, evidence, SLOPES)
        given = torch.from_numpy(fused.program.given)
        observed = given if evidence is None else given + evidence
        # The pair of an observed atom is w and 0, whose sum w is no part of the circuit: its logarithm has slope 1 / w.
        slopes = torch.where(observed > 0, 1 / probabilities, slopes)
        slopes = torch.where(observed < 0, 1 / (probabilities - 1), slopes)
        ctx.save_for_backward(probabilities)
        ctx.kept = torch.where(logs.isneginf().unsqueeze(1), 0.0, slopes), evidence, fused
        return logs

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        """Multiply; by torch operations if the result is to be differentiated again."""
        slopes, evidence, fused = ctx.kept
        if not torch.is_grad_enabled():
            return slopes * slope.unsqueeze(1), None, None
        (probabilities,) = ctx.saved_tensors
        logs = plain.count_probabilities(probabilities, evidence, *fused.plain_arguments)
        return torch.autograd.grad(logs, probabilities, slope, create_graph=True)[0], None, None


# `Function.apply` first looks for functorch's transforms. The layer has done so, and that takes 3 μs of some 50.
apply_directly: Callable[..., Tensor] = super(torch.autograd.Function, LogCount).apply
find_marginals: Callable[..., Tensor] = Marginals.apply
count_exactly: Callable[..., Tensor] = LogCountOfProbabilities.apply


def count(fused: Fused, log_weights: Tensor, evidence: Tensor | None) -> Tensor:
    """Return log WMC, with its graph only where one is wanted."""
    if log_weights.requires_grad and torch.is_grad_enabled():
        return apply_directly(log_weights, evidence, fused)
    return fused.run(log_weights, evidence, NOTHING)[0]


def marginals(fused: Fused, log_weights: Tensor, evidence: Tensor | None) -> Tensor:
    """Return the probability of every literal, with its graph only where one is wanted."""
    if log_weights.requires_grad and torch.is_grad_enabled():
        return find_marginals(log_weights, evidence, fused)
    return fused.run(log_weights, evidence, MARGINALS)[1]


def count_probabilities(fused: Fused, probabilities: Tensor, evidence: Tensor | None) -> Tensor:
    """Return log WMC for the weights p and 1 - p."""
    exact = probabilities.to(torch.float64)
    return count_exactly(exact, evidence, fused).to(probabilities.dtype)
