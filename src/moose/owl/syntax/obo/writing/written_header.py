"""The header of an OBO file: which ontology it is, what is said of it, and the axioms that OBO has no clauses for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, Document
from moose.owl.model.expressions import OBO, STANDARD_PREFIXES, Literal
from moose.owl.syntax.common.abbreviation import Abbreviation
from moose.owl.syntax.common.written import one_line
from moose.owl.syntax.functional.write_functional import full_iri, render, write_functional
from moose.owl.syntax.obo.annotation_clauses import property_value
from moose.owl.syntax.obo.clauses import Clause, Stanza, parse_value
from moose.owl.syntax.obo.header_clauses import header_annotations, identity
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL, Identifiers
from moose.owl.syntax.obo.writing.clause_lines import ClauseLines, free_text, read_line

_PREFIXES = re.compile(r"\b(\w+):")
FORMAT_VERSION = OBO_IN_OWL + "hasOBOFormatVersion"
DEFAULT_NAMESPACE = OBO_IN_OWL + "default-namespace"
TAGS = frozenset({"default-namespace", "logical-definition-view-relation", "saved-by", "auto-generated-by"})
"""Tags of the header that only say something, and are annotations of the ontology under their own names."""


@dataclass(frozen=True, slots=True)
class WrittenHeader:
    """The header of a document, given its names and the subsets and kinds of synonyms that it defines."""

    document: Document
    identity: tuple[Clause, ...]
    definitions: tuple[str, ...]
    has_namespaces: bool
    """Whether every stanza has a namespace of its own, so that a default one is only a word about the ontology."""

    def lines(self, words: ClauseLines, body: Iterable[str]) -> Iterator[str]:
        """Yield the clauses of the header, but for axioms; of id spaces those that it or the body uses."""
        said = self._tags()
        spaces = {clause.value.partition(" ")[0]: clause.value for clause in self.identity if clause.tag == "idspace"}
        others = [*self._others(said)]
        written = [line for note in others if (line := self._line(note, words)) is not None]
        front = 1 + any(clause.tag == "data-version" for clause in self.identity)
        yield from said[:front]
        used = {prefix for line in (*body, *said, *written) for prefix in _PREFIXES.findall(line)}
        yield from (f"idspace: {text}" for name, text in sorted(spaces.items()) if name in used)
        yield from (*said[front:], *written)

    def as_assertions(self, words: ClauseLines) -> Iterator[AnnotationAssertion]:
        """Yield what OBO cannot say of an ontology, as assertions about its IRI, which in RDF are the same."""
        for note in self._others(self._tags()):
            if self._line(note, words) is not None:
                continue
            if self.document.iri is None:
                raise MooseError(
                    "expected annotations of the ontology that OBO can say, but got "
                    f"{one_line(render(note))[:200]}; give the ontology an IRI, or write another syntax"
                )
            yield AnnotationAssertion(note.property, self.document.iri, note.value, note.annotations)

    def _line(self, note: Annotation, words: ClauseLines) -> str | None:
        """Return the clause that says an annotation of the ontology."""
        if note.property != DEFAULT_NAMESPACE or self.has_namespaces:
            tagged = _tagged(note)
            if tagged is not None:
                return tagged
        line = words.property_value(note.property, note.value, note.annotations)
        clause = read_line(line) if line is not None else None
        return line if clause is not None and property_value(clause, words.names.names) == note else None

    def _tags(self) -> list[str]:
        versions = [note.value for note in self.document.annotations if note.property == FORMAT_VERSION]
        text = versions[0].lexical if versions and isinstance(versions[0], Literal) else ""
        said = [f"format-version: {text if text.replace('.', '').isdecimal() else '1.4'}"]
        said += [f"{clause.tag}: {clause.value}" for clause in self.identity if clause.tag == "data-version"]
        said += [f"import: {imported}" for imported in self.document.imports]
        said += self.definitions
        return said + [f"{clause.tag}: {clause.value}" for clause in self.identity if clause.tag == "ontology"]

    def _others(self, said: Sequence[str]) -> Iterator[Annotation]:
        """Yield the annotations of the ontology that these clauses do not say."""
        known = {note for line in said for note in _notes(line)}
        yield from (note for note in self.document.annotations if note not in known)


def _tagged(note: Annotation) -> str | None:
    """Return the clause of the header whose tag is made for an annotation."""
    tag = note.property.removeprefix(OBO_IN_OWL)
    if tag not in TAGS or not isinstance(note.value, Literal):
        return None
    line = f"{tag}: {free_text(note.value.lexical)}"
    return line if read_line(line) is not None and [*_notes(line)] == [note] else None


def _notes(line: str) -> Iterator[Annotation]:
    clause = read_line(line)
    assert clause is not None, "tags with plain words"
    yield from header_annotations(Stanza("", (clause,), 1), Identifiers(Stanza("", (), 1), [], ""))


def identity_clauses(document: Document) -> Iterator[Clause]:
    """Yield the clauses that say which ontology this is, and which version of it."""
    iri, version = document.iri, document.version_iri
    if iri is None:
        return
    name = iri[len(OBO) :].removesuffix(".owl") if iri.startswith(OBO) and iri.endswith(".owl") else iri
    texts = [note.value.lexical for note in document.annotations if isinstance(note.value, Literal)]
    for ontology in dict.fromkeys((name, iri)):
        for data_version in (None,) if version is None else (*sorted(texts), version):
            clauses = [Clause("ontology", ontology, 1)]
            clauses += [Clause("data-version", data_version, 1)] if data_version else []
            is_plain = all(read_line(f"{clause.tag}: {clause.value}") == clause for clause in clauses)
            if is_plain and identity(Stanza("", tuple(clauses), 1)) == (iri, version):
                yield from clauses
                return
    came = f"<{iri}> and <{version}>" if version else f"<{iri}>"
    raise MooseError(
        f"expected an ontology whose IRIs OBO can say, but got {came}; give it an IRI such as {OBO}x.owl, or write "
        "another syntax"
    )


def id_spaces(prefixes: Mapping[str, str]) -> Iterator[Clause]:
    """Yield the prefixes of a document that can be id spaces; those of OBO and OWL are known without."""
    for name, space in sorted(prefixes.items()):
        if name in STANDARD_PREFIXES or space == OBO or not name.isalnum():
            continue
        clause = Clause("idspace", f"{name} {space}", 1)
        if read_line(f"idspace: {clause.value}") == clause and parse_value(clause, "").of("word") == (name, space):
            yield clause


def owl_axioms(statements: Sequence[Axiom | Declaration | AnnotationAssertion]) -> Iterator[str]:
    """Write what OBO has no clauses for, as functional syntax on one line."""
    if not statements:
        return
    names = Abbreviation({"obo": OBO, "oboInOwl": OBO_IN_OWL})
    inner = Document(
        declarations=tuple(one for one in statements if isinstance(one, Declaration)),
        axioms=tuple(one for one in statements if not isinstance(one, Declaration | AnnotationAssertion)),
        annotation_assertions=tuple(one for one in statements if isinstance(one, AnnotationAssertion)),
        prefixes=names.prefixes,
    )
    text = write_functional(inner, lambda iri: names.short(iri) or full_iri(iri)).strip()
    if "\r" in text:
        raise MooseError(
            "expected text that OBO can hold, but there is a carriage return in a literal; take it out, or write "
            "another syntax"
        )
    for found, written in (("\\", "\\\\"), ("\n", "\\n"), ('"', '\\"')):
        text = text.replace(found, written)
    yield f"owl-axioms: {text}"
