"""EL axioms as rows of numbers: each distinct concept and role gets one number, each axiom type has one method."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import Value, ValueSet, value_of, value_set
from moose.owl.model.signature import walk
from moose.owl.normal.named_links import collect_links, in_order
from moose.owl.normal.normal_form import BOTTOM, TOP, Indices, Key, Kind, Union

# ── Numbers for concepts and roles ────────────────────────────────────────────────────────────────────────────────────


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

    def name_classes(self, iris: Iterable[str]) -> None:
        """Number named classes by their IRIs, each there once."""
        fresh = [iri for iri in iris if iri not in self.classes]
        count, start = len(self.classes), len(self.kinds)
        self.classes.update(zip(fresh, range(start, start + len(fresh)), strict=True))
        self.kinds += [Kind.CLASS] * len(fresh)
        self.first += range(count, count + len(fresh))
        self.second += [-1] * len(fresh)

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
        distinct = set(conjuncts)
        if any(self.kinds[concept] == Kind.CONJUNCTION for concept in distinct):
            distinct = set(self.flatten(distinct))
        distinct.discard(TOP)
        parts = sorted(distinct)
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

    def number_somes(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Number ∃r.D for pairs (r, D), each there once."""
        fresh = [pair for pair in pairs if pair not in self.somes]
        self.somes.update(zip(fresh, range(len(self.kinds), len(self.kinds) + len(fresh)), strict=True))
        self.kinds += [Kind.SOME] * len(fresh)
        self.first += [role for role, _ in fresh]
        self.second += [filler for _, filler in fresh]

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
        if expression.__class__ is owl.Class:  # most of them are; so it is asked first, and by the quickest way
            known = self.classes.get(expression.iri)
            if known is not None:
                return known
        elif expression.__class__ is owl.ObjectSomeValuesFrom:
            return self.some(self.role(expression.property), self.concept(expression.filler))
        match expression:
            case owl.Class():
                return self.named(expression)
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


# ── Rows for axioms ───────────────────────────────────────────────────────────────────────────────────────────────────

Row = tuple[int, ...]


def table(rows: Sequence[Row], width: int) -> Indices:
    """Pack rows of numbers."""
    numbers = itertools.chain.from_iterable(rows)
    return np.fromiter(numbers, dtype=np.int32, count=width * len(rows)).reshape(-1, width)


