"""Phenopackets (GA4GH, version 2): which findings a patient has or was found not to have, and the disease."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.base.user_files import kind_of


@dataclass(frozen=True, slots=True)
class Phenopacket:
    """What is read of one."""

    name: str
    features: tuple[tuple[str, bool], ...]
    """Identifiers of findings, and whether each is there."""
    disease: str = ""
    """The identifier of the first disease, if there is one."""
    references: tuple[str, ...] = ()
    """The identifiers of the papers that it is from."""


def is_phenopacket(value: Mapping[str, object]) -> bool:
    """Return whether a JSON object is one, by its keys."""
    return "phenotypicFeatures" in value or "metaData" in value


def read_phenopacket(packet: Mapping[str, object], place: str) -> Phenopacket:
    """Return what a JSON object says; `place` names it in errors, and where it has no name."""
    seen = []
    features = packet.get("phenotypicFeatures", [])
    if not isinstance(features, list):
        raise MooseError(f"{place}: expected a list of phenotypic features, but got {kind_of(features)}; mend it")
    for feature in features:
        kind = feature.get("type") if isinstance(feature, dict) else None
        identifier = kind.get("id") if isinstance(kind, dict) else None
        if not isinstance(identifier, str):
            raise MooseError(f"{place}: expected phenotypic features with a type and its id, but one has none; mend it")
        is_excluded = feature.get("excluded", False)
        if not isinstance(is_excluded, bool):
            raise MooseError(
                f"{place}: expected true or false for whether {identifier} is excluded, but got "
                f"{kind_of(is_excluded)}; mend it"
            )
        seen.append((identifier, not is_excluded))
    diseases = packet.get("diseases")
    first = diseases[0] if isinstance(diseases, list) and diseases else {}
    term = first.get("term", {}) if isinstance(first, dict) else {}
    disease = term.get("id", "") if isinstance(term, dict) else ""
    return Phenopacket(str(packet.get("id") or place), tuple(seen), str(disease), references_of(packet))


def references_of(packet: Mapping[str, object]) -> tuple[str, ...]:
    """Return the external references of a JSON object that have an identifier."""
    about = packet.get("metaData")
    rows = about.get("externalReferences") if isinstance(about, dict) else None
    listed = rows if isinstance(rows, list) else []
    return tuple(str(one["id"]) for one in listed if isinstance(one, dict) and one.get("id"))
