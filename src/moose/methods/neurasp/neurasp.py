"""NeurASP: -log P(O), where O is what is observed of an example, and P is over the stable models of a program.

    P(I) = Π over neural atoms of their probability / how many stable models share the choice of I
    P(O) = Σ over stable models I that satisfy O of P(I)

From Yang, Ishay and Lee 2020, "NeurASP: Embracing Neural Networks into Answer Set Programming", IJCAI. The networks
weigh the neural atoms: one member of each latent family (a softmax), whether each other latent concept holds (a
sigmoid). `answer_sets` has the program; clingo finds the same stable models.

Where this differs from deepproblog, whose programs are read from the same theory: no recipe is made up for an observed
concept that nothing derives; it is chosen freely, and the models of one choice of latent atoms share its probability.
So members that leave much open are not preferred, as they are by a plain count. A choice that violates a constraint has
no stable model, and its probability is lost to all.

All stable models that agree with what an example shows are listed once for each evidence, which limits the method to
small theories; the circuit of moose and deepproblog has no such list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind_clauses, latent_columns
from moose.learning.heads import Sides
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, count_right, encode
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import OpenPair
from moose.methods.base.answers import BatchAnswer
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.perception import Perception
from moose.methods.neurasp.answer_sets import Choices, answer_set_program, latent_atoms, list_choices, signs_of

ROWS = 32
"""Examples that are weighed against all choices at a time."""


@dataclass(frozen=True, slots=True)
class Neurasp(Method):
    """Stable models."""

    name: ClassVar[str] = "neurasp"

    def model(self, task: Task, perception: Perception, *, seed: int) -> NeuraspModel:
        """Make the model."""
        return NeuraspModel(task, perception, seed=seed)


class NeuraspModel(Model):
    """One network whose outputs weigh the choices of a program."""

    def __init__(self, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="softmax")
        self._choices = dict[tuple[Task, bytes], Choices]()
        outputs = len(latent_columns(task))
        self.network = ConceptNetwork(perception.encoder(outputs, seed=seed), outputs)

    def binding(self, task: Task, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Compile the stable models instead of the theory."""
        return bind_clauses(task, answer_set_program(task).clauses, pairs=pairs)

    def stages(self) -> Sequence[Stage]:
        """Train the network by -log P(O)."""
        return [Stage(self.network, Unchanging(self.explain), is_likelihood=True)]

    def explain(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return the mean of -log P(O) over some examples."""
        logits = encode(network, prepared, rows)
        logs = self.log_probabilities(prepared, prepared.weight_map.head.sides(logits), prepared.mask[rows])
        right, judged = count_right(prepared, rows, logits.detach())
        return Outcome(-logs.mean(), None, right, judged)

    def log_probabilities(self, prepared: Prepared, sides: Sides, mask: Tensor) -> Tensor:
        """Return log P(O) of each example."""
        results = sides.positive.new_zeros(len(mask))
        for some, choices in self.by_evidence(prepared, mask):
            results = results.index_copy(0, some, log_weights(sides, choices, some).logsumexp(1))
        return results

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return P(C(a) | O): the mean over stable models."""
        sides = prepared.weight_map.head.sides(encode(self.network, prepared, rows))
        mask, binding = prepared.mask_at(rows, use_evidence=use_evidence), prepared.weight_map.binding
        posteriors = sides.positive.new_zeros(len(mask), binding.layer.atom_count)
        for some, choices in self.by_evidence(prepared, mask):
            posteriors[some] = log_weights(sides, choices, some).softmax(1) @ choices.posteriors
        return BatchAnswer(binding.by_concept(posteriors.clamp(0.0, 1.0)), sides.positive.exp())

    def by_evidence(self, prepared: Prepared, mask: Tensor) -> list[tuple[Tensor, Choices]]:
        """Return the examples of each evidence, some at a time, and the choices that agree with it."""
        task, layer = prepared.examples.task, prepared.weight_map.binding.layer
        evidences, which = mask.unique(dim=0, return_inverse=True)
        parts = []
        for number, evidence in enumerate(evidences):
            key = task, signs_of(evidence)
            if key not in self._choices:
                self._choices[key] = list_choices(layer, latent_atoms(layer, task), evidence)
            parts += [(some, self._choices[key]) for some in torch.nonzero(which == number).flatten().split(ROWS)]
        return parts


def log_weights(sides: Sides, choices: Choices, rows: Tensor) -> Tensor:
    """Return log of what each choice adds to P(O): example × choice."""
    chosen = torch.cat([(choices.holds > 0), (choices.holds < 0)], 1).to(sides.positive.dtype)
    both = torch.cat([side[rows].flatten(1) for side in sides], 1)
    return both @ chosen.T + choices.log_shares.to(both.dtype)
