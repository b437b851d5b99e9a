"""How nodes describe classes, data ranges and inverse properties: OWL 2 Mapping to RDF, tables 11 to 15."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

from moose.owl.model import expressions as model
from moose.owl.model.expressions import LITERAL, NOTHING, THING, DataProperty
from moose.owl.syntax.rdf.expression_nodes import Broken, Build, Expressions, Steps, Told, Value
from moose.owl.syntax.rdf.graph import Term, is_blank, show
from moose.owl.syntax.rdf.rdf_vocabulary import (
    ALL,
    CARDINALITIES,
    COMPLEMENT,
    DATA_COMPLEMENT,
    FACETS,
    HAS_SELF,
    HAS_VALUE,
    INTERSECTION,
    INVERSE_OF,
    ON_CLASS,
    ON_DATA_RANGE,
    ON_DATATYPE,
    ON_PROPERTIES,
    ON_PROPERTY,
    ONE_OF,
    QUALIFIED,
    SOME,
    TYPE,
    UNION,
    WITH_RESTRICTIONS,
    CountData,
    CountObjects,
)

Part = Generator[str, Value, Value | Term]
OnObjects = Callable[[model.ObjectPropertyExpression, model.ClassExpression], model.ClassExpression]
OnData = Callable[[tuple[model.DataProperty, ...], model.DataRange], model.ClassExpression]

_COUNT = re.compile(r"\s*\+?0*([0-9]{1,9})\s*")


def _part(term: Term) -> Part:
    """Read a part of a node: what a blank node stands for, or the term itself."""
    if is_blank(term):
        return (yield str(term))
    return term


def _parts(read: Expressions, head: Term) -> Generator[str, Value, list[Value | Term]]:
    values: list[Value | Term] = []
    for item in read.items(head):
        value = yield from _part(item)
        values.append(value)
    return values


# ── Boolean ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _intersection(read: Expressions, node: str, told: Told) -> Steps:
    values = yield from _parts(read, told[INTERSECTION])
    if _are_data(read, node, values):
        ranges = tuple(read.as_data_range(value) for value in values)
        return ranges[0] if len(ranges) == 1 else model.DataIntersectionOf(ranges) if ranges else LITERAL
    operands = tuple(read.as_class(value) for value in values)
    return operands[0] if len(operands) == 1 else model.ObjectIntersectionOf(operands) if operands else THING


def _union(read: Expressions, node: str, told: Told) -> Steps:
    values = yield from _parts(read, told[UNION])
    if _are_data(read, node, values):
        ranges = tuple(read.as_data_range(value) for value in values)
        empty = model.DataComplementOf(LITERAL)
        return ranges[0] if len(ranges) == 1 else model.DataUnionOf(ranges) if ranges else empty
    operands = tuple(read.as_class(value) for value in values)
    return operands[0] if len(operands) == 1 else model.ObjectUnionOf(operands) if operands else NOTHING


def _complement(read: Expressions, node: str, told: Told) -> Steps:
    value = yield from _part(told[COMPLEMENT])
    if _are_data(read, node, [value]):
        return model.DataComplementOf(read.as_data_range(value))
    return model.ObjectComplementOf(read.as_class(value))


def _data_complement(read: Expressions, _node: str, told: Told) -> Steps:
    return model.DataComplementOf(read.as_data_range((yield from _part(told[DATA_COMPLEMENT]))))


def _one_of(read: Expressions, node: str, told: Told) -> Steps:
    yield from ()  # individuals and literals have no parts
    items = read.items(told[ONE_OF])
    if read.kinds.is_datatype(node) or any(isinstance(item, model.Literal) for item in items):
        literals = tuple(_literal(item) for item in items)
        return model.DataOneOf(literals) if literals else model.DataComplementOf(LITERAL)
    return model.ObjectOneOf(tuple(read.individual(item) for item in items)) if items else NOTHING


def _are_data(read: Expressions, node: str, values: list[Value | Term]) -> bool:
    return not read.kinds.is_class(node) and (read.kinds.is_datatype(node) or any(map(read.is_data, values)))


def _literal(term: Term) -> model.Literal:
    if isinstance(term, str):
        raise Broken(f"{show(term)} stands where a literal belongs")
    return term


# ── Datatypes with facets, inverses ───────────────────────────────────────────────────────────────────────────────


def _facets(read: Expressions, _node: str, told: Told) -> Steps:
    yield from ()  # a datatype has no parts
    datatype = read.data_range(told[ON_DATATYPE])
    if not isinstance(datatype, model.Datatype):
        raise Broken("owl:onDatatype has a data range that is no datatype")
    facets: list[tuple[str, model.Literal]] = []
    for item in read.items(told[WITH_RESTRICTIONS]):
        pairs = read.graph.pairs.get(item, []) if isinstance(item, str) else []
        restrictions = [(word, _literal(value)) for word, value in pairs if word in FACETS]
        # A facet of somebody's own is as good as one of XML Schema's; a node without any is not.
        restrictions = restrictions or [(word, _literal(value)) for word, value in pairs if word != TYPE]
        if not restrictions:
            raise Broken(f"{show(item)} stands where a facet with its literal belongs")
        facets += restrictions
        read.used.add(str(item))
    return model.DatatypeRestriction(datatype, tuple(facets)) if facets else datatype


def _inverse(read: Expressions, _node: str, told: Told) -> Steps:
    yield from ()  # only names have inverses
    property_ = read.as_role(told[INVERSE_OF]) if not is_blank(told[INVERSE_OF]) else None
    if not isinstance(property_, model.ObjectProperty):
        raise Broken(f"owl:inverseOf has {show(told[INVERSE_OF])}, but only a named property has an inverse here")
    return model.ObjectInverseOf(property_)


# ── Restrictions ──────────────────────────────────────────────────────────────────────────────────────────────────


def _quantifier(word: str, on_objects: OnObjects, on_data: OnData) -> Build:
    """Return the reader of owl:someValuesFrom or owl:allValuesFrom."""

    def build(read: Expressions, _node: str, told: Told) -> Steps:
        filler = yield from _part(told[word])
        property_ = yield from _part(told[ON_PROPERTY])
        if _is_on_data(read, property_, filler):
            return on_data((read.data_property(property_),), read.as_data_range(filler))
        return on_objects(read.as_role(property_), read.as_class(filler))

    return build


def _data_quantifier(word: str, on_data: OnData) -> Build:
    """Return the reader of a restriction on several data properties at once."""

    def build(read: Expressions, _node: str, told: Told) -> Steps:
        filler = yield from _part(told[word])
        properties = tuple(read.data_property(item) for item in read.items(told[ON_PROPERTIES]))
        return on_data(properties, read.as_data_range(filler))

    return build


def _is_on_data(read: Expressions, property_: Value | Term, filler: Value | Term | None) -> bool:
    """Return whether a restriction is one on a data property: its filler tells, or else its property."""
    if filler is not None and read.is_data(filler):
        return True
    is_known_class = filler is not None and (not isinstance(filler, str) or read.kinds.is_class(filler))
    return not is_known_class and isinstance(property_, str) and read.kinds.is_only(property_, DataProperty)


def _has_value(read: Expressions, _node: str, told: Told) -> Steps:
    property_ = yield from _part(told[ON_PROPERTY])
    value = told[HAS_VALUE]
    if isinstance(value, model.Literal):
        return model.DataHasValue(read.data_property(property_), value)
    return model.ObjectHasValue(read.as_role(property_), read.individual(value))


def _has_self(read: Expressions, _node: str, told: Told) -> Steps:
    property_ = yield from _part(told[ON_PROPERTY])
    value = told[HAS_SELF]
    if isinstance(value, str) or value.lexical.strip() not in ("true", "1"):
        raise Broken(f"owl:hasSelf has {show(value)}, not true")
    return model.ObjectHasSelf(read.as_role(property_))


def _cardinality(word: str, filler_word: str | None, on_objects: CountObjects, on_data: CountData) -> Build:
    """Return the reader of one kind of cardinality restriction."""

    def build(read: Expressions, _node: str, told: Told) -> Steps:
        property_ = yield from _part(told[ON_PROPERTY])
        count = _count(told[word])
        filler = (yield from _part(told[filler_word])) if filler_word else None
        if filler_word == ON_DATA_RANGE or (filler_word is None and _is_on_data(read, property_, None)):
            range_ = LITERAL if filler is None else read.as_data_range(filler)
            return on_data(count, read.data_property(property_), range_)
        cls = THING if filler is None else read.as_class(filler)
        return on_objects(count, read.as_role(property_), cls)

    return build


def _count(term: Term) -> int:
    match = None if isinstance(term, str) else _COUNT.fullmatch(term.lexical)
    if match is None:
        raise Broken(f"a cardinality is {show(term)}, not a number of at most nine digits")
    return int(match[1])


# ── The table ─────────────────────────────────────────────────────────────────────────────────────────────────────

_TABLE: list[tuple[tuple[str, ...], Build]] = [
    ((INTERSECTION,), _intersection),
    ((UNION,), _union),
    ((COMPLEMENT,), _complement),
    ((DATA_COMPLEMENT,), _data_complement),
    ((ONE_OF,), _one_of),
    ((ON_DATATYPE, WITH_RESTRICTIONS), _facets),
    ((INVERSE_OF,), _inverse),
    ((ON_PROPERTY, SOME), _quantifier(SOME, model.ObjectSomeValuesFrom, model.DataSomeValuesFrom)),
    ((ON_PROPERTY, ALL), _quantifier(ALL, model.ObjectAllValuesFrom, model.DataAllValuesFrom)),
    ((ON_PROPERTIES, SOME), _data_quantifier(SOME, model.DataSomeValuesFrom)),
    ((ON_PROPERTIES, ALL), _data_quantifier(ALL, model.DataAllValuesFrom)),
    ((ON_PROPERTY, HAS_VALUE), _has_value),
    ((ON_PROPERTY, HAS_SELF), _has_self),
    *(((ON_PROPERTY, word), _cardinality(word, None, *makers)) for word, makers in CARDINALITIES.items()),
    *(
        # Drafts of OWL 2 had qualified cardinalities under the names of the others.
        ((ON_PROPERTY, word, filler), _cardinality(word, filler, *makers))
        for word, makers in [*CARDINALITIES.items(), *QUALIFIED.items()]
        for filler in (ON_CLASS, ON_DATA_RANGE)
    ),
]
SHAPES: dict[frozenset[str], Build] = {frozenset(words): build for words, build in _TABLE}
"""For each set of words that a node may have, how to read it."""
