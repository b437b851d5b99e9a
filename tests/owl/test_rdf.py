"""One example of each construct of OWL 2 in Turtle, written by hand from the specification's mapping to RDF."""

from __future__ import annotations

import pytest

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, OWL, RDF, RDFS, XSD
from moose.owl.syntax.rdf.read_rdf import read_rdf

EX = "http://example.org/"
A, B, C = owl.Class(EX + "A"), owl.Class(EX + "B"), owl.Class(EX + "C")
R, S, T = owl.ObjectProperty(EX + "r"), owl.ObjectProperty(EX + "s"), owl.ObjectProperty(EX + "t")
D, E, F = owl.DataProperty(EX + "d"), owl.DataProperty(EX + "e"), owl.DataProperty(EX + "f")
IDA, JON, KIM = owl.NamedIndividual(EX + "i"), owl.NamedIndividual(EX + "j"), owl.NamedIndividual(EX + "k")
M, N = EX + "m", EX + "n"
INTEGER, TEXT, MINE = owl.Datatype(XSD + "integer"), owl.Datatype(XSD + "string"), owl.Datatype(EX + "Mine")
ONE, TWO = owl.Literal("1", XSD + "integer"), owl.Literal("2", XSD + "integer")
TRUE = owl.Literal("true", XSD + "boolean")
INVERSE = owl.ObjectInverseOf(R)
SOME = owl.ObjectSomeValuesFrom(R, B)

PREFIXES = f"""
@prefix : <{EX}> .
@prefix owl: <{OWL}> .
@prefix rdf: <{RDF}> .
@prefix rdfs: <{RDFS}> .
@prefix xsd: <{XSD}> .
@prefix swrl: <http://www.w3.org/2003/11/swrl#> .
"""
DECLARED = """
:A a owl:Class . :B a owl:Class . :C a owl:Class .
:r a owl:ObjectProperty . :s a owl:ObjectProperty . :t a owl:ObjectProperty .
:d a owl:DatatypeProperty . :e a owl:DatatypeProperty . :f a owl:DatatypeProperty .
:m a owl:AnnotationProperty . :n a owl:AnnotationProperty .
:i a owl:NamedIndividual . :j a owl:NamedIndividual . :k a owl:NamedIndividual .
:Mine a rdfs:Datatype .
"""
NEGATIVE = "[ a owl:NegativePropertyAssertion ] owl:sourceIndividual :i"


def read(turtle: str, declared: str = DECLARED) -> Document:
    return read_rdf((PREFIXES + declared + turtle).encode(), "o.ttl", syntax="turtle")


def note(text: str, *inner: ax.Annotation) -> ax.Annotation:
    return ax.Annotation(M, owl.Literal(text), inner)


# ── Class expressions and data ranges ─────────────────────────────────────────────────────────────────────────────

