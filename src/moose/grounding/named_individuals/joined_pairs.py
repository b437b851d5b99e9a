"""Which named individuals a role may have to join that the task does not declare, where what exists needs no name.

All other pairs may be left out: whatever there is between named individuals stays as it is without them, since each
clause that would join such a pair has another one in its body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from moose.grounding.task.task import Task
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.signature import walk

Matrix = npt.NDArray[np.bool_]
Step = tuple[str, bool]
"""A role, and whether it is taken the other way round."""
Inclusion = tuple[tuple[Step, ...], Step]
NOMINALS = (owl.ObjectOneOf, owl.ObjectHasValue)


def joined_pairs(task: Task, *, pin_roles: bool) -> dict[str, Matrix]:
    """Return for each role, by IRI, the pairs of individuals that it may have to join, individual × individual."""
    axioms = task.ontology.axioms
    size = len(task.individuals)
    everything = np.ones((size, size), dtype=bool)
    is_named = any(isinstance(part, NOMINALS) for axiom in axioms for part in walk(axiom))
    pairs = dict.fromkeys(task.ontology.object_properties, everything if is_named else ~everything)
    pairs[owl.TOP_OBJECT_PROPERTY_IRI] = everything
    numbers = {name: number for number, name in enumerate(task.individuals)}
    for role in task.role_predicates:
        pairs[role.iri] = everything
        if pin_roles and role.name in task.edges:
            pairs[role.iri] = ~everything
            for one, other in task.edges[role.name]:
                pairs[role.iri][numbers[one], numbers[other]] = True
    named = {iri: numbers[name] for name, iri in task.iris.items() if iri is not None}
    for axiom in axioms:
        for role_iri, told in told_pairs(axiom, named, size):
            pairs[role_iri] = pairs.get(role_iri, ~everything) | told
    return closed_under([rule for axiom in axioms for rule in inclusions(axiom)], pairs, size)


def closed_under(rules: Collection[Inclusion], pairs: Mapping[str, Matrix], size: int) -> dict[str, Matrix]:
    """Return what pairs of roles become by inclusions.

    >>> r_after_r_in_s = ((("r", False), ("r", False)), ("s", False))
    >>> chain = np.eye(3, k=1, dtype=bool)
    >>> np.argwhere(closed_under([r_after_r_in_s], {"r": chain, "s": chain & False}, 3)["s"]).tolist()
    [[0, 2]]
    """
    joined = dict(pairs)
    grows = True
    while grows:
        grows = False
        for chain, (head, is_inverse) in rules:
            composed = np.eye(size, dtype=bool)
            for role, is_backwards in chain:
                step = joined[role].T if is_backwards else joined[role]
                composed = composed @ step
            new = (composed.T if is_inverse else composed) & ~joined[head]
            if new.any():
                joined[head] = joined[head] | new
                grows = True
    return joined


def told_pairs(axiom: ax.Axiom, named: Mapping[str, int], size: int) -> Iterator[tuple[str, Matrix]]:
    """Yield pairs that a role joins whatever else holds, or where one is in some class."""
    match axiom:
        case ax.ObjectPropertyAssertion(role, owl.NamedIndividual(source), owl.NamedIndividual(target)):
            if source in named and target in named:
                told = np.zeros((size, size), dtype=bool)
                told[named[source], named[target]] = True
                name, is_inverse = step(role)
                yield name, told.T if is_inverse else told
        case ax.ObjectPropertyCharacteristic("Reflexive", role):
            yield step(role)[0], np.eye(size, dtype=bool)
        case _:
            loops = (part for part in walk(axiom) if isinstance(part, owl.ObjectHasSelf))
            yield from ((step(part.property)[0], np.eye(size, dtype=bool)) for part in loops)


def inclusions(axiom: ax.Axiom) -> Iterator[Inclusion]:
    """Yield how roles that join some bring another to join them."""
    match axiom:
        case ax.SubObjectPropertyOf(chain, sup):
            roles = [(tuple(map(step, chain)), step(sup))]
        case ax.EquivalentObjectProperties(operands):
            roles = [((step(one),), step(other)) for one in operands for other in operands if one != other]
        case ax.InverseObjectProperties(first, second):
            roles = [((step(one),), turned(step(other))) for one, other in ((first, second), (second, first))]
        case ax.ObjectPropertyCharacteristic("Symmetric", role):
            roles = [((step(role),), turned(step(role)))]
        case ax.ObjectPropertyCharacteristic("Transitive", role):
            roles = [((step(role), step(role)), step(role))]
        case _:
            return
    built_in = (owl.TOP_OBJECT_PROPERTY_IRI, owl.BOTTOM_OBJECT_PROPERTY_IRI)
    for body, head in roles:
        if head[0] not in built_in and not any(role == owl.BOTTOM_OBJECT_PROPERTY_IRI for role, _ in body):
            yield body, head


def step(role: owl.ObjectPropertyExpression) -> Step:
    """Return a role by its name."""
    return (role.property.iri, True) if isinstance(role, owl.ObjectInverseOf) else (role.iri, False)


def turned(one: Step) -> Step:
    """Return a role the other way round."""
    return one[0], not one[1]
