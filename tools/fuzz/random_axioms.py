"""Random axioms of all of OWL 2, in EL and outside it, over a few names, so that much follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import XSD

T = TypeVar("T")
BASE = "http://example.org/"
CLASSES = (*(owl.Class(BASE + name) for name in "ABCDEF"), owl.THING, owl.NOTHING)
ROLES = (*(owl.ObjectProperty(BASE + name) for name in "rst"), owl.TOP_OBJECT_PROPERTY, owl.BOTTOM_OBJECT_PROPERTY)
DATA_ROLES = tuple(owl.DataProperty(BASE + name) for name in "de")
PEOPLE = tuple(owl.NamedIndividual(BASE + name) for name in "abc")
DATATYPES = tuple(
    owl.Datatype(XSD + name) for name in ("integer", "string", "decimal", "dateTime", "nonNegativeInteger", "double")
)
LITERALS = (
    owl.Literal("x"),
    owl.Literal("é\n\"\\ '&<"),
    *(owl.Literal(text, XSD + "integer") for text in ("1", "01", "-5", "7" * 40)),
    *(owl.Literal(text, XSD + "decimal") for text in ("1.0", "0.5")),
    owl.Literal("2000-01-01T00:00:00Z", XSD + "dateTime"),
    owl.Literal("2000-01-01", XSD + "date"),
    owl.Literal("1.0E0", XSD + "double"),
    owl.Literal("anything", BASE + "datatype"),
)
DECLARED: tuple[owl.Entity, ...] = (*CLASSES[:6], *ROLES[:3], *DATA_ROLES, *PEOPLE)
"""All names, which every syntax declares: only that tells kinds apart in some of them."""


class Grammar:
    """Draws expressions and axioms."""

    def __init__(self, random: Random, *, is_el: bool) -> None:
        self.random = random
        self.is_el = is_el

    def one(self, choices: Sequence[T]) -> T:
        """Choose one."""
        return self.random.choice(choices)

    def some(self, draw: Callable[[], T], least: int = 2) -> tuple[T, ...]:
        """Draw a few different ones, seldom many."""
        count = self.one((least, least, least, 3, 4))
        found = list(dict.fromkeys(draw() for _ in range(count * 3)))[:count]
        while len(found) < least:  # few choices may give the same again
            found = list(dict.fromkeys([*found, draw()]))
        return tuple(found)

    def name(self) -> owl.Class:
        """Draw a named class, seldom a reserved one."""
        return self.one(CLASSES if self.random.randrange(8) == 0 else CLASSES[:6])

    def role(self) -> owl.ObjectProperty:
        """Draw a role, seldom a reserved one."""
        return self.one(ROLES if self.random.randrange(12) == 0 else ROLES[:3])

    def role_expression(self) -> owl.ObjectPropertyExpression:
        """Draw a role or, outside EL, an inverse."""
        role = self.one(ROLES[:3])
        return role if self.is_el or self.random.randrange(3) else owl.ObjectInverseOf(role)

    def person(self) -> owl.NamedIndividual:
        """Draw an individual."""
        return self.one(PEOPLE)

    def literal(self) -> owl.Literal:
        """Draw a literal."""
        return self.one(LITERALS)

    def data_role(self) -> owl.DataProperty:
        """Draw a data property."""
        return self.one(DATA_ROLES)

    def data_range(self, depth: int = 1) -> owl.DataRange:
        """Draw a data range."""
        draws: list[Callable[[], owl.DataRange]] = [
            lambda: self.one(DATATYPES),
            lambda: self.one(DATATYPES),
            lambda: owl.DataOneOf((self.literal(),)),
        ]
        if depth:
            draws.append(lambda: owl.DataIntersectionOf(self.some(lambda: self.data_range(depth - 1))))
        if depth and not self.is_el:
            draws += [
                lambda: owl.DataUnionOf(self.some(lambda: self.data_range(depth - 1))),
                lambda: owl.DataComplementOf(self.data_range(depth - 1)),
                lambda: owl.DatatypeRestriction(DATATYPES[0], ((XSD + "minInclusive", LITERALS[2]),)),
            ]
        return self.one(draws)()

    def concept(self, depth: int = 2) -> owl.ClassExpression:
        """Draw a class expression."""
        if depth == 0 or self.random.randrange(5) < 2:
            return self.name()
        inner = depth - 1
        draws: list[Callable[[], owl.ClassExpression]] = [
            lambda: owl.ObjectSomeValuesFrom(self.role(), self.concept(inner)),
            lambda: owl.ObjectSomeValuesFrom(self.role(), self.concept(inner)),
            lambda: owl.ObjectIntersectionOf(self.some(lambda: self.concept(inner))),
            lambda: owl.ObjectOneOf((self.person(),)),
            lambda: owl.ObjectHasValue(self.role(), self.person()),
            lambda: owl.ObjectHasSelf(self.one(ROLES[:3])),
            lambda: owl.DataSomeValuesFrom((self.data_role(),), self.data_range()),
            lambda: owl.DataHasValue(self.data_role(), self.literal()),
        ]
        if not self.is_el:
            draws += self._outside(inner)
        return self.one(draws)()

    def _outside(self, inner: int) -> list[Callable[[], owl.ClassExpression]]:
        count = self.one((0, 1, 2, 10**9 - 1))
        return [
            lambda: owl.ObjectUnionOf(self.some(lambda: self.concept(inner))),
            lambda: owl.ObjectComplementOf(self.concept(inner)),
            lambda: owl.ObjectAllValuesFrom(self.role_expression(), self.concept(inner)),
            lambda: owl.ObjectSomeValuesFrom(self.role_expression(), self.concept(inner)),
            lambda: owl.ObjectMinCardinality(count, self.role_expression(), self.concept(inner)),
            lambda: owl.ObjectMaxCardinality(count, self.role_expression(), self.concept(inner)),
            lambda: owl.ObjectExactCardinality(count, self.role_expression(), self.concept(inner)),
            lambda: owl.ObjectOneOf(self.some(self.person)),
            lambda: owl.DataAllValuesFrom((self.data_role(),), self.data_range()),
            lambda: owl.DataMinCardinality(count, self.data_role(), self.data_range()),
            lambda: owl.DataMaxCardinality(count, self.data_role(), self.data_range()),
        ]

    def axiom(self) -> ax.Axiom:
        """Draw an axiom: most often one about classes."""
        match self.random.randrange(4):
            case 0 | 1:
                return self.one(self._about_classes())()
            case 2:
                return self.one(self._about_properties())()
            case _:
                return self.one(self._about_individuals())()

    def _about_classes(self) -> list[Callable[[], ax.Axiom]]:
        draws: list[Callable[[], ax.Axiom]] = [
            lambda: ax.SubClassOf(self.name(), self.concept()),
            lambda: ax.SubClassOf(self.concept(), self.concept()),
            lambda: ax.EquivalentClasses((self.one(CLASSES[:6]), self.concept(1))),
            lambda: ax.DisjointClasses(self.some(lambda: self.concept(1))),
        ]
        if not self.is_el:
            draws.append(lambda: ax.DisjointUnion(self.one(CLASSES[:6]), self.some(lambda: self.concept(1))))
        return draws

    def _about_properties(self) -> list[Callable[[], ax.Axiom]]:
        role, data_role = self.role_expression, self.data_role
        words: tuple[str, ...] = ("Transitive", "Reflexive")
        if not self.is_el:
            words += ("Symmetric", "Functional", "InverseFunctional", "Irreflexive", "Asymmetric")
        draws: list[Callable[[], ax.Axiom]] = [
            lambda: ax.SubObjectPropertyOf((role(),), role()),
            lambda: ax.SubObjectPropertyOf(self.some(self.role), self.role()),
            lambda: ax.EquivalentObjectProperties(self.some(self.role)),
            lambda: ax.ObjectPropertyDomain(role(), self.concept(1)),
            lambda: ax.ObjectPropertyRange(role(), self.concept(1)),
            lambda: ax.ObjectPropertyCharacteristic(self.one(words), role()),
            lambda: ax.SubDataPropertyOf(data_role(), data_role()),
            lambda: ax.DataPropertyDomain(data_role(), self.concept(1)),
            lambda: ax.DataPropertyRange(data_role(), self.data_range()),
            lambda: ax.FunctionalDataProperty(data_role()),
            lambda: ax.HasKey(self.name(), (self.one(ROLES[:3]),), ()),
            lambda: ax.HasKey(self.name(), (), (data_role(),)),
        ]
        if not self.is_el:
            draws += [
                lambda: ax.DisjointObjectProperties(self.some(self.role)),
                lambda: ax.InverseObjectProperties(self.one(ROLES[:3]), self.one(ROLES[:3])),
                lambda: ax.DisjointDataProperties(DATA_ROLES),
            ]
        return draws

    def _about_individuals(self) -> list[Callable[[], ax.Axiom]]:
        sign = self.random.randrange(4) == 0
        role = self.one(ROLES[:3])
        return [
            lambda: ax.ClassAssertion(self.concept(1), self.person()),
            lambda: ax.ObjectPropertyAssertion(role, self.person(), self.person(), sign),
            lambda: ax.DataPropertyAssertion(self.data_role(), self.person(), self.literal(), sign),
            lambda: ax.SameIndividual(self.some(self.person)),
            lambda: ax.DifferentIndividuals(self.some(self.person)),
        ]


def random_axioms(random: Random) -> list[ax.Axiom]:
    """Draw the axioms of a small ontology, in EL or not."""
    grammar = Grammar(random, is_el=random.randrange(2) == 0)
    return list(dict.fromkeys(grammar.axiom() for _ in range(random.choice((1, 3, 6, 10, 20)))))


def random_goal(random: Random, names: Sequence[owl.Class], people: Sequence[owl.NamedIndividual]) -> ax.Axiom:
    """Draw something to ask of an ontology, mostly about names that it has."""
    grammar = Grammar(random, is_el=True)

    def concept() -> owl.ClassExpression:
        chosen = random.choice([*names[:50], owl.NOTHING, owl.THING])
        match random.randrange(8):
            case 0:
                return grammar.concept()
            case 1:
                return owl.ObjectSomeValuesFrom(grammar.role(), chosen)
            case 2:
                return owl.ObjectIntersectionOf((chosen, random.choice([*names[:50], owl.THING])))
            case _:
                return chosen

    someone = list(people[:20]) or list(PEOPLE)
    draws: list[Callable[[], ax.Axiom]] = [
        *[lambda: ax.SubClassOf(concept(), concept())] * 4,
        lambda: ax.EquivalentClasses((concept(), concept())),
        lambda: ax.DisjointClasses((concept(), concept())),
        *[lambda: ax.ClassAssertion(concept(), random.choice(someone))] * (3 if people else 1),
        lambda: ax.ObjectPropertyAssertion(grammar.role(), random.choice(someone), random.choice(someone)),
        lambda: ax.SameIndividual((random.choice(someone), random.choice(someone))),
    ]
    return random.choice(draws)()
