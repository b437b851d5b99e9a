"""Neurosymbolic diffusion: what nesydm-exact and nesydm-rloo have in common.

    L = L_y + γ_c·L_c - γ_h·H
    L_y = E[(1/t) · -log P(theory and evidence | w ~ p_θ(·|x, w_t))]
    L_c = E[(1/t) · Σ over masked i of -log p_θ(w0_i|x, w_t)] / d
    H = entropy of p_θ(·|x, all masked) given theory and evidence, / d

From E. van Krieken, P. Minervini, E. Ponti and A. Vergari, Neurosymbolic diffusion models, NeurIPS 2025. A vector w of
d latent variables is masked bit by bit as t goes from 0 to 1, each variable with probability t; the unmasking model p_θ
is a product over variables, given the input x and what is not masked. w0 is drawn by the model's own way back, each
step conditioned on theory and evidence.

What is ours: a family that the theory closes is one variable, any other latent atom is a variable with two values. The
conditioning is exact, through the circuit's posteriors, where the paper resamples proposals with weights of
exp(-β · violations) (`beta`). Time is integrated out (see `diffusion`; `times="drawn"` is the plain estimator). H is
the entropy of the circuit's distribution over worlds, log WMC - Σ P(literal)·log w(literal), without a sum over them.
At test time a marginal is the mean of the distributions that a variable was drawn from, rather than of the values that
were drawn: the same expectation, with less noise. With a single variable, as in mnist1, it is exact.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Protocol, cast

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.heads import Sides
from moose.learning.loss.likelihood import OBJECTIVES, ObjectiveName, Weighed, weigh
from moose.learning.loss.objective import Outcome, Prepared, count_right
from moose.methods.base.answers import BatchAnswer
from moose.methods.base.latent_variables import LatentVariables, find_variables
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_numbers
from moose.methods.base.perception import Perception
from moose.methods.nesydm.diffusion import (
    TIMES,
    Resampling,
    Times,
    draw_masks,
    fill,
    fill_by_resampling,
    random_path,
    repeat_path,
    spread_path,
)
from moose.methods.nesydm.unmasking import EncodedInputs, UnmaskingNetwork

EntropyName = Literal["conditional", "unconditional"]
ENTROPIES: tuple[EntropyName, ...] = ("conditional", "unconditional")
FIXED_SEED = 0
"""Of all that is drawn outside training."""
SMALLEST = 1e-8
"""What a probability of zero counts as in a logarithm, the published estimator's ε."""


@dataclass(frozen=True, slots=True)
class Nesydm(Method):
    """The options that both estimators have."""

    before: ClassVar[Mapping[str, object]] = {"objective": "paper"}
    gamma_c: float = 0.1
    """γ_c: of the unmasking loss."""
    gamma_h: float = 2.0
    """γ_h: of the entropy, which keeps the network from committing to one of several explanations too early."""
    entropy: EntropyName = "conditional"
    """H given theory and evidence, or that of the network alone."""
    steps: int = 10
    """T: how often the network is asked, at most, when a vector is drawn; once for each variable if there are fewer."""
    samples: int = 1024
    """S: how many vectors an estimate by sampling takes, and how many proposals one by resampling."""
    beta: float | None = None
    """β of the paper's resampling when w0 is drawn; None draws it exactly, as if β were infinite."""
    times: Times = "integrated"
    """Whether time is integrated out, or drawn with its 1/t (cut at 100)."""
    answers: int = 64
    """How many vectors an answer is the mean of."""
    objective: ObjectiveName = "auto"
    """Counts as likelihoods given the theory, where the latent concepts of an individual are one family; or as is."""

    def __post_init__(self) -> None:
        check_numbers(self.name, gamma_c=self.gamma_c, gamma_h=self.gamma_h)
        check_counts(self.name, steps=self.steps, samples=self.samples, answers=self.answers)
        check_choice(self.name, "objective", self.objective, OBJECTIVES)
        check_choice(self.name, "entropy", self.entropy, ENTROPIES)
        check_choice(self.name, "times", self.times, TIMES)
        if self.beta is not None:
            check_numbers(self.name, beta=self.beta)

    @abstractmethod
    def evidence_loss(self) -> EvidenceLoss:
        """Return the estimator of L_y."""

    def model(self, task: Task, perception: Perception, *, seed: int) -> DiffusionModel:
        """Make the model."""
        return DiffusionModel(task, perception, options=self, seed=seed)


