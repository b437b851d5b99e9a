"""Plain names for entities: what IRIs hold must not reach another program's parser."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import is_known
from moose.owl.model.expressions import XSD
from moose.owl.model.nesting import shallow_enough
from moose.owl.model.signature import BUILT_IN, PARTS

T = TypeVar("T")
PREFIX = "urn:moose:"


class Renaming:
    """Gives each entity a plain name, the same wherever it stands, and knows whose name it is.

    >>> renaming = Renaming()
    >>> renaming.renamed(owl.Class("http://example.org/a b>"))
    Class(iri='urn:moose:Class0')
    >>> renaming.original("urn:moose:Class0")
    'http://example.org/a b>'
    """

    def __init__(self) -> None:
        self._names: dict[tuple[type, str], str] = {}
        self._originals: dict[str, str] = {}

    def renamed(self, value: T) -> T:
        """Return an axiom or expression with plain names, without annotations."""
        with shallow_enough("the ontology"):
            return cast("T", self._any(value))

    def original(self, name: str) -> str:
        """Return the IRI behind a plain name; names that OWL 2 reserves are their own."""
        return self._originals.get(name, name)

    def _any(self, value: object) -> object:
        match value:
            case tuple():
                return tuple(map(self._any, value))
            case owl.AnonymousIndividual(node):
                return owl.AnonymousIndividual(self._name(owl.AnonymousIndividual, node).removeprefix(PREFIX))
            case owl.Literal(_, datatype, _):
                return replace(value, datatype=self._datatype(datatype))
            case owl.Datatype(iri):
                return owl.Datatype(self._datatype(iri))
            case owl.DatatypeRestriction(datatype, facets):
                facing = tuple((facet, self._any(literal)) for facet, literal in facets)
                return replace(value, datatype=self._any(datatype), facets=facing)  # type: ignore[arg-type]  # as before
            case owl.Class(iri) | owl.ObjectProperty(iri) | owl.DataProperty(iri) | owl.NamedIndividual(iri):
                return value if iri in BUILT_IN else type(value)(self._name(type(value), iri))
            case _ if type(value) in PARTS:
                parts = {part: self._any(getattr(value, part)) for part in PARTS[type(value)]}
                if hasattr(value, "annotations"):
                    parts["annotations"] = ()
                return replace(value, **parts)  # type: ignore[type-var]  # a value of the model
        return value

    def _datatype(self, iri: str) -> str:
        return iri if is_known(iri) or iri.startswith(XSD) else self._name(owl.Datatype, iri)

    def _name(self, kind: type, name: str) -> str:
        key = (kind, name)
        if key not in self._names:
            plain = f"{PREFIX}{kind.__name__}{len(self._names)}"
            self._names[key] = plain
            self._originals[plain] = name
        return self._names[key]
