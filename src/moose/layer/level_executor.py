"""The torch executor's steps: a circuit level by level, in few large operations, up to the root and down in shares.

Up, a decision is the sum over its elements of the product of their factors. Small circuits are counted as they are;
where that comes near the end of the numbers' range, and in large circuits, logarithms are, with three times as many
operations. Down, the probability of a decision is shared among its elements by what each contributed, and an element's
share goes to each of its factors; what a literal is left with is the derivative of log WMC by its log weight. So no
number leaves its range, whatever the weights, and no derivative is recorded operation by operation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import threshold

from moose.circuit.diagram import Diagram
from moose.layer import derivatives
from moose.layer import torch_executor as plain
from moose.layer.kernels.linear import NOTHING
from moose.layer.products import Products, expand_products, make_products
from moose.layer.program import Program
from moose.layer.schedule import make_schedule, of_like_width

Positions = npt.NDArray[np.int64]

SMALL, MOST_FACTORS = 2_000, 8  # up to so many elements, fewer levels save more than shared products
LOWEST = -1e30  # a logarithm that stands for -∞ where one is subtracted


class Step(NamedTuple):
    """Decisions of one level that stand together: products (of one element each), or sums padded to one width."""

    start: int
    stop: int
    """Their rows."""
    width: int
    """Elements of each; 1 for products."""
    factor_count: int
    factors: Tensor
    """Factor × decision × element, flat: the row of each."""
    shares: Tensor
    """For each factor that is not constant, which element of the step it is in."""
    receivers: Tensor
    """Its row."""
    pair: tuple[Tensor, ...]
    """The rows of each factor by itself."""


@dataclass(frozen=True, eq=False)
class Levels:
    """All steps in order. Rows are the slots of a circuit: literals, ⊤, ⊥, then decisions step by step."""

    atom_count: int
    row_count: int
    root: int
    steps: tuple[Step, ...]
    constants: Tensor
    """The logarithms of ⊤ and ⊥."""
    is_small: bool

    def to(self, device: torch.device) -> Levels:
        """Return the same on a device."""
        moved = [
            step._replace(
                factors=step.factors.to(device),
                shares=step.shares.to(device),
                receivers=step.receivers.to(device),
                pair=tuple(factor.to(device) for factor in step.pair),
            )
            for step in self.steps
        ]
        return Levels(
            self.atom_count, self.row_count, self.root, tuple(moved), self.constants.to(device), self.is_small
        )


def make_levels(diagram: Diagram) -> Levels:
    """Find the steps of a circuit."""
    is_small = diagram.element_count <= SMALL
    made = expand_products(diagram, MOST_FACTORS) if is_small else make_products(diagram)
    first = diagram.first_decision
    groups = list(group_decisions(made, first))
    rows = np.arange(made.slot_count)
    rows[first + np.concatenate([np.zeros(0, dtype=np.int64), *groups])] = np.arange(first, made.slot_count)
    steps, start = [], first
    for group in groups:
        steps.append(make_step(made, group, start, rows, diagram))
        start += len(group)
    constants = torch.tensor([[0.0], [-torch.inf]])
    return Levels(diagram.atom_count, made.slot_count, int(rows[made.root]), tuple(steps), constants, is_small)


def group_decisions(made: Products, first: int) -> Iterator[Positions]:
    """Yield decisions level by level: products, then sums, apart where padding them together would waste half."""
    counts = np.diff(made.starts)
    levels = find_levels(made, first)
    order = np.lexsort((-counts, counts > 1, levels))
    bounds = np.flatnonzero(np.diff(2 * levels[order] + (counts[order] > 1), prepend=-1, append=-1))
    for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist()):
        yield from of_like_width(order[start:stop], counts)


def find_levels(made: Products, first: int) -> Positions:
    """Find the longest way from each decision down to a literal, decisions of one level at a time."""
    decisions = np.repeat(np.arange(len(made.starts) - 1), np.diff(made.starts))
    reader, lower = np.tile(decisions, len(made.factors)), made.factors.ravel() - first
    is_edge = lower >= 0
    reader, lower = reader[is_edge], lower[is_edge]
    by_lower = np.argsort(lower, kind="stable")
    reader = reader[by_lower]
    starts = np.concatenate([[0], np.cumsum(np.bincount(lower, minlength=len(made.starts) - 1))])
    waiting = np.bincount(reader, minlength=len(made.starts) - 1)
    levels = np.zeros(len(waiting), dtype=np.int64)
    ready, level = np.flatnonzero(waiting == 0), 0
    while len(ready):
        levels[ready] = level
        spans = [reader[starts[one] : starts[one + 1]] for one in ready.tolist()]
        readers, served = np.unique(np.concatenate(spans), return_counts=True)
        waiting[readers] -= served
        ready, level = readers[waiting[readers] == 0], level + 1
    return levels


def make_step(made: Products, group: Positions, start: int, rows: Positions, diagram: Diagram) -> Step:
    """Write down which rows a step reads, and which share goes where."""
    counts = made.starts[group + 1] - made.starts[group]
    columns = np.arange(int(counts.max(initial=0)))
    is_real = columns < counts[:, None]
    elements = np.where(is_real, made.starts[group][:, None] + columns, 0)
    # Factors that are ⊤ stand last.
    factors = np.where(is_real, made.factors[:, elements], diagram.false).reshape(len(made.factors), -1)
    used = max(1, int(((factors != diagram.true) & is_real.ravel()).any(axis=1).sum()))
    is_shared = (factors != diagram.true) & (factors != diagram.false)
    shares = np.nonzero(is_shared)[1]
    receivers = rows[factors[is_shared]]
    picked, givers, takers = (
        torch.from_numpy(np.ascontiguousarray(one)) for one in (rows[factors[:used]].ravel(), shares, receivers)
    )
    return Step(start, start + len(group), len(columns), used, picked, givers, takers, picked.chunk(used))


def climb(weights: Tensor, levels: Levels) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """Return the logarithm of the root, from those of the literals (literal × example), and the parts of the sums."""
    if levels.is_small and not weights.is_meta:
        numbers, parts = climb_numbers(weights.exp(), levels)
        kind, root = torch.finfo(numbers.dtype), numbers[levels.root]
        # Parts that fell out of the range are smaller than any number: beside a root so much larger they are nothing.
        if not bool((root < kind.tiny / kind.eps).any()):
            root = root.log()
            numbers.clamp_(min=kind.tiny)  # and with them the sums, by which shares are divided
            return root, parts
    logs, parts = climb_logarithms(weights, levels)
    return logs[levels.root], parts


def climb_numbers(weights: Tensor, levels: Levels) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """Return all rows, from the weights of the literals, and the parts of the sums: elements and their sums."""
    batch, first = weights.shape[1], 2 * levels.atom_count + 2
    numbers = weights.new_empty(levels.row_count, batch)
    numbers[: first - 2] = weights
    numbers[first - 2], numbers[first - 1] = 1.0, 0.0
    parts = []
    for step in levels.steps:
        out = numbers[step.start : step.stop]
        if step.width == 1:
            multiply(numbers, step, out)
            continue
        elements = multiply(numbers, step).view(step.stop - step.start, step.width, batch)
        parts.append((elements, torch.sum(elements, 1, out=out)))
    return numbers, parts


def multiply(numbers: Tensor, step: Step, out: Tensor | None = None) -> Tensor:
    """Return the products of a step; of two factors, the usual case, without an operation to take them apart."""
    if step.factor_count == 2:
        first, second = step.pair
        return torch.mul(numbers.index_select(0, first), numbers.index_select(0, second), out=out)
    if step.factor_count == 1:
        picked = numbers.index_select(0, step.factors)  # with `out` torch refuses: both are parts of one tensor
        return picked if out is None else out.copy_(picked)
    elements = (step.stop - step.start) * step.width
    picked = numbers.index_select(0, step.factors).view(step.factor_count, elements, numbers.shape[1])
    return torch.prod(picked, 0, out=out)


def climb_logarithms(weights: Tensor, levels: Levels) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """Return the logarithms of all rows, from those of the literals (literal × example), and the parts of the sums.

    The parts are elements' values and their sums, both divided by the largest element.
    """
    batch, first = weights.shape[1], 2 * levels.atom_count + 2
    logs = weights.new_empty(levels.row_count, batch)
    logs[: first - 2] = weights
    logs[first - 2 : first] = levels.constants
    kept = []
    smallest = torch.finfo(logs.dtype).tiny  # what stands for 0 where one is divided by it
    for step in levels.steps:
        count = step.stop - step.start
        picked = logs.index_select(0, step.factors).view(step.factor_count, count * step.width, batch)
        out = logs[step.start : step.stop]
        if step.width == 1:
            torch.sum(picked, 0, out=out)
            continue
        elements = picked.sum(0).view(count, step.width, batch)
        largest = elements.amax(1, keepdim=True).clamp_(min=LOWEST)
        values = elements.sub_(largest).exp_()
        sums = values.sum(1)
        torch.add(sums.log(), largest.squeeze(1), out=out)
        kept.append((values, sums.clamp_(min=smallest)))
    return logs, kept


def descend(share: Tensor, kept: list[tuple[Tensor, Tensor]], levels: Levels) -> Tensor:
    """Return the share of each literal (literal × example): its probability, without the worlds that leave it open.

    The share of the root is 1, or 0 for an example without a model. The parts of the sums are used up.
    """
    shares = share.new_zeros(levels.row_count, share.shape[0])
    shares[levels.root] = share
    for step in reversed(levels.steps):
        own = shares[step.start : step.stop]
        if step.width > 1:
            values, sums = kept.pop()
            own = values.mul_((own / sums).unsqueeze(1)).flatten(0, 1)
        shares.index_add_(0, step.receivers, own.index_select(0, step.shares))
    return shares[: 2 * levels.atom_count]


# ── An executor ───────────────────────────────────────────────────────────────────────────────────────────────────


class LevelRunner:
    """A circuit ready to run in torch operations, on any device."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.levels: dict[torch.device, Levels] = {}
        self.given = torch.from_numpy(program.given)
        self.wiring: plain.TorchWiring | None = None
        self.number = derivatives.register(self)

    def __reduce__(self) -> tuple[type[LevelRunner], tuple[Program]]:
        return LevelRunner, (self.program,)

    def levels_on(self, device: torch.device) -> Levels:
        """Return the steps on a device."""
        if device not in self.levels:
            known = next(iter(self.levels.values()), None)
            self.levels[device] = (make_levels(self.program.diagram) if known is None else known).to(device)
        return self.levels[device]

    @property
    def plain_arguments(self) -> tuple[Tensor, int, plain.TorchWiring]:
        """What the functions of `torch_executor` need besides weights and evidence."""
        self.plan()
        assert self.wiring is not None
        return self.given, self.program.diagram.root, self.wiring

    def plan(self) -> int:
        """Plan the recorded operations, once."""
        if self.wiring is None:
            self.wiring = plain.make_wiring(make_schedule(self.program))
        return 0

    def run(self, log_weights: Tensor, evidence: Tensor | None, wants: int) -> tuple[Tensor, Tensor]:
        """Return log WMC of each example, and the marginals of literals if wanted."""
        kind = log_weights.dtype
        weights, sums = self.weights(log_weights.detach().to(plain.working_type(log_weights)), evidence)
        levels = self.levels_on(weights.device)
        root, kept = climb(weights, levels)
        totals = root + sums.sum(-1)
        if wants == NOTHING:
            return totals.to(kind), weights[:0]
        is_empty = totals == -torch.inf
        share = (totals * 0.0 + 1.0).masked_fill_(is_empty, 0.0)  # not a number stays one
        shares = descend(share, kept, levels)
        pairs = (2, self.program.diagram.atom_count, len(share))
        free = threshold(share - shares.view(pairs).sum(0), self.program.noise, 0.0)
        shares = torch.addcmul(shares.view(pairs), weights.exp().view(pairs), free).clamp_(max=1.0)
        return totals.to(kind), shares.flatten(0, 1).T.to(kind)

    def weights(self, log_weights: Tensor, evidence: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return log weights of which each pair sums to 1 (literal × example), and the logarithms of the sums."""
        atoms = self.program.diagram.atom_count
        if evidence is None and not self.program.given.any():
            positive, negative = log_weights[:, :atoms], log_weights[:, atoms:]
        else:
            positive, negative = plain.clamp(log_weights, evidence, self.given.to(log_weights.device))
        sums = torch.logaddexp(positive, negative)
        shift = sums.clamp(min=LOWEST)
        return torch.cat([(positive - shift).T, (negative - shift).T]), sums

    def scale(self, marginals: Tensor, slope: Tensor) -> Tensor:
        """Return the marginals of each example times its slope."""
        return marginals * slope.unsqueeze(1)

    def change(self, log_weights: Tensor, evidence: Tensor | None, directions: Tensor) -> Tensor:
        """Return how the marginals change along directions of the log weights."""
        with torch.enable_grad():
            weights = log_weights.detach().requires_grad_()
            marginals = plain.marginals(weights, evidence, *self.plain_arguments)
            return torch.autograd.grad(marginals, weights, directions)[0]


# torch.compile cannot see through numpy: it calls this for what it leaves behind, and takes that as it finds it.
# `torch.compiler.assume_constant_result` sets the same mark, but imports torch's compiler, which takes two seconds.
LevelRunner.plan._dynamo_marked_constant = True  # type: ignore[attr-defined]
