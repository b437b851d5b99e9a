"""After training: which map a model follows, and how sure it is where nobody can be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.grounding.predicted_atoms import predicted_atoms, predicted_members
from moose.grounding.task.task import Task
from moose.shortcuts.count.ceiling import judgements
from moose.shortcuts.count.cheapest_models import cheapest_models
from moose.shortcuts.count.consistent_map import ConsistentMap, spell
from moose.shortcuts.count.shortcuts import Arrangement, Shortcuts
from moose.shortcuts.model.signs import Signs, as_array, checked_signs
from moose.shortcuts.problem.problem import TrueState
from moose.shortcuts.problem.states import State, Vocabulary

Reals = npt.NDArray[np.floating]
TOLERANCE = 0.1
"""A model follows a map if at most this share of its predictions is off it, and mostly if at most three times that."""


@dataclass(frozen=True, eq=False)
class Confidence:
    """How sure a model is of states that evidence leaves open, and how sure it ought to be."""

    model: float
    """The mean of its largest probability."""
    honest: float
    """The mean of the largest share of the maps."""
    distance: float
    """Between its mean probabilities and the shares of the maps: half the sum of differences, 0 to 1. Probabilities of
    a family that sum to more than one are scaled down first."""


@dataclass(frozen=True, eq=False)
class Followed:
    """What a model's predictions come to."""

    verdict: str
    """`follows the truth`, `follows a shortcut`, `follows a map that the theory excludes`, each also with `mostly`, or
    `follows no one map`."""
    shortcuts: Shortcuts
    most_common: dict[TrueState, State]
    """What each true state is most often read as."""
    is_consistent: bool
    """Whether that map agrees with all that is shown."""
    off_most_common: float
    """The share of predictions that are off that map."""
    nearest: ConsistentMap
    """The consistent map that the most predictions are on; counted concept by concept, if `most_common` is not one."""
    off_nearest: float
    """The share of predictions that are off that one: the confusion mass that no consistent map explains."""
    off_truth: float
    collapse: float
    """The share of states that are most often read as one that another is read as, too."""
    confidence: Confidence | None
    """On states that evidence leaves open; none if there are no such states."""
    shares: npt.NDArray[np.float64]
    """How often each concept (column) is predicted of each state (row): the confusion matrix, in shares."""
    left_out: int
    """Predictions for states that are not shown, of which no map speaks."""

    @property
    def text(self) -> str:
        """The verdict in one sentence."""
        if self.verdict.endswith("follows the truth"):
            return f"{self.verdict}; {self.off_truth:.1%} of the predictions are off it"
        named = spell(self.shortcuts.problem, self.nearest.lens, self.most_common)
        sentence = f"{self.verdict}: {named}; {self.off_most_common:.1%} of the predictions are off it"
        if self.collapse:
            sentence += f"; {self.collapse:.0%} of the states collapse onto others"
        if not self.is_consistent:
            sentence += "; no shortcut explains this: the evidence excludes it"
        return sentence


def follow(
    shortcuts: Shortcuts, task: Task, probabilities: Reals, truth: Signs, *, tolerance: float = TOLERANCE
) -> Followed:
    """Say which map predictions follow: probabilities and truth are example × individual × concept of the task.

    Of a family the likeliest member counts, and nothing where several are equally likely; of another concept whether it
    is more likely than not. Numbers that differ by rounding alone are equal. Columns of observed concepts are not
    looked at.

    >>> import moose
    >>> task, found = moose.regime("mnist1"), moose.find_shortcuts(moose.regime("mnist1"))
    >>> truth = -np.ones((10, 1, 14), np.int8)
    >>> truth[range(10), 0, range(10)] = 1
    >>> swapped = (truth[[0, 1, 2, 5, 4, 3, 6, 7, 8, 9]] > 0) * 0.9
    >>> print(follow(found, task, swapped, truth).text)
    follows a shortcut: D3→D5, D5→D3; the rest right; 0.0% of the predictions are off it
    """
    if not 0 < tolerance < 1:
        raise MooseError(f"expected a tolerance between 0 and 1, but got {tolerance!r}")
    rows = _Rows.of(shortcuts, task, probabilities, truth)
    counts = rows.counts()
    common = {
        true_state: _most_common(shortcuts.problem.vocabulary, true_state, seen) for true_state, seen in counts.items()
    }
    total = sum(seen.total() for seen in counts.values())
    is_consistent = shortcuts.is_consistent(common)
    # What each state is most often read as is on the most predictions, wherever that is a consistent map.
    nearest = _nearest(
        shortcuts, {true_state: Counter([read]) for true_state, read in common.items()} if is_consistent else counts
    )

    def off(table: dict[TrueState, State]) -> float:
        return 1.0 - sum(seen[table[true_state]] for true_state, seen in counts.items()) / total

    images = {(true_state[0], read) for true_state, read in common.items()}
    return Followed(
        verdict=_verdict(common, off(common) / tolerance, is_consistent=is_consistent),
        shortcuts=shortcuts,
        most_common=common,
        is_consistent=is_consistent,
        off_most_common=off(common),
        nearest=nearest,
        off_nearest=off(nearest.table),
        off_truth=off({true_state: true_state[1] for true_state in counts}),
        collapse=1.0 - len(images) / len(common),
        confidence=rows.confidence(),
        shares=rows.shares(),
        left_out=rows.left_out,
    )


