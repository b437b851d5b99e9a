"""Say why a model reads what it reads: `diagnose`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np
import torch

from moose.base.errors import LimitReached, MooseError
from moose.grounding.predicted_atoms import predicted_atoms
from moose.learning.binding import latent_columns
from moose.learning.examples import Examples
from moose.learning.heads import HEADS
from moose.learning.loss.objective import WMCObjective, measure
from moose.learning.open_weights import OpenWeights
from moose.learning.prediction import in_parts
from moose.methods.base.method import Predictor
from moose.methods.base.model import Model
from moose.methods.concept_learner import ConceptLearner
from moose.shortcuts.count.count_text import count_text
from moose.shortcuts.count.find_shortcuts import NO_END, ONE_FOR_ALL, Effort, find_shortcuts
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.model.examples import find_in_examples
from moose.shortcuts.model.follow import Followed, follow, off_truth, predicted_concepts
from moose.shortcuts.problem.options import Encoder, Showing
from moose.training.diagnosis.ideal_network import STEPS, IdealLosses, IdealNetwork, Reading, Reals
from moose.training.diagnosis.read_by import WITHOUT_EVIDENCE, read_by, view_of
from moose.training.diagnosis.readings import (
    MOST_FITTED,
    ReadingLoss,
    reading_losses,
    text_of,
    truth_of,
    wrong_readings,
    wrong_share,
)
from moose.training.diagnosis.states_shown import lay_out, seen_by, state_numbers, with_known_truth

LEARNT = "learnt"
OBJECTIVE = "the objective prefers this reading"
EVIDENCE = "the evidence allows it"
OPTIMISATION = "optimisation"
VERDICTS = (LEARNT, OBJECTIVE, EVIDENCE, OPTIMISATION)
MOST = 200
"""Consistent readings whose loss is computed; where there are more, the likeliest."""
TOLERANCE = 0.01
"""Nats for each example that a reading gets wrong: losses that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What a model learnt, and whose doing it is. Losses are means over the examples, in nats."""

    verdict: str
    """`learnt`, `the objective prefers this reading`, `the evidence allows it` or `optimisation`."""
    truth: float
    """The loss of a network that is sure of the truth."""
    model: float
    """The loss of the model."""
    own: ReadingLoss
    """What the model reads most often, with the loss of a network that is sure of it; infinite if it contradicts."""
    unsure: float
    """The loss of a network that says of each state what the model says on average."""
    readings: tuple[ReadingLoss, ...]
    """Wrong readings that agree with all evidence, those of the lowest loss first."""
    preferred: ReadingLoss | None
    """The wrong reading that the objective likes best, if it likes it better than the truth."""
    is_complete: bool
    """Whether all consistent readings were compared, or the likeliest of them."""
    followed: Followed
    """Which map the model follows, among those that the evidence of its examples allows."""
    would_be_excluded: bool | None
    """Whether all evidence that the task can show would exclude what the model reads; None where that is not known."""
    left_out: int
    """Examples whose truth is not known."""
    view: str
    """What is called the reading: `by the network alone`, `without evidence`, or, by concepts, the one or the other."""
    off_truth: float
    """The share of individuals that the posteriors without evidence read wrongly, whatever the view."""

    @property
    def text(self) -> str:
        """The verdict in one sentence."""
        return f"{self.verdict}: {_reason(self)}"

    def as_dict(self) -> dict[str, object]:
        """Return it for programs; a loss that is infinite is None."""
        return {
            "verdict": self.verdict,
            "text": self.text,
            "loss_at_truth": self.truth,
            "loss_at_model": self.model,
            "reading": _facts(self.own),
            "loss_unsure": self.unsure,
            "preferred": None if self.preferred is None else _facts(self.preferred),
            "readings": [_facts(one) for one in self.readings[:10]],
            "readings_compared": len(self.readings),
            "are_all_compared": self.is_complete,
            "would_be_excluded": self.would_be_excluded,
            "left_out": self.left_out,
            "view": self.view,
            "off_truth": self.followed.off_truth,
            "off_truth_without_evidence": self.off_truth,
        }


def diagnose(  # noqa: PLR0913  # a model and examples; the rest are options with a default
    predictor: Predictor | ConceptLearner,
    examples: Examples | Sequence[Examples],
    *,
    judged: Examples | None = None,
    encoder: Encoder = ONE_FOR_ALL,
    most: int = MOST,
    tolerance: float = TOLERANCE,
    effort: Effort = NO_END,
) -> Diagnosis:
    """Compare the loss at the truth, at other readings and at the model, and say why the model reads what it reads.

    The examples are those that it learnt from; what it reads is looked up in those that are `judged`, else in the same.
    At most `most` other readings are compared, and losses that differ by less than the tolerance, in nats for each
    example that a reading gets wrong, are the same. The limits of the effort are for counting, and for comparing again.
    """
    at_work = predictor.predictor if isinstance(predictor, ConceptLearner) else predictor
    check_objective(at_work)
    several = [examples] if isinstance(examples, Examples) else list(examples)
    groups, left_out = with_known_truth(at_work.model, several)
    shortcuts = find_in_examples(seen_by(at_work.model, groups), encoder=encoder, effort=effort)
    rows = lay_out(at_work.model, groups, shortcuts.problem)
    losses = IdealLosses(shortcuts.problem, rows, at_work.model.head, _even_odds(at_work, groups))
    check_time(losses, min(most, shortcuts.shortcuts), effort)
    shown = several[0] if judged is None else judged
    followed = follow(shortcuts, shown.task, read_by(at_work, shown), shown.truth.numpy())
    without = at_work.predict(shown, evidence=False).posteriors
    said = mean_said(at_work, shown, losses)
    own = Reading(
        {place: followed.most_common.get(place, place[1]) for place in shortcuts.problem.true_states},
        dict(zip(shortcuts.problem.pairs, predicted_atoms(said[1]).tolist())),
    )
    compared = compare(shortcuts, losses, own, said, most)
    verdict, preferred = judge(compared, followed, is_right=own.pairs == shortcuts.problem.pairs, tolerance=tolerance)
    return Diagnosis(
        verdict=verdict,
        truth=compared.truth,
        model=model_loss(at_work, groups),
        own=compared.own,
        unsure=compared.unsure,
        readings=compared.readings,
        preferred=preferred,
        is_complete=len(compared.readings) == shortcuts.shortcuts,
        followed=followed,
        would_be_excluded=_would_be_excluded(at_work, groups, shortcuts, own, effort) if verdict == EVIDENCE else None,
        left_out=left_out,
        view=view_of(at_work),
        off_truth=off_truth(shortcuts, shown.task, without, shown.truth.numpy()),
    )


def check_objective(predictor: Predictor) -> None:
    """Refuse a method whose loss is not the likelihood of evidence, or whose network says more than latent concepts."""
    is_whole = type(predictor.model).binding is Model.binding and predictor.model.head in HEADS
    if not (is_whole and all(isinstance(stage.objective, WMCObjective) for stage in predictor.model.stages())):
        raise MooseError(
            f"readings are compared by the likelihood of the evidence, but {predictor.method.name} minimises something "
            "else; ask of moose, moose-cover, moose-honest or ensemble"
        )


def check_time(losses: IdealLosses, readings: int, effort: Effort) -> None:
    """Refuse to compare where one loss takes so long that all of them would take more than is allowed."""
    if effort.limits.seconds is None:
        return
    start = time.monotonic()
    losses.loss(losses.near_truth())
    searches = 3 if losses.learnt is None else 5 + min(readings, MOST_FITTED)
    expected = (time.monotonic() - start) * (2 * readings + STEPS * searches)
    if expected > effort.limits.seconds:
        raise LimitReached(
            f"to compare the losses of readings would take about {expected:.0f} seconds, {effort.limits.seconds:g} are "
            "allowed; raise the limit (moose shortcuts --model DIR --time-limit TIME), or diagnose with fewer "
            "examples"
        )


def _even_odds(predictor: Predictor, groups: Sequence[Examples]) -> OpenWeights | None:
    """Return even odds of open observables, if the model learns them: of those that evidence affirms and denies."""
    networks = [stage.network for stage in predictor.model.stages()]
    if not any(isinstance(getattr(network, "open_weights", None), OpenWeights) for network in networks):
        return None
    odds = OpenWeights(len(predictor.task.concepts)).double()
    odds.look_at([one.evidence for one in groups])
    return odds


def model_loss(predictor: Predictor, groups: Sequence[Examples]) -> float:
    """Return the mean loss of a model's networks on examples, without any bonus."""
    model, total, count = predictor.model, 0.0, 0
    model.eval()
    networks = [stage.network for stage in model.stages()]
    with torch.no_grad():
        for prepared in map(model.prepare, groups):
            for rows in in_parts(len(prepared)):
                size = len(range(len(prepared))[rows])
                total += size * sum(measure(one, prepared, rows).loss.item() for one in networks) / len(networks)
                count += size
    return total / count