CLASSES: list[tuple[str, owl.ClassExpression]] = [
    (":B", B),
    ("owl:Thing", owl.THING),
    ("rdfs:Resource", owl.THING),
    ("[ a owl:Class ; owl:intersectionOf ( :B :C ) ]", owl.ObjectIntersectionOf((B, C))),
    ("[ a owl:Class ; owl:unionOf ( :B [ owl:complementOf :C ] ) ]", owl.ObjectUnionOf((B, owl.ObjectComplementOf(C)))),
    ("[ a owl:Class ; owl:oneOf ( :i :j ) ]", owl.ObjectOneOf((IDA, JON))),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B ]", SOME),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:allValuesFrom :B ]", owl.ObjectAllValuesFrom(R, B)),
    (
        "[ a owl:Restriction ; owl:onProperty [ owl:inverseOf :r ] ; owl:someValuesFrom :B ]",
        owl.ObjectSomeValuesFrom(INVERSE, B),
    ),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:hasValue :i ]", owl.ObjectHasValue(R, IDA)),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:hasSelf true ]", owl.ObjectHasSelf(R)),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:minCardinality 2 ]", owl.ObjectMinCardinality(2, R, owl.THING)),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:maxCardinality 2 ]", owl.ObjectMaxCardinality(2, R, owl.THING)),
    ("[ a owl:Restriction ; owl:onProperty :r ; owl:cardinality 2 ]", owl.ObjectExactCardinality(2, R, owl.THING)),
    ("[ owl:onProperty :r ; owl:minQualifiedCardinality 2 ; owl:onClass :B ]", owl.ObjectMinCardinality(2, R, B)),
    ("[ owl:onProperty :r ; owl:maxQualifiedCardinality 2 ; owl:onClass :B ]", owl.ObjectMaxCardinality(2, R, B)),
    ("[ owl:onProperty :r ; owl:qualifiedCardinality 2 ; owl:onClass :B ]", owl.ObjectExactCardinality(2, R, B)),
    ("[ owl:onProperty :d ; owl:someValuesFrom xsd:integer ]", owl.DataSomeValuesFrom((D,), INTEGER)),
    ("[ owl:onProperty :d ; owl:allValuesFrom :Mine ]", owl.DataAllValuesFrom((D,), MINE)),
    ("[ owl:onProperties ( :d :e ) ; owl:someValuesFrom xsd:integer ]", owl.DataSomeValuesFrom((D, E), INTEGER)),
    ("[ owl:onProperties ( :d :e ) ; owl:allValuesFrom xsd:integer ]", owl.DataAllValuesFrom((D, E), INTEGER)),
    ("[ owl:onProperty :d ; owl:hasValue 1 ]", owl.DataHasValue(D, ONE)),
    ("[ owl:onProperty :d ; owl:minCardinality 2 ]", owl.DataMinCardinality(2, D, owl.LITERAL)),
    ("[ owl:onProperty :d ; owl:maxCardinality 2 ]", owl.DataMaxCardinality(2, D, owl.LITERAL)),
    ("[ owl:onProperty :d ; owl:cardinality 2 ]", owl.DataExactCardinality(2, D, owl.LITERAL)),
    (
        "[ owl:onProperty :d ; owl:minQualifiedCardinality 2 ; owl:onDataRange xsd:integer ]",
        owl.DataMinCardinality(2, D, INTEGER),
    ),
    (
        "[ owl:onProperty :d ; owl:maxQualifiedCardinality 2 ; owl:onDataRange xsd:integer ]",
        owl.DataMaxCardinality(2, D, INTEGER),
    ),
    (
        "[ owl:onProperty :d ; owl:qualifiedCardinality 2 ; owl:onDataRange xsd:integer ]",
        owl.DataExactCardinality(2, D, INTEGER),
    ),
    # For compatibility with OWL 1 DL: lists of no or one item.
    ("[ a owl:Class ; owl:intersectionOf () ]", owl.THING),
    ("[ a owl:Class ; owl:unionOf () ]", owl.NOTHING),
    ("[ a owl:Class ; owl:oneOf () ]", owl.NOTHING),
    ("[ a owl:Class ; owl:intersectionOf ( :B ) ]", B),
    ("[ a owl:Class ; owl:unionOf ( :B ) ]", B),
]


@pytest.mark.parametrize(("turtle", "expected"), CLASSES)
def test_every_class_expression(turtle: str, expected: owl.ClassExpression) -> None:
    assert read(f":A rdfs:subClassOf {turtle} .").axioms == (ax.SubClassOf(A, expected),)


FACETED = owl.DatatypeRestriction(INTEGER, ((XSD + "minInclusive", ONE), (XSD + "maxExclusive", TWO)))
RANGES: list[tuple[str, owl.DataRange]] = [
    ("xsd:integer", INTEGER),
    ("rdfs:Literal", owl.LITERAL),
    (":Mine", MINE),
    ("[ a rdfs:Datatype ; owl:intersectionOf ( xsd:integer :Mine ) ]", owl.DataIntersectionOf((INTEGER, MINE))),
    ("[ a rdfs:Datatype ; owl:unionOf ( xsd:integer :Mine ) ]", owl.DataUnionOf((INTEGER, MINE))),
    ("[ owl:unionOf ( xsd:integer :Mine ) ]", owl.DataUnionOf((INTEGER, MINE))),
    ("[ a rdfs:Datatype ; owl:datatypeComplementOf :Mine ]", owl.DataComplementOf(MINE)),
    ("[ a rdfs:Datatype ; owl:complementOf :Mine ]", owl.DataComplementOf(MINE)),
    (
        '[ a rdfs:Datatype ; owl:oneOf ( 1 "x"@en ) ]',
        owl.DataOneOf((ONE, owl.Literal("x", LANGUAGE_STRING_IRI, "en"))),
    ),
    ("[ a owl:DataRange ; owl:oneOf ( 1 2 ) ]", owl.DataOneOf((ONE, TWO))),
    ("[ a owl:DataRange ; owl:oneOf () ]", owl.DataComplementOf(owl.LITERAL)),
    (
        "[ owl:onDatatype xsd:integer ; owl:withRestrictions ( [ xsd:minInclusive 1 ] [ xsd:maxExclusive 2 ] ) ]",
        FACETED,
    ),
    ("[ a rdfs:Datatype ; owl:onDatatype xsd:integer ; owl:withRestrictions () ]", INTEGER),
]


