"""The constraints of a map: for everything a regime shows, what is predicted must agree with theory and evidence.

A variable says that a concept is predicted where some state is true: `D5` of the state `D3`. For each world that is
shown, the theory is copied with these variables in the place of latent atoms, and with the evidence in the place of
what is observed; whatever else the theory speaks of is quantified away by the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from moose.base.unit_propagation import Clause, simplify_clauses
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Origin, pack
from moose.shortcuts.problem.observations import Lens, Observation, Reader
from moose.shortcuts.problem.worlds import Part, has_one_member, read_concepts, read_pairs

GLANCE = 100
"""Copies of the theory between two looks at the clock."""
Equal = tuple[tuple[str, str], ...]
"""Pairs of concepts of which both or neither are to be predicted."""


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
    variables = predicted_atoms(draft, part, observation, lens)
    meaning: list[int | bool] = []
    for atom in part.theory.atoms:
        if atom in variables:
            meaning.append(variables[atom])
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
        if atom in variables:
            draft.clauses.append((variables[atom] if truth else -variables[atom],))
        elif part.theory.known_truth(atom) == (not evidence.get(atom, truth)):
            draft.clauses.append(())  # the theory itself says otherwise


def predicted_atoms(draft: Draft, part: Part, observation: Observation, lens: Lens) -> dict[Atom, int]:
    """Return the variables of the atoms that a map predicts: latent concepts, and roles that are read from pairs."""
    states, latent = dict(observation.states), lens.vocabulary.variable_of
    variables: dict[Atom, int] = {}
    read = [atom for atom, kind in zip(part.theory.atoms, part.theory.kinds.tolist()) if kind == AtomKind.LATENT]
    for atom in (*read, *part.theory.fixed):
        if len(atom.arguments) == 1 and atom.predicate in latent and atom.arguments[0] in states:
            variables[atom] = draft.number(lens.atom(atom.arguments[0], states[atom.arguments[0]], atom.predicate))
    for atom in read_pairs(part.theory, lens.vocabulary.roles):
        variables[atom] = draft.number(lens.role_atom(atom, observation))
    return variables


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
