"""Horn rules over variables that stand for individuals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from moose.grounding.horn import FALSUM, HornClause


class Item(NamedTuple):
    """A fact about variables: a concept, or a link to an unnamed filler, of one; a role between two."""

    predicate: int
    variables: tuple[int, ...]


class Rule(NamedTuple):
    """Body → head over variables; no head is a contradiction."""

    body: frozenset[Item]
    head: Item | None

    @property
    def items(self) -> tuple[Item, ...]:
        """Body and head."""
        return (*self.body, *([] if self.head is None else [self.head]))

    @property
    def predicates(self) -> HornClause:
        """The rule without its variables."""
        return frozenset(item.predicate for item in self.body), FALSUM if self.head is None else self.head.predicate


def renamed(body: Iterable[Item], head: Item | None, names: dict[int, int]) -> Rule:
    """Rename the variables of a rule."""

    def rename(item: Item) -> Item:
        return Item(item.predicate, tuple(names[variable] for variable in item.variables))

    return Rule(frozenset(map(rename, body)), None if head is None else rename(head))
