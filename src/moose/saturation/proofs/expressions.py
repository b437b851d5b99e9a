"""From concept numbers back to expressions, each written in the one way that proofs use."""

from __future__ import annotations

from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import Value, ValueSet
from moose.owl.model.expressions import XSD
from moose.owl.normal.normal_form import BOTTOM, LITERAL, TOP, Kind, NormalForm
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.proof import Concept, Role

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
