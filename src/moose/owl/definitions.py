"""Datatypes of one's own, to be replaced by what they are defined as."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.axioms import DatatypeDefinition
from moose.owl.datatype_order import is_known
from moose.owl.model import DataRange, Datatype
from moose.owl.range_bounds import RangePair, bound_range
from moose.owl.signature import walk


def resolve_definitions(axioms: Iterable[DatatypeDefinition]) -> dict[str, RangePair]:
    """Return the bounds of each datatype that is defined once, not by itself, and not by OWL 2 already."""
    told: dict[str, list[DataRange]] = {}
    for axiom in axioms:
        told.setdefault(axiom.datatype.iri, []).append(axiom.range)
    open_ranges = {iri: ranges[0] for iri, ranges in told.items() if len(ranges) == 1 and not is_known(iri)}
    waits_for = {iri: _names(data_range) & open_ranges.keys() for iri, data_range in open_ranges.items()}
    users: dict[str, list[str]] = {}
    for iri, needed in waits_for.items():
        for name in needed:
            users.setdefault(name, []).append(iri)
    resolved: dict[str, RangePair] = {}
    ready = [iri for iri, needed in waits_for.items() if not needed]
    while ready:
        iri = ready.pop()
        resolved[iri] = bound_range(open_ranges[iri], resolved)
        for user in users.get(iri, ()):
            waits_for[user].discard(iri)
            if not waits_for[user]:
                ready.append(user)
    return resolved


def _names(data_range: DataRange) -> set[str]:
    return {part.iri for part in walk(data_range) if isinstance(part, Datatype)}
