"""The network that looks at pairs: from the encodings of two individuals to a logit for each latent role."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.graphs import individual_colours
from moose.grounding.task.kinds import kinds_of_individuals
from moose.grounding.task.task import Task
from moose.learning.encoders import initialise
from moose.learning.inputs.padded import Inputs
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import OpenWeights, SiblingOdds
from moose.learning.roles.role_tensors import as_columns

HIDDEN = 128
"""The width of the hidden layer, that of the bundled encoders."""

NEVER = -40.0
"""The logit of an individual with itself, where the theory says that no role joins them: no network is asked."""


class PairNetwork(nn.Module):
    """Two full layers on [u, v, u·v, |u - v|] and the features of the pair: what comes with Moose.

    >>> PairNetwork(16, 2)(torch.zeros(5, 16), torch.zeros(5, 16)).shape
    torch.Size([5, 2])
    """

    def __init__(self, width: int, roles: int, *, pair_features: int = 0, seed: int = 0) -> None:
        super().__init__()
        layers = [nn.Linear(4 * width + pair_features, HIDDEN, device="meta"), nn.Linear(HIDDEN, roles, device="meta")]
        self.first, self.last = (layer.to_empty(device="cpu") for layer in layers)
        initialise(self, torch.Generator().manual_seed(seed))

    def forward(self, first: Tensor, second: Tensor, features: Tensor | None = None) -> Tensor:
        """Map two encodings of each pair, pair × number, to pair × role."""
        seen = [first, second, first * second, (first - second).abs()]
        joined = torch.cat(seen if features is None else [*seen, features], -1)
        logits: Tensor = self.last(torch.relu(self.first(joined)))
        return logits


class RelationalNetwork(nn.Module):
    """A concept network whose encodings, two at a time, go through a pair network.

    It is run in two steps, since individuals of several examples are encoded at once: called on inputs, it returns
    logits of concepts and encodings side by side; `relate` then makes logits of them, example by example.
    """

    def __init__(self, concepts: ConceptNetwork, pairs: nn.Module, task: Task, *, outputs: int) -> None:
        super().__init__()
        width = encoding_width(concepts)
        colours = individual_colours(task)
        unseen = [colour for colour, is_seen in zip(colours, task.has_input.tolist()) if not is_seen]
        self.concepts, self.pairs, self.outputs = concepts, pairs, outputs
        self.open_weights: OpenWeights | SiblingOdds | None = None
        """As a concept network has them."""
        self.numbers = {colour: number for number, colour in enumerate(dict.fromkeys(unseen))}
        """For each kind of individuals without an input, or individual that the ontology names, its encoding."""
        self.unseen = nn.Parameter(torch.zeros(len(self.numbers), width)) if self.numbers else None
        if self.unseen is not None:
            nn.init.normal_(self.unseen, generator=torch.Generator().manual_seed(len(self.numbers)))

    def forward(self, inputs: Inputs) -> Tensor:
        """Return input × (latent concept, then encoding)."""
        encoded, logits = self.concepts.both(inputs)
        return torch.cat([logits[:, : self.outputs], encoded], -1)

    def relate(self, task: Task, wide: Tensor, features: Tensor | None = None) -> Tensor:
        """Turn what `forward` returned, example × individual × …, into logits of concepts and of pairs.

        Out: example × individual × (latent concept, then latent role × second individual).
        """
        logits, encoded = wide[..., : self.outputs], wide[..., self.outputs :]
        if self.unseen is not None:
            encoded = encoded + self._unseen_encodings(task, self.unseen)
        rows, people, width = encoded.shape
        is_asked = torch.ones(people, people, dtype=torch.bool)
        if not task.reads_loops:
            is_asked.fill_diagonal_(False)
        one, other = is_asked.nonzero().unbind(1)
        first, second = encoded[:, one].reshape(-1, width), encoded[:, other].reshape(-1, width)
        given = [] if features is None else [features[:, one, other].to(encoded.dtype).flatten(0, 1)]
        scores: Tensor = self.pairs(first, second, *given)
        roles = len(task.read_roles)
        if tuple(scores.shape) != (len(first), roles):
            raise MooseError(
                f"expected the pair network to give {roles} numbers for each pair (a logit for each latent role of the "
                f"task), but for {len(first)} pairs its output has the shape {tuple(scores.shape)}"
            )
        whole = scores.new_full((rows, people, people, roles), NEVER)
        whole[:, one, other] = scores.view(rows, len(one), roles)
        return torch.cat([logits, as_columns(whole.permute(0, 3, 1, 2))], -1)

    def _unseen_encodings(self, task: Task, unseen: Tensor) -> Tensor:
        """Return individual × number: the learnt encoding of who has no input, 0 of all others."""
        kind_of = kinds_of_individuals(dict(task.kinds or {}))
        rows = list[int]()
        for name, is_seen in zip(task.individuals, task.has_input.tolist(), strict=True):
            by_kind = self.numbers.get(f"of {kind_of.get(name, '')}", -1)
            rows.append(-1 if is_seen else self.numbers.get(f"is {name}", by_kind))
        chosen = torch.tensor(rows)
        return torch.where((chosen >= 0).unsqueeze(1), unseen[chosen.clamp_min(0)], unseen.new_zeros(()))


def encoding_width(network: ConceptNetwork) -> int:
    """Return how many numbers the encoding of an individual has; refuse an encoder that shows none."""
    width = network.encoding_width
    if width is None:
        raise MooseError(
            "the task has latent roles, which are read from encodings, but the encoder gives logits alone; "
            "let it end before its last layer and say features=…"
        )
    return width


def relate(network: nn.Module, task: Task, logits: Tensor, features: Tensor | None = None) -> Tensor:
    """Add the logits of pairs, where a network has a word on them."""
    return network.relate(task, logits, features) if isinstance(network, RelationalNetwork) else logits
