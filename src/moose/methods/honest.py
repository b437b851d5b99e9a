"""Moose that says what it cannot know: P(t | x, e) = Σ_s P(s | x, e) · P(t | read as s, and e holds).

Ours. Training finds one of the maps m from true to predicted states that theory and evidence allow, and nothing tells
it which: another seed finds another. `moose.shortcuts` counts all of them beforehand. With all maps alike, what is read
as s is t in the proportion of [t bears e] · P(t) · share of the maps with m(t) = s. Where states are exchanged in
groups, as those of mnist1 are, the answer is the same whichever map training has found: the honest posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import torch
from torch import Tensor

from moose.errors import MooseError
from moose.grounding.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.learning.cover import Cover
from moose.learning.network import ConceptNetwork
from moose.learning.objective import Counting, Prepared
from moose.methods.latent_variables import find_variables
from moose.methods.members import answer_of
from moose.methods.method import Method, Perception
from moose.methods.model import Model, Said, Stage, clamped
from moose.methods.options import check_choice, check_numbers
from moose.shortcuts.find import find_shortcuts
from moose.shortcuts.showing import LITERALS, Showing

TINY = 1e-12
"""Added before logarithms, and the least that is divided by."""
MOST_STATES = 256


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
    """One network, and how often each state is read as which other."""

    def __init__(self, method: MooseHonest, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task)
        self.objective = Counting(Cover(method.cover_weight, method.cover_epochs) if latent_families(task) else None)
        outputs = len(latent_columns(task))
        self.network = ConceptNetwork(perception.encoder(outputs, seed=seed), outputs)
        self.readings = count_readings(task, method.showing)

    def stages(self) -> Sequence[Stage]:
        """Train the network as moose-cover does."""
        return [Stage(self.network, self.objective)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> Said:
        """Return the circuit's posteriors, and the network's word, each averaged over all readings."""
        said = answer_of(self.network, prepared, rows, use_evidence=use_evidence)
        columns = torch.tensor(latent_columns(prepared.examples.task))
        borne = self.borne(prepared, rows, use_evidence=use_evidence)
        averaged = self.readings.average(said.posteriors.index_select(2, columns), borne)
        posteriors = clamped(
            prepared, rows, said.posteriors.index_copy(2, columns, averaged), use_evidence=use_evidence
        )
        return Said(posteriors, self.readings.average(said.network))

    def borne(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> Tensor:
        """Say which states of each individual theory and evidence bear: float64, example × individual × state."""
        variables, layer = find_variables(prepared.weigher), prepared.weigher.binding.layer
        mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
        evidences, which = mask.unique(dim=0, return_inverse=True)
        states = (2 * self.readings.holds - 1).to(torch.int8)
        found = torch.zeros(len(evidences), variables.individuals, len(states), dtype=torch.float64)
        for individual, state in product(range(variables.individuals), range(len(states))):
            known = variables.free(len(evidences))
            known[:, individual] = states[state]
            logs: Tensor = layer(torch.zeros(1, layer.literal_count), variables.evidence(evidences, known))
            found[:, individual, state] = (~logs.isneginf()).double()
        return found[which]


@dataclass(frozen=True, eq=False)
class Readings:
    """The latent states that a task can show, and how often each is read as which other, over all maps."""

    holds: Tensor
    """float64, state × latent concept: 1 where the concept holds."""
    joint: Tensor
    """float64, true state × state that it is read as: how often both, the sum of all is 1."""
    family: Tensor | None
    """int64: columns of a latent family of which each state has a member of its own; None if there is none."""

    def average(self, probabilities: Tensor, borne: Tensor | None = None) -> Tensor:
        """Average what is said of latent concepts over all readings, example × individual × latent concept.

        Only true states that are borne count, all if None; where none of them is read so, what is read is believed.
        """
        read = self.state_weights(probabilities.double())
        possible = read.new_ones(*read.shape) if borne is None else borne
        reach = possible @ self.joint
        is_known = reach > 0
        spread = torch.where(is_known, read / reach.clamp_min(TINY), torch.zeros_like(read))
        true = possible * (spread @ self.joint.T) + torch.where(is_known, torch.zeros_like(read), read)
        return (true @ self.holds).clamp(0.0, 1.0).to(probabilities.dtype)

    def state_weights(self, probabilities: Tensor) -> Tensor:
        """Return P(state), exact where a family tells the states apart.

        Elsewhere concepts are taken as independent of each other: what is known are their probabilities one by one.
        """
        if self.family is not None:
            weights = probabilities.index_select(-1, self.family) @ self.holds.index_select(1, self.family).T
            return weights / weights.sum(-1, keepdim=True).clamp_min(TINY)
        logs = (probabilities + TINY).log() @ self.holds.T + (1 - probabilities + TINY).log() @ (1 - self.holds).T
        return logs.softmax(-1)


def count_readings(task: Task, showing: Showing) -> Readings:
    """Count all maps of a task, and how many of them read each state as which other.

    >>> from moose.grounding.regimes import regime
    >>> readings = count_readings(regime("mnist1"), Showing())
    >>> [round(share, 3) for share in readings.joint[3].tolist()]  # a 3 may be read as 3, 5 or 7
    [0.0, 0.0, 0.0, 0.033, 0.0, 0.033, 0.0, 0.033, 0.0, 0.0]
    """
    found = find_shortcuts(task, showing)
    words, places = found.problem.vocabulary, found.problem.places
    if len(places) > MOST_STATES:
        raise MooseError(
            f"the theory allows {len(places)} latent states, but moose-honest counts how each is read as each other "
            f"and takes at most {MOST_STATES}; use moose-cover or ensemble"
        )
    texts = [words.text(state) for _, state in places]
    joint = torch.zeros(len(places), len(places), dtype=torch.float64)
    for true, place in enumerate(places):
        for text, share in found.readings(texts[true], most=len(places)).items():
            joint[true, texts.index(text)] = float(share * found.problem.frequencies[place])
    holds = [[float(name in state) for name in words.latent] for _, state in places]
    telling = None
    for family in words.families:
        if len({state & set(family) for _, state in places}) == len(places):
            telling = torch.tensor([words.latent.index(name) for name in family])
            break
    return Readings(torch.tensor(holds, dtype=torch.float64), joint, telling)