@dataclass(frozen=True, eq=False)
class Noised:
    """A batch, part of whose latent variables are masked."""

    variables: LatentVariables
    mask: Tensor
    """The evidence, as the circuit takes it."""
    values: Tensor
    """w0: int8, example × individual × latent concept."""
    known: Tensor
    """w_t: the same, 0 where masked."""
    sides: Sides
    """log p_θ(·|x, w_t), and 0 for what is not masked."""
    weight: Tensor
    """What takes the place of 1/t: example."""
    sides_given: Callable[[Tensor], Sides]
    """log p_θ(·|x, w) for other vectors, one or more in a row for each example."""
    generator: torch.Generator


class EvidenceLoss(Protocol):
    """An estimator of L_y."""

    def __call__(self, noised: Noised) -> tuple[Tensor, Mapping[str, float]]:
        """Return L_y of each example, and numbers for the log."""


class _Start(NamedTuple):
    """What the network says of a batch when all is masked."""

    encoded: EncodedInputs
    logits: Tensor
    sides: Sides
    weighed: Weighed
    posteriors: Tensor


class DiffusionModel(Model):
    """An unmasking network, trained on partly masked vectors."""

    def __init__(self, task: Task, perception: Perception, *, options: Nesydm, seed: int) -> None:
        super().__init__(task, objective=options.objective)
        self.is_conditional = self.is_conditional and self.theory_alone().is_apart
        self.options, self.evidence_loss = options, options.evidence_loss()
        self.network = UnmaskingNetwork(perception, len(latent_columns(task)), seed=seed)
        self._variables = dict[Task, LatentVariables]()

    def variables(self, prepared: Prepared) -> LatentVariables:
        """Return the variables of the task of some examples."""
        task = prepared.examples.task
        if task not in self._variables:
            self._variables[task] = find_variables(prepared.weight_map)
        return self._variables[task]

    def stages(self) -> Sequence[Stage]:
        """Train the unmasking network."""
        return [Stage(self.network, self.objective)]

    # -------------------------------------------------------------------------------------------------- learning

    def objective(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return what some examples come to; H is the bonus, and no part of the loss that is told."""
        generator = _fixed() if epochs_done is None else torch.default_generator
        network, mask = cast(UnmaskingNetwork, network), prepared.mask[rows]
        start = self._start(network, prepared, rows, mask)
        noised = self._noise(network, prepared, start, mask, generator)
        loss, terms = self.evidence_loss(noised)
        unmasking = self._unmasking_loss(noised)
        entropy = self._entropy(noised.variables, start, mask)
        told = {"loss_y": loss.mean(), "loss_c": unmasking.mean(), "entropy": entropy.mean()}
        right, judged = count_right(prepared, rows, start.logits.detach())
        return Outcome(
            loss=told["loss_y"] + self.options.gamma_c * told["loss_c"],
            bonus=told["entropy"],
            right=right,
            judged=judged,
            weight=self.options.gamma_h,
            terms={name: float(value.detach()) for name, value in told.items()} | dict(terms),
        )

    def _start(self, network: UnmaskingNetwork, prepared: Prepared, rows: Tensor | slice, mask: Tensor) -> _Start:
        variables, weight_map = self.variables(prepared), prepared.weight_map
        encoded = network.encode(prepared.examples.network_inputs(rows))
        logits = network(encoded, variables.free(len(mask)))
        sides = weight_map.head.sides(logits)
        weighed = weigh(weight_map, sides, mask)
        return _Start(encoded, logits, sides, weighed, weighed.posteriors())

    def _noise(
        self, network: UnmaskingNetwork, prepared: Prepared, start: _Start, mask: Tensor, generator: torch.Generator
    ) -> Noised:
        """Draw w0 given the evidence, mask part of it, and ask the network about it."""
        variables, head = self.variables(prepared), prepared.weight_map.head

        def sides_given(known: Tensor) -> Sides:
            encoded = start.encoded.repeated(len(known) // len(mask)) if len(known) > len(mask) else start.encoded
            return head.sides(network(encoded, known))

        with torch.no_grad():
            values = self._draw_values(variables, start, sides_given, mask, generator)
        masking = draw_masks(len(mask), variables.count, self.options.times, generator)
        known = variables.masked(values, masking.is_masked)
        sides = start.sides if variables.count == 1 and bool(masking.is_masked.all()) else sides_given(known)
        return Noised(
            variables=variables,
            mask=mask,
            values=values,
            known=known,
            sides=variables.settled(sides, known),
            weight=masking.weight,
            sides_given=sides_given,
            generator=generator,
        )

    def _draw_values(
        self,
        variables: LatentVariables,
        start: _Start,
        sides_given: Callable[[Tensor], Sides],
        mask: Tensor,
        generator: torch.Generator,
    ) -> Tensor:
        path = random_path(len(mask), variables.count, self.options.steps, generator)
        if self.options.beta is None:
            return fill(variables, (start.sides, start.posteriors), sides_given, mask, path).known
        resampling = Resampling(self.options.samples, self.options.beta, generator)
        return fill_by_resampling(variables, sides_given, mask, path, resampling)

    def _unmasking_loss(self, noised: Noised) -> Tensor:
        shares = noised.variables.log_probability(noised.sides, noised.values)
        return -noised.weight * shares.flatten(1).sum(1) / noised.variables.count

    def _entropy(self, variables: LatentVariables, start: _Start, mask: Tensor) -> Tensor:
        """Return H of each example."""
        positive, negative = (side.flatten(1) for side in start.sides)
        if self.options.entropy == "unconditional":
            inner = positive.exp() * positive + negative.exp() * negative  # 0 for ¬X in a family, whose weight is 1
            return -inner.sum(1) / variables.count
        layer, weight_map = variables.weight_map.binding.layer, variables.weight_map
        own = start.posteriors.index_select(1, variables.circuit_columns)
        positive, negative = (side.flatten(1) for side in start.weighed.sides)
        inner = (own * positive + (1 - own) * negative).sum(1)
        free = ((mask + layer.given).index_select(1, weight_map.others) == 0).sum(1)  # each weighs ½ either way
        logs: Tensor = layer(start.weighed.log_weights, mask)
        return (logs + free * math.log(2) - inner) / variables.count

    # -------------------------------------------------------------------------------------------------- answering

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Draw vectors given theory, and evidence if it is used, and return their marginals.

        The network's own word is what it says when all is masked. All examples share one set of paths, so that what is
        said of one does not depend on which others are asked about.
        """
        task, options = prepared.examples.task, self.options
        variables, weight_map = self.variables(prepared), prepared.weight_map
        mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
        encoded = self.network.encode(prepared.examples.network_inputs(rows))
        sides = weight_map.head.sides(self.network(encoded, variables.free(len(mask))).double())
        posteriors = weigh(weight_map, sides, mask).posteriors()
        count = options.answers if variables.count > 1 else 1
        many, path = encoded.repeated(count), spread_path(count, variables.count, options.steps, _fixed())
        filled = fill(
            variables,
            (Sides(*(side.repeat_interleave(count, 0) for side in sides)), posteriors.repeat_interleave(count, 0)),
            lambda known: weight_map.head.sides(self.network(many, known).double()),
            mask.repeat_interleave(count, 0),
            repeat_path(path, len(mask)),
        )
        marginals = filled.others
        marginals[:, variables.circuit_columns] = filled.latent.flatten(1)
        marginals = torch.unflatten(marginals, 0, (len(mask), count)).mean(1)
        flat = marginals.index_select(1, torch.from_numpy(weight_map.binding.circuit_columns)).clamp(0.0, 1.0)
        shape = (len(task.individuals), len(task.concepts))
        return BatchAnswer(torch.unflatten(flat, 1, shape), sides.positive.exp())


def _fixed() -> torch.Generator:
    return torch.Generator().manual_seed(FIXED_SEED)
