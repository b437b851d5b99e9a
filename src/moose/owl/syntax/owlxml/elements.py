"""What each element of OWL/XML stands for, once everything inside it has been read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urljoin

from moose.owl.model import expressions as model
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, STANDARD_PREFIXES, STRING_IRI
from moose.owl.syntax.common import arguments
from moose.owl.syntax.common.arguments import IllFormed, Names, Sort, describe
from moose.owl.syntax.common.gathering import gather
from moose.owl.syntax.common.unwritable import writable_iri, writable_language, writable_node
from moose.owl.syntax.functional.constructors import CONSTRUCTS
from moose.owl.syntax.functional.functional_tokens import Memo, document_names

LANGUAGE = f"{STANDARD_PREFIXES['xml']} lang"
BASE = f"{STANDARD_PREFIXES['xml']} base"

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(slots=True)
class Element:
    """An element with what has been read of its content: the values of its children, its text."""

    name: str
    attributes: dict[str, str]
    base: str
    line: int
    arguments: list[object] = field(default_factory=list)
    text: str = ""


class Meanings:
    """What the elements of one document stand for; its prefixes become known on the way."""

    def __init__(self) -> None:
        self.prefixes: dict[str, str] = {}
        self._entities = document_names(self.prefixes)
        self._names = _without_bare_names(self._entities)

    def of(self, element: Element, parent: str) -> object:
        """Return the value of an element, None if it has none, or raise `IllFormed`."""
        special = _SPECIAL.get(element.name)
        if special is not None:
            if element.arguments:
                raise IllFormed(f"expected no elements inside, but got {describe(element.arguments[0])}")
            return special(self, element)
        if element.name == "Ontology":
            iri, version = element.attributes.get("ontologyIRI"), element.attributes.get("versionIRI")
            full = [absolute(name, element.base) if name else None for name in (iri, version)]
            return gather(element.arguments, self.prefixes, *full)
        if element.name == "AnnotationProperty" and parent != "Declaration":
            return self._iri_token(element)  # elsewhere the model has annotation properties as IRIs
        return CONSTRUCTS[element.name](self._leading(element) + element.arguments, self._names)

    def _leading(self, element: Element) -> list[object]:
        """Return the arguments that functional syntax writes first and OWL/XML as attributes or text."""
        if element.name in _NUMBERED:
            return [_attribute(element, "cardinality")]
        if element.name == "FacetRestriction":
            return [self._token(_attribute(element, "facet"), element.base)]
        if element.name == "Import":
            return [f"<{absolute(element.text.strip(), element.base)}>"]
        return [self._iri_token(element)] if element.name in _NAMED else []

    def entity(self, element: Element) -> object:
        """Return the class, property, individual or datatype that an element names."""
        return self._entities[_ENTITY_SORTS[element.name].index][self._iri_token(element)]

    def iri(self, element: Element) -> object:
        """Return the IRI that is an element's text, as the token that annotations expect."""
        return self._token(element.text.strip(), element.base)

    def abbreviated_iri(self, element: Element) -> object:
        """Return the IRI that an element's text abbreviates, as a token."""
        return f"<{self._expanded(element.text.strip())}>"

    def anonymous_individual(self, element: Element) -> object:
        """Return the individual that a nodeID names."""
        return model.AnonymousIndividual(writable_node(_attribute(element, "nodeID").removeprefix("_:")))

    def literal(self, element: Element) -> object:
        """Return the literal whose lexical form is an element's text, white space and all."""
        language = element.attributes.get(LANGUAGE)
        if language:
            return model.Literal(element.text, LANGUAGE_STRING_IRI, writable_language(language))
        datatype = element.attributes.get("datatypeIRI")
        return model.Literal(element.text, absolute(datatype, element.base) if datatype else STRING_IRI)

    def prefix(self, element: Element) -> object:
        """Take note of a prefix."""
        name, namespace = _attribute(element, "name"), absolute(_attribute(element, "IRI"), element.base)
        if self.prefixes.setdefault(name, namespace) != namespace:
            raise IllFormed(f"expected one declaration of {name}:, but it is already <{self.prefixes[name]}>; keep one")
        return None

    def _iri_token(self, element: Element) -> str:
        if "IRI" in element.attributes:
            return self._token(element.attributes["IRI"].strip(), element.base)
        if "abbreviatedIRI" in element.attributes:
            return f"<{self._expanded(element.attributes['abbreviatedIRI'].strip())}>"
        raise IllFormed("expected an attribute IRI or abbreviatedIRI, but there is neither; add one")

    def _token(self, iri: str, base: str) -> str:
        """Return an IRI as a token of functional syntax.

        Some writers put `prefix:name` where a full IRI belongs; with a declared prefix that is what it must mean.
        """
        prefix, colon, local = iri.partition(":")
        if colon and prefix in self.prefixes and not local.startswith("//"):
            return f"<{writable_iri(self.prefixes[prefix] + local)}>"
        return f"<{absolute(iri, base)}>"

    def _expanded(self, abbreviated: str) -> str:
        prefix, colon, local = abbreviated.partition(":")
        namespace = self.prefixes.get(prefix, STANDARD_PREFIXES.get(prefix))
        if not colon:
            raise IllFormed(f"expected an abbreviated IRI such as owl:Thing, but got {abbreviated!r}")
        if namespace is None:
            advice = f"write <Prefix name='{prefix}' IRI='…'/> at the beginning"
            raise IllFormed(f"the prefix of {abbreviated} is not declared; {advice}")
        return writable_iri(namespace + local)


