"""Small finite interpretations, and what class expressions and axioms mean in them: the plain semantics of OWL 2."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import TypeVar

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import Value, contains, is_known, value_of

T = TypeVar("T")
Link = tuple[int, int]
CLASSES = tuple(owl.Class(name) for name in "ABC")
ROLES = tuple(owl.ObjectProperty(name) for name in "rs")
DATA_PROPERTIES = tuple(owl.DataProperty(name) for name in "de")
INDIVIDUALS = (owl.NamedIndividual("a"), owl.NamedIndividual("b"), owl.AnonymousIndividual("x"))
XSD = "http://www.w3.org/2001/XMLSchema#"
OWN = owl.Datatype("urn:own")
LITERALS = (
    owl.Literal("1", XSD + "integer"),
    owl.Literal("1.0", XSD + "decimal"),
    owl.Literal("-2", XSD + "integer"),
    owl.Literal("5", XSD + "int"),
    owl.Literal("3.5", XSD + "decimal"),
    owl.Literal("one"),
    owl.Literal("one two"),
    owl.Literal("one", "http://www.w3.org/1999/02/22-rdf-syntax-ns#PlainLiteral", "en"),
    owl.Literal("true", XSD + "boolean"),
)
STRANGE = owl.Literal("strange", OWN.iri)
POOL = tuple(dict.fromkeys(value for literal in LITERALS if (value := value_of(literal)) is not None))


@dataclass(frozen=True)
class Interpretation:
    """A domain 0 … size-1, and what each name stands for in it."""

    size: int
    classes: dict[str, frozenset[int]]
    roles: dict[str, frozenset[Link]]
    values: dict[str, frozenset[tuple[int, Value]]]
    individuals: dict[owl.Individual, int]
    own: frozenset[Value]
    strange: Value

    # ── Data ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def meant(self, literal: owl.Literal) -> Value | None:
        return self.strange if literal == STRANGE else value_of(literal)

    def lies_in(self, value: Value, data_range: owl.DataRange) -> bool:
        match data_range:
            case owl.Datatype(iri):
                return contains(iri, value) if is_known(iri) else value in self.own
            case owl.DataIntersectionOf(operands):
                return all(self.lies_in(value, operand) for operand in operands)
            case owl.DataUnionOf(operands):
                return any(self.lies_in(value, operand) for operand in operands)
            case owl.DataComplementOf(operand):
                return not self.lies_in(value, operand)
            case owl.DataOneOf(literals):
                return value in [self.meant(literal) for literal in literals]
            case owl.DatatypeRestriction(datatype, facets):
                return self.lies_in(value, datatype) and all(_at_least(value, bound) for _, bound in facets)
        raise AssertionError(data_range)

    def data_links(self, role: owl.DataProperty, data_range: owl.DataRange) -> dict[int, int]:
        """Count each element's values in a data range."""
        counts = dict.fromkeys(range(self.size), 0)
        for source, value in self.values[role.iri]:
            counts[source] += self.lies_in(value, data_range)
        return counts

    # ── Roles and classes ─────────────────────────────────────────────────────────────────────────────────────────

    def links(self, role: owl.ObjectPropertyExpression) -> frozenset[Link]:
        if isinstance(role, owl.ObjectInverseOf):
            return frozenset((target, source) for source, target in self.links(role.property))
        if role == owl.TOP_OBJECT_PROPERTY:
            return pairs_of(self.size)
        return frozenset() if role == owl.BOTTOM_OBJECT_PROPERTY else self.roles[role.iri]

    def counts(self, role: owl.ObjectPropertyExpression, filler: owl.ClassExpression) -> dict[int, int]:
        """Count each element's successors in a class."""
        inside = self.extension(filler)
        counts = dict.fromkeys(range(self.size), 0)
        for source, target in self.links(role):
            counts[source] += target in inside
        return counts

    def extension(self, expression: owl.ClassExpression) -> frozenset[int]:
        everything = frozenset(range(self.size))
        match expression:
            case owl.Class():
                named = {owl.THING: everything, owl.NOTHING: frozenset[int]()}
                return named[expression] if expression in named else self.classes[expression.iri]
            case owl.ObjectIntersectionOf(operands):
                return everything.intersection(*map(self.extension, operands))
            case owl.ObjectUnionOf(operands):
                return frozenset[int]().union(*map(self.extension, operands))
            case owl.ObjectComplementOf(operand):
                return everything - self.extension(operand)
            case owl.ObjectOneOf(individuals):
                return frozenset(self.individuals[individual] for individual in individuals)
            case owl.ObjectHasSelf(role):
                return frozenset(element for element in everything if (element, element) in self.links(role))
            case owl.ObjectHasValue(role, individual):
                return self.extension(owl.ObjectSomeValuesFrom(role, owl.ObjectOneOf((individual,))))
            case owl.DataHasValue(role, literal):
                return self.extension(owl.DataSomeValuesFrom((role,), owl.DataOneOf((literal,))))
        counts, fits = self._restriction(expression)
        return frozenset(element for element in everything if fits(counts[element]))

    def _restriction(self, expression: owl.ClassExpression) -> tuple[dict[int, int], Callable[[int], bool]]:
        """Return how many successors each element has, and how many it must have."""
        match expression:
            case owl.ObjectSomeValuesFrom(role, filler):
                return self.counts(role, filler), lambda found: found > 0
            case owl.ObjectAllValuesFrom(role, filler):
                return self.counts(role, owl.ObjectComplementOf(filler)), lambda found: found == 0
            case owl.ObjectMinCardinality(number, role, filler):
                return self.counts(role, filler), lambda found: found >= number
            case owl.ObjectMaxCardinality(number, role, filler):
                return self.counts(role, filler), lambda found: found <= number
            case owl.ObjectExactCardinality(number, role, filler):
                return self.counts(role, filler), lambda found: found == number
            case owl.DataSomeValuesFrom((data_role,), data_range):
                return self.data_links(data_role, data_range), lambda found: found > 0
            case owl.DataAllValuesFrom((data_role,), data_range):
                return self.data_links(data_role, owl.DataComplementOf(data_range)), lambda found: found == 0
            case owl.DataMinCardinality(number, data_role, data_range):
                return self.data_links(data_role, data_range), lambda found: found >= number
            case owl.DataMaxCardinality(number, data_role, data_range):
                return self.data_links(data_role, data_range), lambda found: found <= number
            case owl.DataExactCardinality(number, data_role, data_range):
                return self.data_links(data_role, data_range), lambda found: found == number
        raise AssertionError(expression)

    # ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────

    def satisfies(self, axiom: ax.Axiom) -> bool:
        match axiom:
            case ax.SubClassOf(sub, sup):
                return self.extension(sub) <= self.extension(sup)
            case ax.EquivalentClasses(operands):
                return all_equal(map(self.extension, operands))
            case ax.DisjointClasses(operands):
                return all_disjoint(map(self.extension, operands))
            case ax.DisjointUnion(cls, operands):
                whole = self.extension(owl.ObjectUnionOf(operands))
                return self.extension(cls) == whole and all_disjoint(map(self.extension, operands))
            case ax.HasKey(cls, roles, data_roles):
                return self._has_key(self.extension(cls), roles, data_roles)
            case ax.ClassAssertion(cls, individual):
                return self.individuals[individual] in self.extension(cls)
            case ax.SameIndividual(individuals):
                return all_equal(self.individuals[individual] for individual in individuals)
            case ax.DifferentIndividuals(individuals):
                return all_disjoint(frozenset([self.individuals[individual]]) for individual in individuals)
            case ax.ObjectPropertyAssertion(role, source, target, negative):
                return ((self.individuals[source], self.individuals[target]) in self.links(role)) != negative
            case ax.DataPropertyAssertion(data_role, source, literal, negative):
                return ((self.individuals[source], self.meant(literal)) in self.values[data_role.iri]) != negative
        return self._satisfies_role_axiom(axiom)

    def _satisfies_role_axiom(self, axiom: ax.Axiom) -> bool:
        match axiom:
            case ax.SubObjectPropertyOf(chain, sup):
                composed = self.links(chain[0])
                for role in chain[1:]:
                    composed = compose(composed, self.links(role))
                return composed <= self.links(sup)
            case ax.EquivalentObjectProperties(operands):
                return all_equal(map(self.links, operands))
            case ax.DisjointObjectProperties(operands):
                return all_disjoint(map(self.links, operands))
            case ax.InverseObjectProperties(first, second):
                return self.links(first) == self.links(owl.ObjectInverseOf(second))  # type: ignore[arg-type]
            case ax.ObjectPropertyDomain(role, domain):
                return {source for source, _ in self.links(role)} <= self.extension(domain)
            case ax.ObjectPropertyRange(role, range_):
                return {target for _, target in self.links(role)} <= self.extension(range_)
            case ax.ObjectPropertyCharacteristic(word, role):
                return self._has_characteristic(word, self.links(role))
        return self._satisfies_data_axiom(axiom)

    def _satisfies_data_axiom(self, axiom: ax.Axiom) -> bool:
        match axiom:
            case ax.SubDataPropertyOf(sub, data_sup):
                return self.values[sub.iri] <= self.values[data_sup.iri]
            case ax.EquivalentDataProperties(data_operands):
                return all_equal(self.values[role.iri] for role in data_operands)
            case ax.DisjointDataProperties(data_operands):
                return all_disjoint(self.values[role.iri] for role in data_operands)
            case ax.DataPropertyDomain(data_role, domain):
                return {source for source, _ in self.values[data_role.iri]} <= self.extension(domain)
            case ax.DataPropertyRange(data_role, data_range):
                return all(self.lies_in(value, data_range) for _, value in self.values[data_role.iri])
            case ax.FunctionalDataProperty(data_role):
                return max(self.data_links(data_role, owl.LITERAL).values()) <= 1
        raise AssertionError(axiom)

    def _has_characteristic(self, word: str, links: frozenset[Link]) -> bool:
        turned = frozenset((target, source) for source, target in links)
        same = frozenset((element, element) for element in range(self.size))
        return {
            "Functional": compose(turned, links) <= same,
            "InverseFunctional": compose(links, turned) <= same,
            "Reflexive": same <= links,
            "Irreflexive": not same & links,
            "Symmetric": links == turned,
            "Asymmetric": not links & turned,
            "Transitive": compose(links, links) <= links,
        }[word]

    def _has_key(
        self,
        inside: frozenset[int],
        roles: Iterable[owl.ObjectPropertyExpression],
        data_roles: Iterable[owl.DataProperty],
    ) -> bool:
        named = set(self.individuals.values())
        for first, second in combinations(sorted(inside & named), 2):
            agree = all(
                any((first, third) in self.links(role) and (second, third) in self.links(role) for third in named)
                for role in roles
            ) and all(
                any(
                    (first, value) in self.values[role.iri] and (second, value) in self.values[role.iri]
                    for value in POOL
                )
                for role in data_roles
            )
            if agree:
                return False
        return True


