"""Whole documents in RDF/XML, Turtle and N-Triples; what is undeclared, what is broken, and what would do harm."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyoxigraph
import pytest

from moose.errors import ParseError
from moose.owl import axioms as ax
from moose.owl import model as owl
from moose.owl.arguments import MAX_NESTING
from moose.owl.constructors import RULE_REASON
from moose.owl.document import Document
from moose.owl.horned import read_horned
from moose.owl.rdf import read_rdf
from moose.owl.rdf_graph import MAX_QUOTED_TRIPLES, RdfSyntax
from moose.owl.rdf_xml import MAX_XML_DEPTH
from moose.owl.vocabulary import LANGUAGE_STRING_IRI, OWL, RDF, RDFS, XSD
from tests.owl.test_rdf import DECLARED, EX, IDA, JON, ONE, PREFIXES, SOME, A, B, about, note, read

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
        "import sys; from moose.owl.rdf import read_rdf; "
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
        "[ a owl:NegativePropertyAssertion ] owl:sourceIndividual :i ; owl:assertionProperty :p ; owl:targetIndividual :i .",
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


# ── Bad input ─────────────────────────────────────────────────────────────────────────────────────────────────────


def refusal(data: str | bytes, syntax: RdfSyntax = "turtle") -> str:
    with pytest.raises(ParseError) as caught:
        read_rdf(data if isinstance(data, bytes) else data.encode(), "o", syntax=syntax)
    assert "\n" not in str(caught.value)
    return str(caught.value)


RDF_XML = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}" xmlns:ex="{EX}">\n%s</rdf:RDF>'
CLASS = '<owl:Class rdf:about="http://example.org/A"/>'


@pytest.mark.parametrize(
    ("data", "syntax", "message"),
    [
        ("", "turtle", "o: expected an ontology in Turtle, but the file is empty"),
        (" \n", "rdfxml", "the file is empty"),
        ("@prefix a: <urn:x:> .\n\na:b a:c", "turtle", "o:3: expected Turtle, but got: "),
        ("@prefix a: <urn:x:> .\na:b b:c a:d .", "turtle", "o:2: expected Turtle, but got: The prefix b:"),
        (b"<urn:a> <urn:b>\n \xff .", "turtle", "o:2: expected Turtle"),
        ("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b>", "ntriples", "o:2: expected N-Triples"),
        (RDF_XML % CLASS[:-1], "rdfxml", "o:2: expected well-formed RDF/XML"),
        ((RDF_XML % CLASS)[:-5], "rdfxml", "o:2: expected well-formed RDF/XML"),
        (RDF_XML % '\n<ex:A rdf:aboutEach="x"/>', "rdfxml", "o:3: expected RDF/XML"),
        (RDF_XML % "\n<ex:A>text</ex:A>", "rdfxml", "o:3: expected RDF/XML"),
        (RDF_XML % "\n<ex:A><ex:p rdf:parseType='daml:collection'/></ex:A>", "rdfxml", "o:3: expected rdf:parseType"),
        (RDF_XML % '\n<no:A rdf:about="urn:x"/>', "rdfxml", "o:3: expected RDF/XML"),
        ("<html><body>Not found</body></html>", "rdfxml", "o:1: expected RDF/XML"),
        ("Ontology(<urn:x>)", "rdfxml", "o:1: expected well-formed RDF/XML"),
        ('<?xml version="1.0" encoding="martian"?>' + RDF_XML % "", "rdfxml", "o:1: expected"),
    ],
)
def test_syntax_errors_name_their_line(data: str | bytes, syntax: RdfSyntax, message: str) -> None:
    assert message in refusal(data, syntax)


def test_odd_names_are_no_syntax_errors() -> None:
    (axiom,) = read("<http://example.org/A> rdfs:subClassOf <http://example.org/a b{c}> .").axioms
    assert axiom == ax.SubClassOf(A, owl.Class(EX + "a b{c}"))


def test_a_byte_order_mark_is_no_syntax_error() -> None:
    text = b"\xef\xbb\xbf<urn:o> a <http://www.w3.org/2002/07/owl#Ontology> ."
    assert read_rdf(text, "o.ttl", syntax="turtle").iri == "urn:o"


def test_relative_names_do_not_depend_on_the_folder() -> None:
    for where in ("o.ttl", "some/folder/o.ttl"):
        assert read_rdf(f"<> a <{OWL}Ontology> .".encode(), where, syntax="turtle").iri == "file:///o.ttl"
    found = read_rdf((RDF_XML % '<owl:Class rdf:ID="A"/>').encode(), "a b.owl", syntax="rdfxml")
    assert found.declarations[0].entity == owl.Class("file:///a%20b.owl#A")


def test_text_in_pieces_is_one_literal() -> None:
    body = "<ex:A rdf:about='urn:x:i'>\r\n<ex:p>a <!-- x -->&lt;<![CDATA[<b> & c]]><?pi?>\r\nd</ex:p></ex:A>"
    found = read_rdf((RDF_XML % body).encode(), "o.owl", syntax="rdfxml")
    assert [assertion.value for assertion in found.annotation_assertions] == [owl.Literal("a <<b> & c\nd")]
    quoted = RDF_XML % "<ex:A rdf:about='urn:x:i'><ex:p>rdf:parseType='odd'</ex:p></ex:A>"
    found = read_rdf(quoted.encode(), "o.owl", syntax="rdfxml")
    assert [assertion.value for assertion in found.annotation_assertions] == [owl.Literal("rdf:parseType='odd'")]


def with_doctype(subset: str, body: str = CLASS) -> str:
    return f"<!DOCTYPE rdf:RDF [{subset}]>\n" + RDF_XML % body


def test_entities_that_abbreviate_are_expanded() -> None:
    text = with_doctype(
        "<!ENTITY ex 'http://example.org/'>\n<!ENTITY q '\"'><!ENTITY e \"http://example.org/x?a=1\">",
        '<owl:Class rdf:about="&ex;A" rdfs:label="&q;"><rdfs:seeAlso rdf:resource="&e;"/></owl:Class>',
    )
    found = read_rdf(text.encode(), "o.owl", syntax="rdfxml")
    assert found.declarations[0].entity == A
    values = [assertion.value for assertion in found.annotation_assertions]
    assert values == [owl.Literal('"'), "http://example.org/x?a=1"]


BOMB = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))


@pytest.mark.parametrize(
    "subset",
    [
        BOMB,
        f'<!ENTITY long "{"x" * 100_000}">',
        '<!ENTITY outside SYSTEM "file:///etc/hostname">',
        '<!ENTITY % parameter "x"> %parameter;',
    ],
)
def test_entities_that_could_do_harm_are_refused(subset: str) -> None:
    assert "entit" in refusal(with_doctype(subset, '<owl:Class rdf:about="&l9;&long;&outside;"/>'), "rdfxml")
    assert "entit" in refusal(with_doctype(subset), "rdfxml")


LEVEL = f"[ <{OWL}onProperty> <urn:x:r> ; <{OWL}someValuesFrom> "
XML_LEVEL = '<owl:Restriction><owl:onProperty rdf:resource="urn:x:r"/><owl:someValuesFrom>'
XML_END = "</owl:someValuesFrom></owl:Restriction>"


def nested(levels: int, syntax: RdfSyntax) -> bytes:
    """Return a class inclusion whose right side has that many levels."""
    if syntax == "rdfxml":
        inner = XML_LEVEL * levels + CLASS + XML_END * levels
        return (
            RDF_XML % f'<owl:Class rdf:about="urn:x:A"><rdfs:subClassOf>{inner}</rdfs:subClassOf></owl:Class>'
        ).encode()
    inner = LEVEL * levels + "<urn:x:B>" + "]" * levels
    return f"<urn:x:A> <{RDFS}subClassOf> {inner} .".encode()


@pytest.mark.parametrize("syntax", ["rdfxml", "turtle"])
def test_deep_nesting(syntax: RdfSyntax) -> None:
    document = read_rdf(nested(MAX_NESTING - 1, syntax), "o", syntax=syntax)
    assert len(document.axioms) == 1 and document == read_rdf(nested(MAX_NESTING - 1, syntax), "o", syntax=syntax)
    assert hash(document.axioms) and repr(document.axioms)
    for levels in (MAX_NESTING + 1, 10_000):
        assert "nested deeper" in refusal(nested(levels, syntax), syntax)


def test_deep_nesting_that_is_read_from_the_inside() -> None:
    levels = "".join(f"_:x{i} owl:complementOf _:x{i - 1} ; rdfs:subClassOf :B .\n" for i in range(1, MAX_NESTING + 2))
    assert "nested deeper" in refusal(PREFIXES + "_:x0 owl:complementOf :A .\n" + levels)


def test_deep_annotations() -> None:
    chain = "".join(
        f"_:n{i} a owl:Annotation ; owl:annotatedSource _:n{i - 1} ; owl:annotatedProperty :m ; "
        "owl:annotatedTarget 'x' ; :m 'x' .\n"
        for i in range(1, 10_000)
    )
    text = PREFIXES + DECLARED + ":A rdfs:subClassOf :B ." + about(":A", "rdfs:subClassOf", ":B", ":m 'x'", "_:n0")
    assert "nested deeper" in refusal(text + chain)


def test_deep_lists_and_individuals_are_fine() -> None:
    steps = "".join(f"_:x{i} :r _:x{i + 1} .\n" for i in range(10_000))
    assert len(read(steps).axioms) == 10_000
    (axiom,) = read(f":A owl:oneOf ( {':i ' * 20_000}) .").axioms
    assert isinstance(axiom, ax.EquivalentClasses)
    cells = "<rdf:Description><rdf:first rdf:resource='urn:x:i'/><rdf:rest>" * 2_000
    ends = f"<rdf:Description rdf:about='{RDF}nil'/>" + "</rdf:rest></rdf:Description>" * 2_000
    body = f"<owl:Class rdf:about='urn:x:A'><owl:oneOf>{cells}{ends}</owl:oneOf></owl:Class>"
    assert len(read_rdf((RDF_XML % body).encode(), "o", syntax="rdfxml").axioms) == 1
    assert f"{MAX_XML_DEPTH:,} levels" in refusal(RDF_XML % (cells * 5), "rdfxml")


def test_expressions_that_share_too_much_are_refused() -> None:
    doubling = "".join(f"_:x{i} owl:unionOf ( _:x{i - 1} _:x{i - 1} ) .\n" for i in range(1, 100))
    text = PREFIXES + "_:x0 owl:complementOf :B . :A rdfs:subClassOf _:x99 .\n" + doubling
    assert "give names to these nodes" in refusal(text)


def test_triples_in_triples_are_refused_before_they_overflow() -> None:
    for syntax in ("turtle", "ntriples"):
        deep = "<urn:a> <urn:b> " + "<<( <urn:a> <urn:b> " * 100_000 + '"x"' + " )>>" * 100_000 + " ."
        assert "nested in triples" in refusal(deep, syntax)
    harmless = f':A rdfs:label "{"<<" * (MAX_QUOTED_TRIPLES + 1)}" . # {"<<" * MAX_QUOTED_TRIPLES}\n'
    assert len(read(harmless).annotation_assertions) == 1


def test_inverses_of_inverses_are_unread() -> None:
    twice = "[ owl:inverseOf [ owl:inverseOf :r ] ]"
    assert unread(read(f":A rdfs:subClassOf [ owl:onProperty {twice} ; owl:hasSelf true ] ."))


def test_an_ontology_may_import_itself() -> None:
    found = read("<urn:o> a owl:Ontology ; owl:imports <urn:o> .")
    assert (found.iri, found.imports) == ("urn:o", ("urn:o",))
