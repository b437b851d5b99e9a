"""Syntactic locality for all of OWL 2: once which names are in a signature an axiom can say something.

Let every name outside a signature stand for nothing (⊥-locality), or for everything (⊤-locality). An axiom that then
holds whatever the other names mean says nothing about these, and is local (Cuenca Grau, Horrocks, Kazakov, Sattler
2008). The signature only grows, and with it what is not local: so "not local" is a monotone condition over names, which
is built here as gates, two for each expression:

    some(C)       C need not be empty                    not_all(C)    C need not be everything

    some(C ⊓ D)  = some(C) ∧ some(D)                     not_all(C ⊓ D)  = not_all(C) ∨ not_all(D)
    some(¬C)     = not_all(C)                            not_all(¬C)     = some(C)
    some(∃r.C)   = some(r) ∧ some(C)                     not_all(∃r.C)   = not_all(r) ∨ not_all(C)
    some(C ⊑ D is broken) = some(C) ∧ not_all(D)

Individuals are there in every model, and data ranges are taken as if they could be anything: a definition of a
datatype can then always be met by what it defines, and says nothing until the datatype is in the signature.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import is_known
from moose.owl.model.literals import is_ill_typed
from moose.owl.modules.gates import ALWAYS, NEVER, Gate, Gates, Name

FULL: frozenset[Name] = frozenset({owl.THING, owl.TOP_OBJECT_PROPERTY, owl.TOP_DATA_PROPERTY})
EMPTY: frozenset[Name] = frozenset({owl.NOTHING, owl.BOTTOM_OBJECT_PROPERTY, owl.BOTTOM_DATA_PROPERTY})
RESERVED = frozenset(name.iri for name in FULL | EMPTY)

Role = owl.ObjectPropertyExpression | owl.DataProperty
Filler = owl.ClassExpression | owl.DataRange
Part = Filler | Role


class Locality:
    """Builds the gates of axioms, names outside the signature being empty or everything."""

    def __init__(self, gates: Gates, *, are_others_empty: bool = True, definable: Collection[str] = ()) -> None:
        self._gates = gates
        self._are_others_empty = are_others_empty
        self._definable = definable
        """Datatypes that are defined once and not by themselves."""

    def gate(self, axiom: ax.Axiom) -> Gate:
        """Return the gate that opens when an axiom is no longer local."""
        return AXIOMS[type(axiom)](self, axiom)

    # ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def some(self, part: Part) -> Gate:
        """Return the gate that opens when a class, role or data range need no longer be empty."""
        kind = type(part)
        if kind in NAMES:
            return self._named(part, fixed=EMPTY, others=FULL, is_open=not self._are_others_empty)  # type: ignore[arg-type]  # a name
        return SOME[kind](self, part) if kind in SOME else ALWAYS

    def not_all(self, part: Part) -> Gate:
        """Return the gate that opens when a class, role or data range need no longer be everything."""
        kind = type(part)
        if kind in NAMES:
            return self._named(part, fixed=FULL, others=EMPTY, is_open=self._are_others_empty)  # type: ignore[arg-type]  # a name
        return NOT_ALL[kind](self, part) if kind in NOT_ALL else ALWAYS

    def _named(self, name: Name, *, fixed: Collection[Name], others: Collection[Name], is_open: bool) -> Gate:
        if name.iri in RESERVED:
            if name in fixed:
                return NEVER
            if name in others:
                return ALWAYS
        return ALWAYS if is_open else self._gates.of_name(name)

    # ── Expressions ───────────────────────────────────────────────────────────────────────────────────────────────

    def some_of_all(self, parts: Sequence[Part]) -> Gate:
        """Return some(C ⊓ D ⊓ …)."""
        return self._gates.all_of([self.some(part) for part in parts])

    def some_of_any(self, parts: Sequence[Part]) -> Gate:
        """Return some(C ⊔ D ⊔ …)."""
        return self._gates.any_of([self.some(part) for part in parts])

    def not_all_of_all(self, parts: Sequence[Part]) -> Gate:
        """Return not_all(C ⊓ D ⊓ …)."""
        return self._gates.any_of([self.not_all(part) for part in parts])

    def not_all_of_any(self, parts: Sequence[Part]) -> Gate:
        """Return not_all(C ⊔ D ⊔ …)."""
        return self._gates.all_of([self.not_all(part) for part in parts])

    def at_least_some(self, count: int, role: Role, filler: Filler) -> Gate:
        """Return some(≥ n r.C)."""
        return ALWAYS if count == 0 else self._gates.all_of([self.some(role), self.some(filler)])

    def at_least_not_all(self, count: int, role: Role, filler: Filler) -> Gate:
        """Return not_all(≥ n r.C): where r relates everything and C is everything there is at least one filler."""
        if count == 0:
            return NEVER
        if count > 1:
            return ALWAYS
        is_data = isinstance(role, owl.DataProperty)
        lacks = _may_be_empty(filler) if is_data else self.not_all(filler)
        return self._gates.any_of([self.not_all(role), lacks])

    def only_some(self, role: Role, filler: Filler) -> Gate:
        """Return some(∀r.C) = not_all(∃r.¬C)."""
        if isinstance(role, owl.DataProperty):
            return ALWAYS
        return self._gates.any_of([self.not_all(role), self.some(filler)])

    def only_not_all(self, role: Role, filler: Filler) -> Gate:
        """Return not_all(∀r.C) = some(∃r.¬C)."""
        return self._gates.all_of([self.some(role), self.not_all(filler)])

    def exactly_some(self, count: int, role: Role, filler: Filler) -> Gate:
        """Return some(≥ n r.C ⊓ ≤ n r.C)."""
        return self._gates.all_of(
            [self.at_least_some(count, role, filler), self.at_least_not_all(count + 1, role, filler)]
        )

    def exactly_not_all(self, count: int, role: Role, filler: Filler) -> Gate:
        """Return not_all(≥ n r.C ⊓ ≤ n r.C)."""
        return self._gates.any_of(
            [self.at_least_not_all(count, role, filler), self.at_least_some(count + 1, role, filler)]
        )

    # ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────

    def included(self, sub: Part, sup: Part) -> Gate:
        """C ⊑ D, and so domains, ranges and sub-roles: local where C is empty or D everything."""
        above = self.not_all(sup)
        if above == NEVER:
            return NEVER
        return self.some(sub) if above == ALWAYS else self._gates.all_of([self.some(sub), above])

    def equal(self, parts: Sequence[Part]) -> Gate:
        """C ≡ D ≡ …: local where all are empty or all are everything."""
        return self._gates.all_of([self.some_of_any(parts), self.not_all_of_all(parts)])

    def apart(self, parts: Sequence[Part]) -> Gate:
        """Disjointness: local where at most one can have elements."""
        return self._gates.at_least(2, [self.some(part) for part in parts])

    def partitioned(self, axiom: ax.DisjointUnion) -> Gate:
        """A ≡ C ⊔ D ⊔ …, and these disjoint."""
        whole = owl.ObjectUnionOf(axiom.operands)
        return self._gates.any_of([self.equal((axiom.cls, whole)), self.apart(axiom.operands)])

    def chained(self, axiom: ax.SubObjectPropertyOf) -> Gate:
        """r ∘ s ∘ … ⊑ t."""
        above = self.not_all(axiom.sup)
        return NEVER if above == NEVER else self._gates.all_of([*map(self.some, axiom.chain), above])

    def characteristic(self, axiom: ax.ObjectPropertyCharacteristic) -> Gate:
        """A role that is empty, or relates everything, has most characteristics."""
        role = axiom.property
        match axiom.characteristic:
            case "Reflexive":
                return self.not_all(role)
            case "Symmetric" | "Transitive":
                return self.included(role, role)
            case _:
                return self.some(role)

    def defined(self, axiom: ax.DatatypeDefinition) -> Gate:
        """A definition is met by what it defines, unless that is defined otherwise, too."""
        return self._gates.of_name(axiom.datatype) if axiom.datatype.iri in self._definable else ALWAYS

    def related(self, axiom: ax.ObjectPropertyAssertion) -> Gate:
        """r(a, b) or ¬r(a, b)."""
        return self.some(axiom.property) if axiom.negative else self.not_all(axiom.property)

    def valued(self, axiom: ax.DataPropertyAssertion) -> Gate:
        """d(a, v) or ¬d(a, v)."""
        if is_ill_typed(axiom.literal):
            return ALWAYS
        return self.some(axiom.property) if axiom.negative else self.not_all(axiom.property)


def _may_be_empty(data_range: Filler) -> Gate:
    """Return whether a data range may have no element; of a datatype of OWL 2 it is known to have some."""
    return NEVER if isinstance(data_range, owl.Datatype) and is_known(data_range.iri) else ALWAYS


def _has_value(locality: Locality, one: owl.DataHasValue) -> Gate:
    return ALWAYS if is_ill_typed(one.literal) else locality.not_all(one.property)


NAMES: frozenset[type] = frozenset({owl.Class, owl.ObjectProperty, owl.DataProperty})
Rule = Callable[[Locality, Any], Gate]
"""The type of the key is that of the argument."""

SOME: dict[type, Rule] = {
    owl.ObjectInverseOf: lambda on, one: on.some(one.property),
    owl.ObjectIntersectionOf: lambda on, one: on.some_of_all(one.operands),
    owl.ObjectUnionOf: lambda on, one: on.some_of_any(one.operands),
    owl.ObjectComplementOf: lambda on, one: on.not_all(one.operand),
    owl.ObjectSomeValuesFrom: lambda on, one: on.at_least_some(1, one.property, one.filler),
    owl.ObjectAllValuesFrom: lambda on, one: on.only_some(one.property, one.filler),
    owl.ObjectHasValue: lambda on, one: on.some(one.property),
    owl.ObjectHasSelf: lambda on, one: on.some(one.property),
    owl.ObjectMinCardinality: lambda on, one: on.at_least_some(one.cardinality, one.property, one.filler),
    owl.ObjectMaxCardinality: lambda on, one: on.at_least_not_all(one.cardinality + 1, one.property, one.filler),
    owl.ObjectExactCardinality: lambda on, one: on.exactly_some(one.cardinality, one.property, one.filler),
    owl.DataSomeValuesFrom: lambda on, one: on.some_of_all(one.properties),
    owl.DataHasValue: lambda on, one: on.some(one.property),
    owl.DataMinCardinality: lambda on, one: on.at_least_some(one.cardinality, one.property, one.range),
    owl.DataMaxCardinality: lambda on, one: on.at_least_not_all(one.cardinality + 1, one.property, one.range),
    owl.DataExactCardinality: lambda on, one: on.exactly_some(one.cardinality, one.property, one.range),
}
"""What is not listed (nominals, ∀d.R, data ranges) may have elements whatever the signature."""

NOT_ALL: dict[type, Rule] = {
    owl.Datatype: lambda _, one: NEVER if one == owl.LITERAL else ALWAYS,
    owl.ObjectInverseOf: lambda on, one: on.not_all(one.property),
    owl.ObjectIntersectionOf: lambda on, one: on.not_all_of_all(one.operands),
    owl.ObjectUnionOf: lambda on, one: on.not_all_of_any(one.operands),
    owl.ObjectComplementOf: lambda on, one: on.some(one.operand),
    owl.ObjectSomeValuesFrom: lambda on, one: on.at_least_not_all(1, one.property, one.filler),
    owl.ObjectAllValuesFrom: lambda on, one: on.only_not_all(one.property, one.filler),
    owl.ObjectHasValue: lambda on, one: on.not_all(one.property),
    owl.ObjectHasSelf: lambda on, one: on.not_all(one.property),
    owl.ObjectMinCardinality: lambda on, one: on.at_least_not_all(one.cardinality, one.property, one.filler),
    owl.ObjectMaxCardinality: lambda on, one: on.at_least_some(one.cardinality + 1, one.property, one.filler),
    owl.ObjectExactCardinality: lambda on, one: on.exactly_not_all(one.cardinality, one.property, one.filler),
    owl.DataAllValuesFrom: lambda on, one: (
        on.only_not_all(one.properties[0], one.range) if len(one.properties) == 1 else on.some_of_all(one.properties)
    ),
    owl.DataHasValue: _has_value,
    owl.DataMinCardinality: lambda on, one: on.at_least_not_all(one.cardinality, one.property, one.range),
    owl.DataMaxCardinality: lambda on, one: on.at_least_some(one.cardinality + 1, one.property, one.range),
    owl.DataExactCardinality: lambda on, one: on.exactly_not_all(one.cardinality, one.property, one.range),
    owl.DataSomeValuesFrom: lambda on, one: (
        on.at_least_not_all(1, one.properties[0], one.range) if len(one.properties) == 1 else ALWAYS
    ),
}
"""What is not listed (nominals, data ranges) may lack elements whatever the signature."""

AXIOMS: dict[type[ax.Axiom], Rule] = {
    ax.SubClassOf: lambda on, one: on.included(one.sub, one.sup),
    ax.EquivalentClasses: lambda on, one: on.equal(one.operands),
    ax.DisjointClasses: lambda on, one: on.apart(one.operands),
    ax.DisjointUnion: Locality.partitioned,
    ax.HasKey: lambda on, one: on.some_of_all((one.cls, *one.object_properties, *one.data_properties)),
    ax.DatatypeDefinition: Locality.defined,
    ax.SubObjectPropertyOf: Locality.chained,
    ax.EquivalentObjectProperties: lambda on, one: on.equal(one.operands),
    ax.DisjointObjectProperties: lambda on, one: on.apart(one.operands),
    ax.InverseObjectProperties: lambda on, one: on.equal((one.first, one.second)),
    ax.ObjectPropertyDomain: lambda on, one: on.included(one.property, one.domain),
    ax.ObjectPropertyRange: lambda on, one: on.included(one.property, one.range),
    ax.ObjectPropertyCharacteristic: Locality.characteristic,
    ax.SubDataPropertyOf: lambda on, one: on.included(one.sub, one.sup),
    ax.EquivalentDataProperties: lambda on, one: on.equal(one.operands),
    ax.DisjointDataProperties: lambda on, one: on.apart(one.operands),
    ax.DataPropertyDomain: lambda on, one: on.included(one.property, one.domain),
    ax.DataPropertyRange: lambda on, one: on.included(one.property, one.range),
    ax.FunctionalDataProperty: lambda on, one: on.some(one.property),
    ax.SameIndividual: lambda *_: ALWAYS,
    ax.DifferentIndividuals: lambda *_: ALWAYS,
    ax.ClassAssertion: lambda on, one: on.not_all(one.cls),
    ax.ObjectPropertyAssertion: Locality.related,
    ax.DataPropertyAssertion: Locality.valued,
    ax.UnreadAxiom: lambda *_: ALWAYS,
}
