"""Random ontologies of a few individuals, inside and outside OWL 2 EL, for a closed domain."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl

NAMESPACE = "http://example.org/"
CARDINALITIES: tuple[Callable[[int, owl.ObjectPropertyExpression, owl.ClassExpression], owl.ClassExpression], ...] = (
    owl.ObjectMinCardinality,
    owl.ObjectMaxCardinality,
    owl.ObjectExactCardinality,
)
T = TypeVar("T")


class Draw:
    """Choices from a source: few names and many axioms, so that conclusions are common.

    The last of several roles is the only one that chains lead to; counting and the like is left to the others, as OWL 2
    DL asks.
    """

    def __init__(
        self, source: random.Random, *, classes: str = "ABCD", roles: str = "rst", people: str = "abc"
    ) -> None:
        self._source = source
        self.classes = [owl.Class(NAMESPACE + name) for name in classes]
        self.roles = [owl.ObjectProperty(NAMESPACE + name) for name in roles]
        self.individuals = [owl.NamedIndividual(NAMESPACE + name) for name in people]

    def one(self, choices: Sequence[T]) -> T:
        """Choose one."""
        return choices[self.number(0, len(choices) - 1)]

    def some(self, choices: Sequence[T], count: int) -> tuple[T, ...]:
        """Choose several different ones, as many as there are at most."""
        left, chosen = list(choices), list[T]()
        while left and len(chosen) < count:
            chosen.append(left.pop(self.number(0, len(left) - 1)))
        return tuple(chosen)

    def number(self, least: int, most: int) -> int:
        """Choose a number."""
        return self._source.randint(least, most)

    @property
    def simple_roles(self) -> list[owl.ObjectProperty]:
        """The roles that no chain leads to."""
        return self.roles[:-1] or self.roles

    def cls(self) -> owl.ClassExpression:
        """Choose a class, now and then ⊤ or ⊥."""
        match self.number(1, 20):
            case 1:
                return owl.THING
            case 2:
                return owl.NOTHING
        return self.one(self.classes)

    def role(self, *, is_simple: bool = False) -> owl.ObjectPropertyExpression:
        """Choose a property, now and then an inverse."""
        role = self.one(self.simple_roles if is_simple else self.roles)
        return owl.ObjectInverseOf(role) if self.number(1, 4) == 1 else role

    def axioms(self) -> list[ax.Axiom]:
        """Draw an ontology: an EL part, and on top of it some axioms outside."""
        drawn = [self.one(EL_AXIOMS)(self) for _ in range(self.number(2, 7))]
        drawn += [self.one(OUTSIDE_AXIOMS)(self) for _ in range(self.number(2, 6))]
        return list(dict.fromkeys(drawn))


def simple(draw: Draw) -> owl.ClassExpression:
    """Draw a class of OWL 2 EL."""
    match draw.number(1, 9):
        case 1:
            return owl.ObjectIntersectionOf(draw.some(draw.classes, 2))
        case 2 | 3:
            return owl.ObjectSomeValuesFrom(draw.one(draw.roles), draw.cls())
        case 4:
            return owl.ObjectHasValue(draw.one(draw.roles), draw.one(draw.individuals))
        case 5:
            return owl.ObjectOneOf(draw.some(draw.individuals, 1))
        case 6:
            return owl.ObjectHasSelf(draw.one(draw.simple_roles))
    return draw.cls()


def anything(draw: Draw, depth: int = 2) -> owl.ClassExpression:
    """Draw a class, most often one outside OWL 2 EL."""
    if depth == 0:
        return simple(draw)
    inner = anything(draw, depth - draw.number(1, 2) if depth > 1 else 0)
    match draw.number(1, 11):
        case 1 | 2 | 3:
            return owl.ObjectUnionOf((inner, *draw.some(draw.classes, draw.number(1, 2))))
        case 4:
            return owl.ObjectComplementOf(inner)
        case 5 | 6:
            return owl.ObjectAllValuesFrom(draw.role(), inner)
        case 7:
            return owl.ObjectSomeValuesFrom(draw.role(), inner)
        case 8 | 9:
            return draw.one(CARDINALITIES)(
                draw.number(0, 3), draw.role(is_simple=True), inner if draw.number(0, 1) else owl.THING
            )
        case 10:
            return owl.ObjectOneOf(draw.some(draw.individuals, 2))
    return owl.ObjectIntersectionOf((inner, simple(draw)))


def characteristic(draw: Draw) -> ax.Axiom:
    """Draw a characteristic of a role."""
    words = ("Functional", "InverseFunctional", "Symmetric", "Asymmetric", "Irreflexive", "Reflexive")
    return ax.ObjectPropertyCharacteristic(draw.one(words), draw.role(is_simple=True))


def different_roles(draw: Draw) -> tuple[owl.ObjectPropertyExpression, ...]:
    """Draw two roles, or a role and its inverse: OWL 2 takes operands that are the same for one."""
    roles: list[owl.ObjectPropertyExpression] = [*draw.simple_roles, *map(owl.ObjectInverseOf, draw.simple_roles)]
    return draw.some(roles, 2)


def assertion(draw: Draw) -> ax.Axiom:
    """Draw a pair that a role joins, or does not."""
    source, target = draw.one(draw.individuals), draw.one(draw.individuals)
    return ax.ObjectPropertyAssertion(draw.role(is_simple=True), source, target, negative=draw.number(1, 3) == 1)


def chain(draw: Draw) -> ax.Axiom:
    """Draw a chain of roles."""
    return ax.SubObjectPropertyOf((draw.one(draw.simple_roles), draw.one(draw.roles)), draw.roles[-1])


DrawAxiom = Callable[[Draw], ax.Axiom]
EL_AXIOMS: tuple[DrawAxiom, ...] = (
    *(lambda draw: ax.SubClassOf(draw.one(draw.classes), draw.cls()),) * 2,
    *(lambda draw: ax.SubClassOf(simple(draw), draw.one(draw.classes)),) * 3,
    lambda draw: ax.DisjointClasses(draw.some(draw.classes, 2)),
    lambda draw: ax.ObjectPropertyDomain(draw.one(draw.roles), draw.one(draw.classes)),
    lambda draw: ax.ObjectPropertyRange(draw.one(draw.roles), draw.one(draw.classes)),
    lambda draw: ax.SubObjectPropertyOf((draw.one(draw.simple_roles),), draw.one(draw.roles)),
    *(lambda draw: ax.ClassAssertion(draw.one(draw.classes), draw.one(draw.individuals)),) * 2,
    *(assertion,) * 2,
    *(lambda draw: ax.SubClassOf(draw.one(draw.classes), simple(draw)),) * 3,
    *(lambda draw: ax.EquivalentClasses((draw.one(draw.classes), simple(draw))),) * 2,
    chain,
)
OUTSIDE_AXIOMS: tuple[DrawAxiom, ...] = (
    *(lambda draw: ax.SubClassOf(draw.cls(), anything(draw)),) * 4,
    *(lambda draw: ax.SubClassOf(anything(draw), draw.cls()),) * 4,
    *(lambda draw: ax.EquivalentClasses((draw.one(draw.classes), anything(draw))),) * 2,
    *(lambda draw: ax.DisjointUnion(draw.one(draw.classes), draw.some(draw.classes, 2)),) * 2,
    lambda draw: ax.DisjointClasses((draw.one(draw.classes), owl.ObjectComplementOf(anything(draw)))),
    *(lambda draw: ax.ClassAssertion(anything(draw), draw.one(draw.individuals)),) * 2,
    lambda draw: ax.ObjectPropertyDomain(draw.role(), anything(draw, 1)),
    lambda draw: ax.ObjectPropertyRange(draw.role(), anything(draw, 1)),
    lambda draw: ax.SubObjectPropertyOf((draw.role(is_simple=True),), draw.role(is_simple=True)),
    lambda draw: ax.EquivalentObjectProperties(different_roles(draw)),
    *(lambda draw: ax.InverseObjectProperties(draw.one(draw.simple_roles), draw.one(draw.simple_roles)),) * 2,
    lambda draw: ax.DisjointObjectProperties(different_roles(draw)),
    *(characteristic,) * 4,
    assertion,
)
