"""Moose that says what it cannot know: P(t | x, e) = Σ_s P(s | x, e) · P(t | read as s, and e holds).

Ours. Training finds one of the maps m from true to predicted states that theory and evidence allow, and nothing tells
it which: another seed finds another. `moose.shortcuts` counts all of them beforehand. With all maps alike, what is read
as s is t in the proportion of [t agrees with e] · P(t) · share of the maps with m(t) = s. Where states are exchanged in
groups, as those of mnist1 are, the answer is the same whichever map training has found: the honest posterior.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Literal

import numpy as np
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.learning.examples import Examples
from moose.learning.loss.cover import Cover
from moose.learning.loss.likelihood import OBJECTIVES, OPEN_WEIGHTS, PAPER, ObjectiveName, OpenName, weigh
from moose.learning.loss.objective import Prepared, WMCObjective, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import BatchAnswer, clamped
from moose.methods.base.latent_variables import find_variables
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_numbers
from moose.methods.base.perception import Perception
from moose.owl.atom_text import split_names
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.model.examples import Seen, find_in_evidence
from moose.shortcuts.problem.options import LITERALS, Showing

EvidenceName = Literal["data", "all"]
EVIDENCES: tuple[EvidenceName, ...] = ("data", "all")
PARTS = ("states_held", "states_read")
"""The names of what is counted among the weights of a model."""
TINY = 1e-12
"""The least that is divided by."""
MOST_STATES = 256


@dataclass(frozen=True, slots=True)
class MooseHonest(Method):
    """Our method that averages over readings."""

    name: ClassVar[str] = "moose-honest"
    before: ClassVar[Mapping[str, object]] = {**PAPER, "evidence": "all"}
    shown: str = ""
    """The concepts that the evidence speaks of, with commas between them; empty for all that are observed."""
    literals: str = "both"
    """Whether evidence says what holds and what does not, or what holds alone (`positive`)."""
    cover_weight: float = 3.0
    """λ of the cover at the start, as in moose-cover."""
    cover_epochs: float = 3.0
    """After this many epochs λ is 0."""
    objective: ObjectiveName = "auto"
    """The likelihood of the evidence given the theory, or the paper's count."""
    open_weights: OpenName = "learnt"
    """How likely an observable is that a member of a family leaves open; `half` is the paper's."""
    evidence: EvidenceName = "data"
    """Whether readings are counted under the evidence that the examples hold, or under `all` that could be shown."""

    def __post_init__(self) -> None:
        check_choice(self.name, "objective", self.objective, OBJECTIVES)
        check_choice(self.name, "open_weights", self.open_weights, OPEN_WEIGHTS)
        check_choice(self.name, "literals", self.literals, LITERALS)
        check_choice(self.name, "evidence", self.evidence, EVIDENCES)
        check_numbers(self.name, cover_weight=self.cover_weight, cover_epochs=self.cover_epochs)
        Cover(self.cover_weight, self.cover_epochs)
        if not isinstance(self.shown, str):
            raise MooseError(f"expected concepts with commas for shown of {self.name}, but got {self.shown!r}")
        if self.evidence == "data" and (self.shown or self.literals != "both"):
            raise MooseError(
                f"shown and literals of {self.name} are about all evidence, but examples have their own; leave these "
                "out, or say evidence=all"
            )

    @property
    def showing(self) -> Showing:
        """What evidence shows."""
        return Showing(split_names(self.shown) or None, self.literals)

    def model(self, task: Task, perception: Perception, *, seed: int) -> HonestModel:
        """Count the readings, and make the model."""
        return HonestModel(self, task, perception, seed=seed)