@pytest.mark.parametrize(("turtle", "expected"), RANGES)
def test_every_data_range(turtle: str, expected: owl.DataRange) -> None:
    assert read(f":d rdfs:range {turtle} .").axioms == (ax.DataPropertyRange(D, expected),)
    expression = owl.DataSomeValuesFrom((D,), expected)
    restriction = f"[ owl:onProperty :d ; owl:someValuesFrom {turtle} ]"
    assert read(f":A rdfs:subClassOf {restriction} .").axioms == (ax.SubClassOf(A, expression),)


# ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────────

CHAIN = ax.SubObjectPropertyOf((R, owl.ObjectInverseOf(S)), T)
AXIOMS: list[tuple[str, list[ax.Axiom]]] = [
    ("[ owl:onProperty :r ; owl:someValuesFrom :B ] rdfs:subClassOf :A .", [ax.SubClassOf(SOME, A)]),
    (":A owl:equivalentClass :B , :C .", [ax.EquivalentClasses((A, B)), ax.EquivalentClasses((A, C))]),
    (":A owl:disjointWith :B .", [ax.DisjointClasses((A, B))]),
    ("[] a owl:AllDisjointClasses ; owl:members ( :A :B :C ) .", [ax.DisjointClasses((A, B, C))]),
    (":A owl:disjointUnionOf ( :B :C ) .", [ax.DisjointUnion(A, (B, C))]),
    (":A owl:hasKey ( :r [ owl:inverseOf :s ] :d ) .", [ax.HasKey(A, (R, owl.ObjectInverseOf(S)), (D,))]),
    (":Mine owl:equivalentClass xsd:string .", [ax.DatatypeDefinition(MINE, TEXT)]),
    (
        ":Mine owl:equivalentClass [ a rdfs:Datatype ; owl:oneOf ( 1 2 ) ] .",
        [ax.DatatypeDefinition(MINE, owl.DataOneOf((ONE, TWO)))],
    ),
    # A description on a named class or datatype is short for an equivalence; OWL 1 also knows named restrictions.
    (":A owl:intersectionOf ( :B :C ) .", [ax.EquivalentClasses((A, owl.ObjectIntersectionOf((B, C))))]),
    (":A owl:unionOf ( :B :C ) .", [ax.EquivalentClasses((A, owl.ObjectUnionOf((B, C))))]),
    (":A owl:complementOf :B .", [ax.EquivalentClasses((A, owl.ObjectComplementOf(B)))]),
    (":A owl:oneOf ( :i :j ) .", [ax.EquivalentClasses((A, owl.ObjectOneOf((IDA, JON))))]),
    (":Mine owl:oneOf ( 1 2 ) .", [ax.DatatypeDefinition(MINE, owl.DataOneOf((ONE, TWO)))]),
    (":A a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B .", [ax.EquivalentClasses((A, SOME))]),
    (":r rdfs:subPropertyOf :s .", [ax.SubObjectPropertyOf((R,), S)]),
    (":s rdfs:subPropertyOf [ owl:inverseOf :r ] .", [ax.SubObjectPropertyOf((S,), INVERSE)]),
    (":t owl:propertyChainAxiom ( :r [ owl:inverseOf :s ] ) .", [CHAIN]),
    ("[ owl:propertyChain ( :r [ owl:inverseOf :s ] ) ] rdfs:subPropertyOf :t .", [CHAIN]),
    ("( :r [ owl:inverseOf :s ] ) rdfs:subPropertyOf :t .", [CHAIN]),
    (":r owl:equivalentProperty :s .", [ax.EquivalentObjectProperties((R, S))]),
    (":r owl:propertyDisjointWith :s .", [ax.DisjointObjectProperties((R, S))]),
    ("[] a owl:AllDisjointProperties ; owl:members ( :r :s :t ) .", [ax.DisjointObjectProperties((R, S, T))]),
    (":r owl:inverseOf :s .", [ax.InverseObjectProperties(R, S)]),
    ("[] owl:inverseOf :r , :s .", [ax.InverseObjectProperties(INVERSE, S)]),
    (":r rdfs:domain :A .", [ax.ObjectPropertyDomain(R, A)]),
    (":r rdfs:range :A .", [ax.ObjectPropertyRange(R, A)]),
    ("[ owl:inverseOf :r ] rdfs:range :A .", [ax.ObjectPropertyRange(INVERSE, A)]),
    (":r a owl:FunctionalProperty .", [ax.ObjectPropertyCharacteristic("Functional", R)]),
    (":r a owl:InverseFunctionalProperty .", [ax.ObjectPropertyCharacteristic("InverseFunctional", R)]),
    (":r a owl:ReflexiveProperty .", [ax.ObjectPropertyCharacteristic("Reflexive", R)]),
    (":r a owl:IrreflexiveProperty .", [ax.ObjectPropertyCharacteristic("Irreflexive", R)]),
    (":r a owl:SymmetricProperty .", [ax.ObjectPropertyCharacteristic("Symmetric", R)]),
    (":r a owl:AsymmetricProperty .", [ax.ObjectPropertyCharacteristic("Asymmetric", R)]),
    (":r a owl:TransitiveProperty .", [ax.ObjectPropertyCharacteristic("Transitive", R)]),
    (
        "[] a owl:ObjectProperty , owl:FunctionalProperty ; owl:inverseOf :r .",
        [ax.ObjectPropertyCharacteristic("Functional", INVERSE)],
    ),
    (":d rdfs:subPropertyOf :e .", [ax.SubDataPropertyOf(D, E)]),
    (":d owl:equivalentProperty :e .", [ax.EquivalentDataProperties((D, E))]),
    (":d owl:propertyDisjointWith :e .", [ax.DisjointDataProperties((D, E))]),
    ("[] a owl:AllDisjointProperties ; owl:members ( :d :e :f ) .", [ax.DisjointDataProperties((D, E, F))]),
    (":d rdfs:domain :A .", [ax.DataPropertyDomain(D, A)]),
    (":d a owl:FunctionalProperty .", [ax.FunctionalDataProperty(D)]),
    (":i owl:sameAs :j .", [ax.SameIndividual((IDA, JON))]),
    (":i owl:differentFrom :j .", [ax.DifferentIndividuals((IDA, JON))]),
    ("[] a owl:AllDifferent ; owl:members ( :i :j :k ) .", [ax.DifferentIndividuals((IDA, JON, KIM))]),
    ("[] a owl:AllDifferent ; owl:distinctMembers ( :i :j ) .", [ax.DifferentIndividuals((IDA, JON))]),
    (":i a :A , owl:Thing .", [ax.ClassAssertion(A, IDA), ax.ClassAssertion(owl.THING, IDA)]),
    (":i a [ owl:onProperty :r ; owl:someValuesFrom :B ] .", [ax.ClassAssertion(SOME, IDA)]),
    (":i :r :j .", [ax.ObjectPropertyAssertion(R, IDA, JON)]),
    (":i :d 1 .", [ax.DataPropertyAssertion(D, IDA, ONE)]),
    (
        f"{NEGATIVE} ; owl:assertionProperty :r ; owl:targetIndividual :j .",
        [ax.ObjectPropertyAssertion(R, IDA, JON, negative=True)],
    ),
    (
        f"{NEGATIVE} ; owl:assertionProperty :d ; owl:targetValue 1 .",
        [ax.DataPropertyAssertion(D, IDA, ONE, negative=True)],
    ),
]


