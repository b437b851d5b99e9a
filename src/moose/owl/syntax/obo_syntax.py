"""The OBO flat file format, as the list of syntaxes has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import OBO, Entity
from moose.owl.syntax.common.syntax import MOST_NAMES, Syntax, opens_with
from moose.owl.syntax.common.written import Written

_OPENING = re.compile(r"\[(?:Term|Typedef|Instance)\]|[a-z][a-z-]*+:(?:\s|\Z)")
_ONTOLOGY = re.compile(r"^ontology:\s*(\S+)", re.MULTILINE)


def _header(text: str) -> tuple[str, ...]:
    return tuple(iri for match in islice(_ONTOLOGY.finditer(text), MOST_NAMES) for iri in _iris(match[1]))


def _iris(name: str) -> Iterator[str]:
    """Yield the addresses that an ontology of this name is imported by."""
    yield from (name,) if ":" in name else (f"{OBO}{name}.owl", f"{OBO}{name}.obo")


def _read(data: bytes, where: str, known: Iterable[Entity]) -> Document:
    from moose.owl.syntax.obo.read_obo import read_obo

    return read_obo(data.decode("utf-8"), where, known=known)


def _write(document: Document) -> Written:
    from moose.owl.syntax.obo.writing.write_obo import write_obo

    return write_obo(document)


SYNTAX = Syntax(
    name="obo",
    title="OBO",
    extensions=(".obo",),
    opens=opens_with(_OPENING),
    read=_read,
    write=_write,
    header=_header,
    needs_declarations=True,
)
