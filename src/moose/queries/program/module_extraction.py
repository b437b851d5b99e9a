"""The axioms that can matter for a goal: reachability modules of OWL 2 EL.

An axiom L ⊑ R says nothing new where some name in L is empty. Starting from the names of the goal's left-hand side,
axioms whose left-hand sides are covered are taken in with all their names, until nothing changes. The axioms found
entail the goal, in whatever combination, just when the whole ontology does (Suntisrivaraporn 2008).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.signature import walk

Name = owl.Class | owl.ObjectProperty | owl.DataProperty
Needs = frozenset[Name]
"""Names that must not all be missing for something to be possible: it is empty where one of them is."""

ALWAYS = frozenset({owl.THING, owl.TOP_OBJECT_PROPERTY, owl.TOP_DATA_PROPERTY})
PAIRS_WRITTEN_OUT = 32
"""A disjointness of more classes is taken in as soon as one of them is there: a pair each would be too many."""


class Modules:
    """The axioms of an ontology, by the names that bring them in."""

    def __init__(self, axioms: Sequence[ax.Axiom]) -> None:
        self._axioms = axioms
        self._always: list[int] = []
        self._axiom_of: list[int] = []
        self._missing: list[int] = []
        self._waiting: defaultdict[Name, list[int]] = defaultdict(list)
        for position, axiom in enumerate(axioms):
            for needs in triggers(axiom):
                self._add(position, needs - ALWAYS)

    def _add(self, position: int, needs: Needs) -> None:
        if not needs:
            self._always.append(position)
            return
        for name in needs:
            self._waiting[name].append(len(self._axiom_of))
        self._axiom_of.append(position)
        self._missing.append(len(needs))

    def module(self, names: Iterable[Name]) -> list[int]:
        """Return the positions, sorted, of the axioms that can matter where these names are not empty."""
        included = dict.fromkeys(self._always)
        stack = [*names, *(name for position in included for name in names_in(self._axioms[position]))]
        seen: set[Name] = set()
        left: dict[int, int] = {}
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            for trigger in self._waiting.get(name, ()):
                left[trigger] = left.get(trigger, self._missing[trigger]) - 1
                position = self._axiom_of[trigger]
                if not left[trigger] and position not in included:
                    included[position] = None
                    stack.extend(names_in(self._axioms[position]))
        return sorted(included)


def names_in(value: object) -> Iterator[Name]:
    """Yield the classes and properties inside an axiom or expression."""
    for part in walk(value):
        if isinstance(part, owl.Class | owl.ObjectProperty | owl.DataProperty):
            yield part


def needs_of(concept: owl.ClassExpression) -> Needs:
    """Return the names without which a concept is empty; an individual is always there."""
    return frozenset(names_in(concept))


def triggers(axiom: ax.Axiom) -> Iterable[Needs]:
    """Return the sets of names each of which, when all are there, lets an axiom say something."""
    return TRIGGERS[type(axiom)](axiom)


def of_operands(axiom: ax.EquivalentClasses) -> list[Needs]:
    """Any operand can bring an equivalence in."""
    return [needs_of(operand) for operand in axiom.operands]


def of_disjoint(axiom: ax.DisjointClasses) -> list[Needs]:
    """Any two operands can bring a disjointness in."""
    needs = [needs_of(operand) for operand in axiom.operands]
    if len(needs) > PAIRS_WRITTEN_OUT:
        return needs
    return [first | second for first, second in combinations(needs, 2)]


def of_key(axiom: ax.HasKey) -> list[Needs]:
    """A key speaks of instances that have fillers."""
    return [needs_of(axiom.cls) | frozenset(names_in((axiom.object_properties, axiom.data_properties)))]


def at_once(_: ax.Axiom) -> list[Needs]:
    """Individuals are there in every model."""
    return [frozenset()]


def of_characteristic(axiom: ax.ObjectPropertyCharacteristic) -> list[Needs]:
    """A reflexive role is not empty."""
    return [frozenset() if axiom.characteristic == "Reflexive" else frozenset(names_in(axiom.property))]


TRIGGERS: dict[type[ax.Axiom], Callable[..., Iterable[Needs]]] = {
    ax.SubClassOf: lambda axiom: [needs_of(axiom.sub)],
    ax.EquivalentClasses: of_operands,
    ax.DisjointClasses: of_disjoint,
    ax.HasKey: of_key,
    ax.SubObjectPropertyOf: lambda axiom: [frozenset(names_in(axiom.chain))],
    ax.EquivalentObjectProperties: lambda axiom: [frozenset(names_in(one)) for one in axiom.operands],
    ax.EquivalentDataProperties: lambda axiom: [frozenset(names_in(one)) for one in axiom.operands],
    ax.SubDataPropertyOf: lambda axiom: [frozenset({axiom.sub})],
    ax.ObjectPropertyDomain: lambda axiom: [frozenset(names_in(axiom.property))],
    ax.DataPropertyDomain: lambda axiom: [frozenset({axiom.property})],
    ax.ObjectPropertyRange: lambda axiom: [frozenset(names_in(axiom.property))],
    ax.DataPropertyRange: lambda axiom: [frozenset({axiom.property})],
    ax.ObjectPropertyCharacteristic: of_characteristic,
    ax.FunctionalDataProperty: lambda axiom: [frozenset({axiom.property})],
    ax.SameIndividual: at_once,
    ax.DifferentIndividuals: at_once,
    ax.ClassAssertion: at_once,
    ax.ObjectPropertyAssertion: at_once,
    ax.DataPropertyAssertion: at_once,
}
