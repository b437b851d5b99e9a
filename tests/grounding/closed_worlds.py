"""Every interpretation over a few named individuals, all at once, and what axioms of OWL 2 mean in them.

A class is an array of worlds × individuals, a role one of worlds × individuals × individuals.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl

Truth = npt.NDArray[np.bool_]


class Worlds:
    """Interpretations of classes and roles over individuals, each a row."""

    def __init__(
        self,
        classes: Sequence[owl.Class],
        roles: Sequence[owl.ObjectProperty],
        individuals: Sequence[owl.NamedIndividual],
    ) -> None:
        self.individuals = list(individuals)
        size = len(individuals)
        bits = len(classes) * size + len(roles) * size * size
        numbers = np.arange(1 << bits)
        self.table = np.stack([(numbers >> bit & 1).astype(bool) for bit in range(bits)], axis=1)
        start = len(classes) * size
        self.classes = {one: self.table[:, k * size : (k + 1) * size] for k, one in enumerate(classes)}
        self.roles = {
            one: self.table[:, start + k * size * size : start + (k + 1) * size * size].reshape(-1, size, size)
            for k, one in enumerate(roles)
        }

    def role(self, role: owl.ObjectPropertyExpression) -> Truth:
        """Return the pairs of a role."""
        if isinstance(role, owl.ObjectInverseOf):
            return self.roles[role.property].transpose(0, 2, 1)
        return self.roles[role]

    def number(self, individual: owl.Individual) -> int:
        """Return the position of an individual."""
        assert isinstance(individual, owl.NamedIndividual)
        return self.individuals.index(individual)

    def members(self, expression: owl.ClassExpression) -> Truth:
        """Return who is in a class."""
        return np.asarray(self._members(expression), dtype=bool)

    def _members(self, expression: owl.ClassExpression) -> object:
        worlds, size = len(self.table), len(self.individuals)
        match expression:
            case owl.THING | owl.NOTHING:
                return np.full((worlds, size), expression == owl.THING)
            case owl.Class():
                return self.classes[expression]
            case owl.ObjectIntersectionOf(operands):
                return np.logical_and.reduce([self.members(one) for one in operands])
            case owl.ObjectUnionOf(operands):
                return np.logical_or.reduce([self.members(one) for one in operands])
            case owl.ObjectComplementOf(operand):
                return ~self.members(operand)
            case owl.ObjectOneOf(individuals):
                chosen = [self.number(one) for one in individuals]
                return np.broadcast_to(np.isin(np.arange(size), chosen), (worlds, size))
        return self._restricted(expression)

    def _restricted(self, expression: owl.ClassExpression) -> object:
        match expression:
            case owl.ObjectSomeValuesFrom(role, filler):
                return self.count(role, filler) > 0
            case owl.ObjectAllValuesFrom(role, filler):
                return (~self.role(role) | self.members(filler)[:, None, :]).all(axis=2)
            case owl.ObjectHasValue(role, individual):
                return self.role(role)[:, :, self.number(individual)]
            case owl.ObjectHasSelf(role):
                return np.diagonal(self.role(role), axis1=1, axis2=2)
            case owl.ObjectMinCardinality(number, role, filler):
                return self.count(role, filler) >= number
            case owl.ObjectMaxCardinality(number, role, filler):
                return self.count(role, filler) <= number
            case owl.ObjectExactCardinality(number, role, filler):
                return self.count(role, filler) == number
        raise AssertionError(expression)

    def count(self, role: owl.ObjectPropertyExpression, filler: owl.ClassExpression) -> npt.NDArray[np.int64]:
        """Count the successors of a role that are in a class."""
        return np.asarray((self.role(role) & self.members(filler)[:, None, :]).sum(axis=2), dtype=np.int64)

    def satisfy(self, axiom: ax.Axiom) -> Truth:
        """Return the worlds in which an axiom holds."""
        return np.asarray(self._satisfy(axiom), dtype=bool)

    def _satisfy(self, axiom: ax.Axiom) -> object:
        match axiom:
            case ax.SubClassOf(sub, sup):
                return (~self.members(sub) | self.members(sup)).all(axis=1)
            case ax.EquivalentClasses(operands):
                return (self.members(operands[0]) == self.members(operands[1])).all(axis=1)
            case ax.DisjointClasses(operands):
                pairs = combinations(operands, 2)
                return ~np.logical_or.reduce([self.members(a) & self.members(b) for a, b in pairs]).any(axis=1)
            case ax.DisjointUnion(cls, operands):
                number = np.sum([self.members(one) for one in operands], axis=0)
                return ((number == 1) & self.members(cls) | (number == 0) & ~self.members(cls)).all(axis=1)
            case ax.ClassAssertion(cls, individual):
                return self.members(cls)[:, self.number(individual)]
            case ax.ObjectPropertyAssertion(role, source, target, negative):
                return self.role(role)[:, self.number(source), self.number(target)] ^ negative
        return self._satisfy_roles(axiom)

    def _satisfy_roles(self, axiom: ax.Axiom) -> object:
        match axiom:
            case ax.ObjectPropertyDomain(role, cls):
                return (~self.role(role) | self.members(cls)[:, :, None]).all(axis=(1, 2))
            case ax.ObjectPropertyRange(role, cls):
                return (~self.role(role) | self.members(cls)[:, None, :]).all(axis=(1, 2))
            case ax.SubObjectPropertyOf((role,), sup):
                return (~self.role(role) | self.role(sup)).all(axis=(1, 2))
            case ax.SubObjectPropertyOf((first, second), sup):
                composed = (self.role(first)[:, :, :, None] & self.role(second)[:, None, :, :]).any(axis=2)
                return (~composed | self.role(sup)).all(axis=(1, 2))
            case ax.EquivalentObjectProperties((first, second)):
                return (self.role(first) == self.role(second)).all(axis=(1, 2))
            case ax.InverseObjectProperties(first, second):
                return (self.role(first) == self.role(second).transpose(0, 2, 1)).all(axis=(1, 2))
            case ax.DisjointObjectProperties((first, second)):
                return ~(self.role(first) & self.role(second)).any(axis=(1, 2))
            case ax.ObjectPropertyCharacteristic(word, role):
                return characterised(self.role(role))[word]
        raise AssertionError(axiom)

    def models(self, axioms: Sequence[ax.Axiom]) -> Truth:
        """Return the worlds in which all of some axioms hold."""
        holds = np.ones(len(self.table), dtype=bool)
        for axiom in axioms:
            holds &= self.satisfy(axiom)
        return holds

    def column(self, name: owl.Class | owl.ObjectProperty, *individuals: owl.NamedIndividual) -> Truth:
        """Return in which worlds an atom is true."""
        numbers = map(self.number, individuals)
        if isinstance(name, owl.Class):
            return self.classes[name][:, next(numbers)]
        return self.roles[name][:, next(numbers), next(numbers)]


def characterised(pairs: Truth) -> dict[str, object]:
    """Return for each characteristic the worlds in which a role has it."""
    loops, converse = np.diagonal(pairs, axis1=1, axis2=2), pairs.transpose(0, 2, 1)
    return {
        "Functional": (pairs.sum(axis=2) <= 1).all(axis=1),
        "InverseFunctional": (pairs.sum(axis=1) <= 1).all(axis=1),
        "Reflexive": loops.all(axis=1),
        "Irreflexive": ~loops.any(axis=1),
        "Symmetric": (pairs == converse).all(axis=(1, 2)),
        "Asymmetric": ~(pairs & converse).any(axis=(1, 2)),
    }