@pytest.mark.parametrize(("turtle", "expected"), AXIOMS)
def test_every_axiom(turtle: str, expected: list[ax.Axiom]) -> None:
    assert list(read(turtle).axioms) == expected


def test_assertions_on_blank_nodes_are_about_anonymous_individuals() -> None:
    x, y = owl.AnonymousIndividual("b0"), owl.AnonymousIndividual("b1")
    found = read("_:x a :A ; :r _:y ; :d 1 ; owl:sameAs :i ; rdfs:label 'x' . _:y owl:differentFrom _:x .")
    assert found.axioms == (
        ax.ClassAssertion(A, x),
        ax.ObjectPropertyAssertion(R, x, y),
        ax.DataPropertyAssertion(D, x, ONE),
        ax.SameIndividual((x, IDA)),
        ax.DifferentIndividuals((y, x)),
    )
    assert found.annotation_assertions == (ax.AnnotationAssertion(RDFS + "label", x, owl.Literal("x")),)


# ── Declarations, annotations, the header ─────────────────────────────────────────────────────────────────────────


def test_declarations_of_each_kind_in_the_words_of_owl_1_and_2() -> None:
    found = read("", DECLARED)
    entities = [A, B, C, R, S, T, D, E, F, *map(owl.AnnotationProperty, (M, N)), IDA, JON, KIM, MINE]
    assert [told.entity for told in found.declarations] == entities and not found.axioms
    old = (
        ":A a rdfs:Class , owl:Class . :m a owl:OntologyProperty . :r a owl:SymmetricProperty . :Mine a owl:DataRange ."
    )
    assert [told.entity for told in read(old, "").declarations] == [A, owl.AnnotationProperty(M), R, MINE]


