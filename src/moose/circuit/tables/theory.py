"""Clauses over many-valued variables: a family of which exactly one member holds is one variable, not many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations

import numpy as np

from moose.base.unit_propagation import Clause, simplify_clauses
from moose.circuit.tables.definitions import define_auxiliary
from moose.circuit.tables.resolution import GROWTH, resolve_away
from moose.grounding.clauses import AtomKind, Clauses, Flags, Origin, pack

GROWTHS = (GROWTH, 256, 4_096)
"""How many clauses more an auxiliary atom may leave behind, at first and where atoms stay that nothing determines, as
is common where axioms outside OWL 2 EL are clauses."""
Constraint = tuple[tuple[int, int], ...]
"""A clause: variables in ascending order, each with the set of values that satisfy it, as the bits of a number."""
Scope = tuple[int, ...]
"""The variables of a constraint."""
Relation = tuple[tuple[int, ...], ...]
"""Constraints of one scope: for each of them the sets of values, as bits, in the order of the scope."""


@dataclass(frozen=True, eq=False)
class Theory:
    """Variables, and the constraints among them."""

    variables: tuple[tuple[int, ...], ...]
    """The atoms of each variable: one for a Boolean variable, whose value is its truth; several for a family, whose
    value is the position of the member that holds."""
    constraints: tuple[Constraint, ...]
    facts: tuple[int, ...]
    """The literals that hold in every model, of atoms that are in no variable."""
    hidden: frozenset[int]
    """The variables that the others determine and that are not shown."""

    @cached_property
    def relations(self) -> dict[Scope, Relation]:
        """The constraints by their scopes: there are many of a few."""
        gathered: dict[Scope, list[tuple[int, ...]]] = {}
        for constraint in self.constraints:
            scope, values = zip(*constraint)
            gathered.setdefault(scope, []).append(values)
        return {scope: tuple(sorted(values)) for scope, values in gathered.items()}

    @property
    def sizes(self) -> list[int]:
        """How many values each variable has."""
        return [max(2, len(atoms)) for atoms in self.variables]


class NotDetermined(Exception):
    """An auxiliary atom is not a function of the others, so that it would have to be quantified."""


def make_theory(clauses: Clauses, given: Iterable[int] = ()) -> Theory | None:
    """Propagate units and find the variables; none where the clauses contradict each other.

    Auxiliary atoms that others determine become hidden variables; if one is not, `NotDetermined` is raised. Literals
    that are given are facts, by which the clauses are simplified.
    """
    simplified = simplify_clauses(chain(clauses, ((literal,) for literal in given)))
    if simplified is None:
        return None
    holds, rows = simplified
    is_auxiliary = clauses.kinds == AtomKind.AUXILIARY
    is_determined = np.zeros(len(clauses.atoms), dtype=bool)
    if is_auxiliary.any():
        reduced, is_determined = without_quantifiers(clauses, rows, is_auxiliary)
        simplified = simplify_clauses(reduced)
        if simplified is None:
            return None
        holds, rows = holds | simplified[0], simplified[1]
    settled = {abs(literal) - 1 for literal in holds}
    families = find_families(clauses.families, settled, rows, is_auxiliary.tolist())
    grouped = {atom for family in families for atom in family}
    used = {abs(literal) - 1 for row in rows for literal in row}
    variables = (*families, *((atom,) for atom in sorted(used - grouped)))
    home = {atom: (number, value) for number, atoms in enumerate(variables) for value, atom in enumerate(atoms)}
    hidden = frozenset(home[atom][0] for atom in np.flatnonzero(is_determined).tolist() if atom in home)
    facts = tuple(sorted((literal for literal in holds if not is_auxiliary[abs(literal) - 1]), key=abs))
    return Theory(variables, tuple(constraints(rows, home, variables)), facts, hidden)


def without_quantifiers(
    clauses: Clauses, rows: Sequence[Clause], is_auxiliary: Flags
) -> tuple[Sequence[Clause], Flags]:
    """Resolve auxiliary atoms away, or add what determines them; return the clauses and which atoms are determined."""
    auxiliary = (np.flatnonzero(is_auxiliary) + 1).tolist()
    for growth in GROWTHS if (clauses.origins == Origin.NAMED_INDIVIDUALS).any() else GROWTHS[:1]:
        rows = resolve_away(rows, auxiliary, growth=growth)
        literals, starts = pack(rows)
        origins = np.full(len(rows), Origin.ENTAILED, dtype=np.int8)
        extended, is_determined = define_auxiliary(replace(clauses, literals=literals, starts=starts, origins=origins))
        used = np.zeros(len(clauses.atoms), dtype=bool)
        used[np.abs(literals) - 1] = True
        is_open = used & is_auxiliary & ~is_determined
        if not is_open.any():
            return list(extended), is_determined
    atom = clauses.atoms[int(np.argmax(is_open))]
    raise NotDetermined(f"expected auxiliary atoms that the others determine, but {atom} is not such a one")


def find_families(
    declared: Iterable[Sequence[int]], settled: set[int], rows: Sequence[Clause], is_auxiliary: Sequence[bool]
) -> list[tuple[int, ...]]:
    """Return the declared families, without settled members, of which the clauses say that exactly one member holds."""
    excluded = {row for row in rows if len(row) == 2 and row[1] < 0}
    covers = {row for row in rows if row and row[0] > 0}
    taken: set[int] = set()
    families = []
    for family in declared:
        members = sorted(atom for atom in family if atom not in settled)
        if len(members) < 2 or not taken.isdisjoint(members) or any(is_auxiliary[atom] for atom in members):
            continue
        is_covered = tuple(atom + 1 for atom in members) in covers
        if is_covered and all((-high - 1, -low - 1) in excluded for low, high in combinations(members, 2)):
            taken.update(members)
            families.append(tuple(members))
    return families


def constraints(
    rows: Iterable[Clause], home: dict[int, tuple[int, int]], variables: Sequence[tuple[int, ...]]
) -> Iterable[Constraint]:
    """Yield what clauses say of variables, each once; what holds of every value says nothing."""
    everything = [(1 << max(2, len(atoms))) - 1 for atoms in variables]
    meanings: dict[int, tuple[int, int]] = {}  # of each literal: its variable, and which values it allows
    for atom, (variable, value) in home.items():
        bit = 2 if len(variables[variable]) == 1 else 1 << value
        meanings[atom + 1] = variable, bit
        meanings[-atom - 1] = variable, everything[variable] & ~bit
    seen: set[Constraint] = set()
    for row in rows:
        constraint = pair_constraint(meanings[row[0]], meanings[row[1]]) if len(row) == 2 else None
        if constraint is None:
            allowed: dict[int, int] = {}
            for literal in row:
                variable, values = meanings[literal]
                allowed[variable] = allowed.get(variable, 0) | values
            constraint = tuple(sorted(allowed.items()))
            if any(values == everything[variable] for variable, values in constraint):
                continue
        if constraint not in seen:
            seen.add(constraint)
            yield constraint


def pair_constraint(one: tuple[int, int], other: tuple[int, int]) -> Constraint | None:
    """Return what two literals say of different variables, as most clauses do; none if they speak of the same."""
    if one[0] == other[0]:
        return None
    return (one, other) if one[0] < other[0] else (other, one)
