"""Which datatypes hold a value, lie inside one another, or share nothing, by their value spaces in OWL 2.

Nothing is known of a datatype that OWL 2 does not define (xsd:date, one's own) but that rdfs:Literal holds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from moose.owl.model import literals
from moose.owl.model.lexical_forms import INTEGER_BOUNDS, DateTime
from moose.owl.model.literals import OPAQUE, TEXT, TEXT_PATTERNS, Value, is_text_of
from moose.owl.model.vocabulary import LANGUAGE_STRING_IRI, LITERAL_IRI, OWL, PLAIN_LITERAL_IRI, RDF, XSD

Interval = tuple[int | None, int | None]

# Each holds the next.
_REAL, _RATIONAL, _DECIMAL = NUMERIC = (OWL + "real", OWL + "rational", XSD + "decimal")
_TEXTS = (PLAIN_LITERAL_IRI, *TEXT_PATTERNS)
_STAMP = XSD + "dateTimeStamp"
_SPACES = {
    **dict.fromkeys([*NUMERIC, *INTEGER_BOUNDS], literals.NUMBER),
    **dict.fromkeys([*_TEXTS, LANGUAGE_STRING_IRI], TEXT),
    XSD + "boolean": literals.BOOLEAN,
    XSD + "double": literals.DOUBLE,
    XSD + "float": literals.FLOAT,
    XSD + "hexBinary": literals.HEX,
    XSD + "base64Binary": literals.BASE64,
    XSD + "anyURI": literals.URI,
    XSD + "dateTime": literals.TIME,
    _STAMP: literals.TIME,
    RDF + "XMLLiteral": literals.XML,
}


def is_known(datatype: str) -> bool:
    """Say whether OWL 2 defines a datatype."""
    return datatype in _SPACES or datatype == LITERAL_IRI


def contains(datatype: str, value: Value) -> bool:
    """Say whether a value surely lies in a datatype."""
    if datatype == LITERAL_IRI:
        return True
    if value.space == OPAQUE:
        return isinstance(value.content, tuple) and value.content[0] == datatype
    return _SPACES.get(datatype) == value.space and _holds(datatype, value)


def excludes(datatype: str, value: Value) -> bool:
    """Say whether a value surely lies outside a datatype."""
    return value.space != OPAQUE and is_known(datatype) and not contains(datatype, value)


def _holds(datatype: str, value: Value) -> bool:
    """Say whether a value lies in a datatype of its own space."""
    match value.content:
        case Fraction() as number:
            return _holds_number(datatype, number)
        case DateTime() as moment:
            return datatype != _STAMP or moment.offset is not None
        case (str(text), str(language)) if value.space == TEXT:
            if language or datatype == LANGUAGE_STRING_IRI:
                return bool(language) and datatype in (PLAIN_LITERAL_IRI, LANGUAGE_STRING_IRI)
            return datatype == PLAIN_LITERAL_IRI or is_text_of(datatype, text)
    return True


def _holds_number(datatype: str, number: Fraction) -> bool:
    if datatype in (_REAL, _RATIONAL):
        return True
    if datatype == _DECIMAL:
        return _is_decimal(number)
    low, high = INTEGER_BOUNDS[datatype]
    return number.denominator == 1 and (low is None or low <= number) and (high is None or number <= high)


def _is_decimal(number: Fraction) -> bool:
    """Say whether a number has finitely many decimals: its denominator divides a power of ten."""
    denominator = number.denominator
    return pow(10, denominator.bit_length(), denominator) == 0


def is_subtype(sub: str, sup: str) -> bool:
    """Say whether every value of a datatype surely lies in another."""
    if sup in (sub, LITERAL_IRI):
        return True
    if sub in INTEGER_BOUNDS:
        return sup in NUMERIC or (sup in INTEGER_BOUNDS and is_within(INTEGER_BOUNDS[sub], INTEGER_BOUNDS[sup]))
    for order in (NUMERIC, _TEXTS):
        if sub in order:
            return sup in order and order.index(sup) < order.index(sub)
    return (sub, sup) in ((_STAMP, XSD + "dateTime"), (LANGUAGE_STRING_IRI, PLAIN_LITERAL_IRI))


def are_disjoint(first: str, second: str) -> bool:
    """Say whether two datatypes surely share no value."""
    if LITERAL_IRI in (first, second) or not (is_known(first) and is_known(second)):
        return False
    if _SPACES[first] != _SPACES[second]:
        return True
    if first in INTEGER_BOUNDS and second in INTEGER_BOUNDS:
        low, high = integers_in([first, second])
        return low is not None and high is not None and low > high
    return (
        LANGUAGE_STRING_IRI in (first, second) and {first, second}.isdisjoint({PLAIN_LITERAL_IRI}) and first != second
    )


def integers_in(datatypes: Iterable[str]) -> Interval:
    """Return the least and the greatest integer that integer datatypes have in common (least > greatest: none)."""
    bounds = [INTEGER_BOUNDS[datatype] for datatype in datatypes]
    lows = [low for low, _ in bounds if low is not None]
    highs = [high for _, high in bounds if high is not None]
    return max(lows, default=None), min(highs, default=None)


def is_within(inner: Interval, outer: Interval) -> bool:
    """Say whether one interval lies inside another; None is no bound."""
    return (outer[0] is None or (inner[0] is not None and inner[0] >= outer[0])) and (
        outer[1] is None or (inner[1] is not None and inner[1] <= outer[1])
    )