class AxiomRows:
    """What the axioms of an ontology say, as rows of numbers; the last number of a row is the position of its axiom."""

    def __init__(self) -> None:
        self.ids = Interner()
        self.told: list[Row] = []
        self.disjoint: list[tuple[tuple[int, ...], int]] = []
        self.inclusions: list[Row] = []
        self.chains: list[tuple[tuple[int, ...], int, int]] = []
        self.ranges: list[Row] = []
        self.functional: list[Row] = []
        self.keys: list[Key] = []
        self.negative_roots: list[int] = []
        self.unions: list[Union] = []
        self.links: Indices = np.zeros((0, 3), dtype=np.int32)
        """Told role assertions that were recorded together."""
        self.recorded = 0
        """How many of the told rows are of the axioms themselves."""

    def add(self, axiom: ax.Axiom, position: int) -> None:
        """Record one axiom."""
        ADDERS[type(axiom)](self, axiom, position)

    def add_all(self, axioms: Sequence[ax.Axiom]) -> None:
        """Record axioms in order; many role assertions are recorded together, with the same result."""
        links = collect_links(axioms, self.ids)
        if links is None:
            for position, axiom in enumerate(axioms):
                self.add(axiom, position)
            return
        is_left = np.ones(len(axioms), dtype=np.bool_)
        is_left[links.positions] = False
        for position in np.flatnonzero(is_left).tolist():
            if not links.knows(axioms[position]):
                links.number_before(position)
            self.add(axioms[position], position)
        self.recorded = len(self.told)
        links.number_before(len(axioms))
        self.links = links.rows()

    def told_rows(self) -> Indices:
        """Return all that is told, in the order of the axioms, and at the end what was added after them."""
        told = table(self.told, 3)
        return np.concatenate([in_order(told[: self.recorded], self.links), told[self.recorded :]])

    def declare(self, entity: owl.Entity) -> None:
        """Number an entity of the vocabulary, whether or not an axiom speaks of it."""
        match entity:
            case owl.Class():
                self.ids.named(entity)
            case owl.ObjectProperty() | owl.DataProperty():
                self.ids.role(entity)
            case owl.NamedIndividual():
                self.ids.nominal(entity)

    def record_cycle(self, rows: list[Row], members: Sequence[int], position: int) -> None:
        """Record an equivalence as a cycle of inclusions."""
        rows.extend((a, b, position) for a, b in zip(members, (*members[1:], members[0]), strict=True) if a != b)

    def record_disjoint(self, members: Sequence[int], position: int) -> None:
        """Record a disjointness; a concept that is listed twice is empty."""
        times = Counter(members)
        self.disjoint.append((tuple(times), position))
        repeated = sorted(member for member, count in times.items() if count > 1)
        self.told.extend((member, BOTTOM, position) for member in repeated)

    def sub_class_of(self, axiom: ax.SubClassOf, position: int) -> None:
        """C ⊑ D, or C ⊑ D ⊔ E ⊔ …"""
        concept = self.ids.concept
        if isinstance(axiom.sup, owl.ObjectUnionOf):
            members = tuple(dict.fromkeys(concept(operand) for operand in axiom.sup.operands))
            self.unions.append(Union(concept(axiom.sub), members, position))
            self.negative_roots.append(self.unions[-1].concept)
        else:
            self.told.append((concept(axiom.sub), concept(axiom.sup), position))

    def equivalent_classes(self, axiom: ax.EquivalentClasses, position: int) -> None:
        """C ≡ D ≡ …"""
        self.record_cycle(self.told, [self.ids.concept(operand) for operand in axiom.operands], position)

    def disjoint_classes(self, axiom: ax.DisjointClasses, position: int) -> None:
        """No two operands share an element."""
        self.record_disjoint([self.ids.concept(operand) for operand in axiom.operands], position)

    def has_key(self, axiom: ax.HasKey, position: int) -> None:
        """Named instances that agree on the keys are the same."""
        roles = [self.ids.role(role) for role in (*axiom.object_properties, *axiom.data_properties)]
        concept = self.ids.concept(axiom.cls)
        self.keys.append(Key(concept, tuple(roles), position))
        self.negative_roots.append(concept)

    def sub_object_property_of(self, axiom: ax.SubObjectPropertyOf, position: int) -> None:
        """r₁ ∘ … ∘ rₙ ⊑ s"""
        chain = tuple(self.ids.role(role) for role in axiom.chain)
        if len(chain) == 1:
            self.inclusions.append((chain[0], self.ids.role(axiom.sup), position))
        else:
            self.chains.append((chain, self.ids.role(axiom.sup), position))

    def equivalent_properties(
        self, axiom: ax.EquivalentObjectProperties | ax.EquivalentDataProperties, position: int
    ) -> None:
        """r ≡ s ≡ …"""
        self.record_cycle(self.inclusions, [self.ids.role(role) for role in axiom.operands], position)

    def sub_data_property_of(self, axiom: ax.SubDataPropertyOf, position: int) -> None:
        """d ⊑ e"""
        self.inclusions.append((self.ids.role(axiom.sub), self.ids.role(axiom.sup), position))

    def object_property_domain(self, axiom: ax.ObjectPropertyDomain, position: int) -> None:
        """∃r.⊤ ⊑ C"""
        some = self.ids.some(self.ids.role(axiom.property), TOP)
        self.told.append((some, self.ids.concept(axiom.domain), position))

    def data_property_domain(self, axiom: ax.DataPropertyDomain, position: int) -> None:
        """∃d.Literal ⊑ C"""
        self.told.append((self.ids.data_some(axiom.property, owl.LITERAL), self.ids.concept(axiom.domain), position))

    def object_property_range(self, axiom: ax.ObjectPropertyRange, position: int) -> None:
        """Every filler of r is a C."""
        self.ranges.append((self.ids.role(axiom.property), self.ids.concept(axiom.range), position))

    def data_property_range(self, axiom: ax.DataPropertyRange, position: int) -> None:
        """Every value of d lies in D."""
        self.ranges.append((self.ids.role(axiom.property), self.ids.data(axiom.range), position))

    def characteristic(self, axiom: ax.ObjectPropertyCharacteristic, position: int) -> None:
        """Transitivity is a chain, reflexivity is ⊤ ⊑ ∃r.Self."""
        role = self.ids.role(axiom.property)
        if axiom.characteristic == "Transitive":
            self.chains.append(((role, role), role, position))
        else:
            assert axiom.characteristic == "Reflexive", "the profile check lets no other through"
            self.told.append((TOP, self.ids.self_of(role), position))

    def functional_data_property(self, axiom: ax.FunctionalDataProperty, position: int) -> None:
        """At most one value of d."""
        self.functional.append((self.ids.role(axiom.property), position))

    def same_individual(self, axiom: ax.SameIndividual, position: int) -> None:
        """{a} ≡ {b} ≡ …"""
        self.record_cycle(self.told, [self.ids.nominal(individual) for individual in axiom.individuals], position)

    def different_individuals(self, axiom: ax.DifferentIndividuals, position: int) -> None:
        """No two of the nominals share an element."""
        self.record_disjoint([self.ids.nominal(individual) for individual in axiom.individuals], position)

    def class_assertion(self, axiom: ax.ClassAssertion, position: int) -> None:
        """{a} ⊑ C"""
        self.told.append((self.ids.nominal(axiom.individual), self.ids.concept(axiom.cls), position))

    def object_property_assertion(self, axiom: ax.ObjectPropertyAssertion, position: int) -> None:
        """{a} ⊑ ∃r.{b}, or {a} ⊓ ∃r.{b} ⊑ ⊥"""
        ids = self.ids
        target = ids.some(ids.role(axiom.property), ids.nominal(axiom.target))
        if axiom.negative:
            self.assertion(ids.nominal(axiom.source), target, negative=True, position=position)
        else:
            self.told.append((ids.nominal(axiom.source), target, position))

    def data_property_assertion(self, axiom: ax.DataPropertyAssertion, position: int) -> None:
        """{a} ⊑ ∃d.{v}, or {a} ⊓ ∃d.{v} ⊑ ⊥"""
        target = self.ids.data_some(axiom.property, owl.DataOneOf((axiom.literal,)))
        self.assertion(self.ids.nominal(axiom.source), target, negative=axiom.negative, position=position)

    def assertion(self, source: int, target: int, *, negative: bool, position: int) -> None:
        """Record that an individual has a filler, or has not."""
        if negative:
            self.told.append((self.ids.conjunction([source, target]), BOTTOM, position))
        else:
            self.told.append((source, target, position))


