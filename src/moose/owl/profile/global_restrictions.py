"""What OWL 2 EL asks of an ontology's property axioms taken together (OWL 2 Profiles, section 2.2.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import (
    THING,
    TOP_OBJECT_PROPERTY,
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectPropertyExpression,
)
from moose.owl.profile.violations import shorten

Role = ObjectPropertyExpression

PROPERTY_AXIOMS = frozenset([ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.ObjectPropertyRange])
"""The types of axioms that `find_breaches` looks at."""


def find_breaches(axioms: Iterable[ax.Axiom]) -> Iterator[tuple[ax.Axiom, str]]:
    """Yield each property axiom that breaks a restriction, with the reason; it is sound to use, but not complete."""
    listed = list(axioms)
    hierarchy = _Hierarchy(listed)
    universal = hierarchy.universal(listed)
    for axiom in listed:
        reason = _misuse_of_top(axiom, universal) or (
            _missing_range(axiom, hierarchy) if isinstance(axiom, ax.SubObjectPropertyOf) else ""
        )
        if reason:
            yield axiom, reason


class _Hierarchy:
    """The told super-properties and the ranges of each property."""

    def __init__(self, axioms: Iterable[ax.Axiom]) -> None:
        self._above: dict[Role, set[Role]] = {}
        self._told_ranges: dict[Role, dict[ClassExpression, None]] = {}
        self._ranges: dict[Role, dict[ClassExpression, None]] = {}
        for axiom in axioms:
            match axiom:
                case ax.SubObjectPropertyOf((sub,), sup):
                    self._above.setdefault(sub, set()).add(sup)
                case ax.EquivalentObjectProperties(operands):
                    for first, second in zip(operands, (*operands[1:], operands[0])):
                        self._above.setdefault(first, set()).add(second)
                case ax.ObjectPropertyRange(role, expression):
                    self._told_ranges.setdefault(role, {}).update(dict.fromkeys(_conjuncts(expression)))

    def universal(self, axioms: Iterable[ax.Axiom]) -> frozenset[Role]:
        """Return the properties that relate everything: owl:topObjectProperty, those above it, chains of such."""
        chains = [axiom for axiom in axioms if isinstance(axiom, ax.SubObjectPropertyOf) and len(axiom.chain) > 1]
        universal = set(self.closure(TOP_OBJECT_PROPERTY))
        while True:
            more = {axiom.sup for axiom in chains if universal.issuperset(axiom.chain)} - universal
            if not more:
                return frozenset(universal)
            universal.update(above for role in more for above in self.closure(role))

    def ranges(self, role: Role) -> dict[ClassExpression, None]:
        """Return the ranges that a property has by itself or from a super-property."""
        if role not in self._ranges:
            self._ranges[role] = {
                expression: None for above in self.closure(role) for expression in self._told_ranges.get(above, ())
            }
        return self._ranges[role]

    def closure(self, role: Role) -> Iterator[Role]:
        """Yield a property and all above it; owl:topObjectProperty is above every one."""
        seen = {role, TOP_OBJECT_PROPERTY}
        stack: list[Role] = [TOP_OBJECT_PROPERTY, role]
        while stack:
            current = stack.pop()
            yield current
            fresh = sorted(self._above.get(current, set()) - seen, key=str)
            seen.update(fresh)
            stack.extend(fresh)


def _conjuncts(expression: ClassExpression) -> Iterator[ClassExpression]:
    stack = [expression]
    while stack:
        current = stack.pop()
        if isinstance(current, ObjectIntersectionOf):
            stack.extend(reversed(current.operands))
        elif current != THING:
            yield current


def _missing_range(axiom: ax.SubObjectPropertyOf, hierarchy: _Hierarchy) -> str:
    """Say when a chain's last property lacks a range of the property that the chain implies."""
    last = axiom.chain[-1]
    if len(axiom.chain) < 2:
        return ""
    missing = [one for one in hierarchy.ranges(axiom.sup) if one not in hierarchy.ranges(last)]
    if not missing:
        return ""
    named = [f"ObjectPropertyRange({_name(last)} {_name(one)})" for one in missing if isinstance(one, Class)]
    cure = " and ".join(named) if len(named) == len(missing) else f"every such range of {_name(last)}"
    return (
        f"OWL 2 EL asks that {_name(last)}, the last property of the chain, have every range of {_name(axiom.sup)}; "
        "the chain is used, but that range is not applied to the pairs it implies, so conclusions may be missed; "
        f"state {cure}, too, if it is true, and none is missed"
    )


def _misuse_of_top(axiom: ax.Axiom, universal: frozenset[Role]) -> str:
    """Say when a chain composes a role that relates everything: pairs that nothing tells of would matter."""
    match axiom:
        case ax.SubObjectPropertyOf((_, _, *_) as chain, sup) if sup not in universal and universal.intersection(chain):
            name = next(_name(role) for role in chain if role in universal)
            return f"{name} relates everything and stands in a chain; the axiom is used, but conclusions may be missed"
    return ""


def _name(value: Role | ClassExpression) -> str:
    return shorten(getattr(value, "iri", str(value)))