def mean_said(predictor: Predictor, shown: Examples, losses: IdealLosses) -> tuple[Reals, Reals]:
    """Return the mean of what a model says of each true state, and of each pair; of what is not shown, the truth."""
    problem = losses.problem
    truth = [[float(name in state) for name in losses.outputs] for _, state in problem.true_states]
    sums = np.zeros((len(truth) + 1, len(losses.outputs)))
    pair_sums, counts, pair_counts = (
        np.zeros(size + 1) for size in (len(problem.pairs), len(truth), len(problem.pairs))
    )
    for examples in with_known_truth(predictor.model, [shown])[0]:
        states, pairs = state_numbers(predictor.model, examples, problem)
        said = predictor.predict(examples, evidence=False)
        latent = np.nan_to_num(said.network[..., list(latent_columns(examples.task))])
        np.add.at(sums, states.numpy(), latent)
        np.add.at(counts, states.numpy(), 1)
        if pairs is not None and said.role_network is not None:
            np.add.at(pair_sums, pairs.numpy(), np.nan_to_num(said.role_network[:, list(examples.task.read_roles)]))
            np.add.at(pair_counts, pairs.numpy(), 1)
    related = np.array(list(problem.pairs.values()), float)
    return (
        np.where(counts[:-1, None] > 0, sums[:-1] / np.maximum(counts[:-1, None], 1), np.array(truth)),
        np.where(pair_counts[:-1] > 0, pair_sums[:-1] / np.maximum(pair_counts[:-1], 1), related),
    )


