"""Which IRI an identifier of an OBO file stands for, by the conventions of the OBO Foundry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from moose.owl.model.expressions import OBO, STANDARD_PREFIXES
from moose.owl.syntax.common.unwritable import writable_iri
from moose.owl.syntax.obo.clauses import Stanza, first_word, parse_value

OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|urn:")
# What stays as it is in the local part of an identifier; other characters of ASCII are percent-encoded.
_RESERVED = re.compile(r"[^A-Za-z0-9._*\u0080-\U0010ffff-]")
# Of several cross-references, these name the relation itself rather than something like it.
_RELATION_PREFIXES = ("RO:", "BFO:")


def is_absolute(identifier: str) -> bool:
    """Return whether an identifier is an IRI already."""
    return _ABSOLUTE.match(identifier) is not None


class Identifiers:
    """The id spaces of a file and its relations written in shorthand, such as `part_of` for `BFO:0000050`."""

    def __init__(self, header: Stanza, stanzas: list[Stanza], where: str) -> None:
        self._spaces = {name: iri for name, iri in STANDARD_PREFIXES.items() if name != "xml"}
        self.declared: dict[str, str] = {}
        """The id spaces that the file declares."""
        self._iris: dict[str, str] = {}
        ontology = ""
        for clause in header.clauses:
            if clause.tag == "idspace":
                prefix, base = (*parse_value(clause, where).of("word"), "", "")[:2]
                self._spaces[prefix] = self.declared[prefix] = base
            elif clause.tag == "ontology":
                ontology = first_word(clause)
        # What the OWL API takes for a file without a name.
        self._base = f"{ontology if is_absolute(ontology) else OBO + (ontology or 'TEMP')}#"
        self._shorthands = dict(_shorthands(stanzas))

    def entity(self, identifier: str) -> str:
        """Return the IRI of a class or an individual."""
        iri = self._iris.get(identifier)
        if iri is None:
            iri = self._iris[identifier] = writable_iri(self._expand(identifier))
        return iri

    def relation(self, identifier: str) -> str:
        """Return the IRI of a relation, which may be written in shorthand."""
        return self.entity(self._shorthands.get(identifier, identifier))

    def _expand(self, identifier: str) -> str:
        if is_absolute(identifier):
            return identifier
        prefix, colon, local = identifier.partition(":")
        if not colon:
            return self._base + identifier
        if prefix in self._spaces:
            return self._spaces[prefix] + local
        encoded = _RESERVED.sub(lambda match: f"%{ord(match[0]):02X}", local)
        return f"{OBO}{prefix}{'#_' if '_' in local else '_'}{encoded}"


def _shorthands(stanzas: list[Stanza]) -> Iterator[tuple[str, str]]:
    """For each relation whose identifier has no prefix, find the cross-reference that says which relation it is."""
    for stanza in stanzas:
        if stanza.heading != "Typedef":
            continue
        identifiers = [first_word(clause) for clause in stanza.clauses if clause.tag == "id"]
        references = [first_word(clause) for clause in stanza.clauses if clause.tag == "xref"]
        prefixed = [reference for reference in references if ":" in reference]
        preferred = [reference for reference in prefixed if reference.startswith(_RELATION_PREFIXES)]
        if prefixed and identifiers and ":" not in identifiers[0]:
            yield identifiers[0], (preferred or prefixed)[0]
