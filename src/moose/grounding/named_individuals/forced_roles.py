"""Roles that the task does not declare but that may have to join its individuals.

Of the others it may be assumed that they join no two of them: whatever else there is between named individuals then
stays as it is, since each clause that would join two of them has such a role in its body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.signature import walk

NOMINALS = (owl.ObjectOneOf, owl.ObjectHasValue)


def forced_roles(axioms: Collection[ax.Axiom], declared: Iterable[str]) -> set[str]:
    """Return the roles that may join named individuals, if what exists need not have a name: the declared and more.

    >>> r, s, t = map(owl.ObjectProperty, "rst")
    >>> axioms = [ax.InverseObjectProperties(r, s), ax.SubObjectPropertyOf((s, t), t)]
    >>> sorted(forced_roles(axioms, ["r"])), sorted(forced_roles(axioms, ["t"]))
    (['r', 's'], ['t'])
    """
    if any(isinstance(part, NOMINALS) for axiom in axioms if _is_of_classes(axiom) for part in walk(axiom)):
        return {part.iri for axiom in axioms for part in walk(axiom) if isinstance(part, owl.ObjectProperty)}
    forced = {*declared, owl.TOP_OBJECT_PROPERTY_IRI}
    for axiom in axioms:
        forced.update(_told(axiom))
    rules = [rule for axiom in axioms for rule in _inclusions(axiom)]
    count = -1
    while count != len(forced):
        count = len(forced)
        forced.update(head for body, head in rules if forced.issuperset(body))
    return forced - {owl.TOP_OBJECT_PROPERTY_IRI}


def _is_of_classes(axiom: ax.Axiom) -> bool:
    return not isinstance(axiom, ax.ObjectPropertyAssertion)


def _told(axiom: ax.Axiom) -> Iterator[str]:
    """Yield the roles that join individuals whatever else holds, or where one is in some class."""
    match axiom:
        case ax.ObjectPropertyAssertion(role) | ax.ObjectPropertyCharacteristic("Reflexive", role):
            yield _name(role)
        case _:
            yield from (_name(part.property) for part in walk(axiom) if isinstance(part, owl.ObjectHasSelf))


def _inclusions(axiom: ax.Axiom) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the roles that together bring another."""
    match axiom:
        case ax.SubObjectPropertyOf(chain, sup):
            yield frozenset(map(_name, chain)), _name(sup)
        case ax.EquivalentObjectProperties(operands):
            names = [_name(role) for role in operands]
            yield from ((frozenset([one]), other) for one in names for other in names)
        case ax.InverseObjectProperties(first, second):
            yield frozenset([_name(first)]), _name(second)
            yield frozenset([_name(second)]), _name(first)


def _name(role: owl.ObjectPropertyExpression) -> str:
    return role.property.iri if isinstance(role, owl.ObjectInverseOf) else role.iri
