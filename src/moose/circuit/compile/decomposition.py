"""Split a theory along its individuals: a tree of bags, each with its clauses in names that are local to the bag.

Bags whose clauses read the same in local names are the same problem; `templates` solves it once.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from moose.base.integer_arrays import distinct
from moose.circuit.compile.elimination import Bag, eliminate, merge
from moose.circuit.compile.scopes import Numbers, Scopes

LAST = 1  # the lowest bit of a literal's code marks the last literal of a clause
NEGATED = 2


@dataclass(frozen=True, slots=True)
class Coding:
    """Writes local atoms as numbers: a predicate, and the positions in the bag of its one or two individuals."""

    width: int
    """More than the members of any bag."""

    def decode(self, code: int) -> tuple[int, int, int]:
        """Return predicate, first position, second position (-1 for none) of an atom's code."""
        rest, second = divmod(code, self.width + 1)
        predicate, first = divmod(rest, self.width)
        return predicate, first, second - 1

    def encode(self, predicate: int, first: int, second: int) -> int:
        """Return the code of an atom."""
        return (predicate * self.width + first) * (self.width + 1) + second + 1


@dataclass(frozen=True, eq=False)
class Decomposition:
    """A forest of bags, children before parents."""

    scopes: Scopes
    bags: list[Bag]
    parents: list[int]
    """For each bag its parent; -1 for a root."""
    contents: list[bytes]
    """For each bag its clauses: the codes of their literals as 8-byte integers.

    A literal's code is four times its atom's, plus `NEGATED` if it is, plus `LAST` if it ends its clause.
    """
    coding: Coding
    atom_keys: Numbers
    """The key of each atom that occurs, sorted."""
    atom_numbers: Numbers
    """The atom of each key."""

    def atoms_of(self, bags: Numbers, codes: list[int]) -> Numbers:
        """Return the atoms that local codes stand for: a row for each of some bags with equally many members."""
        members = np.array([self.bags[bag].members for bag in bags.tolist()], dtype=np.int64)
        decoded = np.array([self.coding.decode(code) for code in codes], dtype=np.int64).reshape(-1, 3)
        firsts = members[:, decoded[:, 1]]
        seconds = np.where(decoded[:, 2] >= 0, members[:, decoded[:, 2]], -1)
        keys = _keys(decoded[:, 0], firsts, seconds, self.scopes.individual_count)
        return self.atom_numbers[np.searchsorted(self.atom_keys, keys)]


def find_bags(scopes: Scopes, *, is_low: bool = False) -> list[Bag]:
    """Find the bags, children before parents; see `eliminate` for what makes their forest low."""
    bags = eliminate(scopes.individual_count, scopes.cliques, is_low=is_low)
    return _occurring(merge(bags, _with_roles(scopes)), scopes)


def decompose(scopes: Scopes, bags: list[Bag], *, is_guarded: bool = False) -> Decomposition:
    """Give each bag its clauses; if it is guarded, also those that are about one individual of its separator alone.

    These say nothing new, since they are above the bag too, but without them a bag tells states apart that cannot be.
    """
    home = np.full(scopes.individual_count, -1, dtype=np.int64)
    for index, bag in enumerate(bags):
        home[list(bag.own)] = index
    parents = [int(home[bag.separator[0]]) if bag.separator else -1 for bag in bags]
    coding = Coding(max((len(bag.members) for bag in bags), default=0) + 1)
    used = scopes.used
    keys = _keys(scopes.predicates[used], scopes.firsts[used], scopes.seconds[used], scopes.individual_count)
    order = np.argsort(keys, kind="stable")
    contents = _contents(scopes, bags, home=home, coding=coding)
    if is_guarded:
        guards = _contents_of_separators(scopes, bags, coding=coding)
        contents = [content + guard for content, guard in zip(contents, guards, strict=True)]
    return Decomposition(scopes, bags, parents, contents, coding, keys[order], used[order])


def _keys(predicates: Numbers, firsts: Numbers, seconds: Numbers, count: int) -> Numbers:
    keys: Numbers = (predicates * count + firsts) * (count + 1) + seconds + 1
    return keys


# ── Bags ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _with_roles(scopes: Scopes) -> set[int]:
    """Return the individuals with a role atom, to or from another, whose truth is open."""
    used = scopes.used
    roles = used[(scopes.seconds[used] >= 0) & (scopes.seconds[used] != scopes.firsts[used])]
    return set(scopes.firsts[roles].tolist()) | set(scopes.seconds[roles].tolist())


def _occurring(bags: list[Bag], scopes: Scopes) -> list[Bag]:
    """Leave out the individuals that no clause speaks of."""
    used = scopes.used
    spoken_of = set(scopes.firsts[used].tolist()) | set(scopes.seconds[used].tolist())
    return [bag for bag in bags if not spoken_of.isdisjoint(bag.own)]


def fuse(bags: list[Bag], undivided: Collection[int]) -> list[Bag]:
    """Take each tree that holds an undivided individual as one bag, in the place of its root."""
    root: dict[int, int] = {}
    for bag in reversed(bags):
        top = root[bag.separator[0]] if bag.separator else bag.own[-1]
        root.update(dict.fromkeys(bag.own, top))
    whole = {root[individual] for individual in undivided}
    gathered: dict[int, tuple[int, ...]] = dict.fromkeys(whole, ())
    kept: list[Bag] = []
    for bag in bags:
        top = root[bag.own[0]]
        if top in whole:
            gathered[top] += bag.own
            if not bag.separator:
                kept.append(Bag(gathered[top], ()))
        else:
            kept.append(bag)
    return kept


