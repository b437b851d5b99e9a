"""Data ranges of OWL 2 EL just above and just below any data range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from moose.owl.model.datatypes import value_set
from moose.owl.model.expressions import (
    LITERAL,
    DataComplementOf,
    DataIntersectionOf,
    DataOneOf,
    DataRange,
    Datatype,
    DatatypeRestriction,
    DataUnionOf,
    Literal,
)
from moose.owl.model.literals import OPAQUE, value_of
from moose.owl.model.nesting import fold
from moose.owl.model.vocabulary import EL_DATATYPES, OWL, PLAIN_LITERAL_IRI, XSD

LIMIT = 1000
"""A part that would split into more alternatives than this is not split at all."""


@dataclass(frozen=True, slots=True)
class RangeBounds:
    """What is known of a data range in EL: it lies inside `upper` (None: it is empty) and holds each of `lower`.

    `is_upper_exact` says that it is `upper`, `is_lower_exact` that it is the union of `lower`. A datatype outside EL
    bounds itself, but not exactly: reasoning with it is sound and may miss something.
    """

    upper: DataRange | None
    is_upper_exact: bool
    lower: tuple[DataRange, ...]
    is_lower_exact: bool


RangePair = tuple[RangeBounds, RangeBounds]
"""The bounds of a data range and of its complement."""

ALL = RangeBounds(LITERAL, True, (LITERAL,), True)
NONE = RangeBounds(None, True, (), True)
UNKNOWN = RangeBounds(LITERAL, False, (), False)


def bound_range(data_range: DataRange, definitions: Mapping[str, RangePair]) -> RangePair:
    """Return the bounds of a data range and of its complement; `definitions` holds those of datatypes of one's own."""
    return fold(data_range, _parts, lambda node, values: _combine(node, values, definitions))


def _parts(data_range: DataRange) -> Sequence[DataRange]:
    match data_range:
        case DataIntersectionOf(operands) | DataUnionOf(operands):
            return operands
        case DataComplementOf(operand):
            return (operand,)
        case DatatypeRestriction(datatype, _):
            return (datatype,)
    return ()


def _combine(data_range: DataRange, values: list[RangePair], definitions: Mapping[str, RangePair]) -> RangePair:
    match data_range:
        case Datatype(iri):
            return definitions.get(iri) or _bound_datatype(data_range)
        case DataOneOf(literals):
            singles = [_bound_literal(literal) for literal in literals]
            return (singles[0] if len(singles) == 1 else _union(singles)), UNKNOWN
        case DataIntersectionOf():
            return _intersection([value[0] for value in values]), _union([value[1] for value in values])
        case DataUnionOf():
            return _union([value[0] for value in values]), _intersection([value[1] for value in values])
        case DataComplementOf():
            return values[0][1], values[0][0]
        case DatatypeRestriction(_, facets):
            base = values[0][0]
            return (base if not facets else RangeBounds(base.upper, base.upper is None, (), False)), UNKNOWN
    raise AssertionError(f"no data range: {data_range}")


def _bound_datatype(datatype: Datatype) -> RangePair:
    if datatype == LITERAL:
        return ALL, NONE
    is_el = datatype.iri in EL_DATATYPES
    return RangeBounds(datatype, is_el, (datatype,), is_el), UNKNOWN


def _bound_literal(literal: Literal) -> RangeBounds:
    value = value_of(literal)
    if value is None:
        return UNKNOWN
    single = DataOneOf((literal,))
    is_known = value.space != OPAQUE
    return RangeBounds(single, is_known, (single,), is_known)


def _intersection(operands: list[RangeBounds]) -> RangeBounds:
    upper = meet([operand.upper for operand in operands])
    choices = 1
    for operand in operands:
        choices *= len(operand.lower)
    is_cut = choices > LIMIT
    meets = [] if is_cut else [meet(choice) for choice in product(*(operand.lower for operand in operands))]
    return RangeBounds(
        upper,
        upper is None or all(operand.is_upper_exact for operand in operands),
        tuple(dict.fromkeys(alternative for alternative in meets if alternative is not None)),
        upper is None or (not is_cut and all(operand.is_lower_exact for operand in operands)),
    )


def _union(operands: list[RangeBounds]) -> RangeBounds:
    upper, is_exact = _join([operand for operand in operands if operand.upper is not None])
    lower = tuple(dict.fromkeys(alternative for operand in operands for alternative in operand.lower))
    return RangeBounds(upper, is_exact, lower, all(operand.is_lower_exact for operand in operands))


def meet(ranges: Sequence[DataRange | None]) -> DataRange | None:
    """Return the intersection of EL data ranges, flat and without repetition; None when it is empty."""
    atoms: dict[DataRange, None] = {}
    for data_range in ranges:
        if data_range is None:
            return None
        atoms.update(
            dict.fromkeys(data_range.operands if isinstance(data_range, DataIntersectionOf) else (data_range,))
        )
    atoms.pop(LITERAL, None)
    whole = DataIntersectionOf(tuple(atoms))
    if value_set(whole).is_empty():
        return None
    return LITERAL if not atoms else next(iter(atoms)) if len(atoms) == 1 else whole


# From narrow to wide in each family.
_FAMILIES = tuple(
    Datatype(iri)
    for iri in (
        *(XSD + name for name in ("NCName", "Name", "NMTOKEN", "token", "normalizedString", "string")),
        PLAIN_LITERAL_IRI,
        *(XSD + name for name in ("nonNegativeInteger", "integer", "decimal")),
        *(OWL + name for name in ("rational", "real")),
        *(XSD + name for name in ("dateTimeStamp", "dateTime")),
    )
)


def _join(operands: list[RangeBounds]) -> tuple[DataRange | None, bool]:
    """Return a narrow EL data range around several, and whether it is their union: one of them, a datatype, or all."""
    uppers = [operand.upper for operand in operands if operand.upper is not None]
    sets = [value_set(upper) for upper in uppers]
    if not uppers:
        return None, True
    for operand, upper, values in zip(operands, uppers, sets):
        if all(other.is_subset(values) for other in sets):
            return upper, operand.is_upper_exact
    for datatype in _FAMILIES:
        if all(values.is_subset(value_set(datatype)) for values in sets):
            return datatype, False
    return LITERAL, False