def absolute(iri: str, base: str) -> str:
    """Return an IRI in full, given the base that a relative one continues."""
    iri = writable_iri(iri.strip())  # an anyURI, around which white space means nothing
    if _SCHEME.match(iri):
        return iri
    if not base:
        raise IllFormed(f"the IRI {iri!r} is relative, but there is no base; add xml:base or ontologyIRI to <Ontology>")
    if not iri or iri.startswith("#"):
        return writable_iri(base.partition("#")[0] + iri)
    try:
        return writable_iri(urljoin(base, iri))
    except ValueError as problem:
        raise IllFormed(f"expected an IRI, but got {iri!r} ({problem}); correct it") from None


def _attribute(element: Element, name: str) -> str:
    if name not in element.attributes:
        raise IllFormed(f"expected an attribute {name}, but there is none; add it")
    return element.attributes[name]


def _without_bare_names(names: Names) -> Names:
    """Refuse a bare IRI where an element must say which kind of entity it is."""

    def refused(sort: Sort) -> Memo:
        def refuse(token: str) -> object:
            raise IllFormed(f"expected {sort.phrase}, but got {describe(token)}", token)

        return Memo(refuse)

    refusing = {sort.index: refused(sort) for sort in (*_ENTITY_SORTS.values(), arguments.LITERAL)}
    return tuple(refusing.get(index, memo) for index, memo in enumerate(names))


_ENTITY_SORTS = {
    "Class": arguments.CLASS,
    "ObjectProperty": arguments.OBJECT_PROPERTY,
    "DataProperty": arguments.DATA_PROPERTY,
    "NamedIndividual": arguments.INDIVIDUAL,
    "Datatype": arguments.DATA_RANGE,
}
_NUMBERED = frozenset(name for name in CONSTRUCTS if name.endswith("Cardinality"))
_NAMED = frozenset(["AnnotationProperty", "Variable", "BuiltInAtom"])
_SPECIAL: dict[str, Callable[[Meanings, Element], object]] = {
    **dict.fromkeys(_ENTITY_SORTS, Meanings.entity),
    "IRI": Meanings.iri,
    "AbbreviatedIRI": Meanings.abbreviated_iri,
    "AnonymousIndividual": Meanings.anonymous_individual,
    "Literal": Meanings.literal,
    "Prefix": Meanings.prefix,
}
WITH_TEXT = frozenset(["IRI", "AbbreviatedIRI", "Literal", "Import"])
ELEMENTS = frozenset([*CONSTRUCTS, *_SPECIAL, "Ontology"])
