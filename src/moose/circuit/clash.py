"""Why evidence has no model: literals and clauses that cannot hold together, none of which can be left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import ContradictoryEvidence
from moose.base.unit_propagation import ASSUMED, Propagation, Theory, propagate
from moose.grounding.clauses import Clauses, Origin, Pointers

if TYPE_CHECKING:
    from pysat.solvers import Solver

SOLVER = "glucose4"
"""Deterministic, solves under assumptions and says which of them it used."""
MOST_NAMED = 8
"""Literals and implications that a message names; the error itself carries all."""

Index = tuple[Pointers, Pointers]
"""Where the clauses of each literal start, and the clauses: see `clauses_by_literal`."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Leave out any one of these literals and clauses, and the rest has a model."""

    literals: tuple[int, ...]
    clauses: tuple[int, ...]
    """Their indices."""


def find_clash(clauses: Clauses, literals: Sequence[int]) -> Clash | None:
    """Find a clash of literals with clauses of which nothing can be left out, none if they have a common model.

    The nearest contradiction is looked for by unit propagation, which finds all there are in Horn clauses. Then the
    literals are thinned out against all clauses, so that none is named that the others can do without, and last the
    clauses: those of the propagation if they suffice, else those in growing circles around the literals.
    """
    empty = np.flatnonzero(np.diff(clauses.starts) == 0)
    if empty.size:
        return Clash((), (int(empty[0]),))
    index = clauses_by_literal(clauses)
    near = _nearest_contradiction(clauses, index, literals)
    core = _clashing_literals(clauses, literals if near is None else near[0])
    if core is None:
        return None
    circles = chain([] if near is None else [near[1]], _circles(clauses, index, core))
    clashes = (_irreducible(clauses, circle, core) for circle in circles)
    return next(clash for clash in clashes if clash is not None)


