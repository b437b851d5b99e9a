"""The training loop: seeded batches, checkpoints between epochs, and the best weights kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.base.memory import freed_memory_kept
from moose.learning.fit.base_rates import start_at_base_rates
from moose.learning.fit.checkpoints import Best, Checkpoint, Keeper, read_checkpoint, restore, settings_of
from moose.learning.fit.temperature import reset_temperature, set_temperature
from moose.learning.fit.watchers import Epoch, Step, Watcher, board_if_installed
from moose.learning.loss.objective import Objective, Outcome, Part, Prepared, joint_outcome
from moose.learning.prediction import in_parts
from moose.learning.tensor_files import copied

StopBy = Literal["loss", "au_prc"]
MakeOptimiser = Callable[[list[nn.Parameter]], torch.optim.Optimizer]


@dataclass(frozen=True, slots=True)
class Training:
    """How to train.

    >>> Training(epochs=3, seed=7).batch_size
    64
    """

    epochs: int = 6
    batch_size: int = 64
    learning_rate: float = 1e-3
    """Of Adam; another optimiser has its own."""
    seed: int = 0
    """Draws the order of the examples, and whatever the encoder draws while it learns."""
    patience: int | None = None
    """Stop after this many epochs without a better loss on the validation examples, and go back to the best weights."""
    make_optimiser: MakeOptimiser | None = None
    """Any torch optimiser, made of the parameters; Adam if None."""
    device: str = "cpu"
    """Where the encoder runs, such as "cuda"; the circuit stays on the CPU."""
    weight_decay: float = 0.0
    """Of Adam: each step draws weights towards 0 by this factor of themselves, before the step's size is found."""
    stop_by: StopBy = "loss"
    """What must get better on the validation examples: the loss, or AU(PRC) of the labels that they show."""
    base_rates: bool = False
    """Whether the biases of the last layer learn by themselves first, so that training starts at the base rates."""

    def __post_init__(self) -> None:
        for name in ("epochs", "batch_size", "patience"):
            value = getattr(self, name)
            if value is not None and (not is_whole(value) or value < 1):
                raise MooseError(f"expected a positive whole number for {name}, but got {value!r}")
        if not is_positive(self.learning_rate):
            raise MooseError(f"expected a positive learning rate, but got {self.learning_rate!r}")
        if self.weight_decay and not is_positive(self.weight_decay):
            raise MooseError(f"expected a weight decay of 0 or more, but got {self.weight_decay!r}")
        if self.stop_by not in get_args(StopBy):
            raise MooseError(f"expected to stop by loss or au_prc, but got {self.stop_by!r}")
        if not is_whole(self.seed) or not 0 <= self.seed < 2**63:
            raise MooseError(f"expected a seed that is a whole number from 0, but got {self.seed!r}")
        check_device(self.device)

    def optimiser(self, network: nn.Module) -> torch.optim.Optimizer:
        """Make the optimiser."""
        parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
        if not parameters:
            raise MooseError("the encoder has no parameter to learn; give one whose parameters require gradients")
        if self.make_optimiser is None:
            return torch.optim.Adam(
                parameters,
                lr=self.learning_rate,
                weight_decay=self.weight_decay,
                fused=all(map(_can_be_fused, parameters)) or None,
            )
        made: object = self.make_optimiser(parameters)
        if not isinstance(made, torch.optim.Optimizer) or isinstance(made, torch.optim.LBFGS):
            raise MooseError(
                f"expected make_optimiser to make a torch optimiser that takes one step for each batch, "
                f"but got {type(made).__name__}"
            )
        return made


def _can_be_fused(weights: nn.Parameter) -> bool:
    """Return whether Adam may take its step in one pass over these weights, where it makes ten otherwise.

    On the CPU that pass takes the weights and what is remembered of them in the order of memory. What comes from a
    checkpoint is in the order of indices, so weights that lie in another order, as channels last, must be left out.
    """
    return weights.is_floating_point() and weights.device.type == "cpu" and weights.is_contiguous()


