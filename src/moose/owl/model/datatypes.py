"""Datatypes by their value spaces, and data ranges of OWL 2 EL as sets of values: intersected, compared, seen empty.

    >>> from moose.owl.model.expressions import Datatype
    >>> from moose.owl.model.expressions import XSD
    >>> natural, decimal = value_set(Datatype(XSD + "nonNegativeInteger")), value_set(Datatype(XSD + "decimal"))
    >>> natural.is_subset(decimal), natural.intersect(decimal) == natural
    (True, True)

Every answer "yes" is certain. Nothing is known of a datatype that OWL 2 does not define (xsd:date, one's own) but that
rdfs:Literal holds it; there, "no" may mean that nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from moose.base.errors import MooseError
from moose.owl.model import literals
from moose.owl.model.expressions import (
    LANGUAGE_STRING_IRI,
    LITERAL_IRI,
    OWL,
    PLAIN_LITERAL_IRI,
    RDF,
    XSD,
    DataIntersectionOf,
    DataOneOf,
    DataRange,
    Datatype,
)
from moose.owl.model.lexical_forms import DateTime
from moose.owl.model.literals import (
    INTEGER_BOUNDS,
    NUMBER,
    OPAQUE,
    TEXT,
    TEXT_PATTERNS,
    Value,
    definitely_different,
    is_ill_typed,
    is_text_of,
    value_of,
)

__all__ = [
    "Value",
    "ValueSet",
    "are_disjoint",
    "contains",
    "definitely_different",
    "excludes",
    "is_ill_typed",
    "is_known",
    "is_subtype",
    "value_of",
    "value_set",
]

# ── Datatypes and values ──────────────────────────────────────────────────────────────────────────────────────────

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
    """Return whether OWL 2 defines a datatype."""
    return datatype in _SPACES or datatype == LITERAL_IRI


def contains(datatype: str, value: Value) -> bool:
    """Return whether a value surely lies in a datatype."""
    if datatype == LITERAL_IRI:
        return True
    if value.space == OPAQUE:
        return isinstance(value.content, tuple) and value.content[0] == datatype
    return _SPACES.get(datatype) == value.space and _holds(datatype, value)


def excludes(datatype: str, value: Value) -> bool:
    """Return whether a value surely lies outside a datatype."""
    return value.space != OPAQUE and is_known(datatype) and not contains(datatype, value)


def _holds(datatype: str, value: Value) -> bool:
    """Return whether a value lies in a datatype of its own space."""
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
    """Return whether a number has finitely many decimals: its denominator divides a power of ten."""
    denominator = number.denominator
    return pow(10, denominator.bit_length(), denominator) == 0


def is_subtype(sub: str, sup: str) -> bool:
    """Return whether every value of a datatype surely lies in another."""
    if sup in (sub, LITERAL_IRI):
        return True
    if sub in INTEGER_BOUNDS:
        return sup in NUMERIC or (sup in INTEGER_BOUNDS and is_within(INTEGER_BOUNDS[sub], INTEGER_BOUNDS[sup]))
    for order in (NUMERIC, _TEXTS):
        if sub in order:
            return sup in order and order.index(sup) < order.index(sub)
    return (sub, sup) in ((_STAMP, XSD + "dateTime"), (LANGUAGE_STRING_IRI, PLAIN_LITERAL_IRI))


def are_disjoint(first: str, second: str) -> bool:
    """Return whether two datatypes surely share no value."""
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
    """Return whether one interval lies inside another; None is no bound."""
    return (outer[0] is None or (inner[0] is not None and inner[0] >= outer[0])) and (
        outer[1] is None or (inner[1] is not None and inner[1] <= outer[1])
    )


# ── Sets of values ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ValueSet:
    """The values that equal all of `values` and lie in all of `datatypes`; without either, every value.

    Build it by `value_set` and `intersect`, which keep it small: {v}, ∅, or datatypes none of which holds another.
    Several values, or a value beside a datatype, are left only where it is not known whether they fit together.
    """

    values: frozenset[Value] = frozenset()
    datatypes: frozenset[str] = frozenset()
    has_none: bool = False

    @staticmethod
    def empty() -> ValueSet:
        """Return the set without values."""
        return ValueSet(has_none=True)

    @property
    def single(self) -> Value | None:
        """Return the only value, or None when the set is not known to have exactly one."""
        return next(iter(self.values)) if len(self.values) == 1 and not self.datatypes else None

    def is_empty(self) -> bool:
        """Return whether the set surely has no value."""
        return self.has_none

    def contains(self, value: Value) -> bool:
        """Return whether a value is surely in the set."""
        return (
            not self.has_none
            and self.values <= {value}
            and all(contains(datatype, value) for datatype in self.datatypes)
        )

    def intersect(self, other: ValueSet) -> ValueSet:
        """Return the values in both sets."""
        if self.has_none or other.has_none:
            return ValueSet.empty()
        return _intersection(self.values | other.values, self.datatypes | other.datatypes)

    def is_subset(self, other: ValueSet) -> bool:
        """Return whether every value is surely in the other set."""
        if self.has_none:
            return True
        return (
            not other.has_none
            and other.values <= self.values
            and all(self._lies_in(datatype) for datatype in other.datatypes)
        )

    def _lies_in(self, datatype: str) -> bool:
        if any(contains(datatype, value) for value in self.values):
            return True
        if any(is_subtype(own, datatype) for own in self.datatypes):
            return True
        integers = self.datatypes & INTEGER_BOUNDS.keys()
        return (
            len(integers) > 1
            and datatype in INTEGER_BOUNDS
            and is_within(integers_in(integers), INTEGER_BOUNDS[datatype])
        )


def _intersection(values: frozenset[Value], datatypes: frozenset[str]) -> ValueSet:
    """Drop datatypes that hold a value or another datatype, and see whether anything is left."""
    if any(definitely_different(first, second) for first, second in combinations(values, 2)):
        return ValueSet.empty()
    if any(excludes(datatype, value) for value in values for datatype in datatypes):
        return ValueSet.empty()
    if any(are_disjoint(first, second) for first, second in combinations(datatypes, 2)):
        return ValueSet.empty()
    integers = datatypes & INTEGER_BOUNDS.keys()
    low, high = integers_in(integers)
    if low is not None and high is not None:
        if low > high:
            return ValueSet.empty()
        only = Value(NUMBER, Fraction(low))
        if low == high and only not in values:  # as of xsd:nonNegativeInteger and xsd:nonPositiveInteger: {0}
            return _intersection(values | {only}, datatypes)
    left = {datatype for datatype in datatypes if not any(contains(datatype, value) for value in values)}
    narrowest = {wide for wide in left if not any(wide != narrow and is_subtype(narrow, wide) for narrow in left)}
    return ValueSet(values, frozenset(narrowest - {LITERAL_IRI}))


def value_set(data_range: DataRange) -> ValueSet:
    """Return the values of a data range of OWL 2 EL; any named datatype will do."""
    result = ValueSet()
    stack = [data_range]
    while stack:
        match stack.pop():
            case Datatype(iri):
                result = result.intersect(_intersection(frozenset(), frozenset([iri])))
            case DataIntersectionOf(operands):
                stack.extend(operands)
            case DataOneOf((literal,)) if (value := value_of(literal)) is not None:
                result = result.intersect(ValueSet(frozenset([value])))
            case other:
                raise MooseError(
                    "expected a data range of OWL 2 EL (a datatype, one well-formed literal or an intersection), "
                    f"but got {other}; `check_profile` puts a wider or narrower one in its place"
                )
    return result
