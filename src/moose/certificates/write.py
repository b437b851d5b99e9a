"""Write a certificate as JSON: one object, long lists with one item a line, so that it can be read and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TextIO

DEEPEST = 2
"""How deep lists and objects are broken into lines."""


def write_certificate(certificate: Mapping[str, object], stream: TextIO) -> None:
    """Write a certificate."""
    stream.writelines(_pieces(dict(certificate), 0))
    stream.write("\n")


def _pieces(value: object, depth: int) -> Iterator[str]:
    is_long = isinstance(value, list) and any(isinstance(item, list | dict) for item in value)
    if isinstance(value, dict):
        for position, (key, item) in enumerate(value.items()):
            yield f"{',' if position else '{'}\n{' ' * (depth + 1)}{json.dumps(key)}: "
            yield from _pieces(item, depth + 1)
        yield "}" if value else "{}"
    elif isinstance(value, list) and is_long and depth <= DEEPEST + 1:
        for position, item in enumerate(value):
            yield f"{',' if position else '['}\n{' ' * (depth + 1)}"
            if isinstance(item, dict):
                yield from _pieces(item, depth + 1)
            else:
                yield json.dumps(item, ensure_ascii=False, separators=(", ", ": "))
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
