"""Read a certificate: JSON with the keys, types and numbers that are expected, or a refusal in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

LARGEST = 2**30
"""Numbers in a certificate stay below this, so that every checker can hold them as plain machine integers."""


VERSIONS = (1, 2)
"""The formats that can be read; the first had other rows for keys and for roles that relate everything."""


class Refused(ValueError):
    """A certificate does not show what it claims, or is none."""

    def __init__(self, reason: str, *, step: int | None = None, axiom: int | None = None) -> None:
        super().__init__(reason)
        self.step, self.axiom = step, axiom
        """Where the fault is, if it is that of one step or axiom."""


def refuse(reason: str, *, step: int | None = None, axiom: int | None = None) -> NoReturn:
    """Refuse the certificate."""
    raise Refused(reason, step=step, axiom=axiom)


def read_certificate(path: Path) -> dict[str, object]:
    """Read a file that holds one certificate."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        refuse("expected text in UTF-8, but it is not; a certificate is a JSON file")
    return parse_certificate(text)


def parse_certificate(text: str) -> dict[str, object]:
    """Read a text that is one certificate."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
    except RecursionError:
        refuse("it is nested too deeply; no certificate is")
    except json.JSONDecodeError as error:
        refuse(f"expected JSON, but line {error.lineno}, column {error.colno} is not: {error.msg.lower()}")
    except ValueError as error:
        refuse(str(error) if isinstance(error, Refused) else "a number has too many digits")
    if not isinstance(value, dict) or value.get("format") != "moose-certificate":
        refuse('expected an object with "format": "moose-certificate"')
    if type(value.get("version")) is not int or value["version"] not in VERSIONS:
        refuse(f"expected version 1 or 2, but it is {shortened(value.get('version'))}")
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        refuse("a key stands twice in one object, so that readers may disagree on what it says")
    return value


def _constant(text: str) -> NoReturn:
    refuse(f"{text} is no number of a certificate")


def _float(text: str) -> NoReturn:
    refuse(f"{text} is no whole number, and a certificate has no others")


# ── Parts with the types that are expected ────────────────────────────────────────────────────────────────────────


def items(value: object, what: str) -> list[object]:
    """Return a list."""
    if not isinstance(value, list):
        refuse(f"expected {what} to be a list, but it is {kind_of(value)}")
    return value


def part(value: object, key: str, what: str = "the certificate") -> object:
    """Return what an object has under a key."""
    if not isinstance(value, dict):
        refuse(f"expected {what} to be an object, but it is {kind_of(value)}")
    if key not in value:
        refuse(f'{what} lacks "{key}"')
    return value[key]


def number(value: object, limit: int, what: str) -> int:
    """Return a whole number from 0 to below a limit."""
    if type(value) is not int or not 0 <= value < limit:
        refuse(f"expected {what} to be a whole number from 0 to below {limit}, but it is {shortened(value)}")
    return value


def numbers(value: object, limit: int, what: str) -> list[int]:
    """Return a list of whole numbers from 0 to below a limit."""
    return [number(each, limit, f"each of {what}") for each in items(value, what)]


def text_of(value: object, what: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        refuse(f"expected {what} to be a text, but it is {kind_of(value)}")
    return value


def kind_of(value: object) -> str:
    """Say what a JSON value is."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number"}
    return names.get(type(value), "null")


def shortened(value: object) -> str:
    """Spell a value in a few characters."""
    written = repr(value)
    return written if len(written) < 60 else f"{written[:57]}..."
