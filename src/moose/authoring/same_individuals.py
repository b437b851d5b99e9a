"""Which anonymous individuals of one ontology are those of another: their names mean nothing outside their document.

Those that statements mention together are looked at together, as a group. Two groups are the same if the individuals of
one can be numbered so that all that is said of them is what is said of the other's. What is left is paired by how much
of what is said agrees.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import cast

from moose.owl.model.anonymous import fresh_name, nodes_in, rename_each
from moose.owl.model.axioms import AnnotationAssertion, Axiom

Statement = Axiom | AnnotationAssertion
Said = Mapping[str, Sequence[Statement]]
Canonical = Callable[[Statement], object]
"""Puts the sets in a statement in order."""

THIS, OTHER = "this", "other"

MOST_CHOICES = 64
"""Choices among individuals that are alike, in one group; what is alike after that may be paired wrongly."""


def same_individuals(old: Iterable[Statement], new: Iterable[Statement], canonical: Canonical) -> dict[str, str]:
    """Return the names to give the anonymous individuals of the new statements, so that they can be compared."""
    said_old, said_new = by_individual(old), by_individual(new)
    free: defaultdict[str, list[list[str]]] = defaultdict(list)
    for group in groups(said_old):
        free[numbered(group, said_old, canonical)].append(group)
    names: dict[str, str] = {}
    for group in groups(said_new):
        if same := free[numbered(group, said_new, canonical)]:
            names |= zip(group, same.pop(0), strict=True)
    rest_old, rest_new = said_old.keys() - names.values(), said_new.keys() - names.keys()
    names |= closest(features(rest_old, said_old, canonical), features(rest_new, said_new, canonical))
    taken = {*said_old, *said_new}
    for node in sorted(said_new.keys() - names.keys()):
        names[node] = node if node not in said_old else fresh_name(node, taken)
        taken.add(names[node])
    return names


def by_individual(statements: Iterable[Statement]) -> Said:
    """Return the statements that mention each anonymous individual."""
    said: defaultdict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        for node in dict.fromkeys(nodes_in(statement)):
            said[node].append(statement)
    return said


def groups(said: Said) -> list[list[str]]:
    """Return the individuals that are mentioned together, directly or through others."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for start in said:
        if start in seen:
            continue
        seen.add(start)
        group = [start]
        for node in group:  # it grows on the way
            for other in (other for one in said[node] for other in nodes_in(one)):
                if other not in seen:
                    seen.add(other)
                    group.append(other)
        found.append(group)
    return found


def numbered(group: list[str], said: Said, canonical: Canonical) -> str:
    """Put the individuals of a group in an order that their names do not decide; return a digest of what is said.

    Where several are alike, one of them is made the first, at most MOST_CHOICES times.
    """
    colours = dict.fromkeys(group, OTHER)
    for _ in range(MOST_CHOICES):
        colours = refined(group, said, colours, canonical)
        counts = Counter(colours.values())
        alike = [node for node in group if counts[colours[node]] > 1]
        if not alike:
            break
        first = min(alike, key=colours.__getitem__)
        colours[first] = f"{THIS} {colours[first]}"
    group.sort(key=colours.__getitem__)
    numbers = {node: str(number) for number, node in enumerate(group)}
    statements = dict.fromkeys(one for node in group for one in said[node])
    return digest(renamed(statements, numbers, canonical))


def refined(group: Sequence[str], said: Said, colours: dict[str, str], canonical: Canonical) -> dict[str, str]:
    """Tell apart individuals of which different things are said and, round by round, those mentioned with such."""
    while True:
        finer: dict[str, str] = {}
        for node in group:
            own, colours[node] = colours[node], f"{THIS} {colours[node]}"
            finer[node] = digest([own, *renamed(said[node], colours, canonical)])
            colours[node] = own
        if len(set(finer.values())) == len(set(colours.values())):
            return colours
        colours = finer


def renamed(statements: Iterable[Statement], names: dict[str, str], canonical: Canonical) -> list[object]:
    """Return statements with their anonymous individuals renamed, and the sets in them in order."""
    return [canonical(cast(Statement, one)) for one in rename_each(cast("Iterable[Axiom]", statements), names)]


def digest(statements: Iterable[object]) -> str:
    """Return a short name for a set of statements."""
    return sha256("\n".join(sorted(set(map(repr, statements)))).encode()).hexdigest()


def features(nodes: Collection[str], said: Said, canonical: Canonical) -> dict[str, set[object]]:
    """Return what is said of individuals, whatever the others are called."""
    names = dict.fromkeys(said, OTHER)
    found: dict[str, set[object]] = {}
    for node in nodes:
        names[node] = THIS
        found[node] = set(renamed(said[node], names, canonical))
        names[node] = OTHER
    return found


def closest(old: Mapping[str, set[object]], new: Mapping[str, set[object]]) -> dict[str, str]:
    """Give each new individual the free old one of which most of the same is said, if anything is."""
    where: defaultdict[object, list[str]] = defaultdict(list)
    for node, found in old.items():
        for feature in found:
            where[feature].append(node)
    shared = sorted(
        (-count, other != node, other, node)
        for node, found in new.items()
        for other, count in Counter(other for feature in found for other in where[feature]).items()
    )
    names: dict[str, str] = {}
    used: set[str] = set()
    for _, _, other, node in shared:
        if node not in names and other not in used:
            names[node] = other
            used.add(other)
    return names
