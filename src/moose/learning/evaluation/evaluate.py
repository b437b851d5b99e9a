"""Evaluate a learner: three views of its predictions, each with every metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.grounding.predicted_atoms import likeliest_members, predicted_atoms, predicted_members, undecided_atoms
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.learning.evaluation import metrics
from moose.learning.evaluation.label_metrics import Information, LabelScores, consistency, score_labels
from moose.learning.evaluation.metrics import Flags, Labels, Reals
from moose.learning.evaluation.observed_metrics import ObservedScores, score_observed
from moose.learning.evaluation.role_metrics import JudgedRoles, RoleScores, score_roles
from moose.learning.examples import Examples
from moose.learning.prediction import Predictions


@dataclass(frozen=True, slots=True)
class Scores:
    """The metrics of one view, as fractions; None where one does not apply."""

    acc_f: float | None
    """Family-argmax accuracy, where a family is latent; where several members are the likeliest, none is predicted."""
    acc_c: float | None
    """Accuracy on latent atoms, by the view's probabilities."""
    acc_atom: float | None
    """Accuracy on latent atoms, by the network's own probabilities in every view."""
    nll: float | None
    ece: float | None
    """Calibration error of the family's likeliest member where a family is latent, else of each latent atom."""
    ece_atom: float | None
    """Calibration error of each latent atom; what the paper's numbers agree with."""
    rs_cons: float | None
    f1_macro: float | None
    confident_error: float | None
    collapse: float | None

    def as_dict(self) -> dict[str, float | None]:
        """Return the metrics by name."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class View:
    """Scores, and what pictures of them need."""

    scores: Scores
    reliability: metrics.Reliability
    confusions: tuple[Labels, ...]
    """One matrix for each latent family: what was predicted where one member was the likeliest."""
    undecided: tuple[Labels, ...]
    """For each latent family how often, of each true member, several were the likeliest."""
    left_open: float | None
    """How many of what `ece` judges is left open: families of which several members are the likeliest, or, without a
    latent family, atoms that are as likely as not."""


@dataclass(frozen=True, slots=True)
class RoleEvaluation:
    """The metrics of latent roles in the same three views."""

    given_evidence: RoleScores
    without_evidence: RoleScores
    network: RoleScores
    """The pair network's word on each pair by itself."""

    def as_dict(self) -> dict[str, dict[str, float | None]]:
        """Return the metrics of all three views."""
        return {
            "roles": self.given_evidence.as_dict(),
            "roles_without_evidence": self.without_evidence.as_dict(),
            "roles_network": self.network.as_dict(),
        }


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How good predictions are: given the evidence (the paper's), without it, and by the network alone."""

    task: Task
    given_evidence: View
    """P(C(a) | input, evidence, theory): eq. posterior of the paper."""
    without_evidence: View
    """P(C(a) | input, theory): nothing of the instance is observed, but the task's own facts and roles hold."""
    network: View
    """The encoder's word on each individual by itself."""
    observed: ObservedScores
    """How right the observed concepts are without evidence: label accuracy."""
    roles: RoleEvaluation | None = None
    """How good predictions of latent roles are, where there are any."""
    labels: LabelScores | None = None
    """How good predictions of all labels together are without evidence, where every concept is free and latent."""

    @property
    def metrics(self) -> dict[str, float | None]:
        """The paper's view."""
        return self.given_evidence.scores.as_dict()

    @property
    def left_open(self) -> dict[str, float | None]:
        """How much of what is judged nothing decides, by view and of observed atoms; without what is decided whole."""
        views = {
            "given_evidence": self.given_evidence.left_open,
            "without_evidence": self.without_evidence.left_open,
            "network": self.network.left_open,
            "observed": self.observed.left_open,
        }
        return {name: share for name, share in views.items() if share}

    def as_dict(self) -> dict[str, dict[str, float | None]]:
        """Return the metrics of all three views, and those of observed concepts, of latent roles and of labels.

        What is left open stands there where something is.
        """
        return {
            "metrics": self.metrics,
            "metrics_without_evidence": self.without_evidence.scores.as_dict(),
            "metrics_network": self.network.scores.as_dict(),
            "metrics_observed": self.observed.as_dict(),
            **({"left_open": self.left_open} if self.left_open else {}),
            **({} if self.roles is None else self.roles.as_dict()),
            **({} if self.labels is None else {"metrics_labels": self.labels.as_dict()}),
        }


Number = TypeVar("Number", bound=np.generic)
Judged = tuple[Examples, Predictions, Predictions]
"""Examples, what was predicted given their evidence, and without it."""


def evaluate(
    judged: Sequence[Judged], *, with_labels: bool | None = None, information: Information | None = None
) -> Evaluation:
    """Compare predictions with the hidden truth; groups of examples are pooled, individual by individual.

    The metrics of labels are there where every concept is latent and in no family, or as `with_labels` says;
    `information` is that of the concepts, for Smin.
    """
    if not judged:
        raise MooseError("expected examples to evaluate on, but got none")
    task = judged[0][0].task
    truth = _pool([examples.truth.numpy() for examples, _, _ in judged])
    has_concept = np.concatenate([np.tile(one.task.has_concept, (len(one), 1)) for one, _, _ in judged])
    network = _pool([given.network for _, given, _ in judged])
    given = _pool([given.posteriors for _, given, _ in judged])
    without = _pool([without.posteriors for _, _, without in judged])
    first, second, third = (
        score(task, view, network=network, truth=truth, has_concept=has_concept) for view in (given, without, network)
    )
    seen = [column for column, concept in enumerate(task.concepts) if not concept.is_latent]
    evidence = _pool([examples.evidence.numpy() for examples, _, _ in judged])
    observed = score_observed(seen, without, truth=truth, evidence=evidence)
    is_wanted = has_free_labels(task) if with_labels is None else with_labels
    labels = None
    if is_wanted:
        consistent = consistency((examples.task, said.posteriors) for examples, _, said in judged)
        found = [said.worlds for _, _, said in judged if said.worlds is not None]
        worlds = _pool(found) if len(found) == len(judged) else None
        labels = score_labels(without, truth, consistent=consistent, information=information, worlds=worlds)
    return Evaluation(task, first, second, third, observed, evaluate_roles(judged), labels)


def has_free_labels(task: Task) -> bool:
    """Return whether every concept is latent and in no family, so that evidence is labels of many classes at once."""
    return bool(task.concepts) and all(concept.is_latent for concept in task.concepts) and not latent_families(task)


def evaluate_roles(judged: Sequence[Judged]) -> RoleEvaluation | None:
    """Compare predictions of latent roles with the hidden truth; none where no role is latent or none is predicted."""
    views: tuple[list[JudgedRoles], list[JudgedRoles], list[JudgedRoles]] = ([], [], [])
    for examples, given, without in judged:
        latent = list(examples.task.read_roles)
        for view, said in zip(views, (given.roles, without.roles, given.role_network), strict=True):
            if latent and said is not None:
                nothing = np.zeros(said.shape, np.int8)
                truth, seen = (
                    nothing if values is None else values.numpy()
                    for values in (examples.role_truth, examples.role_evidence)
                )
                view.append(JudgedRoles(said[:, latent], truth[:, latent], seen[:, latent]))
    return RoleEvaluation(*map(score_roles, views)) if views[0] else None


def score(
    task: Task,
    probabilities: Reals,
    *,
    network: Reals,
    truth: npt.NDArray[np.int8],
    has_concept: Flags | None = None,
) -> View:
    """Compute every metric of one view: individual × concept, columns as `task.concepts`; truth is +1, -1, or 0.

    What a view says nothing of (NaN), such as the network of an individual without input, is not judged in it.
    """
    latent = list(latent_columns(task))
    known = (truth[:, latent] != 0) & ~np.isnan(probabilities[:, latent])
    heard = (truth[:, latent] != 0) & ~np.isnan(network[:, latent])
    holds = truth[:, latent][known] > 0
    atoms = probabilities[:, latent][known].astype(np.float64)
    confidence, is_right = np.maximum(atoms, 1.0 - atoms), (predicted_atoms(atoms) == holds).astype(np.float64)
    is_open = undecided_atoms(atoms)
    acc_c = metrics.atom_accuracy(atoms, holds)
    families = [_Family.of(columns, probabilities, truth) for columns in latent_families(task)]
    ece_atom = metrics.calibration_error(confidence, is_right)
    accuracy = acc_c
    if families:
        confidence = np.concatenate([family.confidence for family in families])
        is_right = np.concatenate([family.is_right for family in families])
        is_open = np.concatenate([family.is_open for family in families])
        accuracy = float(np.mean(is_right == 1.0)) if len(is_right) else None
    matrices, undecided = tuple(one.confusion for one in families), tuple(one.undecided for one in families)
    scores = Scores(
        acc_f=accuracy if families else None,
        acc_c=acc_c,
        acc_atom=metrics.atom_accuracy(network[:, latent][heard], truth[:, latent][heard] > 0),
        nll=metrics.negative_log_likelihood(atoms, holds),
        ece=metrics.calibration_error(confidence, is_right),
        ece_atom=ece_atom,
        rs_cons=metrics.shortcut_consistency(confidence, accuracy) if task.families else None,
        f1_macro=_macro_f1(task, probabilities, truth, has_concept),
        confident_error=metrics.confident_error(confidence, is_right),
        collapse=_mean_of(list(map(metrics.collapse, matrices, undecided))),
    )
    left_open = float(is_open.mean()) if len(is_open) else None
    return View(scores, metrics.reliability(confidence, is_right), matrices, undecided, left_open)


@dataclass(frozen=True, eq=False)
class _Family:
    """The predictions of one family, where the truth says that exactly one member holds."""

    confidence: Reals
    is_right: Reals
    """1 where the likeliest member holds, else 0; where several are the likeliest, as often as a draw among them is
    right, so that a model that is unsure for good reasons is calibrated."""
    is_open: Flags
    """Whether several members are the likeliest, so that none is predicted."""
    confusion: Labels
    undecided: Labels

    @classmethod
    def of(cls, columns: Sequence[int], probabilities: Reals, truth: npt.NDArray[np.int8]) -> _Family:
        holds = truth[:, list(columns)] > 0
        judged = (holds.sum(1) == 1) & ~np.isnan(probabilities[:, list(columns)]).any(1)
        members = probabilities[judged][:, list(columns)].astype(np.float64)
        labels, likeliest = holds[judged].argmax(1), likeliest_members(members)
        is_open = likeliest.sum(1) > 1
        matrix = metrics.confusion(members.argmax(1)[~is_open], labels[~is_open], len(columns))
        is_right = np.take_along_axis(likeliest, labels[:, None], 1)[:, 0] / likeliest.sum(1)
        undecided = np.bincount(labels[is_open], minlength=len(columns))
        return cls(members.max(1), is_right, is_open, matrix, undecided)


def _macro_f1(task: Task, probabilities: Reals, truth: npt.NDArray[np.int8], has_concept: Flags | None) -> float | None:
    """Return macro F1 over latent concepts: a family by its one likeliest member, other atoms by the threshold ½.

    Individuals count of whose latent concepts, as far as their kind has them, all are known and spoken of.
    """
    predicted = predicted_atoms(probabilities)
    for family in latent_families(task):
        columns = list(family)
        predicted[:, columns] = predicted_members(probabilities[:, columns])
    latent = list(latent_columns(task))
    has = np.ones_like(predicted) if has_concept is None else has_concept
    is_settled = (truth != 0) & ~np.isnan(probabilities)
    rows = (is_settled | ~has)[:, latent].all(1) & has[:, latent].any(1)
    return metrics.macro_f1((predicted & has)[rows][:, latent], truth[rows][:, latent] > 0)


def _pool(groups: Sequence[npt.NDArray[Number]]) -> npt.NDArray[Number]:
    return np.concatenate([group.reshape(-1, group.shape[-1]) for group in groups])


def _mean_of(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
