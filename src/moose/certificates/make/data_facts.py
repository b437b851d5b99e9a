"""Facts about data ranges, judged by their sets of values: what the checker of certificates takes for granted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple, cast

from moose.certificates.checker.theory import DATA, Theory, read_theory
from moose.certificates.checker.verdict import spellings
from moose.certificates.make.vocabulary import Packed, Vocabulary
from moose.owl.model.datatypes import ValueSet, is_known, value_of, value_set
from moose.owl.model.expressions import (
    DataIntersectionOf,
    DataOneOf,
    DataRange,
    DataSomeValuesFrom,
    Datatype,
)
from moose.owl.syntax.functional.functional_tokens import Kind
from moose.owl.syntax.functional.read_functional import parse_expression


def values_in(parts: Iterable[DataRange]) -> ValueSet | None:
    """Return the values that some data ranges share, none where a literal is ill-typed, None where nothing is known."""
    result = ValueSet()
    for part in parts:
        match part:
            case DataOneOf((literal,)) if value_of(literal) is None:
                return ValueSet.empty()
            case Datatype() | DataOneOf((_,)):
                result = result.intersect(value_set(part))
            case _:
                return None
    return result


def is_surely_inhabited(values: ValueSet | None) -> bool:
    """Return whether a data range surely holds a literal: one value alone, or datatypes of OWL 2 that overlap."""
    if values is None or values.is_empty():
        return False
    return values.single is not None or (not values.values and all(map(is_known, values.datatypes)))


def meaning(words: Vocabulary, concept: int) -> Hashable:
    """Return a key that concepts share only if they differ in nothing but the spelling of data ranges."""
    if words.is_range(concept):
        values = values_in(words.ranges[part] for part in words.parts(concept))
        return concept if values is None else values
    return frozenset(_meaning_of_conjunct(words, part) for part in words.parts(concept))


def _meaning_of_conjunct(words: Vocabulary, concept: int) -> Hashable:
    match words.nodes[concept]:
        case ("some", int(role), int(filler)):
            return role, meaning(words, filler)
    return concept


# ── What a certificate takes for granted ──────────────────────────────────────────────────────────────────────────


class FalseFact(NamedTuple):
    """Something about data that is not seen to be true, and the position of the axiom that says it, if one does."""

    what: str
    axiom: int | None = None


def find_false(certificate: Packed) -> FalseFact | None:
    """Return a fact about data, of those that a certificate takes for granted, that is not seen to be true, or None."""
    theory = read_theory(certificate)
    for position, (axiom, origin) in enumerate(zip(theory.axioms, theory.origins, strict=True)):
        sides = [side for side in axiom[1:] if isinstance(side, int)]
        if origin == DATA and not _is_true(theory, sides[0], sides[1]):
            return FalseFact(f"axiom {position} is not a true fact about data", position)
    for node in theory.concepts:
        if node[0] == "data" and not are_one_range([str(spelling) for spelling in node[1:]]):
            return FalseFact(f"{' and '.join(map(str, node[1:]))} are not the same values")
    return None


def _is_true(theory: Theory, sub: int, sup: int) -> bool:
    node = theory.concepts[sup]
    if node[0] == "some":
        return is_surely_inhabited(_values(theory, cast("int", node[2])))
    narrow = _values(theory, sub)
    if narrow is None or node[0] == "bottom":
        return narrow is not None and narrow.is_empty()
    wide = _values(theory, sup)
    return wide is not None and narrow.is_subset(wide)


def _values(theory: Theory, concept: int) -> ValueSet | None:
    return values_in(part for spelling in spellings(theory, concept) for part in ranges_of(str(spelling)))


def are_one_range(spelt: list[str]) -> bool:
    """Return whether all spellings of a data range have the same values."""
    sets = [values_in(ranges_of(spelling)) for spelling in spelt] if len(spelt) > 1 else []
    return not sets or (None not in sets and len(set(sets)) == 1)


def ranges_of(spelling: str) -> Iterator[DataRange]:
    """Read a data range in functional syntax, the parts of an intersection one by one."""
    some = parse_expression(f"DataSomeValuesFrom(<d> {spelling})", "a data range", _resolve)
    assert isinstance(some, DataSomeValuesFrom), "it was written as one"
    stack = [some.range]
    while stack:
        match stack.pop():
            case DataIntersectionOf(operands):
                stack += operands
            case part:
                yield part


def _resolve(kind: type[Kind], name: str) -> Kind:
    return kind(name[1:-1])
