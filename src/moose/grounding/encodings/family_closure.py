"""Φ: what declaring a family exhaustive adds to the ontology, as clauses over the concepts of one individual.

A literal is k + 1 for `task.concepts[k]`, -(k + 1) for its negation; the clauses hold at every individual that has the
family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from moose.grounding.clauses import Clause, Origin
from moose.grounding.encodings.shapes import atomic_subsumptions
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.saturation.answers.closure import Closure

Profile = tuple[tuple[int, bool], ...]
"""Properties by position in `task.concepts`, and whether a member has them."""


def closure_clauses(
    task: Task, closure: Closure, components: Components, individual: int = 0
) -> list[tuple[Origin, Clause]]:
    """Return the clauses of Φ at an individual: mutex and cover of each family it has, then its profile clauses.

    With `only`, what a member's profile does not have, the member has not.
    """
    positions = {predicate.name: position for position, predicate in enumerate(task.concepts)}
    clauses: list[tuple[Origin, Clause]] = []
    for family, has_family in zip(task.families, task.has_family[individual].tolist(), strict=True):
        if not has_family:
            continue
        members = [positions[name] for name in family]
        if components.mutex:
            clauses += ((Origin.MUTEX, (-first - 1, -second - 1)) for first, second in combinations(members, 2))
        if components.cover:
            clauses.append((Origin.COVER, tuple(member + 1 for member in members)))
        if components.profiles or components.only:
            profiles = family_profiles(task, closure, family, individual)
            if components.profiles:
                clauses += ((Origin.PROFILE, clause) for clause in profile_clauses(profiles))
            if components.only:
                clauses += ((Origin.ONLY, clause) for clause in only_clauses(profiles))
    return clauses


def family_profiles(task: Task, closure: Closure, family: Sequence[str], individual: int = 0) -> dict[int, Profile]:
    """Return the profile of each member of a family, as given or as the closure has it; empty where there is none.

    The properties are the observed concepts of the individual, outside the family, that some member is below, and π(P)
    says whether this member is. What no member decides, such as the properties of another family, says nothing of who
    is one.
    """
    positions = {predicate.name: position for position, predicate in enumerate(task.concepts)}
    members = [positions[name] for name in family]
    if task.profiles is not None:
        if family[0] not in task.profiles:
            return {}
        given = ({positions[name]: holds for name, holds in task.profiles[member].items()} for member in family)
        return dict(zip(members, (tuple(sorted(profile.items())) for profile in given), strict=True))
    is_below = set(atomic_subsumptions(task, closure))
    properties = [
        position
        for position, predicate in enumerate(task.concepts)
        if not predicate.is_latent
        and task.has_concept[individual, position]
        and position not in members
        and any((member, position) in is_below for member in members)
    ]
    return {member: tuple((prop, (member, prop) in is_below) for prop in properties) for member in members}


def profile_clauses(profiles: dict[int, Profile]) -> Iterator[Clause]:
    """Yield one clause a distinct profile: who has just these properties is one of the members that have."""
    alike: dict[Profile, list[int]] = {}
    for member, profile in profiles.items():
        alike.setdefault(profile, []).append(member)
    for profile, members in alike.items():
        if profile:  # without properties the clause would be the cover
            body = tuple(-(prop + 1) if holds else prop + 1 for prop, holds in profile)
            yield body + tuple(member + 1 for member in members)


def only_clauses(profiles: dict[int, Profile]) -> Iterator[Clause]:
    """Yield for each member and each property that its profile denies: no member has the property.

    >>> list(only_clauses({0: ((2, True), (3, False)), 1: ((2, True), (3, True))}))
    [(-1, -4)]
    """
    for member, profile in profiles.items():
        yield from ((-(member + 1), -(prop + 1)) for prop, holds in profile if not holds)
