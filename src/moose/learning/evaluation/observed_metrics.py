"""How right predictions of observed concepts are: label accuracy, beside the concept accuracy of latent ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from moose.grounding.predicted_atoms import predicted_atoms, undecided_atoms
from moose.learning.evaluation.metrics import Reals

Signs = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class ObservedScores:
    """The metrics of observed concepts, predicted from inputs and theory alone, as fractions.

    They are held against the truth, or against the evidence where that alone is known. None where neither is.
    """

    acc_y: float | None
    """How often an atom is true if and only if its probability is above ½ by more than rounding."""
    f1_y: float | None
    """The mean over concepts of F1, those left out of which nothing is known; 0 where nothing is true or predicted."""
    left_open: float | None = None
    """How many of the atoms that are judged are as likely as not, so that they are not predicted to hold."""

    def as_dict(self) -> dict[str, float | None]:
        """Return the metrics by name; what is left open is none."""
        return {"acc_y": self.acc_y, "f1_y": self.f1_y}


def score_observed(columns: Sequence[int], without_evidence: Reals, *, truth: Signs, evidence: Signs) -> ObservedScores:
    """Judge some columns of predictions that were made without evidence: individual × concept; signs are +1, -1, or 0.

    >>> says = np.array([[0.9, 0.2], [0.8, 0.1]])
    >>> truth, evidence = np.array([[1, 0], [-1, 0]], np.int8), np.array([[1, -1], [0, 0]], np.int8)
    >>> score_observed([0, 1], says, truth=truth, evidence=evidence)
    ObservedScores(acc_y=0.6666666666666666, f1_y=0.3333333333333333, left_open=0.0)
    """
    chosen = list(columns)
    known = np.where(truth != 0, truth, evidence)[:, chosen]
    says = without_evidence[:, chosen]
    is_judged = (known != 0) & ~np.isnan(says)
    holds, predicted = (known > 0) & is_judged, predicted_atoms(says) & is_judged
    both, either = (holds & predicted).sum(0), holds.sum(0) + predicted.sum(0)
    f1 = (2.0 * both / np.maximum(either, 1))[is_judged.any(0)]
    if not is_judged.any():
        return ObservedScores(None, None)
    return ObservedScores(
        acc_y=float((holds == predicted)[is_judged].mean()),
        f1_y=float(f1.mean()),
        left_open=float(undecided_atoms(says)[is_judged].mean()),
    )
