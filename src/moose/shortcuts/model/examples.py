"""Shortcuts under the evidence that a data set really has, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
from moose.shortcuts.problem.problem import Problem, ShownTask, TrueState, frequencies, task_parts, vocabulary_of
from moose.shortcuts.problem.states import State, Vocabulary
from moose.shortcuts.problem.worlds import Part, read_pairs


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
                if seen.role_evidence is not None:
                    literals |= pair_evidence(task, part, seen.role_evidence[row])
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
                raise MooseError(
                    f"the truth of {name}({individual}) is unknown in an example; shortcuts need the truth of every "
                    "latent concept, so leave such examples out"
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


def row_evidence(task: Task, part: Part, signs: Signs) -> frozenset[tuple[Atom, bool]]:
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
            raise MooseError(
                f"the truth of {atom} is unknown in an example; shortcuts need the truth of every pair of a latent "
                "role, so leave such examples out, or list the role as unread"
            )
        if sign > 0:
            held.add(atom)
    return frozenset(held)


def pair_evidence(task: Task, part: Part, signs: Signs) -> frozenset[tuple[Atom, bool]]:
    """Return the literals that are seen of pairs of a part."""
    literals = set[tuple[Atom, bool]]()
    for role, first, second in np.argwhere(signs != 0).tolist():
        pair = (task.individuals[first], task.individuals[second])
        if set(pair) <= set(part.individuals):
            literals.add((Atom(task.role_predicates[role].name, pair), bool(signs[role, first, second] > 0)))
    return frozenset(literals)
