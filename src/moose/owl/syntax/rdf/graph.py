"""RDF as triples by subject, and how a term is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from moose.owl.model import expressions as model
from moose.owl.model.expressions import STRING_IRI

RdfSyntax = Literal["rdfxml", "turtle", "ntriples"]

Term = str | model.Literal
"""An IRI, a blank node written `_:b0`, or a literal."""

Pair = tuple[str, Term]
"""A predicate and an object."""


@dataclass(slots=True)
class Graph:
    """What a document says of each subject, in the document's order, each triple once."""

    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    instances: dict[Term, list[str]] = field(default_factory=dict)
    """For each object of rdf:type, its subjects."""

    quoted: list[str] = field(default_factory=list)
    """Triples about triples, as text."""

    prefixes: dict[str, str] = field(default_factory=dict)
    triple_count: int = 0

    def triples(self, subjects: Iterable[str]) -> Iterator[tuple[str, str, Term]]:
        """Return all that is said of these subjects."""
        for subject in subjects:
            for predicate, value in self.pairs.get(subject, ()):
                yield subject, predicate, value

    def objects(self, subject: str, predicate: str) -> list[Term]:
        """Return the objects of one predicate of a subject."""
        return [value for word, value in self.pairs.get(subject, ()) if word == predicate]


def is_blank(term: Term) -> bool:
    """Return whether a term is a blank node, not an IRI or a literal."""
    return term.__class__ is str and term.startswith("_:")


def annotation_value(term: Term) -> str | model.Literal | model.AnonymousIndividual:
    """Return a term as the value of an annotation, or the subject of one."""
    return model.AnonymousIndividual(term[2:]) if isinstance(term, str) and is_blank(term) else term


def show_triple(subject: Term, predicate: Term, value: Term) -> str:
    """Write a triple on one line, as N-Triples does."""
    return f"{show(subject)} {show(predicate)} {show(value)} ."


def show(term: Term) -> str:
    """Write a term as N-Triples does."""
    if isinstance(term, str):
        return term if is_blank(term) else f"<{term}>"
    text = term.lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    if term.language:
        return f'"{text}"@{term.language}'
    return f'"{text}"' if term.datatype == STRING_IRI else f'"{text}"^^<{term.datatype}>'