# ── Clauses in local names ────────────────────────────────────────────────────────────────────────────────────────


def _contents(scopes: Scopes, bags: list[Bag], *, home: Numbers, coding: Coding) -> list[bytes]:
    """Give each group of clauses to the bag of its first individual, and write it in that bag's names."""
    bag_of_clause = _bag_of_clauses(scopes, home)
    locate = _Locator(bags, scopes.individual_count)
    bag_of_literal = bag_of_clause[scopes.clause_of]
    atoms = scopes.atoms
    firsts = locate(bag_of_literal, scopes.firsts[atoms])
    seconds = np.full(len(atoms), -1, dtype=np.int64)
    paired = np.flatnonzero(scopes.seconds[atoms] >= 0)
    seconds[paired] = locate(bag_of_literal[paired], scopes.seconds[atoms[paired]])
    codes = (scopes.predicates[atoms] * coding.width + firsts) * (coding.width + 1) + seconds + 1
    return _sorted_contents(codes * 4 + scopes.signs * NEGATED, scopes.clause_of, bag_of_clause, len(bags))


def _contents_of_separators(scopes: Scopes, bags: list[Bag], *, coding: Coding) -> list[bytes]:
    """Write, for each bag, the clauses that are about one individual of its separator alone."""
    about: dict[int, list[list[tuple[int, int]]]] = {}
    first, second = scopes.firsts[scopes.atoms], scopes.seconds[scopes.atoms]
    is_plain = (second < 0) & ~np.isin(scopes.predicates[scopes.atoms], list(scopes.quantified))
    rows = zip(
        scopes.clause_of.tolist(), first.tolist(), scopes.predicates[scopes.atoms].tolist(), scopes.signs.tolist()
    )
    clauses: dict[int, list[tuple[int, int, int]]] = {}
    for (clause, individual, predicate, sign), is_usable in zip(rows, is_plain.tolist(), strict=True):
        clauses.setdefault(clause, []).append((individual if is_usable else -1, predicate, sign))
    for literals in clauses.values():
        owners = {individual for individual, _, _ in literals}
        if len(owners) == 1 and -1 not in owners:
            about.setdefault(owners.pop(), []).append([(predicate, sign) for _, predicate, sign in literals])
    return [_written(bag, about, coding) for bag in bags]


def _written(bag: Bag, about: dict[int, list[list[tuple[int, int]]]], coding: Coding) -> bytes:
    """Write clauses about single individuals of a bag's separator in the bag's names."""
    codes: list[int] = []
    for individual in bag.separator:
        position = bag.members.index(individual)
        for literals in about.get(individual, ()):
            clause = sorted(
                {coding.encode(predicate, position, -1) * 4 + sign * NEGATED for predicate, sign in literals}
            )
            codes += [*clause[:-1], clause[-1] + LAST]
    return np.array(codes, dtype=np.int64).tobytes()


def _bag_of_clauses(scopes: Scopes, home: Numbers) -> Numbers:
    """Return for each clause the first bag that an individual of its group is at home in."""
    earliest = np.full(len(scopes.groups), len(home), dtype=np.int64)
    group = scopes.groups[scopes.clause_of]
    first, second = scopes.firsts[scopes.atoms], scopes.seconds[scopes.atoms]
    nearest = np.minimum(home[first], np.where(second >= 0, home[second], len(home)))
    np.minimum.at(earliest, group, nearest)
    return earliest[scopes.groups]


class _Locator:
    """Finds the position of an individual in a bag, for many at once."""

    def __init__(self, bags: list[Bag], individual_count: int) -> None:
        lengths = np.array([len(bag.members) for bag in bags], dtype=np.int64)
        members = np.array([member for bag in bags for member in bag.members], dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        keys = np.repeat(np.arange(len(bags), dtype=np.int64), lengths) * individual_count + members
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        self.positions = (np.arange(len(keys)) - np.repeat(starts, lengths))[self.order]
        self.individual_count = individual_count

    def __call__(self, bags: Numbers, individuals: Numbers) -> Numbers:
        """Return the positions of individuals in bags that hold them."""
        positions: Numbers = self.positions[np.searchsorted(self.keys, bags * self.individual_count + individuals)]
        return positions


def _sorted_contents(codes: Numbers, clause_of: Numbers, bag_of_clause: Numbers, bag_count: int) -> list[bytes]:
    """Sort literals within clauses and clauses within bags, so that equal contents are equal bytes."""
    span = int(codes.max(initial=0)) + 1
    assert len(bag_of_clause) * span < 2**63
    owners, codes = np.divmod(distinct(clause_of * span + codes), span)  # a literal that stands twice counts once
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    lengths = np.diff(starts, append=len(owners))
    codes[starts + lengths - 1] += LAST
    # Any order of clauses that depends on their content alone would do; two of equal sum merely miss being shared.
    sums = np.add.reduceat(_scramble(codes), starts) if len(starts) else np.zeros(0, np.uint64)
    bags = bag_of_clause[owners[starts]]
    order = np.lexsort((sums, bags))
    lengths = lengths[order]
    ends = np.cumsum(lengths)
    gather = np.arange(len(codes)) + np.repeat(starts[order] - (ends - lengths), lengths)
    laid_out = codes[gather]
    bounds = np.searchsorted(bags[order], np.arange(bag_count + 1))
    marks = np.concatenate([[0], ends])[bounds].tolist()
    return [laid_out[start:stop].tobytes() for start, stop in pairwise(marks)]


def _scramble(codes: Numbers) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Spread numbers over 64 bits (the finaliser of splitmix64), so that sums of different sets differ."""
    mixed = codes.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
