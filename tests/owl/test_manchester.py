from __future__ import annotations

import pytest

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration, Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, OWL, RDFS, XSD
from moose.owl.syntax.common.arguments import RULE_REASON
from moose.owl.syntax.manchester.read_manchester import read_manchester

EX = "http://example.org/"
A, B, C = (owl.Class(EX + name) for name in "ABC")
R, S, T = (owl.ObjectProperty(EX + name) for name in "rst")
D, E = owl.DataProperty(EX + "d"), owl.DataProperty(EX + "e")
ONE, J, NODE = owl.NamedIndividual(EX + "i"), owl.NamedIndividual(EX + "j"), owl.AnonymousIndividual("x")
INTEGER, STRING = owl.Datatype(XSD + "integer"), owl.Datatype(XSD + "string")
R_B = owl.ObjectSomeValuesFrom(R, B)
INVERSE_S = owl.ObjectInverseOf(S)
WHY = (Annotation(RDFS + "comment", owl.Literal("why")),)
FIVE, TRUE = owl.Literal("5", XSD + "integer"), owl.Literal("true", XSD + "boolean")

DECLARED = "ObjectProperty: r ObjectProperty: s ObjectProperty: t DataProperty: d DataProperty: e "


def read(frames: str) -> Document:
    return read_manchester(f"Prefix: : <{EX}>\nOntology:\n{DECLARED}\n{frames}", "o.omn")


# ── Frames ────────────────────────────────────────────────────────────────────────────────────────────────────────

