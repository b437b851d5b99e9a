"""Moose that says what it cannot know: P(C(a) | x, e) = Σ_s P(s | x, e) · share of the maps that read s as C.

Ours. Training finds one of the readings that theory and evidence allow, and nothing tells it which: another seed finds
another. `moose.shortcuts` counts all of them beforehand. States that some reading exchanges have the same shares, so
that whichever reading training has found, the mean over all of them is the same: the honest posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from moose.errors import MooseError
from moose.grounding.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.learning.cover import Cover
from moose.learning.network import ConceptNetwork
from moose.learning.objective import Counting, Prepared
from moose.methods.members import answer_of
from moose.methods.method import Method, Perception
from moose.methods.model import Model, Said, Stage, clamped
from moose.methods.options import check_choice, check_numbers
from moose.shortcuts.find import find_shortcuts
from moose.shortcuts.showing import LITERALS, Showing

TINY = 1e-12
"""Added before logarithms."""


@dataclass(frozen=True, slots=True)
class MooseHonest(Method):
    """Our method that averages over readings."""

    name: ClassVar[str] = "moose-honest"
    shown: str = ""
    """The concepts that the evidence speaks of, with commas between them; empty for all that are observed."""
    literals: str = "both"
    """Whether evidence says what holds and what does not, or what holds alone (`positive`)."""
    cover_weight: float = 3.0
    """λ of the cover at the start, as in moose-cover."""
    cover_epochs: float = 3.0
    """After so many epochs λ is 0."""

    def __post_init__(self) -> None:
        check_choice(self.name, "literals", self.literals, LITERALS)
        check_numbers(self.name, cover_weight=self.cover_weight, cover_epochs=self.cover_epochs)
        Cover(self.cover_weight, self.cover_epochs)
        if not isinstance(self.shown, str):
            raise MooseError(f"expected concepts with commas for shown of {self.name}, but got {self.shown!r}")

    @property
    def showing(self) -> Showing:
        """What evidence shows."""
        names = [name.strip() for name in self.shown.split(",") if name.strip()]
        return Showing(names or None, self.literals)

    def model(self, task: Task, perception: Perception, *, seed: int) -> HonestModel:
        """Count the readings, and make the model."""
        return HonestModel(self, task, perception, seed=seed)


class HonestModel(Model):
    """One network, and the share of all readings for each state that it may see."""

    def __init__(self, method: MooseHonest, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task)
        self.objective = Counting(Cover(method.cover_weight, method.cover_epochs) if latent_families(task) else None)
        outputs = len(latent_columns(task))
        self.network = ConceptNetwork(perception.encoder(outputs, seed=seed), outputs)
        self.shares = count_shares(task, method.showing)

    def stages(self) -> Sequence[Stage]:
        """Train the network as moose-cover does."""
        return [Stage(self.network, self.objective)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> Said:
        """Return the circuit's posteriors, and the network's word, each averaged over all readings."""
        said = answer_of(self.network, prepared, rows, use_evidence=use_evidence)
        columns = torch.tensor(latent_columns(prepared.examples.task))
        averaged = self.shares.average(said.posteriors.index_select(2, columns))
        posteriors = said.posteriors.index_copy(2, columns, averaged)
        return Said(clamped(prepared, rows, posteriors, use_evidence=use_evidence), self.shares.average(said.network))


@dataclass(frozen=True, eq=False)
class Shares:
    """The latent states that a task can show, and of each how many of the maps read which concept of it."""

    holds: Tensor
    """float64, state × latent concept: 1 where the concept holds."""
    beliefs: Tensor
    """float64, state × latent concept: the share of the maps that predict it."""
    family: Tensor | None
    """int64: columns of a latent family of which each state has a member of its own; None if there is none."""

    def average(self, probabilities: Tensor) -> Tensor:
        """Average what is said of latent concepts over all readings; the last dimension is the concept."""
        weights = self.state_weights(probabilities.double())
        return (weights @ self.beliefs).clamp(0.0, 1.0).to(probabilities.dtype)

    def state_weights(self, probabilities: Tensor) -> Tensor:
        """Return P(state), exact where a family tells the states apart.

        Elsewhere concepts are taken as independent of each other: what is known are their probabilities one by one.
        """
        if self.family is not None:
            weights = probabilities.index_select(-1, self.family) @ self.holds.index_select(1, self.family).T
            return weights / weights.sum(-1, keepdim=True).clamp_min(TINY)
        logs = (probabilities + TINY).log() @ self.holds.T + (1 - probabilities + TINY).log() @ (1 - self.holds).T
        return logs.softmax(-1)


def count_shares(task: Task, showing: Showing) -> Shares:
    """Count all readings of a task, and for each state the share that predicts each concept.

    >>> from moose.grounding.regimes import regime
    >>> shares = count_shares(regime("mnist1"), Showing())
    >>> shares.beliefs[3].tolist()[3:8]  # primes that are odd: 3, 5 and 7
    [0.3333333333333333, 0.0, 0.3333333333333333, 0.0, 0.3333333333333333]
    """
    found = find_shortcuts(task, showing)
    words, places = found.problem.vocabulary, found.problem.places
    holds = [[float(name in state) for name in words.latent] for _, state in places]
    beliefs = [[float(found.beliefs[place][name]) for name in words.latent] for place in places]
    telling = None
    for family in words.families:
        if len({state & set(family) for _, state in places}) == len(places):
            telling = torch.tensor([words.latent.index(name) for name in family])
            break
    return Shares(torch.tensor(holds, dtype=torch.float64), torch.tensor(beliefs, dtype=torch.float64), telling)