def confidence_of(shortcuts: Shortcuts, task: Task, probabilities: Reals, truth: Signs) -> Confidence | None:
    """Say how sure probabilities are of states that evidence leaves open; none if there are no such states.

    `follow` says this of what it is given, which is what a network reads into inputs; a posterior given theory and
    evidence, which is what `moose predict` prints, can be surer or less sure than that.
    """
    return _Rows.of(shortcuts, task, probabilities, truth).confidence()


def off_truth(shortcuts: Shortcuts, task: Task, probabilities: Reals, truth: Signs) -> float:
    """Return the share of individuals of which probabilities predict another state than the true one."""
    rows = _Rows.of(shortcuts, task, probabilities, truth)
    latent = shortcuts.problem.vocabulary.latent
    states = np.array([[name in state for name in latent] for _, state in rows.true_states])
    return float((rows.predicted != states).any(1).mean())


def _verdict(common: dict[TrueState, State], off: float, *, is_consistent: bool) -> str:
    """Say what is followed, and how closely: `off` is the share of predictions off the map, as a multiple."""
    if off > 3:
        return "follows no one map"
    is_truth = all(read == true_state[1] for true_state, read in common.items())
    kind = "the truth" if is_truth else "a shortcut" if is_consistent else "a map that the theory excludes"
    return f"follows {kind}" if off <= 1 else f"mostly follows {kind}"


@dataclass(frozen=True, eq=False)
class _Rows:
    """Predictions, individual by individual, of the latent concepts alone."""

    shortcuts: Shortcuts
    true_states: list[TrueState]
    """The true state of each row."""
    probabilities: npt.NDArray[np.float64]
    predicted: npt.NDArray[np.bool_]
    left_out: int

    @classmethod
    def of(cls, shortcuts: Shortcuts, task: Task, probabilities: Reals, truth: Signs) -> _Rows:
        words = shortcuts.problem.vocabulary
        signs = checked_signs(truth, task, "truth")
        values = as_array(probabilities, "probabilities")
        if values.shape != signs.shape or values.dtype.kind not in "fiub":
            raise MooseError(f"expected probabilities of shape {signs.shape}, but got {values.dtype} {values.shape}")
        columns = {concept.name: column for column, concept in enumerate(task.concepts)}
        if set(words.latent) - set(columns):
            raise MooseError(f"the task has other latent concepts than {', '.join(words.latent)}")
        chosen = [columns[name] for name in words.latent]
        is_read = (task.has_concept & task.has_input[:, None])[:, chosen]
        # Who is not in an example, and whose truth is not known, has no prediction that could be judged.
        is_judged = is_read & (signs[:, :, chosen] != 0)
        latent = np.where(is_judged, values[:, :, chosen].astype(np.float64), 0.0)
        if not bool(((latent >= 0) & (latent <= 1)).all()):
            raise MooseError("expected probabilities between 0 and 1 of every latent concept, but some are not")
        shown = set(shortcuts.problem.true_states)
        owners = [""] * len(task.individuals) if shortcuts.problem.encoder.is_shared else list(task.individuals)
        true_states, kept = list[TrueState](), list[tuple[int, int]]()
        for row, individual in np.ndindex(signs.shape[:2]):
            own = np.where(is_read[individual], signs[row, individual, chosen], -1)
            state = frozenset(name for name, sign in zip(words.latent, own.tolist()) if sign > 0)
            if (owners[individual], state) in shown and bool((own != 0).all() and is_read[individual].any()):
                true_states.append((owners[individual], state))
                kept.append((row, individual))
        if not kept:
            raise MooseError("no example has a true state that the regime can show; check the truth and the task")
        flat = latent[tuple(np.array(kept).T)]
        left_out = signs.shape[0] * signs.shape[1] - len(kept)
        return cls(shortcuts, true_states, flat, predicted_concepts(words, flat), left_out)

    def counts(self) -> dict[TrueState, Counter[State]]:
        """Count what each state is read as."""
        latent = self.shortcuts.problem.vocabulary.latent
        counts: dict[TrueState, Counter[State]] = {
            true_state: Counter() for true_state in self.shortcuts.problem.true_states
        }
        for true_state, row in zip(self.true_states, self.predicted.tolist()):
            counts[true_state][frozenset(name for name, holds in zip(latent, row) if holds)] += 1
        return {true_state: seen for true_state, seen in counts.items() if seen}

    def shares(self) -> npt.NDArray[np.float64]:
        """Return how often each concept is predicted of each state that is shown; NaN where there is no example."""
        order = self.shortcuts.problem.true_states
        shares = np.full((len(order), self.predicted.shape[1]), np.nan)
        for number, true_state in enumerate(order):
            mine = np.array([one == true_state for one in self.true_states])
            if mine.any():
                shares[number] = self.predicted[mine].mean(0)
        return shares

    def confidence(self) -> Confidence | None:
        """Compare how sure the model is with how sure the maps are, where they are not of one mind."""
        words = self.shortcuts.problem.vocabulary
        by_atom = not words.families
        variables = [(name,) for name in words.latent] if by_atom else list(words.families)
        honest = iter(judgements(self.shortcuts, by_atom=by_atom))
        sums, weight = np.zeros(3), 0.0
        for true_state in self.shortcuts.problem.true_states:
            mine = self.probabilities[[one == true_state for one in self.true_states]]
            for variable in variables:
                one = next(honest)
                if one.confidence == 1 or not len(mine):
                    continue
                columns = [words.latent.index(name) for name in variable]
                values = np.stack([1 - mine[:, columns[0]], mine[:, columns[0]]], 1) if by_atom else mine[:, columns]
                if sum(one.shares) == 1:
                    values = values / np.maximum(values.sum(1, keepdims=True), 1)
                gap = min(1.0, np.abs(values.mean(0) - np.array([float(share) for share in one.shares])).sum() / 2)
                sums += float(one.weight) * np.array([values.max(1).mean(), float(one.confidence), gap])
                weight += float(one.weight)
        return Confidence(*(sums / weight).tolist()) if weight else None


