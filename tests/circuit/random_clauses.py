"""Random theories over ground atoms, random weights and random evidence."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
from hypothesis import strategies as st

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Origin, clauses_from_lists
from tests.circuit.brute_force import Pair

FRACTIONS = [Fraction(n, d) for d in (1, 2, 3, 7, 10) for n in range(d + 1)] + [Fraction(1, 1000), Fraction(999, 1000)]
"""Probabilities to draw from, zero and one among them."""


@st.composite
def ground_atoms(draw: st.DrawFn, *, most: int = 16) -> list[Atom]:
    """Draw the ground atoms of one to four individuals, concepts first, then roles between different ones."""
    individuals = "abcd"[: draw(st.integers(1, 4))]
    concepts = "ABCDEFGH"[: draw(st.integers(1, 8))]
    roles = "rs"[: draw(st.integers(0, 2))]
    atoms = [Atom(concept, (individual,)) for individual in individuals for concept in concepts]
    atoms += [Atom(role, pair) for role in roles for pair in permutations(individuals, 2)]
    return atoms[: draw(st.integers(1, most))]


@st.composite
def clause_lists(draw: st.DrawFn, atoms: list[Atom]) -> list[tuple[int, ...]]:
    """Draw clauses: some as they come, some stated once and repeated at each individual, as grounding does."""
    positions = {atom: position for position, atom in enumerate(atoms)}
    literal = st.integers(1, len(atoms)).flatmap(lambda k: st.sampled_from([k, -k]))
    loose = draw(st.lists(st.lists(literal, min_size=1, max_size=4, unique_by=abs), max_size=len(atoms)))
    clauses = [tuple(clause) for clause in loose]
    concepts = sorted({atom.predicate for atom in atoms if len(atom.arguments) == 1})
    individuals = sorted({atom.arguments[0] for atom in atoms})
    signed = st.tuples(st.sampled_from(concepts), st.booleans())
    for rule in draw(st.lists(st.lists(signed, min_size=2, max_size=3, unique_by=lambda pair: pair[0]), max_size=4)):
        for individual in individuals:
            ground = [(positions.get(Atom(concept, (individual,))), truth) for concept, truth in rule]
            if all(position is not None for position, _ in ground):
                clauses.append(tuple((p + 1) * (1 if truth else -1) for p, truth in ground if p is not None))
    return clauses


@st.composite
def clause_sets(draw: st.DrawFn, *, most: int = 10, auxiliary: bool = False, given: bool = False) -> Clauses:
    """Draw a theory; with auxiliary atoms or given literals only where asked. It may have no model."""
    atoms = draw(ground_atoms(most=most))
    clauses = clauses_from_lists(atoms, draw(clause_lists(atoms)))
    origins = draw(st.lists(st.sampled_from(list(Origin)), min_size=len(clauses), max_size=len(clauses)))
    clauses = replace(clauses, origins=np.array(origins, dtype=np.int8))
    if auxiliary:
        kinds = draw(st.lists(st.sampled_from(list(AtomKind)), min_size=len(atoms), max_size=len(atoms)))
        clauses = replace(clauses, kinds=np.array(kinds, dtype=np.int8))
    if given:
        visible = [k for k, kind in enumerate(clauses.kinds.tolist()) if kind != AtomKind.AUXILIARY]
        chosen = draw(st.dictionaries(st.sampled_from(visible), st.booleans(), max_size=2)) if visible else {}
        clauses = replace(clauses, given=tuple(k + 1 if truth else -(k + 1) for k, truth in chosen.items()))
    return clauses


def probabilities() -> st.SearchStrategy[Fraction]:
    """Draw a probability, exactly 0 and exactly 1 included."""
    return st.sampled_from(FRACTIONS)


def weight_pairs(size: int, *, both_zero: bool = True) -> st.SearchStrategy[list[Pair]]:
    """Draw the weights of so many atoms: mostly summing to one, some not, some with both zero where allowed."""
    proper = probabilities().map(lambda p: (p, 1 - p))
    loose = st.tuples(probabilities(), probabilities().map(lambda p: 3 * p))
    pair: st.SearchStrategy[Pair] = st.one_of(proper, proper, loose)
    if not both_zero:
        pair = pair.filter(lambda weights: weights[0] + weights[1] > 0)
    return st.lists(pair, min_size=size, max_size=size)


def evidence_on(size: int, *, most: int = 3) -> st.SearchStrategy[dict[int, bool]]:
    """Draw the truth of a few atoms, by position."""
    if size == 0:
        return st.just({})
    return st.dictionaries(st.integers(0, size - 1), st.booleans(), max_size=most)
