"""What stands in files that users wrote: JSON, every way of failing said in words, and empty cells of tables."""

from __future__ import annotations

import json
from pathlib import Path

from moose.base.errors import MooseError

MISSING = ("", "na", "n/a", "nan", "null", "none", "?")
"""In lower case. R writes NA, pandas NaN, databases NULL, ARFF a question mark."""


def is_there(path: Path) -> bool:
    """Return whether there is a file or folder; a name that no system takes, such as a very long one, is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def parse_json(text: str | bytes, expected: str) -> object:
    """Return the value of a JSON text; `expected` begins the message, up to its "but".

    >>> parse_json("[1, 2]", "a.json: expected a list, but")
    [1, 2]
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise MooseError(f"{expected} line {error.lineno} is no JSON: {error.msg.lower()}") from None
    except UnicodeDecodeError:
        raise MooseError(f"{expected} it is not text in UTF-8") from None
    except RecursionError:
        raise MooseError(f"{expected} its lists or objects are nested too deeply") from None
    except ValueError:  # Python reads no more than 4,300 digits
        raise MooseError(f"{expected} a number in it has thousands of digits") from None


def table_of(value: object, expected: str) -> dict[str, object]:
    """Return a JSON object, or say what came in its place."""
    if not isinstance(value, dict):
        raise MooseError(f"{expected} got {kind_of(value)}")
    return value


def kind_of(value: object) -> str:
    """Say what a JSON value is."""
    names = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
    }
    return names.get(type(value), "null")


def is_missing(value: object) -> bool:
    """Return whether a cell says that nothing is known: None, a number that is none, or one of the words for it.

    >>> [is_missing(cell) for cell in (" ", "NA", "nan", float("nan"), None, "Even(a)", 0)]
    [True, True, True, True, True, False, False]
    """
    if isinstance(value, str):
        return value.strip().lower() in MISSING
    return value is None or (isinstance(value, float) and value != value)  # noqa: PLR0124  # NaN is unlike itself
