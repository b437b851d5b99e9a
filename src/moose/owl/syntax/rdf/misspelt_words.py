"""Words in the namespaces of OWL and RDF that are none of theirs: which one somebody may have meant."""

from __future__ import annotations

from collections.abc import Collection

from moose.base.suggestions import close_matches
from moose.owl.model.expressions import NOTHING_IRI, OWL, RDF, RDFS, THING_IRI, AnnotationProperty
from moose.owl.syntax.rdf.rdf_vocabulary import (
    ALL_DIFFERENT,
    ALL_DISJOINT_CLASSES,
    ALL_DISJOINT_PROPERTIES,
    ANNOTATION,
    AXIOM,
    BUILT_IN,
    CHARACTERISTICS,
    DECLARED_AS,
    DIFFERENT_FROM,
    DISJOINT_PROPERTY,
    DISJOINT_UNION,
    DISJOINT_WITH,
    DOMAIN,
    EQUIVALENT_CLASS,
    EQUIVALENT_PROPERTY,
    EXPRESSION_PARTS,
    FIRST,
    FUNCTIONAL,
    HAS_KEY,
    IMPORTS,
    NEGATIVE_ASSERTION,
    NODE_PARTS,
    ONTOLOGY,
    PROPERTY_CHAIN,
    RANGE,
    RESERVED,
    REST,
    RESTRICTION,
    SAME_AS,
    SUB_CLASS,
    SUB_PROPERTY,
    TYPE,
    VERSION,
)

PREFIXES = {"owl": OWL, "rdf": RDF, "rdfs": RDFS}
LEAST_ALIKE = 0.75
"""How alike a word must be: `someValueFrom`, `labl`; words of the user's own namespaces are never looked at."""

PREDICATES = (
    *(SUB_CLASS, EQUIVALENT_CLASS, DISJOINT_WITH, DISJOINT_UNION, HAS_KEY, SUB_PROPERTY, PROPERTY_CHAIN),
    *(EQUIVALENT_PROPERTY, DISJOINT_PROPERTY, DOMAIN, RANGE, SAME_AS, DIFFERENT_FROM),
    *(TYPE, FIRST, REST, IMPORTS, VERSION),
    *sorted(EXPRESSION_PARTS | NODE_PARTS),
    *BUILT_IN[AnnotationProperty],
)
"""What may stand between a subject and a value."""
TYPES = (
    *(*DECLARED_AS, *CHARACTERISTICS, FUNCTIONAL, RESTRICTION, ONTOLOGY, THING_IRI, NOTHING_IRI),
    *(AXIOM, ANNOTATION, NEGATIVE_ASSERTION, ALL_DIFFERENT, ALL_DISJOINT_CLASSES, ALL_DISJOINT_PROPERTIES),
)
"""What may stand where a class does."""


def meant(word: str, known: Collection[str]) -> str:
    """Return in brackets, for the end of a message, which known word may be meant by one of a reserved namespace.

    >>> meant("http://www.w3.org/2000/01/rdf-schema#subclassOf", PREDICATES)
    ' (did you mean rdfs:subClassOf?)'
    """
    space = word.removesuffix(_name(word))
    words: dict[str, str] = {}
    for one in sorted(known, key=lambda one: not one.startswith(space)):
        words.setdefault(_name(one).lower(), one)
    if not word.startswith(RESERVED) or word in known:
        return ""
    wanted = _name(word).lower()
    close = [wanted] if wanted in words else close_matches(wanted, words, most=1, least_alike=LEAST_ALIKE)
    return f" (did you mean {_short(words[close[0]])}?)" if close else ""


def _name(word: str) -> str:
    return word.rpartition("#")[2]


def _short(word: str) -> str:
    return next((f"{name}:{_name(word)}" for name, space in PREFIXES.items() if word.startswith(space)), f"<{word}>")
