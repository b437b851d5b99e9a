"""How right and how well calibrated predictions are: plain functions on arrays, as the paper defines them (section 5).

Probabilities of a family are rows of one number for each member; those of atoms are arrays of any shape beside the
truth of the same shape. What has no value, since nothing is there to be judged, is None.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from moose.grounding.predicted_atoms import predicted_atoms, predicted_members

Reals = npt.NDArray[np.floating]
Flags = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int64]

BINS = 10
LEAST = 1e-7
"""A probability is taken to be at least this in a logarithm, so that one certain mistake does not make it infinite."""


class Reliability(NamedTuple):
    """For each bin of confidence: how many fell into it, their mean confidence, and what share of them was right."""

    counts: Labels
    confidence: Reals
    accuracy: Reals


def family_accuracy(probabilities: Reals, labels: Labels) -> float | None:
    """Acc_F: how often the likeliest member of a family is the one that holds; not where several are the likeliest.

    >>> family_accuracy(np.array([[0.7, 0.3], [0.6, 0.4], [0.5, 0.5], [0.2, 0.8]]), np.array([0, 1, 0, 1]))
    0.5
    """
    return _mean(np.take_along_axis(predicted_members(probabilities), labels[..., None], -1))


def atom_accuracy(probabilities: Reals, truth: Flags) -> float | None:
    """Acc_C, Acc_atom: how often an atom is true if and only if its probability is above ½ by more than rounding.

    >>> atom_accuracy(np.array([0.9, 0.5, 0.2]), np.array([True, True, False]))
    0.6666666666666666
    """
    return _mean(predicted_atoms(probabilities) == truth)


def negative_log_likelihood(probabilities: Reals, truth: Flags) -> float | None:
    """NLL: the mean of -log P(what is true of an atom)."""
    return _mean(-np.log(np.maximum(np.where(truth, probabilities, 1.0 - probabilities), LEAST)))


def reliability(confidence: Reals, is_right: Flags | Reals, bins: int = BINS) -> Reliability:
    """Sort predictions by confidence into bins of equal width that are closed on the right; 0 falls into the first.

    What is a draw between equals is right with the share that such a draw is.
    """
    # Both in single precision, in which predictions come: there 0.8 is above the 0.8 of double precision.
    edges = np.linspace(0.0, 1.0, bins + 1, dtype=np.float32)
    bin_of = np.clip(np.searchsorted(edges, confidence.astype(np.float32), side="left") - 1, 0, bins - 1)
    counts = np.bincount(bin_of, minlength=bins)
    divisor = np.maximum(counts, 1)
    mean_confidence = np.bincount(bin_of, weights=confidence, minlength=bins) / divisor
    accuracy = np.bincount(bin_of, weights=is_right.astype(np.float64), minlength=bins) / divisor
    return Reliability(counts, mean_confidence, accuracy)


def calibration_error(confidence: Reals, is_right: Flags | Reals, bins: int = BINS) -> float | None:
    """ECE: how far, on average, the confidence of a bin is from how many of it are right.

    >>> round(calibration_error(np.array([1.0, 0.75, 0.75, 0.75]), np.array([True, True, True, False])), 4)
    0.0625
    """
    if not len(confidence):
        return None
    binned = reliability(confidence, is_right, bins)
    gaps = np.abs(binned.confidence - binned.accuracy)
    return float((binned.counts * gaps).sum() / binned.counts.sum())


def shortcut_consistency(confidence: Reals, accuracy: float | None) -> float | None:
    """RS_cons: mean confidence times (1 - accuracy)."""
    mean = _mean(confidence)
    return None if mean is None or accuracy is None else mean * (1.0 - accuracy)


def confident_error(confidence: Reals, is_right: Flags | Reals) -> float | None:
    """Return the mean of confidence · [wrong]: unlike RS_cons, it does not multiply two averages."""
    return _mean(confidence * (1.0 - is_right))


def macro_f1(predicted: Flags, truth: Flags) -> float | None:
    """Return the mean over concepts (columns) of F1 = 2·TP / (2·TP + FP + FN), 0 where nothing is true or predicted.

    >>> macro_f1(np.array([[True, False], [True, False]]), np.array([[True, False], [False, True]]))
    0.3333333333333333
    """
    both = 2.0 * (predicted & truth).sum(0)
    either = predicted.sum(0) + truth.sum(0)
    return _mean(np.where(either > 0, both / np.maximum(either, 1), 0.0)) if len(truth) else None


def confusion(predicted: Labels, labels: Labels, classes: int) -> Labels:
    """Return how often each class (row) was taken for each (column)."""
    return np.bincount(labels * classes + predicted, minlength=classes * classes).reshape(classes, classes)


def collapse(matrix: Labels, undecided: Labels | None = None) -> float | None:
    """Return the share of classes that fall on a label that another has taken: 0 if each has a label of its own.

    A class falls on the label that it is most often given (of equals the first). Those are left out that are never
    given one, or more often none: how often that is, is `undecided`.

    >>> collapse(np.array([[9, 1, 0], [1, 8, 1], [0, 9, 1]]))
    0.33333333333333337
    """
    none = np.zeros(len(matrix), np.int64) if undecided is None else undecided
    seen = matrix[(matrix.sum(1) > 0) & (matrix.max(1, initial=0) >= none)]
    return 1.0 - len(set(seen.argmax(1).tolist())) / len(seen) if len(seen) else None


def _mean(values: npt.NDArray[np.generic]) -> float | None:
    return float(np.mean(values.astype(np.float64))) if values.size else None