def clauses_by_literal(clauses: Clauses) -> Index:
    """Return which clauses have each literal: those of atom k are `members[starts[2 * k]:starts[2 * k + 1]]`.

    Those of its negation follow, up to `starts[2 * k + 2]`.
    """
    owners = np.repeat(np.arange(len(clauses), dtype=np.int64), np.diff(clauses.starts))
    slots = 2 * (np.abs(clauses.literals) - 1) + (clauses.literals < 0)
    starts = np.zeros(2 * len(clauses.atoms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(slots, minlength=2 * len(clauses.atoms)), out=starts[1:])
    return starts, owners[np.argsort(slots, kind="stable")]


class ClausePropagation:
    """Unit propagation over the same clauses again and again."""

    def __init__(self, clauses: Clauses, index: Index | None = None) -> None:
        starts, members = clauses_by_literal(clauses) if index is None else index
        flat, bounds = clauses.literals.tolist(), clauses.starts.tolist()

        def clauses_with(literal: int) -> list[int]:
            slot = 2 * (abs(literal) - 1) + (literal < 0)
            indices: list[int] = members[starts[slot] : starts[slot + 1]].tolist()
            return indices

        sizes = np.diff(clauses.starts)
        self.theory = Theory(lambda number: flat[bounds[number] : bounds[number + 1]], clauses_with)
        self._units = [(flat[bounds[k]], k) for k in np.flatnonzero(sizes == 1).tolist()]
        empty = np.flatnonzero(sizes == 0).tolist()
        self._contradiction = Propagation({}, (0,), empty[0]) if empty else None

    def from_literals(self, literals: Iterable[int]) -> Propagation:
        """Draw conclusions from literals and the clauses."""
        facts = chain(((literal, ASSUMED) for literal in literals), self._units)
        return self._contradiction or propagate(self.theory, facts)


def _nearest_contradiction(
    clauses: Clauses, index: Index, literals: Sequence[int]
) -> tuple[list[int], list[int]] | None:
    """Return literals and clauses that unit propagation shows to contradict each other, none if it shows nothing."""
    propagation = ClausePropagation(clauses, index)
    result = propagation.from_literals(literals)
    return result.premises(propagation.theory) if result.clashing else None


def _clashing_literals(clauses: Clauses, literals: Sequence[int]) -> list[int] | None:
    """Return literals that clash with all clauses, none of which can be left out; none if there is no clash."""
    from pysat.solvers import Solver

    with Solver(SOLVER, bootstrap_with=[list(clause) for clause in clauses]) as solver:
        return None if solver.solve(assumptions=list(literals)) else _thinned(solver, solver.get_core() or [])


def _irreducible(clauses: Clauses, candidates: Sequence[int], literals: Sequence[int]) -> Clash | None:
    """Return a clash within some clauses and literals, none if they have a common model."""
    from pysat.solvers import Solver

    base = len(clauses.atoms) + 1
    guarded = [[*clauses.clause(index), -(base + guard)] for guard, index in enumerate(candidates)]
    with Solver(SOLVER, bootstrap_with=guarded) as solver:
        if solver.solve(assumptions=[*literals, *range(base, base + len(candidates))]):
            return None
        core = sorted(_thinned(solver, solver.get_core() or []), key=abs)
    used = [literal for literal in core if abs(literal) < base]
    return Clash(tuple(used), tuple(sorted(candidates[guard - base] for guard in core if guard >= base)))


def _thinned(solver: Solver, core: Sequence[int]) -> list[int]:
    """Leave out assumptions as long as those kept have no model together."""
    needed, pending = list[int](), sorted(core, key=abs, reverse=True)
    while pending:
        candidate = pending.pop()
        if solver.solve(assumptions=[*needed, *pending]):
            needed.append(candidate)
        else:
            used = set(solver.get_core() or [])
            pending = [literal for literal in pending if literal in used]
    return needed


def _circles(clauses: Clauses, index: Index, literals: Sequence[int]) -> Iterator[list[int]]:
    """Yield ever more clauses around the atoms of some literals, each time at least twice as many; at last all."""
    starts, members = index
    seen = np.zeros(len(clauses), dtype=bool)
    reached = np.zeros(len(clauses.atoms), dtype=bool)
    frontier = np.unique(np.abs(np.array(literals, dtype=np.int64)) - 1)
    tried = 0
    while frontier.size:
        reached[frontier] = True
        near = np.concatenate([members[starts[2 * atom] : starts[2 * atom + 2]] for atom in frontier.tolist()])
        fresh = np.unique(near[~seen[near]])
        seen[fresh] = True
        spans = [clauses.literals[clauses.starts[k] : clauses.starts[k + 1]] for k in fresh.tolist()]
        atoms = np.unique(np.abs(np.concatenate([np.zeros(0, np.int32), *spans]))) - 1
        frontier = atoms[~reached[atoms]]
        if np.count_nonzero(seen) >= 2 * tried:
            tried = int(np.count_nonzero(seen))
            yield np.flatnonzero(seen).tolist()
    yield list(range(len(clauses)))


def contradiction(
    clauses: Clauses, literals: Sequence[int], *, what: str = "the evidence", examples: Sequence[int] = ()
) -> ContradictoryEvidence:
    """Make the error that says which literals clash, and with which clauses; and in which examples some do."""
    clash = find_clash(clauses, literals)
    assert clash is not None, "the circuit has no model for literals that the clauses allow"
    named = tuple(clauses.literal_text(literal) for literal in clash.literals)
    implications = tuple(
        f"{clauses.clause_text(clauses.clause(index))} ({origin_text(clauses, index)})" for index in clash.clauses
    )
    message = _sentence(named, implications, what)
    return ContradictoryEvidence(message, literals=named, clauses=implications, examples=tuple(examples))


def origin_text(clauses: Clauses, index: int) -> str:
    """Say in words where a clause comes from."""
    return Origin(int(clauses.origins[index])).name.lower().replace("_", " ")


def _sentence(named: Sequence[str], implications: Sequence[str], what: str) -> str:
    reason = f"because of {_joined(implications, '; ')}" if implications else "as they are each other's negation"
    if not named:
        return f"the theory has no model at all, {reason}; change the ontology, the families or what is assumed"
    if len(named) == 1:
        return f"{what} contradicts the theory: {named[0]} cannot hold, {reason}; leave it out or correct it"
    return f"{what} contradicts the theory: {_joined(named)} cannot hold together, {reason}; leave out or correct one"


def _joined(words: Sequence[str], separator: str = ", ") -> str:
    more = f"{separator}and {len(words) - MOST_NAMED:,} more" if len(words) > MOST_NAMED else ""
    return separator.join(words[:MOST_NAMED]) + more
