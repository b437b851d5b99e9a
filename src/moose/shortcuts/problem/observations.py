"""What is shown of true states, and how an encoder reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from moose.grounding.atoms import Atom
from moose.shortcuts.problem.options import Encoder
from moose.shortcuts.problem.states import NOTHING, State, Vocabulary


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
    roles: frozenset[Atom] = frozenset()
    """The pairs that truly are in latent roles that are read."""


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

    def role_atom(self, atom: Atom, observation: Observation) -> Atom:
        """Return the variable that says whether a pair is predicted to be in a role.

        That depends on the true states of the two, and on the roles that they truly are in; of who has no state, on
        who it is.
        """
        states = dict(observation.states)
        both = atom.arguments
        names = [
            self.text(Reader("" if self.encoder.is_shared else one, -1, states[one])) if one in states else one
            for one in both
        ]
        held = [role for role in self.vocabulary.roles if Atom(role, both) in observation.roles]
        return Atom(atom.predicate, (*names, " + ".join(held) or NOTHING))

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


def strongest(observations: Iterable[Observation]) -> list[Observation]:
    """Leave out what says less than another observation of the same states."""
    groups: dict[Observation, list[frozenset[tuple[Atom, bool]]]] = {}
    for observation in observations:
        groups.setdefault(observation._replace(evidence=frozenset()), []).append(observation.evidence)
    kept_observations = []
    for key, evidences in groups.items():
        kept: list[frozenset[tuple[Atom, bool]]] = []
        for evidence in sorted(dict.fromkeys(evidences), key=lambda one: (-len(one), sorted(one))):
            if not any(evidence <= other for other in kept):
                kept.append(evidence)
        kept_observations += [key._replace(evidence=evidence) for evidence in kept]
    return kept_observations


def literal_sets(
    observed: Mapping[Atom, bool], *, positive: bool, most: int | None
) -> list[frozenset[tuple[Atom, bool]]]:
    """Return the largest sets of true literals that can be seen at once."""
    literals = [(atom, truth) for atom, truth in observed.items() if truth or not positive]
    if most is None or most >= len(literals):
        return [frozenset(literals)]
    return [frozenset(chosen) for chosen in combinations(literals, most)]
