"""Random theories about individuals: chains, trees, cycles, cliques, stars, and all that is odd about clauses."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists

Edges = list[tuple[int, int]]


@st.composite
def edges(draw: st.DrawFn, count: int) -> Edges:
    """Draw which individuals speak of each other."""
    shape = draw(st.sampled_from(["chain", "tree", "cycle", "clique", "star", "apart", "two trees"]))
    chain = [(i, i + 1) for i in range(count - 1)]
    if shape == "tree":
        return [(draw(st.integers(0, i - 1)), i) for i in range(1, count)]
    if shape == "cycle":
        return chain + ([(count - 1, 0)] if count > 2 else [])
    if shape == "clique":
        return list(combinations(range(count), 2))
    if shape == "star":
        return [(0, i) for i in range(1, count)]
    if shape == "two trees":
        return [edge for edge in chain if edge != (count // 2 - 1, count // 2)]
    return [] if shape == "apart" else chain


@st.composite
def theories(draw: st.DrawFn, most_atoms: int = 11, *, auxiliary: bool = True) -> Clauses:
    """Draw clauses each of which speaks of one individual, of an edge, or of a path of two edges.

    The same schema is used at several places, so that bags are often alike.
    """
    count = draw(st.integers(1, 5))
    joined = draw(edges(count))
    concepts = [f"C{k}" for k in range(draw(st.integers(1, 3)))]
    atoms = [Atom(concept, (f"i{i}",)) for i in range(count) for concept in concepts]
    if draw(st.booleans()):
        atoms += [Atom("r", (f"i{a}", f"i{b}")) for a, b in joined]
    if draw(st.integers(0, 9)) == 0:
        atoms += [Atom("fact", ()), Atom("self", ("i0", "i0"))]
    atoms = atoms[:most_atoms]
    positions = {atom: position for position, atom in enumerate(atoms)}
    rows: list[tuple[int, ...]] = []
    for _ in range(draw(st.integers(0, 5))):
        rows += draw(schemas(positions, count, joined))
    odd = st.lists(st.integers(1, len(atoms)).flatmap(lambda n: st.sampled_from([n, -n])), max_size=3).map(tuple)
    rows += draw(st.lists(odd.filter(lambda row: len(row) > 0), max_size=1))
    if draw(st.integers(0, 30)) == 0:
        rows.append(())
    rows += rows[: draw(st.integers(0, 2))]
    theory = clauses_from_lists(atoms, draw(st.permutations(rows)))
    if auxiliary and draw(st.booleans()):
        hidden = draw(st.sampled_from([*concepts, "r", "every second"]))
        chosen = [p for p, a in enumerate(atoms) if a.predicate == hidden or (hidden == "every second" and p % 2)]
        theory.kinds[chosen] = AtomKind.AUXILIARY
    return theory


@st.composite
def schemas(draw: st.DrawFn, positions: dict[Atom, int], count: int, joined: Edges) -> list[tuple[int, ...]]:
    """Draw one clause in variables, and instantiate it at all, or most, of the places that it fits."""
    span = draw(st.integers(1, 3))
    predicates = sorted({atom.predicate for atom in positions})
    slots = st.tuples(st.sampled_from(predicates), st.integers(0, span - 1), st.integers(0, span - 1), st.booleans())
    literals = draw(st.lists(slots, min_size=1, max_size=4))
    both = {*joined, *((b, a) for a, b in joined)}
    places = [place for place in permutations(range(count), span) if all(edge in both for edge in pairwise(place))]
    rows = []
    for place in places:
        row = []
        for predicate, first, second, is_positive in literals:
            names = (f"i{place[first]}",), (f"i{place[first]}", f"i{place[second]}"), ()
            atom = next((Atom(predicate, n) for n in names if Atom(predicate, n) in positions), None)
            if atom is None:
                break
            row.append(positions[atom] + 1 if is_positive else -positions[atom] - 1)
        else:
            rows.append(tuple(row))
    skip = draw(st.integers(0, 8))
    return [row for number, row in enumerate(rows) if number != skip]


def truth_table(theory: Clauses) -> npt.NDArray[np.bool_]:
    """Return for each world over the atoms that are not auxiliary whether some extension of it satisfies all clauses.

    World w gives visible atom k the truth of bit k of w.
    """
    count = len(theory.atoms)
    worlds = np.arange(2**count)
    holds = np.ones(2**count, dtype=bool)
    for clause in theory:
        satisfied = np.zeros(2**count, dtype=bool)
        for literal in clause:
            satisfied |= (worlds >> (abs(literal) - 1) & 1) == (literal > 0)
        holds &= satisfied
    visible = np.flatnonzero(theory.kinds != AtomKind.AUXILIARY)
    seen = sum((worlds >> atom & 1) << place for place, atom in enumerate(visible.tolist()))
    table = np.zeros(2 ** len(visible), dtype=bool)
    np.logical_or.at(table, np.broadcast_to(seen, holds.shape), holds)
    return table


def diagram_table(diagram: Diagram) -> npt.NDArray[np.bool_]:
    """Evaluate a diagram in every world; fail unless it is deterministic, decomposable and in topological order."""
    count = diagram.atom_count
    worlds = np.arange(2**count)
    bits = [(worlds >> atom & 1).astype(bool) for atom in range(count)]
    values = [*bits, *(~bit for bit in bits), np.ones(2**count, bool), np.zeros(2**count, bool)]
    scopes = [{atom} for atom in range(count)] * 2 + [set(), set()]
    for decision in range(diagram.decision_count):
        start, stop = diagram.starts[decision : decision + 2].tolist()
        assert start < stop, "a decision without elements"
        total = np.zeros(2**count, dtype=int)
        scope: set[int] = set()
        for prime, sub in zip(diagram.primes[start:stop].tolist(), diagram.subs[start:stop].tolist()):
            assert max(prime, sub) < len(values), "not in topological order"
            assert diagram.false not in {prime, sub}, "a false element"
            assert scopes[prime].isdisjoint(scopes[sub]), "not decomposable"
            scope |= scopes[prime] | scopes[sub]
            total += values[prime] & values[sub]
        assert total.max(initial=0) <= 1, "not deterministic"
        values.append(total.astype(bool))
        scopes.append(scope)
    return values[diagram.root]


# ── Digits ────────────────────────────────────────────────────────────────────────────────────────────────────────

PROPERTIES = {"Even": {0, 2, 4, 6, 8}, "Odd": {1, 3, 5, 7, 9}, "Prime": {2, 3, 5, 7}, "Composite": {4, 6, 8, 9}}


def digits(count: int, successors: Edges) -> Clauses:
    """Return the theory of `count` digits with four properties, where the second of each edge succeeds the first.

    These are the paper's clauses of experiment 1 for each digit, and D0 → D1, …, D9 → D0 in both directions per edge.
    """
    names = [f"D{k}" for k in range(10)] + list(PROPERTIES)
    atoms = [Atom(name, (f"i{i}",)) for i in range(count) for name in names]
    rows: list[tuple[int, ...]] = []
    for first in range(1, 14 * count, 14):
        rows += [(-(first + d), first + 10 + p) for p, held in enumerate(PROPERTIES.values()) for d in sorted(held)]
        rows += [(-(first + 10), -(first + 11)), (-(first + 12), -(first + 13))]
        rows += [(-(first + i), -(first + j)) for i, j in combinations(range(10), 2)]
        rows.append(tuple(range(first, first + 10)))
        rows += [_profile(first, digit) for digit in (0, 1, 2, 3, 4, 9)]
    for a, b in successors:
        for d in range(10):
            this, following = 14 * a + 1 + d, 14 * b + 1 + (d + 1) % 10
            rows += [(-this, following), (-following, this)]
    return clauses_from_lists(atoms, rows)


def _profile(first: int, digit: int) -> tuple[int, ...]:
    """Say that who has the properties of a digit, and lacks those it lacks, is one of the digits like it."""
    profile = [digit in held for held in PROPERTIES.values()]
    alike = [d for d in range(10) if [d in held for held in PROPERTIES.values()] == profile]
    signs = [-(first + 10 + p) if has else first + 10 + p for p, has in enumerate(profile)]
    return (*signs, *(first + d for d in alike))


def model_count(diagram: Diagram) -> int:
    """Count the models of a diagram exactly, as integers over 2ⁿ: each literal is true in half of the worlds."""
    half = 1 << diagram.atom_count
    values = [half // 2] * (2 * diagram.atom_count) + [half, 0]
    primes, subs = diagram.primes.tolist(), diagram.subs.tolist()
    starts = diagram.starts.tolist()
    for start, stop in pairwise(starts):
        values.append(sum(values[primes[e]] * values[subs[e]] for e in range(start, stop)) // half)
    return values[diagram.root]