def check_device(name: str) -> None:
    """Refuse a device that torch does not know, or that is not there."""
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise MooseError(
            f"expected a device that torch has, such as cpu or cuda, but got {name!r} ({reason})"
        ) from None


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_positive(value: object) -> bool:
    """Return whether a value is a finite number above 0."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


@dataclass(frozen=True, eq=False)
class Work:
    """Everything that a training works on."""

    network: nn.Module
    train: Sequence[Prepared]
    validation: Sequence[Prepared]
    objective: Objective
    training: Training
    settings: dict[str, object]
    """What a checkpoint must agree with."""
    folder: Path | None = None
    watchers: Sequence[Watcher] = ()
    pools: Sequence[int] = ()
    """For each group to learn from a number: groups with the same number share batches. Each for itself if empty."""
    is_likelihood: bool = False
    """The loss is -log of how likely the evidence is, so that held-back examples tell how sure the network may be."""
    error: Callable[[], float] | None = None
    """What is to be least on the validation examples where that is not the loss."""

    def __post_init__(self) -> None:
        if self.training.patience is not None and not self.validation:
            raise MooseError("stopping early needs validation examples; give validation=…, or no patience")


@dataclass(slots=True)
class _Running:
    """Sums over an epoch."""

    loss: float = 0.0
    examples: int = 0
    right: int = 0
    judged: int = 0
    terms: dict[str, float] = field(default_factory=dict)
    begun: float = field(default_factory=monotonic)

    def add(self, outcome: Outcome, count: int) -> None:
        self.loss += float(outcome.loss.detach()) * count
        self.examples += count
        self.right += outcome.right
        self.judged += outcome.judged
        for name, value in outcome.terms.items():
            self.terms[name] = self.terms.get(name, 0.0) + value * count

    @property
    def accuracy(self) -> float | None:
        return self.right / self.judged if self.judged else None


@freed_memory_kept()
def run(work: Work) -> Checkpoint:
    """Train from the folder's checkpoint, if there is one, or from the beginning; leave the final weights in place."""
    reset_temperature(work.network)
    optimiser = work.training.optimiser(work.network)
    work = replace(work, settings=work.settings | {"optimiser": settings_of(optimiser)})
    saved = None if work.folder is None else read_checkpoint(work.folder, work.settings)
    state = saved or Checkpoint(0, copied(work.network.state_dict()), optimiser.state_dict(), (), None)
    if saved is not None:
        if saved.epoch > work.training.epochs:
            raise MooseError(
                f"{work.folder}: has a training of {saved.epoch} epochs, but {work.training.epochs} are asked for; "
                f"ask for as many or more, or choose another folder"
            )
        restore(work.network, saved.network, str(work.folder))
        optimiser.load_state_dict(saved.optimiser)
    elif work.training.base_rates:
        _start_at_base_rates(work)
    watchers = (*work.watchers, *board_if_installed(work.folder))
    keeper = Keeper(work.folder, work.settings)
    try:
        while state.epoch < work.training.epochs and not _is_exhausted(state, work.training):
            state, report = _epoch(work, optimiser, state, watchers)
            keeper.keep(state)
            for watcher in watchers:
                watcher.epoch(report)
    except _NotFinite as failure:
        restore(work.network, state.network, "the last epoch")
        raise MooseError(_broken(failure, state, work)) from None
    finally:
        keeper.flush()
        work.network.eval()
    if work.training.patience is not None and state.best is not None:
        restore(work.network, state.best.state, "the best epoch")
        if work.error is not None and work.is_likelihood:
            set_temperature(work.network, lambda: mean_loss(work.network, work.validation, work.objective))
    return state


Batch = list[tuple[int, Tensor]]
"""Groups, and the rows of each."""


def batches(
    sizes: Sequence[int], batch_size: int, generator: torch.Generator, pools: Sequence[int] = ()
) -> list[Batch]:
    """Draw the batches of an epoch: each is of one pool of groups, and all of them are mixed."""
    drawn = list[Batch]()
    members = dict[int, list[int]]()
    for group in range(len(sizes)):
        members.setdefault(pools[group] if pools else group, []).append(group)
    for groups in members.values():
        starts = np.cumsum([0, *(sizes[group] for group in groups)])
        order = torch.randperm(int(starts[-1]), generator=generator)
        for rows in order.split(batch_size):
            owners = np.searchsorted(starts, rows.numpy(), side="right") - 1
            drawn.append(
                [(groups[one], rows[torch.from_numpy(owners == one)] - int(starts[one])) for one in np.unique(owners)]
            )
    if len(members) > 1:
        drawn = [drawn[position] for position in torch.randperm(len(drawn), generator=generator).tolist()]
    return drawn


def mean_loss(network: nn.Module, groups: Sequence[Prepared], objective: Objective) -> float:
    """Return the mean of the loss over examples, without learning from them."""
    network.eval()
    total = 0.0
    with torch.no_grad():
        for group in groups:
            for rows in in_parts(len(group)):
                total += float(objective(network, group, rows, None).loss) * (rows.stop - rows.start)
    return total / sum(map(len, groups))


def _start_at_base_rates(work: Work) -> None:
    generator = torch.Generator().manual_seed(work.training.seed)
    waiting = list[Batch]()

    def next_loss() -> Tensor:
        if not waiting:
            waiting.extend(
                batches([len(group) for group in work.train], work.training.batch_size, generator, work.pools)
            )
        parts = [Part(work.train[group], rows) for group, rows in waiting.pop()]
        return joint_outcome(work.objective, work.network, parts, 0.0).total

    with _own_random_state(work.training.seed):
        start_at_base_rates(work.network, next_loss)


class _NotFinite(Exception):  # never leaves this file
    def __init__(self, what: str, step: int, epoch: int) -> None:
        self.what, self.step, self.epoch = what, step, epoch


