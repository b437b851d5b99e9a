"""Write a document in functional syntax for people: with short names."""

from __future__ import annotations

from dataclasses import replace

from moose.owl.model.axioms import Document, UnreadAxiom
from moose.owl.syntax.common.abbreviation import Abbreviation
from moose.owl.syntax.common.written import NO_OWL, Unwritten, Written
from moose.owl.syntax.functional.write_functional import full_iri, is_rule, write_functional


def write_short(document: Document) -> Written:
    """Write a document with short names, and say which of its statements are only comments."""
    names = Abbreviation(document.prefixes)
    text = write_functional(replace(document, prefixes=names.prefixes), lambda iri: names.short(iri) or full_iri(iri))
    left = (axiom for axiom in document.axioms if isinstance(axiom, UnreadAxiom) and not is_rule(axiom))
    return Written(text, tuple(Unwritten(axiom, NO_OWL) for axiom in left))
