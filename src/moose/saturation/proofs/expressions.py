"""From concept numbers to expressions, each written in the one way that proofs use, and back."""

from __future__ import annotations

from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import Value, ValueSet, value_set
from moose.owl.model.expressions import XSD
from moose.owl.normal.normal_form import BOTTOM, LITERAL, TOP, Kind, NormalForm
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, NumberFact, Sub

NO_VALUE = owl.DataIntersectionOf((owl.Datatype(XSD + "integer"), owl.Datatype(XSD + "string")))
"""A data range that nothing is in, written in OWL 2 EL."""


class Expressions:
    """The expressions that the numbers of a normal form stand for."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self._known: dict[int, Concept] = {TOP: owl.THING, BOTTOM: owl.NOTHING, LITERAL: owl.LITERAL}

    def concept(self, number: int) -> Concept:
        """Return the expression of a concept."""
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self._build(number)
        return known

    def class_expression(self, number: int) -> owl.ClassExpression:
        """Return the expression of a concept that is no data range."""
        concept = self.concept(number)
        assert not isinstance(concept, owl.DataRange)
        return concept

    def role(self, number: int) -> Role:
        """Return the role of a number; prefixes of chains have none."""
        return self.form.roles[number]

    def _build(self, number: int) -> Concept:
        form = self.form
        first, second = int(form.first[number]), int(form.second[number])
        match Kind(int(form.kinds[number])):
            case Kind.CLASS:
                return owl.Class(form.classes[first])
            case Kind.NOMINAL:
                return owl.ObjectOneOf((form.individuals[first],))
            case Kind.SELF:
                return owl.ObjectHasSelf(self._object_role(first))
            case Kind.SOME:
                return some(self.role(first), self.concept(second))
            case Kind.CONJUNCTION:
                return intersection([self.concept(part) for part in self.conjuncts(number)])
            case Kind.VALUES:
                return self.data_range(form.value_sets[first])

    def conjuncts(self, number: int) -> list[int]:
        """Return the conjuncts of a conjunction, those of conjuncts included; of another concept, itself."""
        conjuncts, stack = [], [number]
        while stack:
            concept = stack.pop()
            if self.form.kinds[concept] == Kind.CONJUNCTION:
                stack += (int(self.form.first[concept]), int(self.form.second[concept]))
            else:
                conjuncts.append(concept)
        return conjuncts

    def _object_role(self, number: int) -> owl.ObjectProperty:
        role = self.role(number)
        assert isinstance(role, owl.ObjectProperty)
        return role

    def data_range(self, values: ValueSet) -> owl.DataRange:
        """Write a set of literals as a data range."""
        if values.is_empty():
            return NO_VALUE
        parts: list[owl.DataRange] = [owl.Datatype(iri) for iri in values.datatypes]
        parts += [owl.DataOneOf((self._literal(value),)) for value in values.values]
        parts.sort(key=render)
        if len(parts) == 1:
            return parts[0]
        return owl.DataIntersectionOf(tuple(parts)) if parts else owl.LITERAL

    def _literal(self, value: Value) -> owl.Literal:
        """Return a literal that stands for a value: as it was told, or as the only integer of an intersection."""
        told = self.form.literals.get(value)
        return told or owl.Literal(str(value.content), XSD + "integer")


class Numbering:
    """Looks expressions up; what the ontology does not mention has no number."""

    def __init__(self, form: NormalForm) -> None:
        rows = zip(form.kinds.tolist(), form.first.tolist(), form.second.tolist(), strict=True)
        expressions = Expressions(form)
        self._roles = {role: number for number, role in enumerate(form.roles)}
        self._values = {
            values: int(concept) for values, concept in zip(form.value_sets, form.value_concepts, strict=True)
        }
        self._nominals = dict(zip(form.individuals, form.nominal_concepts.tolist(), strict=True))
        self._form = form
        self._shapes: dict[tuple[int, ...], int] = {}
        self._conjunctions: dict[frozenset[int], int] = {}
        for number, (kind, first, second) in enumerate(rows):
            if kind == Kind.CONJUNCTION:
                self._conjunctions[frozenset(expressions.conjuncts(number))] = number
            elif kind in (Kind.SOME, Kind.SELF):
                self._shapes[kind, first, second] = number

    def fact(self, fact: Fact) -> NumberFact | None:
        """Return a fact over numbers, or None where a part of it is not in the ontology."""
        match fact:
            case Subsumption(sub, sup):
                return self._sub(self.concept(sub), self.concept(sup))
            case Link(source, role, target):
                return self._arrow(self.concept(source), self.role(role), self.concept(target))
            case NonEmpty(concept):
                number = self.concept(concept)
                return None if number is None else Inhabited(number)
            case RoleInclusion():
                return None

    @staticmethod
    def _sub(sub: int | None, sup: int | None) -> Sub | None:
        return None if sub is None or sup is None else Sub(sub, sup)

    @staticmethod
    def _arrow(source: int | None, role: int | None, target: int | None) -> Arrow | None:
        return None if source is None or role is None or target is None else Arrow(source, role, target)

    def role(self, role: Role | owl.ObjectPropertyExpression) -> int | None:
        """Return the number of a role."""
        return None if isinstance(role, owl.ObjectInverseOf) else self._roles.get(role)

    def concept(self, concept: Concept) -> int | None:
        """Return the number of a concept."""
        match concept:
            case owl.Class(iri):
                return self._form.class_number(iri)
            case owl.ObjectOneOf((individual,)):
                return self._nominals.get(individual)
            case owl.ObjectIntersectionOf(operands):
                return self._conjunction(operands)
            case owl.ObjectSomeValuesFrom(role, filler):
                return self._some(role, filler)
            case owl.ObjectHasValue(role, individual):
                return self._some(role, owl.ObjectOneOf((individual,)))
            case owl.DataSomeValuesFrom((role,), values):
                return self._some(role, values)
            case owl.DataHasValue(role, literal):
                return self._some(role, owl.DataOneOf((literal,)))
            case owl.ObjectHasSelf(role):
                number = self.role(role)
                return None if number is None else self._shapes.get((Kind.SELF, number, -1))
            case owl.Datatype() | owl.DataIntersectionOf() | owl.DataOneOf():
                return self._values.get(value_set(concept))
        return None

    def _some(self, role: Role | owl.ObjectPropertyExpression, filler: Concept) -> int | None:
        number, concept = self.role(role), self.concept(filler)
        return None if number is None or concept is None else self._shapes.get((Kind.SOME, number, concept))

    def _conjunction(self, operands: tuple[owl.ClassExpression, ...]) -> int | None:
        parts: set[int] = set()
        for operand in operands:
            number = self.concept(operand)
            if number is None:
                return None
            parts |= set(Expressions(self._form).conjuncts(number))
        parts.discard(0)
        return self._conjunctions.get(frozenset(parts)) if len(parts) > 1 else next(iter(parts), 0)


def some(role: Role, filler: Concept) -> owl.ClassExpression:
    """Write ∃r.D."""
    if isinstance(role, owl.DataProperty):
        assert isinstance(filler, owl.DataRange)
        return owl.DataSomeValuesFrom((role,), filler)
    assert not isinstance(filler, owl.DataRange)
    return owl.ObjectSomeValuesFrom(role, filler)


def filler_of(concept: Concept) -> Concept:
    """Return D of ∃r.D."""
    assert isinstance(concept, owl.ObjectSomeValuesFrom | owl.DataSomeValuesFrom)
    return concept.filler if isinstance(concept, owl.ObjectSomeValuesFrom) else concept.range


def intersection(parts: list[Concept]) -> Concept:
    """Write D ⊓ E ⊓ …: flat, sorted by rendering, without ⊤ and repetition."""
    flat = {operand for part in parts for operand in _operands(part)}
    ordered = sorted(flat - {owl.THING, owl.LITERAL}, key=render)
    if len(ordered) == 1:
        return ordered[0]
    if not ordered:
        return owl.LITERAL if owl.LITERAL in flat else owl.THING
    if isinstance(ordered[0], owl.DataRange):
        return owl.DataIntersectionOf(tuple(part for part in ordered if isinstance(part, owl.DataRange)))
    return owl.ObjectIntersectionOf(tuple(part for part in ordered if not isinstance(part, owl.DataRange)))


def canonical(concept: Concept) -> Concept:
    """Write an expression of a document in the way of proofs, its data ranges as they stand there."""
    match concept:
        case owl.ObjectIntersectionOf(operands) | owl.DataIntersectionOf(operands):
            return intersection([canonical(operand) for operand in operands])
        case owl.ObjectSomeValuesFrom(owl.ObjectProperty() as role, filler):
            return some(role, canonical(filler))
        case owl.ObjectHasValue(owl.ObjectProperty() as role, individual):
            return some(role, owl.ObjectOneOf((individual,)))
        case owl.DataSomeValuesFrom((role,), values):
            return some(role, canonical(values))
        case owl.DataHasValue(role, literal):
            return some(role, owl.DataOneOf((literal,)))
    return concept


def _operands(concept: Concept) -> tuple[Concept, ...]:
    if isinstance(concept, owl.ObjectIntersectionOf | owl.DataIntersectionOf):
        return concept.operands
    return (concept,)
