"""The constraints of a map: for everything a regime shows, what is predicted must agree with theory and evidence.

A variable says that a concept is predicted where some state is true: `D5` of the state `D3`. For each world that is
shown, the theory is copied with these variables in the place of latent atoms, and with the evidence in the place of
what is observed; whatever else the theory speaks of is quantified away by the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np

from moose.base.unit_propagation import Clause, simplify_clauses
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Origin, pack
from moose.shortcuts.problem.options import Encoder
from moose.shortcuts.problem.states import State, Vocabulary
from moose.shortcuts.problem.worlds import Part, has_one_member, read_concepts

GLANCE = 100
"""Copies of the theory between two looks at the clock."""
Equal = tuple[tuple[str, str], ...]
"""Pairs of concepts of which both or neither are to be predicted."""


class Reader(NamedTuple):
    """What an encoder looks at: the true value of a variable, or the whole state, of an individual."""

    owner: str
    """The individual, or nothing where one encoder reads all."""
    variable: int
    """The variable that is read, -1 for all of them."""
    value: State


class Observation(NamedTuple):
    """One thing that is shown: the individuals of a part, what they truly are, and what is seen of them."""

    part: int
    states: tuple[tuple[str, State], ...]
    evidence: frozenset[tuple[Atom, bool]]


@dataclass(frozen=True, eq=False)
class Lens:
    """How predictions depend on what is true: which variable is read for which."""

    vocabulary: Vocabulary
    encoder: Encoder
    sources: tuple[int, ...]
    """For each variable the one that is read for it; used unless the whole state is read."""

    def reader(self, individual: str, state: State, variable: int) -> Reader:
        """Return what is looked at to predict a variable of an individual that truly is in some state."""
        owner = "" if self.encoder.is_shared else individual
        if self.encoder.reads == "whole":
            return Reader(owner, -1, state)
        source = self.sources[variable]
        return Reader(owner, source, state & frozenset(self.vocabulary.variables[source]))

    def atom(self, individual: str, state: State, concept: str) -> Atom:
        """Return the variable that says whether a concept is predicted of an individual in a state."""
        reader = self.reader(individual, state, self.vocabulary.variable_of[concept])
        return Atom(concept, (self.text(reader),))

    def text(self, reader: Reader) -> str:
        """Spell what is read."""
        words = self.vocabulary
        value = (
            words.text(reader.value)
            if reader.variable < 0
            else words.value_text(words.variables[reader.variable], reader.value)
        )
        return f"{reader.owner}: {value}" if reader.owner else value

    def readers(self, observations: Iterable[Observation]) -> list[tuple[Reader, int]]:
        """Return everything that is read, with the variable that is predicted from it (-1 for all)."""
        pairs: dict[tuple[Reader, int], None] = {}
        whole = self.encoder.reads == "whole"
        for observation in observations:
            for individual, state in observation.states:
                for variable in (0,) if whole else range(len(self.vocabulary.variables)):
                    pairs[self.reader(individual, state, variable), -1 if whole else variable] = None
        order = self.vocabulary.sort_key
        return sorted(pairs, key=lambda one: (one[0].owner, one[1], order(one[0].value)))


@dataclass
class Draft:
    """Clauses as they come about, over atoms that get their numbers when they are first used."""

    numbers: dict[Atom, int] = field(default_factory=dict)
    auxiliary: set[int] = field(default_factory=set)
    clauses: list[Clause] = field(default_factory=list)

    def number(self, atom: Atom) -> int:
        """Return the number of an atom."""
        return self.numbers.setdefault(atom, len(self.numbers) + 1)

    def fresh(self, atom: Atom) -> int:
        """Return the number of an atom that is to be quantified away."""
        number = self.number(atom)
        self.auxiliary.add(number)
        return number


def map_clauses(
    parts: Sequence[Part],
    observations: Sequence[Observation],
    lens: Lens,
    *,
    equal: Equal = (),
    watch: Callable[[float], None] | None = None,
) -> Clauses | None:
    """Return the constraints of a map on everything that is shown; none if no map meets them.

    `watch` is told now and then which share of it is done, and may raise to stop.
    """
    draft = Draft()
    words = lens.vocabulary
    readers = lens.readers(observations)
    for reader, variable in readers:
        for concept in words.latent if variable < 0 else words.variables[variable]:
            draft.number(Atom(concept, (lens.text(reader),)))
    for number, observation in enumerate(observations):
        if watch is not None and number % GLANCE == 0:
            watch(number / len(observations))
        copy_theory(draft, parts[observation.part], observation, lens, number)
    for reader, variable in readers:
        for one, other in equal:
            if variable < 0 or one in words.variables[variable]:
                first, second = (draft.number(Atom(name, (lens.text(reader),))) for name in (one, other))
                draft.clauses += [(-first, second), (first, -second)]
    if lens.encoder.is_injective:
        for variable, group in _groups(readers):
            concepts = words.latent if variable < 0 else words.variables[variable]
            is_closed = concepts in words.families and all(has_one_member(part, concepts) for part in parts)
            keep_apart(draft, [lens.text(reader) for reader in group], concepts, is_closed=is_closed)
    return finish(draft)


def copy_theory(draft: Draft, part: Part, observation: Observation, lens: Lens, number: int) -> None:
    """Copy the theory of a part for one thing that is shown."""
    states, evidence = dict(observation.states), dict(observation.evidence)
    latent = lens.vocabulary.variable_of
    meaning: list[int | bool] = []
    for atom, kind in zip(part.theory.atoms, part.theory.kinds.tolist()):
        if kind == AtomKind.LATENT and atom.predicate in latent:
            meaning.append(draft.number(lens.atom(atom.arguments[0], states[atom.arguments[0]], atom.predicate)))
        elif atom in evidence:
            meaning.append(evidence[atom])
        else:
            seen = (name for name in atom.arguments if name in states)
            readers = dict.fromkeys(lens.text(lens.reader(name, states[name], 0)) for name in seen)
            meaning.append(draft.fresh(Atom(f"{atom} in {number}", tuple(readers))))
    for individual, names in read_concepts(part.theory, part.individuals, lens.vocabulary.latent).items():
        for name in lens.vocabulary.latent:
            if name not in names:  # nothing is said of what the individual's kind lacks
                draft.clauses.append((-draft.number(lens.atom(individual, states[individual], name)),))
    for clause in (*part.theory, *((literal,) for literal in part.theory.given)):
        copied = _substituted(clause, meaning)
        if copied is not None:
            draft.clauses.append(copied)
    for atom, truth in (*evidence.items(), *part.theory.fixed.items()):
        if len(atom.arguments) == 1 and atom.predicate in latent and atom.arguments[0] in states:
            variable = draft.number(lens.atom(atom.arguments[0], states[atom.arguments[0]], atom.predicate))
            draft.clauses.append((variable if truth else -variable,))
        elif part.theory.known_truth(atom) == (not evidence.get(atom, truth)):
            draft.clauses.append(())  # the theory itself says otherwise


def _substituted(clause: Sequence[int], meaning: Sequence[int | bool]) -> Clause | None:
    """Put what atoms stand for in their place; none if the clause holds anyway."""
    literals = []
    for literal in clause:
        value = meaning[abs(literal) - 1]
        if isinstance(value, bool):
            if value == (literal > 0):
                return None
        else:
            literals.append(value if literal > 0 else -value)
    return tuple(literals)


def keep_apart(draft: Draft, readers: Sequence[str], concepts: Sequence[str], *, is_closed: bool) -> None:
    """Say that what is predicted from different readers differs."""
    for one, other in combinations(readers, 2):
        pairs = [(draft.number(Atom(name, (one,))), draft.number(Atom(name, (other,)))) for name in concepts]
        if is_closed:  # each has one and only one member
            draft.clauses += ((-first, -second) for first, second in pairs)
            continue
        differs = [draft.fresh(Atom(f"{name} differs", (one, other))) for name in concepts]
        for apart, (first, second) in zip(differs, pairs):
            draft.clauses += [(-apart, first, second), (-apart, -first, -second)]
        draft.clauses.append(tuple(differs))


def _groups(readers: Sequence[tuple[Reader, int]]) -> list[tuple[int, list[Reader]]]:
    """Part readers by what is predicted from them; encoders of different individuals do not compete."""
    groups: dict[tuple[str, int], list[Reader]] = {}
    for reader, variable in readers:
        groups.setdefault((reader.owner, variable), []).append(reader)
    return [(variable, group) for (_, variable), group in groups.items()]


def finish(draft: Draft) -> Clauses | None:
    """Settle what leaves no choice, and number the rest."""
    settled = simplify_clauses(draft.clauses)
    if settled is None:
        return None
    holds, rest = settled
    used = {abs(literal) for clause in rest for literal in clause}
    fixed: dict[Atom, bool] = {}
    kept: dict[int, int] = {}
    atoms: list[Atom] = []
    for atom, number in draft.numbers.items():
        is_hidden = number in draft.auxiliary
        if not is_hidden and (number in holds or -number in holds):
            fixed[atom] = number in holds
        elif number in used or not is_hidden:
            atoms.append(atom)
            kept[number] = len(atoms)
    literals, starts = pack([kept[abs(literal)] * (1 if literal > 0 else -1) for literal in clause] for clause in rest)
    hidden = [number in draft.auxiliary for number in kept]
    return Clauses(
        atoms=tuple(atoms),
        kinds=np.where(hidden, AtomKind.AUXILIARY, AtomKind.LATENT).astype(np.int8),
        literals=literals,
        starts=starts,
        origins=np.full(len(rest), Origin.ENTAILED, dtype=np.int8),
        fixed=fixed,
        given=(),
        families=(),
        assumptions=(),
    )


def strongest(observations: Iterable[Observation]) -> list[Observation]:
    """Leave out what says less than another observation of the same states."""
    groups: dict[tuple[int, tuple[tuple[str, State], ...]], list[frozenset[tuple[Atom, bool]]]] = {}
    for observation in observations:
        groups.setdefault((observation.part, observation.states), []).append(observation.evidence)
    kept_observations = []
    for (part, states), evidences in groups.items():
        kept: list[frozenset[tuple[Atom, bool]]] = []
        for evidence in sorted(dict.fromkeys(evidences), key=lambda one: (-len(one), sorted(one))):
            if not any(evidence <= other for other in kept):
                kept.append(evidence)
        kept_observations += [Observation(part, states, evidence) for evidence in kept]
    return kept_observations


def literal_sets(
    observed: Mapping[Atom, bool], *, positive: bool, most: int | None
) -> list[frozenset[tuple[Atom, bool]]]:
    """Return the largest sets of true literals that can be seen at once."""
    literals = [(atom, truth) for atom, truth in observed.items() if truth or not positive]
    if most is None or most >= len(literals):
        return [frozenset(literals)]
    return [frozenset(chosen) for chosen in combinations(literals, most)]
