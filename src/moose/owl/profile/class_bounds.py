"""Expressions of OWL 2 EL just above and just below a class expression, and how those of its parts are combined."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from moose.owl.model import expressions as owl
from moose.owl.model.expressions import BOTTOM_OBJECT_PROPERTY, NOTHING, THING, TOP_OBJECT_PROPERTY, ClassExpression


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


def name_of(role: owl.ObjectPropertyExpression) -> owl.ObjectProperty | None:
    """Return the named property that an expression is, or None; the empty and the full role are their own inverses."""
    if isinstance(role, owl.ObjectProperty):
        return role
    return role.property if role.property in (TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY) else None
