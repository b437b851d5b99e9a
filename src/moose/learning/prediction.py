"""What a learner says of examples: the posteriors of the circuit, and the network's own word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.objective import Prepared, encode

AT_ONCE = 256
Reals = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Probabilities: example × individual × concept, columns as `task.concepts`."""

    task: Task
    posteriors: Reals
    """P(C(a) | input, theory, and the evidence if it was used)."""
    network: Reals
    """What the network alone says of each latent concept; NaN for observed ones, of which it says nothing."""

    def of(self, row: int, *, least: float = 0.0) -> dict[str, float]:
        """Return the posteriors of one example by atom, those of at least so much."""
        found = dict[str, float]()
        for place, individual in enumerate(self.task.individuals):
            for column, concept in enumerate(self.task.concepts):
                if (value := float(self.posteriors[row, place, column])) >= least:
                    found[f"{concept.name}({individual})"] = value
        return found


def predict(network: nn.Module, prepared: Prepared, *, use_evidence: bool) -> Predictions:
    """Compute the posteriors of all examples, given their evidence or without it."""
    return infer(prepared, find_logits(network, prepared), use_evidence=use_evidence)


def find_logits(network: nn.Module, prepared: Prepared) -> Tensor:
    """Run the network on all examples: example × individual × latent concept."""
    network.eval()
    with torch.no_grad():
        return torch.cat([encode(network, prepared, rows) for rows in in_parts(len(prepared))])


def infer(prepared: Prepared, logits: Tensor, *, use_evidence: bool) -> Predictions:
    """Turn logits into posteriors, in float64."""
    task, weigher, size = prepared.examples.task, prepared.weigher, len(prepared)
    layer, columns = weigher.binding.layer, torch.from_numpy(weigher.binding.circuit_columns)
    shape = (size, len(task.individuals), len(task.concepts))
    posteriors, network = np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)
    for rows in in_parts(size):
        sides = weigher.head.sides(logits[rows].double())
        mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
        found = layer.posteriors(weigher.log_weights(sides, mask), mask)[:, columns]
        posteriors[rows] = found.clamp(0.0, 1.0).unflatten(1, shape[1:]).numpy()
        network[rows, :, list(latent_columns(task))] = sides.positive.exp().numpy()
    return Predictions(task, posteriors, network)


def in_parts(size: int) -> Iterator[slice]:
    """Part examples so that memory is enough for each part."""
    for start in range(0, size, AT_ONCE):
        yield slice(start, min(start + AT_ONCE, size))
