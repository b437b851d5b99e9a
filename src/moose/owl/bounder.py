"""Find, for any class expression, expressions of OWL 2 EL just above and just below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from moose.owl import model as owl
from moose.owl.bounds import NONE, UNKNOWN, Bounds, Pair, conjoin, count, exactly, is_itself, unite
from moose.owl.fold import fold
from moose.owl.model import BOTTOM_OBJECT_PROPERTY, NOTHING, TOP_OBJECT_PROPERTY, ClassExpression
from moose.owl.range_bounds import LIMIT, RangeBounds, RangePair, bound_range

BUDGET = 100_000
"""How many alternatives may be built inside one expression before the rest is given up."""

_Quantified = (
    owl.ObjectSomeValuesFrom
    | owl.ObjectAllValuesFrom
    | owl.ObjectMinCardinality
    | owl.ObjectMaxCardinality
    | owl.ObjectExactCardinality
)
_DataQuantified = owl.DataMinCardinality | owl.DataMaxCardinality | owl.DataExactCardinality


def name_of(role: owl.ObjectPropertyExpression) -> owl.ObjectProperty | None:
    """Return the named property that an expression is, or None; the empty and the full role are their own inverses."""
    if isinstance(role, owl.ObjectProperty):
        return role
    return role.property if role.property in (TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY) else None


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
        """Say whether so many alternatives may be built, and count them."""
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
