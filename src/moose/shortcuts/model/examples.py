"""Shortcuts under the evidence that a data set really has, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task
from moose.shortcuts.count.find_shortcuts import NO_END, ONE_FOR_ALL, Effort, solve
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.model.signs import Signs, checked_pairs, checked_signs
from moose.shortcuts.problem.observations import Observation, strongest
from moose.shortcuts.problem.options import Encoder, Showing
from moose.shortcuts.problem.problem import (
    Problem,
    ShownTask,
    TrueState,
    find_part_worlds,
    frequencies,
    task_parts,
    vocabulary_of,
)
from moose.shortcuts.problem.states import State, Vocabulary
from moose.shortcuts.problem.worlds import Part, TrueWorld, completions, read_concepts, read_pairs

Literal = tuple[Atom, bool]
"""An atom, and whether it is seen to hold."""


class UnknownTruth(MooseError):
    """The truth of an example is not known, and is needed."""


@dataclass(frozen=True, eq=False)
class Seen:
    """Evidence and truth of examples: example × individual × concept, columns as `task.concepts`; +1, -1 or 0."""

    task: Task
    evidence: Signs
    truth: Signs
    role_evidence: Signs | None = None
    """Of pairs: example × role × individual × individual, as `task.role_predicates`; nothing if None."""
    role_truth: Signs | None = None

    def __post_init__(self) -> None:
        for name in ("evidence", "truth"):
            object.__setattr__(self, name, checked_signs(getattr(self, name), self.task, name))
        if len(self.evidence) != len(self.truth) or not len(self.truth):
            raise MooseError(
                f"expected evidence and truth of the same examples, at least one, but got {len(self.evidence)} and "
                f"{len(self.truth)} rows"
            )
        for name in ("role_evidence", "role_truth"):
            object.__setattr__(self, name, checked_pairs(getattr(self, name), self.task, name, len(self.truth)))


def find_in_examples(
    seen: Seen | Sequence[Seen], *, encoder: Encoder = ONE_FOR_ALL, effort: Effort = NO_END
) -> Shortcuts:
    """Find every map that agrees with the evidence of these examples; states that none of them shows are left out.

    Examples of different shapes are several values, each with a task of its own over the same concepts.

    >>> import moose, numpy as np
    >>> task = moose.regime("mnist1")
    >>> truth, evidence = -np.ones((2, 1, 14), np.int8), np.zeros((2, 1, 14), np.int8)
    >>> truth[0, 0, 3] = truth[1, 0, 2] = evidence[:, 0, 12] = 1  # 3 and 2, of both of which Prime is seen
    >>> found = find_in_examples(Seen(task, evidence, truth))
    >>> found.maps, found.readings("D2")["D7"]
    (16, Fraction(1, 4))
    """
    return solve(problem_of_examples([seen] if isinstance(seen, Seen) else seen, encoder), effort)


def find_in_evidence(
    seen: Seen | Sequence[Seen], *, encoder: Encoder = ONE_FOR_ALL, effort: Effort = NO_END
) -> Shortcuts:
    """Find every map that agrees with the evidence of examples, whatever is true of them: no truth is looked at.

    Evidence may come from every world that it holds in; where it holds in none, as what is open holds now and then,
    from every state that the theory allows with it. All states that the theory allows are shown.

    >>> import moose, numpy as np
    >>> task = moose.regime("mnist1")
    >>> evidence = np.zeros((2, 1, 14), np.int8)
    >>> evidence[0, 0, 12], evidence[1, 0, 12] = 1, -1  # of every digit it is seen whether it is prime
    >>> find_in_evidence(Seen(task, evidence, np.zeros_like(evidence))).readings("D2")["D7"]
    Fraction(1, 4)
    """
    return solve(problem_of_evidence([seen] if isinstance(seen, Seen) else seen, encoder), effort)


def problem_of_evidence(several: Sequence[Seen], encoder: Encoder) -> Problem:
    """Find what evidence shows of all states that it may come from."""
    words = vocabulary_of([seen.task for seen in several])
    parts: list[Part] = []
    observations: list[Observation] = []
    counted: Counter[TrueState] = Counter()
    for seen in several:
        found = find_part_worlds(ShownTask(seen.task, Showing()), words)
        flat = [one.reshape(len(one), -1) for one in (seen.evidence, seen.role_evidence) if one is not None]
        first = np.unique(np.concatenate(flat, axis=1), axis=0, return_index=True)[1].tolist()
        rows = [(seen.evidence[row], None if seen.role_evidence is None else seen.role_evidence[row]) for row in first]
        for part, worlds in found:
            literals = {
                row_evidence(seen.task, part, one) | pair_evidence(seen.task, part, pairs) for one, pairs in rows
            }
            counted.update(place for states in dict.fromkeys(one.states for one in worlds) for place in states)
            observations += _shown_by_worlds(len(parts), part, worlds, literals, words)
            parts.append(part)
    return Problem(words, encoder, tuple(parts), tuple(strongest(observations)), frequencies(words, encoder, counted))


def _shown_by_worlds(
    number: int, part: Part, worlds: Sequence[TrueWorld], evidences: Iterable[frozenset[Literal]], words: Vocabulary
) -> Iterator[Observation]:
    """Yield everything that may be shown of a part: nothing of each world, and evidence of those it may come from."""
    nothing = frozenset[Literal]()
    yield from (Observation(number, world.states, nothing, world.roles) for world in worlds)
    known = [dict(world.observed) | part.truth.fixed for world in worlds]
    shown = {world.states for world in worlds}
    for evidence in evidences:
        fitting = [
            world for world, truth in zip(worlds, known) if all(truth.get(atom) == holds for atom, holds in evidence)
        ]
        if fitting:
            yield from (Observation(number, world.states, evidence, world.roles) for world in fitting)
            continue
        read = read_concepts(part.truth, part.individuals, words.latent)
        atoms = [Atom(name, (individual,)) for individual, names in read.items() for name in names]
        for values in completions(part.truth, atoms, dict(evidence)):
            states = tuple(
                (one, frozenset(name for name in names if values[Atom(name, (one,))])) for one, names in read.items()
            )
            if states in shown and not words.roles:
                yield Observation(number, states, evidence)


def problem_of_examples(several: Sequence[Seen], encoder: Encoder) -> Problem:
    """Find what examples show: the states that occur, each with the evidence there is of it."""
    words = vocabulary_of([seen.task for seen in several])
    parts: list[Part] = []
    observations: list[Observation] = []
    counted: Counter[TrueState] = Counter()
    for seen in several:
        first, task = len(parts), seen.task
        parts += task_parts(ShownTask(task, Showing()))
        arrays = [seen.truth, seen.evidence, *(one for one in (seen.role_truth, seen.role_evidence) if one is not None)]
        flat = np.concatenate([array.reshape(len(array), -1) for array in arrays], axis=1)
        _, rows, counts = np.unique(flat, axis=0, return_index=True, return_counts=True)
        for row, count in zip(rows.tolist(), counts.tolist()):
            states = row_states(task, words, seen.truth[row])
            for true_state in states.items():
                counted[true_state] += count
            for number, part in enumerate(parts[first:], start=first):
                chosen = tuple((name, states[name]) for name in part.individuals if name in states)
                held = row_roles(task, part, words, None if seen.role_truth is None else seen.role_truth[row])
                literals = row_evidence(task, part, seen.evidence[row])
                literals |= pair_evidence(task, part, None if seen.role_evidence is None else seen.role_evidence[row])
                observations.append(Observation(number, chosen, literals, held))
    return Problem(words, encoder, tuple(parts), tuple(strongest(observations)), frequencies(words, encoder, counted))


def row_states(task: Task, words: Vocabulary, signs: Signs) -> dict[str, State]:
    """Return the latent state of each individual of an example."""
    columns = [(column, concept.name) for column, concept in enumerate(task.concepts) if concept.name in words.latent]
    states: dict[str, State] = {}
    for index, individual in enumerate(task.individuals):
        own = [(column, name) for column, name in columns if task.has_concept[index, column] and task.has_input[index]]
        if not own:
            continue
        for column, name in own:
            if signs[index, column] == 0:
                raise UnknownTruth(
                    f"the truth of {Atom(name, (individual,))} is unknown in an example, and this needs the truth of "
                    "every latent concept; leave such examples out, or count what their evidence allows whatever is "
                    "true (`moose shortcuts TASK` with the data, `moose.shortcuts.model.examples.find_in_evidence`)"
                )
        states[individual] = state = frozenset(name for column, name in own if signs[index, column] > 0)
        has = dict(zip(map(frozenset, task.families), task.has_family[index].tolist()))
        for family in words.families:
            if has[frozenset(family)] and len(state & set(family)) != 1:
                raise MooseError(
                    f"{individual} is {words.text(state)} in an example, but each individual has one and only one of "
                    f"the family {', '.join(family)}; mend or leave out such examples, or the family"
                )
    return states


def row_evidence(task: Task, part: Part, signs: Signs) -> frozenset[Literal]:
    """Return the literals that are seen of the individuals of a part."""
    return frozenset(
        (Atom(concept.name, (individual,)), bool(signs[index, column] > 0))
        for index, individual in enumerate(task.individuals)
        if individual in part.individuals
        for column, concept in enumerate(task.concepts)
        if signs[index, column] != 0
    )


def row_roles(task: Task, part: Part, words: Vocabulary, signs: Signs | None) -> frozenset[Atom]:
    """Return the pairs of a part that truly are in latent roles that are read."""
    held = {atom for atom, truth in part.truth.fixed.items() if truth and atom.predicate in words.roles}
    roles, people = (
        {name: number for number, name in enumerate(names)}
        for names in ([role.name for role in task.role_predicates], task.individuals)
    )
    for atom in read_pairs(part.theory, words.roles):
        first, second = (people[name] for name in atom.arguments)
        sign = 0 if signs is None else int(signs[roles[atom.predicate], first, second])
        if sign == 0:
            raise UnknownTruth(
                f"the truth of {atom} is unknown in an example, and this needs the truth of every pair of a latent "
                "role; leave such examples out, or list the role as unread"
            )
        if sign > 0:
            held.add(atom)
    return frozenset(held)


def pair_evidence(task: Task, part: Part, signs: Signs | None) -> frozenset[Literal]:
    """Return the literals that are seen of pairs of a part."""
    literals = set[Literal]()
    if signs is None:
        return frozenset()
    for role, first, second in np.argwhere(signs != 0).tolist():
        pair = (task.individuals[first], task.individuals[second])
        if set(pair) <= set(part.individuals):
            literals.add((Atom(task.role_predicates[role].name, pair), bool(signs[role, first, second] > 0)))
    return frozenset(literals)
