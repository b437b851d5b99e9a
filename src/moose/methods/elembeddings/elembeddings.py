"""EL embeddings: cross-entropy of observed literals + λ·(Σ over normal forms of their mean loss + regulariser).

From Kulmanov, Liu-Wei, Yan and Hoehndorf 2019, "EL Embeddings: Geometric Construction of Models for the Description
Logic EL++", IJCAI, attached to a network as a baseline of the paper that Moose follows. A concept is a ball with centre
c and radius r, a role a translation ρ, and an individual the point z that a linear layer makes of the encoder's
features, with

    P(C(a)) = σ(γ - (‖z_a - c‖ - r))        P(R(a,b)) = σ(γ - ‖z_a + ρ - z_b‖)

What is observed of concepts, and the roles between different individuals that the task knows, are learnt by
cross-entropy; the normal forms C ⊑ D, C ⊓ D ⊑ E, C ⊑ ∃R.D, ∃R.C ⊑ D and those with ⊥ only move balls and translations
(see `balls`). So a concept of which nothing is observed is learnt through the axioms alone: its ball moves, and which
points lie in it is decided by the concepts that are observed. Ranges, chains and inclusions of roles have no normal
form there; `chain` adds ‖ρ₁ + … + ρₙ - ρ_S‖ for R₁ ∘ … ∘ Rₙ ⊑ S, which the paper does for plus_two. Individuals of the
ontology have no place in it either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_flags, check_numbers
from moose.methods.base.perception import Perception
from moose.methods.elembeddings.balls import (
    Balls,
    chain_losses,
    concept_logits,
    normal_form_losses,
    on_unit_sphere,
    role_logits,
)
from moose.methods.theory.known_tensors import known_roles
from moose.methods.theory.normal_forms import normal_forms
from moose.methods.theory.observed_literals import axioms_outcome, mean_loss, observed_log_probabilities
from moose.methods.theory.task_axioms import told_axioms


@dataclass(frozen=True, slots=True)
class Elembeddings(Method):
    """Balls for concepts."""

    name: ClassVar[str] = "elembeddings"
    embed_dim: int = 50
    """How many dimensions balls and points have."""
    margin: float = 0.1
    """γ"""
    el_weight: float = 1.0
    """λ, the weight of the ontology."""
    chain: bool = False
    """Whether chains and inclusions of roles are penalised too."""
    decode: Decode = "own"
    """Whether the network's own probabilities are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_counts(self.name, embed_dim=self.embed_dim)
        check_numbers(self.name, margin=self.margin, el_weight=self.el_weight)
        check_flags(self.name, chain=self.chain)
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> ElembeddingsModel:
        """Make the model."""
        return ElembeddingsModel(self, task, perception, seed=seed)


class BallNetwork(nn.Module):
    """An encoder that gives points, and the balls and translations that they are compared with."""

    def __init__(self, points: ConceptNetwork, concepts: int, roles: int, *, seed: int) -> None:
        super().__init__()
        self.points = points
        generator = torch.Generator().manual_seed(seed)
        self.centres = nn.Parameter(_directions(concepts, points.outputs, generator))
        self.radii = nn.Parameter(torch.ones(concepts))
        self.translations = nn.Parameter(_directions(roles, points.outputs, generator))

    def forward(self, images: Tensor) -> Tensor:
        """Return image × dimension."""
        points: Tensor = self.points(images)
        return points

    def balls(self) -> Balls:
        """Return where balls and translations are now."""
        return Balls(self.centres, self.radii.abs(), self.translations)


def _directions(count: int, dimensions: int, generator: torch.Generator) -> Tensor:
    """Draw vectors of length 1, as the library does."""
    drawn = 2 * torch.rand(count, dimensions, generator=generator) - 1
    return torch.nn.functional.normalize(drawn, dim=1)


class ElembeddingsModel(Model):
    """One network of points and balls."""

    def __init__(self, method: Elembeddings, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.method = method
        self.told = told_axioms(task)
        self.forms = normal_forms(self.told)
        points = ConceptNetwork(perception.encoder(method.embed_dim, seed=seed), method.embed_dim)
        self.network = BallNetwork(points, self.forms.concepts, len(task.role_predicates), seed=seed)

    def stages(self) -> Sequence[Stage]:
        """Train points, balls and translations together."""
        return [Stage(self.network, Unchanging(self.objective))]

    def objective(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return the cross-entropy of a batch, and the losses of the ontology."""
        assert isinstance(network, BallNetwork)
        points, balls = encode(network, prepared, rows), network.balls()
        logits = self._logits(balls, points)
        observed = observed_log_probabilities(prepared, rows, logits)
        abox = mean_loss(torch.cat([observed, *self._known(balls, points, prepared)]))
        return axioms_outcome(prepared, rows, logits, (abox, self._tbox(balls)), self.method.el_weight)

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the probabilities of points with what is observed in its place, or the circuit's posteriors."""
        logits = self._logits(self.network.balls(), encode(self.network, prepared, rows))
        return answer_by_concept(prepared, rows, logits, self.method.decode, use_evidence=use_evidence)

    def _logits(self, balls: Balls, points: Tensor) -> Tensor:
        """Return those of the task's concepts: example × individual × concept."""
        count = len(self.task.concepts)  # then come ⊤ and what was introduced
        return concept_logits(
            Balls(balls.centres[:count], balls.radii[:count], balls.translations), points, self.method.margin
        )

    def _tbox(self, balls: Balls) -> Tensor:
        losses = normal_form_losses(self.forms, balls, self.method.margin)
        total = sum((one.mean() for one in losses.values()), on_unit_sphere(balls))
        if self.method.chain and self.told.chains:
            total = total + chain_losses(balls, self.told.chains).mean()
        return total

    def _known(self, balls: Balls, points: Tensor, prepared: Prepared) -> list[Tensor]:
        """Return log P of every known literal on roles between two individuals."""
        task = prepared.examples.task
        mine, theirs = ([role.name for role in one.role_predicates] for one in (self.task, task))
        is_known, known = known_roles(task)
        is_known &= ~torch.eye(len(task.individuals), dtype=torch.bool)
        if not bool(is_known.any()):
            return []
        strange = next((name for name in theirs if name not in mine), None)
        if strange is not None:
            raise MooseError(f"expected examples with the roles of the model's task, but they have {strange}")
        logits = role_logits(balls, points, self.method.margin)[:, [mine.index(name) for name in theirs]]
        return [logsigmoid(logits[:, is_known] * (2 * known[is_known] - 1)).flatten()]