FRAMES: list[tuple[str, list[ax.Axiom]]] = [
    ("Class: A SubClassOf: B, r some B", [ax.SubClassOf(A, B), ax.SubClassOf(A, R_B)]),
    ('Class: A SubClassOf: Annotations: rdfs:comment "why" B, C', [ax.SubClassOf(A, B, WHY), ax.SubClassOf(A, C)]),
    ("Class: A SuperClassOf: B, r some B", [ax.SubClassOf(B, A), ax.SubClassOf(R_B, A)]),
    ("Class: A EquivalentTo: B, C", [ax.EquivalentClasses((A, B)), ax.EquivalentClasses((A, C))]),
    ("Class: A DisjointWith: B, C", [ax.DisjointClasses((A, B)), ax.DisjointClasses((A, C))]),
    ('Class: A DisjointUnionOf: Annotations: rdfs:comment "why" B, C', [ax.DisjointUnion(A, (B, C), WHY)]),
    ("Class: A HasKey: r inverse s d", [ax.HasKey(A, (R, INVERSE_S), (D,))]),
    ('Class: A HasKey: Annotations: rdfs:comment "why" r, d, e', [ax.HasKey(A, (R,), (D, E), WHY)]),
    ("Class: A Individuals: i, _:x", [ax.ClassAssertion(A, ONE), ax.ClassAssertion(A, NODE)]),
    ("Class: r some B SubClassOf: A", [ax.SubClassOf(R_B, A)]),
    ("Class: A and B SubClassOf: C", [ax.SubClassOf(owl.ObjectIntersectionOf((A, B)), C)]),
    ("ObjectProperty: r SubPropertyOf: s, inverse (s)", [
        ax.SubObjectPropertyOf((R,), S), ax.SubObjectPropertyOf((R,), INVERSE_S)]),
    ("ObjectProperty: r SuperPropertyOf: s", [ax.SubObjectPropertyOf((S,), R)]),
    ("ObjectProperty: r SubPropertyChain: s o inverse s o t", [ax.SubObjectPropertyOf((S, INVERSE_S, T), R)]),
    ('ObjectProperty: r SubPropertyChain: s o t, Annotations: rdfs:comment "why" r o r', [
        ax.SubObjectPropertyOf((S, T), R), ax.SubObjectPropertyOf((R, R), R, WHY)]),
    ("ObjectProperty: r EquivalentTo: s, t", [
        ax.EquivalentObjectProperties((R, S)), ax.EquivalentObjectProperties((R, T))]),
    ("ObjectProperty: r DisjointWith: s", [ax.DisjointObjectProperties((R, S))]),
    ("ObjectProperty: r InverseOf: s, inv (s)", [
        ax.InverseObjectProperties(R, S), ax.InverseObjectProperties(R, INVERSE_S)]),
    ("ObjectProperty: r Inverses: s", [ax.InverseObjectProperties(R, S)]),
    ("ObjectProperty: r Domain: A, r some B Range: C", [
        ax.ObjectPropertyDomain(R, A), ax.ObjectPropertyDomain(R, R_B), ax.ObjectPropertyRange(R, C)]),
    ("ObjectProperty: r Characteristics: Functional, InverseFunctional, Reflexive, Irreflexive, Symmetric", [
        *(ax.ObjectPropertyCharacteristic(word, R) for word in (
            "Functional", "InverseFunctional", "Reflexive", "Irreflexive", "Symmetric"))]),
    ('ObjectProperty: r Characteristics: Asymmetric, Annotations: rdfs:comment "why" Transitive', [
        ax.ObjectPropertyCharacteristic("Asymmetric", R), ax.ObjectPropertyCharacteristic("Transitive", R, WHY)]),
    ("ObjectProperty: inverse (s) Characteristics: AntiSymmetric, transitive", [
        ax.ObjectPropertyCharacteristic("Asymmetric", INVERSE_S),
        ax.ObjectPropertyCharacteristic("Transitive", INVERSE_S)]),
    ("DataProperty: d SubPropertyOf: e SuperPropertyOf: e", [ax.SubDataPropertyOf(D, E), ax.SubDataPropertyOf(E, D)]),
    ("DataProperty: d EquivalentTo: e DisjointWith: e", [
        ax.EquivalentDataProperties((D, E)), ax.DisjointDataProperties((D, E))]),
    ("DataProperty: d Domain: A Range: integer, {5} Characteristics: Functional", [
        ax.DataPropertyDomain(D, A), ax.DataPropertyRange(D, INTEGER), ax.DataPropertyRange(D, owl.DataOneOf((FIVE,))),
        ax.FunctionalDataProperty(D)]),
    ("Datatype: mine EquivalentTo: integer or string", [
        ax.DatatypeDefinition(owl.Datatype(EX + "mine"), owl.DataUnionOf((INTEGER, STRING)))]),
    ("Individual: i Types: A, r some B Type: C", [
        ax.ClassAssertion(A, ONE), ax.ClassAssertion(R_B, ONE), ax.ClassAssertion(C, ONE)]),
    ('Individual: i Facts: r j, not r _:x, d 5, not d true, Annotations: rdfs:comment "why" inverse (s) j', [
        ax.ObjectPropertyAssertion(R, ONE, J), ax.ObjectPropertyAssertion(R, ONE, NODE, negative=True),
        ax.DataPropertyAssertion(D, ONE, FIVE), ax.DataPropertyAssertion(D, ONE, TRUE, negative=True),
        ax.ObjectPropertyAssertion(INVERSE_S, ONE, J, annotations=WHY)]),
    ("Individual: _:x SameAs: i DifferentFrom: j", [
        ax.SameIndividual((NODE, ONE)), ax.DifferentIndividuals((NODE, J))]),
    ("EquivalentClasses: A, B, r some B", [ax.EquivalentClasses((A, B, R_B))]),
    ('DisjointClasses: Annotations: rdfs:comment "why" A, B, C', [ax.DisjointClasses((A, B, C), WHY)]),
    ("EquivalentProperties: r, inverse s, t", [ax.EquivalentObjectProperties((R, INVERSE_S, T))]),
    ("DisjointProperties: r, s", [ax.DisjointObjectProperties((R, S))]),
    ("EquivalentProperties: d, e", [ax.EquivalentDataProperties((D, E))]),
    ("DisjointProperties: unknown, d", [ax.DisjointDataProperties((owl.DataProperty(EX + "unknown"), D))]),
    ("SameIndividual: i, j, _:x", [ax.SameIndividual((ONE, J, NODE))]),
    ("DifferentIndividuals: i, j", [ax.DifferentIndividuals((ONE, J))]),
    ("Rule: A(?x), r(?x, ?y) ->  B(?y)\nClass: A SubClassOf: B", [
        ax.UnreadAxiom("Rule: A(?x), r(?x, ?y) -> B(?y)", RULE_REASON), ax.SubClassOf(A, B)]),
]  # fmt: skip


@pytest.mark.parametrize(("frames", "expected"), FRAMES, ids=[frames[:40] for frames, _ in FRAMES])
def test_a_frame_says(frames: str, expected: list[ax.Axiom]) -> None:
    assert list(read(frames).axioms) == expected


def test_a_frame_declares_what_it_is_about() -> None:
    document = read_manchester(
        f"Prefix: : <{EX}> Ontology: Class: A ObjectProperty: r DataProperty: d AnnotationProperty: p Datatype: mine "
        "Individual: i Individual: _:x Class: r some A ObjectProperty: inverse r",
        "o.omn",
    )
    mine, note = owl.Datatype(EX + "mine"), owl.AnnotationProperty(EX + "p")
    assert document.declarations == tuple(Declaration(entity) for entity in (A, R, D, note, mine, ONE))
    assert document.axioms == ()


