"""Literals and data ranges of Manchester syntax: `"a"@en`, `1.5f`, `integer[>= 5, < 10]`, `not {1, 2} or string`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from moose.owl.model.expressions import (
    LANGUAGE_STRING_IRI,
    RDF,
    XSD,
    DataComplementOf,
    DataIntersectionOf,
    DataOneOf,
    DataRange,
    DatatypeRestriction,
    DataUnionOf,
    Literal,
)
from moose.owl.syntax.manchester.cursor import Reader
from moose.owl.syntax.manchester.manchester_tokens import NUMBER, is_closed

T = TypeVar("T")

FACETS = {
    "length": XSD + "length",
    "minlength": XSD + "minLength",
    "maxlength": XSD + "maxLength",
    "pattern": XSD + "pattern",
    "langrange": RDF + "langRange",
    "totaldigits": XSD + "totalDigits",
    "fractiondigits": XSD + "fractionDigits",
    "<=": XSD + "maxInclusive",
    "<": XSD + "maxExclusive",
    ">=": XSD + "minInclusive",
    ">": XSD + "minExclusive",
}


def is_literal(reader: Reader, ahead: int = 0) -> bool:
    """Return whether a literal comes; a number or a truth value is none if the document has a frame of that name."""
    token = reader.peek(ahead)
    if token.startswith('"'):
        return True
    is_bare = NUMBER.fullmatch(token) is not None or token in ("true", "false")
    return is_bare and not reader.names.has_frame(token)


def read_literal(reader: Reader) -> Literal:
    """Read a literal."""
    token = reader.peek()
    if token.startswith('"') and is_closed(token):
        return _quoted(reader)
    if token in ("true", "false"):
        return Literal(reader.take(), XSD + "boolean")
    if not NUMBER.fullmatch(token):
        reader.fail("a literal")
    reader.take()
    if token[-1] in "fF":
        return Literal(token[:-1], XSD + "float")
    return Literal(token, XSD + ("decimal" if "." in token else "integer"))


def _quoted(reader: Reader) -> Literal:
    lexical = re.sub(r'\\(["\\])', r"\1", reader.take()[1:-1])
    if reader.accept("^^"):
        return Literal(lexical, reader.datatype().iri)
    if reader.peek().startswith("@") and len(reader.peek()) > 1:
        return Literal(lexical, LANGUAGE_STRING_IRI, reader.take()[1:])
    return Literal(lexical)


def read_list(reader: Reader, read: Callable[[Reader], T], closing: str = "", *, opened: int = 0) -> tuple[T, ...]:
    """Read one or more items parted by commas and, if there is one, the closing bracket of what `opened` them."""
    items = [read(reader)]
    while reader.accept(","):
        items.append(read(reader))
    if closing:
        reader.close(closing, opened, otherwise="',' or ")
    return tuple(items)


def read_data_range(reader: Reader, depth: int = 0) -> DataRange:
    """Read a data range: `and` binds tighter than `or`, and `not` tighter than both."""
    unions: list[DataRange] = []
    operands = [read_data_primary(reader, depth)]
    while reader.at_word("and", "or"):
        if reader.take().lower() == "or":
            unions.append(DataIntersectionOf(tuple(operands)) if len(operands) > 1 else operands[0])
            operands = []
        operands.append(read_data_primary(reader, depth))
    last = DataIntersectionOf(tuple(operands)) if len(operands) > 1 else operands[0]
    return DataUnionOf((*unions, last)) if unions else last


def read_data_primary(reader: Reader, depth: int) -> DataRange:
    """Read a data range that needs no parentheses behind a quantifier."""
    reader.check_depth(depth)
    if reader.opens("not"):
        reader.take()
        return DataComplementOf(read_data_primary(reader, depth + 1))
    opened = reader.position
    if reader.accept("("):
        inner = read_data_range(reader, depth + 1)
        reader.close(")", opened)
        return inner
    if reader.accept("{"):
        return DataOneOf(read_list(reader, read_literal, "}", opened=opened))
    datatype = reader.datatype()
    opened = reader.position
    if not reader.accept("["):
        return datatype
    return DatatypeRestriction(datatype, read_list(reader, _facet, "]", opened=opened))


def _facet(reader: Reader) -> tuple[str, Literal]:
    facet = FACETS.get(reader.peek().lower())
    if facet is None:
        reader.fail("a facet such as '>=' or 'length'")
    reader.take()
    return facet, read_literal(reader)
