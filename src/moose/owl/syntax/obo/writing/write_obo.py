"""Write OBO 1.4: stanzas for what OBO has clauses for, and all other axioms in the header's `owl-axioms`.

Every clause is read again by the reader's own tables before it is used; so what is written means what was meant. OBO
gives each stanza an `id`, each file a `format-version` and each tag `is_metadata_tag`; read again, these are
annotations, whether the ontology had them or not. Individuals are among the other axioms, as the OWLAPI passes over
their stanzas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as model
from moose.owl.model.axioms import AnnotationAssertion, Axiom, Declaration, Document
from moose.owl.model.expressions import LABEL_IRI, OWL, RDFS, XSD, Literal
from moose.owl.syntax.common.written import NO_OWL, Unwritten, Written, one_line
from moose.owl.syntax.functional.write_functional import is_rule, render
from moose.owl.syntax.obo.annotation_clauses import (
    COMMENT,
    CROSS_REFERENCE,
    ENTITIES,
    QUOTED,
    SCOPES,
    TEXTS,
    deprecate,
    is_annotation,
    read_annotation,
    synonym_property,
)
from moose.owl.syntax.obo.clauses import Clause, Stanza, first_word
from moose.owl.syntax.obo.header_clauses import SCOPE, SUB_PROPERTY, TAG_KINDS, tag_definition
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL
from moose.owl.syntax.obo.relation_clauses import METADATA, TYPEDEF
from moose.owl.syntax.obo.term_clauses import TERM, Source, define
from moose.owl.syntax.obo.writing.clause_lines import ClauseLines, free_text, read_line, string
from moose.owl.syntax.obo.writing.written_header import WrittenHeader, id_spaces, identity_clauses, owl_axioms
from moose.owl.syntax.obo.writing.written_identifiers import WrittenIdentifiers

IDENTIFIER = OBO_IN_OWL + "id"
METADATA_TAG = OBO_IN_OWL + "is_metadata_tag"
FORMAT_VERSION = OBO_IN_OWL + "hasOBOFormatVersion"
TRUE = Literal("true", XSD + "boolean")
Statement = Axiom | Declaration | AnnotationAssertion
Tagged = model.Class | model.ObjectProperty | model.AnnotationProperty

HEADINGS: dict[type, str] = {
    model.Class: "Term",
    model.ObjectProperty: "Typedef",
    model.AnnotationProperty: "Typedef",
}
# A stanza has each of these once; what else is said so stands in other clauses.
SINGLE = frozenset(
    "id name def comment namespace created_by creation_date is_obsolete is_anonymous builtin use_term is_metadata_tag "
    "is_class_level is_cyclic expand_expression_to expand_assertion_to domain range".split()
)
# The order of clauses in OBO 1.4; tags that are not here come last.
ORDER = {
    tag: position
    for position, tag in enumerate(
        "id is_anonymous name namespace alt_id def comment subset synonym xref builtin domain range "
        "is_anti_symmetric is_cyclic is_reflexive is_symmetric is_asymmetric is_transitive is_functional "
        "is_inverse_functional is_a intersection_of union_of equivalent_to disjoint_from inverse_of transitive_over "
        "holds_over_chain relationship property_value is_obsolete replaced_by consider created_by "
        "creation_date".split()
    )
}
# What OBO says by tags of its own is declared by nobody in an OBO file.
OWN_PROPERTIES = frozenset([*TEXTS.values(), *QUOTED.values(), *ENTITIES.values(), COMMENT, CROSS_REFERENCE])


def write_obo(document: Document) -> Written:
    """Write a document."""
    writer = _Writer.of(document)
    writer.sort_out()
    return Written("\n".join(writer.lines()) + "\n", tuple(writer.unwritten))


@dataclass(slots=True)
class _Writer:
    """A file in the making."""

    document: Document
    lines_of: ClauseLines
    source: Source
    identity: tuple[Clause, ...]
    stanzas: dict[Tagged, list[str]] = field(default_factory=dict)
    subjects: dict[str, list[Tagged]] = field(default_factory=dict)
    definitions: list[str] = field(default_factory=list)
    covered: set[Statement] = field(default_factory=set)
    rest: list[Statement] = field(default_factory=list)
    unwritten: list[Unwritten] = field(default_factory=list)
    alternatives: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document) -> _Writer:
        """Find what everything is called before anything is written."""
        identity = (*identity_clauses(document), *id_spaces(document.prefixes))
        told: dict[str, list[AnnotationAssertion]] = {}
        for one in document.annotation_assertions:
            if isinstance(one.subject, str):
                told.setdefault(one.subject, []).append(one)
        roles = [one.entity for one in document.declarations if isinstance(one.entity, model.ObjectProperty)]
        tags = [one.entity for one in document.declarations if isinstance(one.entity, model.AnnotationProperty)]
        shorthands, stanzas = _shorthands([*roles, *tags], told)
        names = WrittenIdentifiers(identity, shorthands, stanzas)
        labels = {
            one.subject: one.value.lexical
            for one in reversed(document.annotation_assertions)
            if one.property == LABEL_IRI and isinstance(one.subject, str) and isinstance(one.value, Literal)
        }
        class_level = frozenset(
            role.iri
            for role in roles
            if AnnotationAssertion(OBO_IN_OWL + "is_class_level", role.iri, TRUE) in told.get(role.iri, ())
        )
        relations = frozenset(role.iri for role in roles)
        is_tag = frozenset(tag.iri for tag in tags) - relations
        source = Source("written", names.names, class_level, relations, is_tag)
        return cls(document, ClauseLines(names, labels), source, identity)

    # ── Which statement goes where ────────────────────────────────────────────────────────────────────────────────

    def sort_out(self) -> None:
        """Put each statement into a stanza, or with the rest."""
        self._define_tags()
        self._alternatives()
        for declaration in self.document.declarations:
            if declaration not in self.covered and not self._open(declaration):
                self.rest.append(declaration)
        for axiom in self.document.axioms:
            if isinstance(axiom, ax.UnreadAxiom) and not is_rule(axiom):
                self.unwritten.append(Unwritten(axiom, NO_OWL))
            elif not self._place_axiom(axiom):
                self.rest.append(axiom)
        for told in self.document.annotation_assertions:
            if told not in self.covered and not self._place_assertion(told):
                self.rest.append(told)

    def _open(self, declaration: Declaration) -> bool:
        """Begin the stanza of a name."""
        entity = declaration.entity
        if not isinstance(entity, Tagged) or declaration.annotations or entity.iri in self.subjects:
            return False
        if isinstance(entity, model.AnnotationProperty):
            if entity.iri in OWN_PROPERTIES or entity.iri.startswith((OBO_IN_OWL, OWL, RDFS)):
                return False
            identifier = self.lines_of.names.relation(entity.iri)
        elif isinstance(entity, model.ObjectProperty):
            identifier = self.lines_of.names.relation(entity.iri)
        else:
            identifier = self.lines_of.names.entity(entity.iri)
        if identifier is None or not self._is_read_back(f"id: {identifier}", entity):
            return False
        self.stanzas[entity] = [f"id: {identifier}"]
        self.subjects.setdefault(entity.iri, []).append(entity)
        self._cover_identifier(entity, identifier)
        return True

    def _cover_identifier(self, entity: Tagged, identifier: str) -> None:
        self.covered.update(self._read(f"id: {identifier}", entity) or ())
        if isinstance(entity, model.Class):
            self.stanzas[entity] += self.alternatives.pop(entity.iri, [])
        if isinstance(entity, model.AnnotationProperty):
            self.stanzas[entity].append("is_metadata_tag: true")
            self.covered.add(AnnotationAssertion(METADATA_TAG, entity.iri, TRUE))

    def _is_read_back(self, line: str, entity: Tagged) -> bool:
        names = self.lines_of.names.names
        find = names.relation if HEADINGS[type(entity)] == "Typedef" else names.entity
        clause = read_line(line)
        return clause is not None and find(first_word(clause)) == entity.iri

    def _place_axiom(self, axiom: Axiom) -> bool:
        found = self.lines_of.axiom(_definition_last(axiom))
        if found is None:
            return False
        entity, lines = found
        if not isinstance(entity, Tagged) or entity not in self.stanzas:
            return False
        stanza = self.stanzas[entity]
        tag = _tag(lines[0])
        if tag in ("intersection_of", "union_of"):
            is_taken = any(_tag(line) == tag for line in stanza)
            statements = self._defined(entity, lines, tag) if not is_taken and len(lines) > 1 else None
        else:
            is_taken = tag in SINGLE and any(_tag(line) == tag for line in stanza)
            statements = None if is_taken else self._read(lines[0], entity)
        if statements is None or [*map(_comparable, statements)] != [_comparable(axiom)]:
            return False
        stanza.extend(lines)
        return True

    def _place_assertion(self, told: AnnotationAssertion) -> bool:
        subjects = self.subjects.get(told.subject, []) if isinstance(told.subject, str) else []
        for entity in subjects[:1]:
            for line in self.lines_of.assertions(told):
                is_taken = _tag(line) in SINGLE and any(_tag(one) == _tag(line) for one in self.stanzas[entity])
                if is_taken or _tag(line) in ("id", "alt_id"):
                    continue
                statements = self._read(line, entity)
                if statements is not None and [*map(_comparable, statements)] == [_comparable(told)]:
                    self.stanzas[entity].append(line)
                    return True
        return False

    # ── What takes several statements at once ─────────────────────────────────────────────────────────────────────

    def _define_tags(self) -> None:
        """Write subsets and kinds of synonyms in the header, where its clause says no more than the document does."""
        stated: set[Statement] = {*self.document.declarations, *self.document.annotation_assertions}
        told: dict[str, list[AnnotationAssertion]] = {}
        for one in self.document.annotation_assertions:
            if isinstance(one.subject, str):
                told.setdefault(one.subject, []).append(one)
        kinds = {above: tag for tag, (above, _) in TAG_KINDS.items()}
        for one in self.document.annotation_assertions:
            tag = kinds.get(one.value) if one.property == SUB_PROPERTY and isinstance(one.value, str) else None
            clause = self._tag_clause(tag, told[one.subject]) if tag and isinstance(one.subject, str) else None
            implied = {*tag_definition(clause, self.lines_of.names.names, "written")} if clause else set[Statement]()
            if clause and one in implied and implied <= stated and not implied & self.covered:
                self.definitions.append(f"{clause.tag}: {clause.value}")
                self.covered |= implied

    def _tag_clause(self, tag: str, told: Sequence[AnnotationAssertion]) -> Clause | None:
        """Return the clause that may define a subset or a kind of synonym, from all that is told of it."""
        values: dict[str, str | Literal | model.AnonymousIndividual] = {}
        for one in told:
            values.setdefault(one.property, one.value)
        name, description = self.lines_of.names.entity(str(told[0].subject)), values.get(TAG_KINDS[tag][1])
        if name is None or not isinstance(description, Literal):
            return None
        scopes = [scope for scope in SCOPES if values.get(SCOPE) == synonym_property(scope)]
        return read_line(" ".join([f"{tag}:", name, string(description.lexical), *scopes]))

    def _alternatives(self) -> None:
        """Find the alternative identifiers whose clause says all that the document says of the old classes."""
        stated: set[Statement] = {*self.document.declarations, *self.document.annotation_assertions}
        counts = Counter(told.subject for told in self.document.annotation_assertions)
        names = self.lines_of.names.names
        for told in self.document.annotation_assertions:
            if (
                told.property != TEXTS["alt_id"]
                or not isinstance(told.value, Literal)
                or not isinstance(told.subject, str)
            ):
                continue
            line = f"alt_id: {free_text(told.value.lexical)}"
            clause = read_line(line)
            if clause is None or [*read_annotation(told.subject, clause, names)] != [told]:
                continue
            old = names.entity(first_word(clause))
            implied: set[Statement] = {Declaration(model.Class(old)), *deprecate(old, told.subject)}
            if implied <= stated:
                # An old class of which more is said has a stanza of its own, which says these, too.
                is_alone = counts[old] == len(implied) - 1
                self.covered |= {told, *implied} if is_alone else {told}
                self.alternatives.setdefault(told.subject, []).append(line)

    # ── Reading again ─────────────────────────────────────────────────────────────────────────────────────────────

    def _read(self, line: str, entity: Tagged) -> list[Statement] | None:
        """Return what the reader makes of a clause in the stanza of an entity."""
        clause = read_line(line)
        if clause is None:
            return None
        table = _TABLES[type(entity)]
        try:
            if clause.tag in table:
                return [*table[clause.tag](self.source, entity, clause)]
            return [*read_annotation(entity.iri, clause, self.source.names)] if is_annotation(clause.tag) else None
        except ParseError:
            return None

    def _defined(self, entity: Tagged, lines: tuple[str, ...], tag: str) -> list[Statement] | None:
        clauses = [read_line(line) for line in lines]
        if not isinstance(entity, model.Class) or None in clauses:
            return None
        try:
            known = [clause for clause in clauses if clause is not None]
            return [*define(self.source, entity, known, is_union=tag == "union_of")]
        except ParseError:
            return None

    # ── The text ──────────────────────────────────────────────────────────────────────────────────────────────────

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        has_namespaces = all(any(_tag(line) == "namespace" for line in lines) for lines in self.stanzas.values())
        header = WrittenHeader(self.document, self.identity, tuple(sorted(self.definitions)), has_namespaces)
        body = [line for lines in self.stanzas.values() for line in lines]
        yield from header.lines(self.lines_of, body)
        yield from (f"! not written ({one.reason}): {one_line(render(one.axiom))}" for one in self.unwritten)
        yield from owl_axioms((*self.rest, *header.as_assertions(self.lines_of)))
        for entity, clauses in sorted(self.stanzas.items(), key=lambda item: (_RANKS[type(item[0])], item[1][0])):
            yield ""
            yield f"[{HEADINGS[type(entity)]}]"
            yield from sorted(clauses, key=_clause_key)


_TABLES: dict[type, Mapping[str, Callable[..., Iterator[Statement]]]] = {
    model.Class: TERM,
    model.ObjectProperty: TYPEDEF,
    model.AnnotationProperty: METADATA,
}
_RANKS = {model.Class: 0, model.AnnotationProperty: 1, model.ObjectProperty: 1}


def _clause_key(line: str) -> tuple[int, str, str]:
    """Return what clauses are sorted by, a text before longer ones; the parts of a definition keep their order."""
    tag = _tag(line)
    is_sorted = tag not in ("intersection_of", "union_of")
    return ORDER.get(tag, len(ORDER)), line.lower().replace('"', "\0") if is_sorted else "", line if is_sorted else ""


def _tag(line: str) -> str:
    return line.partition(":")[0]


def _comparable(statement: Statement) -> object:
    """Return a statement without the order of what is a set: its annotations, and two classes that are equal."""
    plain = replace(statement, annotations=tuple(sorted(statement.annotations, key=render)))
    if isinstance(plain, ax.EquivalentClasses | ax.DisjointClasses):
        return type(plain), frozenset(plain.operands), plain.annotations
    return plain


def _definition_last(axiom: Axiom) -> Axiom:
    match axiom:
        case ax.EquivalentClasses((first, model.Class() as cls)) if not isinstance(first, model.Class):
            return replace(axiom, operands=(cls, first))
    return axiom


def _shorthands(
    properties: Sequence[model.ObjectProperty | model.AnnotationProperty], told: Mapping[str, list[AnnotationAssertion]]
) -> tuple[dict[str, str], list[Stanza]]:
    """Return the identifiers without prefix that relations have by their annotations, and the stanzas that say so."""
    names: dict[str, str] = {}
    stanzas: list[Stanza] = []
    for one in properties:
        texts = [
            (note.property, note.value.lexical) for note in told.get(one.iri, ()) if isinstance(note.value, Literal)
        ]
        identifier = next((text for property_, text in texts if property_ == IDENTIFIER), None)
        if identifier is not None and identifier not in names.values():
            references = [Clause("xref", text, 1) for property_, text in texts if property_ == CROSS_REFERENCE]
            names[one.iri] = identifier
            stanzas.append(Stanza("Typedef", (Clause("id", identifier, 1), *references), 1))
    return names, stanzas
