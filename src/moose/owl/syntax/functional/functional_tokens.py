"""The tokens of functional syntax: how text is cut into them, where they stand, what a bare one means in each sort."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Protocol, TypeVar

from moose.owl.model import expressions as model
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, STANDARD_PREFIXES
from moose.owl.syntax.common import arguments
from moose.owl.syntax.common.arguments import IllFormed, Names, Sort, describe

# White space and comments are skipped before each token. A name with its parenthesis is one token. What fits nothing
# is a token of one character, refused where it is used; the empty token at the end keeps the search linear there.
_SKIP = r"(?:\s*+\#[^\r\n]*+)*+\s*+"
_QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ANNEX = r'(?:\s*+(?:@[A-Za-z0-9-]++|\^\^\s*+(?:<[^<>\s]*+>|[^\s()"<>\#]++)))?+'
_REST = rf'<[^<>\s]*+>|[A-Za-z]++\s*+\(|{_QUOTED}{_ANNEX}|[^\s()"<>\#]++|\S|\Z'

_BARE = r'(?:<[^<>\s()]*+>|[^\s()"<>\#]++)'
_FLAT = rf"[A-Za-z]++\({_BARE}(?:\s++{_BARE})*+\)"


def _row(axiom: str) -> str:
    """Return the pattern of axioms of one kind that follow one another."""
    return rf"{axiom}(?:\s++{axiom})*+"


_ROW = "|".join(
    map(
        _row,
        (
            rf"SubClassOf\({_BARE}\s++{_BARE}\)",
            rf"Declaration\(Class\({_BARE}\)\)",
            rf"ObjectPropertyAssertion\({_BARE}\s++{_BARE}\s++{_BARE}\)",
        ),
    )
)

DOCUMENT_TOKEN = re.compile(rf"{_SKIP}(\)|{_REST})", re.DOTALL)
FLAT_DOCUMENT_TOKEN = re.compile(rf"{_SKIP}(\)|{_ROW}|{_FLAT}|{_REST})", re.DOTALL)
"""A construct of nothing but names is one token: there are half as many, and to cut is quicker than to assemble.

So are inclusions, declarations of classes and role assertions that follow one another: most of a large ontology.
"""
GOAL_TOKEN = re.compile(rf"{_SKIP}(\)|'[^'\\]*+(?:\\.[^'\\]*+)*+'|{_REST})", re.DOTALL)
"""For goals on the command line: also labels in single quotes."""

_LITERAL = re.compile(rf"({_QUOTED})(?:\s*+@(?P<language>\S+)|\s*+\^\^\s*+(?P<datatype>\S+))?+", re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\])')
_QUOTE_ESCAPE = re.compile(r"\\(['\\])")
_NUMBER = re.compile(r"[0-9]{1,9}")


def tokens_of(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Cut a text into its tokens."""
    tokens: list[str] = pattern.findall(text)
    while tokens and not tokens[-1]:
        tokens.pop()
    return tokens


def line_of(text: str, pattern: re.Pattern[str], index: int) -> int:
    """Return the line on which a token begins, counted from 1; past the last token, the text's last line."""
    match = next(islice(pattern.finditer(text), index, None), None)
    position = match.start(1) if match else len(text)
    return text.count("\n", 0, position) + 1