class HonestModel(Model):
    """One network, and how often each state is read as which other."""

    def __init__(self, method: MooseHonest, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, objective=method.objective, open_weights=method.open_weights)
        self.objective = WMCObjective(
            Cover(method.cover_weight, method.cover_epochs) if latent_families(task) else None
        )
        outputs = len(latent_columns(task))
        self.network = ConceptNetwork(perception.encoder(outputs, seed=seed), outputs)
        self.network.open_weights = self.make_open_weights()
        # Those of examples are counted when these are seen, and kept with the weights.
        self.counts_data = method.evidence == "data"
        readings = no_readings(outputs) if self.counts_data else count_readings(task, method.showing)
        for name, value in zip(PARTS, (readings.holds, readings.joint)):
            self.register_buffer(name, value, persistent=self.counts_data)

    @property
    def readings(self) -> Readings:
        """How often each state is read as which other."""
        return Readings(*(self.get_buffer(name) for name in PARTS))

    def look_at(self, train: Sequence[Prepared], *, is_all: bool = True) -> None:
        """Count the readings that the evidence of the examples allows; their truth is not looked at."""
        super().look_at(train, is_all=is_all)
        if self.counts_data and not is_all:
            raise MooseError("readings are counted in all examples: call look_at with them before your own loop")
        if self.counts_data:
            seen = [_evidence_of(self.theory(one.examples.task), one.examples) for one in train]
            readings = readings_of(find_in_evidence(seen))
            for name, value in zip(PARTS, (readings.holds, readings.joint)):
                self.register_buffer(name, value)

    def _load_from_state_dict(self, state: dict[str, Tensor], prefix: str, *rest: object) -> None:
        """Take as many readings as were counted."""
        for name in PARTS:
            if self.counts_data and prefix + name in state:
                self.register_buffer(name, torch.empty_like(state[prefix + name]))
        super()._load_from_state_dict(state, prefix, *rest)

    def stages(self) -> Sequence[Stage]:
        """Train the network as moose-cover does."""
        return [Stage(self.network, self.objective)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the circuit's posteriors averaged over all readings, and the network's own word as it is."""
        mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
        sides = prepared.weight_map.head.sides(encode(self.network, prepared, rows).double())
        weighed = weigh(prepared.weight_map, sides, mask, self.network)
        log_weights = weighed.log_weights
        total: Tensor = prepared.weight_map.binding.layer(log_weights, mask)
        read = (self.log_counts(prepared, mask, log_weights) - total.double()[:, None, None]).exp()
        change = self.readings.change(read, self.consistent_states(prepared, mask))
        posteriors = prepared.weight_map.binding.by_concept(weighed.posteriors().clamp(0.0, 1.0))
        columns = torch.tensor(latent_columns(prepared.examples.task))
        posteriors = posteriors.index_add(2, columns, change.to(posteriors.dtype)).clamp(0.0, 1.0)
        return BatchAnswer(clamped(prepared, rows, posteriors, use_evidence=use_evidence), sides.positive.exp())

    def consistent_states(self, prepared: Prepared, mask: Tensor) -> Tensor:
        """Return 1 for each state that theory and evidence allow, else 0: float64, example × individual × state."""
        evidences, which = mask.unique(dim=0, return_inverse=True)
        even = torch.zeros(1, prepared.weight_map.binding.layer.literal_count)
        return (~self.log_counts(prepared, evidences, even).isneginf()).double()[which]

    def log_counts(self, prepared: Prepared, mask: Tensor, log_weights: Tensor) -> Tensor:
        """Count the worlds of each state of each individual: log, example × individual × state."""
        variables, layer = find_variables(prepared.weight_map), prepared.weight_map.binding.layer
        states = (2 * self.readings.holds - 1).to(torch.int8)
        log_counts = torch.zeros(len(mask), variables.individuals, len(states), dtype=torch.float64)
        for individual, state in product(range(variables.individuals), range(len(states))):
            known = variables.free(len(mask))
            known[:, individual] = states[state]
            log_counts[:, individual, state] = layer(log_weights, variables.evidence(mask, known)).double()
        return log_counts


@dataclass(frozen=True, eq=False)
class Readings:
    """The latent states that a task can show, and how often each is read as which other, over all maps."""

    holds: Tensor
    """float64, state × latent concept: 1 where the concept holds."""
    joint: Tensor
    """float64, true state × state that it is read as: how often both, the sum of all is 1."""

    def change(self, read: Tensor, consistent: Tensor | None = None) -> Tensor:
        """Return what doubt adds to the probability of each concept, given P(state that is read).

        Only true states that are consistent with the evidence count, all if None. States that no evidence ever shows
        are not among these, and what is read of them is believed; so it is where no consistent true state is read so.
        """
        possible = torch.ones_like(read) if consistent is None else consistent
        reach = possible @ self.joint
        is_known = reach > 0
        spread = torch.where(is_known, read / reach.clamp_min(TINY), torch.zeros_like(read))
        true = possible * (spread @ self.joint.T)
        return (true - torch.where(is_known, read, torch.zeros_like(read))) @ self.holds


def no_readings(concepts: int) -> Readings:
    """Return what is known before anything was counted: no state is doubted."""
    return Readings(*(torch.zeros(0, size, dtype=torch.float64) for size in (concepts, 0)))


def _evidence_of(task: Task, examples: Examples) -> Seen:
    nothing = np.zeros(tuple(examples.truth.shape), np.int8)
    pairs = None if examples.role_evidence is None else examples.role_evidence.numpy()
    return Seen(task, examples.evidence.numpy(), nothing, pairs)


def count_readings(task: Task, showing: Showing) -> Readings:
    """Count all maps of a task, and how many of them read each state as which other.

    >>> from moose.grounding.task.regimes import regime
    >>> readings = count_readings(regime("mnist1"), Showing())
    >>> [round(share, 3) for share in readings.joint[3].tolist()]  # a 3 may be read as 3, 5 or 7
    [0.0, 0.0, 0.0, 0.033, 0.0, 0.033, 0.0, 0.033, 0.0, 0.0]
    """
    return readings_of(find_shortcuts(task, showing))


def readings_of(shortcuts: Shortcuts) -> Readings:
    """Return how many of some maps read each state as which other."""
    words, places = shortcuts.problem.vocabulary, shortcuts.problem.true_states
    if len(places) > MOST_STATES:
        raise MooseError(
            f"the theory allows {len(places)} latent states, but moose-honest counts how each is read as each other "
            f"and takes at most {MOST_STATES}; use moose-cover or ensemble"
        )
    states = [state for _, state in places]
    shares = [shortcuts.readings(words.text(state), most=MOST_STATES) for state in states]
    # What is read need not be what can be true, where the theory that predictions are held against is a weaker one.
    texts = list(dict.fromkeys([*map(words.text, states), *(text for one in shares for text in one)]))
    joint = torch.zeros(len(texts), len(texts), dtype=torch.float64)
    for true, (place, one) in enumerate(zip(places, shares)):
        for text, share in one.items():
            joint[true, texts.index(text)] = float(share * shortcuts.problem.frequencies[place])
    holds = [[float(name in text.split(" + ")) for name in words.latent] for text in texts]
    return Readings(torch.tensor(holds, dtype=torch.float64), joint)
