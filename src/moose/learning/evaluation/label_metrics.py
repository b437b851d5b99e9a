"""Metrics of many labels at once, as hierarchical classification and protein function prediction define them.

Probabilities and truth are arrays of the same shape, row × class; a row is an individual. What has no value is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from moose.grounding.encodings.shapes import atomic_subsumptions, saturated
from moose.grounding.predicted_atoms import predicted_atoms
from moose.grounding.task.task import Task
from moose.learning.evaluation.metrics import Flags, Reals, calibration_error
from moose.learning.evaluation.role_metrics import average_precision
from moose.learning.labels.complete_labels import completion

Signs = npt.NDArray[np.int8]
Information = npt.NDArray[np.float64]
"""For each class how many bits it tells beyond its superclasses."""
THRESHOLDS = np.arange(101) / 100
"""Where F and S are looked for, as in CAFA."""


@dataclass(frozen=True, slots=True)
class LabelScores:
    """The metrics of free concepts, all of which may be labelled; of individuals of which all of them are known."""

    au_prc: float | None
    """Area under the average precision-recall curve: average precision over all pairs of a row and a class."""
    exact_match: float | None
    """How many rows have every class right, by the threshold ½."""
    f_max: float | None
    """The largest F1 over thresholds of precision and recall that are means over rows."""
    s_min: float | None
    """The least distance from no remaining uncertainty and no misinformation, in bits; needs labels to count."""
    macro_auc: float | None
    """Mean of the area under the ROC curve over classes that some rows have and some have not."""
    consistency: float | None
    """How many rows break no axiom, by the threshold ½."""
    ece: float | None
    """Calibration error of all pairs of a row and a class."""
    world_match: float | None = None
    """How many rows have every class right in the most probable world; of methods that look for it."""

    def as_dict(self) -> dict[str, float | None]:
        """Return the metrics by name."""
        return asdict(self)


def score_labels(
    probabilities: Reals,
    truth: Signs,
    *,
    consistent: float | None,
    information: Information | None = None,
    worlds: Signs | None = None,
) -> LabelScores | None:
    """Compute every metric; None where no individual is known in full. Truth is +1, -1, or 0 for what is unknown.

    Individuals that lack a concept are left out, and so are those that nothing is said of (NaN). How many examples are
    consistent is another's to find out, for that is a matter of all individuals of an example.
    """
    rows = (truth != 0).all(1) & ~np.isnan(probabilities).any(1)
    if not rows.any():
        return None
    is_true, chosen = truth[rows] > 0, probabilities[rows].astype(np.float64)
    predicted = predicted_atoms(chosen)
    return LabelScores(
        au_prc=average_precision(chosen.ravel(), is_true.ravel()),
        exact_match=float((predicted == is_true).all(1).mean()),
        f_max=f_max(chosen, is_true),
        s_min=None if information is None else s_min(chosen, is_true, information),
        macro_auc=macro_auc(chosen, is_true),
        consistency=consistent,
        ece=calibration_error(np.maximum(chosen, 1.0 - chosen).ravel(), (predicted == is_true).ravel()),
        world_match=None if worlds is None else float((worlds[rows] == truth[rows]).all(1).mean()),
    )


def f_max(probabilities: Reals, holds: Flags) -> float | None:
    """Return Fmax of CAFA (Radivojac et al. 2013): the best F over thresholds, precision and recall by row.

    Precision is the mean over rows with a prediction, recall the mean over all; rows that have no class are left out.

    >>> f_max(np.array([[0.9, 0.2], [0.8, 0.6]]), np.array([[True, False], [True, True]]))
    1.0
    """
    rows = holds.any(1)
    if not rows.any():
        return None
    chosen, is_true = probabilities[rows], holds[rows]
    said = _sums_above(chosen, np.ones(chosen.shape))
    right = _sums_above(chosen, is_true.astype(np.float64))
    is_said = said > 0
    precision = (right / np.maximum(said, 1)).sum(0) / np.maximum(is_said.sum(0), 1)
    recall = (right / is_true.sum(1)[:, None]).mean(0)
    either = precision + recall
    return float((2 * precision * recall / np.where(either > 0, either, 1.0)).max())


def s_min(probabilities: Reals, holds: Flags, information: Information) -> float | None:
    """Return Smin of CAFA (Clark and Radivojac 2013): the least √(ru² + mi²) over thresholds, in bits.

    ru is what true classes that are not said would tell, mi what false ones that are said tell; the means over rows.
    """
    rows = holds.any(1)
    if not rows.any():
        return None
    chosen, is_true = probabilities[rows], holds[rows]
    told = np.where(is_true, information, 0.0)
    uncertainty = (told.sum(1)[:, None] - _sums_above(chosen, told)).mean(0)
    misinformation = _sums_above(chosen, np.where(is_true, 0.0, information)).mean(0)
    return float(np.hypot(uncertainty, misinformation).min())


def information_content(task: Task, truth: Signs) -> Information:
    """Return log₂ of how many rows have all superclasses of a class over how many have the class itself.

    A class that no row has counts as if one had it.
    """
    holds = truth.reshape(-1, truth.shape[-1]) > 0
    above: list[list[int]] = [[] for _ in task.concepts]
    for low, high in atomic_subsumptions(task, saturated(task)):
        above[low].append(high)
    counts = np.maximum(holds.sum(0), 1)
    over = [max(int(holds[:, highs].all(1).sum()), own) for highs, own in zip(above, counts.tolist(), strict=True)]
    bits: Information = np.log2(np.array(over, dtype=np.float64) / counts)
    return bits


def macro_auc(probabilities: Reals, holds: Flags, columns: Sequence[int] | None = None) -> float | None:
    """Return the mean over classes, or some of them, of how often a row that has it is above one that has not.

    >>> macro_auc(np.array([[0.9, 0.3], [0.1, 0.3]]), np.array([[True, True], [False, False]]))
    0.75
    """
    from scipy.stats import rankdata

    chosen = np.arange(holds.shape[1]) if columns is None else np.asarray(columns, dtype=np.int64)
    is_true = holds[:, chosen]
    positives = is_true.sum(0)
    is_judged = (positives > 0) & (positives < len(holds))
    if not is_judged.any():
        return None
    is_true, positives = is_true[:, is_judged], positives[is_judged]
    ranks = rankdata(probabilities[:, chosen[is_judged]], axis=0)
    wins = np.where(is_true, ranks, 0.0).sum(0) - positives * (positives + 1) / 2
    return float((wins / (positives * (len(holds) - positives))).mean())


def consistency(groups: Iterable[tuple[Task, Reals]]) -> float | None:
    """Return how many examples break no axiom, where what is likelier than not is said to hold, and all else not.

    The probabilities of each group are example × individual × concept.
    """
    wrong = list[Flags]()
    for task, probabilities in groups:
        said = np.where(np.isnan(probabilities), 0, np.where(predicted_atoms(probabilities), 1, -1)).astype(np.int8)
        wrong.append(completion(task).contradicts(said))
    everything = np.concatenate(wrong) if wrong else np.zeros(0, bool)
    return float(1.0 - everything.mean()) if len(everything) else None


def _sums_above(probabilities: Reals, weights: Reals) -> npt.NDArray[np.float64]:
    """Return row × threshold: the weights of all that is at least as likely."""
    rows, steps = len(probabilities), len(THRESHOLDS)
    step = np.searchsorted(THRESHOLDS, probabilities, side="right") - 1
    cells = step + steps * np.arange(rows)[:, None]
    sums = np.bincount(cells.ravel(), weights=weights.ravel(), minlength=rows * steps)
    return sums.reshape(rows, steps)[:, ::-1].cumsum(1)[:, ::-1]
