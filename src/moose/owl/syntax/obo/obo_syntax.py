"""The OBO flat file format, as the list of syntaxes has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from moose.owl.model.document import Document
from moose.owl.model.expressions import Entity
from moose.owl.model.vocabulary import OBO
from moose.owl.syntax.common.syntax import Syntax, opens_with, write_out

_ONTOLOGY = re.compile(r"^ontology:\s*(\S+)", re.MULTILINE)


def _header(text: str) -> tuple[str, ...]:
    return tuple(write_out(iri, text) for match in _ONTOLOGY.finditer(text) for iri in _iris(match[1]))


def _iris(name: str) -> Iterator[str]:
    """Yield the addresses that an ontology of this name is imported by."""
    yield from (name,) if ":" in name else (f"{OBO}{name}.owl", f"{OBO}{name}.obo")


def _read(data: bytes, where: str, _known: Iterable[Entity]) -> Document:
    from moose.owl.syntax.obo.read_obo import read_obo

    return read_obo(data.decode("utf-8"), where)


SYNTAX = Syntax(
    name="obo",
    title="OBO",
    extensions=(".obo",),
    opens=opens_with(re.compile(r"\[(?:Term|Typedef|Instance)\]|[a-z][a-z-]*:(?:\s|\Z)")),
    read=_read,
    header=_header,
)