class Memo(dict[str, object]):
    """What tokens of one sort stand for, each worked out when it is first met."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[str], object]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, token: str) -> object:
        value = self[token] = self._read(token)
        return value


Kind = TypeVar(
    "Kind",
    model.Class,
    model.ObjectProperty,
    model.DataProperty,
    model.AnnotationProperty,
    model.NamedIndividual,
    model.Datatype,
)


class Resolve(Protocol):
    """Turns a name as it is written into the entity of a kind that it stands for."""

    def __call__(self, kind: type[Kind], text: str, /) -> Kind:
        """Return that entity, or raise `MooseError`."""


def names_by(named: Resolve) -> Names:
    """Return what bare tokens stand for in each sort, given what names stand for."""

    def entity(sort: Sort, kind: type[Kind]) -> Memo:
        return Memo(lambda token: named(kind, _name(token, sort)))

    def iri(token: str) -> str:
        return named(model.AnnotationProperty, _name(token, arguments.IRI)).iri

    def individual(token: str) -> object:
        if token.startswith("_:"):
            return model.AnonymousIndividual(token[2:])
        return named(model.NamedIndividual, _name(token, arguments.INDIVIDUAL))

    def subject(token: str) -> object:
        return model.AnonymousIndividual(token[2:]) if token.startswith("_:") else iri(token)

    def literal(token: str) -> object:
        return _literal(token, lambda name: named(model.Datatype, name).iri)

    memos = {
        arguments.CLASS: entity(arguments.CLASS, model.Class),
        arguments.OBJECT_PROPERTY: entity(arguments.OBJECT_PROPERTY, model.ObjectProperty),
        arguments.DATA_PROPERTY: entity(arguments.DATA_PROPERTY, model.DataProperty),
        arguments.INDIVIDUAL: Memo(individual),
        arguments.DATA_RANGE: entity(arguments.DATA_RANGE, model.Datatype),
        arguments.LITERAL: Memo(literal),
        arguments.IRI: Memo(iri),
        arguments.ANNOTATION_SUBJECT: Memo(subject),
        arguments.ANNOTATION_VALUE: Memo(lambda token: literal(token) if token.startswith('"') else subject(token)),
        arguments.CARDINALITY: Memo(_number),
        arguments.ENTITY: Memo(_no_entity),
    }
    return tuple(memo for _, memo in sorted(memos.items(), key=lambda item: item[0].index))


def document_names(prefixes: Mapping[str, str]) -> Names:
    """Return what bare tokens stand for in a document whose prefixes are, or are still becoming, these."""
    # One object for one entity, however it is spelled: later stages compare them faster, and memory is saved.
    known: dict[tuple[type, str], object] = {(model.Class, thing.iri): thing for thing in (model.THING, model.NOTHING)}

    def named(kind: type[Kind], token: str) -> Kind:
        iri = expand(token, prefixes)
        entity = known.get((kind, iri))
        if entity is None:
            entity = known[kind, iri] = kind(iri)
        return entity  # type: ignore[return-value]  # of the kind in its key

    return names_by(named)


def goal_names(resolve: Resolve) -> Names:
    """Return what bare tokens stand for in a goal, where a function resolves all names but those of OWL itself."""

    def named(kind: type[Kind], token: str) -> Kind:
        prefix, _, local = token.partition(":")
        if prefix in STANDARD_PREFIXES:
            return kind(STANDARD_PREFIXES[prefix] + local)
        return resolve(kind, _QUOTE_ESCAPE.sub(r"\1", token) if token[0] == "'" else token)

    return names_by(named)


def expand(token: str, prefixes: Mapping[str, str]) -> str:
    """Return the full IRI of `<iri>` or `prefix:name`."""
    if token[0] == "<":
        return token[1:-1]
    prefix, colon, local = token.partition(":")
    if not colon:
        raise IllFormed(f"expected an IRI, <…> or prefix:name, but got {describe(token)}", token)
    namespace = prefixes.get(prefix, STANDARD_PREFIXES.get(prefix))
    if namespace is None:
        raise IllFormed(f"the prefix of {token} is not declared; write Prefix({prefix}:=<…>) before Ontology(…)", token)
    return namespace + local


def _name(token: str, sort: Sort) -> str:
    """Return a token that can be a name, or say what the sort of its position asks for."""
    if token[0] in '">' or len(token) == 1 == token.count("<") or token.startswith("_:"):
        raise IllFormed(f"expected {sort.phrase}, but got {describe(token)}", token)
    return token


def _literal(token: str, datatype_iri: Callable[[str], str]) -> model.Literal:
    match = _LITERAL.fullmatch(token)
    if match is None:
        raise IllFormed(f'expected a literal such as "1"^^xsd:integer, but got {describe(token)}', token)
    lexical = match[1][1:-1]
    if "\\" in lexical:
        lexical = _ESCAPE.sub(r"\1", lexical)
    language, datatype = match["language"], match["datatype"]
    if language:
        return model.Literal(lexical, LANGUAGE_STRING_IRI, language)
    return model.Literal(lexical, datatype_iri(datatype)) if datatype else model.Literal(lexical)


def _number(token: str) -> int:
    if not _NUMBER.fullmatch(token):
        raise IllFormed(f"expected a number of at most nine digits, but got {describe(token)}", token)
    return int(token)


def _no_entity(token: str) -> object:
    raise IllFormed(f"expected {arguments.ENTITY.phrase}, but got {describe(token)}", token)
