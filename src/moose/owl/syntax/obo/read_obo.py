"""Read ontologies in OBO flat file format (1.0 to 1.4) as OWL: the header, then stanza by stanza.

The clauses are read here. py-horned-owl 2.0.0 drops `transitive_over`, `holds_over_chain`, `owl-axioms` and, between
relations, `disjoint_from` and `equivalent_to`, and reads `{maxCardinality="2"}`, `{cardinality="0"}` and
`{all_only="true"}` as if they said "some", all without a word: what followed from such an ontology would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from moose.base.errors import ParseError
from moose.base.memory import paused_collection
from moose.base.suggestions import close_matches
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, Document, UnreadAxiom
from moose.owl.model.expressions import (
    OBO,
    AnnotationProperty,
    Class,
    Entity,
    Literal,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.obo.annotation_clauses import (
    NAMESPACE,
    WITHOUT_LOGIC,
    deprecate,
    free_text,
    is_annotation,
    read_annotation,
)
from moose.owl.syntax.obo.clauses import Clause, Stanza, first_word, parse_value, refuse, split_stanzas, unescape
from moose.owl.syntax.obo.header_clauses import header_annotations, identity, imports, tag_definition
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL, Identifiers
from moose.owl.syntax.obo.relation_clauses import INSTANCE, METADATA, TYPEDEF
from moose.owl.syntax.obo.term_clauses import TERM, Reading, Source, define, unread

GROUPED = ("intersection_of", "union_of")
"""Tags of terms whose clauses say one thing together."""
LEAST_ALIKE = 0.75
"""How alike a tag is to the one that is meant: `is_aa`, `intersection`."""


def read_obo(text: str, where: str, *, known: Iterable[Entity] = ()) -> Document:
    r"""Return what an OBO file says; `where` is its name for error messages, `known` what other documents declare.

    >>> read_obo("format-version: 1.4\n\n[Term]\nid: EX:1\nis_a: EX:2 ! two", "ex.obo").axioms[0].sup
    Class(iri='http://purl.obolibrary.org/obo/EX_2')
    """
    with paused_collection():
        return _read(text, where, known)


def _read(text: str, where: str, known: Iterable[Entity]) -> Document:
    header, *stanzas = split_stanzas(text, where)
    tags = {clause.tag: clause for clause in header.clauses}
    if not stanzas and not tags.keys() & {"format-version", "ontology"}:
        raise ParseError(f"{where}: expected a header such as 'format-version: 1.4' or a stanza such as '[Term]'")
    names = Identifiers(header, stanzas, where)
    namespace = free_text(tags["default-namespace"]) if "default-namespace" in tags else ""
    statements: list[Statement] = [*header_statements(header, names, where)]
    statements += read_stanzas(stanzas, _source(stanzas, names, where, known), namespace)
    iri, version_iri = identity(header)
    assertions = [item for item in statements if isinstance(item, AnnotationAssertion)]
    own = (Annotation(one.property, one.value, one.annotations) for one in assertions if one.subject == iri)
    return Document(
        iri,
        version_iri,
        tuple(imports(header)),
        (*header_annotations(header, names), *own),
        tuple(item for item in statements if isinstance(item, Declaration)),
        tuple(item for item in statements if not isinstance(item, Declaration | AnnotationAssertion)),
        tuple(one for one in assertions if one.subject != iri),
        {"obo": OBO, "oboInOwl": OBO_IN_OWL, **names.declared},
    )


# ── The header ────────────────────────────────────────────────────────────────────────────────────────────────────


def header_statements(
    header: Stanza, names: Identifiers, where: str
) -> Iterator[Axiom | Declaration | AnnotationAssertion]:
    """Return the statements that stand in the header, or that it asks for."""
    for clause in header.clauses:
        if clause.tag == "owl-axioms":
            inner = read_functional(unescape(clause.value), f"{where}:{clause.line} (owl-axioms)")
            yield from (*inner.declarations, *inner.axioms, *inner.annotation_assertions)
        elif clause.tag.startswith("treat-xrefs-as-"):
            yield UnreadAxiom(
                f"{clause.tag}: {clause.value}",
                "cross-references are not made into axioms; expand this macro with an OBO tool if that is meant",
            )
        elif clause.tag in ("subsetdef", "synonymtypedef"):
            yield from tag_definition(clause, names, where)


# ── The stanzas ───────────────────────────────────────────────────────────────────────────────────────────────────

S = TypeVar("S", Class, ObjectProperty, AnnotationProperty, NamedIndividual)
Statement = Axiom | Declaration | AnnotationAssertion


def _source(stanzas: list[Stanza], names: Identifiers, where: str, known: Iterable[Entity]) -> Source:
    """Return what is known of relations before any stanza is read: here, or where other documents declare them."""
    listed = tuple(known)
    own = frozenset(names.relation(_identifier(stanza)) for stanza in stanzas if stanza.heading == "Typedef")
    own_tags = _flagged(stanzas, names, "is_metadata_tag")
    elsewhere = {entity.iri for entity in listed if isinstance(entity, AnnotationProperty)}
    elsewhere -= {entity.iri for entity in listed if isinstance(entity, ObjectProperty)}
    tags = own_tags | (elsewhere - own)
    return Source(where, names, _flagged(stanzas, names, "is_class_level"), own - own_tags, tags)


def read_stanzas(stanzas: list[Stanza], source: Source, namespace: str) -> Iterator[Statement]:
    """Return what the stanzas say; a stanza without a namespace is in the default one."""
    for stanza in stanzas:
        if stanza.heading not in ("Term", "Typedef", "Instance"):
            written = "; ".join(f"{clause.tag}: {clause.value}" for clause in stanza.clauses)
            yield UnreadAxiom(
                f"[{stanza.heading}] {written}", "only [Term], [Typedef] and [Instance] stanzas are known"
            )
            continue
        subject = _subject(stanza, source)
        yield Declaration(subject)
        yield from _statements(stanza, subject, source)
        if namespace and not any(clause.tag == "namespace" for clause in stanza.clauses):
            yield AnnotationAssertion(NAMESPACE, subject.iri, Literal(namespace))


def _flagged(stanzas: list[Stanza], names: Identifiers, flag: str) -> frozenset[str]:
    """Return the relations whose stanza sets a flag."""
    return frozenset(
        names.relation(_identifier(stanza))
        for stanza in stanzas
        if stanza.heading == "Typedef"
        and any(clause.tag == flag and first_word(clause) == "true" for clause in stanza.clauses)
    )


def _identifier(stanza: Stanza) -> str:
    return next((first_word(clause) for clause in stanza.clauses if clause.tag == "id"), "")


def _subject(stanza: Stanza, source: Source) -> Class | ObjectProperty | AnnotationProperty | NamedIndividual:
    """Return what a stanza is about, which its one `id:` says."""
    identifiers = [clause for clause in stanza.clauses if clause.tag == "id"]
    if not identifiers:
        refuse(source.where, stanza.line, f"expected 'id: …' under [{stanza.heading}], but there is none")
    if len(identifiers) > 1:
        refuse(source.where, identifiers[1].line, "expected a new heading before a second 'id:', but none came")
    words = parse_value(identifiers[0], source.where).of("word")
    if len(words) != 1:
        source.fail(identifiers[0], "'id: ' and one identifier")
    if stanza.heading == "Term":
        return source.cls(words[0])
    if stanza.heading == "Instance":
        return NamedIndividual(source.names.entity(words[0]))
    role = source.role(words[0])
    return role if role.iri in source.relations else AnnotationProperty(role.iri)


def _statements(
    stanza: Stanza, subject: Class | ObjectProperty | AnnotationProperty | NamedIndividual, source: Source
) -> Iterator[Statement]:
    if isinstance(subject, ObjectProperty):
        yield from _clauses(stanza.clauses, subject, TYPEDEF, source)
    elif isinstance(subject, AnnotationProperty):
        yield from _clauses(stanza.clauses, subject, METADATA, source)
    elif isinstance(subject, NamedIndividual):
        yield from _clauses(stanza.clauses, subject, INSTANCE, source)
    else:
        yield from _term(stanza.clauses, subject, source)


def _clauses(
    clauses: tuple[Clause, ...], subject: S, readings: Mapping[str, Reading[S]], source: Source
) -> Iterator[Statement]:
    for clause in clauses:
        reading = readings.get(clause.tag)
        if reading is not None:
            yield from reading(source, subject, clause)
        elif is_annotation(clause.tag):
            yield from read_annotation(subject.iri, clause, source.names)
        else:
            known = [*readings, *(GROUPED if isinstance(subject, Class) else ()), *sorted(WITHOUT_LOGIC)]
            close = close_matches(clause.tag.lower(), known, most=1, least_alike=LEAST_ALIKE)
            hint = f" (did you mean {close[0]}?)" if close else ""
            yield unread(subject.iri, clause, f"the tag '{clause.tag}' is not known here{hint}")


def _term(clauses: tuple[Clause, ...], cls: Class, source: Source) -> Iterator[Statement]:
    for tag in GROUPED:
        group = [clause for clause in clauses if clause.tag == tag]
        if group:
            yield from define(source, cls, group, is_union=tag == "union_of")
    others = tuple(clause for clause in clauses if clause.tag not in GROUPED)
    yield from _clauses(others, cls, TERM, source)
    for clause in clauses:
        if clause.tag == "alt_id":
            old = source.cls(first_word(clause))
            yield Declaration(old)
            yield from deprecate(old.iri, cls.iri)
