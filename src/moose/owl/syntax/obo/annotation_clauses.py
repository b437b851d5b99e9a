"""The clauses of an OBO file that carry no logic: names, definitions, synonyms, cross-references and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from moose.base.errors import ParseError
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Annotations
from moose.owl.model.expressions import LABEL_IRI, OBO, OWL, RDFS, XSD, Literal
from moose.owl.syntax.obo.clauses import Clause, Value, parse_value, unescape
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL, Identifiers

COMMENT = RDFS + "comment"
CROSS_REFERENCE = OBO_IN_OWL + "hasDbXref"
REPLACED_BY = OBO + "IAO_0100001"
DEPRECATED = OWL + "deprecated"
NAMESPACE = OBO_IN_OWL + "hasOBONamespace"

TEXTS = {
    "id": OBO_IN_OWL + "id",
    "name": LABEL_IRI,
    "comment": COMMENT,
    "namespace": NAMESPACE,
    "alt_id": OBO_IN_OWL + "hasAlternativeId",
    "created_by": OBO_IN_OWL + "created_by",
    "creation_date": OBO_IN_OWL + "creation_date",
}
QUOTED = {
    "def": OBO + "IAO_0000115",
    "expand_expression_to": OBO + "IAO_0000424",
    "expand_assertion_to": OBO + "IAO_0000425",
}
ENTITIES = {
    "replaced_by": REPLACED_BY,
    "consider": OBO_IN_OWL + "consider",
    "subset": OBO_IN_OWL + "inSubset",
}
# What holds of the relation itself or of its entry in the file, not of the individuals it relates.
FLAGS = {
    **{
        tag: OBO_IN_OWL + tag
        for tag in ("builtin", "is_anonymous", "is_class_level", "is_cyclic", "is_metadata_tag", "use_term")
    },
    "is_obsolete": DEPRECATED,
}
_SYNONYMS = {
    "synonym": "",
    "exact_synonym": "EXACT",
    "broad_synonym": "BROAD",
    "narrow_synonym": "NARROW",
    "related_synonym": "RELATED",
}
_REFERENCES = frozenset({"xref", "xref_analog", "xref_unk"})
WITHOUT_LOGIC = frozenset([*TEXTS, *QUOTED, *ENTITIES, *FLAGS, *_SYNONYMS, *_REFERENCES, "property_value"])
"""Tags that carry no logic."""
SCOPES = ("EXACT", "BROAD", "NARROW", "RELATED")
_MEANT = frozenset(
    {"cardinality", "minCardinality", "maxCardinality", "all_some", "all_only", "gci_relation", "gci_filler"}
)
_TRAILING_COMMENT = re.compile(r"(?<!\\)\s!.*", re.DOTALL)
_TRAILING_QUALIFIERS = re.compile(r'\{[^{}="]+="[^"\\]*(?:\\.[^"\\]*)*"[^{}]*\}\s*$')
_REFERENCE = re.compile(r'(?:[^,"\\]|\\.|"[^"\\]*(?:\\.[^"\\]*)*")+')


def free_text(clause: Clause) -> str:
    """Return a value that is not quoted, without its comment and qualifiers."""
    return unescape(_TRAILING_QUALIFIERS.sub("", _TRAILING_COMMENT.sub("", clause.value)).strip())


def qualifier_annotations(value: Value, names: Identifiers) -> Annotations:
    """Return the qualifiers of a clause as annotations, but not those that are part of its meaning."""
    if not value.qualifiers:
        return ()
    return tuple(
        Annotation(_property(key, names), Literal(text)) for key, text in value.qualifiers if key not in _MEANT
    )


def _property(tag: str, names: Identifiers) -> str:
    if ":" in tag:
        return names.entity(tag)
    if tag == "xref":
        return CROSS_REFERENCE
    return TEXTS.get(tag) or QUOTED.get(tag) or ENTITIES.get(tag) or OBO_IN_OWL + tag


def is_annotation(tag: str) -> bool:
    """Return whether a tag carries no logic."""
    return tag in WITHOUT_LOGIC


def read_annotation(subject: str, clause: Clause, names: Identifiers) -> Iterator[AnnotationAssertion]:
    """Return what a clause without logic says of its subject; a broken one is kept as plain text."""
    if clause.tag in TEXTS:
        yield AnnotationAssertion(TEXTS[clause.tag], subject, Literal(free_text(clause)), _behind_text(clause, names))
        return
    try:
        value = parse_value(clause, "")
    except ParseError:
        yield AnnotationAssertion(_property(clause.tag, names), subject, Literal(clause.value))
        return
    assertion = _assertion(clause, value, names)
    yield AnnotationAssertion(
        assertion.property, subject, assertion.value, assertion.annotations + qualifier_annotations(value, names)
    )


def _behind_text(clause: Clause, names: Identifiers) -> Annotations:
    """Return the qualifiers that stand behind a value that is not quoted, as annotations."""
    found = _TRAILING_QUALIFIERS.search(_TRAILING_COMMENT.sub("", clause.value).strip())
    if found is None:
        return ()
    try:
        return qualifier_annotations(parse_value(Clause(clause.tag, found[0], clause.line), ""), names)
    except ParseError:
        return ()


def _assertion(clause: Clause, value: Value, names: Identifiers) -> Annotation:
    words, strings = value.of("word"), value.of("string")
    if clause.tag in QUOTED and strings:
        return Annotation(QUOTED[clause.tag], Literal(strings[0]), _references(value))
    if clause.tag in ENTITIES and words:
        return Annotation(ENTITIES[clause.tag], names.entity(words[0]))
    if clause.tag in FLAGS and words:
        return Annotation(FLAGS[clause.tag], Literal(words[0], XSD + "boolean"))
    if clause.tag in _SYNONYMS and strings:
        return _synonym(clause, value, names)
    if clause.tag in _REFERENCES and words:
        described = tuple(Annotation(LABEL_IRI, Literal(text)) for text in strings[:1])
        return Annotation(CROSS_REFERENCE, Literal(" ".join(words)), described)
    if clause.tag == "property_value" and words:
        return Annotation(names.relation(words[0]), _pointed_at(value, names))
    return Annotation(_property(clause.tag, names), Literal(clause.value))


def _pointed_at(value: Value, names: Identifiers) -> str | Literal:
    """`rel "text" xsd:type`, or `rel identifier`."""
    words, strings = value.of("word"), value.of("string")
    if strings:
        return Literal(strings[0], names.entity(words[1])) if len(words) > 1 else Literal(strings[0])
    return names.entity(words[1]) if len(words) > 1 else Literal("")


def synonym_property(scope: str) -> str:
    """Return the property by which a synonym of a scope is said."""
    return f"{OBO_IN_OWL}has{scope.title()}Synonym"


def _synonym(clause: Clause, value: Value, names: Identifiers) -> Annotation:
    words = value.of("word")
    scope = _SYNONYMS[clause.tag] or next((word for word in words if word in SCOPES), "RELATED")
    kinds = tuple(word for word in words if word not in SCOPES)
    typed = tuple(Annotation(OBO_IN_OWL + "hasSynonymType", names.entity(kind)) for kind in kinds[:1])
    return Annotation(synonym_property(scope), Literal(value.of("string")[0]), _references(value) + typed)


def _references(value: Value) -> Annotations:
    """Return the cross-references of a definition or a synonym, which stand in brackets, parted by commas."""
    annotations: list[Annotation] = []
    for bracketed in value.of("list"):
        for item in _REFERENCE.findall(bracketed[1:-1]):
            reference = item.partition('"')[0].strip()
            if reference:
                annotations.append(Annotation(CROSS_REFERENCE, Literal(unescape(reference))))
    return tuple(annotations)


def property_value(clause: Clause, names: Identifiers) -> Annotation:
    """Return what a `property_value:` of the header says."""
    try:
        return _assertion(clause, parse_value(clause, ""), names)
    except ParseError:
        return Annotation(OBO_IN_OWL + clause.tag, Literal(clause.value))


def deprecate(old: str, new: str) -> Iterator[AnnotationAssertion]:
    """Say of an alternative identifier that it is out of use, and what has taken its place."""
    yield AnnotationAssertion(DEPRECATED, old, Literal("true", XSD + "boolean"))
    yield AnnotationAssertion(REPLACED_BY, old, new)
