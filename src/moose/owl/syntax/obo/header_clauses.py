"""What the header of an OBO file says: the IRIs of the ontology, its imports and annotations, what its tags mean."""

from __future__ import annotations

from collections.abc import Iterator

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration
from moose.owl.model.expressions import LABEL_IRI, OBO, OWL, RDFS, AnnotationProperty, Literal
from moose.owl.syntax.common.unwritable import writable_iri
from moose.owl.syntax.obo.annotation_clauses import COMMENT, SCOPES, free_text, property_value, synonym_property
from moose.owl.syntax.obo.clauses import Clause, Stanza, first_word, parse_value
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL, Identifiers, is_absolute

SUB_PROPERTY = RDFS + "subPropertyOf"
SCOPE = OBO_IN_OWL + "hasScope"
TAG_KINDS = {
    "subsetdef": (OBO_IN_OWL + "SubsetProperty", COMMENT),
    "synonymtypedef": (OBO_IN_OWL + "SynonymTypeProperty", LABEL_IRI),
}
"""What a subset and a kind of synonym are below, and by which property they are described."""

_PROPERTIES = {
    "remark": COMMENT,
    "format-version": OBO_IN_OWL + "hasOBOFormatVersion",
    "data-version": OWL + "versionInfo",
}
# These are read for what they do, not kept as annotations.
_ACTING = frozenset({"ontology", "import", "idspace", "owl-axioms", "subsetdef", "synonymtypedef"})


def identity(header: Stanza) -> tuple[str | None, str | None]:
    """Return the IRIs of the ontology and of its version, as releases of the OBO Foundry have them."""
    values = {clause.tag: first_word(clause) for clause in header.clauses}
    name, version = (writable_iri(values.get(tag, "")) for tag in ("ontology", "data-version"))
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


def tag_definition(clause: Clause, names: Identifiers, where: str) -> Iterator[Declaration | AnnotationAssertion]:
    """Read what defines a subset or a kind of synonym: an annotation property, described, with a scope or not."""
    iri = names.entity(first_word(clause))
    above, description = TAG_KINDS[clause.tag]
    value = parse_value(clause, where)
    yield Declaration(AnnotationProperty(iri))
    yield AnnotationAssertion(SUB_PROPERTY, iri, above)
    for described in value.of("string")[:1]:
        yield AnnotationAssertion(description, iri, Literal(described))
    if clause.tag == "synonymtypedef":
        for scope in [word for word in value.of("word")[1:] if word in SCOPES][:1]:
            yield AnnotationAssertion(SCOPE, iri, synonym_property(scope))