def predicted_concepts(words: Vocabulary, probabilities: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Return which concepts are predicted: of a family the one likeliest member, else all above one half."""
    predicted = predicted_atoms(probabilities)
    for family in words.families:
        columns = [words.latent.index(name) for name in family]
        predicted[:, columns] = predicted_members(probabilities[:, columns])
    return predicted


def _most_common(words: Vocabulary, true_state: TrueState, seen: Counter[State]) -> State:
    """Return what a state is most often read as; of equals the true one, then that with earlier concepts."""
    return min(seen, key=lambda read: (-seen[read], read != true_state[1], words.sort_key(read)))


def _nearest(shortcuts: Shortcuts, counts: dict[TrueState, Counter[State]]) -> ConsistentMap:
    """Return the consistent map that agrees with the most predictions; of equals one that is nearer to the truth."""
    best: tuple[int, ConsistentMap] | None = None
    for one in shortcuts.arrangements:
        positive, negative = _disagreements(shortcuts, one, counts)
        [(cost, model)] = cheapest_models(one.circuit.diagram, positive, negative, 1)
        cost += _scale(shortcuts, one) * _settled_cost(one, counts)
        if best is None or cost < best[0]:
            best = cost, shortcuts.reading(one, model)
    assert best is not None
    return best[1]


def _disagreements(
    shortcuts: Shortcuts, one: Arrangement, counts: dict[TrueState, Counter[State]]
) -> tuple[list[int], list[int]]:
    """Return how many predictions each literal is against; how far it is from the truth decides between equals."""
    truth, scale = shortcuts.costs(one), _scale(shortcuts, one)
    positive, negative = list(truth[0]), list(truth[1])
    for true_state, seen in counts.items():
        for name in shortcuts.problem.vocabulary.latent:
            position = one.circuit.positions.get(one.lens.atom(*true_state, name))
            if position is not None:
                predicted = sum(count for read, count in seen.items() if name in read)
                positive[position] += scale * (seen.total() - predicted)
                negative[position] += scale * predicted
    return positive, negative


def _scale(shortcuts: Shortcuts, one: Arrangement) -> int:
    """Return what outweighs every difference in nearness to the truth."""
    states = len(shortcuts.problem.true_states) * len(one.lens.vocabulary.latent)
    return 1 + 2 * (states + len(shortcuts.problem.pairs))


def _settled_cost(one: Arrangement, counts: dict[TrueState, Counter[State]]) -> int:
    """Return how many predictions are against what every map of an arrangement says."""
    cost = 0
    for true_state, seen in counts.items():
        for name in one.lens.vocabulary.latent:
            truth = one.circuit.clauses.fixed.get(one.lens.atom(*true_state, name))
            if truth is not None:
                cost += sum(count for read, count in seen.items() if (name in read) != truth)
    return cost
