"""From tasks, or from the examples of a data set, to what a map must satisfy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import comb

import numpy as np

from moose.base.errors import LimitReached, MooseError
from moose.base.suggestions import unknown_word
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.shortcuts.problem.observations import Lens, Observation, literal_sets, strongest
from moose.shortcuts.problem.options import Encoder, Showing
from moose.shortcuts.problem.states import State, Vocabulary
from moose.shortcuts.problem.worlds import Part, TrueWorld, find_worlds, read_concepts, read_pairs, split

MOST_SETS = 20_000
"""Sets of literals that may be seen of one world."""
MOST_EXCHANGED = 7
"""Variables that may be read for one another: 5,040 ways."""

TrueState = tuple[str, State]
"""An individual, or nothing where all share one encoder, and its true state."""
Progress = Callable[[str, float], None]
PartWorlds = list[tuple[Part, list[TrueWorld]]]
"""The parts of a task's individuals, each with its worlds."""


@dataclass(frozen=True, eq=False)
class ShownTask:
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
    observations: tuple[Observation, ...]
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

    @cached_property
    def pairs(self) -> dict[Atom, bool]:
        """For each latent role that is read, and each pair of true states that is shown, whether the pair is in it."""
        words = self.vocabulary
        lens = Lens(words, self.encoder, tuple(range(len(words.variables))))
        read = [read_pairs(part.theory, words.roles) for part in self.parts]
        return {lens.role_atom(atom, one): atom in one.roles for one in self.observations for atom in read[one.part]}

    @property
    def true_states(self) -> list[TrueState]:
        """Every state that is shown."""
        return list(self.frequencies)


def make_problem(
    shown_tasks: Sequence[ShownTask], encoder: Encoder, known: dict[Task, PartWorlds] | None = None
) -> Problem:
    """Find what tasks show: every world of theirs, with the evidence there is; known tasks are not grounded again."""
    words = vocabulary_of([shown_task.task for shown_task in shown_tasks])
    parts: list[Part] = []
    observations: list[Observation] = []
    counted: Counter[TrueState] = Counter()
    for shown_task in shown_tasks:
        shown = shown_task.showing.shown_in(shown_task.task)
        part_worlds = (known or {}).get(shown_task.task) or find_part_worlds(shown_task, words)
        if known is not None:
            known[shown_task.task] = part_worlds
        for part, every in part_worlds:
            worlds = occurring(every, shown_task.showing, words)
            counted.update(
                true_state for states in dict.fromkeys(one.states for one in worlds) for true_state in states
            )
            observations += part_observations(len(parts), worlds, shown_task.showing, shown)
            parts.append(part)
    return Problem(words, encoder, tuple(parts), tuple(observations), frequencies(words, encoder, counted))


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


def find_part_worlds(shown_task: ShownTask, words: Vocabulary) -> PartWorlds:
    """Ground a task and find its worlds, part by part."""
    predicates = (*shown_task.task.concepts, *shown_task.task.role_predicates)
    observed = [one.name for one in predicates if not one.is_latent]
    roles = Vocabulary.of(shown_task.task).roles
    return [(part, find_worlds(part, words.latent, observed, roles)) for part in task_parts(shown_task)]


def task_parts(shown_task: ShownTask) -> list[Part]:
    """Ground a task, and part its individuals."""
    theory = shown_task.theory or ground(shown_task.task)
    closed = (*shown_task.task.closure, *(name for name in ("mutex", "cover") if name not in shown_task.task.closure))
    # Families are declared since the data are so, whether or not predictions are held against that.
    is_same = shown_task.theory is None and (
        not shown_task.task.families or set(closed) == set(shown_task.task.closure)
    )
    truth = theory if is_same else ground(replace(shown_task.task, closure=closed))
    check_states_differ(shown_task.task)
    words = Vocabulary.of(shown_task.task)
    parts = split(truth, theory, shown_task.task.individuals, words.roles)
    return [
        part
        for part in parts
        if read_concepts(part.truth, part.individuals, words.latent) or read_pairs(part.theory, words.roles)
    ]


def check_states_differ(task: Task) -> None:
    """Refuse kinds of which one encoder would read different concepts from the same state."""
    is_read = task.has_concept & task.has_input[:, None] & np.array([one.is_latent for one in task.concepts], bool)
    rows = {tuple(row) for row in is_read.tolist() if any(row)}
    in_family = {name for family in task.families for name in family}
    for row in rows if len(rows) > 1 else ():
        names = [concept.name for concept, has in zip(task.concepts, row) if has]
        if not any(name in in_family for name in names):
            raise MooseError(
                f"kinds of individuals with different latent concepts are told apart by families, but "
                f"{', '.join(names)} are in none; declare a family for each kind with an input, or count kinds apart"
            )


def part_observations(
    number: int, worlds: Sequence[TrueWorld], showing: Showing, shown: Sequence[str]
) -> list[Observation]:
    """Return everything that is shown of a part."""
    observations = []
    for world in worlds:
        observed = {atom: truth for atom, truth in world.observed if atom.predicate in shown}
        if showing.most is not None and comb(len(observed), min(showing.most, len(observed))) > MOST_SETS:
            raise LimitReached(
                f"{showing.most} of {len(observed)} literals can be seen in more than {MOST_SETS:,} ways; "
                "leave the number out, so that all are seen, or show fewer concepts"
            )
        sets = literal_sets(observed, positive=showing.literals == "positive", most=showing.most)
        observations += [Observation(number, world.states, evidence, world.roles) for evidence in sets]
    return strongest(observations)


def frequencies(words: Vocabulary, encoder: Encoder, counted: Counter[TrueState]) -> dict[TrueState, Fraction]:
    """Return how often each state is seen, those with earlier concepts first."""
    merged: Counter[TrueState] = Counter()
    for (individual, state), count in counted.items():
        merged["" if encoder.is_shared else individual, state] += count
    total = sum(merged.values())
    order = sorted(merged, key=lambda true_state: (true_state[0], words.sort_key(true_state[1])))
    return {true_state: Fraction(merged[true_state], total) for true_state in order}


def vocabulary_of(tasks: Sequence[Task]) -> Vocabulary:
    """Return the latent concepts of tasks, which must be the same in all."""
    if not tasks:
        raise MooseError("expected a task, but got none; give one or more")
    vocabularies = [Vocabulary.of(task) for task in tasks]
    for words in vocabularies[1:]:
        if (words.latent, words.families) != (vocabularies[0].latent, vocabularies[0].families):
            raise MooseError("the tasks have different latent concepts or families; one encoder must fit all of them")
    # A task may do without a role that another reads.
    roles = dict.fromkeys(role for words in vocabularies for role in words.roles)
    return replace(vocabularies[0], roles=tuple(roles))
