"""DeepGOZero: cross-entropy of observed literals + λ·Σ over normal forms of their mean loss, with zero-shot classes.

From Kulmanov and Hoehndorf 2022, "DeepGOZero: improving protein function prediction from sequence and zero-shot
learning based on ontology axioms", Bioinformatics 38. A class is a ball with centre c and radius r, a role a
translation ρ, an individual the vector z that an encoder gives, and h the translation of "has function":

    P(C(a)) = σ(z_a · (c + h) + r)

    C ⊑ D          relu(‖c - d‖ + r_c - r_d - γ)              ∃R.C ⊑ D       relu(‖c + ρ - d‖ + r_c - r_d - γ)
    C ⊓ D ⊑ E      as in `elembeddings.balls`                 C ⊑ ∃R.D       relu(‖c - d - ρ‖ - r_c - r_d - γ)

In the losses centres are normalised over all classes, each dimension to mean 0 and variance 1, as batch normalisation
does there. ∃R.C is the ball of C moved by ρ, so that a function is read off the ball of "has function some C". A class
that has no label is learnt through the axioms alone, which place its ball: that is the zero-shot prediction. ⊥ on the
right is not among the published losses; here it is as in `elembeddings.balls`. Ranges, chains and inclusions of roles
have no normal form there. Predictions are the scores with what is observed in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import batch_norm

from moose.grounding.task.task import Task
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_numbers
from moose.methods.base.perception import Perception
from moose.methods.elembeddings.balls import Balls, length, normal_form_losses
from moose.methods.theory.normal_forms import normal_forms
from moose.methods.theory.observed_literals import axioms_outcome, mean_loss, observed_log_probabilities
from moose.methods.theory.task_axioms import told_axioms


@dataclass(frozen=True, slots=True)
class Deepgozero(Method):
    """Balls for classes, scored by products."""

    name: ClassVar[str] = "deepgozero"
    embed_dim: int = 128
    """How many dimensions balls and vectors have; published with 1,024."""
    margin: float = 0.1
    """γ"""
    el_weight: float = 1.0
    """λ, the weight of the ontology."""
    decode: Decode = "own"
    """Whether the scores are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_counts(self.name, embed_dim=self.embed_dim)
        check_numbers(self.name, margin=self.margin, el_weight=self.el_weight)
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> DeepgozeroModel:
        """Make the model."""
        return DeepgozeroModel(self, task, perception, seed=seed)


class ClassNetwork(nn.Module):
    """An encoder that gives vectors, and the balls of classes."""

    def __init__(self, vectors: ConceptNetwork, concepts: int, roles: int, *, seed: int) -> None:
        super().__init__()
        self.vectors = vectors
        generator, bound = torch.Generator().manual_seed(seed), sqrt(1 / vectors.outputs)

        def drawn(*shape: int) -> nn.Parameter:
            return nn.Parameter((2 * torch.rand(shape, generator=generator) - 1) * bound)

        self.centres = drawn(concepts, vectors.outputs)
        self.radii = drawn(concepts)
        self.translations = drawn(roles + 1, vectors.outputs)
        """Of all roles, then h."""

    def forward(self, images: Tensor) -> Tensor:
        """Return image × dimension."""
        vectors: Tensor = self.vectors(images)
        return vectors

    def logits(self, vectors: Tensor, concepts: int) -> Tensor:
        """z · (c + h) + r for the first concepts."""
        moved = self.centres[:concepts] + self.translations[-1]
        return vectors @ moved.T + self.radii[:concepts].abs()

    def balls(self) -> Balls:
        """Return the balls that axioms are about, with centres normalised over all classes."""
        return Balls(batch_norm(self.centres, None, None, training=True), self.radii.abs(), self.translations)


class DeepgozeroModel(Model):
    """One network of vectors and balls."""

    def __init__(self, method: Deepgozero, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.method = method
        self.forms = normal_forms(told_axioms(task))
        vectors = ConceptNetwork(perception.encoder(method.embed_dim, seed=seed), method.embed_dim)
        self.network = ClassNetwork(vectors, self.forms.concepts, len(task.role_predicates), seed=seed)

    def stages(self) -> Sequence[Stage]:
        """Train vectors and balls together."""
        return [Stage(self.network, Unchanging(self.objective))]

    def objective(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return the cross-entropy of a batch, and the losses of the ontology."""
        assert isinstance(network, ClassNetwork)
        logits = network.logits(encode(network, prepared, rows), len(self.task.concepts))
        abox = mean_loss(observed_log_probabilities(prepared, rows, logits))
        losses = normal_form_losses(
            self.forms, network.balls(), self.method.margin, promise=meeting, recognition=moved_inclusion
        )
        tbox = torch.stack([one.mean() for one in losses.values()]).sum() if losses else abox.new_zeros(())
        return axioms_outcome(prepared, rows, logits, (abox, tbox), self.method.el_weight)

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the scores with what is observed in its place, or the circuit's posteriors."""
        logits = self.network.logits(encode(self.network, prepared, rows), len(self.task.concepts))
        return answer_by_concept(prepared, rows, logits, self.method.decode, use_evidence=use_evidence)


def meeting(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """C ⊑ ∃R.D: relu(‖c - d - ρ‖ - r_c - r_d - γ)"""
    sub, role, filler = rows.T
    distance = length(balls.centres[sub] - balls.centres[filler] - balls.translations[role])
    return torch.relu(distance - balls.radii[sub] - balls.radii[filler] - margin)


def moved_inclusion(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """∃R.C ⊑ D: relu(‖c + ρ - d‖ + r_c - r_d - γ)"""
    role, filler, sup = rows.T
    distance = length(balls.centres[filler] + balls.translations[role] - balls.centres[sup])
    return torch.relu(distance + balls.radii[filler] - balls.radii[sup] - margin)
