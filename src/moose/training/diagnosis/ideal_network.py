"""The ideal network: a table from true states to logits, and what the objective makes of it.

A network that reads every input right off, and says of each true state what a reading says, is a table. Its loss is
that of the objective on the very examples, with the same circuit; so it can be compared with the loss of a model. What
is learnt besides the network, the odds of open observables, has the values that are best for the reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from moose.grounding.atoms import Atom
from moose.learning.binding import latent_columns, latent_families
from moose.learning.heads import HeadName
from moose.learning.loss.likelihood import weigh
from moose.learning.open_weights import OpenWeights
from moose.learning.roles.role_tensors import as_columns
from moose.shortcuts.problem.problem import Problem, TrueState
from moose.shortcuts.problem.states import State
from moose.training.diagnosis.states_shown import StateRows

Reals = npt.NDArray[np.float64]
SURE = 40.0
"""The logit of what is certain: in float64 as good as infinite, and it can be computed with."""
START = 0.9
"""How sure of the truth the table is from which the objective's own choice is looked for."""
LEAST = 1e-6
"""The least probability that a table is made from."""
STEPS = 80


@dataclass(frozen=True)
class Reading:
    """What is read of each true state, and of each pair of them where roles are latent."""

    table: Mapping[TrueState, State]
    pairs: Mapping[Atom, bool]


class IdealNetwork(nn.Module):
    """A table of logits, true state × latent concept, and one logit for each pair of states and latent role."""

    def __init__(self, concepts: Tensor, pairs: Tensor, open_weights: OpenWeights | None) -> None:
        super().__init__()
        self.concepts, self.pairs = nn.Parameter(concepts), nn.Parameter(pairs)
        self.open_weights = open_weights

    def logits(self, rows: StateRows) -> Tensor:
        """Return what it says of rows, as a network does: row × individual × output; 0 of what has no state."""
        none = self.concepts.new_zeros(1, self.concepts.shape[1])
        said = torch.cat([self.concepts, none])[rows.states]
        if rows.pairs is None:
            return said
        return torch.cat([said, as_columns(torch.cat([self.pairs, none[0, :1]])[rows.pairs])], -1)


