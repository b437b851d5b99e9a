"""The header of an OBO file: what the ontology is called, imports and says of itself."""

from __future__ import annotations

from collections.abc import Iterator

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration, UnreadAxiom
from moose.owl.model.expressions import AnnotationProperty, Literal
from moose.owl.model.vocabulary import LABEL_IRI, OBO, OWL
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.obo.annotation_clauses import COMMENT, free_text, property_value
from moose.owl.syntax.obo.clauses import Clause, Stanza, first_word, parse_value, unescape
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL, Identifiers, is_absolute

_PROPERTIES = {
    "remark": COMMENT,
    "format-version": OBO_IN_OWL + "hasOBOFormatVersion",
    "data-version": OWL + "versionInfo",
}
# These are read for what they do, not kept as annotations.
_ACTING = frozenset({"ontology", "import", "idspace", "owl-axioms", "subsetdef", "synonymtypedef"})


def identity(header: Stanza) -> tuple[str | None, str | None]:
    """Return the IRIs of the ontology and of its version, as releases of the OBO Foundry have them."""
    found = {clause.tag: first_word(clause) for clause in header.clauses}
    name, version = found.get("ontology", ""), found.get("data-version", "")
    iri = name if is_absolute(name) or not name else f"{OBO}{name}.owl"
    if is_absolute(version) and iri:
        return iri, version
    is_release = bool(version) and iri != name
    return iri or None, f"{OBO}{name}/{version}/{name}.owl" if is_release else None


def imports(header: Stanza) -> Iterator[str]:
    """Return the IRIs of the imported ontologies."""
    for clause in header.clauses:
        if clause.tag == "import":
            name = first_word(clause)
            suffix = "" if name.endswith((".owl", ".obo")) else ".owl"
            yield name if is_absolute(name) else f"{OBO}{name}{suffix}"


def header_annotations(header: Stanza, names: Identifiers) -> Iterator[Annotation]:
    """Return what the header says of the ontology itself."""
    for clause in header.clauses:
        if clause.tag == "property_value":
            yield property_value(clause, names)
        elif clause.tag not in _ACTING:
            yield Annotation(_PROPERTIES.get(clause.tag, OBO_IN_OWL + clause.tag), Literal(free_text(clause)))


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
            yield from _tag_definition(clause, names, where)


def _tag_definition(clause: Clause, names: Identifiers, where: str) -> Iterator[Declaration | AnnotationAssertion]:
    """Read the definition of a subset or of a kind of synonym: an annotation property with a description."""
    iri = names.entity(first_word(clause))
    yield Declaration(AnnotationProperty(iri))
    for described in parse_value(clause, where).of("string")[:1]:
        yield AnnotationAssertion(COMMENT if clause.tag == "subsetdef" else LABEL_IRI, iri, Literal(described))
