"""Read an OASIS XML catalogue: where on disk an imported ontology stands (Protégé writes catalog-v001.xml)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.parsers import expat

from moose.base.errors import MooseError, ParseError
from moose.owl.files.fetch import fetch, is_file, shown

DEFAULT_NAME = "catalog-v001.xml"
# Each may lead on to others, and by ever new names to itself.
MOST_CATALOGUES = 100
XML_BASE = "http://www.w3.org/XML/1998/namespace base"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Where names lead: whole names, and beginnings of names to replace, the longest first."""

    path: Path
    targets: dict[str, str]
    rewrites: tuple[tuple[str, str], ...]

    def lookup(self, iri: str) -> str | None:
        """Return the path (or the remote address) that the catalogue gives for a name."""
        if iri in self.targets:
            return self.targets[iri]
        for start, replacement in self.rewrites:
            if iri.startswith(start):
                return replacement + iri[len(start) :]
        return None


@dataclass(slots=True)
class _Reading:
    """What was read so far, over a catalogue and those it leads on to. The first entry for a name holds."""

    targets: dict[str, str] = field(default_factory=dict)
    rewrites: dict[str, str] = field(default_factory=dict)
    queue: deque[Path] = field(default_factory=deque)


def read_catalogue(path: Path) -> Catalogue:
    """Read a catalogue and the catalogues that it leads on to, each once."""
    reading = _Reading(queue=deque([path]))
    seen: set[Path] = set()
    while reading.queue:
        current = reading.queue.popleft()
        key = current.resolve() if is_file(current) else current
        if key not in seen:
            seen.add(key)
            if len(seen) > MOST_CATALOGUES:
                raise MooseError(f"{path}: expected at most {MOST_CATALOGUES} catalogues, but it leads on to more")
            _read_one(current, reading)
    rewrites = sorted(reading.rewrites.items(), key=lambda pair: -len(pair[0]))
    return Catalogue(path, reading.targets, tuple(rewrites))


def _read_one(path: Path, reading: _Reading) -> None:
    bases = [str(path.parent)]

    def start(name: str, attributes: dict[str, str]) -> None:
        base = resolve_reference(attributes[XML_BASE], bases[-1]) if attributes.get(XML_BASE) else bases[-1]
        bases.append(base)
        match name.rpartition(" ")[2], attributes:
            case "uri", {"name": iri, "uri": target}:
                reading.targets.setdefault(iri, resolve_reference(target, base))
            case "system", {"systemId": iri, "uri": target}:
                reading.targets.setdefault(iri, resolve_reference(target, base))
            case "rewriteURI", {"uriStartString": beginning, "rewritePrefix": target}:
                slash = "/" if target.endswith("/") else ""
                reading.rewrites.setdefault(beginning, resolve_reference(target, base) + slash)
            case "nextCatalog", {"catalog": target}:
                reading.queue.append(Path(resolve_reference(target, base)))

    def end(_name: str) -> None:
        bases.pop()

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = lambda *_: _refuse_entities(path)
    if not is_file(path):
        raise MooseError(f"{shown(path)}: expected an XML catalogue, but there is no such file; check the path")
    try:
        parser.Parse(fetch(path), True)
    except expat.ExpatError as error:
        raise ParseError(
            f"{path}:{error.lineno}: expected an OASIS XML catalogue, but it is not well-formed XML "
            f"({expat.ErrorString(error.code)})"
        ) from None


def _refuse_entities(path: Path) -> None:
    raise ParseError(f"{path}: expected an XML catalogue without entity declarations; write the names out")


def resolve_reference(target: str, base: str) -> str:
    """Return a reference as a path, relative ones seen from `base`; what is not a file stays the address it is."""
    scheme, path = scheme_and_path(target)
    if scheme == "file":
        return unquote(path)
    if len(scheme) > 1:  # one letter is a drive
        return target
    return str(Path(base) / unquote(target))


def scheme_and_path(address: str) -> tuple[str, str]:
    """Return these two parts of an address, an empty path for one that is none, such as http://[a."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address.partition(":")[0].lower(), ""
    return parts.scheme, parts.path
