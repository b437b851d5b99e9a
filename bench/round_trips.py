"""Round trips: every writer's output, read again by Moose and by the OWLAPI, gives the same axioms and annotations.

`python -m bench.round_trips` writes go, uberon, hp, the cells slim and envo in every syntax, reads them again and writes
bench/results/round_trips.json. The OWLAPI takes part where Java and its jars are (`python -m bench.peers install`).
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import moose
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import AnnotationAssertion, Declaration
from moose.owl.model.expressions import OWL, RDFS
from moose.owl.ontology import Ontology
from moose.owl.write import WRITTEN

ENDINGS = {"functional": ".ofn", "owlxml": ".owx", "rdfxml": ".owl", "turtle": ".ttl", "ntriples": ".nt", "obo": ".obo"}
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"

# ── The same axioms and annotations ───────────────────────────────────────────────────────────────────────────────

SETS = (ax.DisjointClasses, ax.DisjointObjectProperties, ax.DisjointDataProperties, ax.DifferentIndividuals)
CHAINS = (ax.EquivalentClasses, ax.EquivalentObjectProperties, ax.EquivalentDataProperties, ax.SameIndividual)


def said(ontology: Ontology) -> Counter[object]:
    """Return all that an ontology says, without what the structure of OWL 2 leaves open: the order of sets."""
    notes = ontology.annotations
    statements = (*ontology.axioms, *notes.assertions, *map(_header, notes.header), *map(Declaration, _named(ontology)))
    return Counter(one for statement in statements for one in canonical(statement))


def _header(note: ax.Annotation) -> AnnotationAssertion:
    return AnnotationAssertion(note.property, "the ontology", note.value, note.annotations)


def _named(ontology: Ontology) -> Iterator[owl.Entity]:
    """Yield every entity: RDF and OBO declare what is only used."""
    names = ontology.signature
    yield from (owl.Class(iri) for iri in names.classes)
    yield from (owl.ObjectProperty(iri) for iri in names.object_properties)
    yield from (owl.DataProperty(iri) for iri in names.data_properties)
    yield from (owl.NamedIndividual(iri) for iri in names.individuals)


def canonical(statement: object) -> Iterator[object]:
    """Yield a statement in one form: sets sorted, chains of equivalents in pairs, one anonymous individual."""
    plain: Any = _rebuild(statement)
    if isinstance(plain, CHAINS):
        members = getattr(plain, "operands", ()) or getattr(plain, "individuals", ())
        for pair in pairwise(members):
            yield type(plain)(tuple(sorted(pair, key=repr)), plain.annotations)
    elif isinstance(plain, SETS):
        members = getattr(plain, "operands", ()) or getattr(plain, "individuals", ())
        yield type(plain)(tuple(sorted(members, key=repr)), plain.annotations)
    else:
        yield plain


def _rebuild(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_rebuild, value))
    if isinstance(value, owl.AnonymousIndividual):
        return owl.AnonymousIndividual("x")
    if isinstance(value, owl.Literal):
        return replace(value, language=value.language.lower()) if value.language else value
    if not is_dataclass(value):
        return value
    parts = {field.name: _rebuild(getattr(value, field.name)) for field in fields(value)}
    if "annotations" in parts:
        parts["annotations"] = tuple(sorted(set(parts["annotations"]), key=repr))
    return type(value)(**parts)  # type: ignore[operator]  # a value, not a class


ADDED_BY_OBO = frozenset([OBO_IN_OWL + "id", OBO_IN_OWL + "is_metadata_tag", OBO_IN_OWL + "hasOBOFormatVersion"])


@dataclass(frozen=True, slots=True)
class Difference:
    """What one side says and the other does not."""

    lost: list[str]
    added: list[str]
    added_by_obo: int = 0


def difference(before: Ontology, after: Ontology, syntax: str) -> Difference:
    """Compare what two ontologies say."""
    first, second = said(before), said(after)
    lost, added = first.keys() - second.keys(), second.keys() - first.keys()
    if syntax in ("rdfxml", "turtle", "ntriples"):
        # In RDF an axiom with annotations is one without them too.
        lost = {one for one in lost if one not in {_bare(other) for other in first if _notes(other)}}
    by_obo = {one for one in added if syntax == "obo" and _is_added_by_obo(one)}
    return Difference(sorted(map(repr, lost)), sorted(map(repr, added - by_obo)), len(by_obo))


def _notes(statement: object) -> object:
    return getattr(statement, "annotations", ())


def _bare(statement: Any) -> object:
    return replace(statement, annotations=())


def _is_added_by_obo(statement: object) -> bool:
    if isinstance(statement, AnnotationAssertion):
        is_version = statement.property == OWL + "versionInfo" and statement.subject == "the ontology"
        return statement.property in ADDED_BY_OBO or is_version
    return False
