"""How right predictions of latent roles are: pair by pair, and as answers to the question who is related to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from moose.grounding.predicted_atoms import predicted_atoms

Reals = npt.NDArray[np.floating]
Signs = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class RoleScores:
    """The metrics of latent roles in one view, as fractions; None where nothing is there to be judged.

    What an example observes of a pair is not judged: it was given.
    """

    accuracy: float | None
    """How often a pair is in a role if and only if its probability is above ½ by more than rounding."""
    f1: float | None
    """2·TP / (2·TP + FP + FN) over all pairs of all latent roles."""
    average_precision: float | None
    """The area under precision and recall over all pairs of all latent roles."""
    mrr: float | None
    """The mean of 1 / rank over the true pairs r(a, b): b among all individuals by P(r(a, ·)), other answers that are
    true or observed left out; equals share their ranks."""
    hits_at_1: float | None
    hits_at_3: float | None
    hits_at_10: float | None
    """The share of those ranks that are at most 10."""

    def as_dict(self) -> dict[str, float | None]:
        """Return the metrics by name."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class JudgedRoles:
    """What was predicted of the latent roles of some examples: example × role × individual × individual."""

    probabilities: Reals
    """NaN where nothing is said."""
    truth: Signs
    """+1, -1, or 0 where it is unknown."""
    evidence: Signs
    """+1, -1, or 0 where nothing is observed."""


def score_roles(groups: Sequence[JudgedRoles], *, both_sides: bool = False) -> RoleScores:
    """Compute every metric over groups of examples, which may differ in their individuals.

    Ranks are of answers to r(a, ?), and with `both_sides` to r(?, b) too, as link prediction is judged.
    """
    chosen = [(group.truth != 0) & (group.evidence == 0) & ~np.isnan(group.probabilities) for group in groups]
    holds = _joined([group.truth[own] > 0 for group, own in zip(groups, chosen, strict=True)])
    says = _joined([predicted_atoms(group.probabilities[own]) for group, own in zip(groups, chosen, strict=True)])
    likely = _joined([group.probabilities[own] for group, own in zip(groups, chosen, strict=True)])
    asked = [*groups, *(map(_turned, groups) if both_sides else ())]
    ranks = _joined([filtered_ranks(group) for group in asked])
    within = [float((ranks <= most).mean()) if len(ranks) else None for most in (1, 3, 10)]
    either = int(holds.sum() + says.sum())
    return RoleScores(
        float((holds == says).mean()) if len(holds) else None,
        2.0 * int((holds.astype(bool) & says.astype(bool)).sum()) / either if either else None,
        average_precision(likely, holds > 0),
        float((1.0 / ranks).mean()) if len(ranks) else None,
        *within,
    )


def filtered_ranks(judged: JudgedRoles) -> npt.NDArray[np.float64]:
    """Return the rank of b for each true r(a, b) that was not observed, among the answers to r(a, ?).

    Other answers that are true or observed to be so are no competitors, and what is observed to be false is none.

    >>> says = np.array([[[[0.9, 0.8, 0.1], [0.0] * 3, [0.0] * 3]]])
    >>> truth = -np.ones((1, 1, 3, 3), np.int8)
    >>> truth[0, 0, 0, 1] = 1
    >>> filtered_ranks(JudgedRoles(says, truth, np.zeros_like(truth)))
    array([2.])
    """
    probabilities, truth, evidence = judged.probabilities, judged.truth, judged.evidence
    queries = np.argwhere((truth > 0) & (evidence == 0) & ~np.isnan(probabilities))
    ranks = np.empty(len(queries))
    for number, (row, role, first, second) in enumerate(queries.tolist()):
        others = probabilities[row, role, first]
        is_rival = (truth[row, role, first] <= 0) & (evidence[row, role, first] == 0) & ~np.isnan(others)
        own = others[second]
        ranks[number] = 1.0 + (others[is_rival] > own).sum() + (others[is_rival] == own).sum() / 2.0
    return ranks


def average_precision(probabilities: Reals, holds: npt.NDArray[np.bool_]) -> float | None:
    """Return Σ (recall - recall before) · precision over falling thresholds; equals are passed at once.

    >>> average_precision(np.array([0.9, 0.8, 0.7]), np.array([True, False, True]))
    0.8333333333333333
    """
    if not holds.any():
        return None
    order = np.argsort(-probabilities, kind="stable")
    right = np.cumsum(holds[order])
    is_last = np.append(np.diff(probabilities[order]) != 0, True)
    right, said = right[is_last], np.flatnonzero(is_last) + 1
    return float((np.diff(right, prepend=0) * right / said).sum() / holds.sum())


def _turned(judged: JudgedRoles) -> JudgedRoles:
    """Return the same with first and second individuals exchanged: r(?, b) as r⁻(b, ?)."""
    return JudgedRoles(judged.probabilities.swapaxes(2, 3), judged.truth.swapaxes(2, 3), judged.evidence.swapaxes(2, 3))


def _joined(parts: Sequence[npt.NDArray[np.generic]]) -> npt.NDArray[np.float64]:
    return np.concatenate([part.astype(np.float64) for part in parts]) if parts else np.zeros(0)
