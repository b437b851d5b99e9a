"""From tasks, or from the examples of a data set, to what a map must satisfy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from math import comb

from moose.base.errors import LimitReached, MooseError
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.naming import unknown_word
from moose.grounding.task.task import Task
from moose.shortcuts.problem.constraints import Lens, Sight, literal_sets, strongest
from moose.shortcuts.problem.options import Encoder, Showing
from moose.shortcuts.problem.states import State, Vocabulary
from moose.shortcuts.problem.worlds import Part, TrueWorld, find_worlds, split

MOST_SETS = 20_000
"""Sets of literals that may be seen of one world."""
MOST_EXCHANGED = 7
"""Variables that may be read for one another: 5,040 ways."""

TrueState = tuple[str, State]
"""An individual, or nothing where all share one encoder, and its true state."""
Progress = Callable[[str, float], None]
Stage = list[tuple[Part, list[TrueWorld]]]
"""The parts of a task's individuals, each with its worlds."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A task, what of it is shown, and the theory that predictions are held against."""

    task: Task
    showing: Showing
    theory: Clauses | None = None
    """Of predictions alone; the task's own if None."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Everything that is shown, and how an encoder may depend on what is true."""

    vocabulary: Vocabulary
    encoder: Encoder
    parts: tuple[Part, ...]
    sights: tuple[Sight, ...]
    frequencies: dict[TrueState, Fraction]
    """How often each state is seen; they sum to one."""

    def lenses(self) -> list[Lens]:
        """Return each way in which variables may be read; the right one first."""
        words = self.vocabulary
        count = len(words.variables)
        if self.encoder.reads != "exchanged":
            return [Lens(words, self.encoder, tuple(range(count)))]
        if count > MOST_EXCHANGED:
            raise LimitReached(
                f"{count} variables can be read for one another in too many ways; at most {MOST_EXCHANGED} are allowed"
            )
        kinds = [(len(one), one in words.families) for one in words.variables]
        fitting = (order for order in permutations(range(count)) if [kinds[index] for index in order] == kinds)
        return [Lens(words, self.encoder, order) for order in fitting]

    @property
    def true_states(self) -> list[TrueState]:
        """Every state that is shown."""
        return list(self.frequencies)


def pose(scenes: Sequence[Scene], encoder: Encoder, known: dict[Task, Stage] | None = None) -> Problem:
    """Find what scenes show: every world of theirs, with the evidence there is; known tasks are not grounded again."""
    words = _vocabulary(scenes)
    parts: list[Part] = []
    sights: list[Sight] = []
    counted: Counter[TrueState] = Counter()
    for scene in scenes:
        shown = scene.showing.shown_in(scene.task)
        stage = (known or {}).get(scene.task) or find_stage(scene, words)
        if known is not None:
            known[scene.task] = stage
        for part, every in stage:
            worlds = occurring(every, scene.showing, words)
            counted.update(
                true_state for states in dict.fromkeys(one.states for one in worlds) for true_state in states
            )
            sights += part_sights(len(parts), worlds, scene.showing, shown)
            parts.append(part)
    return Problem(words, encoder, tuple(parts), tuple(sights), frequencies(words, encoder, counted))


def occurring(worlds: list[TrueWorld], showing: Showing, words: Vocabulary) -> list[TrueWorld]:
    """Keep the worlds in which every individual is in a state that occurs."""
    if showing.states is None:
        return worlds
    chosen = {frozenset(state) for state in showing.states}
    for name in sorted({name for state in chosen for name in state}):
        if name not in words.latent:
            raise unknown_word("a latent concept in a state that occurs", name, words.latent)
    kept = [world for world in worlds if all(state in chosen for _, state in world.states)]
    if not kept:
        raise MooseError("the theory allows no world in which all individuals are in states that occur; check these")
    return kept


def find_stage(scene: Scene, words: Vocabulary) -> Stage:
    """Ground a scene and find its worlds, part by part."""
    predicates = (*scene.task.concepts, *scene.task.role_predicates)
    observed = [one.name for one in predicates if not one.is_latent]
    return [(part, find_worlds(part, words.latent, observed)) for part in scene_parts(scene)]


def scene_parts(scene: Scene) -> list[Part]:
    """Ground a scene, and part its individuals."""
    theory = scene.theory or ground(scene.task)
    closed = (*scene.task.closure, *(name for name in ("mutex", "cover") if name not in scene.task.closure))
    # Families are declared since the data are so, whether or not predictions are held against that.
    is_same = scene.theory is None and (not scene.task.families or set(closed) == set(scene.task.closure))
    truth = theory if is_same else ground(replace(scene.task, closure=closed))
    return split(truth, theory, scene.task.individuals)


def part_sights(number: int, worlds: Sequence[TrueWorld], showing: Showing, shown: Sequence[str]) -> list[Sight]:
    """Return everything that is shown of a part."""
    sights = []
    for world in worlds:
        observed = {atom: truth for atom, truth in world.observed if atom.predicate in shown}
        if showing.most is not None and comb(len(observed), min(showing.most, len(observed))) > MOST_SETS:
            raise LimitReached(
                f"{showing.most} of {len(observed)} literals can be seen in more than {MOST_SETS:,} ways; "
                "leave the number out, so that all are seen, or show fewer concepts"
            )
        sets = literal_sets(observed, positive=showing.literals == "positive", most=showing.most)
        sights += [Sight(number, world.states, evidence) for evidence in sets]
    return strongest(sights)


def frequencies(words: Vocabulary, encoder: Encoder, counted: Counter[TrueState]) -> dict[TrueState, Fraction]:
    """Return how often each state is seen, those with earlier concepts first."""
    merged: Counter[TrueState] = Counter()
    for (individual, state), count in counted.items():
        merged["" if encoder.is_shared else individual, state] += count
    total = sum(merged.values())
    order = sorted(merged, key=lambda true_state: (true_state[0], words.sort_key(true_state[1])))
    return {true_state: Fraction(merged[true_state], total) for true_state in order}


def _vocabulary(scenes: Sequence[Scene]) -> Vocabulary:
    if not scenes:
        raise MooseError("expected a task, but got none; give one or more")
    vocabularies = [Vocabulary.of(scene.task) for scene in scenes]
    for words in vocabularies[1:]:
        if (words.latent, words.families) != (vocabularies[0].latent, vocabularies[0].families):
            raise MooseError("the tasks have different latent concepts or families; one encoder must fit all of them")
    return vocabularies[0]
