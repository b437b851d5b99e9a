"""Class expressions of Manchester syntax: `Pizza that hasTopping some (Meat or Fish) and not hasBase value thin`."""

from __future__ import annotations

from collections.abc import Callable

from moose.owl.model.expressions import (
    LITERAL,
    THING,
    ClassExpression,
    DataAllValuesFrom,
    DataExactCardinality,
    DataHasValue,
    DataMaxCardinality,
    DataMinCardinality,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    ObjectAllValuesFrom,
    ObjectComplementOf,
    ObjectExactCardinality,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectMaxCardinality,
    ObjectMinCardinality,
    ObjectOneOf,
    ObjectProperty,
    ObjectPropertyExpression,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.owl.syntax.manchester.cursor import QUANTIFIERS, Reader
from moose.owl.syntax.manchester.data_ranges import is_literal, read_data_primary, read_list, read_literal

Role = ObjectPropertyExpression
OBJECT_QUANTIFIERS: dict[str, Callable[[Role, ClassExpression], ClassExpression]] = {
    "some": ObjectSomeValuesFrom,
    "only": ObjectAllValuesFrom,
}
DATA_QUANTIFIERS: dict[str, Callable[[tuple[DataProperty], DataRange], ClassExpression]] = {
    "some": DataSomeValuesFrom,
    "only": DataAllValuesFrom,
}
OBJECT_COUNTS: dict[str, Callable[[int, Role, ClassExpression], ClassExpression]] = {
    "min": ObjectMinCardinality,
    "max": ObjectMaxCardinality,
    "exactly": ObjectExactCardinality,
}
DATA_COUNTS: dict[str, Callable[[int, DataProperty, DataRange], ClassExpression]] = {
    "min": DataMinCardinality,
    "max": DataMaxCardinality,
    "exactly": DataExactCardinality,
}


def read_class_expression(reader: Reader, depth: int = 0) -> ClassExpression:
    """Read a class expression: `and` (or `that`) binds tighter than `or`, and `not` tighter than both."""
    unions: list[ClassExpression] = []
    operands = [_primary(reader, depth)]
    while reader.at_word("and", "that", "or"):
        if reader.take().lower() == "or":
            unions.append(ObjectIntersectionOf(tuple(operands)) if len(operands) > 1 else operands[0])
            operands = []
        operands.append(_primary(reader, depth))
    last = ObjectIntersectionOf(tuple(operands)) if len(operands) > 1 else operands[0]
    return ObjectUnionOf((*unions, last)) if unions else last


def _primary(reader: Reader, depth: int) -> ClassExpression:
    reader.check_depth(depth)
    if reader.opens("not"):
        reader.take()
        return ObjectComplementOf(_primary(reader, depth + 1))
    opened = reader.position
    if reader.accept("("):
        inner = read_class_expression(reader, depth + 1)
        reader.close(")", opened)
        return inner
    if reader.accept("{"):
        return ObjectOneOf(read_list(reader, Reader.individual, "}", opened=opened))
    if reader.opens_inverse():
        return _restriction(reader, depth, reader.object_property())
    if reader.peek(1).lower() in QUANTIFIERS:
        return _restriction(reader, depth, read_property(reader))
    return reader.named_class()


# ── Which kind of property? ───────────────────────────────────────────────────────────────────────────────────────


def read_property(reader: Reader) -> Role | DataProperty:
    """Read a property whose kind its frame says or, where there is none, what stands behind it."""
    if reader.opens_inverse():
        return reader.object_property()
    iri = reader.iri("a property")
    is_data = reader.names.introduces("DataProperty", iri)
    if is_data == reader.names.introduces("ObjectProperty", iri):
        is_data = _has_data_filler(reader)
    return DataProperty(iri) if is_data else ObjectProperty(iri)


def _has_data_filler(reader: Reader) -> bool:
    """Return whether a literal or a datatype follows the property, behind its quantifier, number and brackets."""
    ahead = 1 if reader.peek().lower() in QUANTIFIERS else 0
    if reader.peek().lower() in OBJECT_COUNTS:
        ahead = 2
    while reader.peek(ahead) in ("(", "{", "not"):
        ahead += 1
    token, after = reader.peek(ahead), reader.peek(ahead + 1)
    if is_literal(reader, ahead):
        return True
    return after.lower() not in QUANTIFIERS and (reader.names.is_datatype(token) or after == "[")


# ── Restrictions ──────────────────────────────────────────────────────────────────────────────────────────────────


def _restriction(reader: Reader, depth: int, role: Role | DataProperty) -> ClassExpression:
    word = reader.peek().lower()
    if word not in QUANTIFIERS:
        reader.fail("'some', 'only', 'value', 'Self', 'min', 'max' or 'exactly' after a property")
    reader.take()
    if isinstance(role, DataProperty):
        return _data_restriction(reader, depth, role, word)
    # The specification writes `r Self`, the OWL API `r some Self`.
    if word == "some" and (reader.peek() == "Self" or reader.at_word("self")):
        word = reader.take().lower()
    if word == "self":
        return ObjectHasSelf(role)
    if word == "value":
        return ObjectHasValue(role, reader.individual())
    if word in OBJECT_QUANTIFIERS:
        return OBJECT_QUANTIFIERS[word](role, _filler(reader, depth, role))
    number = _number(reader)
    return OBJECT_COUNTS[word](number, role, _filler(reader, depth, role) if not reader.is_over() else THING)


def _filler(reader: Reader, depth: int, role: Role) -> ClassExpression:
    if is_literal(reader) or (reader.names.is_datatype(reader.peek()) and reader.peek(1).lower() not in QUANTIFIERS):
        reader.fail(f"a class, because {_name(role)} is an object property")
    return _primary(reader, depth + 1)


def _name(role: Role) -> str:
    return f"<{role.iri if isinstance(role, ObjectProperty) else role.property.iri}>"


def _data_restriction(reader: Reader, depth: int, role: DataProperty, word: str) -> ClassExpression:
    if word == "self":
        reader.refuse(f"expected an object property before 'Self', but <{role.iri}> is a data property")
    if word == "value":
        return DataHasValue(role, read_literal(reader))
    if word in DATA_QUANTIFIERS:
        return DATA_QUANTIFIERS[word]((role,), read_data_primary(reader, depth + 1))
    number = _number(reader)
    return DATA_COUNTS[word](number, role, read_data_primary(reader, depth + 1) if not reader.is_over() else LITERAL)


def _number(reader: Reader) -> int:
    token = reader.peek()
    # Longer ones count more than any ontology has, and int() refuses thousands of digits.
    if not (token.isascii() and token.isdigit() and len(token) <= 9):
        reader.fail("a whole number of at most nine digits")
    reader.take()
    return int(token)
