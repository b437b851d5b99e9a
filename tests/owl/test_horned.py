from __future__ import annotations

import sys

import pytest

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration, Document
from moose.owl.model.expressions import RDFS, XSD
from moose.owl.syntax.common.arguments import RULE_REASON
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import render
from tests.owl.horned import read_horned

EX = "http://example.org/"
A, B = owl.Class(EX + "A"), owl.Class(EX + "B")

# One axiom of every kind, and among their parts one expression and one data range of every kind.
EVERY = f"""Prefix(:=<{EX}>) Prefix(xsd:=<{XSD}>) Prefix(rdfs:=<{RDFS}>)
Ontology(<{EX}o> <{EX}o/1> Import(<{EX}more>) Annotation(rdfs:label "o"@en)
Declaration(Class(:A)) Declaration(ObjectProperty(:r)) Declaration(DataProperty(:d)) Declaration(NamedIndividual(:i))
Declaration(AnnotationProperty(:p)) Declaration(Datatype(:mine))
SubClassOf(Annotation(Annotation(:p :A) rdfs:comment "why") :A ObjectIntersectionOf(:B ObjectUnionOf(:A :B)))
SubClassOf(:A ObjectComplementOf(ObjectOneOf(:i _:x)))
SubClassOf(:A ObjectSomeValuesFrom(ObjectInverseOf(:r) ObjectAllValuesFrom(:r :B)))
SubClassOf(ObjectHasValue(:r :i) ObjectHasSelf(:r))
SubClassOf(ObjectMinCardinality(1 :r :B) ObjectMaxCardinality(2 :r)) SubClassOf(ObjectExactCardinality(3 :r :B) :A)
SubClassOf(DataSomeValuesFrom(:d DataIntersectionOf(xsd:integer DataUnionOf(:mine xsd:string))) :A)
SubClassOf(DataAllValuesFrom(:d DataComplementOf(DataOneOf("a" "b"@en "1"^^xsd:integer))) :A)
SubClassOf(DataHasValue(:d "a") :A) SubClassOf(DataMinCardinality(1 :d) :A)
SubClassOf(DataMaxCardinality(1 :d DatatypeRestriction(xsd:integer xsd:minInclusive "1"^^xsd:integer)) :A)
SubClassOf(DataExactCardinality(1 :d xsd:integer) :A)
EquivalentClasses(:A :B) DisjointClasses(:A :B) DisjointUnion(:A :B :A) HasKey(:A (:r ObjectInverseOf(:r)) (:d))
DatatypeDefinition(:mine xsd:integer) SubObjectPropertyOf(:r :r) SubObjectPropertyOf(ObjectPropertyChain(:r :r) :r)
EquivalentObjectProperties(:r :s) DisjointObjectProperties(:r :s) InverseObjectProperties(:r :s)
ObjectPropertyDomain(:r :A) ObjectPropertyRange(:r :A) FunctionalObjectProperty(:r) InverseFunctionalObjectProperty(:r)
ReflexiveObjectProperty(:r) IrreflexiveObjectProperty(:r) SymmetricObjectProperty(:r) AsymmetricObjectProperty(:r)
TransitiveObjectProperty(ObjectInverseOf(:r)) SubDataPropertyOf(:d :e) EquivalentDataProperties(:d :e)
DisjointDataProperties(:d :e) DataPropertyDomain(:d :A) DataPropertyRange(:d xsd:integer) FunctionalDataProperty(:d)
SameIndividual(:i :j) DifferentIndividuals(:i :j) ClassAssertion(:A _:x) ObjectPropertyAssertion(:r :i :j)
NegativeObjectPropertyAssertion(:r :i :j) DataPropertyAssertion(:d :i "a") NegativeDataPropertyAssertion(:d :i "a")
AnnotationAssertion(:p :A "a") AnnotationAssertion(Annotation(:p "b") :p _:x :B) SubAnnotationPropertyOf(:p :q)
AnnotationPropertyDomain(:p :A) AnnotationPropertyRange(:p :B)
)"""


def sorted_parts(document: Document) -> list[object]:
    parts = (document.annotations, document.declarations, document.axioms, document.annotation_assertions)
    return [document.iri, document.version_iri, document.imports, *(sorted(map(render, part)) for part in parts)]


def test_every_construct_is_read_as_our_own_reader_reads_it() -> None:
    theirs = read_horned(EVERY, "o.ofn", syntax="ofn")
    assert sorted_parts(theirs) == sorted_parts(read_functional(EVERY, "o.ofn"))
    assert len(theirs.axioms) == 44


def test_the_order_is_the_same_in_every_run() -> None:
    found = [read_horned(EVERY, "o.ofn", syntax="ofn") for _ in range(3)]
    assert found[0] == found[1] == found[2]
    assert list(found[0].axioms) == sorted(found[0].axioms, key=render)


def test_a_rule_is_kept_unread() -> None:
    atoms = [f"ClassAtom(<{cls.iri}> Variable(<urn:x>))" for cls in (A, B)]
    text = f"Ontology(DLSafeRule(Body({atoms[0]})Head({atoms[1]})))"
    (axiom,) = read_horned(text, "o.ofn", syntax="ofn").axioms
    assert isinstance(axiom, ax.UnreadAxiom)
    assert axiom.reason == RULE_REASON
    assert axiom.text.startswith("DLSafeRule(")


def test_owl_xml_is_read() -> None:
    text = (
        f'<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="{EX}o"><Declaration><Class IRI="{A.iri}"/>'
        f'</Declaration><SubClassOf><Class IRI="{A.iri}"/><Class IRI="{B.iri}"/></SubClassOf></Ontology>'
    )
    document = read_horned(text, "o.owx", syntax="owx")
    assert (document.iri, document.declarations) == (EX + "o", (Declaration(A),))
    assert document.axioms == (ax.SubClassOf(A, B),)


def test_annotations_are_kept() -> None:
    document = read_horned(EVERY, "o.ofn", syntax="ofn")
    (annotated,) = [axiom for axiom in document.axioms if axiom.annotations]
    inner = (Annotation(EX + "p", A.iri),)
    assert annotated.annotations == (Annotation(RDFS + "comment", owl.Literal("why"), inner),)
    assert AnnotationAssertion(RDFS + "subPropertyOf", EX + "p", EX + "q") in document.annotation_assertions


def test_a_mistake_is_named_with_its_line() -> None:
    with pytest.raises(ParseError, match=r"o\.ofn:2: expected what py-horned-owl can read, but 'SubClassOf\(' came"):
        read_horned("Ontology(\nSubClassOf(\n", "o.ofn", syntax="ofn")
    with pytest.raises(ParseError, match=r"o\.owx: expected what py-horned-owl can read, but it says: "):
        read_horned("<Ontology>" + "<a>" * 10_000, "o.owx", syntax="owx")


def test_deep_nesting_is_refused_in_one_sentence() -> None:
    nested = f"ObjectSomeValuesFrom(<{EX}r> " * 3_000 + f"<{A.iri}>" + ")" * 3_000
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)  # Python's own; ProbLog raises it in whatever process imports it
    try:
        with pytest.raises(ParseError, match=r"o\.ofn: expected expressions nested at most"):
            read_horned(f"Ontology(SubClassOf(<{A.iri}> {nested}))", "o.ofn", syntax="ofn")
    finally:
        sys.setrecursionlimit(before)
