"""Characters in names that XML or OBO let pass and functional syntax cannot write: they are written by their numbers.

An attribute of XML may hold blanks and brackets, which no IRI may. XML Schema has them escaped where an anyURI is
used as an IRI; so they are here, when they are read, and a name is the same wherever Moose writes it.
"""

from __future__ import annotations

import re
from urllib.parse import quote

_IN_IRI = re.compile(r"[\s<>]")
_IN_LANGUAGE = re.compile(r"[^A-Za-z0-9-]")
_IN_NODE = re.compile(r"[\s<>()\"#@^]")


def writable_iri(iri: str) -> str:
    """Return an IRI without white space and angle brackets.

    >>> writable_iri("http://example.org/a b")
    'http://example.org/a%20b'
    """
    return iri if _IN_IRI.search(iri) is None else _IN_IRI.sub(_escaped, iri)


def writable_language(tag: str) -> str:
    """Return a language tag with hyphens in the place of what cannot be in one.

    >>> writable_language("en_US")
    'en-US'
    """
    return tag if _IN_LANGUAGE.search(tag) is None else _IN_LANGUAGE.sub("-", tag)


def writable_node(label: str) -> str:
    """Return the label of an anonymous individual without what ends a word."""
    return label if _IN_NODE.search(label) is None else _IN_NODE.sub(_escaped, label)


def _escaped(character: re.Match[str]) -> str:
    return quote(character[0], safe="")
