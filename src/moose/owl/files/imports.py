"""Find imported ontologies on this machine, by catalogue, IRI or file name, and read a document with all of them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from moose.base.errors import MissingImport, MooseError
from moose.owl.files.catalogue import DEFAULT_NAME, Catalogue, read_catalogue, resolve_reference, scheme_and_path
from moose.owl.files.fetch import GZIP_MAGIC, as_utf8, fetch, is_file, is_folder, shown
from moose.owl.files.sniff import file_endings, sniff
from moose.owl.model.axioms import Document, Imported
from moose.owl.syntax.common.syntax import Syntax

# The header stands first in every document that a tool wrote; this is room for a long DOCTYPE and prefix list.
OPENING_BYTES = 1 << 17
# Of files that bear the same IRI, so many are named, or compared with one another.
MOST_NAMED = 8


class Folder:
    """A folder of ontology files, looked through when first needed."""

    def __init__(self, path: Path, syntaxes: Sequence[Syntax]) -> None:
        self.path = path
        self._syntaxes = syntaxes
        self._endings = file_endings(syntaxes)

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """List the files that bear an ontology's extension, sorted by name."""
        try:
            named = sorted(file for file in self.path.iterdir() if file.name.lower().endswith(self._endings))
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise MissingImport(
                f"{self.path}: imports are looked for in this folder, but it cannot be read ({reason})"
            ) from None
        return tuple(file for file in named if is_file(file) and file.name != DEFAULT_NAME)

    @cached_property
    def by_iri(self) -> dict[str, tuple[Path, ...]]:
        """Map each IRI to the files that bear it as their ontology's, or else as a version's; sorted by name."""
        first: dict[str, list[Path]] = {}
        others: dict[str, list[Path]] = {}
        for file in self.files:
            for position, iri in enumerate(peek_iris(file, self._syntaxes)):
                (others if position else first).setdefault(iri, []).append(file)
        return {iri: tuple(files) for iri, files in {**others, **first}.items()}

    def named_like(self, iri: str) -> tuple[Path, ...]:
        """List the files that bear the last part of an IRI as their name, with whatever extension."""
        last = unquote(scheme_and_path(iri)[1].rstrip("/").rpartition("/")[2])
        stems = (last, _stem(last))
        names = dict.fromkeys([last, *(stem + end for stem in stems for end in self._endings)])
        by_name = {file.name: file for file in self.files}
        return tuple(by_name[name] for name in names if name in by_name) if last else ()


class ImportFinder:
    """Says which file an import means, seen from the document that imports it."""

    def __init__(self, root: Path, syntaxes: Sequence[Syntax], *, folder: Path | None, catalogue: Path | None) -> None:
        if folder is not None and not is_folder(folder):
            raise MooseError(
                f"{shown(folder)}: expected a folder to look for imports in, but there is none; check the path"
            )
        self._given = folder
        self._root = root
        self._syntaxes = syntaxes
        self._folders: dict[Path, Folder] = {}
        beside = root.parent / DEFAULT_NAME
        chosen = catalogue or (beside if is_file(beside) else None)
        self._catalogue: Catalogue | None = read_catalogue(chosen) if chosen else None

    def find(self, iri: str, importer: Path) -> Path:
        """Return the file that holds an imported ontology; raise MissingImport, saying where it was looked for."""
        location = self._catalogue.lookup(iri) if self._catalogue else None
        if location is None and scheme_and_path(iri)[0] in ("", "file"):
            location = resolve_reference(iri, str(importer.parent))
        if location is not None:
            if is_file(Path(location)):
                return Path(location)
            raise MissingImport(
                f"{importer}: imports <{shown(iri)}>, which leads to {shown(location)}, but there is no such file on "
                f"this machine; save the ontology there{self._or_ignore}"
            )
        folders = [self._folder(path) for path in self._paths(importer)]
        for folder in folders:
            if file := self._find_in(folder, iri, importer):
                return file
        looked = " and ".join(str(folder.path) for folder in folders)
        catalogue = f"the catalogue {self._catalogue.path}, nor in " if self._catalogue else ""
        raise MissingImport(
            f"{importer}: imports <{shown(iri)}>, which is not in {catalogue}{looked} (by ontology IRI or by file "
            f"name); save it there, name another folder (--imports-from) or a catalogue (--catalogue){self._or_ignore}"
        )

    _or_ignore = ", or go on without it (--ignore-missing-imports)"

    def _paths(self, importer: Path) -> tuple[Path, ...]:
        if self._given is not None:
            return (self._given,)
        return tuple(dict.fromkeys([importer.parent, self._root.parent]))

    def _folder(self, path: Path) -> Folder:
        return self._folders.setdefault(path, Folder(path, self._syntaxes))

    @staticmethod
    def _find_in(folder: Folder, iri: str, importer: Path) -> Path | None:
        sure = folder.by_iri.get(iri, ())
        if len(sure) > 1 and not _are_equal(sure):
            listed = ", ".join(file.name for file in sure[:MOST_NAMED]) + ", …" * (len(sure) > MOST_NAMED)
            raise MooseError(
                f"{importer}: imports <{iri}>, and {len(sure)} files in {folder.path} bear that IRI: {listed}; keep "
                "one of them there, import the IRI of a version, or choose by a catalogue (--catalogue)"
            )
        # A local copy is often saved under the last part of its address; a document is no copy of what it imports.
        named = (file for file in folder.named_like(iri) if not file.samefile(importer))
        return sure[0] if sure else next(named, None)


