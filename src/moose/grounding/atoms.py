"""Ground atoms: a concept of an individual, a role between two; and literals, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from moose.base.errors import MooseError

# An IRI in its brackets comes first: it may hold commas and parentheses of its own.
NAME = r"\s*+(<[^<>]*+>|[^\s(),]++)\s*+"
_ATOM = re.compile(rf"{NAME}\({NAME}(?:,{NAME})?\)\s*")
_LITERAL = re.compile(rf"\s*+(not\s++|¬\s*+)?({NAME}\({NAME}(?:,{NAME})?\))\s*+(,|\Z)")


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A statement that is true or false in a world: `Even(a)`, `succ(a,b)`.

    >>> print(Atom("Even", ("a",)), Atom("succ", ("a", "b")))
    Even(a) succ(a,b)
    """

    predicate: str
    """The name of the concept or role, as the task writes it."""
    arguments: tuple[str, ...]
    """One individual for a concept, two for a role."""

    def __str__(self) -> str:
        return f"{self.predicate}({','.join(self.arguments)})"


def parse_atom(text: object) -> Atom:
    """Read an atom as it is printed, and refuse everything else.

    >>> parse_atom("succ(a, b)")
    Atom(predicate='succ', arguments=('a', 'b'))
    """
    match = _ATOM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise MooseError(f"expected an atom such as Even(a) or succ(a,b), but got {text!r}")
    predicate, first, second = match.groups()
    return Atom(predicate, (first,) if second is None else (first, second))


def parse_literals(text: str) -> list[tuple[Atom, bool]]:
    """Read literals parted by commas.

    >>> parse_literals("Even(a), not succ(a,b)")
    [(Atom(predicate='Even', arguments=('a',)), True), (Atom(predicate='succ', arguments=('a', 'b')), False)]
    """
    if not isinstance(text, str):
        raise MooseError(f"expected literals such as Even(a), not Prime(a), each with its individual, but got {text!r}")
    literals = []
    position = 0
    while text[position:].strip():
        match = _LITERAL.match(text, position)
        if match is None:
            rest = text[position:].strip()
            raise MooseError(
                f"expected literals such as Even(a), not Prime(a), each with its individual, but got {rest!r}"
            )
        literals.append((parse_atom(match[2]), match[1] is None))
        position = match.end()
    return literals