def test_deprecated_classes_and_properties_of_owl_1() -> None:
    found = read(":A a owl:DeprecatedClass . :r a owl:DeprecatedProperty , owl:ObjectProperty .", "")
    assert [told.entity for told in found.declarations] == [A, R]
    deprecated = [ax.AnnotationAssertion(OWL + "deprecated", entity.iri, TRUE) for entity in (A, R)]
    assert list(found.annotation_assertions) == deprecated


def test_annotation_assertions_and_axioms_about_annotation_properties() -> None:
    found = read(":A rdfs:label 'a'@en ; :m :B , _:x . :m rdfs:subPropertyOf :n ; rdfs:domain :A ; rdfs:range :B .")
    assert not found.axioms
    assert found.annotation_assertions == (
        ax.AnnotationAssertion(RDFS + "label", EX + "A", owl.Literal("a", LANGUAGE_STRING_IRI, "en")),
        ax.AnnotationAssertion(M, EX + "A", EX + "B"),
        ax.AnnotationAssertion(M, EX + "A", owl.AnonymousIndividual("b0")),
        ax.AnnotationAssertion(RDFS + "subPropertyOf", M, N),
        ax.AnnotationAssertion(RDFS + "domain", M, EX + "A"),
        ax.AnnotationAssertion(RDFS + "range", M, EX + "B"),
    )


HEADER = """
<http://example.org/o> a owl:Ontology ; owl:versionIRI <http://example.org/o/1> ;
    owl:imports <http://example.org/p> , <http://example.org/q> ; rdfs:comment "text" ; :unknown :A .
<http://example.org/p> a owl:Ontology .
[] a owl:Axiom ; owl:annotatedSource <http://example.org/o> ; owl:annotatedProperty rdfs:comment ;
    owl:annotatedTarget "text" ; :m "who" .
"""


def test_the_header_is_the_ontology_that_no_other_imports() -> None:
    for text in (HEADER, "<http://example.org/p> a owl:Ontology ." + HEADER):
        found = read(text)
        assert (found.iri, found.version_iri) == (EX + "o", EX + "o/1")
        assert found.imports == (EX + "p", EX + "q")
        comment = ax.Annotation(RDFS + "comment", owl.Literal("text"), (note("who"),))
        assert found.annotations == (comment, ax.Annotation(EX + "unknown", EX + "A"))
        assert not found.axioms
        assert found.prefixes["xsd"] == XSD


def test_an_ontology_without_a_name() -> None:
    found = read("[] a owl:Ontology ; rdfs:label 'anonymous' ; owl:imports :p .")
    assert found.iri is None and found.imports == (EX + "p",)
    assert found.annotations == (ax.Annotation(RDFS + "label", owl.Literal("anonymous")),)
    assert read("").iri is None


# ── Annotated axioms ──────────────────────────────────────────────────────────────────────────────────────────────


def about(source: str, word: str, target: str, notes: str = ':m "why"', label: str = "_:note") -> str:
    triple = f"owl:annotatedSource {source} ; owl:annotatedProperty {word} ; owl:annotatedTarget {target}"
    return f"{label} a owl:Axiom ; {triple} ; {notes} .\n"


