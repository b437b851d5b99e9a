"""A method at work on a task: networks, what their training minimises, and what they then say."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind, check_same_concepts, latent_columns
from moose.learning.examples import Examples
from moose.learning.heads import HeadName, Sides, Weigher, make_head
from moose.learning.network import taking
from moose.learning.objective import Objective, Prepared, prepare


class Said(NamedTuple):
    """What a model says of some examples."""

    posteriors: Tensor
    """example × individual × concept, columns as `task.concepts`."""
    network: Tensor
    """example × individual × latent concept: the network's own word of each individual, without theory and evidence."""


class Stage(NamedTuple):
    """A part of training."""

    network: nn.Module
    """What is trained."""
    objective: Objective


class Model(nn.Module):
    """The base of all models.

    Training has one or more stages, one after the other, each of which changes the weights of one network. All numbers
    that a model draws while it learns come from torch's own generator, which the training loop seeds; those that it
    draws when it is asked come from a generator of its own with a fixed seed.
    """

    def __init__(self, task: Task, *, head: HeadName = "softmax") -> None:
        super().__init__()
        if not latent_columns(task):
            raise MooseError("the task has no latent concept, so that there is nothing to learn; declare one latent")
        self.task = task
        self.head: HeadName = head
        self._weighers = dict[Task, Weigher]()

    # ------------------------------------------------------------------------------------- what a method decides

    def theory(self, task: Task) -> Task:
        """Return the task whose circuit the method uses: its own, or one with less in it."""
        return task

    def binding(self, task: Task) -> Binding:
        """Return the circuit of the method's theory and where everything stands in it."""
        return bind(self.theory(task))

    @abstractmethod
    def stages(self) -> Sequence[Stage]:
        """Return what is trained, in this order."""

    @abstractmethod
    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> Said:
        """Say what some examples show."""

    # --------------------------------------------------------------------------------------- what all have alike

    def prepare(self, examples: Examples) -> Prepared:
        """Check examples against the theory and lay out their evidence."""
        return prepare(examples, self.weigher(examples.task))

    def try_on(self, prepared: Prepared) -> None:
        """Ask about two examples, so that an encoder that does not fit the inputs is found out before training."""
        self.eval()
        with torch.no_grad(), torch.random.fork_rng(devices=()), taking(prepared.examples.input_shape):
            self.answer(prepared, slice(0, 2), use_evidence=False)

    def weigher(self, task: Task) -> Weigher:
        """Return what turns numbers into weights for the task of some examples, over the same concepts as this one."""
        if task not in self._weighers:
            check_same_concepts(self.task, task)
            binding = self.binding(task)
            self._weighers[task] = Weigher(binding, make_head(self.head, binding))
        return self._weighers[task]


def circuit_posteriors(prepared: Prepared, rows: slice, sides: Sides, *, use_evidence: bool) -> Tensor:
    """Return P(C(a) | input, theory, and the evidence if it is used), example × individual × concept.

    The sides are log w(X) and log w(¬X) of the latent atoms, example × individual × latent concept, best in float64.
    """
    weigher, task = prepared.weigher, prepared.examples.task
    mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
    columns = torch.from_numpy(weigher.binding.circuit_columns)
    posteriors = weigher.binding.layer.posteriors(weigher.log_weights(sides, mask), mask).index_select(1, columns)
    return torch.unflatten(posteriors.clamp(0.0, 1.0), 1, (len(task.individuals), len(task.concepts)))


def clamped(prepared: Prepared, rows: slice, probabilities: Tensor, *, use_evidence: bool) -> Tensor:
    """Return probabilities, example × individual × concept, with what is observed at 0 or 1 if evidence is used.

    That is all that evidence does in a method without logic.
    """
    if not use_evidence:
        return probabilities
    evidence = prepared.examples.evidence[rows]
    observed = (evidence > 0).to(probabilities.dtype)
    return torch.where(evidence == 0, probabilities, observed)
