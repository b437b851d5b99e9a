"""Class expressions rewritten just deep enough to see what they are made of on the outside; the meaning stays."""

from __future__ import annotations

from collections.abc import Iterator

from moose.owl.model import expressions as owl
from moose.owl.model.expressions import NOTHING, THING, ClassExpression


def negate(expression: ClassExpression) -> ClassExpression:
    """Return ¬C with the negation pushed one level in."""
    match expression:
        case owl.ObjectComplementOf(operand):
            return open_up(operand)
        case owl.Class():
            return {THING: NOTHING, NOTHING: THING}.get(expression, owl.ObjectComplementOf(expression))
        case owl.ObjectUnionOf(operands):
            return owl.ObjectIntersectionOf(tuple(owl.ObjectComplementOf(operand) for operand in operands))
        case owl.ObjectIntersectionOf(operands):
            return owl.ObjectUnionOf(tuple(owl.ObjectComplementOf(operand) for operand in operands))
        case owl.ObjectSomeValuesFrom(role, filler):
            return owl.ObjectAllValuesFrom(role, owl.ObjectComplementOf(filler))
        case owl.ObjectAllValuesFrom(role, filler):
            return owl.ObjectSomeValuesFrom(role, owl.ObjectComplementOf(filler))
        case owl.DataSomeValuesFrom(properties, data_range):
            return owl.DataAllValuesFrom(properties, owl.DataComplementOf(data_range))
        case owl.DataAllValuesFrom(properties, data_range):
            return owl.DataSomeValuesFrom(properties, owl.DataComplementOf(data_range))
    return _negate_cardinality(expression)


def _negate_cardinality(expression: ClassExpression) -> ClassExpression:
    match expression:
        case owl.ObjectMinCardinality(least, role, filler):
            return open_up(owl.ObjectMaxCardinality(least - 1, role, filler)) if least > 0 else NOTHING
        case owl.ObjectMaxCardinality(most, role, filler):
            return open_up(owl.ObjectMinCardinality(most + 1, role, filler))
        case owl.DataMinCardinality(least, data_property, data_range):
            return open_up(owl.DataMaxCardinality(least - 1, data_property, data_range)) if least > 0 else NOTHING
        case owl.DataMaxCardinality(most, data_property, data_range):
            return open_up(owl.DataMinCardinality(most + 1, data_property, data_range))
        case owl.ObjectExactCardinality() | owl.DataExactCardinality():
            return negate(open_up(expression))
    return owl.ObjectComplementOf(expression)


def open_up(expression: ClassExpression) -> ClassExpression:
    """Return the same class without ¬, ≥ 0, ≥ 1, ≤ 0 or = n on the outside, as far as it can be."""
    while isinstance(expression, owl.ObjectComplementOf) and isinstance(expression.operand, owl.ObjectComplementOf):
        expression = expression.operand.operand
    match expression:
        case owl.ObjectComplementOf(operand):
            return negate(operand)
        case owl.ObjectMinCardinality(0) | owl.DataMinCardinality(0):
            return THING
        case owl.ObjectMinCardinality(1, role, filler):
            return owl.ObjectSomeValuesFrom(role, filler)
        case owl.ObjectMaxCardinality(0, role, filler) | owl.ObjectExactCardinality(0, role, filler):
            return owl.ObjectAllValuesFrom(role, owl.ObjectComplementOf(filler))
        case owl.ObjectExactCardinality(number, role, filler):
            at_least, at_most = owl.ObjectMinCardinality, owl.ObjectMaxCardinality
            return owl.ObjectIntersectionOf((at_least(number, role, filler), at_most(number, role, filler)))
        case owl.ObjectHasValue(owl.ObjectInverseOf() as role, individual):
            return owl.ObjectSomeValuesFrom(role, owl.ObjectOneOf((individual,)))
        case owl.DataMinCardinality(1, data_property, data_range):
            return owl.DataSomeValuesFrom((data_property,), data_range)
        case owl.DataMaxCardinality(0, data_property, data_range) | owl.DataExactCardinality(
            0, data_property, data_range
        ):
            return owl.DataAllValuesFrom((data_property,), owl.DataComplementOf(data_range))
        case owl.DataExactCardinality(number, data_property, data_range):
            enough = owl.DataMinCardinality(number, data_property, data_range)
            return owl.ObjectIntersectionOf((enough, owl.DataMaxCardinality(number, data_property, data_range)))
    return expression


def conjuncts(expression: ClassExpression) -> Iterator[ClassExpression]:
    """Yield the parts of C ⊓ D ⊓ … from left to right; ∀r.(C ⊓ D) is ∀r.C ⊓ ∀r.D."""
    stack = [expression]
    while stack:
        current = open_up(stack.pop())
        if isinstance(current, owl.ObjectIntersectionOf):
            stack.extend(reversed(current.operands))
            continue
        if isinstance(current, owl.ObjectAllValuesFrom):
            filler = open_up(current.filler)
            if isinstance(filler, owl.ObjectIntersectionOf):
                stack.extend(owl.ObjectAllValuesFrom(current.property, part) for part in reversed(filler.operands))
                continue
        yield current


def disjuncts(expression: ClassExpression) -> Iterator[ClassExpression]:
    """Yield the parts of C ⊔ D ⊔ … from left to right."""
    stack = [expression]
    while stack:
        current = open_up(stack.pop())
        if isinstance(current, owl.ObjectUnionOf):
            stack.extend(reversed(current.operands))
        else:
            yield current
