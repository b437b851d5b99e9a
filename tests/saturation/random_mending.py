"""Cut a random list of EL axioms back to what OWL 2 DL and the EL profile allow as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from itertools import permutations

from moose.owl.model.axioms import (
    Axiom,
    EquivalentObjectProperties,
    ObjectPropertyCharacteristic,
    ObjectPropertyRange,
    SubObjectPropertyOf,
)
from moose.owl.model.expressions import (
    BOTTOM_OBJECT_PROPERTY,
    TOP_OBJECT_PROPERTY,
    ObjectHasSelf,
    ObjectPropertyExpression,
)

Role = ObjectPropertyExpression
Pairs = set[tuple[Role, Role]]


def mend(axioms: Iterable[Axiom]) -> list[Axiom]:
    """Leave out irregular chains and Self on composite roles; add the ranges that chains need; drop repetitions."""
    kept = list(dict.fromkeys(axiom for axiom in axioms if not says_nothing(axiom)))
    hierarchy = closed({pair for axiom in kept for pair in told(axiom)})
    kept = with_regular_chains(kept, hierarchy)
    kept = [axiom for axiom in kept if not any(is_composite(role, kept, hierarchy) for role in self_roles(axiom))]
    return list(dict.fromkeys([*kept, *missing_ranges(kept, hierarchy)]))


def says_nothing(axiom: Axiom) -> bool:
    """Recognise r ≡ r, which the specification does not allow."""
    return isinstance(axiom, EquivalentObjectProperties) and len(set(axiom.operands)) < len(axiom.operands)


def told(axiom: Axiom) -> list[tuple[Role, Role]]:
    """List the plain role inclusions that an axiom tells."""
    match axiom:
        case SubObjectPropertyOf((sub,), sup):
            return [(sub, sup)]
        case EquivalentObjectProperties(operands):
            return list(permutations(operands, 2))
    return []


def closed(pairs: Pairs) -> Pairs:
    """Close a relation under transitivity."""
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs = pairs | more
    return pairs


def lower_roles(chain: tuple[Role, ...], sup: Role) -> tuple[Role, ...]:
    """Find the roles of a chain that must come strictly before its super-role (OWL 2 Structural Spec., 11.2)."""
    if chain == (sup, sup):
        return ()
    if chain[0] == sup:
        return chain[1:]
    return chain[:-1] if chain[-1] == sup else chain


def with_regular_chains(axioms: list[Axiom], hierarchy: Pairs) -> list[Axiom]:
    """Keep a chain only where a strict order of the roles stays possible."""
    kept: list[Axiom] = []
    before: Pairs = set()
    for axiom in axioms:
        if isinstance(axiom, SubObjectPropertyOf) and len(axiom.chain) > 1:
            tried = closed(before | {(role, axiom.sup) for role in lower_roles(axiom.chain, axiom.sup)})
            if any(low == high or (high, low) in hierarchy for low, high in tried):
                continue
            before = tried
        kept.append(axiom)
    return kept


def is_composite(role: Role, axioms: list[Axiom], hierarchy: Pairs) -> bool:
    """Say whether a role is above a chain, a transitive role, or a reserved role."""
    composite: set[Role] = {TOP_OBJECT_PROPERTY, BOTTOM_OBJECT_PROPERTY}
    composite |= {axiom.sup for axiom in axioms if isinstance(axiom, SubObjectPropertyOf) and len(axiom.chain) > 1}
    composite |= {
        axiom.property
        for axiom in axioms
        if isinstance(axiom, ObjectPropertyCharacteristic) and axiom.characteristic == "Transitive"
    }
    return role in composite or any((low, role) in hierarchy for low in composite)


def self_roles(part: object) -> list[Role]:
    """List the roles on which an axiom says Self."""
    if isinstance(part, ObjectHasSelf):
        return [part.property]
    if isinstance(part, tuple):
        return [role for one in part for role in self_roles(one)]
    if is_dataclass(part):
        return [role for one in fields(part) for role in self_roles(getattr(part, one.name))]
    return []


def missing_ranges(axioms: list[Axiom], hierarchy: Pairs) -> list[Axiom]:
    """List the ranges that the EL profile asks of the last role of each chain (OWL 2 Profiles, 2.2.6)."""
    ranges = [axiom for axiom in axioms if isinstance(axiom, ObjectPropertyRange)]
    added: list[Axiom] = []
    for one in ranges:  # grows below, so that a range passes through several chains
        for axiom in axioms:
            if isinstance(axiom, SubObjectPropertyOf) and len(axiom.chain) > 1:
                needed = replace(one, property=axiom.chain[-1])
                is_above = axiom.sup == one.property or (axiom.sup, one.property) in hierarchy
                if is_above and needed not in ranges:
                    ranges.append(needed)
                    added.append(needed)
    return added
