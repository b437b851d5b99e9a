"""Literals as values: what a lexical form stands for in the value space of its datatype.

Two literals mean the same exactly when their values are identical, which is stricter than equal: XML Schema has
+0 = -0 and 10:00Z = 11:00+01:00, but OWL 2 compares by identity, so these are different values (OWL 2, 4.2 and 4.7).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from moose.owl.model.expressions import (
    LANGUAGE_STRING_IRI,
    LITERAL_IRI,
    OWL,
    PLAIN_LITERAL_IRI,
    RDF,
    STRING_IRI,
    XSD,
    Literal,
)
from moose.owl.model.lexical_forms import (
    DateTime,
    parse_date_time,
    parse_decimal,
    parse_double,
    parse_float,
    parse_integer,
    parse_rational,
)

NUMBER, TEXT, BOOLEAN, DOUBLE, FLOAT = "number", "text", "boolean", "double", "float"
HEX, BASE64, URI, TIME, XML, OPAQUE = "hexBinary", "base64Binary", "anyURI", "dateTime", "XMLLiteral", "opaque"

# The least and greatest integer of each datatype that narrows xsd:integer; None where there is none.
INTEGER_BOUNDS: dict[str, tuple[int | None, int | None]] = {
    XSD + "integer": (None, None),
    XSD + "nonNegativeInteger": (0, None),
    XSD + "positiveInteger": (1, None),
    XSD + "nonPositiveInteger": (None, 0),
    XSD + "negativeInteger": (None, -1),
    XSD + "long": (-(2**63), 2**63 - 1),
    XSD + "int": (-(2**31), 2**31 - 1),
    XSD + "short": (-(2**15), 2**15 - 1),
    XSD + "byte": (-(2**7), 2**7 - 1),
    XSD + "unsignedLong": (0, 2**64 - 1),
    XSD + "unsignedInt": (0, 2**32 - 1),
    XSD + "unsignedShort": (0, 2**16 - 1),
    XSD + "unsignedByte": (0, 2**8 - 1),
}

Content = Fraction | str | bytes | bool | DateTime | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A data value: the value space it lies in, and which of that space's values it is.

    A literal whose datatype OWL 2 does not define has an `OPAQUE` value: itself.
    """

    space: str
    content: Content


def value_of(literal: Literal) -> Value | None:
    """Return the value that a literal stands for, or None when its datatype has no such lexical form."""
    datatype = literal.datatype
    if literal.language or datatype in (PLAIN_LITERAL_IRI, LANGUAGE_STRING_IRI):
        return _tagged_text(literal)
    parse = _PARSERS.get(datatype)
    return Value(OPAQUE, (datatype, literal.lexical)) if parse is None else parse(literal.lexical)


def is_ill_typed(literal: Literal) -> bool:
    """Return whether a literal's lexical form is none of its datatype's, as in "two"^^xsd:integer."""
    return literal.datatype != STRING_IRI and value_of(literal) is None


def definitely_different(first: Value, second: Value) -> bool:
    """Return whether two values cannot be the same; values of unknown datatypes may always be."""
    return first != second and OPAQUE not in (first.space, second.space)


_LANGUAGE_TAG = r"[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*"


def _tagged_text(literal: Literal) -> Value | None:
    """Read text with a language tag; rdf:PlainLiteral may also write it at the end: "chat@fr", or "chat@" for none."""
    text, language = literal.lexical, literal.language
    if not language and literal.datatype == PLAIN_LITERAL_IRI:
        before, at, tag = text.rpartition("@")
        if at and (not tag or re.fullmatch(_LANGUAGE_TAG, tag)):
            text, language = before, tag
        return Value(TEXT, (text, language.lower()))
    if not re.fullmatch(_LANGUAGE_TAG, language) or literal.datatype not in _TAGGED:
        return None
    return Value(TEXT, (text, language.lower()))


_TAGGED = frozenset([PLAIN_LITERAL_IRI, LANGUAGE_STRING_IRI, STRING_IRI])  # the last as some documents have it

# ── Text ──────────────────────────────────────────────────────────────────────────────────────────────────────────

