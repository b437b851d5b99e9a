"""How a method's networks look at an input: an encoder that comes with Moose or the user's own, for one or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import cast

import numpy as np
from torch import nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.encoders import (
    ConvolutionalEncoder,
    EmbeddingEncoder,
    EmbeddingPlan,
    MLPEncoder,
    MLPPlan,
    PatchEncoder,
    PatchPlan,
    Plan,
    encoder_for,
)
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import OpenWeights
from moose.learning.roles.pair_network import PairNetwork, RelationalNetwork, encoding_width

MakeEncoder = Callable[[int, int], nn.Module]
"""From a number of outputs and a seed to a network: input × … to input × output."""
MakePairs = Callable[[int, int, int], nn.Module]
"""From the width of an encoding, a number of latent roles and a seed to a network: two encodings to pair × role."""
Network = ConceptNetwork | RelationalNetwork


@dataclass(frozen=True, slots=True)
class Perception:
    """How a method's networks look at an input."""

    input_shape: tuple[int, ...] | None
    """Of one input: features, or channels, height, width; None if only the user's own encoder knows."""
    batch_norm: bool = False
    """Of the bundled encoders."""
    make: MakeEncoder | None = None
    """The user's own encoder; one that comes with Moose if None."""
    plan: Plan | PatchPlan | MLPPlan | EmbeddingPlan | None = None
    """What the bundled encoder is made of, its outputs aside; what suits the size of the inputs if None."""
    features: int | None = None
    """How many numbers the encoder gives, which then get a full layer on top; its outputs are the last if None."""
    make_pairs: MakePairs | None = None
    """The user's own pair network, where roles are latent; one that comes with Moose if None."""
    pair_features: int = 0
    """How many numbers the examples have for each pair."""

    def __post_init__(self) -> None:
        if self.make is None and self.input_shape is None:
            raise MooseError("expected the shape of the inputs, or a function that makes an encoder, but got neither")

    def encoder(self, outputs: int, *, seed: int) -> nn.Module:
        """Make an encoder with that many outputs."""
        if self.features is None:
            return self._encoder(outputs, seed)
        return ConceptNetwork(self._encoder(self.features, seed), outputs, features=self.features, seed=seed)

    def network(self, task: Task, outputs: int, *, seed: int) -> Network:
        """Make a network with that many outputs, and a logit for each latent role of each pair where there are any."""
        roles = len(task.read_roles)
        if not roles:
            return ConceptNetwork(self.encoder(outputs, seed=seed), outputs)
        width = max(1, outputs)  # a task may have latent roles alone
        concepts = ConceptNetwork(self.encoder(width, seed=seed), width)
        if self.make_pairs is not None:
            pairs = self.make_pairs(encoding_width(concepts), roles, seed)
        else:
            pairs = PairNetwork(encoding_width(concepts), roles, pair_features=self.pair_features, seed=seed)
        return RelationalNetwork(concepts, pairs, task, outputs=outputs)

    def facts(self) -> dict[str, object]:
        """Return what a file says of it; all but the user's own functions."""
        return {
            "input_shape": self.input_shape,
            "batch_norm": self.batch_norm,
            "is_bundled": self.make is None,
            "plan": None if self.plan is None else asdict(self.plan),
            "features": self.features,
            "are_pairs_bundled": self.make_pairs is None,
            "pair_features": self.pair_features,
        }

    @classmethod
    def from_facts(
        cls, facts: Mapping[str, object], make: MakeEncoder | None, make_pairs: MakePairs | None = None
    ) -> Perception:
        """Read what `facts` returned; the functions that make networks of the user's own are given again."""
        shape = cast(list[int] | None, facts["input_shape"])
        plan = cast(dict[str, object] | None, facts["plan"])
        return cls(
            input_shape=None if shape is None else tuple(shape),
            batch_norm=bool(facts["batch_norm"]),
            make=make,
            plan=None if plan is None else _read_plan(plan),
            features=cast(int | None, facts["features"]),
            make_pairs=make_pairs,
            pair_features=cast(int, facts.get("pair_features", 0)),
        )

    def _encoder(self, outputs: int, seed: int) -> nn.Module:
        if self.make is not None:
            return self.make(outputs, seed)
        if isinstance(self.plan, MLPPlan):
            return MLPEncoder(replace(self.plan, outputs=outputs), seed=seed)
        if isinstance(self.plan, EmbeddingPlan):
            return EmbeddingEncoder(replace(self.plan, outputs=outputs), seed=seed)
        if isinstance(self.plan, PatchPlan):
            return PatchEncoder(replace(self.plan, outputs=outputs), seed=seed)
        if self.plan is not None:
            return ConvolutionalEncoder(replace(self.plan, outputs=outputs), seed=seed)
        assert self.input_shape is not None
        return encoder_for(outputs, self.input_shape, batch_norm=self.batch_norm, seed=seed)


def make_members(
    task: Task, perception: Perception, *, count: int, seed: int, open_weights: Callable[[], OpenWeights | None]
) -> nn.ModuleList:
    """Make `count` networks with an output for each latent concept, each with first and open weights of its own."""
    outputs = len(latent_columns(task))
    networks = [perception.network(task, outputs, seed=own) for own in member_seeds(seed, count)]
    for network in networks:
        network.open_weights = open_weights()
    return nn.ModuleList(networks)


def member_seeds(seed: int, count: int) -> tuple[int, ...]:
    """Return a seed for each member; the first is the given one, so that a single member is the plain method.

    The others are drawn, because neighbours would be shared by the ensembles of two neighbouring seeds.

    >>> member_seeds(7, 3)
    (7, 2083679832, 3939563265)
    """
    drawn = np.random.SeedSequence(seed).generate_state(count - 1) if count > 1 else ()
    return (seed, *(int(state) for state in drawn))


def _read_plan(facts: Mapping[str, object]) -> Plan | PatchPlan | MLPPlan | EmbeddingPlan:
    lists = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
    told_by = {"hidden": MLPPlan, "count": EmbeddingPlan, "top": PatchPlan}
    kind = next((kind for field, kind in told_by.items() if field in lists), Plan)
    return kind(**lists)  # type: ignore[no-any-return]  # the plan checks its numbers
