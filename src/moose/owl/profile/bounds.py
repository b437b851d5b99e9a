"""Find, for any class expression or data range, those of OWL 2 EL just above and just below it.

`bound_range` finds the bounds of a data range, a `Bounder` those of a class expression from those of its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import value_set
from moose.owl.model.expressions import (
    EL_DATATYPES,
    LITERAL,
    NOTHING,
    OWL,
    PLAIN_LITERAL_IRI,
    XSD,
    ClassExpression,
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
from moose.owl.profile.class_bounds import (
    NONE,
    UNKNOWN,
    Bounds,
    Pair,
    conjoin,
    count,
    exactly,
    is_itself,
    name_of,
    unite,
)

LIMIT = 1000
"""A part that would split into more alternatives than this is not split at all."""

BUDGET = 100_000
"""How many alternatives may be built inside one expression before the rest is given up."""

# ── Data ranges ───────────────────────────────────────────────────────────────────────────────────────────────────


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

ALL_VALUES = RangeBounds(LITERAL, True, (LITERAL,), True)
NO_VALUES = RangeBounds(None, True, (), True)
UNKNOWN_VALUES = RangeBounds(LITERAL, False, (), False)


def bound_range(data_range: DataRange, definitions: Mapping[str, RangePair]) -> RangePair:
    """Return the bounds of a data range and of its complement; `definitions` holds those of datatypes of one's own."""
    return fold(data_range, _range_parts, lambda node, values: _combine_ranges(node, values, definitions))


def _range_parts(data_range: DataRange) -> Sequence[DataRange]:
    match data_range:
        case DataIntersectionOf(operands) | DataUnionOf(operands):
            return operands
        case DataComplementOf(operand):
            return (operand,)
        case DatatypeRestriction(datatype, _):
            return (datatype,)
    return ()


def _combine_ranges(data_range: DataRange, values: list[RangePair], definitions: Mapping[str, RangePair]) -> RangePair:
    match data_range:
        case Datatype(iri):
            return definitions.get(iri) or _bound_datatype(data_range)
        case DataOneOf(literals):
            singles = [_bound_literal(literal) for literal in literals]
            return (singles[0] if len(singles) == 1 else _unite_ranges(singles)), UNKNOWN_VALUES
        case DataIntersectionOf():
            return _intersect_ranges([value[0] for value in values]), _unite_ranges([value[1] for value in values])
        case DataUnionOf():
            return _unite_ranges([value[0] for value in values]), _intersect_ranges([value[1] for value in values])
        case DataComplementOf():
            return values[0][1], values[0][0]
        case DatatypeRestriction(_, facets):
            base = values[0][0]
            return (base if not facets else RangeBounds(base.upper, base.upper is None, (), False)), UNKNOWN_VALUES
    raise AssertionError(f"no data range: {data_range}")


def _bound_datatype(datatype: Datatype) -> RangePair:
    if datatype == LITERAL:
        return ALL_VALUES, NO_VALUES
    is_el = datatype.iri in EL_DATATYPES
    return RangeBounds(datatype, is_el, (datatype,), is_el), UNKNOWN_VALUES


def _bound_literal(literal: Literal) -> RangeBounds:
    value = value_of(literal)
    if value is None:
        return UNKNOWN_VALUES
    single = DataOneOf((literal,))
    is_known = value.space != OPAQUE
    return RangeBounds(single, is_known, (single,), is_known)


def _intersect_ranges(operands: list[RangeBounds]) -> RangeBounds:
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


def _unite_ranges(operands: list[RangeBounds]) -> RangeBounds:
    upper, is_exact = _join_ranges([operand for operand in operands if operand.upper is not None])
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


def _join_ranges(operands: list[RangeBounds]) -> tuple[DataRange | None, bool]:
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


# ── Class expressions ─────────────────────────────────────────────────────────────────────────────────────────────

_Quantified = (
    owl.ObjectSomeValuesFrom
    | owl.ObjectAllValuesFrom
    | owl.ObjectMinCardinality
    | owl.ObjectMaxCardinality
    | owl.ObjectExactCardinality
)
_DataQuantified = owl.DataMinCardinality | owl.DataMaxCardinality | owl.DataExactCardinality


