"""The tokens of Manchester syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable

from moose.base.suggestions import close_matches

# An IRI must have a scheme, or the facets in [<5,>3] would look like one.
IRI = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*>")
# A string without its closing quote still matches, up to the end: one scan, one error, whatever follows.
TOKEN = re.compile(
    r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"?'
    rf"|{IRI.pattern}"
    r"|[<>]=?"
    r"|\^\^|@[A-Za-z0-9-]+"
    r'|[^\s()\[\]{},<>"#^@=]+'
    r"|#[^\n\r]*"
    r"|\S"
)
CLOSED = re.compile(r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"')
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:(?:[eE][+-]?\d+)?[fF])?|(?:[+-]?INF|NaN)[fF]")
END = ""

_KEYWORDS = (
    "Prefix Ontology Import Annotations Class ObjectProperty DataProperty AnnotationProperty Datatype Individual "
    "EquivalentClasses DisjointClasses EquivalentProperties DisjointProperties SameIndividual DifferentIndividuals "
    "Rule SubClassOf SuperClassOf EquivalentTo DisjointWith DisjointUnionOf HasKey Individuals Domain Range "
    "Characteristics SubPropertyOf SuperPropertyOf SubPropertyChain InverseOf Inverses Types Type Facts SameAs "
    "DifferentFrom"
)
SECTIONS = {f"{keyword.lower()}:": keyword for keyword in _KEYWORDS.split()}


def tokenise(text: str) -> list[str]:
    """Return the tokens of a text without its comments, and then `END`."""
    return [token for token in TOKEN.findall(text) if token[0] != "#"] + [END]


def starts_of(text: str) -> list[int]:
    """Return where each token starts; wanted only for an error or a rule, and so found again rather than kept."""
    return [match.start() for match in TOKEN.finditer(text) if match[0][0] != "#"] + [len(text.rstrip())]


def section_of(token: str) -> str | None:
    """Return the keyword that a token is, e.g. `SubClassOf` for `subclassof:`, or None."""
    return SECTIONS.get(token.lower()) if token.endswith(":") else None


LEAST_ALIKE = 0.75
"""How alike a misspelt keyword is to the one that is meant: `som`, `onyl`, `SubClasOf:`; few names are."""


def meant_word(token: str, words: Iterable[str]) -> str | None:
    """Return the word that a token is a misspelling of, or None if it is none or is one of the words itself.

    >>> meant_word("som", ["some", "only"])
    'some'
    """
    known = {word.lower(): word for word in words}
    if token.lower() in known:
        return None
    return next((known[one] for one in close_matches(token.lower(), known, most=1, least_alike=LEAST_ALIKE)), None)


def is_closed(token: str) -> bool:
    """Return whether a string token has its closing quote."""
    return CLOSED.fullmatch(token) is not None


def describe(token: str) -> str:
    """Say what came, in one line."""
    if not token:
        return "the end of the text"
    plain = " ".join(token.split())
    quoted = f"'{plain if len(plain) <= 60 else plain[:57] + '…'}'"
    return quoted if token[0] != '"' or is_closed(token) else f"a string that never ends ({quoted})"
