"""Just enough datatypes for the naive reasoner: those that the random ontologies use, as one tree.

Any two datatypes of OWL 2 EL are either disjoint or one within the other, so a table of parents says it all.
"""

from __future__ import annotations

import re
from decimal import Decimal

from moose.owl.model.expressions import LITERAL, XSD, DataIntersectionOf, DataOneOf, DataRange, Datatype, Literal

STRING, INTEGER, DECIMAL = Datatype(XSD + "string"), Datatype(XSD + "integer"), Datatype(XSD + "decimal")
NATURAL, WORD, MOMENT = Datatype(XSD + "nonNegativeInteger"), Datatype(XSD + "NCName"), Datatype(XSD + "dateTime")
PARENT = {STRING: LITERAL, DECIMAL: LITERAL, MOMENT: LITERAL, INTEGER: DECIMAL, NATURAL: INTEGER, WORD: STRING}


def ancestors(datatype: Datatype) -> list[Datatype]:
    """List the datatypes that one lies within, from itself upwards; fail for a datatype outside the tree."""
    if datatype == LITERAL:
        return [datatype]
    if datatype not in PARENT:
        raise NotImplementedError(datatype)
    return [datatype, *ancestors(PARENT[datatype])]


def evaluate(literal: Literal) -> str | Decimal:
    """Return the value that a literal stands for."""
    datatype = Datatype(literal.datatype)
    if literal.language or datatype not in (STRING, WORD, DECIMAL, INTEGER, NATURAL):
        raise NotImplementedError(literal)
    return literal.lexical if datatype in (STRING, WORD) else Decimal(literal.lexical)


def home(literal: Literal) -> Datatype:
    """Return the narrowest datatype that a literal's value lies in."""
    value = evaluate(literal)
    if isinstance(value, str):
        return WORD if re.fullmatch("[A-Za-z_][A-Za-z0-9_.-]*", value) else STRING
    if value != value.to_integral_value():
        return DECIMAL
    return NATURAL if value >= 0 else INTEGER


def flatten(ranges: frozenset[DataRange]) -> frozenset[Datatype | Literal]:
    """Take intersections apart."""
    flat: set[Datatype | Literal] = set()
    for one in ranges:
        match one:
            case Datatype() if ancestors(one):
                flat.add(one)
            case DataOneOf((literal,)):
                flat.add(literal)
            case DataIntersectionOf(operands):
                flat |= flatten(frozenset(operands))
            case _:
                raise NotImplementedError(one)
    return frozenset(flat)


def are_disjoint(one: Datatype | Literal, other: Datatype | Literal) -> bool:
    """Say whether two parts of an intersection leave nothing."""
    if isinstance(one, Literal) and isinstance(other, Literal):
        return evaluate(one) != evaluate(other)
    if isinstance(one, Literal):
        return other not in ancestors(home(one))
    if isinstance(other, Literal):
        return are_disjoint(other, one)
    return one not in ancestors(other) and other not in ancestors(one)


def is_empty(ranges: frozenset[DataRange]) -> bool:
    """Say whether no literal lies in all the ranges."""
    parts = flatten(ranges)
    return any(are_disjoint(one, other) for one in parts for other in parts)


def is_part_within(part: Datatype | Literal, wanted: Datatype | Literal) -> bool:
    """Say whether one part alone lies within another."""
    if isinstance(wanted, Literal):
        return isinstance(part, Literal) and evaluate(part) == evaluate(wanted)
    return wanted in ancestors(home(part) if isinstance(part, Literal) else part)


def is_within(ranges: frozenset[DataRange], wanted: DataRange) -> bool:
    """Say whether every literal in all the ranges lies in the wanted one."""
    if is_empty(ranges):
        return True
    parts = flatten(ranges)
    return all(any(is_part_within(part, goal) for part in parts) for goal in flatten(frozenset([wanted])))
