"""Random class expressions of an ontology's own shapes: its expressions, with the classes of like places exchanged."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

from moose.owl.model.axioms import EquivalentClasses, SubClassOf
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectSomeValuesFrom,
)
from moose.owl.ontology import Ontology
from moose.owl.profile.el import is_el

HOLE = Class("urn:moose:hole")


def random_queries(ontology: Ontology, count: int, seed: int) -> list[ClassExpression]:
    """Draw expressions: a shape as often as the ontology has it, and at each of its places a class that stands there.

    Each place is drawn by itself, so most of the expressions are new.
    """
    shapes: list[ClassExpression] = []
    members: dict[tuple[ClassExpression, int], list[Class]] = defaultdict(list)
    for expression in complex_expressions(ontology):
        classes: list[Class] = []
        shape = opened(expression, classes)
        shapes.append(shape)
        for place, member in enumerate(classes):
            members[shape, place].append(member)
    source = random.Random(seed)  # noqa: S311  # nothing secret is drawn
    queries = []
    for _ in range(count):
        shape = source.choice(shapes)
        places = (source.choice(members[shape, place]) for place in range(holes(shape)))
        queries.append(filled(shape, places))
    return queries


def complex_expressions(ontology: Ontology) -> Iterator[ClassExpression]:
    """Yield the expressions of EL that classes are told to be below or equal to, if they are more than a name."""
    for axiom in ontology.axioms:
        sides: tuple[ClassExpression, ...] = ()
        if isinstance(axiom, EquivalentClasses):
            sides = axiom.operands
        elif isinstance(axiom, SubClassOf):
            sides = (axiom.sub, axiom.sup)
        yield from (side for side in sides if not isinstance(side, Class) and is_el(side) and is_plain(side))


def is_plain(expression: ClassExpression) -> bool:
    """Return whether an expression has only classes, ⊓ and ∃, which every reasoner that is measured takes."""
    match expression:
        case ObjectIntersectionOf(operands):
            return all(map(is_plain, operands))
        case ObjectSomeValuesFrom(_, filler):
            return is_plain(filler)
    return isinstance(expression, Class)


def opened(expression: ClassExpression, classes: list[Class]) -> ClassExpression:
    """Return an expression with a hole for each class, which is put on a list."""
    match expression:
        case ObjectIntersectionOf(operands):
            return ObjectIntersectionOf(tuple(opened(operand, classes) for operand in operands))
        case ObjectSomeValuesFrom(role, filler):
            return ObjectSomeValuesFrom(role, opened(filler, classes))
        case Class():
            classes.append(expression)
    return HOLE


def holes(shape: ClassExpression) -> int:
    """Count the holes of a shape."""
    match shape:
        case ObjectIntersectionOf(operands):
            return sum(map(holes, operands))
        case ObjectSomeValuesFrom(_, filler):
            return holes(filler)
    return 1


def filled(shape: ClassExpression, classes: Iterator[Class]) -> ClassExpression:
    """Put classes into the holes of a shape, from left to right."""
    match shape:
        case ObjectIntersectionOf(operands):
            return ObjectIntersectionOf(tuple(filled(operand, classes) for operand in operands))
        case ObjectSomeValuesFrom(role, filler):
            return ObjectSomeValuesFrom(role, filled(filler, classes))
    return next(classes)
