"""A-NeSI: -log q_φ(e | p_θ(x)), where q_φ is a network that was taught P(e | T, p) by worlds drawn from the circuit.

    θ:  min -log q_φ(e | p_θ(x))
    φ:  min E of -log q_φ(w | e, p) over beliefs p, worlds w ~ P(w | T, p), and parts e of w

From van Krieken, Thanapalasingam, Tomczak, van Harmelen and ten Teije 2023, "A-NeSI: A Scalable Approximate Method for
Probabilistic Neurosymbolic Inference", NeurIPS. Both are learnt together: each step teaches the surrogate some worlds,
and the network of perception learns through it, with φ left as it is. q_φ gives the probability of each atom given
beliefs and any evidence, so that evidence is as likely as its literals one after the other,

    log q(e | p) = Σᵢ log q(eᵢ | e₁, …, eᵢ₋₁, p)

and posteriors are read off at once. Beliefs are those of the batch and, for the other part, drawn from a prior; there a
Dirichlet prior is fitted to what the network has said of late, which the beliefs of the batch take the place of.

Worlds are drawn from the circuit exactly, where the paper draws p and computes a function. So the error of q can be
measured: `python -m bench.surrogate`. Predictions are q's too, with what is observed in its place. They need not be
consistent, as the circuit's are.

Where the circuit would be too wide, worlds are drawn from the lower one of its bounds (`moose.compile_bounds`): each is
a world of the theory, but some are never drawn. With L and U the counts of the two, the worlds drawn are off those of
the theory by at most 1 - L/U in total variation; the mean of that over the beliefs of a step is `terms.worlds_missed`.
Evidence that none of them has is taken all the same, and refused only if it contradicts the upper one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import torch
from torch import Tensor, nn
from torch.func import functional_call

from moose.base.errors import MooseError
from moose.circuit.bounds.compile_bounds import compile_bounds
from moose.circuit.tables.compile_tables import TooWide
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, bind_circuit, latent_columns
from moose.learning.examples import Examples
from moose.learning.loss.objective import Outcome, Prepared, count_right, encode, family_labels
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import OpenPair
from moose.methods.anesi.exact_worlds import draw_logits, draw_worlds
from moose.methods.anesi.surrogate import Surrogate, log_evidence, log_truths, mean_error, observed_like, prefixes
from moose.methods.base.answers import BatchAnswer, clamped
from moose.methods.base.latent_variables import LatentVariables, find_variables
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_counts, check_numbers
from moose.methods.base.perception import Perception


@dataclass(frozen=True, slots=True)
class Anesi(Method):
    """A surrogate of the circuit."""

    name: ClassVar[str] = "a-nesi"
    draws: int = 128
    """How many worlds the surrogate sees in a step."""
    own_share: float = 0.5
    """The share of their beliefs that are those of the batch; the others are drawn from the prior."""
    concentration: float = 0.5
    """Of the prior, Dirichlet or Beta; below 1 most beliefs are nearly sure."""
    width: int = 128
    """Of the surrogate's layers."""
    rounds: int = 2
    """How often individuals hear of each other in the surrogate."""

    def __post_init__(self) -> None:
        check_counts(self.name, draws=self.draws, width=self.width, rounds=self.rounds)
        check_numbers(self.name, own_share=self.own_share, concentration=self.concentration)
        if self.own_share > 1:
            raise MooseError(f"expected own_share of {self.name} up to 1, but got {self.own_share}")
        if not self.concentration:
            raise MooseError(f"expected a concentration of {self.name} above 0")

    def model(self, task: Task, perception: Perception, *, seed: int) -> AnesiModel:
        """Make the model."""
        return AnesiModel(self, task, perception, seed=seed)


class AnesiNetwork(nn.Module):
    """The network of perception, which it is as a function, and the surrogate."""

    def __init__(self, perception: ConceptNetwork, surrogate: Surrogate) -> None:
        super().__init__()
        self.perception, self.surrogate = perception, surrogate

    def forward(self, images: Tensor) -> Tensor:
        """Return image × latent concept."""
        logits: Tensor = self.perception(images)
        return logits

    def held(self, beliefs: Tensor, signs: Tensor, links: Tensor) -> Tensor:
        """Return what the surrogate says; its own weights have no derivative."""
        weights = {name: weight.detach() for name, weight in self.surrogate.named_parameters()}
        logits: Tensor = functional_call(self.surrogate, weights, (beliefs, signs, links))
        return logits


