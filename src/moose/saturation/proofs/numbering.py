"""From expressions to the numbers that a normal form has for them."""

from __future__ import annotations

from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import value_set
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.proofs.expressions import Expressions
from moose.saturation.proofs.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, NumberFact, Sub


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
