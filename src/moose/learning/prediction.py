"""What a learner says of examples: the posteriors of the circuit, and the network's own word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from moose.grounding.task import Task
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
    """Compute the posteriors of all examples, in float64 through the circuit."""
    task, size = prepared.examples.task, len(prepared)
    shape = (size, len(task.individuals), len(task.concepts))
    posteriors, own = np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)
    latent = [column for column, concept in enumerate(task.concepts) if concept.is_latent]
    network.eval()
    with torch.no_grad():
        for start in range(0, size, AT_ONCE):
            rows = slice(start, min(start + AT_ONCE, size))
            logits = encode(network, prepared, rows).double()
            own[rows, :, latent] = prepared.weigher.head.probabilities(logits).numpy()
            mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
            posteriors[rows] = _posteriors(prepared, logits, mask).numpy()
    return Predictions(task, posteriors, own)


def _posteriors(prepared: Prepared, logits: Tensor, mask: Tensor) -> Tensor:
    weigher = prepared.weigher
    binding = weigher.binding
    found = binding.layer.posteriors(weigher.log_weights(weigher.head.sides(logits), mask), mask)
    concepts = found[:, torch.from_numpy(binding.circuit_columns)]
    return concepts.reshape(len(logits), len(binding.task.individuals), -1).clamp(0.0, 1.0)
