"""The ways to learn a world, and what is measured of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import torch

from bench.worlds.world import World, closed
from moose.base.errors import ContradictoryEvidence
from moose.learning.evaluation.metrics import calibration_error
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

PATIENCE = 5
"""Epochs without a better loss on what was held back, after which the best weights are taken."""
PAPER: Mapping[str, object] = {"objective": "paper", "open_weights": "half"}


@dataclass(frozen=True)
class Way:
    """A method with its options, what the task is closed by besides, and whether it sees every label."""

    method: str
    options: Mapping[str, object] = field(default_factory=dict)
    closure: tuple[str, ...] = ()
    has_labels: bool = False
    share: float = 1.0
    """Of the examples that are learnt from, in as many steps as all of them would take."""


WAYS = {
    "full labels": Way("moose", {"head": "softmax", "open_weights": "half"}, ("only",), has_labels=True),
    "defaults": Way("moose-cover"),
    "defaults, only": Way("moose-cover", closure=("only",)),
    "deepproblog": Way("deepproblog"),
    "paper": Way("moose", {"head": "softmax", **PAPER}),
}
"""Every label as evidence makes the objective the cross-entropy of a softmax: the supervised network."""


def ways_of(world: World) -> dict[str, Way]:
    """Return all ways to learn a world."""
    further = world.further or {}
    return WAYS | {name: Way("moose-cover", closure=closure) for name, closure in further.items()}


def measure(way: Way, world: World, seed: int) -> dict[str, float] | None:
    """Learn a world in one way; how right and how well calibrated the network is alone, how right given the evidence.

    None where the evidence contradicts what the way takes for granted.
    """
    is_wrong = way.has_labels and not world.is_closed
    task = closed(world.task, *(() if is_wrong else way.closure))
    train, test = world.draw(task, seed)
    learnt = labelled(train, world) if way.has_labels else train
    learnt = learnt.take(slice(0, round(way.share * len(learnt))))
    kept = round(world.held_back * len(learnt))
    epochs = round(world.epochs / way.share)
    training = Training(epochs=epochs, batch_size=world.batch_size, patience=PATIENCE if kept else None)
    try:
        predictor = make_method(way.method, **way.options).fit(
            task,
            learnt.take(slice(kept, None)),
            seed=seed,
            training=training,
            perception=Perception(train.input_shape, make=world.make),
            validation=learnt.take(slice(0, kept)) if kept else (),
        )
        alone = predictor.predict(test, evidence=False).network[:, :, world.members]
        given = predictor.predict(test).posteriors[:, :, world.members]
    except ContradictoryEvidence:
        return None
    labels = test.truth[:, :, world.members].argmax(-1).numpy()
    confidence, is_right = alone.max(-1).ravel(), (alone.argmax(-1) == labels).ravel()
    return {
        "network": round(float(is_right.mean()), 4),
        "given": round(float((given.argmax(-1) == labels).mean()), 4),
        "ece": round(calibration_error(confidence, is_right) or 0.0, 4),
    }


def labelled(examples: Examples, world: World) -> Examples:
    """Return examples of which every label is seen, and nothing else."""
    evidence = torch.zeros_like(examples.evidence)
    members = torch.tensor(world.members)
    evidence[:, :, members] = (examples.truth[:, :, members] > 0).to(evidence.dtype)
    return replace(examples, evidence=evidence, allow_latent=True)
