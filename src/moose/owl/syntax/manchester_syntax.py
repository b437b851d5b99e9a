"""Manchester syntax, as the list of syntaxes has it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import Entity
from moose.owl.syntax.common.syntax import NAME, Syntax, header_by, opens_with

_SECTION = re.compile(
    r"(?:Prefix|Ontology|Import|Annotations|Class|ObjectProperty|DataProperty|AnnotationProperty|Datatype"
    r"|Individual|(?:Equivalent|Disjoint)(?:Classes|Properties)|(?:Same|Different)Individual):"
)


def _read(data: bytes, where: str, known: Iterable[Entity]) -> Document:
    from moose.owl.syntax.manchester.read_manchester import read_manchester

    return read_manchester(data.decode("utf-8"), where, known=known)


SYNTAX = Syntax(
    name="manchester",
    title="Manchester syntax",
    extensions=(".omn",),
    opens=opens_with(_SECTION),
    read=_read,
    header=header_by(re.compile(r"Ontology:\s*" + NAME + r"(?:\s*" + NAME + r")?")),
    needs_declarations=True,
)
