"""Independent concepts: -Σ log p(ℓ | x) over the observed literals ℓ of an example, a sigmoid for each concept.

Binary cross-entropy on what is observed, without logic: multi-task learning (Caruana, 1997, Machine Learning) with one
body and one output for each concept, observed or latent. Nothing is ever said of a latent concept, so its output stays
where its first weights put it, on features that were learnt for others: what is right about it is right by chance.

With `decode = "circuit"` the same network is asked together with the theory: its probabilities, those of observed
concepts too, weigh the circuit's literals. Then a digit is as likely as its parity and primality make it. Training is
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, count_right, encode
from moose.learning.roles.role_tensors import as_columns
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice
from moose.methods.base.perception import Perception


@dataclass(frozen=True, slots=True)
class Independent(Method):
    """Cross-entropy on observed concepts."""

    name: ClassVar[str] = "independent"
    decode: Decode = "own"
    """Whether the network's own probabilities are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> IndependentModel:
        """Make the model."""
        return IndependentModel(self, task, perception, seed=seed)


class IndependentModel(Model):
    """One network with an output for each concept."""

    takes_kinds = takes_roles = True

    def __init__(self, method: Independent, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.decode = method.decode
        outputs = len(task.concepts)
        self.network = perception.network(task, outputs, seed=seed)

    def stages(self) -> Sequence[Stage]:
        """Train the network by cross-entropy."""
        return [Stage(self.network, Unchanging(cross_entropy), is_likelihood=True)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the network's probabilities with what is observed in its place, or the circuit's posteriors."""
        logits = encode(self.network, prepared, rows)
        return answer_by_concept(prepared, rows, logits, self.decode, use_evidence=use_evidence)


def cross_entropy(network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
    """Return -log p of the observed literals of an example, summed; the mean over examples."""
    logits = encode(network, prepared, rows)
    evidence = observed_columns(prepared, rows).to(logits.dtype)
    # What is not observed has the factor 0, so that a batch without evidence has a loss of 0 and no slope.
    loss = -(logsigmoid(evidence * logits) * evidence.abs()).sum((1, 2)).mean()
    latent = logits.detach().index_select(-1, torch.tensor(latent_columns(prepared.examples.task), dtype=torch.int64))
    right, judged = count_right(prepared, rows, latent)
    return Outcome(loss, None, right, judged)


def observed_columns(prepared: Prepared, rows: Tensor | slice) -> Tensor:
    """Return the evidence of some examples as the logits lie: concepts, then the pairs of latent roles."""
    examples = prepared.examples
    concepts, roles = examples.evidence[rows], list(examples.task.read_roles)
    if prepared.given is not None:
        concepts = concepts - prepared.given[rows]
    if not roles:
        return concepts
    people = len(examples.task.individuals)
    pairs = concepts.new_zeros(len(concepts), len(roles), people, people)
    if examples.role_evidence is not None:
        pairs = examples.role_evidence[rows][:, roles]
    return torch.cat([concepts, as_columns(pairs)], -1)