ANNOTATED: list[tuple[str, ax.Axiom]] = [
    (":A rdfs:subClassOf :B ." + about(":A", "rdfs:subClassOf", ":B"), ax.SubClassOf(A, B, (note("why"),))),
    (
        ":A rdfs:subClassOf _:x . _:x owl:onProperty :r ; owl:someValuesFrom :B ."
        + about(":A", "rdfs:subClassOf", "_:x"),
        ax.SubClassOf(A, SOME, (note("why"),)),
    ),
    # The expression may be written out once more instead of being shared, as the OWL API does.
    (
        ":A rdfs:subClassOf [ owl:onProperty :r ; owl:someValuesFrom :B ] ."
        + about(":A", "rdfs:subClassOf", "[ owl:onProperty :r ; owl:someValuesFrom :B ]"),
        ax.SubClassOf(A, SOME, (note("why"),)),
    ),
    (
        "[ owl:onProperty :r ; owl:someValuesFrom :B ] rdfs:subClassOf :A ."
        + about("[ owl:onProperty :r ; owl:someValuesFrom :B ]", "rdfs:subClassOf", ":A"),
        ax.SubClassOf(SOME, A, (note("why"),)),
    ),
    (
        ":t owl:propertyChainAxiom ( :r :s ) ." + about(":t", "owl:propertyChainAxiom", "( :r :s )"),
        ax.SubObjectPropertyOf((R, S), T, (note("why"),)),
    ),
    (
        ":r a owl:TransitiveProperty ." + about(":r", "rdf:type", "owl:TransitiveProperty"),
        ax.ObjectPropertyCharacteristic("Transitive", R, (note("why"),)),
    ),
    (":i :d 1 ." + about(":i", ":d", "1"), ax.DataPropertyAssertion(D, IDA, ONE, annotations=(note("why"),))),
    (
        '[] a owl:AllDisjointClasses ; owl:members ( :A :B :C ) ; :m "why" .',
        ax.DisjointClasses((A, B, C), (note("why"),)),
    ),
    (
        f"{NEGATIVE} ; owl:assertionProperty :d ; owl:targetValue 1 ; :m 'why' .",
        ax.DataPropertyAssertion(D, IDA, ONE, negative=True, annotations=(note("why"),)),
    ),
    (
        ":A rdfs:subClassOf :B ."
        + about(":A", "rdfs:subClassOf", ":B", ':m "why" ; :n :C , "also"')
        + '_:inner a owl:Annotation ; owl:annotatedSource _:note ; owl:annotatedProperty :m ; :m "deeper" ; '
        'owl:annotatedTarget "why" .'
        + '[] a owl:Annotation ; owl:annotatedSource _:inner ; owl:annotatedProperty :m ; :m "deepest" ; '
        'owl:annotatedTarget "deeper" .',
        ax.SubClassOf(
            A,
            B,
            (
                note("why", note("deeper", note("deepest"))),
                ax.Annotation(N, EX + "C"),
                ax.Annotation(N, owl.Literal("also")),
            ),
        ),
    ),
]


@pytest.mark.parametrize(("turtle", "expected"), ANNOTATED)
def test_annotations_stay_on_their_axiom(turtle: str, expected: ax.Axiom) -> None:
    assert read(turtle).axioms == (expected,)


def test_two_annotating_nodes_are_two_axioms() -> None:
    for target in (":B", "[ owl:onProperty :r ; owl:someValuesFrom :B ]"):
        notes = [about(":A", "rdfs:subClassOf", target, f':m "{text}"', label="[]") for text in ("one", "two")]
        first, second = read(f":A rdfs:subClassOf {target} .{''.join(notes)}").axioms
        assert (first.annotations, second.annotations) == ((note("one"),), (note("two"),))


def test_an_annotated_declaration_needs_no_other() -> None:
    found = read(about(":X", "rdf:type", "owl:DatatypeProperty") + ":i :X 1 .")
    assert found.declarations[-1] == ax.Declaration(owl.DataProperty(EX + "X"), (note("why"),))
    assert found.axioms == (ax.DataPropertyAssertion(owl.DataProperty(EX + "X"), IDA, ONE),)


def test_annotated_annotation_assertions() -> None:
    found = read(":A rdfs:label 'a' ." + about(":A", "rdfs:label", "'a'"))
    assert found.annotation_assertions == (
        ax.AnnotationAssertion(RDFS + "label", EX + "A", owl.Literal("a"), (note("why"),)),
    )


def test_an_ontology_may_import_itself() -> None:
    found = read("<urn:o> a owl:Ontology ; owl:imports <urn:o> .")
    assert (found.iri, found.imports) == ("urn:o", ("urn:o",))
