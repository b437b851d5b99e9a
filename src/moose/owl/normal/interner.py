"""Numbers for concepts and roles: each distinct one gets its own."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import Value, ValueSet, value_of, value_set
from moose.owl.model.signature import walk
from moose.owl.normal.normal_form import TOP, Kind


class Interner:
    """Numbers for concepts, roles and individuals, in order of first appearance."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self.first: list[int] = []
        self.second: list[int] = []
        self.classes: dict[str, int] = {}
        self.nominals: dict[owl.Individual, int] = {}
        self.values: dict[ValueSet, int] = {}
        self.value_list: list[ValueSet] = []
        self.literals: dict[Value, owl.Literal] = {}
        self.pairs: dict[tuple[int, int], int] = {}
        self.somes: dict[tuple[int, int], int] = {}
        self.selves: dict[int, int] = {}
        self.roles: dict[owl.ObjectProperty | owl.DataProperty, int] = {}
        self.nominal_of: dict[str, int] = {}
        self.object_role_of: dict[str, int] = {}
        """By IRI: a million role assertions look these up, and strings are quicker than entities."""
        self.named(owl.THING)
        self.named(owl.NOTHING)
        self.data(owl.LITERAL)

    def add(self, kind: Kind, first: int, second: int = -1) -> int:
        """Number a new concept."""
        self.kinds.append(kind)
        self.first.append(first)
        self.second.append(second)
        return len(self.kinds) - 1

    def named(self, expression: owl.Class) -> int:
        """Number a named class."""
        concept = self.classes.get(expression.iri)
        if concept is None:
            concept = self.classes[expression.iri] = self.add(Kind.CLASS, len(self.classes))
        return concept

    def nominal(self, individual: owl.Individual) -> int:
        """Number {a}."""
        if type(individual) is not owl.NamedIndividual:
            return self._nominal(individual)
        concept = self.nominal_of.get(individual.iri)
        if concept is None:
            concept = self.nominal_of[individual.iri] = self._nominal(individual)
        return concept

    def _nominal(self, individual: owl.Individual) -> int:
        concept = self.nominals.get(individual)
        if concept is None:
            concept = self.nominals[individual] = self.add(Kind.NOMINAL, len(self.nominals))
        return concept

    def data(self, data_range: owl.DataRange) -> int:
        """Number a data range by its meaning."""
        if not isinstance(data_range, owl.Datatype):
            for part in walk(data_range):
                if isinstance(part, owl.Literal) and (value := value_of(part)) is not None:
                    self.literals.setdefault(value, part)
        return self.value_set(value_set(data_range))

    def value_set(self, values: ValueSet) -> int:
        """Number a set of literals."""
        concept = self.values.get(values)
        if concept is None:
            concept = self.values[values] = self.add(Kind.VALUES, len(self.value_list))
            self.value_list.append(values)
        return concept

    def conjunction(self, conjuncts: Iterable[int]) -> int:
        """Number a conjunction, flat and without ⊤."""
        parts = sorted(set(self.flatten(conjuncts)) - {TOP})
        if not parts:
            return TOP
        concept = parts[0]
        for part in parts[1:]:
            whole = self.pairs.get((concept, part))
            if whole is None:
                whole = self.pairs[concept, part] = self.add(Kind.CONJUNCTION, concept, part)
            concept = whole
        return concept

    def flatten(self, conjuncts: Iterable[int]) -> Iterable[int]:
        """Yield the conjuncts of conjuncts."""
        stack = list(conjuncts)
        while stack:
            concept = stack.pop()
            if self.kinds[concept] == Kind.CONJUNCTION:
                stack += (self.first[concept], self.second[concept])
            else:
                yield concept

    def some(self, role: int, filler: int) -> int:
        """Number ∃r.D."""
        concept = self.somes.get((role, filler))
        if concept is None:
            concept = self.somes[role, filler] = self.add(Kind.SOME, role, filler)
        return concept

    def self_of(self, role: int) -> int:
        """Number ∃r.Self."""
        concept = self.selves.get(role)
        if concept is None:
            concept = self.selves[role] = self.add(Kind.SELF, role)
        return concept

    def role(self, role: owl.ObjectPropertyExpression | owl.DataProperty) -> int:
        """Number a named role."""
        if type(role) is not owl.ObjectProperty:
            return self._role(role)
        number = self.object_role_of.get(role.iri)
        if number is None:
            number = self.object_role_of[role.iri] = self._role(role)
        return number

    def _role(self, role: owl.ObjectPropertyExpression | owl.DataProperty) -> int:
        assert not isinstance(role, owl.ObjectInverseOf), "the profile check removes inverses"
        number = self.roles.get(role)
        if number is None:
            number = self.roles[role] = len(self.roles)
        return number

    def concept(self, expression: owl.ClassExpression) -> int:
        """Number a class expression of OWL 2 EL."""
        match expression:
            case owl.Class():
                return self.named(expression)
            case owl.ObjectSomeValuesFrom(role, filler):
                return self.some(self.role(role), self.concept(filler))
            case owl.ObjectIntersectionOf(operands):
                return self.conjunction([self.concept(operand) for operand in operands])
            case owl.ObjectHasValue(role, individual):
                return self.some(self.role(role), self.nominal(individual))
            case owl.ObjectOneOf((individual,)):
                return self.nominal(individual)
            case owl.ObjectHasSelf(role):
                return self.self_of(self.role(role))
            case owl.DataSomeValuesFrom((role,), data_range):
                return self.data_some(role, data_range)
            case owl.DataHasValue(role, literal):
                return self.data_some(role, owl.DataOneOf((literal,)))
        raise AssertionError(f"the profile check lets no {type(expression).__name__} through")

    def data_some(self, role: owl.DataProperty, data_range: owl.DataRange) -> int:
        """Number ∃d.D."""
        return self.some(self.role(role), self.data(data_range))
