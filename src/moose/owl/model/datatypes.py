"""Data ranges of OWL 2 EL as sets of values: intersect them, compare them, see whether they are empty.

    >>> from moose.owl.model.expressions import Datatype
    >>> from moose.owl.model.vocabulary import XSD
    >>> natural, decimal = value_set(Datatype(XSD + "nonNegativeInteger")), value_set(Datatype(XSD + "decimal"))
    >>> natural.is_subset(decimal), natural.intersect(decimal) == natural
    (True, True)

Every answer "yes" is certain. Where a datatype is not OWL 2's own, "no" may mean that nothing is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from moose.base.errors import MooseError
from moose.owl.model.datatype_order import (
    are_disjoint,
    contains,
    excludes,
    integers_in,
    is_known,
    is_subtype,
    is_within,
)
from moose.owl.model.expressions import DataIntersectionOf, DataOneOf, DataRange, Datatype
from moose.owl.model.lexical_forms import INTEGER_BOUNDS
from moose.owl.model.literals import NUMBER, Value, definitely_different, is_ill_typed, value_of
from moose.owl.model.vocabulary import LITERAL_IRI

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
        """Say whether the set surely has no value."""
        return self.has_none

    def contains(self, value: Value) -> bool:
        """Say whether a value is surely in the set."""
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
        """Say whether every value is surely in the other set."""
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
        if low == high and not values:  # as of xsd:nonNegativeInteger and xsd:nonPositiveInteger: {0}
            return _intersection(frozenset([Value(NUMBER, Fraction(low))]), datatypes)
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