# ── Annotations ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_annotations_of_a_frame_are_assertions_and_may_be_annotated() -> None:
    document = read(
        'Class: A Annotations: rdfs:label "a"@en, Annotations: rdfs:comment "why" rdfs:seeAlso B, rdfs:seeAlso _:x '
        'Annotations: rdfs:label 5 Individual: _:x Annotations: rdfs:label "x"'
    )
    assert document.annotation_assertions == (
        AnnotationAssertion(RDFS + "label", A.iri, owl.Literal("a", LANGUAGE_STRING_IRI, "en")),
        AnnotationAssertion(RDFS + "seeAlso", A.iri, B.iri, WHY),
        AnnotationAssertion(RDFS + "seeAlso", A.iri, NODE),
        AnnotationAssertion(RDFS + "label", A.iri, FIVE),
        AnnotationAssertion(RDFS + "label", NODE, owl.Literal("x")),
    )


def test_annotations_nest() -> None:
    (axiom,) = read('Class: A SubClassOf: Annotations: Annotations: rdfs:comment "why" rdfs:label "l" B').axioms
    assert axiom == ax.SubClassOf(A, B, (Annotation(RDFS + "label", owl.Literal("l"), WHY),))


def test_axioms_about_annotation_properties_are_assertions() -> None:
    document = read("AnnotationProperty: p SubPropertyOf: q, rdfs:label Domain: A Range: xsd:string")
    assert document.annotation_assertions == (
        AnnotationAssertion(RDFS + "subPropertyOf", EX + "p", EX + "q"),
        AnnotationAssertion(RDFS + "subPropertyOf", EX + "p", RDFS + "label"),
        AnnotationAssertion(RDFS + "domain", EX + "p", A.iri),
        AnnotationAssertion(RDFS + "range", EX + "p", STRING.iri),
    )
    assert document.axioms == ()


# ── Header and names ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_header_names_imports_and_annotates() -> None:
    document = read_manchester(
        """# a comment with "quotes" and <brackets>
        Prefix: : <http://example.org/>
        prefix: ex: <http://other.org/>
        Ontology: ex:onto <http://other.org/1.0>
        Import: <http://other.org/more>
        Annotations: rdfs:label "an \\"odd\\" \\\\ one", rdfs:comment "why"
        Import: ex:again
        Class: ex:A  # the end
        """,
        "o.omn",
    )
    assert (document.iri, document.version_iri) == ("http://other.org/onto", "http://other.org/1.0")
    assert document.imports == ("http://other.org/more", "http://other.org/again")
    assert document.annotations == (Annotation(RDFS + "label", owl.Literal('an "odd" \\ one')), *WHY)
    assert document.prefixes[""] == EX
    assert document.prefixes["ex"] == "http://other.org/"
    assert document.prefixes["owl"] == OWL
    assert document.declarations == (Declaration(owl.Class("http://other.org/A")),)


def test_a_document_may_be_without_a_header() -> None:
    assert read_manchester("Class: <http://example.org/A> SubClassOf: owl:Thing", "o.omn").axioms == (
        ax.SubClassOf(A, owl.THING),
    )


@pytest.mark.parametrize(
    ("written", "iri"),
    [
        ("A", EX + "A"),
        (":A", EX + "A"),
        ("<http://a.b/c#d,(e)>", "http://a.b/c#d,(e)"),
        ("<urn:x:y>", "urn:x:y"),
        ("owl:Thing", OWL + "Thing"),
        ("a.b-c_d/e%20f'g", EX + "a.b-c_d/e%20f'g"),
        (":a:b", EX + "a:b"),
        ("été", EX + "été"),
        ("Only", EX + "Only"),
    ],
)
def test_a_name_stands_for(written: str, iri: str) -> None:
    assert read(f"Class: A SubClassOf: {written}").axioms == (ax.SubClassOf(A, owl.Class(iri)),)


def test_words_of_the_language_are_names_where_a_frame_says_so() -> None:
    frames = "Class: some Class: and Class: not Class: inverse Class: 5 Class: o "
    found = read(frames + "Class: some SubClassOf: and, 5, not, inverse, o, some and and").axioms
    some, both, five, negation, inverse, o = (
        owl.Class(EX + name) for name in ("some", "and", "5", "not", "inverse", "o")
    )
    supers = (both, five, negation, inverse, o, owl.ObjectIntersectionOf((some, both)))
    assert found == tuple(ax.SubClassOf(some, sup) for sup in supers)


def test_keywords_may_be_in_any_case() -> None:
    assert read("CLASS: A subclassof: B AND NOT C, r SOME B, r some SELF, r MIN 2 B").axioms == (
        ax.SubClassOf(A, owl.ObjectIntersectionOf((B, owl.ObjectComplementOf(C)))),
        ax.SubClassOf(A, R_B),
        ax.SubClassOf(A, owl.ObjectHasSelf(R)),
        ax.SubClassOf(A, owl.ObjectMinCardinality(2, R, B)),
    )


def test_line_ends_and_comments_do_not_matter() -> None:
    assert read("Class: A#comment\r\n  SubClassOf:# another\r  B").axioms == (ax.SubClassOf(A, B),)
    assert read_manchester("\ufeffClass: owl:Thing", "o.omn").declarations == (Declaration(owl.THING),)
