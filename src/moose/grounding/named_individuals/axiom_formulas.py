"""What axioms of OWL 2 say of named individuals, as propositional formulas.

An axiom is a formula at each individual, or each pair, that it speaks of:

    C ⊑ D        x is no C, or a D              ∃r.C at x        some r(x,y) ∧ C(y)
    Func(r)      at most one r(x,y)             ∀r.C at x        all ¬r(x,y) ∨ C(y)
    r ∘ s ⊑ t    ¬r(x,y) ∨ ¬s(y,z) ∨ t(x,z)     ≥ n r.C at x     at least n of r(x,y) ∧ C(y)

In an open domain what is said to exist may have no name: that x is in ∃r.C, or not in ∀r.C, then says nothing of those
who have one. That x is not in ∃r.C, or in ∀r.C, says what it says in a closed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from moose.grounding.named_individuals.formulas import Formula, at_least, at_most, conjunction, disjunction, negation
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
    is_open: bool
    """Whether there may be others, without a name."""
    _formulas: dict[tuple[owl.ClassExpression, str, bool], Formula] = field(default_factory=dict)
    _joined: dict[owl.ObjectPropertyExpression, dict[str, dict[str, Formula]]] = field(default_factory=dict)

    def inside(self, expression: owl.ClassExpression, x: str) -> Formula:
        """Return what it means that an individual is in a class."""
        return self._membership(expression, x, True)

    def outside(self, expression: owl.ClassExpression, x: str) -> Formula:
        """Return what it means that an individual is not in a class."""
        return self._membership(expression, x, False)

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

    def _membership(self, expression: owl.ClassExpression, x: str, is_in: bool) -> Formula:
        key = (expression, x, is_in)
        if key not in self._formulas:
            self._formulas[key] = self._boolean(expression, x, is_in)
        return self._formulas[key]

    def _boolean(self, expression: owl.ClassExpression, x: str, is_in: bool) -> Formula:
        match expression:
            case owl.THING | owl.NOTHING:
                return (expression == owl.THING) == is_in
            case owl.Class(iri):
                return signed(self.atom(iri, (x,)), is_in)
            case owl.ObjectIntersectionOf(operands):
                parts = [self._membership(operand, x, is_in) for operand in operands]
                return conjunction(parts) if is_in else disjunction(parts)
            case owl.ObjectUnionOf(operands):
                parts = [self._membership(operand, x, is_in) for operand in operands]
                return disjunction(parts) if is_in else conjunction(parts)
            case owl.ObjectComplementOf(operand):
                return self._membership(operand, x, not is_in)
            case owl.ObjectOneOf(individuals):
                return (x in map(self.called, individuals)) == is_in
        return self._restriction(expression, x, is_in)

    def _restriction(self, expression: owl.ClassExpression, x: str, is_in: bool) -> Formula:
        match expression:
            case owl.ObjectHasValue(role, individual):
                return signed(self.role(role, x, self.called(individual)), is_in)
            case owl.ObjectHasSelf(role):
                return signed(self.role(role, x, x), is_in)
            case owl.ObjectSomeValuesFrom(role, filler):
                return self._count(1, role, filler, x, is_in)
            case owl.ObjectAllValuesFrom(role, filler):
                return self._count(1, role, owl.ObjectComplementOf(filler), x, not is_in)
            case owl.ObjectMinCardinality(number, role, filler):
                return self._count(number, role, filler, x, is_in)
            case owl.ObjectMaxCardinality(number, role, filler):
                return self._count(number + 1, role, filler, x, not is_in)
            case owl.ObjectExactCardinality(number, role, filler):
                enough = self._count(number, role, filler, x, is_in)
                no_more = self._count(number + 1, role, filler, x, not is_in)
                return conjunction([enough, no_more]) if is_in else disjunction([enough, no_more])
        raise AssertionError(f"{expression} is of data")

    def _count(
        self, number: int, role: owl.ObjectPropertyExpression, filler: owl.ClassExpression, x: str, is_enough: bool
    ) -> Formula:
        """Return that a role leads to so many individuals of a class, or to fewer."""
        joined = self.successors(role, x).items()
        if not is_enough:
            missed = [disjunction([negation(holds), self.outside(filler, y)]) for y, holds in joined]
            return at_least(len(missed) - number + 1, missed)
        if self.is_open:
            return True
        return at_least(number, [conjunction([holds, self.inside(filler, y)]) for y, holds in joined])

    def called(self, individual: owl.Individual) -> str:
        """Return the individual that the ontology calls so."""
        assert isinstance(individual, owl.NamedIndividual)
        return self.named[individual.iri]


def signed(formula: Formula, is_true: bool) -> Formula:
    """Return a formula or its negation."""
    return formula if is_true else negation(formula)


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
                yield (x, y), implies([holds], domain.inside(domain_class, x))
        case ax.ObjectPropertyRange(role, range_class):
            for x, y, holds in domain.pairs(role):
                yield (x, y), implies([holds], domain.inside(range_class, y))
        case _:
            yield from role_instances(axiom, domain)


def assertion_instances(
    axiom: ax.ClassAssertion | ax.ObjectPropertyAssertion | ax.SameIndividual, domain: Domain
) -> Iterator[Instance]:
    """Yield what is asserted of individuals; different names stand for different ones."""
    match axiom:
        case ax.ClassAssertion(cls, individual):
            x = domain.called(individual)
            yield (x,), domain.inside(cls, x)
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
        yield (x,), disjunction([domain.outside(sub, x), domain.inside(sup, x)])


def disjoint_classes(domain: Domain, operands: Sequence[owl.ClassExpression]) -> Iterator[Instance]:
    """Yield that no two of several classes share an individual."""
    for x in domain.individuals:
        for first, second in combinations(operands, 2):
            yield (x,), disjunction([domain.outside(first, x), domain.outside(second, x)])


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
