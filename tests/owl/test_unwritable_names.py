"""Names with characters that only XML lets pass: read, escaped, and the same wherever they are written again."""

from __future__ import annotations

from collections.abc import Callable
from xml.sax.saxutils import quoteattr

import pytest

from moose.base.errors import ParseError
from moose.owl.model.axioms import Document, SubClassOf
from moose.owl.model.expressions import OWL, RDF, RDFS, AnonymousIndividual, Class
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import write_functional
from moose.owl.syntax.obo.read_obo import read_obo
from moose.owl.syntax.owlxml.read_owlxml import read_owlxml
from moose.owl.syntax.rdf.read_rdf import read_rdf


def owlxml(name: str) -> Document:
    text = (
        f'<Ontology xmlns="{OWL}" ontologyIRI="urn:o"><Prefix name="p" IRI="urn:"/><SubClassOf>'
        f'<Class IRI={quoteattr(name)}/><Class abbreviatedIRI="p:B"/></SubClassOf></Ontology>'
    )
    return read_owlxml(text.encode(), "o.owx")


def rdfxml(name: str) -> Document:
    text = (
        f'<r:RDF xmlns:r="{RDF}" xmlns:s="{RDFS}"><r:Description r:about={quoteattr(name)}>'
        '<s:subClassOf r:resource="urn:B"/></r:Description></r:RDF>'
    )
    return read_rdf(text.encode(), "o.rdf", syntax="rdfxml")


def obo(name: str) -> Document:
    text = f"format-version: 1.4\nontology: http://example.org/a<b\n\n[Term]\nid: {name}\nis_a: urn:B\n"
    return read_obo(text, "o.obo")


READERS: dict[str, Callable[[str], Document]] = {"owlxml": owlxml, "rdfxml": rdfxml}


@pytest.mark.parametrize("name", ["urn:a<b", "a>", "owl:a>b", "http://example.org/<"])
def test_what_was_read_from_obo_can_be_written_and_read_again(name: str) -> None:
    document = obo(name)
    again = read_functional(write_functional(document), "o.ofn")
    assert (again.iri, again.axioms) == (document.iri, document.axioms)
    assert document.iri == "http://example.org/a%3Cb"


@pytest.mark.parametrize("character", [" ", "\t", "\n", "\xa0", "\x85", "\u2003", "\u2028", "<", ">", ">  <"])
@pytest.mark.parametrize("syntax", READERS)
def test_what_was_read_can_be_written_and_read_again(syntax: str, character: str) -> None:
    document = READERS[syntax](f"urn:a{character}b")
    assert read_functional(write_functional(document), "o.ofn").axioms == document.axioms
    (axiom,) = document.axioms
    assert isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Class)
    assert axiom.sub.iri.startswith("urn:a%") and axiom.sub.iri.endswith("b")


def test_white_space_around_a_name_means_nothing_in_owlxml() -> None:
    assert owlxml(" urn:A\n").axioms == owlxml("urn:A").axioms


@pytest.mark.parametrize(("written", "read"), [("en_US", "en-US"), ("x y", "x-y"), ("de-AT", "de-AT"), ("/", "-")])
def test_language_tags(written: str, read: str) -> None:
    text = (
        f'<Ontology xmlns="{OWL}" ontologyIRI="urn:o"><DataPropertyAssertion><DataProperty IRI="urn:d"/>'
        f'<NamedIndividual IRI="urn:a"/><Literal xml:lang="{written}">x</Literal></DataPropertyAssertion></Ontology>'
    )
    rdf = (
        f'<r:RDF xmlns:r="{RDF}" xmlns:u="urn:"><r:Description r:about="urn:d">'
        f'<r:type r:resource="{OWL}DatatypeProperty"/></r:Description><r:Description r:about="urn:a">'
        f'<u:d xml:lang="{written}">x</u:d></r:Description></r:RDF>'
    )
    for document in (read_owlxml(text.encode(), "o.owx"), read_rdf(rdf.encode(), "o.rdf", syntax="rdfxml")):
        assert read_functional(write_functional(document), "o.ofn").axioms == document.axioms
        assert document.axioms[0].literal.language.lower() == read.lower()  # type: ignore[union-attr]


def test_labels_of_anonymous_individuals() -> None:
    text = (
        f'<Ontology xmlns="{OWL}"><ClassAssertion><Class IRI="urn:A"/><AnonymousIndividual nodeID="_:a b)#"/>'
        "</ClassAssertion></Ontology>"
    )
    document = read_owlxml(text.encode(), "o.owx")
    assert read_functional(write_functional(document), "o.ofn").axioms == document.axioms
    assert document.axioms[0].individual == AnonymousIndividual("a%20b%29%23")  # type: ignore[union-attr]


def test_a_refusal_that_quotes_the_document_is_one_short_line() -> None:
    inner = f"<r:value><r:Bag/>{'x' * 900}\n y</r:value>"
    text = f'<r:RDF xmlns:r="{RDF}"><r:Description r:about="urn:a">{inner}</r:Description></r:RDF>'
    with pytest.raises(ParseError) as caught:
        read_rdf(text.encode(), "o.rdf", syntax="rdfxml")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
