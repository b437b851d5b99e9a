"""What Moose writes it reads again as the same: every syntax, any document, hostile texts and names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.owl.load import SYNTAXES
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import XSD
from moose.owl.sorting import sorted_document
from moose.owl.syntax.common.syntax import Syntax
from moose.owl.syntax.common.written import Written
from moose.owl.write import WRITTEN, choose_syntax
from tests.owl.strategies import annotation_assertions, axioms, documents, notes, some
from tests.owl.test_rdf_round_trip import apart, entities, normal, rebuild, said, sayable

EXACT = ["functional", "owlxml"]
RDF = ["rdfxml", "turtle", "ntriples"]


def write(document: Document, syntax: str) -> Written:
    chosen = choose_syntax(syntax, None)
    assert chosen.write is not None
    return chosen.write(sorted_document(document))


def back(document: Document, syntax: str) -> Document:
    text = write(document, syntax).text
    return choose_syntax(syntax, None).read(text.encode(), f"written.{syntax}", ())


def test_what_is_written_is_in_the_list_of_syntaxes() -> None:
    assert tuple(syntax for syntax in SYNTAXES if syntax.write is not None) == WRITTEN


def without_rules(document: Document) -> Document:
    return replace(document, axioms=tuple(one for one in document.axioms if not isinstance(one, ax.UnreadAxiom)))


def plain(document: Document) -> tuple[object, ...]:
    """Return all that a document says, in one order."""
    found = sorted_document(document)
    iris = (found.iri, found.version_iri if found.iri else None)
    return (iris, found.imports, set(found.annotations), *(set(part) for part in parts(found)))


def parts(document: Document) -> Iterator[tuple[object, ...]]:
    yield document.declarations
    yield document.axioms
    yield document.annotation_assertions


@settings(max_examples=150)
@given(documents())
def test_functional_syntax_comes_back_whole(document: Document) -> None:
    again = back(document, "functional")
    assert plain(again) == plain(document)
    assert {**again.prefixes, **document.prefixes} == again.prefixes


@settings(max_examples=150)
@given(documents().map(without_rules))
def test_owlxml_comes_back_whole(document: Document) -> None:
    assert plain(back(document, "owlxml")) == plain(document)


def in_dl(found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], header: ax.Annotations) -> Document:
    """Return a document with names of their own for each kind of entity, as OWL 2 DL asks; it declares nothing."""
    kept = tuple(axiom for axiom in rebuild(found, apart) if sayable(axiom) and not _is_single(axiom))
    holder = rebuild(ax.SubClassOf(owl.THING, owl.THING, header), apart)
    return Document(
        iri="http://example.org/o",
        version_iri="http://example.org/o/1",
        imports=("http://example.org/other",),
        annotations=holder.annotations,
        axioms=kept,
        annotation_assertions=rebuild(more, apart),
        prefixes={"ex": "http://example.org/", "class": "http://example.org/class/"},
    )


def _is_single(axiom: ax.Axiom) -> bool:
    chained = (ax.EquivalentClasses, ax.EquivalentObjectProperties, ax.EquivalentDataProperties, ax.SameIndividual)
    members = getattr(axiom, "operands", ()) or getattr(axiom, "individuals", ())
    return isinstance(axiom, chained) and len(members) == 1


@pytest.mark.parametrize("syntax", RDF)
@settings(max_examples=120)
@given(some(axioms()), some(annotation_assertions, 0), notes)
def test_rdf_comes_back_whole(
    syntax: str, found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], header: ax.Annotations
) -> None:
    document = in_dl(found, more, header)
    again = back(document, syntax)
    assert said(again.axioms) == said(document.axioms)
    assert said(again.annotation_assertions) == said(document.annotation_assertions)
    assert set(rebuild(again.annotations, normal)) == set(rebuild(document.annotations, normal))
    assert (again.iri, again.version_iri, again.imports) == (document.iri, document.version_iri, document.imports)
    used = set(entities((document.axioms, document.annotation_assertions, document.annotations)))
    assert {told.entity for told in again.declarations} == used


@pytest.mark.parametrize("syntax", [one.name for one in WRITTEN])
@settings(max_examples=30)
@given(some(axioms()), some(annotation_assertions, 0), st.randoms(use_true_random=False))
def test_the_same_ontology_gives_the_same_text(
    syntax: str, found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], random: object
) -> None:
    document = in_dl(found, more, ())
    shuffled = list(document.axioms)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random
    assert write(replace(document, axioms=tuple(shuffled)), syntax) == write(document, syntax)


@pytest.mark.parametrize("syntax", ["owlxml", "rdfxml"])
def test_what_xml_cannot_hold_is_refused(syntax: str) -> None:
    told = ax.AnnotationAssertion("urn:x:note", "urn:x:a", owl.Literal("a\x01b"))
    with pytest.raises(MooseError, match=r"U\+0001; write functional syntax or Turtle"):
        write(Document(annotation_assertions=(told,)), syntax)


def test_a_property_that_no_element_can_stand_for_is_refused() -> None:
    told = ax.AnnotationAssertion("http://example.org/1", "urn:x:a", owl.Literal("a"))
    with pytest.raises(MooseError, match="write Turtle instead"):
        write(Document(annotation_assertions=(told,)), "rdfxml")


@pytest.mark.parametrize("syntax", ["owlxml", *RDF])
def test_an_iri_that_would_be_completed_is_refused(syntax: str) -> None:
    axiom = ax.SubClassOf(owl.Class("A"), owl.Class("urn:x:b"))
    with pytest.raises(MooseError, match="expected full IRIs to write .*, but got <A>"):
        write(Document(axioms=(axiom,)), syntax)


@pytest.mark.parametrize("syntax", [one.name for one in WRITTEN])
def test_what_is_no_axiom_is_returned_and_stays_as_a_comment(syntax: str) -> None:
    axiom = ax.UnreadAxiom("treat-xrefs-as-is_a: X -- nothing\nmore", "a macro")
    written = write(Document("urn:x:o", axioms=(axiom,)), syntax)
    assert [one.axiom for one in written.unwritten] == [axiom]
    assert "treat-xrefs-as-is_a: X" in written.text
    assert choose_syntax(syntax, None).read(written.text.encode(), "written", ()).axioms == ()


def integer(text: str) -> owl.Literal:
    return owl.Literal(text, XSD + "integer")


def chosen(name: str) -> Syntax:
    return choose_syntax(name, None)