# XML 1.0, fifth edition, productions 4 and 4a, without the colon.
_NAME_START = (
    r"A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_NAME_CHAR = _NAME_START + r"\-.0-9\u00B7\u0300-\u036F\u203F-\u2040"

# From wide to narrow: each value space holds the next, although XML Schema derives Name and NMTOKEN side by side.
# Compiled when first used, since the wide character classes take their time.
TEXT_PATTERNS = {
    STRING_IRI: r"(?s:.*)",
    XSD + "normalizedString": r"[^\t\n\r]*",
    XSD + "token": r"([^\t\n\r ]+( [^\t\n\r ]+)*)?",
    XSD + "NMTOKEN": f"[:{_NAME_CHAR}]+",
    XSD + "Name": f"[:{_NAME_START}][:{_NAME_CHAR}]*",
    XSD + "NCName": f"[{_NAME_START}][{_NAME_CHAR}]*",
    XSD + "language": _LANGUAGE_TAG,
}


def is_text_of(datatype: str, text: str) -> bool:
    """Return whether a text without language tag lies in xsd:string or a datatype that narrows it."""
    return datatype == STRING_IRI or re.fullmatch(TEXT_PATTERNS[datatype], text) is not None


def _text_parser(datatype: str) -> Callable[[str], Value | None]:
    return lambda lexical: Value(TEXT, (lexical, "")) if is_text_of(datatype, lexical) else None


# ── Other spaces ──────────────────────────────────────────────────────────────────────────────────────────────────


def _wrap(space: str, parse: Callable[[str], Content | None]) -> Callable[[str], Value | None]:
    """Make a parser of contents a parser of values."""

    def read(lexical: str) -> Value | None:
        content = parse(lexical)
        return None if content is None else Value(space, content)

    return read


def _integer_within(low: int | None, high: int | None) -> Callable[[str], Fraction | None]:
    def parse(lexical: str) -> Fraction | None:
        number = parse_integer(lexical)
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            return None
        return Fraction(number)

    return parse


def _parse_nothing(_: str) -> None:
    """Refuse every lexical form: owl:real and rdfs:Literal have none of their own."""


def _parse_boolean(lexical: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(lexical)


def _parse_hex(lexical: str) -> bytes | None:
    return bytes.fromhex(lexical) if re.fullmatch("([0-9a-fA-F]{2})*", lexical) else None


# Groups of four digits that may stand apart by one space; the last group's unused bits are zero (XML Schema, 3.3.16).
_BASE64 = re.compile(
    r"((?:[A-Za-z0-9+/] ?){4})*((?:[A-Za-z0-9+/] ?){2}[AEIMQUYcgkosw048] ?=|[A-Za-z0-9+/] ?[AQgw] ?= ?=)?"
)


def _parse_base64(lexical: str) -> bytes | None:
    if lexical.endswith(" ") or not _BASE64.fullmatch(lexical):
        return None
    return base64.b64decode(lexical.replace(" ", ""))


def _parse_xml(lexical: str) -> str | None:
    """Return an XML fragment's canonical form, which differs where the value does.

    Wrapped in an element it can hold no DOCTYPE, so no entity bomb.
    """
    import xml.etree.ElementTree as ET

    try:
        return ET.canonicalize(f"<x>{lexical}</x>", with_comments=True)
    except (ET.ParseError, ValueError):
        return None


def _parse_stamp(lexical: str) -> DateTime | None:
    """Read a moment that must say its distance from Greenwich."""
    moment = parse_date_time(lexical)
    return None if moment is None or moment.offset is None else moment


_PARSERS: dict[str, Callable[[str], Value | None]] = {
    **{iri: _text_parser(iri) for iri in TEXT_PATTERNS},
    **{iri: _wrap(NUMBER, _integer_within(*bounds)) for iri, bounds in INTEGER_BOUNDS.items()},
    XSD + "decimal": _wrap(NUMBER, parse_decimal),
    OWL + "rational": _wrap(NUMBER, parse_rational),
    OWL + "real": _parse_nothing,
    LITERAL_IRI: _parse_nothing,
    XSD + "boolean": _wrap(BOOLEAN, _parse_boolean),
    XSD + "double": _wrap(DOUBLE, parse_double),
    XSD + "float": _wrap(FLOAT, parse_float),
    XSD + "hexBinary": _wrap(HEX, _parse_hex),
    XSD + "base64Binary": _wrap(BASE64, _parse_base64),
    XSD + "anyURI": lambda lexical: Value(URI, lexical),
    XSD + "dateTime": _wrap(TIME, parse_date_time),
    XSD + "dateTimeStamp": _wrap(TIME, _parse_stamp),
    RDF + "XMLLiteral": _wrap(XML, _parse_xml),
}