class AnesiModel(Model):
    """Perception and surrogate, trained together."""

    def __init__(self, method: Anesi, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="softmax")
        self.method = method
        self._variables = dict[Task, LatentVariables]()
        self._above = dict[Task, Binding]()
        """Where circuits are too wide, the upper bound of each."""
        self._links = dict[Task, Tensor]()
        outputs = len(latent_columns(task))
        surrogate = Surrogate(task, outputs, width=method.width, rounds=method.rounds, seed=seed)
        self.network = AnesiNetwork(ConceptNetwork(perception.encoder(outputs, seed=seed), outputs), surrogate)

    def binding(self, task: Task, pairs: Sequence[OpenPair] = ()) -> Binding:
        """Return the circuit of the theory, or the lower one of its bounds where that is too wide."""
        try:
            return super().binding(task, pairs)
        except TooWide as error:
            bounds = compile_bounds(ground(self.theory(task)))
            if math.isinf(bounds.log_wmc().lower):
                raise TooWide(f"{error}; nor are there worlds to draw from its lower bound") from None
            self._above[task] = bind_circuit(task, bounds.upper, is_closed=False)
            return bind_circuit(task, bounds.lower)

    def prepare(self, examples: Examples) -> Prepared:
        """Check examples against the theory; where it is bounded, against all that it may allow."""
        weight_map = self.weight_map(examples.task)
        if examples.task not in self._above:
            return super().prepare(examples)
        self.refuse_given(examples)
        self._above[examples.task].checked_mask(examples)
        mask = weight_map.binding.evidence_mask(examples.evidence)
        return Prepared(examples, weight_map, mask, family_labels(examples))

    def stages(self) -> Sequence[Stage]:
        """Train both."""
        return [Stage(self.network, self.objective)]

    def objective(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return -log q(e) and, while something is learnt, what the surrogate gets wrong of worlds."""
        both = cast(AnesiNetwork, network)
        logits = encode(both, prepared, rows)
        head, links = prepared.weight_map.head, self.links(prepared)
        beliefs = head.sides(logits).positive.exp()
        evidence = prepared.examples.evidence[rows]
        loss = -log_evidence(both.held, head, beliefs, evidence, links).mean()
        terms = {"loss_evidence": float(loss.detach())}
        if epochs_done is not None:
            taught, own = self.teaching(both.surrogate, prepared, logits.detach(), evidence)
            loss = loss + taught
            terms |= {"loss_worlds": float(taught.detach()), **own}
        right, judged = count_right(prepared, rows, logits.detach())
        return Outcome(loss, None, right, judged, terms=terms)

    def teaching(
        self, surrogate: Surrogate, prepared: Prepared, logits: Tensor, evidence: Tensor
    ) -> tuple[Tensor, dict[str, float]]:
        """Return -log q of worlds, each given a part of what is observed in some example; and terms for the log."""
        method, generator = self.method, torch.default_generator
        variables, weight_map = self.variables(prepared), prepared.weight_map
        chosen = torch.randint(len(logits), (method.draws,), generator=generator)
        drawn = draw_logits(variables, method.draws, method.concentration, generator)
        is_own = torch.rand(method.draws, generator=generator) < method.own_share
        beliefs = torch.where(is_own.view(-1, 1, 1), logits[chosen], drawn)
        sides = weight_map.head.sides(beliefs)
        with torch.no_grad():
            free = torch.zeros(method.draws, weight_map.binding.layer.atom_count, dtype=torch.int8)
            log_weights = weight_map.log_weights(sides, free)
            world = draw_worlds(variables, log_weights, generator)
            facts = weight_map.binding.by_concept(world.float()).to(torch.int8)
            known = prefixes(observed_like(evidence[chosen], facts), torch.rand(method.draws, generator=generator))
        answers = surrogate(sides.positive.exp(), known, self.links(prepared))
        return mean_error(weight_map.head, answers, facts, known), self._missed(prepared, log_weights)

    def _missed(self, prepared: Prepared, log_weights: Tensor) -> dict[str, float]:
        """Return the share of worlds, by weight, that may never be drawn; nothing where all are."""
        if prepared.examples.task not in self._above:
            return {}
        lower, upper = prepared.weight_map.binding.layer, self._above[prepared.examples.task].layer
        with torch.no_grad():
            gap = lower(log_weights) - upper(log_weights)
        return {"worlds_missed": float(-gap.clamp_max(0.0).expm1().mean())}

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the surrogate's posteriors, with what is observed in its place."""
        head = prepared.weight_map.head
        beliefs = head.sides(encode(self.network, prepared, rows)).positive.exp()
        evidence = prepared.examples.evidence[rows]
        signs = evidence if use_evidence else torch.zeros_like(evidence)
        truths = log_truths(head, self.network.surrogate(beliefs, signs, self.links(prepared)))
        return BatchAnswer(clamped(prepared, rows, truths.holds.exp(), use_evidence=use_evidence), beliefs)

    def variables(self, prepared: Prepared) -> LatentVariables:
        """Return the latent variables of the task of some examples."""
        task = prepared.examples.task
        if task not in self._variables:
            self._variables[task] = find_variables(prepared.weight_map)
        return self._variables[task]

    def links(self, prepared: Prepared) -> Tensor:
        """Return the known roles of the task of some examples."""
        task = prepared.examples.task
        if task not in self._links:
            self._links[task] = self.network.surrogate.links(task)
        return self._links[task]
