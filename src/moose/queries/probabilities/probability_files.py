"""Read the lines of a file of probabilities: axioms as text and numbers, as TSV or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.suggestions import no_such_file

HEADER = ("axiom", "probability")
SPACE = re.compile(r"[ \t\n\r]*+")


@dataclass(frozen=True, slots=True)
class Line:
    """An axiom and a probability as they are written, and where."""

    where: str
    axiom: str
    probability: str


def read_lines(path: Path) -> Iterator[Line]:
    """Yield what a file says; JSON begins with a bracket, and everything else is TSV."""
    text = _read(path)
    return _json_lines(text, str(path)) if text.lstrip()[:1] in ("[", "{") else _tsv_lines(text, str(path))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise no_such_file(path, "a file of probabilities") from None
    except UnicodeDecodeError:
        raise MooseError(f"{path}: expected probabilities as TSV or JSON in UTF-8, but got other bytes") from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise MooseError(f"{path}: the file cannot be read ({reason}); check its path and permissions") from None


def _tsv_lines(text: str, path: str) -> Iterator[Line]:
    """Yield the lines `axiom<TAB>probability`, without empty ones, comments behind # and a header."""
    numbered = enumerate(text.split("\n"), start=1)
    said = ((number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith("#"))
    for at, (number, line) in enumerate(said):
        axiom, tab, probability = line.rpartition("\t")
        if at == 0 and (axiom.strip().lower(), probability.strip().lower()) == HEADER:
            continue
        if not tab or not axiom.strip():
            raise MooseError(
                f"{path}:{number}: expected an axiom, a TAB and a probability, but got {line.strip()[:60]!r}; "
                "part the two by a TAB"
            )
        yield Line(f"{path}:{number}", axiom.strip(), probability.strip())


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────

# Numbers stay text, so that no float rounds them; members stay pairs, so that none replaces another in silence.
_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_float=str, parse_int=str, parse_constant=str)
_EXPECTED = 'expected a list of {"axiom": …, "probability": …} or an object {axiom: probability, …}'


def _json_lines(text: str, path: str) -> Iterator[Line]:
    """Yield the items of a list, or the members of an object, with the line on which each begins."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise MooseError(f"{path}:{error.lineno}: {_EXPECTED}, but the JSON is broken: {error.msg}") from None
    except RecursionError:
        raise MooseError(f"{path}: {_EXPECTED}, but it is nested too deeply; write it like that") from None
    line, counted = 1, 0
    for begin, name, value in _items(text):
        line, counted = line + text.count("\n", counted, begin), begin
        where = f"{path}:{line}"
        yield _line(value if name is None else ((HEADER[0], name), (HEADER[1], value)), where)


def _items(text: str) -> Iterator[tuple[int, str | None, object]]:
    """Yield the values inside the outermost bracket of sound JSON: offset, name of the member if it is one, value."""
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] not in "]}":
        begin, name = at, None
        value, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ":":
            name = value
            value, at = _DECODER.raw_decode(text, _skip(text, at + 1))
            at = _skip(text, at)
        yield begin, name, value
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    assert match
    return match.end()


def _line(item: object, where: str) -> Line:
    if not isinstance(item, tuple):
        raise MooseError(f"{where}: {_EXPECTED}, but got {_kind(item)}; write it like that")
    names = [name for name, _ in item]
    if sorted(names) != sorted(HEADER):
        got = ", ".join(map(repr, names)) or "nothing"
        raise MooseError(f"{where}: expected the keys 'axiom' and 'probability', once each, but got {got}; correct it")
    values = dict(item)
    for name, value in values.items():
        if not isinstance(value, str):
            raise MooseError(f"{where}: expected text or a number as the {name}, but got {_kind(value)}; correct it")
    return Line(where, values["axiom"], values["probability"])


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return repr(value)
        case tuple():
            return "an object"
        case _:
            return "a list"
