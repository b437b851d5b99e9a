"""Turtle and N-Triples, one triple a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import STRING_IRI, Literal
from moose.owl.syntax.common.abbreviation import Abbreviation, absolute_iri
from moose.owl.syntax.common.written import Written
from moose.owl.syntax.rdf.rdf_vocabulary import FIRST, NIL, REST, TYPE
from moose.owl.syntax.rdf.writing.mapping import as_tree
from moose.owl.syntax.rdf.writing.tree import Blank, Listed, Object, Pairs, Subject, Tree, cells

_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_NOT_IN_STRING = re.compile(r'[\x00-\x1f\x7f"\\]')
_NOT_IN_LONG_STRING = re.compile(r'[\x00-\x08\x0b-\x1f\x7f"\\]')
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def write_turtle(document: Document) -> Written:
    """Write a document with short names and nested blank nodes."""
    tree, unwritten = as_tree(document)
    writer = _Turtle(tree, Abbreviation(document.prefixes))
    return Written("\n".join(writer.lines()) + "\n", unwritten)


def write_ntriples(document: Document) -> Written:
    """Write a document as sorted lines of full triples."""
    tree, unwritten = as_tree(document)
    lines = sorted({line for subject, pairs in tree.blocks() for line in _flat(subject, pairs, tree)})
    return Written("".join(f"{line}\n" for line in [*(f"# {one}" for one in tree.comments), *lines]), unwritten)


def escaped_iri(iri: str, title: str) -> str:
    """Write an IRI in angle brackets."""
    return f"<{_NOT_IN_IRI.sub(_number, absolute_iri(iri, title))}>"


def _number(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04X}"


def _quoted(text: str) -> str:
    return '"' + _NOT_IN_STRING.sub(lambda found: _ESCAPES.get(found[0]) or _number(found), text) + '"'


def _quoted_for_turtle(text: str) -> str:
    """Write a text; line ends and tabs stand as they are, as the OWLAPI's parser takes an escaped one for a letter."""
    escaped = _NOT_IN_LONG_STRING.sub(lambda found: _ESCAPES.get(found[0]) or _number(found), text)
    return f'"""{escaped}"""' if "\n" in text else f'"{escaped}"'


class _Turtle:
    """Writes the blocks of one tree."""

    def __init__(self, tree: Tree, names: Abbreviation) -> None:
        self._tree = tree
        self._names = names

    def lines(self) -> Iterator[str]:
        """Yield the lines of the document."""
        for name, space in self._names.prefixes.items():
            yield f"@prefix {name}: {escaped_iri(space, 'Turtle')} ."
        for comment in self._tree.comments:
            yield f"# {comment}"
        for subject, pairs in self._tree.blocks():
            yield ""
            first = "[]" if isinstance(subject, Blank) and self._is_bare(subject) else self._term(subject)
            parts = [f"{self._predicate(word)} {self._term(value)}" for word, value in pairs]
            yield f"{first} " + " ;\n    ".join(parts) + " ."

    def _is_bare(self, blank: Blank) -> bool:
        return blank.uses == 0 and blank.name is None

    def _predicate(self, word: str) -> str:
        return "a" if word == TYPE else self._iri(word)

    def _iri(self, iri: str) -> str:
        return self._names.short(iri) or escaped_iri(iri, "Turtle")

    def _term(self, value: Object) -> str:
        if isinstance(value, str):
            return self._iri(value)
        if isinstance(value, Literal):
            return self._literal(value)
        if isinstance(value, Listed):
            return f"( {' '.join(map(self._term, value.items))} )" if value.items else self._iri(NIL)
        if not self._tree.is_inside(value):
            return f"_:{value.label}"
        parts = (f"{self._predicate(word)} {self._term(inner)}" for word, inner in value.pairs)
        return f"[ {' ; '.join(parts)} ]"

    def _literal(self, literal: Literal) -> str:
        text = _quoted_for_turtle(literal.lexical)
        if literal.language:
            return f"{text}@{literal.language}"
        return text if literal.datatype == STRING_IRI else f"{text}^^{self._iri(literal.datatype)}"


# ── N-Triples ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _flat(subject: Subject, pairs: Pairs, tree: Tree) -> Iterator[str]:
    """Yield the triples of a subject and of the blank nodes inside it."""
    waiting: list[tuple[Subject, Pairs]] = [(subject, pairs)]
    while waiting:
        node, told = waiting.pop()
        for number, (word, value) in enumerate(told):
            term = value
            if isinstance(value, Listed):
                seed = node.seed if isinstance(node, Blank) else node
                term = cells(value.items, f"{seed} {word} {number}")
                waiting.append((term, term.pairs)) if isinstance(term, Blank) else None
            elif isinstance(value, Blank) and (tree.is_inside(value) or word in (FIRST, REST)) and value.name is None:
                waiting.append((value, value.pairs))
            yield f"{_plain(node)} {_plain(word)} {_plain(term)} ."


def _plain(term: Object) -> str:
    if isinstance(term, str):
        return escaped_iri(term, "N-Triples")
    if isinstance(term, Blank):
        return f"_:{term.label}"
    assert isinstance(term, Literal), "lists are cells here"
    text = _quoted(term.lexical)
    if term.language:
        return f"{text}@{term.language}"
    return text if term.datatype == STRING_IRI else f"{text}^^{escaped_iri(term.datatype, 'N-Triples')}"