@dataclass(frozen=True, eq=False)
class IdealLosses:
    """The losses that the objective gives to ideal networks on some examples."""

    problem: Problem
    rows: Sequence[StateRows]
    head: HeadName
    learnt: OpenWeights | None
    """Odds of open observables, all even, where they are learnt."""

    @property
    def count(self) -> int:
        """How many examples there are."""
        return int(sum(float(one.counts.sum()) for one in self.rows))

    @property
    def outputs(self) -> tuple[str, ...]:
        """The latent concepts, as a network's outputs are ordered."""
        task = self.rows[0].prepared.examples.task
        return tuple(task.concepts[column].name for column in latent_columns(task))

    def measure(self, network: IdealNetwork) -> Tensor:
        """Return the mean loss of an ideal network, in nats."""
        losses = list[Tensor]()
        for one in self.rows:
            prepared, weight_map = one.prepared, one.prepared.weight_map
            sides = weight_map.head.sides(network.logits(one))
            weighed = weigh(weight_map, sides, prepared.mask, network, prepared.given)
            losses.append(-(one.counts * weighed.log_likelihood()).sum())
        return torch.stack(losses).sum() / self.count

    def certain(self, reading: Reading, odds: Tensor | None = None) -> IdealNetwork | None:
        """Return the network that is sure of a reading; none if no network with this head can say it."""
        states = [reading.table[place] for place in self.problem.true_states]
        if self.head == "softmax" and not all(map(self._has_one_member, self.problem.true_states, states)):
            return None
        holds = np.array([[name in state for name in self.outputs] for state in states], bool)
        related = np.array([reading.pairs[atom] for atom in self.problem.pairs], bool)
        return self.network(np.where(holds, SURE, -SURE), np.where(related, SURE, -SURE), odds)

    def _has_one_member(self, true_state: TrueState, state: State) -> bool:
        families = self.problem.vocabulary.families
        return all(len(state & set(one)) == 1 for one in families if true_state[1] & set(one))

    def unsure(self, probabilities: Reals, of_pairs: Reals, odds: Tensor | None = None) -> IdealNetwork:
        """Return the network that gives each state the same probabilities of latent concepts wherever it is true."""
        values = np.clip(probabilities, LEAST, 1 - LEAST)
        logits = np.log(values / (1 - values))
        if self.head == "softmax":
            task = self.rows[0].prepared.examples.task
            outputs = latent_columns(task)
            for family in latent_families(task):
                members = [outputs.index(column) for column in family]
                logits[:, members] = np.log(values[:, members])
        related = np.clip(of_pairs, LEAST, 1 - LEAST)
        return self.network(logits, np.log(related / (1 - related)), odds)

    def near_truth(self) -> IdealNetwork:
        """Return the network that is nearly sure of the truth."""
        chances = np.full((len(self.problem.true_states), len(self.outputs)), 1 - START)
        for family in self.problem.vocabulary.families:
            members = [self.outputs.index(name) for name in family]
            chances[:, members] = (1 - START) / max(1, len(members) - 1)
        for row, (_, state) in enumerate(self.problem.true_states):
            chances[row, [self.outputs.index(name) for name in state]] = START
        related = np.where(np.array(list(self.problem.pairs.values()), bool), START, 1 - START)
        return self.unsure(chances, related)

    def network(self, concepts: Reals, pairs: Reals, odds: Tensor | None) -> IdealNetwork:
        """Return a network with a table of logits, and some odds of open observables, else even ones."""
        open_weights = None
        if self.learnt is not None:
            open_weights = OpenWeights(len(self.learnt.is_learnt)).double()
            open_weights.is_learnt.copy_(self.learnt.is_learnt)
            if odds is not None:
                open_weights.scaled.data.copy_(odds)
        logits, related = (torch.from_numpy(np.asarray(one, float)) for one in (concepts, pairs))
        return IdealNetwork(logits, related, open_weights)

    def loss(self, network: IdealNetwork | None) -> float:
        """Return the loss with the odds as they are; infinite where no network says it."""
        if network is None:
            return float("inf")
        with torch.no_grad():
            return max(0.0, self.measure(network).item())

    def best_odds(self, network: IdealNetwork | None) -> float:
        """Return the loss with the odds that are best for a network, which then has them."""
        if network is not None and network.open_weights is not None:
            self._descend(network, [network.open_weights.scaled])
        return self.loss(network)

    def descend(self, network: IdealNetwork) -> float:
        """Change table and odds as the objective wants it, and return the loss that is reached."""
        odds = [] if network.open_weights is None else [network.open_weights.scaled]
        self._descend(network, [network.concepts, network.pairs, *odds])
        return self.loss(network)

    def _descend(self, network: IdealNetwork, changed: list[nn.Parameter]) -> None:
        some = [one for one in changed if one.numel()]
        optimiser = torch.optim.LBFGS(
            some, max_iter=STEPS, tolerance_grad=1e-7, tolerance_change=1e-8, line_search_fn="strong_wolfe"
        )

        def step() -> Tensor:
            optimiser.zero_grad()
            loss = self.measure(network)
            slopes = torch.autograd.grad(loss, some)
            for one, slope in zip(some, slopes):
                one.grad = slope
            return loss

        optimiser.step(step)

    def said(self, network: IdealNetwork) -> tuple[Reals, Reals]:
        """Return the probabilities of latent concepts in each state, and of pairs."""
        logits = network.concepts.detach()
        chances = logits.sigmoid()
        if self.head == "softmax":
            task = self.rows[0].prepared.examples.task
            outputs = latent_columns(task)
            for family in latent_families(task):
                members = [outputs.index(column) for column in family]
                chances[:, members] = logits[:, members].softmax(-1)
        return chances.numpy(), network.pairs.detach().sigmoid().numpy()