@dataclass(frozen=True, eq=False)
class Compared:
    """The losses of the truth and of what is compared with it."""

    truth: float
    own: ReadingLoss
    unsure: float
    readings: tuple[ReadingLoss, ...]
    chosen: ReadingLoss | None
    """Where the objective leads from near the truth, if that is wrong; in words, what is likeliest of each state."""
    chance: float
    """How much of a lower loss of that may be chance."""


def compare(shortcuts: Shortcuts, losses: IdealLosses, own: Reading, said: tuple[Reals, Reals], most: int) -> Compared:
    """Compute all losses."""
    right = losses.certain(truth_of(shortcuts))
    truth = losses.best_odds(right)
    odds = None if right is None or right.open_weights is None else right.open_weights.scaled.detach()
    wrong = wrong_readings(shortcuts, losses, odds, most)
    is_consistent = shortcuts.is_consistent(own.table, own.pairs)
    own_loss = losses.best_odds(losses.certain(own, odds)) if is_consistent else inf
    chosen = losses.near_truth()
    lowest = losses.descend(chosen)
    led = _likeliest(losses, chosen)
    is_wrong = text_of(shortcuts, led) != text_of(shortcuts, truth_of(shortcuts))
    return Compared(
        truth=truth,
        own=ReadingLoss(text_of(shortcuts, own), own_loss, wrong_share(shortcuts, own)),
        unsure=losses.best_odds(losses.unsure(*said, odds)),
        readings=tuple(reading_losses(shortcuts, losses, wrong, odds)),
        chosen=ReadingLoss(text_of(shortcuts, led), lowest, wrong_share(shortcuts, led)) if is_wrong else None,
        chance=(chosen.concepts.numel() + chosen.pairs.numel()) / losses.count,
    )


def _likeliest(losses: IdealLosses, network: IdealNetwork) -> Reading:
    """Return what a network finds likeliest of each state."""
    concepts, pairs = losses.said(network)
    words = losses.problem.vocabulary
    columns = [losses.outputs.index(name) for name in words.latent]
    predicted = predicted_concepts(words, concepts[:, columns])
    states = [frozenset(name for name, holds in zip(words.latent, row) if holds) for row in predicted.tolist()]
    related = dict(zip(losses.problem.pairs, predicted_atoms(pairs).tolist()))
    return Reading(dict(zip(losses.problem.true_states, states)), related)


def judge(
    compared: Compared, followed: Followed, *, is_right: bool, tolerance: float
) -> tuple[str, ReadingLoss | None]:
    """Choose the verdict, and the reading that the objective prefers to the truth."""
    preferred = preference(compared, followed, tolerance)
    if followed.verdict.endswith("follows the truth") and is_right:
        return LEARNT, preferred
    if preferred is not None:
        return OBJECTIVE, preferred
    reached = min(compared.own.loss, compared.unsure)
    share = max(compared.own.wrong, followed.off_truth)
    return (EVIDENCE if reached <= compared.truth + tolerance * share else OPTIMISATION), None


