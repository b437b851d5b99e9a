"""Every syntax that Moose reads. A new one is a folder of its own and a line in this list."""

from __future__ import annotations

from moose.owl.syntax.common.syntax import Opening, Syntax
from moose.owl.syntax.functional.functional_syntax import SYNTAX as FUNCTIONAL
from moose.owl.syntax.manchester.manchester_syntax import SYNTAX as MANCHESTER
from moose.owl.syntax.obo.obo_syntax import SYNTAX as OBO
from moose.owl.syntax.owlxml.owlxml_syntax import SYNTAX as OWLXML
from moose.owl.syntax.rdf.rdf_syntaxes import NTRIPLES, RDFXML, TURTLE

SYNTAXES: tuple[Syntax, ...] = (FUNCTIONAL, OWLXML, RDFXML, TURTLE, NTRIPLES, OBO, MANCHESTER)
"""In the order in which messages name them and in which they are asked whether a document is theirs."""


def recognise(opening: Opening) -> Syntax | None:
    """Return the syntax that a document opens in: one that opens like this, or else one that it resembles."""
    judges = [(syntax.opens, syntax) for syntax in SYNTAXES] + [(syntax.resembles, syntax) for syntax in SYNTAXES]
    return next((syntax for judge, syntax in judges if judge(opening)), None)


def by_extension(extension: str) -> Syntax | None:
    """Return the syntax whose files bear an extension."""
    return next((syntax for syntax in SYNTAXES if extension in syntax.extensions), None)


def titles() -> str:
    """Return what messages call the syntaxes, as one list."""
    *others, last = [syntax.title for syntax in SYNTAXES]
    return f"{', '.join(others)} or {last}"


def file_endings() -> tuple[str, ...]:
    """Return how the names of ontology files end, plain and packed."""
    own = [extension for syntax in SYNTAXES for extension in syntax.extensions]
    # These two say too little of the syntax to be the extension of one.
    return tuple(plain + packed for plain in (".owl", *own, ".xml") for packed in ("", ".gz"))
