"""OWL 2 functional syntax, as the list of syntaxes has it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import Entity
from moose.owl.syntax.common.syntax import NAME, Syntax, header_by, opens_with
from moose.owl.syntax.common.written import Written

LARGE = 2_000_000
"""Bytes from which on it pays to put machine code for reading into memory."""


def _read(data: bytes, where: str, _known: Iterable[Entity]) -> Document:
    from moose.owl.syntax.functional.read_functional import read_functional

    if len(data) >= LARGE:
        from moose.owl.syntax.functional.read_plain import read_large

        if (document := read_large(data)) is not None:
            return document
    return read_functional(data.decode("utf-8"), where)


def _write(document: Document) -> Written:
    from moose.owl.syntax.functional.short_document import write_short

    return write_short(document)


SYNTAX = Syntax(
    name="functional",
    title="functional syntax",
    extensions=(".ofn", ".fss"),
    opens=opens_with(re.compile(r"(?:Prefix|Ontology)\s*\(")),
    read=_read,
    header=header_by(re.compile(r"Ontology\s*\(\s*" + NAME + r"(?:\s*" + NAME + r")?")),
    write=_write,
)
