"""Property axioms closed under inversion: what is said of a property is also said of its inverse, the other way round.

An inclusion r ⊑ s is also r⁻ ⊑ s⁻, a chain r ∘ s ⊑ t also s⁻ ∘ r⁻ ⊑ t⁻, a domain of r a range of r⁻. Where inverses
have names, this gives axioms of EL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import (
    BOTTOM_OBJECT_PROPERTY,
    THING,
    TOP_OBJECT_PROPERTY,
    ClassExpression,
    ObjectInverseOf,
    ObjectProperty,
    ObjectPropertyExpression,
    ObjectSomeValuesFrom,
)

Role = ObjectPropertyExpression
Sources = tuple[int, ...]
"""Positions of axioms, sorted, each once."""

RESERVED = (TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY)
CHAIN_CHOICES = 64
"""Ways to name the members of one chain that are used; with one name for each inverse there is one."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """An axiom that follows from those at some positions together."""

    axiom: ax.Axiom
    sources: Sources


def join(*sources: Iterable[int]) -> Sources:
    """Put positions together."""
    return tuple(sorted({position for group in sources for position in group}))


def invert(role: Role) -> Role:
    """Return the inverse of a property."""
    return role.property if isinstance(role, ObjectInverseOf) else ObjectInverseOf(role)


class RoleBox:
    """The told inclusions among properties and their inverses, each also turned round."""

    def __init__(self, told: Iterable[tuple[int, ax.Axiom]]) -> None:
        """Take the property axioms of an ontology with their positions."""
        self._above: dict[Role, dict[Role, Sources]] = {}
        self.chains: list[tuple[tuple[Role, ...], Role, int]] = []
        for position, axiom in told:
            for sub, sup in inclusions(axiom):
                self._add(sub, sup, position)
                self._add(invert(sub), invert(sup), position)
            match axiom:
                case ax.SubObjectPropertyOf((_, _, *_) as chain, sup):
                    self.chains.append((chain, sup, position))
                case ax.ObjectPropertyCharacteristic("Transitive", role):
                    self.chains.append(((role, role), role, position))

    def _add(self, sub: Role, sup: Role, position: int) -> None:
        is_reserved = any(base in RESERVED for base in (sub, invert(sub), sup, invert(sup)))
        if sub != sup and not is_reserved:
            self._above.setdefault(sub, {}).setdefault(sup, (position,))

    @cached_property
    def names(self) -> tuple[ObjectProperty, ...]:
        """Return the named properties that inclusions speak of."""
        return tuple(role for role in self._above if isinstance(role, ObjectProperty))

    def reach(self, start: Role) -> dict[Role, Sources]:
        """Return what is above a property by inclusions that lead through inverses only, and what that rests on.

        What leads through names is left to the reasoner, which knows inclusions of names.
        """
        reached = self._reach(start, through_names=False)
        del reached[start]
        return reached

    def above(self, start: Role) -> dict[Role, Sources]:
        """Return a property and all above it, and what that rests on."""
        return self._reach(start, through_names=True)

    def _reach(self, start: Role, *, through_names: bool) -> dict[Role, Sources]:
        reached: dict[Role, Sources] = {start: ()}
        frontier = [start]
        while frontier:
            after = []
            for role in frontier:
                for sup, source in self._above.get(role, {}).items():
                    if sup not in reached:
                        reached[sup] = join(reached[role], source)
                        if through_names or isinstance(sup, ObjectInverseOf):
                            after.append(sup)
            frontier = after
        return reached

    @cached_property
    def backs(self) -> dict[ObjectProperty, dict[ObjectProperty, Sources]]:
        """Return, for a named r, the named s with r ⊑ s⁻: wherever r leads, s leads back."""
        backs = {}
        for role in self.names:
            found = {up.property: why for up, why in self.reach(role).items() if isinstance(up, ObjectInverseOf)}
            if found:
                backs[role] = found
        return backs

    def named_above(self, role: ObjectProperty) -> frozenset[ObjectProperty]:
        """Return the named properties above one, itself included, whatever the way leads through."""
        if role not in self._closures:
            seen: set[Role] = {role}
            stack: list[Role] = [role]
            while stack:
                fresh = self._above.get(stack.pop(), {}).keys() - seen
                seen |= fresh
                stack.extend(fresh)
            self._closures[role] = frozenset(one for one in seen if isinstance(one, ObjectProperty))
        return self._closures[role]

    @cached_property
    def _closures(self) -> dict[ObjectProperty, frozenset[ObjectProperty]]:
        return {}

    # ── Consequences ──

    def consequences(self, told: Iterable[tuple[int, ax.Axiom]]) -> Iterator[Consequence]:
        """Yield the inclusions, chains, domains and ranges that follow through inverses that have names."""
        if not self.backs:
            return
        for role in self.names:
            for above, sources in self.reach(role).items():
                if isinstance(above, ObjectProperty) and len(sources) > 1:
                    yield Consequence(ax.SubObjectPropertyOf((role,), above), sources)
        for chain, sup, position in self.chains:
            yield from self._chain(chain, sup, position)
            yield from self._chain(tuple(invert(role) for role in reversed(chain)), invert(sup), position)
        yield from self._domains_and_ranges(told)

    def _chain(self, chain: tuple[Role, ...], sup: Role, position: int) -> Iterator[Consequence]:
        """Yield a chain with names in place of inverses: below what it is made of, above what it leads to."""
        members = [self._below(role) for role in chain]
        for *choice, (result, last) in islice(product(*members, self._names_above(sup)), CHAIN_CHOICES):
            sources = join((position,), last, *(why for _, why in choice))
            names = tuple(name for name, _ in choice)
            if len(sources) > 1 and not any(names == known and result == head for known, head, _ in self.chains):
                yield Consequence(ax.SubObjectPropertyOf(names, result), sources)

    def _below(self, role: Role) -> list[tuple[ObjectProperty, Sources]]:
        if isinstance(role, ObjectProperty):
            return [(role, ())]
        return [(name, found[role.property]) for name, found in self.backs.items() if role.property in found]

    def _names_above(self, role: Role) -> list[tuple[ObjectProperty, Sources]]:
        if isinstance(role, ObjectProperty):
            return [(role, ())]
        return [(up, why) for up, why in self.reach(role).items() if isinstance(up, ObjectProperty)]

    def _domains_and_ranges(self, told: Iterable[tuple[int, ax.Axiom]]) -> Iterator[Consequence]:
        """Yield a range of r for each domain of s with r ⊑ s⁻, and a domain for each range."""
        starts: dict[ObjectProperty, list[tuple[ClassExpression, int]]] = {}
        ends: dict[ObjectProperty, list[tuple[ClassExpression, int]]] = {}
        for position, axiom in told:
            match axiom:
                case ax.ObjectPropertyDomain(ObjectProperty() as role, concept):
                    starts.setdefault(role, []).append((concept, position))
                case ax.SubClassOf(ObjectSomeValuesFrom(ObjectProperty() as role, filler), concept) if filler == THING:
                    starts.setdefault(role, []).append((concept, position))
                case ax.ObjectPropertyRange(ObjectProperty() as role, concept):
                    ends.setdefault(role, []).append((concept, position))
        for role, backs in self.backs.items():
            for back, why in backs.items():
                for concept, position in starts.get(back, ()):
                    yield Consequence(ax.ObjectPropertyRange(role, concept), join(why, (position,)))
                for concept, position in ends.get(back, ()):
                    yield Consequence(ax.ObjectPropertyDomain(role, concept), join(why, (position,)))


def inclusions(axiom: ax.Axiom) -> Iterator[tuple[Role, Role]]:
    """Yield the inclusions of properties that an axiom tells."""
    match axiom:
        case ax.SubObjectPropertyOf((sub,), sup):
            yield sub, sup
        case ax.EquivalentObjectProperties(operands):
            yield from zip(operands, (*operands[1:], operands[0]), strict=True)
        case ax.InverseObjectProperties(first, second):
            yield first, invert(second)
            yield invert(second), first
        case ax.ObjectPropertyCharacteristic("Symmetric", role):
            yield role, invert(role)
