"""Write an ontology in any syntax that has a writer: the same input gives the same text, sorted, fit for diffs."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path, PurePath
from typing import TextIO

from moose.base.errors import MooseError
from moose.base.suggestions import close_matches, did_you_mean
from moose.owl.model.nesting import shallow_enough
from moose.owl.ontology import Ontology, as_document
from moose.owl.sorting import sorted_document
from moose.owl.syntax.common.syntax import Syntax
from moose.owl.syntax.common.written import Unwritten, Written
from moose.owl.syntax.functional_syntax import SYNTAX as FUNCTIONAL
from moose.owl.syntax.obo_syntax import SYNTAX as OBO
from moose.owl.syntax.owlxml_syntax import SYNTAX as OWLXML
from moose.owl.syntax.rdf_syntaxes import NTRIPLES, RDFXML, TURTLE

WRITTEN: tuple[Syntax, ...] = (FUNCTIONAL, OWLXML, RDFXML, TURTLE, NTRIPLES, OBO)
"""The syntaxes that can be written."""

BY_ENDING: dict[str, Syntax] = {
    ".owl": RDFXML,  # what the OBO Foundry and others mean by it
    **{ending: syntax for syntax in WRITTEN for ending in syntax.extensions},
}


def write(ontology: Ontology, target: str | PathLike[str] | TextIO, syntax: str | None = None) -> tuple[Unwritten, ...]:
    """Write an ontology to a file, which appears when it is whole, or to a stream of text.

    The syntax is given by its name (functional, owlxml, rdfxml, turtle, ntriples, obo) or by the ending of the file;
    a file that ends in .gz is packed. What was imported is written as part of the ontology. Returned is what the
    syntax cannot say: it stands as a comment.
    """
    if isinstance(target, str | PathLike):
        path = Path(target)
        written = written_in(ontology, choose_syntax(syntax, path))
        write_file(path, written.text)
    else:
        written = written_in(ontology, choose_syntax(syntax, None))
        target.write(written.text)
    return written.unwritten


def written_in(ontology: Ontology, syntax: Syntax) -> Written:
    """Return an ontology as the text of a document, and what the syntax cannot say."""
    assert syntax.write is not None, "chosen among those that are written"
    with shallow_enough(ontology.iri or "the ontology"):
        return syntax.write(sorted_document(as_document(ontology)))


def choose_syntax(name: str | None, path: PurePath | None) -> Syntax:
    """Return the syntax of a name, for which an ending such as ttl will do, or, without one, of a file's ending."""
    if name is not None:
        by_name = {syntax.name: syntax for syntax in WRITTEN}
        found = by_name.get(name) or BY_ENDING.get(f".{name.removeprefix('.')}")
        if found is None:
            names = [syntax.name for syntax in WRITTEN]
            hint = did_you_mean(close_matches(name, names), otherwise=f"known: {', '.join(names)}")
            raise MooseError(f"expected the name of a syntax to write, but got {name!r}; {hint}")
        return found
    if path is None:
        raise MooseError(f"expected a syntax for the output, but got none; name one of {_names(WRITTEN)}")
    ending = PurePath(path.name.lower().removesuffix(".gz")).suffix
    if ending not in BY_ENDING:
        raise MooseError(
            f"{path}: expected a file that ends in {', '.join(BY_ENDING)}, perhaps with .gz; rename it, or name the "
            f"syntax ({_names(WRITTEN)})"
        )
    return BY_ENDING[ending]


def write_file(path: Path, text: str) -> None:
    """Write a text to a file, whole or not at all, packed where its name ends in .gz."""
    import gzip

    from moose.base.whole_files import whole_file

    data = text.encode("utf-8")
    with whole_file(path) as draft:
        # Without a time, the same text gives the same file.
        draft.write_bytes(gzip.compress(data, mtime=0) if path.name.lower().endswith(".gz") else data)


def _names(syntaxes: Sequence[Syntax]) -> str:
    return ", ".join(syntax.name for syntax in syntaxes)