def preference(compared: Compared, followed: Followed, tolerance: float) -> ReadingLoss | None:
    """Return the wrong reading that the objective prefers to the truth: the model's own if it does, else the best."""
    truth, own = compared.truth, compared.own
    if own.wrong:
        for loss in (own.loss, compared.unsure):
            if loss < truth - tolerance * max(own.wrong, followed.off_truth):
                return ReadingLoss(own.text, loss, own.wrong)
    lower = [one for one in compared.readings if one.loss < truth - tolerance * one.wrong]
    chosen = compared.chosen
    if chosen is not None and chosen.loss < truth - tolerance * chosen.wrong - compared.chance:
        lower.append(chosen)
    return min(lower, key=lambda one: one.loss, default=None)


def _would_be_excluded(
    predictor: Predictor, groups: Sequence[Examples], shortcuts: Shortcuts, own: Reading, effort: Effort
) -> bool | None:
    """Return whether all evidence that the task can show of these states would exclude a reading."""
    tasks = {id(one.task): predictor.model.theory(one.task) for one in groups}
    states = list(dict.fromkeys(state for _, state in shortcuts.problem.true_states))
    try:
        ideal = find_shortcuts(
            list(tasks.values()), Showing(states=states), encoder=shortcuts.problem.encoder, effort=effort
        )
        return not ideal.is_consistent(own.table, own.pairs if set(own.pairs) == set(ideal.problem.pairs) else None)
    except (LimitReached, MooseError):  # too large, or examples have worlds that the task alone does not
        return None


def _reason(found: Diagnosis) -> str:
    """Say why, with the losses that say so."""
    truth, reads = f"loss {found.truth:.3f}", f"{found.view}, the model reads"
    cost = f"loss {found.own.loss:.3f}" if isfinite(found.own.loss) else "which contradicts the evidence"
    own = f"{found.own.text} ({cost})"
    others = found.followed.shortcuts.shortcuts
    allowed = f"the evidence allows {count_text(others)} other reading{'s' * (others != 1)}"
    if found.verdict == LEARNT:
        with_theory = None if found.view == WITHOUT_EVIDENCE else found.off_truth
        text = f"{reads} what is true{_aside(found.followed.off_truth, with_theory)}"
        if found.preferred is not None:
            return f"{text}, though the objective prefers {found.preferred.text}"
        return f"{text}, though {allowed}" if others else text
    if found.verdict == OBJECTIVE:
        assert found.preferred is not None
        best = f"{found.preferred.text} has the loss {found.preferred.loss:.3f}, the truth {found.truth:.3f}"
        return f"{best}; {reads} {'that' if found.preferred.text == found.own.text else found.own.text}"
    if found.verdict == EVIDENCE:
        text = f"{reads} {found.own.text}, which is as good as the truth ({truth})"
        if found.would_be_excluded:
            return f"{text} on these data, though the task could show evidence that excludes it"
        return text
    text = f"the truth has the lowest loss ({found.truth:.3f}), the model {found.model:.3f}; {reads} {own}"
    return f"{text}; {allowed} besides" if others else text


MANY_WRONG = 0.1
"""A share of predictions that are off the truth from which on nobody would say that all is learnt."""


def _aside(share: float, with_theory: float | None = None) -> str:
    """Say how many predictions are off the truth, and how many are off it with the theory, if that is another view.

    >>> [_aside(share) for share in (0.0, 0.0001, 0.02)]
    [' in all of its predictions', ', less than 0.1% of its predictions aside', ', 2.0% of its predictions aside']
    >>> _aside(0.25)
    ' in most of its predictions; 25.0% of the individuals are read wrongly: more epochs or another network may help'
    >>> _aside(0.25, 0.0).partition("wrongly")[2]
    ' (without evidence, where the theory helps: 0.0%)'
    """
    if share == 0.0:
        return " in all of its predictions"
    if share >= MANY_WRONG:
        text = f" in most of its predictions; {share:.1%} of the individuals are read wrongly"
        if with_theory is not None:
            text += f" (without evidence, where the theory helps: {with_theory:.1%})"
        is_enough = with_theory is not None and with_theory < MANY_WRONG
        return text if is_enough else f"{text}: more epochs or another network may help"
    return f", {'less than 0.1%' if share < 0.0005 else f'{share:.1%}'} of its predictions aside"


def _facts(one: ReadingLoss) -> dict[str, object]:
    return {"text": one.text, "loss": one.loss if isfinite(one.loss) else None, "wrong": one.wrong}
