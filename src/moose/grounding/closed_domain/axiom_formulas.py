"""What axioms of OWL 2 say of named individuals and nobody else, as propositional formulas.

An axiom is a formula at each individual, or each pair, that it speaks of:

    C ⊑ D        ¬C(x) ∨ D(x)                   ∃r.C at x        some r(x,y) ∧ C(y)
    Func(r)      at most one r(x,y)             ∀r.C at x        all ¬r(x,y) ∨ C(y)
    r ∘ s ⊑ t    ¬r(x,y) ∨ ¬s(y,z) ∨ t(x,z)     ≥ n r.C at x     at least n of r(x,y) ∧ C(y)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from moose.grounding.closed_domain.formulas import Formula, at_least, at_most, conjunction, disjunction, negation
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl

Individuals = tuple[str, ...]
Instance = tuple[Individuals, Formula]
"""What an axiom says at some individuals."""


@dataclass
class Domain:
    """The individuals that there are, and the literal, or the truth, of each atom about them."""

    individuals: Sequence[str]
    named: dict[str, str]
    """Which of them an IRI stands for."""
    atom: Callable[[str, Individuals], Formula]
    """From the IRI of a class or property and individuals to a literal or a truth value."""
    _formulas: dict[tuple[owl.ClassExpression, str], Formula] = field(default_factory=dict)
    _joined: dict[owl.ObjectPropertyExpression, dict[str, dict[str, Formula]]] = field(default_factory=dict)

    def concept(self, expression: owl.ClassExpression, x: str) -> Formula:
        """Return what it takes for an individual to be in a class."""
        key = (expression, x)
        if key not in self._formulas:
            self._formulas[key] = self._concept(expression, x)
        return self._formulas[key]

    def role(self, role: owl.ObjectPropertyExpression, x: str, y: str) -> Formula:
        """Return what it takes for a role to join two individuals."""
        return self.successors(role, x).get(y, False)

    def successors(self, role: owl.ObjectPropertyExpression, x: str) -> dict[str, Formula]:
        """Return the individuals that a role may lead to, each with what it takes."""
        return self._successors(role)[x]

    def pairs(self, role: owl.ObjectPropertyExpression) -> Iterator[tuple[str, str, Formula]]:
        """Yield the pairs that a role may join, each with what it takes."""
        for x in self.individuals:
            for y, holds in self.successors(role, x).items():
                yield x, y, holds

    def _successors(self, role: owl.ObjectPropertyExpression) -> dict[str, dict[str, Formula]]:
        if role not in self._joined:
            joined: dict[str, dict[str, Formula]] = {x: {} for x in self.individuals}
            if isinstance(role, owl.ObjectInverseOf):
                for x, y, holds in self.pairs(role.property):
                    joined[y][x] = holds
            else:
                atoms = ((x, y, self._role_atom(role, x, y)) for x in self.individuals for y in self.individuals)
                for x, y, holds in atoms:
                    if holds is not False:
                        joined[x][y] = holds
            self._joined[role] = joined
        return self._joined[role]

    def _role_atom(self, role: owl.ObjectProperty, x: str, y: str) -> Formula:
        if role in (owl.TOP_OBJECT_PROPERTY, owl.BOTTOM_OBJECT_PROPERTY):
            return role == owl.TOP_OBJECT_PROPERTY
        return self.atom(role.iri, (x, y))

    def _concept(self, expression: owl.ClassExpression, x: str) -> Formula:
        match expression:
            case owl.THING | owl.NOTHING:
                return expression == owl.THING
            case owl.Class(iri):
                return self.atom(iri, (x,))
            case owl.ObjectIntersectionOf(operands):
                return conjunction(self.concept(operand, x) for operand in operands)
            case owl.ObjectUnionOf(operands):
                return disjunction(self.concept(operand, x) for operand in operands)
            case owl.ObjectComplementOf(operand):
                return negation(self.concept(operand, x))
            case owl.ObjectOneOf(individuals):
                return x in map(self.called, individuals)
        return self._restriction(expression, x)

    def _restriction(self, expression: owl.ClassExpression, x: str) -> Formula:
        match expression:
            case owl.ObjectHasValue(role, individual):
                return self.role(role, x, self.called(individual))
            case owl.ObjectHasSelf(role):
                return self.role(role, x, x)
            case owl.ObjectSomeValuesFrom(role, filler):
                return disjunction(self._fillers(role, filler, x))
            case owl.ObjectAllValuesFrom(role, filler):
                others = owl.ObjectComplementOf(filler)
                return negation(disjunction(self._fillers(role, others, x)))
            case owl.ObjectMinCardinality(number, role, filler):
                return at_least(number, self._fillers(role, filler, x))
            case owl.ObjectMaxCardinality(number, role, filler):
                return at_most(number, self._fillers(role, filler, x))
            case owl.ObjectExactCardinality(number, role, filler):
                fillers = list(self._fillers(role, filler, x))
                return conjunction([at_least(number, fillers), at_most(number, fillers)])
        raise AssertionError(f"{expression} is of data")

    def _fillers(self, role: owl.ObjectPropertyExpression, filler: owl.ClassExpression, x: str) -> Iterator[Formula]:
        for y, holds in self.successors(role, x).items():
            yield conjunction([holds, self.concept(filler, y)])

    def called(self, individual: owl.Individual) -> str:
        """Return the individual that the ontology calls so."""
        assert isinstance(individual, owl.NamedIndividual)
        return self.named[individual.iri]


def axiom_instances(axiom: ax.Axiom, domain: Domain) -> Iterator[Instance]:
    """Yield what an axiom says, individual by individual."""
    match axiom:
        case ax.ClassAssertion() | ax.ObjectPropertyAssertion() | ax.SameIndividual():
            yield from assertion_instances(axiom, domain)
        case ax.SubClassOf(sub, sup):
            yield from inclusion(domain, sub, sup)
        case ax.EquivalentClasses(operands):
            for sub, sup in pairwise((*operands, operands[0])):
                yield from inclusion(domain, sub, sup)
        case ax.DisjointClasses(operands):
            yield from disjoint_classes(domain, operands)
        case ax.DisjointUnion(cls, operands):
            yield from inclusion(domain, cls, owl.ObjectUnionOf(operands))
            yield from inclusion(domain, owl.ObjectUnionOf(operands), cls)
            yield from disjoint_classes(domain, operands)
        case ax.ObjectPropertyDomain(role, domain_class):
            for x, y, holds in domain.pairs(role):
                yield (x, y), implies([holds], domain.concept(domain_class, x))
        case ax.ObjectPropertyRange(role, range_class):
            for x, y, holds in domain.pairs(role):
                yield (x, y), implies([holds], domain.concept(range_class, y))
        case _:
            yield from role_instances(axiom, domain)


def assertion_instances(
    axiom: ax.ClassAssertion | ax.ObjectPropertyAssertion | ax.SameIndividual, domain: Domain
) -> Iterator[Instance]:
    """Yield what is asserted of individuals; different names stand for different ones."""
    match axiom:
        case ax.ClassAssertion(cls, individual):
            x = domain.called(individual)
            yield (x,), domain.concept(cls, x)
        case ax.ObjectPropertyAssertion(role, source, target, negative):
            x, y = domain.called(source), domain.called(target)
            holds = domain.role(role, x, y)
            yield (x, y), negation(holds) if negative else holds
        case ax.SameIndividual(individuals):
            for one, other in pairwise(map(domain.called, individuals)):
                yield (one, other), one == other


def role_instances(axiom: ax.Axiom, domain: Domain) -> Iterator[Instance]:
    """Yield what an axiom about roles says, pair by pair."""
    match axiom:
        case ax.SubObjectPropertyOf(roles, sup):
            yield from chain_inclusion(domain, roles, sup)
        case ax.EquivalentObjectProperties(operands):
            for sub, sup in pairwise((*operands, operands[0])):
                yield from chain_inclusion(domain, (sub,), sup)
        case ax.InverseObjectProperties(first, second):
            yield from chain_inclusion(domain, (first,), inverse(second))
            yield from chain_inclusion(domain, (inverse(second),), first)
        case ax.DisjointObjectProperties(operands):
            for first, second in combinations(operands, 2):
                for x, y, holds in domain.pairs(first):
                    yield (x, y), implies([holds, domain.role(second, x, y)], False)
        case ax.ObjectPropertyCharacteristic(characteristic, role):
            yield from CHARACTERISTICS[characteristic](domain, role)


def implies(body: Iterable[Formula], head: Formula) -> Formula:
    """Return that if all of some formulas hold, another does."""
    return disjunction([*map(negation, body), head])


def inclusion(domain: Domain, sub: owl.ClassExpression, sup: owl.ClassExpression) -> Iterator[Instance]:
    """Yield C ⊑ D."""
    for x in domain.individuals:
        yield (x,), implies([domain.concept(sub, x)], domain.concept(sup, x))


def disjoint_classes(domain: Domain, operands: Sequence[owl.ClassExpression]) -> Iterator[Instance]:
    """Yield that no two of several classes share an individual."""
    for x in domain.individuals:
        for first, second in combinations(operands, 2):
            yield (x,), implies([domain.concept(first, x), domain.concept(second, x)], False)


def inverse(role: owl.ObjectPropertyExpression) -> owl.ObjectPropertyExpression:
    """Return the role the other way round."""
    return role.property if isinstance(role, owl.ObjectInverseOf) else owl.ObjectInverseOf(role)


def chain_inclusion(
    domain: Domain, roles: Sequence[owl.ObjectPropertyExpression], sup: owl.ObjectPropertyExpression
) -> Iterator[Instance]:
    """Yield r₁ ∘ … ∘ rₙ ⊑ s, path by path."""
    paths: Iterable[tuple[str, str, tuple[Formula, ...]]] = ((x, x, ()) for x in domain.individuals)
    for role in roles:
        paths = [(x, z, (*body, holds)) for x, y, body in paths for z, holds in domain.successors(role, y).items()]
    for x, y, body in paths:
        yield (x, y), implies(body, domain.role(sup, x, y))


def functional(domain: Domain, role: owl.ObjectPropertyExpression) -> Iterator[Instance]:
    """Yield that a role leads to one individual at most."""
    for x in domain.individuals:
        yield (x,), at_most(1, domain.successors(role, x).values())


def reflexive(domain: Domain, role: owl.ObjectPropertyExpression) -> Iterator[Instance]:
    """Yield that a role joins everybody to himself."""
    yield from (((x,), domain.role(role, x, x)) for x in domain.individuals)


def irreflexive(domain: Domain, role: owl.ObjectPropertyExpression) -> Iterator[Instance]:
    """Yield that a role joins nobody to himself."""
    yield from (((x,), negation(domain.role(role, x, x))) for x in domain.individuals)


def asymmetric(domain: Domain, role: owl.ObjectPropertyExpression) -> Iterator[Instance]:
    """Yield that a role never goes both ways."""
    for x, y, holds in domain.pairs(role):
        yield (x, y), implies([holds, domain.role(role, y, x)], False)


Characteristic = Callable[[Domain, owl.ObjectPropertyExpression], Iterator[Instance]]
CHARACTERISTICS: dict[str, Characteristic] = {
    "Functional": functional,
    "InverseFunctional": lambda domain, role: functional(domain, inverse(role)),
    "Reflexive": reflexive,
    "Irreflexive": irreflexive,
    "Symmetric": lambda domain, role: chain_inclusion(domain, (role,), inverse(role)),
    "Asymmetric": asymmetric,
    "Transitive": lambda domain, role: chain_inclusion(domain, (role, role), role),
}
