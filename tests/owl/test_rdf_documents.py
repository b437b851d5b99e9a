"""Whole documents in RDF/XML, Turtle and N-Triples: the same in each, and the same in every run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyoxigraph
import pytest

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, OWL, RDFS, XSD
from moose.owl.syntax.rdf.graph import RdfSyntax
from moose.owl.syntax.rdf.read_rdf import read_rdf
from tests.owl.horned import read_horned

FIXTURES = Path(__file__).parent / "fixtures_rdf"

# ── Three syntaxes ────────────────────────────────────────────────────────────────────────────────────────────────

FAMILY = "http://example.org/family#"
PERSON, MAN, WOMAN, CHILD, PARENT = (owl.Class(FAMILY + name) for name in ("Person", "Man", "Woman", "Child", "Parent"))
HAS_CHILD, HAS_PARENT, HAS_GRANDCHILD = (
    owl.ObjectProperty(FAMILY + name) for name in ("hasChild", "hasParent", "hasGrandchild")
)
NAME, AGE = owl.DataProperty(FAMILY + "name"), owl.DataProperty(FAMILY + "age")
ANN, BOB, REX = (owl.NamedIndividual(FAMILY + name) for name in ("ann", "bob", "rex"))
UNBORN = owl.AnonymousIndividual("unborn")
FAMILY_AXIOMS: set[ax.Axiom] = {
    ax.HasKey(PERSON, (), (NAME,)),
    ax.SubClassOf(MAN, PERSON, (ax.Annotation(RDFS + "comment", owl.Literal("probably")),)),
    ax.SubClassOf(WOMAN, PERSON),
    ax.DisjointClasses((MAN, WOMAN, owl.ObjectOneOf((REX,))), (ax.Annotation(RDFS + "comment", owl.Literal("n-ary")),)),
    ax.EquivalentClasses((PARENT, owl.ObjectIntersectionOf((PERSON, owl.ObjectSomeValuesFrom(HAS_CHILD, PERSON))))),
    ax.InverseObjectProperties(HAS_CHILD, HAS_PARENT),
    ax.ObjectPropertyRange(HAS_CHILD, PERSON),
    ax.SubObjectPropertyOf((HAS_CHILD, HAS_CHILD), HAS_GRANDCHILD),
    ax.FunctionalDataProperty(NAME),
    ax.DataPropertyRange(NAME, owl.Datatype(XSD + "string")),
    ax.DataPropertyRange(
        AGE,
        owl.DatatypeRestriction(
            owl.Datatype(XSD + "integer"), ((XSD + "minInclusive", owl.Literal("0", XSD + "integer")),)
        ),
    ),
    ax.ClassAssertion(WOMAN, ANN),
    ax.ObjectPropertyAssertion(HAS_CHILD, ANN, BOB),
    ax.ObjectPropertyAssertion(HAS_CHILD, ANN, UNBORN),
    ax.DataPropertyAssertion(NAME, ANN, owl.Literal("Ann")),
    ax.ClassAssertion(MAN, BOB),
    ax.ClassAssertion(CHILD, UNBORN),
    ax.DifferentIndividuals((ANN, BOB, REX)),
    ax.ObjectPropertyAssertion(HAS_CHILD, BOB, ANN, negative=True),
}
FAMILY_ENTITIES = {
    *(PERSON, MAN, WOMAN, CHILD, PARENT, HAS_CHILD, HAS_PARENT, HAS_GRANDCHILD, NAME, AGE, ANN, BOB, REX),
}


def family_in(syntax: RdfSyntax) -> bytes:
    if syntax == "rdfxml":
        return (FIXTURES / "family.rdf").read_bytes()
    turtle = (FIXTURES / "family.ttl").read_bytes()
    if syntax == "turtle":
        return turtle
    triples = pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE)
    return pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.N_TRIPLES) or b""


def with_unborn(axiom: ax.Axiom) -> ax.Axiom:
    """Give the one anonymous individual the name it has above."""
    match axiom:
        case ax.ClassAssertion(cls, owl.AnonymousIndividual()):
            return ax.ClassAssertion(cls, UNBORN)
        case ax.ObjectPropertyAssertion(role, source, owl.AnonymousIndividual()):
            return ax.ObjectPropertyAssertion(role, source, UNBORN)
    return axiom


@pytest.mark.parametrize("syntax", ["rdfxml", "turtle", "ntriples"])
def test_the_same_document_in_three_syntaxes(syntax: RdfSyntax) -> None:
    found = read_rdf(family_in(syntax), "family", syntax=syntax)
    assert (found.iri, found.version_iri) == ("http://example.org/family", "http://example.org/family/2")
    comment = owl.Literal("A small family.", LANGUAGE_STRING_IRI, "en")
    assert found.annotations == (ax.Annotation(RDFS + "comment", comment),)
    assert [with_unborn(axiom) for axiom in found.axioms if with_unborn(axiom) not in FAMILY_AXIOMS] == []
    assert {with_unborn(axiom) for axiom in found.axioms} == FAMILY_AXIOMS
    assert len(found.axioms) == len(FAMILY_AXIOMS)
    assert {told.entity for told in found.declarations} == FAMILY_ENTITIES
    label = ax.AnnotationAssertion(RDFS + "label", FAMILY + "Person", owl.Literal("person"))
    assert found.annotation_assertions == (label,)
    if syntax != "ntriples":
        assert found.prefixes[""] == FAMILY and found.prefixes["owl"] == OWL


def test_blank_nodes_with_labels() -> None:
    found = read_rdf((FIXTURES / "chain.nt").read_bytes(), "chain.nt", syntax="ntriples")
    r, s = owl.ObjectProperty("urn:x:r"), owl.ObjectProperty("urn:x:s")
    x = owl.AnonymousIndividual("b3")
    a, b = owl.Class("urn:x:A"), owl.Class("urn:x:B")
    assert found.axioms == (
        ax.SubObjectPropertyOf((r, s), r),
        ax.SubClassOf(a, owl.ObjectSomeValuesFrom(s, b)),
        ax.ClassAssertion(a, x),
    )
    label = owl.Literal("café\n", LANGUAGE_STRING_IRI, "fr")
    assert found.annotation_assertions == (ax.AnnotationAssertion(RDFS + "label", x, label),)


@pytest.mark.parametrize("syntax", ["rdfxml", "turtle", "ntriples"])
def test_names_and_order_do_not_depend_on_the_run(syntax: RdfSyntax) -> None:
    data = family_in(syntax)
    command = (
        "import sys; from moose.owl.syntax.rdf.read_rdf import read_rdf; "
        f"print(ascii(read_rdf(sys.stdin.buffer.read(), 'family', syntax={syntax!r})))"
    )
    runs = [subprocess.run([sys.executable, "-c", command], input=data, capture_output=True, check=True) for _ in "ab"]
    here = ascii(read_rdf(data, "family", syntax=syntax))
    assert [run.stdout.decode().strip() for run in runs] == [here, here]


def test_py_horned_owl_agrees_where_it_reads_all() -> None:
    """It loses n-ary disjointness, assertions on blank nodes and annotations on them: those are left out."""
    triples = pyoxigraph.parse(family_in("turtle"), pyoxigraph.RdfFormat.TURTLE)
    data = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.RDF_XML) or b""
    ours = read_rdf(data, "family.rdf", syntax="rdfxml")
    theirs = read_horned(data.decode(), "family.rdf", syntax="rdf")
    known = {with_unborn(axiom) for axiom in ours.axioms}
    assert set(theirs.axioms) <= known
    lost = {type(axiom).__name__ for axiom in known - set(theirs.axioms)}
    assert lost == {"DisjointClasses", "ClassAssertion", "ObjectPropertyAssertion"}
