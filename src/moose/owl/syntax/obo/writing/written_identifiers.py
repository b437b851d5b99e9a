"""Identifiers for IRIs, the other way round than reading: each is tried by the reader's own rules before it is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from moose.owl.model.expressions import OBO, XSD
from moose.owl.syntax.obo.clauses import Clause, Stanza, first_word
from moose.owl.syntax.obo.identifiers import Identifiers

_OBO_NAME = re.compile(r"([^\s:_#/]+)_([^\s:_]+)")
_IN_WORD = re.compile(r'[\\"{}!\[\],]')


def escaped_word(text: str) -> str:
    """Write an identifier so that no character of it ends the word."""
    return _IN_WORD.sub(lambda found: f"\\{found[0]}", text)


class WrittenIdentifiers:
    """What each IRI is called in a file."""

    def __init__(self, header: Iterable[Clause], relations: Mapping[str, str], stanzas: list[Stanza]) -> None:
        """Take the header, the names of relations that have one of their own, and the stanzas that say so."""
        opening = Stanza("", tuple(header), 1)
        self.names = Identifiers(opening, stanzas, "")
        ontology = next((first_word(clause) for clause in opening.clauses if clause.tag == "ontology"), "")
        # Other readers know neither owl:Thing nor names without a prefix in an ontology that is called by an IRI.
        self._spaces = {"xsd": XSD, **_id_spaces(opening)}
        self._base = f"{OBO}{ontology}#" if ontology else None
        self._relations = {iri: name for iri, name in relations.items() if self.names.relation(name) == iri}
        self._entities: dict[str, str | None] = {}

    def entity(self, iri: str) -> str | None:
        """Return the identifier of a class, an individual or a value, as it is written; None if there is none."""
        if iri not in self._entities:
            good = (one for one in self._candidates(iri) if self._is_read_back(one, iri))
            self._entities[iri] = next(map(escaped_word, good), None)
        return self._entities[iri]

    def relation(self, iri: str) -> str | None:
        """Return the identifier of a relation, which may be its shorthand."""
        short = self._relations.get(iri)
        if short is not None:
            return escaped_word(short)
        full = self.entity(iri)
        return full if full is not None and self.names.relation(first_word(Clause("", full, 1))) == iri else None

    def _candidates(self, iri: str) -> Iterable[str]:
        found = _OBO_NAME.fullmatch(iri, len(OBO)) if iri.startswith(OBO) else None
        if found:
            yield f"{found[1]}:{found[2]}"
        if self._base is not None and iri.startswith(self._base):
            yield iri[len(self._base) :]
        for prefix, space in self._spaces.items():
            if iri.startswith(space):
                yield f"{prefix}:{iri[len(space) :]}"
        if iri.startswith(OBO) and "#_" in iri:
            yield ":".join(iri[len(OBO) :].split("#_", 1))
        yield iri

    def _is_read_back(self, identifier: str, iri: str) -> bool:
        word = escaped_word(identifier)
        return first_word(Clause("", word, 1)) == identifier and self.names.entity(identifier) == iri


def _id_spaces(header: Stanza) -> dict[str, str]:
    clauses = (clause for clause in header.clauses if clause.tag == "idspace")
    return {prefix: space for clause in clauses for prefix, space in [clause.value.split(" ")]}
