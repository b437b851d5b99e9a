"""Find the ontology IRI and version IRI of a file from its opening alone, so that a folder can be looked through."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from moose.base.errors import MooseError
from moose.owl.files.fetch import GZIP_MAGIC, as_utf8
from moose.owl.files.sniff import Syntax, sniff

# The header stands first in every document that a tool wrote; this is room for a long DOCTYPE and prefix list.
OPENING_BYTES = 1 << 17

OBO = "http://purl.obolibrary.org/obo/"
NAME = r"(<[^<>\s]*>|(?<![\w.-])[\w.-]*:[\w./-]*)"
TYPED_SUBJECT = re.compile(
    NAME + r"\s*(?:a|rdf:type|<http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type>)\s*"
    r"(?:owl:Ontology|<http://www\.w3\.org/2002/07/owl#Ontology>)"
)
VERSION = re.compile(r"(?:owl:versionIRI|<http://www\.w3\.org/2002/07/owl#versionIRI>)\s*" + NAME)
HEADERS: dict[Syntax, tuple[re.Pattern[str], ...]] = {
    "functional": (re.compile(r"Ontology\s*\(\s*" + NAME + r"(?:\s*" + NAME + r")?"),),
    "manchester": (re.compile(r"Ontology:\s*" + NAME + r"(?:\s*" + NAME + r")?"),),
    "owlxml": (re.compile(r"\b(?:ontology|version)IRI\s*=\s*[\"']([^\"']*)"),),
    "rdfxml": (
        re.compile(r"<(?:[\w.-]+:)?Ontology\b[^>]*?\babout\s*=\s*[\"']([^\"']*)"),
        re.compile(r"<(?:[\w.-]+:)?versionIRI\b[^>]*?\bresource\s*=\s*[\"']([^\"']*)"),
    ),
    "turtle": (TYPED_SUBJECT, VERSION),
    "ntriples": (TYPED_SUBJECT, VERSION),
    "obo": (re.compile(r"^ontology:\s*(\S+)", re.MULTILINE),),
}
PREFIX = re.compile(r"(?i:@?prefix)\s*[(:]?\s*([\w.-]*):\s*=?\s*<([^<>\s]*)>")
ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+[\"']([^\"']*)")
BASE = re.compile(r"(?:xml:base\s*=\s*[\"']|(?i:@?base)\s+<)([^\"'<>]*)")


def peek_iris(path: Path) -> tuple[str, ...]:
    """Return the IRIs that a file seems to be known by, the ontology IRI first; none if it is no ontology."""
    try:
        opening = _opening(path)
        syntax = sniff(opening, path.name)
    except MooseError:
        return ()
    text = opening.decode("utf-8", errors="replace")
    matches = [match for pattern in HEADERS[syntax] for match in pattern.finditer(text)]
    found = [name for match in matches for name in match.groups() if name is not None]
    if syntax == "obo":
        found = [iri for name in found for iri in _obo_iris(name)]
    return tuple(dict.fromkeys(_expand(name, text) for name in found))


def _opening(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(OPENING_BYTES)
        if data.startswith(GZIP_MAGIC):
            with gzip.open(path) as unpacked:
                data = unpacked.read(OPENING_BYTES)
    except (OSError, EOFError, zlib.error):
        return b""
    whole_lines = data[: data.rfind(b"\n") + 1] if len(data) == OPENING_BYTES else data
    return as_utf8(whole_lines, path.name)


def _obo_iris(name: str) -> tuple[str, ...]:
    return (name,) if ":" in name else (f"{OBO}{name}.owl", f"{OBO}{name}.obo")


def _expand(name: str, text: str) -> str:
    """Write out a name of a header: an IRI in brackets, a prefixed name, or an XML attribute with entities."""
    entities = dict(ENTITY.findall(text))
    name = re.sub(r"&([\w.-]+);", lambda match: entities.get(match[1], match[0]), name)
    if name.startswith("<"):
        name = name[1:-1]
    elif not re.match(r"[\w.-]*:/", name):
        prefix, colon, local = name.partition(":")
        namespace = dict(PREFIX.findall(text)).get(prefix)
        name = namespace + local if colon and namespace is not None else name
    base = BASE.search(text)
    return base[1] if not name and base else name
