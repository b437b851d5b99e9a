"""The lines of an OBO file: stanzas of `tag: value {qualifiers} ! comment` clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from moose.base.errors import ParseError

_LINE_END = re.compile(r"\r\n?|\n")
_HEADING = re.compile(r"\[\s*([^\]\s]+)\s*\]\s*(?:!.*)?")
_CLAUSE = re.compile(r"([^\s:!\[]+)\s*:\s*(.*)", re.DOTALL)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
# What a value is made of, each part of it known by its first character.
_PART = re.compile(
    rf"\s*(?:(?P<string>{_STRING})"
    rf'|(?P<list>\[[^\]"\\]*(?:(?:\\.|{_STRING})[^\]"\\]*)*\])'
    rf'|(?P<qualifiers>\{{[^}}"\\]*(?:(?:\\.|{_STRING})[^}}"\\]*)*\}})'
    r"|(?P<comment>!.*)"
    r'|(?P<word>(?:[^\s"{!\[\\]|\\.)(?:[^\s"{!\\]|\\.)*))',
    re.DOTALL,
)
_PLAIN = re.compile(r'[^\s"{!\[\\]+')  # most values: one word
_QUALIFIER = re.compile(rf'\s*+([^\s=,"]++)\s*+=\s*+({_STRING}\s*+|[^,"]*+)(?:,|\Z)', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "W": " ", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Clause:
    """One `tag: value`, and its line; the value is still as it was written."""

    tag: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Stanza:
    """A heading such as `Term` (empty for the header) and the clauses under it."""

    heading: str
    clauses: tuple[Clause, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Value:
    """What a clause says: its words, strings and bracketed lists in order, and its qualifiers."""

    parts: tuple[tuple[str, str], ...]
    qualifiers: tuple[tuple[str, str], ...] = ()

    def of(self, kind: str) -> tuple[str, ...]:
        """Return the parts of one kind: `word`, `string` or `list`."""
        return tuple(text for part, text in self.parts if part == kind)


def refuse(where: str, line: int, message: str) -> NoReturn:
    """Raise an error at a line."""
    raise ParseError(f"{where}:{line}: {message}")


def split_stanzas(text: str, where: str) -> list[Stanza]:
    """Return the header and then every stanza of a file."""
    stanzas: list[Stanza] = []
    heading, start, clauses = "", 1, list[Clause]()
    for line, written in _lines(text):
        clause = _CLAUSE.fullmatch(written)
        if clause is None:
            opened = _HEADING.fullmatch(written)
            if opened:
                stanzas.append(Stanza(heading, tuple(clauses), start))
                heading, start, clauses = opened[1], line, []
                continue
            refuse(where, line, f"expected 'tag: value' or a heading such as '[Term]', but {written[:60]!r} came")
        clauses.append(Clause(clause[1], clause[2], line))
    return [*stanzas, Stanza(heading, tuple(clauses), start)]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines with their numbers, but not blank ones and comments; a backslash at the end joins two."""
    begun: list[str] = []
    first = 0
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        whole = line.strip()
        if whole.endswith("\\") and (len(whole) - len(whole.rstrip("\\"))) % 2:
            begun.append(whole[:-1])
            first = first or number
            continue
        if begun:
            whole = "".join([*begun, whole])
            begun.clear()
        if whole and whole[0] != "!":
            yield first or number, whole
        first = 0
    if begun:
        yield first, "".join(begun)


def first_word(clause: Clause) -> str:
    """Return the first word of a value, or nothing if there is none."""
    part = _PART.match(clause.value)
    return unescape(part["word"] or "") if part else ""


def parse_value(clause: Clause, where: str) -> Value:
    """Take a value apart, or fail if a string, list or block of qualifiers in it is not closed."""
    if _PLAIN.fullmatch(clause.value):
        return Value((("word", clause.value),))
    parts: list[tuple[str, str]] = []
    qualifiers: tuple[tuple[str, str], ...] = ()
    at, text = 0, clause.value.rstrip()
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            refuse(
                where, clause.line, f"expected the value of '{clause.tag}:', but {text[at:].strip()[:60]!r} never ends"
            )
        kind = str(part.lastgroup)
        if kind == "qualifiers":
            qualifiers += _qualifiers(part[kind][1:-1], clause, where)
        elif kind != "comment":
            # The items of a list are taken apart before their escapes are resolved.
            parts.append((kind, part[kind] if kind == "list" else _unquote(part[kind])))
        at = part.end()
    return Value(tuple(parts), qualifiers)


def _qualifiers(text: str, clause: Clause, where: str) -> tuple[tuple[str, str], ...]:
    qualifiers: list[tuple[str, str]] = []
    at, text = 0, text.strip()
    while at < len(text):
        match = _QUALIFIER.match(text, at)
        if match is None:
            refuse(where, clause.line, f'expected qualifiers as {{key="value", …}}, but {text[at:][:60]!r} came')
        qualifiers.append((unescape(match[1]), _unquote(match[2].strip())))
        at = match.end()
    return tuple(qualifiers)


def _unquote(text: str) -> str:
    return unescape(text[1:-1] if text.startswith('"') else text)


def unescape(text: str) -> str:
    r"""Resolve the escapes of OBO: `\n`, `\W` and `\t` are white space, any other character stands for itself."""
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text) if "\\" in text else text