ADDERS: dict[type[ax.Axiom], Callable[..., None]] = {
    ax.SubClassOf: AxiomRows.sub_class_of,
    ax.EquivalentClasses: AxiomRows.equivalent_classes,
    ax.DisjointClasses: AxiomRows.disjoint_classes,
    ax.HasKey: AxiomRows.has_key,
    ax.SubObjectPropertyOf: AxiomRows.sub_object_property_of,
    ax.EquivalentObjectProperties: AxiomRows.equivalent_properties,
    ax.EquivalentDataProperties: AxiomRows.equivalent_properties,
    ax.SubDataPropertyOf: AxiomRows.sub_data_property_of,
    ax.ObjectPropertyDomain: AxiomRows.object_property_domain,
    ax.DataPropertyDomain: AxiomRows.data_property_domain,
    ax.ObjectPropertyRange: AxiomRows.object_property_range,
    ax.DataPropertyRange: AxiomRows.data_property_range,
    ax.ObjectPropertyCharacteristic: AxiomRows.characteristic,
    ax.FunctionalDataProperty: AxiomRows.functional_data_property,
    ax.SameIndividual: AxiomRows.same_individual,
    ax.DifferentIndividuals: AxiomRows.different_individuals,
    ax.ClassAssertion: AxiomRows.class_assertion,
    ax.ObjectPropertyAssertion: AxiomRows.object_property_assertion,
    ax.DataPropertyAssertion: AxiomRows.data_property_assertion,
}
"""The method for each axiom type of OWL 2 EL; each takes its own type, which one signature cannot say."""
