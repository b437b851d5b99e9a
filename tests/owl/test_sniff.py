"""The syntax of a document is told by its content, and by its name where the content is silent."""

from __future__ import annotations

import pytest

from moose.base.errors import ParseError
from moose.owl.files.sniff import sniff
from moose.owl.load import SYNTAXES

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
OWL = 'xmlns="http://www.w3.org/2002/07/owl#"'

BY_CONTENT: list[tuple[str, str]] = [
    ("Prefix(:=<http://e.org/>)\nOntology()", "functional"),
    ("# a note\n\n  Ontology (<http://e.org/o>)", "functional"),
    (f'<?xml version="1.0"?>\n<!-- note -->\n<Ontology {OWL} ontologyIRI="http://e.org/o"></Ontology>', "owlxml"),
    ('<o:Ontology xmlns:o="http://www.w3.org/2002/07/owl#"/>', "owlxml"),
    (f"<rdf:RDF {RDF}/>", "rdfxml"),
    (
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#"> ]>\n<rdf:RDF {RDF}/>',
        "rdfxml",
    ),
    (f'<owl:Ontology {RDF} rdf:about="http://e.org/o"/>', "rdfxml"),
    (f'<owl:Class {RDF} rdf:about="http://e.org/A"/>', "rdfxml"),
    ("@prefix owl: <http://www.w3.org/2002/07/owl#> .", "turtle"),
    ("# note\nPREFIX owl: <http://www.w3.org/2002/07/owl#>", "turtle"),
    ("prefix : <http://e.org/>\n:A a :B .", "turtle"),
    ("BASE <http://e.org/>\n<A> a <B> .", "turtle"),
    ("<http://e.org/A> a <http://e.org/B> .", "turtle"),
    ("<http://e.org/A>\n  <http://e.org/p> <http://e.org/B> , <http://e.org/C> .", "turtle"),
    ("[] a <http://www.w3.org/2002/07/owl#AllDisjointClasses> .", "turtle"),
    ('<http://e.org/A> <http://e.org/p> <http://e.org/B> .\n# c\n_:b <http://e.org/p> "x\\"y"@en . # d\n', "ntriples"),
    ('<http://e.org/A> <http://e.org/p> "1"^^<http://www.w3.org/2001/XMLSchema#int> .', "ntriples"),
    ("format-version: 1.2\nontology: go\n", "obo"),
    ("! note\n[Term]\nid: GO:1\n", "obo"),
    ("Prefix: owl: <http://www.w3.org/2002/07/owl#>\nOntology: <http://e.org/o>", "manchester"),
    ("Ontology: <http://e.org/o>\nClass: A", "manchester"),
    ("Class: <http://e.org/A>", "manchester"),
]


@pytest.mark.parametrize(("text", "syntax"), BY_CONTENT)
@pytest.mark.parametrize("name", ["o.owl", "o", "o.xml.gz", "o.ofn"])
def test_content_decides(text: str, syntax: str, name: str) -> None:
    assert sniff(text.encode(), name, SYNTAXES).name == syntax
    assert sniff(b"\xef\xbb\xbf" + text.encode(), name, SYNTAXES).name == syntax


def test_triples_that_are_called_turtle_are_turtle() -> None:
    assert sniff(b"<http://e.org/A> <http://e.org/p> <http://e.org/B> .", "o.ttl", SYNTAXES).name == "turtle"


@pytest.mark.parametrize(
    ("name", "syntax"),
    [("o.ofn", "functional"), ("O.OMN.GZ", "manchester"), ("a.b.ttl", "turtle"), ("o.owx", "owlxml"), ("o.obo", "obo")],
)
def test_the_name_decides_where_the_content_is_silent(name: str, syntax: str) -> None:
    assert sniff(b"what is this", name, SYNTAXES).name == syntax


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        (" \n\t\n", "the file is empty"),
        ("# nothing\n# here", "only comments"),
        ("\n\nwhat is this", "o.owl:3: expected an ontology in functional syntax, OWL/XML, .*'what is this'"),
        ("<!DOCTYPE html>\n<html><body/></html>", "HTML page"),
        ("<html lang='en'>", "HTML page"),
        ("<?xml version='1.0'?>\n<svg/>", "o.owl:2: expected <rdf:RDF> or <Ontology> .* found <svg>"),
        ("<?xml version='1.0'?>", "o.owl:1: expected the root element"),
        ("<?xml version='1.0'?>\n<!DOCTYPE rdf:RDF [ <!ENTITY a", "o.owl:2: expected the root element"),
        ('{"@context": {}}', "looks like JSON"),
    ],
)
def test_what_is_no_ontology_is_said_in_one_line(text: str, said: str) -> None:
    with pytest.raises(ParseError, match=said) as caught:
        sniff(text.encode(), "o.owl", SYNTAXES)
    assert "\n" not in str(caught.value)


def test_a_long_opening_takes_no_time_to_speak_of() -> None:
    for text in ("#" * 3_000_000, "<!DOCTYPE x [" + "a]" * 1_000_000, "<" + "a" * 3_000_000, "<?xml ?>" * 300_000):
        with pytest.raises(ParseError):
            sniff(text.encode(), "o.owl", SYNTAXES)


@pytest.mark.parametrize("subset", ["<!-- a]>b -->", '<!ENTITY x "a]>b">', "<!ENTITY x 'a]>b'>"])
def test_a_doctype_may_hold_brackets_in_comments_and_values(subset: str) -> None:
    text = f'<!DOCTYPE rdf:RDF [ {subset} ]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
    assert sniff(text.encode(), "o.rdf", SYNTAXES).name == "rdfxml"