@dataclass(slots=True)
class Bounder:
    """Finds bounds, with the definitions of datatypes of one's own; remembers whether one grew too large to build."""

    definitions: Mapping[str, RangePair] = field(default_factory=dict)
    is_cut: bool = False
    _built: int = 0
    _known: dict[int, tuple[ClassExpression, Pair]] = field(default_factory=dict)

    def bound(self, expression: ClassExpression) -> Pair:
        """Return the bounds of C and of ¬C."""
        known = self._known.get(id(expression))
        if known is None:
            self._built = 0
            # The expression is kept with its bounds, so that no other can get the same id.
            known = self._known[id(expression)] = expression, fold(expression, _parts, self._combine)
        return known[1]

    def start_anew(self) -> None:
        """Forget the expressions of the axiom before."""
        self._known.clear()
        self.is_cut = False

    def _combine(self, expression: ClassExpression, values: list[Pair]) -> Pair:
        """Bound an expression, given the bounds of the class expressions inside it."""
        match expression:
            case owl.Class() | owl.ObjectHasSelf(owl.ObjectProperty()):
                return exactly(expression)
            case owl.ObjectHasSelf(owl.ObjectInverseOf(role)):
                return exactly(owl.ObjectHasSelf(role))
            case owl.ObjectHasValue(role, individual):
                named = name_of(role)
                return (UNKNOWN, UNKNOWN) if named is None else exactly(owl.ObjectHasValue(named, individual))
            case owl.ObjectOneOf(individuals):
                return unite([exactly(owl.ObjectOneOf((individual,)))[0] for individual in individuals]), UNKNOWN
            case owl.ObjectComplementOf():
                return values[0][1], values[0][0]
            case owl.ObjectIntersectionOf(operands):
                bounds = [value[0] for value in values]
                if all(map(is_itself, operands, bounds)):
                    return exactly(expression)
                return self._intersect(bounds), unite([value[1] for value in values])
            case owl.ObjectUnionOf():
                return unite([value[0] for value in values]), self._intersect([value[1] for value in values])
            case owl.ObjectSomeValuesFrom(owl.ObjectProperty(), filler) if is_itself(filler, values[0][0]):
                return exactly(expression)
        if isinstance(expression, _Quantified):
            some = [self._some(expression.property, inside) for inside in values[0]]
            return self._quantify(expression, some[0], some[1])
        return self._restrict_data(expression)

    def _restrict_data(self, expression: ClassExpression) -> Pair:
        """Bound a restriction on a data property."""
        match expression:
            case owl.DataHasValue(data_property, literal):
                inside, _ = bound_range(owl.DataOneOf((literal,)), self.definitions)
                return (
                    exactly(expression) if inside.is_upper_exact else count(1, self._data_some(data_property, inside))
                )
            case owl.DataSomeValuesFrom((data_property,), data_range) | owl.DataAllValuesFrom(
                (data_property,), data_range
            ):
                pass
            case owl.DataMinCardinality() | owl.DataMaxCardinality() | owl.DataExactCardinality():
                data_property, data_range = expression.property, expression.range
            case _:
                return UNKNOWN, UNKNOWN  # several data properties at once
        some = [self._data_some(data_property, inside) for inside in bound_range(data_range, self.definitions)]
        return self._quantify(expression, some[0], some[1])

    def _quantify(self, expression: ClassExpression, some: Bounds, some_not: Bounds) -> Pair:
        """Bound a quantifier or cardinality, given ∃r.C and ∃r.¬C: ∀r.C is ¬∃r.¬C, ≤ n is ¬ ≥ n+1, = n is ≥ n ⊓ ≤ n."""
        match expression:
            case owl.ObjectAllValuesFrom() | owl.DataAllValuesFrom():
                return count(1, some_not)[::-1]
            case owl.ObjectMinCardinality(number) | owl.DataMinCardinality(number):
                return count(number, some)
            case owl.ObjectMaxCardinality(number) | owl.DataMaxCardinality(number):
                return count(number + 1, some)[::-1]
            case owl.ObjectExactCardinality(number) | owl.DataExactCardinality(number):
                enough, few = count(number, some)
                many, at_most = count(number + 1, some)
                return self._intersect([enough, at_most]), unite([few, many])
        return count(1, some)

    def _intersect(self, operands: Sequence[Bounds]) -> Bounds:
        """Bound C ⊓ D ⊓ …: above by the uppers together, below by each choice of one lower from every operand."""
        upper = conjoin(operand.upper for operand in operands)
        if upper == NOTHING:
            return NONE
        fits = self._fits(prod(len(operand.lower) for operand in operands))
        choices = product(*(operand.lower for operand in operands)) if fits else ()
        return Bounds(
            upper,
            all(operand.is_upper_exact for operand in operands),
            tuple(alternative for choice in choices if (alternative := conjoin(choice)) != NOTHING),
            fits and all(operand.is_lower_exact for operand in operands),
        )

    def _some(self, role: owl.ObjectPropertyExpression, inside: Bounds) -> Bounds:
        """Bound ∃r.C, given the bounds of C."""
        named = name_of(role)
        if inside.upper == NOTHING:
            return NONE
        if named is None:
            return UNKNOWN
        fits = self._fits(len(inside.lower))
        return Bounds(
            owl.ObjectSomeValuesFrom(named, inside.upper),
            inside.is_upper_exact,
            tuple(owl.ObjectSomeValuesFrom(named, alternative) for alternative in inside.lower) if fits else (),
            fits and inside.is_lower_exact,
        )

    def _data_some(self, data_property: owl.DataProperty, inside: RangeBounds) -> Bounds:
        """Bound ∃d.D, given the bounds of D."""
        if inside.upper is None:
            return NONE
        fits = self._fits(len(inside.lower))
        return Bounds(
            owl.DataSomeValuesFrom((data_property,), inside.upper),
            inside.is_upper_exact,
            tuple(owl.DataSomeValuesFrom((data_property,), narrow) for narrow in inside.lower) if fits else (),
            fits and inside.is_lower_exact,
        )

    def _fits(self, alternatives: int) -> bool:
        """Return whether that many more alternatives may be built, and count them."""
        fits = alternatives <= LIMIT and self._built + alternatives <= BUDGET
        self._built += alternatives if fits else 0
        self.is_cut = self.is_cut or not fits
        return fits


def _parts(expression: ClassExpression) -> Sequence[ClassExpression]:
    """Return the class expressions directly inside one."""
    match expression:
        case owl.ObjectIntersectionOf(operands) | owl.ObjectUnionOf(operands):
            return operands
        case owl.ObjectComplementOf(operand):
            return (operand,)
    return (expression.filler,) if isinstance(expression, _Quantified) else ()
