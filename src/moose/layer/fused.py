"""The fused executor: one compiled pass up and down the circuit, on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from moose.layer.linear import MARGINALS, NOTHING, SLOPES
from moose.layer.program import Program

Array = npt.NDArray[Any]

TILE = 64  # examples side by side: wide enough for vector instructions, and a tile of a small circuit stays in cache
PADDING = 8  # cells between the rows of a tile; rows a power of two apart would share the same few lines of the cache
LARGEST_TILE = 1 << 23  # cells of a tile: 64 MB


class Scratch(local):
    """Work space of one thread, made when first needed and kept."""

    def __init__(self) -> None:
        self.arrays: dict[tuple[str, int, int], Array] = {}

    def take(self, name: str, rows: int, columns: int, kind: type) -> Array:
        """Return the array of this name and shape, with whatever was in it."""
        key = (name, rows, columns)
        if key not in self.arrays:
            self.arrays[key] = np.empty((rows, columns), dtype=kind)
        return self.arrays[key]


@cache
def compiled() -> dict[str, Callable[..., Any]]:
    """Compile the kernels, or take them from numba's cache."""
    from moose.layer import curvature, linear, wide
    from moose.saturation.compiled import compile_functions

    entries = ["count", "count_wide", "change_marginals", "change_marginals_wide"]
    functions: dict[str, Any] = compile_functions([linear, wide, curvature], entries)
    return {name: functions[name] for name in entries}


class Fused:
    """A program ready to run on the CPU; threads may share it."""

    def __init__(self, program: Program) -> None:
        diagram = program.diagram
        self.slots = diagram.slot_count
        self.literals = 2 * diagram.atom_count
        self.wiring = (program.given, diagram.starts, diagram.primes, diagram.subs, diagram.root, program.noise)
        self.no_evidence = np.zeros((0, diagram.atom_count), dtype=np.int8)
        self.widest = max(1, min(TILE, LARGEST_TILE // max(1, self.slots)))
        self.scratch = Scratch()

    def run(self, log_weights: Tensor, evidence: Tensor | None, wants: int) -> tuple[Tensor, Tensor | None]:
        """Return log WMC of each example and what else is wanted: marginals of literals, slopes by probabilities."""
        log_weights = log_weights.detach().contiguous()
        batch = log_weights.shape[0]
        logs = log_weights.new_empty(batch)
        results = None
        if wants == MARGINALS:
            results = torch.empty_like(log_weights)
        elif wants == SLOPES:
            results = log_weights.new_empty((batch, self.literals // 2))
        weights, observed = log_weights.numpy(), self._observed(evidence)
        written, states = logs.numpy(), np.empty(batch, dtype=np.int8)
        output = written[:0].reshape(0, 0) if results is None else results.numpy()
        tile, work = self._tile(batch, 2)
        kernels = compiled()
        left = kernels["count"](weights, observed, *self.wiring, *tile, *work, wants, written, states, output)
        if left:
            numbers = self._numbers()
            kernels["count_wide"](weights, observed, *self.wiring, *numbers, wants, written, states, output)
        return logs, results

    def change(self, log_weights: Tensor, evidence: Tensor | None, directions: Tensor) -> Tensor:
        """Return how the marginals change along directions of the log weights."""
        log_weights = log_weights.detach().contiguous()
        batch = log_weights.shape[0]
        result = torch.empty_like(log_weights)
        weights, observed, output = log_weights.numpy(), self._observed(evidence), result.numpy()
        along = directions.detach().contiguous().numpy()
        logs, states = np.empty(batch, dtype=weights.dtype), np.empty(batch, dtype=np.int8)
        tile, work = self._tile(batch, 4)
        kernels = compiled()
        left = kernels["change_marginals"](weights, observed, *self.wiring, *tile, *work, along, logs, states, output)
        if left:
            kernels["change_marginals_wide"](weights, observed, *self.wiring, *self._numbers(), along, states, output)
        return result

    def _observed(self, evidence: Tensor | None) -> Array:
        return self.no_evidence if evidence is None else evidence.contiguous().numpy()

    def _tile(self, batch: int, count: int) -> tuple[list[Array], tuple[Array, Array, Array]]:
        width = min(self.widest, max(1, batch))
        padded = width if width < PADDING else width + PADDING
        take = self.scratch.take
        tile = [take(f"tile {number}", self.slots, padded, np.float64) for number in range(count)]
        powers = take("powers", 1, width, np.int64)[0]
        return tile, (take("notes", 4, width, np.float64), powers, powers.view(np.float64))

    def _numbers(self) -> tuple[Array, Array]:
        take = self.scratch.take
        return take("mantissas", 4, self.slots, np.float64), take("exponents", 4, self.slots, np.int64)


class LogCount(torch.autograd.Function):
    """log WMC; its derivative by a literal's log weight is the probability of the literal."""

    @staticmethod
    def forward(ctx: Any, log_weights: Tensor, evidence: Tensor | None, fused: Fused) -> Tensor:
        """Count, and keep the marginals, which the same pass finds."""
        logs, marginals = fused.run(log_weights, evidence, MARGINALS)
        ctx.save_for_backward(log_weights)
        ctx.marginals, ctx.evidence, ctx.fused = marginals, evidence, fused
        return logs

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:  # type: ignore[override]
        """Multiply the marginals by the slope; differentiably, if asked."""
        if torch.is_grad_enabled():
            (log_weights,) = ctx.saved_tensors
            marginals = Marginals.apply(log_weights, ctx.evidence, ctx.fused)
        else:
            marginals = ctx.marginals
        return marginals * slope.unsqueeze(1), None, None


class Marginals(torch.autograd.Function):
    """The probability of each literal; once differentiable."""

    @staticmethod
    def forward(ctx: Any, log_weights: Tensor, evidence: Tensor | None, fused: Fused) -> Tensor:
        """Count and keep the marginals only."""
        _, marginals = fused.run(log_weights, evidence, MARGINALS)
        ctx.save_for_backward(log_weights)
        ctx.evidence, ctx.fused = evidence, fused
        assert marginals is not None
        return marginals

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, direction: Tensor) -> tuple[Tensor, None, None]:
        """Apply the second derivative of log WMC, which is symmetric."""
        (log_weights,) = ctx.saved_tensors
        return ctx.fused.change(log_weights, ctx.evidence, direction), None, None


def count(fused: Fused, log_weights: Tensor, evidence: Tensor | None) -> Tensor:
    """Return log WMC, with its graph only where one is wanted."""
    if log_weights.requires_grad and torch.is_grad_enabled():
        return LogCount.apply(log_weights, evidence, fused)  # type: ignore[no-any-return]
    return fused.run(log_weights, evidence, NOTHING)[0]