def _epoch(
    work: Work, optimiser: torch.optim.Optimizer, state: Checkpoint, watchers: Sequence[Watcher]
) -> tuple[Checkpoint, Epoch]:
    """Train for one epoch, and return where training stands, and what there is to tell."""
    epoch, running = state.epoch + 1, _Running()
    # Each epoch has a seed of its own, so that a training that goes on needs no random state of the one before.
    seed = int(np.random.SeedSequence([work.training.seed, epoch]).generate_state(1, np.uint64)[0] >> 1)
    generator = torch.Generator().manual_seed(seed)
    drawn = batches([len(group) for group in work.train], work.training.batch_size, generator, work.pools)
    work.network.train()
    with _own_random_state(seed):
        for position, batch in enumerate(drawn):
            step = state.epoch * len(drawn) + position + 1
            outcome, total = _step(work, optimiser, batch, state.epoch + position / len(drawn))
            if not math.isfinite(total):
                raise _NotFinite(f"the loss is {total}", step, epoch)
            running.add(outcome, sum(len(rows) for _, rows in batch))
            report = Step(
                step, work.training.epochs * len(drawn), epoch, float(outcome.loss.detach()), running.accuracy
            )
            for watcher in watchers:
                watcher.step(report)
    with _own_random_state(seed):
        return _finish(work, optimiser, state, _Done(epoch, epoch * len(drawn), running))


def _step(work: Work, optimiser: torch.optim.Optimizer, batch: Batch, epochs_done: float) -> tuple[Outcome, float]:
    """Learn from one batch, and return what was minimised; one that is not finite changes nothing."""
    parts = [Part(work.train[group], rows) for group, rows in batch]
    try:
        outcome = joint_outcome(work.objective, work.network, parts, epochs_done)
    except ValueError as error:
        inputs = parts[0].prepared.examples.inputs
        if isinstance(error, MooseError) or len(parts) > 1 or len(parts[0].rows) * inputs.shape[1] > 1:
            raise
        raise MooseError(
            f"the encoder cannot learn from a batch of one input ({error}); choose a batch size that leaves no single "
            f"one over of {len(inputs):,}, or an encoder without batch normalisation of single numbers"
        ) from error
    total = outcome.total
    value = float(total.detach())
    if math.isfinite(value):
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        optimiser.step()
    return outcome, value


@dataclass(frozen=True, slots=True)
class _Done:
    epoch: int
    steps: int
    running: _Running


def _finish(work: Work, optimiser: torch.optim.Optimizer, state: Checkpoint, done: _Done) -> tuple[Checkpoint, Epoch]:
    """Measure on the validation examples, and put together what must be kept."""
    loss = _validation_loss(work)
    _check_finite(work.network, loss, done)
    best = state.best
    if loss is not None and (best is None or loss < best.loss):
        best = Best(done.epoch, loss, copied(work.network.state_dict()))
    reset_temperature(work.network)
    weights = copied(work.network.state_dict())
    running = done.running
    report = Epoch(
        epoch=done.epoch,
        steps=done.steps,
        loss=running.loss / running.examples,
        accuracy=running.accuracy,
        terms={name: value / running.examples for name, value in running.terms.items()},
        validation_loss=loss,
        seconds=round(monotonic() - running.begun, 3),
    )
    return Checkpoint(done.epoch, weights, optimiser.state_dict(), (*state.history, report), best), report


def _validation_loss(work: Work) -> float | None:
    """Return the loss of the validation examples, or another error; where they tell when to stop, the loss is that of
    a network as sure as they let it be.

    A network goes on to learn which is which long after it has become too sure, and would be stopped for that.
    """
    if not work.validation:
        return None
    if work.error is not None:
        work.network.eval()
        return work.error()

    def loss() -> float:
        return mean_loss(work.network, work.validation, work.objective)

    return set_temperature(work.network, loss) if work.is_likelihood and work.training.patience else loss()


def _check_finite(network: nn.Module, validation_loss: float | None, done: _Done) -> None:
    """Keep what cannot be used from becoming the last good checkpoint, or the best epoch."""
    tensors = [tensor for tensor in network.state_dict().values() if tensor.is_floating_point()]
    if not all(bool(tensor.isfinite().all()) for tensor in tensors):
        raise _NotFinite("a weight is not finite", done.steps, done.epoch)
    if validation_loss is not None and not math.isfinite(validation_loss):
        raise _NotFinite(f"the loss on the validation examples is {validation_loss}", done.steps, done.epoch)


def _is_exhausted(state: Checkpoint, training: Training) -> bool:
    if training.patience is None or state.best is None:
        return False
    return state.epoch - state.best.epoch >= training.patience


def _broken(failure: _NotFinite, state: Checkpoint, work: Work) -> str:
    kept = "the weights are those from before the first step"
    if state.epoch:
        where = "" if work.folder is None else f", and the checkpoint in {work.folder} is kept"
        kept = f"the weights are those after epoch {state.epoch}{where}"
    return (
        f"{failure.what} at step {failure.step} (epoch {failure.epoch}); {kept}; "
        f"lower the learning rate, or look for inputs that the encoder cannot bear"
    )


@contextmanager
def _own_random_state(seed: int) -> Iterator[None]:
    """Let an encoder that draws numbers, as dropout does, draw them by our seed, and leave torch's state as it was."""
    before = torch.random.get_rng_state()
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        torch.random.set_rng_state(before)
