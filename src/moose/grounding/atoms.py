"""Ground atoms: a concept of an individual, a role between two; and literals, as people write them."""

from __future__ import annotations

from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.owl.atom_text import WrittenLiteral, unquoted, written, written_literal, written_literals


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A statement that is true or false in a world: `Even(a)`, `succ(a,b)`.

    >>> print(Atom("Even", ("a",)), Atom("succ", ("a", "b")), Atom("black tea", ("a",)))
    Even(a) succ(a,b) 'black tea'(a)
    """

    predicate: str
    """The name of the concept or role, as the task writes it."""
    arguments: tuple[str, ...]
    """One individual for a concept, two for a role."""

    def __str__(self) -> str:
        return f"{written(self.predicate)}({','.join(map(written, self.arguments))})"

    @property
    def bare(self) -> str:
        """The atom without quotes, for digests; two atoms may share it."""
        return f"{self.predicate}({','.join(self.arguments)})"


def parse_atom(text: object) -> Atom:
    """Read an atom as it is printed, and refuse everything else.

    >>> parse_atom("succ(a, b)")
    Atom(predicate='succ', arguments=('a', 'b'))
    """
    literal = written_literal(text)
    if literal is None or not literal.is_true:
        raise MooseError(f"expected an atom such as Even(a) or succ(a,b), but got {text!r}")
    return _atom(literal)


def parse_literals(text: str) -> list[tuple[Atom, bool]]:
    """Read literals parted by commas, their names as they are.

    >>> parse_literals("Even(a), not succ(a,b)")
    [(Atom(predicate='Even', arguments=('a',)), True), (Atom(predicate='succ', arguments=('a', 'b')), False)]
    """
    return [(_atom(literal), literal.is_true) for literal in written_literals(text)]


def _atom(literal: WrittenLiteral) -> Atom:
    return Atom(unquoted(literal.predicate), tuple(map(unquoted, literal.arguments)))
