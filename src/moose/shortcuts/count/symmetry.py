"""Symmetries of a theory, and maps counted up to them.

A symmetry renames latent concepts so that what each evidence allows stays the same. Two maps are the same up to it if
one is the other with its predictions renamed. By Burnside's lemma there are as many classes as maps that a symmetry
leaves as they are, on average over all symmetries. Concepts that are never predicted keep their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from moose.base.errors import LimitReached, MooseError
from moose.grounding.atoms import Atom
from moose.shortcuts.count.find_shortcuts import NO_END, Effort, solve_or_none
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.problem.constraints import Equal
from moose.shortcuts.problem.problem import Problem
from moose.shortcuts.problem.states import State, Vocabulary
from moose.shortcuts.problem.worlds import Part, completions, read_concepts

MOST_ROWS = 20_000
"""Joint states that evidence allows, of all evidence together."""
MOST_SYMMETRIES = 10_000

Renaming = tuple[int, ...]
"""For each latent concept, by its index, the one it is renamed to."""
Rows = frozenset[tuple[State, ...]]


def find_symmetries(problem: Problem) -> list[dict[str, str]]:
    """Return every renaming of latent concepts, families into families, that keeps what evidence allows."""
    words = problem.vocabulary
    return [
        {name: words.latent[image] for name, image in zip(words.latent, one)}
        for one in _search(problem, _allowed(problem))
    ]


def count_up_to_symmetry(shortcuts: Shortcuts, effort: Effort = NO_END) -> int:
    """Count maps, those that differ by a symmetry of the theory once.

    >>> import moose
    >>> count_up_to_symmetry(moose.find_shortcuts(moose.regime("mnist1")))
    25
    """
    if shortcuts.problem.vocabulary.roles:
        raise MooseError(
            f"maps up to symmetry are those of concepts, but {shortcuts.problem.vocabulary.roles[0]} is a latent role; "
            "leave symmetries out, or list the role as unread"
        )
    symmetries = find_symmetries(shortcuts.problem)
    fixed: dict[Equal, int] = {}
    total = 0
    for one in symmetries:
        equal = tuple((name, image) for name, image in one.items() if name != image)
        key = _cycles(equal)
        if key not in fixed:
            kept = solve_or_none(shortcuts.problem, effort, equal=key) if key else shortcuts
            fixed[key] = 0 if kept is None else kept.maps
        total += fixed[key]
    return total // len(symmetries)


def _cycles(moved: Equal) -> Equal:
    """Return the cycles of a renaming as pairs of a smallest member with another: all that a count depends on."""
    image = dict(moved)
    pairs: set[tuple[str, str]] = set()
    for name in image:
        cycle = [name]
        while (following := image[cycle[-1]]) != name:
            cycle.append(following)
        pairs.update((min(cycle), other) for other in cycle if other != min(cycle))
    return tuple(sorted(pairs))


def _allowed(problem: Problem) -> list[Rows]:
    """Return the joint states that each evidence allows."""
    allowed: list[Rows] = []
    total = 0
    for number, evidence in dict.fromkeys(
        (observation.part, observation.evidence) for observation in problem.observations
    ):
        rows = frozenset(allowed_states(problem.parts[number], problem.vocabulary, dict(evidence), MOST_ROWS))
        total += len(rows)
        if total > MOST_ROWS:
            raise LimitReached(
                f"evidence allows more than {MOST_ROWS:,} joint states, too many to look for symmetries in; "
                "count without them"
            )
        allowed.append(rows)
    return allowed


def allowed_states(part: Part, words: Vocabulary, evidence: dict[Atom, bool], most: int) -> Iterator[tuple[State, ...]]:
    """Yield the joint latent states of a part that theory and evidence allow, at most `most` and one more."""
    read = read_concepts(part.theory, part.individuals, words.latent)
    atoms = [Atom(name, (individual,)) for individual, names in read.items() for name in names]
    for count, values in enumerate(completions(part.theory, atoms, evidence)):
        if count > most:
            return
        yield tuple(
            frozenset(name for name in names if values[Atom(name, (individual,))]) for individual, names in read.items()
        )


@dataclass(frozen=True, eq=False)
class _Marks:
    """What a renaming must keep of each pair of concepts: how often they hold together, and in which variable."""

    pairs: list[list[tuple[int, ...]]]

    @classmethod
    def of(cls, words: Vocabulary, allowed: Sequence[Rows]) -> _Marks:
        size = len(words.latent)
        pairs: list[list[tuple[int, ...]]] = [[() for _ in range(size)] for _ in range(size)]
        for one, other in product(range(size), repeat=2):
            first, second = words.latent[one], words.latent[other]
            counts = [
                sum(first in row[left] and second in row[right] for row in rows)
                for rows in allowed
                for left, right in product(range(len(next(iter(rows), ()))), repeat=2)
            ]
            is_family = words.variables[words.variable_of[first]] in words.families
            together = words.variable_of[first] == words.variable_of[second]
            pairs[one][other] = (int(is_family), int(together), *counts)
        return cls(pairs)


def _search(problem: Problem, allowed: Sequence[Rows]) -> list[Renaming]:
    """Extend renamings concept by concept as long as pairs agree, and check those that are whole."""
    words = problem.vocabulary
    marks = _Marks.of(words, allowed).pairs
    size = len(words.latent)
    used = {name for rows in allowed for row in rows for state in row for name in state}
    symmetries: list[Renaming] = []
    agenda: list[Renaming] = [()]
    while agenda:
        images = agenda.pop()
        index = len(images)
        if index == size:
            if _keeps(words, images, allowed):
                symmetries.append(images)
            if len(symmetries) > MOST_SYMMETRIES:
                raise LimitReached(f"the theory has more than {MOST_SYMMETRIES:,} symmetries; count without them")
            continue
        for image in reversed(range(size)):
            is_used = words.latent[image] in used and words.latent[index] in used
            if (
                image in images
                or (image != index and not is_used)
                or (
                    problem.encoder.reads != "whole"
                    and words.variable_of[words.latent[image]] != words.variable_of[words.latent[index]]
                )
            ):
                continue
            further = (*images, image)
            if all(
                marks[other][index] == marks[further[other]][image]
                and marks[index][other] == marks[image][further[other]]
                for other in range(index + 1)
            ):
                agenda.append(further)
    return symmetries


def _keeps(words: Vocabulary, images: Renaming, allowed: Sequence[Rows]) -> bool:
    image = {name: words.latent[index] for name, index in zip(words.latent, images)}
    return all(
        {tuple(frozenset(image[name] for name in state) for state in row) for row in rows} == rows for rows in allowed
    )
