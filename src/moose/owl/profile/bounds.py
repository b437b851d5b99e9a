"""Find, for any class expression, expressions of OWL 2 EL just above and just below it.

`Bounds` are such expressions, with functions that combine them; a `Bounder` finds those of an expression from those of
its parts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from moose.owl.model import expressions as owl
from moose.owl.model.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY, ClassExpression
from moose.owl.model.nesting import fold
from moose.owl.profile.range_bounds import LIMIT, RangeBounds, RangePair, bound_range


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of a class expression C in EL: C ⊑ `upper`, and D ⊑ C for each D of `lower`.

    `is_upper_exact` says C ≡ `upper`, `is_lower_exact` says C ≡ the union of `lower`.
    """

    upper: ClassExpression
    is_upper_exact: bool
    lower: tuple[ClassExpression, ...]
    is_lower_exact: bool


Pair = tuple[Bounds, Bounds]
"""The bounds of C and of ¬C."""

ALL = Bounds(THING, True, (THING,), True)
NONE = Bounds(NOTHING, True, (), True)
UNKNOWN = Bounds(THING, False, (), False)


def exactly(expression: ClassExpression) -> Pair:
    """Bound an expression of EL by itself; of its complement nothing is known."""
    if expression == THING:
        return ALL, NONE
    if expression == NOTHING:
        return NONE, ALL
    return Bounds(expression, True, (expression,), True), UNKNOWN


def is_itself(expression: ClassExpression, bounds: Bounds) -> bool:
    """Return whether an expression is its own bound."""
    if isinstance(expression, owl.Class):
        return expression != NOTHING
    # Identity will do: whoever bounds an expression by itself does so by the very object.
    return bounds.is_upper_exact and bounds.is_lower_exact and bounds.upper is expression


def count(least: int, some: Bounds) -> Pair:
    """Bound ≥ n r.C and its complement, given the bounds of ∃r.C."""
    if least <= 0:
        return ALL, NONE
    if some.upper == NOTHING:
        return NONE, ALL
    return (some if least == 1 else Bounds(some.upper, False, (), False)), UNKNOWN


def conjoin(expressions: Iterable[ClassExpression]) -> ClassExpression:
    """Return C ⊓ D ⊓ …, flat, without ⊤ and without repeated names; ⊥ swallows the rest."""
    conjuncts: dict[Hashable, ClassExpression] = {}
    stack = list(expressions)[::-1]
    while stack:
        expression = stack.pop()
        if isinstance(expression, owl.ObjectIntersectionOf):
            stack.extend(reversed(expression.operands))
        elif expression == NOTHING:
            return NOTHING
        elif expression != THING:
            # Only names are compared: to compare whole expressions is to go down as deep as they are nested.
            conjuncts[expression if isinstance(expression, owl.Class) else id(expression)] = expression
    if len(conjuncts) > 1:
        return owl.ObjectIntersectionOf(tuple(conjuncts.values()))
    return next(iter(conjuncts.values()), THING)


def unite(operands: Sequence[Bounds]) -> Bounds:
    """Bound C ⊔ D ⊔ …: below by what is below any, above by what all have in common."""
    lower = tuple(alternative for operand in operands for alternative in operand.lower)
    is_lower_exact = all(operand.is_lower_exact for operand in operands)
    tops = [operand for operand in operands if operand.upper == THING]
    if tops:
        return Bounds(THING, any(top.is_upper_exact for top in tops), lower, is_lower_exact)
    live = [operand for operand in operands if operand.upper != NOTHING]
    if len(live) < 2:
        upper, is_upper_exact = (live[0].upper, live[0].is_upper_exact) if live else (NOTHING, True)
        return Bounds(upper, is_upper_exact, lower, is_lower_exact)
    upper = _common(live)
    is_one_name = isinstance(upper, owl.Class) and all(operand.upper == upper for operand in live)
    return Bounds(upper, is_one_name and all(operand.is_upper_exact for operand in live), lower, is_lower_exact)


def _common(operands: Sequence[Bounds]) -> ClassExpression:
    """Return the conjunction of the marks that all uppers bear."""
    marks = [_marks(operand.upper) for operand in operands]
    shared = {mark: None for mark in marks[0] if all(mark in others for others in marks[1:])}
    # ∃r.A makes ∃r.⊤ superfluous.
    fine = {mark.property for mark in shared if isinstance(mark, owl.ObjectSomeValuesFrom) and mark.filler != THING}
    return conjoin(
        mark
        for mark in shared
        if not (isinstance(mark, owl.ObjectSomeValuesFrom) and mark.filler == THING and mark.property in fine)
    )


def _marks(expression: ClassExpression) -> dict[ClassExpression, None]:
    """Return shallow expressions that an EL expression lies below: names, ∃r.A, ∃r.⊤ and the like."""
    marks: dict[ClassExpression, None] = {}
    stack = [expression]
    while stack:
        current = stack.pop()
        match current:
            case owl.ObjectIntersectionOf(operands):
                stack.extend(reversed(operands))
            case owl.ObjectSomeValuesFrom(role, filler):
                if isinstance(filler, owl.Class):
                    marks[current] = None
                marks[owl.ObjectSomeValuesFrom(role, THING)] = None
            case owl.ObjectHasValue(role, _) | owl.ObjectHasSelf(role):
                marks[current] = None
                marks[owl.ObjectSomeValuesFrom(role, THING)] = None
            case owl.DataSomeValuesFrom((data_property,), _) | owl.DataHasValue(data_property, _):
                marks[current] = None
                marks[owl.DataSomeValuesFrom((data_property,), owl.LITERAL)] = None
            case _:
                marks[current] = None
    return marks


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
