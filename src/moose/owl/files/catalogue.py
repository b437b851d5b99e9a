"""Read an OASIS XML catalogue: where on disk an imported ontology stands (Protégé writes catalog-v001.xml)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.parsers import expat

from moose.base.errors import MooseError, ParseError
from moose.owl.files.fetch import fetch

DEFAULT_NAME = "catalog-v001.xml"
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
    queue: list[Path] = field(default_factory=list)


def read_catalogue(path: Path) -> Catalogue:
    """Read a catalogue and the catalogues that it leads on to, each once."""
    reading = _Reading(queue=[path])
    seen: set[Path] = set()
    while reading.queue:
        current = reading.queue.pop(0)
        if current.resolve() not in seen:
            seen.add(current.resolve())
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
    if not path.is_file():
        raise MooseError(f"{path}: expected an XML catalogue, but there is no such file; check the path")
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
    parts = urlsplit(target)
    if parts.scheme == "file":
        return unquote(parts.path)
    if len(parts.scheme) > 1:  # one letter is a drive
        return target
    return str(Path(base) / unquote(target))
