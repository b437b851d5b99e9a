"""RDF that says less than OWL 2 asks for: undeclared names, broken structure. Nothing is lost in silence."""

from __future__ import annotations

import pytest

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import OWL, RDFS
from moose.owl.syntax.common.arguments import RULE_REASON
from moose.owl.syntax.rdf.read_rdf import read_rdf
from tests.owl.test_rdf import DECLARED, EX, IDA, JON, NEGATIVE, ONE, PREFIXES, SOME, A, B, about, note, read

# ── Undeclared names ──────────────────────────────────────────────────────────────────────────────────────────────

P = EX + "p"
OBJECT, DATA = owl.ObjectProperty(P), owl.DataProperty(P)
USES: list[tuple[str, ax.Axiom]] = [
    (
        ":A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :B ] .",
        ax.ObjectPropertyAssertion(OBJECT, IDA, JON),
    ),
    (":A rdfs:subClassOf [ owl:onProperty :p ; owl:hasValue :i ] .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":A rdfs:subClassOf [ owl:onProperty :p ; owl:hasSelf true ] .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":p a owl:SymmetricProperty .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":p owl:inverseOf :r .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":r owl:propertyChainAxiom ( :r :p ) .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":p rdfs:range :A .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":p rdfs:domain :A .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":A rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ] .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    ("[] a owl:AllDisjointProperties ; owl:members ( :r :p ) .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (":A owl:hasKey ( :p ) .", ax.ObjectPropertyAssertion(OBJECT, IDA, JON)),
    (
        f"{NEGATIVE} ; owl:assertionProperty :p ; owl:targetIndividual :i .",
        ax.ObjectPropertyAssertion(OBJECT, IDA, JON),
    ),
    (":p rdfs:range xsd:integer .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
    (":p rdfs:range [ owl:oneOf ( 1 2 ) ] .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
    (":p rdfs:subPropertyOf :d .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
    (":p rdfs:domain :A .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
    (":p a owl:FunctionalProperty .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
    (":A rdfs:subClassOf [ owl:onProperty :p ; owl:hasValue 1 ] .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
    (
        ":A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom xsd:string ] .",
        ax.DataPropertyAssertion(DATA, IDA, ONE),
    ),
    (":A rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ] .", ax.DataPropertyAssertion(DATA, IDA, ONE)),
]


@pytest.mark.parametrize(("turtle", "expected"), USES)
def test_an_undeclared_property_is_what_it_is_used_as(turtle: str, expected: ax.Axiom) -> None:
    value = ":j" if isinstance(expected, ax.ObjectPropertyAssertion) else "1"
    found = read(f"{turtle} :i :p {value} .")
    assert expected in found.axioms
    assert len(found.axioms) > 1 and not unread(found)


def test_an_undeclared_property_without_such_a_use_annotates() -> None:
    found = read(":i :p :j , 1 . :p a rdf:Property .")
    assert not found.axioms
    assert found.annotation_assertions == (
        ax.AnnotationAssertion(P, IDA.iri, JON.iri),
        ax.AnnotationAssertion(P, IDA.iri, ONE),
    )
    assert found.declarations[-1].entity == owl.AnnotationProperty(P)


def test_what_imports_declare_is_known() -> None:
    text = (PREFIXES + ":i :p :j . :A rdfs:subClassOf [ owl:onProperty :q ; owl:maxCardinality 1 ] .").encode()
    q = owl.DataProperty(EX + "q")
    found = read_rdf(text, "o.ttl", syntax="turtle", known=[OBJECT, q])
    at_most_one = ax.SubClassOf(A, owl.DataMaxCardinality(1, q, owl.LITERAL))
    assert found.axioms == (ax.ObjectPropertyAssertion(OBJECT, IDA, JON), at_most_one)


# ── Nothing is lost in silence ────────────────────────────────────────────────────────────────────────────────────


def unread(document: Document) -> list[ax.UnreadAxiom]:
    return [axiom for axiom in document.axioms if isinstance(axiom, ax.UnreadAxiom)]


BROKEN = [
    (":A rdfs:subClassOf [ owl:onProperty :r ] .", "has owl:onProperty, which describes no class"),
    (":A rdfs:subClassOf [ owl:onProperty :r ; owl:someValuesFrom :B , :C ] .", "owl:someValuesFrom more than once"),
    (":A rdfs:subClassOf [ owl:onProperty :r ; owl:someValuesFrom :B ; owl:allValuesFrom :B ] .", "which describes no"),
    (":A rdfs:subClassOf [ owl:onProperty :r ; owl:maxCardinality 'many' ] .", "not a number"),
    (":A rdfs:subClassOf [ owl:onProperty :r ; owl:hasSelf false ] .", "not true"),
    (":A rdfs:subClassOf [ owl:onProperty :d ; owl:someValuesFrom :B ] .", "data property"),
    (":A rdfs:subClassOf [ owl:onProperty :r ; owl:someValuesFrom xsd:string ] .", "object property"),
    (":A rdfs:subClassOf [ owl:oneOf ( :i 1 ) ] .", "stands where a literal belongs"),
    (":A rdfs:subClassOf [ owl:unionOf ( :B 1 ) ] .", "stands where a class belongs"),
    (":A rdfs:subClassOf [ owl:unionOf [ rdf:first :B ] ] .", "1 rdf:first and 0 rdf:rest"),
    (":A rdfs:subClassOf [ owl:unionOf _:l ] . _:l rdf:first :B ; rdf:rest _:l .", "circle"),
    (":A rdfs:subClassOf [ owl:unionOf _:l ] . _:l rdf:first :B ; rdf:rest 1 .", "ends in a literal"),
    (":A rdfs:subClassOf _:x . _:x owl:complementOf _:x .", "contains itself"),
    (":A rdfs:subClassOf _:x . _:x owl:unionOf ( :B [ owl:onProperty :r ; owl:someValuesFrom _:x ] ) .", "itself"),
    (":A rdfs:subClassOf 'text' .", "stands where a class belongs"),
    (":A rdfs:subClassOf owl:Class .", "stands where a class belongs"),
    (":A rdfs:subClassOf xsd:string .", "stands where a class belongs"),
    (":A owl:disjointUnionOf :B .", "0 rdf:first"),
    ("[ owl:complementOf :A ] owl:disjointUnionOf ( :B ) .", "only a named class"),
    (":d rdfs:range :A .", "stands where a data range belongs"),
    (":d rdfs:range [ owl:onDatatype xsd:string ; owl:withRestrictions ( :x ) ] .", "where a facet"),
    (":r owl:propertyChainAxiom () .", "empty"),
    (
        ":A rdfs:subClassOf [ owl:onProperty [ owl:inverseOf [ owl:inverseOf :r ] ] ; owl:hasSelf true ] .",
        "only a named",
    ),
    (":r owl:inverseOf :d .", "where an object property belongs"),
    (":r rdfs:subPropertyOf :d .", "different kinds"),
    (":m owl:equivalentProperty :n .", "annotation properties"),
    (":m a owl:FunctionalProperty .", "annotation properties"),
    (":m rdfs:domain [ owl:complementOf :A ] .", "name of a property or class"),
    (":i :r 1 .", "needs an individual"),
    (":i :d :j .", "needs a literal"),
    (":i :r [ owl:complementOf :A ] .", "describes something else"),
    (":i owl:sameAs 1 .", "where an individual belongs"),
    (":i a 'class' .", "where a class belongs"),
    (":i a rdf:Statement .", "where a class belongs"),
    (":i rdf:value 1 .", "makes no axiom"),
    (":i owl:invented :j .", "makes no axiom"),
    (":A rdfs:subclassOf :B .", "here (did you mean rdfs:subClassOf?)"),
    (":A owl:subClassOf :B .", "here (did you mean rdfs:subClassOf?)"),
    (":A owl:someValueFrom :B .", "here (did you mean owl:someValuesFrom?)"),
    (":A a owl:class .", "stands where a class belongs (did you mean owl:Class?)"),
    ("_:x a owl:Class .", "nothing describes it"),
    (":X a owl:Restriction .", "nothing describes it"),
    (":X owl:someValuesFrom :B .", "no axiom uses this structure"),
    ("[] owl:members ( :A :B ) .", "no axiom uses this structure"),
    ("_:x rdf:first :A ; rdf:rest [ rdf:first :B ; rdf:rest () ] .", "no axiom uses this list"),
    ("_:x rdf:first :A ; rdf:rest _:x .", "no axiom uses this list"),
    ("[] owl:onProperty :r .", "which describes no class"),
    ("[] a owl:AllDisjointClasses .", "one list of owl:members"),
    ("[] a owl:AllDisjointClasses ; owl:members ( :A 1 ) .", "where a class belongs"),
    ("[] a owl:NegativePropertyAssertion ; owl:sourceIndividual :i .", "one source, one property and one target"),
    ("[] a owl:Axiom ; owl:annotatedSource :A .", "one owl:annotatedProperty"),
    (about(":A", "rdfs:subClassOf", ":B"), "does not make"),
    (about(":A", "rdfs:subClassOf", "[ owl:complementOf :B ]") + ":C rdfs:subClassOf :B .", "does not make"),
    ("<urn:o> a owl:Ontology ; owl:imports 'text' .", "makes no axiom"),
    ("<< :A rdfs:subClassOf :B >> :m 'quoted' .", "triples about triples"),
]


@pytest.mark.parametrize(("turtle", "reason"), BROKEN)
def test_what_stands_for_no_axiom_is_returned(turtle: str, reason: str) -> None:
    found = unread(read(turtle))
    assert len(found) == 1
    assert reason in found[0].reason
    assert found[0].text


def test_unread_axioms_show_all_that_belongs_to_them() -> None:
    (axiom,) = read(":A rdfs:subClassOf [ owl:unionOf ( :B [ owl:onProperty :r ] ) ] ." + DECLARED).axioms
    assert isinstance(axiom, ax.UnreadAxiom)
    assert axiom.text.count("\n") == 6
    assert axiom.text.startswith(f"<{EX}A> <{RDFS}subClassOf> _:b1 .\n_:b1 <{OWL}unionOf> _:b0 .\n")
    annotated = about(":A", "rdfs:subClassOf", "_:x") + ":A rdfs:subClassOf _:x ."
    assert unread(read(annotated))[0].annotations == (note("why"),)


RULE = """
:rule a swrl:Imp ; rdfs:label "a rule" ;
    swrl:body ( [ a swrl:ClassAtom ; swrl:classPredicate :A ; swrl:argument1 :x ] ) ;
    swrl:head ( [ a swrl:ClassAtom ; swrl:argument1 :x ;
        swrl:classPredicate [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B ] ] ) .
:x a swrl:Variable .
"""


def test_a_rule_is_one_unread_axiom() -> None:
    (axiom,) = read(RULE).axioms
    assert isinstance(axiom, ax.UnreadAxiom) and axiom.reason == RULE_REASON
    assert axiom.annotations == (ax.Annotation(RDFS + "label", owl.Literal("a rule")),)
    assert axiom.text.count("\n") == 15


def test_an_expression_that_nothing_uses_is_no_loss() -> None:
    assert (
        read("[] a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom [ owl:unionOf ( :A :B ) ] .").axioms == ()
    )


def test_shared_expressions_are_read_wherever_they_stand() -> None:
    found = read(
        ":A rdfs:subClassOf _:x . :B owl:equivalentClass _:x . _:x owl:onProperty :r ; owl:someValuesFrom :B ."
    )
    assert found.axioms == (ax.SubClassOf(A, SOME), ax.EquivalentClasses((B, SOME)))