def pairs_of(size: int) -> frozenset[Link]:
    return frozenset(product(range(size), range(size)))


def compose(first: frozenset[Link], second: frozenset[Link]) -> frozenset[Link]:
    return frozenset((a, d) for a, b in first for c, d in second if b == c)


def all_equal(items: Iterable[object]) -> bool:
    return all(first == second for first, second in pairwise(items))


def all_disjoint(sets: Iterable[frozenset[T]]) -> bool:
    return not any(first & second for first, second in combinations(sets, 2))


def _at_least(value: Value, bound: owl.Literal) -> bool:
    least = value_of(bound)
    assert least is not None
    return (
        isinstance(value.content, Fraction) and isinstance(least.content, Fraction) and value.content >= least.content
    )


def random_interpretation(seed: random.Random) -> Interpretation:
    """Draw an interpretation, often an extreme one, since those satisfy more axioms."""
    size = seed.choice((1, 2, 2, 3))
    own = frozenset(seed.sample(POOL, seed.randrange(1, len(POOL))))

    def some(items: Iterable[T]) -> frozenset[T]:
        share = seed.choice((0.0, 0.2, 0.5, 0.8, 1.0))
        return frozenset(item for item in items if seed.random() < share)

    return Interpretation(
        size,
        {cls.iri: some(range(size)) for cls in CLASSES},
        {role.iri: some(pairs_of(size)) for role in ROLES},
        {role.iri: some(product(range(size), seed.sample(POOL, 3))) for role in DATA_PROPERTIES},
        {individual: seed.randrange(size) for individual in INDIVIDUALS},
        own,
        seed.choice(sorted(own, key=repr)),
    )
