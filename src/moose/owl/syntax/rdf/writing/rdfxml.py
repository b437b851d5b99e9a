"""RDF/XML with nested nodes, as ontologies are usually exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from moose.base.errors import MooseError
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import RDF, STRING_IRI, Literal
from moose.owl.syntax.common.abbreviation import absolute_iri, written_prefixes
from moose.owl.syntax.common.written import Written
from moose.owl.syntax.common.xml_text import xml_attribute, xml_comment, xml_text
from moose.owl.syntax.rdf.rdf_vocabulary import NIL, RESERVED, TYPE
from moose.owl.syntax.rdf.writing.mapping import as_tree
from moose.owl.syntax.rdf.writing.tree import Blank, Listed, Object, Pairs, Subject, Tree, cells

# XML 1.0, fifth edition, productions 4 and 4a, without the colon; digits, dots and hyphens not at the beginning.
_LOCAL = re.compile(r"[^\W\d][\w.\-\u00b7]*\Z")
_SYNTAX_NAMES = frozenset(
    RDF + name for name in "RDF ID about parseType resource nodeID datatype Description li".split()
)
_STEP = "    "


def write_rdfxml(document: Document) -> Written:
    """Write a document."""
    tree, unwritten = as_tree(document)
    return Written("\n".join(_Writer(tree, document).lines()) + "\n", unwritten)


class _Writer:
    """Writes the blocks of one tree."""

    def __init__(self, tree: Tree, document: Document) -> None:
        self._tree = tree
        self._spaces = {name: space for name, space in written_prefixes(document.prefixes).items() if name != "xml"}
        self._names = {space: name for name, space in self._spaces.items() if name}
        self._lengths = sorted(set(map(len, self._names)), reverse=True)
        self._qualified: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the document; the root comes last into being, as it declares the namespaces."""
        body = [line for subject, pairs in self._tree.blocks() for line in ("", *self._node(subject, pairs, _STEP))]
        spaces = sorted(self._spaces.items())
        declared = [
            f"xmlns:{name}={xml_attribute(space)}" if name else f"xmlns={xml_attribute(space)}"
            for name, space in spaces
        ]
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield "<rdf:RDF " + "\n         ".join(declared) + ">"
        yield from (_STEP + xml_comment(comment) for comment in self._tree.comments)
        yield from body
        yield "</rdf:RDF>"

    # ── Nodes ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _node(self, subject: Subject, pairs: Pairs, indent: str) -> Iterator[str]:
        """Write what is said of a node, under its first type of OWL's own."""
        kind = next((value for word, value in pairs if word == TYPE and _is_word(value)), None)
        element = self._name(str(kind)) if kind is not None else "rdf:Description"
        opening = f"{indent}<{element}{self._identity(subject)}"
        rest = [*pairs]
        if kind is not None:
            rest.remove((TYPE, kind))
        if not rest:
            yield f"{opening}/>"
            return
        yield f"{opening}>"
        for word, value in rest:
            yield from self._property(word, value, indent + _STEP)
        yield f"{indent}</{element}>"

    def _identity(self, subject: Subject) -> str:
        if isinstance(subject, str):
            return f" rdf:about={xml_attribute(absolute_iri(subject, 'RDF/XML'))}"
        is_bare = self._tree.is_inside(subject) or (subject.uses == 0 and subject.name is None)
        return "" if is_bare else f' rdf:nodeID="{subject.label}"'

    def _property(self, word: str, value: Object, indent: str) -> Iterator[str]:
        element = self._name(word)
        opening = f"{indent}<{element}"
        if isinstance(value, Listed) and any(isinstance(item, Literal) for item in value.items):
            value = cells(value.items, "")
            assert isinstance(value, Blank), "there is an item"
            value.uses = 1
        if isinstance(value, Listed) and not value.items:
            value = NIL
        if isinstance(value, str):
            yield f"{opening} rdf:resource={xml_attribute(absolute_iri(value, 'RDF/XML'))}/>"
        elif isinstance(value, Literal):
            yield f"{opening}{self._type(value)}>{xml_text(value.lexical)}</{element}>"
        elif isinstance(value, Listed):
            yield f'{opening} rdf:parseType="Collection">'
            yield from self._items(value.items, indent + _STEP)
            yield f"{indent}</{element}>"
        elif self._tree.is_inside(value):
            yield f"{opening}>"
            yield from self._node(value, value.pairs, indent + _STEP)
            yield f"{indent}</{element}>"
        else:
            yield f'{opening} rdf:nodeID="{value.label}"/>'

    def _items(self, items: Iterable[Object], indent: str) -> Iterator[str]:
        for item in items:
            assert isinstance(item, str | Blank), "a list with literals is written as cells"
            is_nested = isinstance(item, Blank) and self._tree.is_inside(item)
            yield from self._node(item, item.pairs if isinstance(item, Blank) and is_nested else [], indent)

    def _type(self, literal: Literal) -> str:
        if literal.language:
            return f" xml:lang={xml_attribute(literal.language)}"
        if literal.datatype == STRING_IRI:
            return ""
        return f" rdf:datatype={xml_attribute(absolute_iri(literal.datatype, 'RDF/XML'))}"

    # ── Names of elements ─────────────────────────────────────────────────────────────────────────────────────────

    def _name(self, iri: str) -> str:
        """Return the qualified name of an element, whose namespace is declared by the root."""
        if iri not in self._qualified:
            self._qualified[iri] = self._qualify(iri)
        return self._qualified[iri]

    def _qualify(self, iri: str) -> str:
        if iri in _SYNTAX_NAMES:
            raise _unnameable(iri)
        for length in self._lengths:
            name = self._names.get(iri[:length]) if length < len(iri) else None
            if name is not None and _LOCAL.match(iri, length):
                return f"{name}:{iri[length:]}"
        split = next((at for at in range(1, len(iri)) if _LOCAL.match(iri, at) and not _LOCAL.match(iri, at - 1)), None)
        if split is None:
            raise _unnameable(iri)
        space = iri[:split]
        number = 1
        while f"ns{number}" in self._spaces:
            number += 1
        self._spaces[f"ns{number}"] = space
        self._names[space] = f"ns{number}"
        self._lengths = sorted(set(map(len, self._names)), reverse=True)
        return f"ns{number}:{iri[split:]}"


def _is_word(value: Object) -> bool:
    return isinstance(value, str) and value.startswith(RESERVED)


def _unnameable(iri: str) -> MooseError:
    return MooseError(
        f"expected properties whose IRIs end in a name, to write RDF/XML, but got <{iri}>, which no XML element can "
        "stand for; write Turtle instead"
    )