def _are_equal(files: tuple[Path, ...]) -> bool:
    """Return whether files hold the same text, so that it does not matter which is read."""
    if len({file.resolve() for file in files}) == 1:
        return True
    try:
        first, *others = (fetch(file) for file in files[:MOST_NAMED])
    except MooseError:
        return False
    return len(files) <= MOST_NAMED and all(other == first for other in others)


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


# ── By which IRIs a file is known ─────────────────────────────────────────────────────────────────────────────────


def peek_iris(path: Path, syntaxes: Sequence[Syntax]) -> tuple[str, ...]:
    """Return the IRIs that a file seems to be known by, the ontology IRI first; none if it is no ontology."""
    try:
        opening = _opening(path)
        syntax = sniff(opening, path.name, syntaxes)
    except MooseError:
        return ()
    return tuple(dict.fromkeys(syntax.header(opening.decode("utf-8", errors="replace"))))


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


# ── A document and all that it imports ────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class ImportClosure:
    """The documents in the order in which their imports are met, the importing one first."""

    documents: list[Document] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    imports: list[Imported] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    cycles: list[tuple[str, ...]] = field(default_factory=list)

    by_iri: dict[str, int] = field(default_factory=dict)
    by_file: dict[Path, int] = field(default_factory=dict)

    def add(self, path: Path, document: Document) -> int:
        """Append a document and return its index; from now on it is known by its file and by its IRIs."""
        index = len(self.documents)
        self.documents.append(document)
        self.paths.append(path)
        self.by_file[path.resolve()] = index
        for iri in (document.iri, document.version_iri):
            if iri is not None:
                self.by_iri.setdefault(iri, index)
        return index

    def name(self, index: int) -> str:
        """Return the IRI of a document, or its path where it has none."""
        return self.documents[index].iri or str(self.paths[index])


def read_import_closure(
    root: Path, finder: ImportFinder, *, read: Callable[[Path], Document], ignore_missing: bool
) -> ImportClosure:
    """Read a document and, depth first, what it imports. Circles are legal in OWL 2: they are noted, not followed."""
    closure = ImportClosure()
    branch: list[tuple[int, Iterator[str]]] = []

    def enter(path: Path) -> None:
        document = read(path)
        branch.append((closure.add(path, document), iter(document.imports)))

    enter(root)
    while branch:
        here, pending = branch[-1]
        iri = next(pending, None)
        if iri is None:
            branch.pop()
            continue
        index = closure.by_iri.get(iri)
        if index is None:
            try:
                path = finder.find(iri, closure.paths[here])
            except MissingImport:
                if not ignore_missing:
                    raise
                closure.ignored.append(iri)
                continue
            index = closure.by_file.get(path.resolve())
            if index is None:
                closure.imports.append(Imported(iri, str(path)))
                enter(path)
                continue
        unfinished = [known for known, _ in branch]
        if index in unfinished:
            circle = [*unfinished[unfinished.index(index) :], index]
            closure.cycles.append(tuple(closure.name(known) for known in circle))
    return closure
