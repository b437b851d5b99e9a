"""How people write literals of atoms, as in Even(a), not 'black tea'(b): names with quotes, and commas between."""

from __future__ import annotations

import re
from typing import NamedTuple

from moose.base.errors import MooseError

# An IRI in its brackets and a label in its quotes come first: they may hold commas and parentheses of their own.
NAME = r"\s*+(<[^<>]*+>|'(?:[^'\\]|\\.)*+'|[^\s(),]++(?:\s++[^\s(),]++)*+)\s*+"
_LITERAL = re.compile(rf"\s*+(not\s++|¬\s*+)?{NAME}\({NAME}(?:,{NAME})?\)\s*+(,|\Z)", re.DOTALL)
_UNQUOTED = re.compile(r"<[^<>]*+>|[^\s(),'<¬][^\s(),]*+")
_LISTED = re.compile(r"\s*+(<[^<>]*+>|'(?:[^'\\]|\\.)*+'|[^,]*+)\s*+(?:,|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
EXPECTED = (
    "expected literals such as Even(a), not Prime(a), each with its individual, a name with commas or brackets in "
    "single quotes, such as 'T cell (human)'(a)"
)


class WrittenLiteral(NamedTuple):
    """A literal as somebody wrote it: a name in quotes keeps them, so that it is known for a label."""

    predicate: str
    arguments: tuple[str, ...]
    is_true: bool


def written_literal(text: object) -> WrittenLiteral | None:
    """Read one literal and nothing else, or return None."""
    match = _LITERAL.fullmatch(text) if isinstance(text, str) else None
    return None if match is None or match[5] else _written_literal(match)


def written_literals(text: object) -> list[WrittenLiteral]:
    """Read literals parted by commas, to find out what their names stand for."""
    if not isinstance(text, str):
        raise MooseError(f"{EXPECTED}, but got {text!r}")
    literals = []
    position = 0
    while text[position:].strip():
        match = _LITERAL.match(text, position)
        if match is None:
            raise MooseError(f"{EXPECTED}, but got {text[position:].strip()!r}")
        literals.append(_written_literal(match))
        position = match.end()
    return literals


def written(name: str) -> str:
    r"""Write a name as literals have it: in single quotes if it has blanks, commas or brackets.

    >>> print(written("Even"), written("black tea"), written("5' end (RNA)"))
    Even 'black tea' '5\' end (RNA)'
    """
    if _UNQUOTED.fullmatch(name):
        return name
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def unquoted(name: str) -> str:
    """Return a name of a written literal without its quotes, if it has some."""
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == "'" else name


def split_names(text: str) -> list[str]:
    """Part names at the commas between them; a name in quotes keeps these, and its commas.

    >>> split_names("Even, 'tea, black',, 5' end")
    ['Even', "'tea, black'", "5' end"]
    """
    names = []
    position = 0
    while position < len(text):
        match = _LISTED.match(text, position)
        assert match is not None, "anything up to a comma is a name"
        names.append(match[1].strip())
        position = match.end()
    return [_without_escapes(name) for name in names if name]


def _written_literal(match: re.Match[str]) -> WrittenLiteral:
    predicate, *arguments = (_without_escapes(name) for name in match.group(2, 3, 4) if name is not None)
    return WrittenLiteral(predicate, tuple(arguments), match[1] is None)


def _without_escapes(name: str) -> str:
    """Return a name as it is meant: in quotes, what follows a backslash stands for itself; else blanks are one."""
    if name[0] == name[-1] == "'":
        return _ESCAPE.sub(r"\1", name)
    return name if name[0] == "<" else " ".join(name.split())
