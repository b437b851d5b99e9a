from __future__ import annotations

import pytest

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration, Document
from moose.owl.model.expressions import LABEL_IRI, OWL, RDFS, XSD
from moose.owl.syntax.obo.read_obo import read_obo

OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
A, B, C, D = (owl.Class(f"{OBO}EX_{number}") for number in range(1, 5))
PART = owl.ObjectProperty(OBO + "BFO_0000050")
HAS, IN, LEVEL = (owl.ObjectProperty(f"{OBO}ex#{name}") for name in ("has", "in", "level"))
ONE, TWO = owl.NamedIndividual(OBO + "EX_i1"), owl.NamedIndividual(OBO + "EX_i2")
SOURCE = (Annotation(OBO_IN_OWL + "source", owl.Literal("X:1")),)
PART_D = owl.ObjectSomeValuesFrom(PART, D)
HAS_B = owl.ObjectSomeValuesFrom(HAS, B)

HEADER = "format-version: 1.4\nontology: ex\n"
TYPEDEFS = """
[Typedef]
id: part_of
xref: BFO:0000050

[Typedef]
id: level
is_class_level: true
"""


def read(stanzas: str) -> Document:
    return read_obo(f"{HEADER}\n{stanzas}\n{TYPEDEFS}", "o.obo")


# ── Terms ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TERMS: list[tuple[str, list[ax.Axiom]]] = [
    ("is_a: EX:2", [ax.SubClassOf(A, B)]),
    ("is_a: EX:2 ! two {and} more", [ax.SubClassOf(A, B)]),
    ('is_a: EX:2 {source="X:1"} ! two', [ax.SubClassOf(A, B, SOURCE)]),
    ('is_a: EX:2{source="X:1"}!two', [ax.SubClassOf(A, B, SOURCE)]),
    ("is_a: EX:2 \\\n  ! two lines", [ax.SubClassOf(A, B)]),
    ("is_a: owl:Thing", [ax.SubClassOf(A, owl.THING)]),
    ('is_a: EX:2 {gci_relation="part_of", gci_filler="EX:4", source="X:1"}', [
        ax.SubClassOf(owl.ObjectIntersectionOf((A, PART_D)), B, SOURCE)]),
    ('relationship: has EX:2 {gci_relation="part_of", gci_filler="EX:4"}', [
        ax.SubClassOf(owl.ObjectIntersectionOf((A, PART_D)), HAS_B)]),
    ('disjoint_from: EX:2 {gci_relation="part_of", gci_filler="EX:4"}', [
        ax.DisjointClasses((owl.ObjectIntersectionOf((A, PART_D)), B))]),
    ("disjoint_from: EX:2", [ax.DisjointClasses((A, B))]),
    ('equivalent_to: EX:2 {source="X:1"}', [ax.EquivalentClasses((A, B), SOURCE)]),
    ("relationship: part_of EX:4", [ax.SubClassOf(A, PART_D)]),
    ('relationship: has EX:2 {source="X:1"}', [ax.SubClassOf(A, HAS_B, SOURCE)]),
    ('relationship: has EX:2 {all_some="true"}', [ax.SubClassOf(A, HAS_B)]),
    ('relationship: has EX:2 {all_only="true"}', [ax.SubClassOf(A, owl.ObjectAllValuesFrom(HAS, B))]),
    ('relationship: has EX:2 {all_only="true", all_some="true"}', [
        ax.SubClassOf(A, owl.ObjectIntersectionOf((owl.ObjectAllValuesFrom(HAS, B), HAS_B)))]),
    ('relationship: has EX:2 {all_only="false"}', [ax.SubClassOf(A, HAS_B)]),
    ('relationship: has EX:2 {cardinality="2"}', [ax.SubClassOf(A, owl.ObjectExactCardinality(2, HAS, B))]),
    ('relationship: has EX:2 {cardinality="0"}', [ax.SubClassOf(A, owl.ObjectExactCardinality(0, HAS, B))]),
    ('relationship: has EX:2 {maxCardinality="2"}', [ax.SubClassOf(A, owl.ObjectMaxCardinality(2, HAS, B))]),
    ('relationship: has EX:2 {minCardinality="1", maxCardinality="4"}', [
        ax.SubClassOf(A, owl.ObjectIntersectionOf(
            (owl.ObjectMinCardinality(1, HAS, B), owl.ObjectMaxCardinality(4, HAS, B))))]),
    ("relationship: level EX:2", [ax.SubClassOf(A, owl.ObjectHasValue(LEVEL, owl.NamedIndividual(B.iri)))]),
    ("intersection_of: EX:2 ! genus\nintersection_of: part_of EX:4\nis_a: EX:3", [
        ax.EquivalentClasses((A, owl.ObjectIntersectionOf((B, PART_D)))), ax.SubClassOf(A, C)]),
    ('intersection_of: EX:2\nintersection_of: has EX:2 {minCardinality="2"}', [
        ax.EquivalentClasses((A, owl.ObjectIntersectionOf((B, owl.ObjectMinCardinality(2, HAS, B)))))]),
    ("intersection_of: EX:2", [ax.EquivalentClasses((A, B))]),
    ("union_of: EX:2\nunion_of: EX:3", [ax.EquivalentClasses((A, owl.ObjectUnionOf((B, C))))]),
    ('intersection_of: EX:2 {gci_relation="part_of", gci_filler="EX:4"}', [
        ax.UnreadAxiom(f'{A.iri} intersection_of: EX:2 {{gci_relation="part_of", gci_filler="EX:4"}}',
                       "gci_relation and gci_filler cannot narrow a definition, which is not read")]),
    ("is_aa: EX:2", [ax.UnreadAxiom(f"{A.iri} is_aa: EX:2", "the tag 'is_aa' is not known here (did you mean is_a?)")]),
    ("novel: thing", [ax.UnreadAxiom(f"{A.iri} novel: thing", "the tag 'novel' is not known here")]),
]  # fmt: skip


@pytest.mark.parametrize(("clauses", "expected"), TERMS, ids=[clauses[:40] for clauses, _ in TERMS])
def test_a_term_says(clauses: str, expected: list[ax.Axiom]) -> None:
    assert list(read(f"[Term]\nid: EX:1\n{clauses}").axioms) == expected


# ── Relations and instances ───────────────────────────────────────────────────────────────────────────────────────

TYPEDEF: list[tuple[str, list[ax.Axiom]]] = [
    ("is_a: part_of", [ax.SubObjectPropertyOf((HAS,), PART)]),
    ("equivalent_to: in", [ax.EquivalentObjectProperties((HAS, IN))]),
    ("disjoint_from: in", [ax.DisjointObjectProperties((HAS, IN))]),
    ("inverse_of: part_of", [ax.InverseObjectProperties(HAS, PART)]),
    ("transitive_over: part_of", [ax.SubObjectPropertyOf((HAS, PART), HAS)]),
    ("holds_over_chain: part_of in", [ax.SubObjectPropertyOf((PART, IN), HAS)]),
    ('holds_over_chain: part_of in has {source="X:1"}', [ax.SubObjectPropertyOf((PART, IN, HAS), HAS, SOURCE)]),
    ("equivalent_to_chain: part_of in", [
        ax.SubObjectPropertyOf((PART, IN), HAS),
        ax.UnreadAxiom(f"{HAS.iri} equivalent_to_chain: part_of in",
                       "OWL 2 says that a chain is part of a relation, but not the other way round")]),
    ("domain: EX:1", [ax.ObjectPropertyDomain(HAS, A)]),
    ("range: EX:2", [ax.ObjectPropertyRange(HAS, B)]),
    ("range: xsd:integer", [
        ax.UnreadAxiom(f"{HAS.iri} range: xsd:integer", "a relation between individuals has no range of literals")]),
    ("is_transitive: true", [ax.ObjectPropertyCharacteristic("Transitive", HAS)]),
    ("is_reflexive: true", [ax.ObjectPropertyCharacteristic("Reflexive", HAS)]),
    ("is_symmetric: true", [ax.ObjectPropertyCharacteristic("Symmetric", HAS)]),
    ("is_asymmetric: true", [ax.ObjectPropertyCharacteristic("Asymmetric", HAS)]),
    ("is_functional: true", [ax.ObjectPropertyCharacteristic("Functional", HAS)]),
    ("is_inverse_functional: true", [ax.ObjectPropertyCharacteristic("InverseFunctional", HAS)]),
    ("is_transitive: false", []),
    ("is_cyclic: true", []),
    ("is_anti_symmetric: true", [
        ax.UnreadAxiom(f"{HAS.iri} is_anti_symmetric: true", "OWL 2 has no antisymmetric relations")]),
    ("disjoint_over: in", [
        ax.UnreadAxiom(f"{HAS.iri} disjoint_over: in", "OWL 2 has no disjointness over a relation")]),
    ("union_of: in", [ax.UnreadAxiom(f"{HAS.iri} union_of: in", "OWL 2 has no unions of relations")]),
    ("intersection_of: in", [
        ax.UnreadAxiom(f"{HAS.iri} intersection_of: in", "OWL 2 has no intersections of relations")]),
    ("relationship: in part_of", [
        ax.UnreadAxiom(f"{HAS.iri} relationship: in part_of", "OWL 2 has no relations between relations")]),
]  # fmt: skip


@pytest.mark.parametrize(("clauses", "expected"), TYPEDEF, ids=[clauses[:40] for clauses, _ in TYPEDEF])
def test_a_relation_says(clauses: str, expected: list[ax.Axiom]) -> None:
    assert list(read(f"[Typedef]\nid: has\n{clauses}").axioms) == expected


def test_a_metadata_tag_is_an_annotation_property() -> None:
    document = read_obo(
        f"{HEADER}\n[Typedef]\nid: note\nis_metadata_tag: true\nis_a: tag\ndomain: EX:1\nis_transitive: true\n", "o.obo"
    )
    note = f"{OBO}ex#note"
    assert document.declarations == (Declaration(owl.AnnotationProperty(note)),)
    assert AnnotationAssertion(RDFS + "subPropertyOf", note, f"{OBO}ex#tag") in document.annotation_assertions
    assert AnnotationAssertion(RDFS + "domain", note, A.iri) in document.annotation_assertions
    assert document.axioms == (
        ax.UnreadAxiom(f"{note} is_transitive: true", "the tag 'is_transitive' is not known here"),
    )


def test_an_instance_has_types_and_relations() -> None:
    document = read(
        '[Instance]\nid: EX:i1\ninstance_of: EX:1 {source="X:1"}\nrelationship: part_of EX:i2\n'
        'property_value: part_of EX:i2\nproperty_value: part_of "5" xsd:integer\nproperty_value: note "5" xsd:integer\n'
    )
    assert document.axioms == (
        ax.ClassAssertion(A, ONE, SOURCE),
        ax.ObjectPropertyAssertion(PART, ONE, TWO),
        ax.ObjectPropertyAssertion(PART, ONE, TWO),
        ax.UnreadAxiom(
            f'{ONE.iri} property_value: part_of "5" xsd:integer',
            "a relation between individuals has no literals as values",
        ),
    )
    five = owl.Literal("5", XSD + "integer")
    assert AnnotationAssertion(f"{OBO}ex#note", ONE.iri, five) in document.annotation_assertions
    assert Declaration(ONE) in document.declarations


def test_a_stanza_of_an_unknown_kind_is_returned_unread() -> None:
    assert read("[Annotation]\nid: EX:1\nsubject: EX:2").axioms == (
        ax.UnreadAxiom(
            "[Annotation] id: EX:1; subject: EX:2", "only [Term], [Typedef] and [Instance] stanzas are known"
        ),
    )


# ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("identifier", "iri"),
    [
        ("GO:0000001", OBO + "GO_0000001"),
        ("EX:abc", OBO + "EX_abc"),
        ("EX:a_b", OBO + "EX#_a_b"),
        ("EX:a:b", OBO + "EX_a%3Ab"),
        ("EX:a/b", OBO + "EX_a%2Fb"),
        ("EX:é", OBO + "EX_é"),
        ("EX:a\\:b", OBO + "EX_a%3Ab"),
        ("plain", OBO + "ex#plain"),
        ("FOO:1", "http://foo.org/FOO#1"),
        ("http://full.org/x#y", "http://full.org/x#y"),
        ("urn:x:y", "urn:x:y"),
        ("owl:Nothing", OWL + "Nothing"),
    ],
)
def test_an_identifier_stands_for(identifier: str, iri: str) -> None:
    header = f'{HEADER}idspace: FOO http://foo.org/FOO# "foo"\n'
    assert read_obo(f"{header}\n[Term]\nid: {identifier}\n", "o.obo").declarations == (Declaration(owl.Class(iri)),)


@pytest.mark.parametrize(
    ("references", "iri"),
    [
        ("xref: RO:1", OBO + "RO_1"),
        ('xref: http://full.org/r "a relation"', "http://full.org/r"),
        ("xref: A:1\nxref: B:2", OBO + "A_1"),
        ("xref: A:1\nxref: RO:2", OBO + "RO_2"),
        ("xref: unprefixed", OBO + "ex#short"),
        ("", OBO + "ex#short"),
    ],
)
def test_a_relation_in_shorthand_is_the_one_it_refers_to(references: str, iri: str) -> None:
    text = f"{HEADER}\n[Term]\nid: EX:1\nrelationship: short EX:2\n\n[Typedef]\nid: short\n{references}\n"
    document = read_obo(text, "o.obo")
    assert document.axioms == (ax.SubClassOf(A, owl.ObjectSomeValuesFrom(owl.ObjectProperty(iri), B)),)
    assert Declaration(owl.ObjectProperty(iri)) in document.declarations


def test_a_relation_with_a_prefix_keeps_its_name() -> None:
    document = read("[Typedef]\nid: EX:r\nxref: RO:1\nis_transitive: true\n")
    assert document.axioms == (ax.ObjectPropertyCharacteristic("Transitive", owl.ObjectProperty(OBO + "EX_r")),)


# ── What carries no logic ─────────────────────────────────────────────────────────────────────────────────────────

TERM_NOTES: list[tuple[str, str, str | owl.Literal, ax.Annotations]] = [
    ("name: a \\{name\\}: with, \"marks\" ! comment", LABEL_IRI, owl.Literal('a {name}: with, "marks"'), ()),
    ('name: qualified {source="X:1"}', LABEL_IRI, owl.Literal("qualified"), SOURCE),
    ('comment: seen {xref="X:1"}', RDFS + "comment", owl.Literal("seen"), (
        Annotation(OBO_IN_OWL + "hasDbXref", owl.Literal("X:1")),)),
    ('def: "uno" [X:a\\,b]', OBO + "IAO_0000115", owl.Literal("uno"), (
        Annotation(OBO_IN_OWL + "hasDbXref", owl.Literal("X:a,b")),)),
    ("comment: two\\nlines", RDFS + "comment", owl.Literal("two\nlines"), ()),
    ('def: "A \\"thing\\"." [PMID:1, http://x.org "a, b"] {source="X:1"}', OBO + "IAO_0000115",
        owl.Literal('A "thing".'), (
            Annotation(OBO_IN_OWL + "hasDbXref", owl.Literal("PMID:1")),
            Annotation(OBO_IN_OWL + "hasDbXref", owl.Literal("http://x.org")), *SOURCE)),
    ("def: never quoted", OBO + "IAO_0000115", owl.Literal("never quoted"), ()),
    ('def: "never ends', OBO + "IAO_0000115", owl.Literal('"never ends'), ()),
    ('synonym: "uno" EXACT kind [X:1]', OBO_IN_OWL + "hasExactSynonym", owl.Literal("uno"), (
        Annotation(OBO_IN_OWL + "hasDbXref", owl.Literal("X:1")),
        Annotation(OBO_IN_OWL + "hasSynonymType", f"{OBO}ex#kind"))),
    ('synonym: "uno" []', OBO_IN_OWL + "hasRelatedSynonym", owl.Literal("uno"), ()),
    ('broad_synonym: "uno" []', OBO_IN_OWL + "hasBroadSynonym", owl.Literal("uno"), ()),
    ('xref: CL:1 "cell"', OBO_IN_OWL + "hasDbXref", owl.Literal("CL:1"), (Annotation(LABEL_IRI, owl.Literal("cell")),)),
    ("subset: slim", OBO_IN_OWL + "inSubset", f"{OBO}ex#slim", ()),
    ("is_obsolete: true", OWL + "deprecated", owl.Literal("true", XSD + "boolean"), ()),
    ("replaced_by: EX:2", OBO + "IAO_0100001", B.iri, ()),
    ("property_value: part_of EX:2", PART.iri, B.iri, ()),
    ('property_value: http://x.org/p "5" xsd:integer', "http://x.org/p", owl.Literal("5", XSD + "integer"), ()),
    ('property_value: p "text"', f"{OBO}ex#p", owl.Literal("text"), ()),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "name", "value", "notes"), TERM_NOTES, ids=[row[0][:40] for row in TERM_NOTES])
def test_a_clause_without_logic_is_an_annotation(
    clause: str, name: str, value: str | owl.Literal, notes: ax.Annotations
) -> None:
    document = read(f"[Term]\nid: EX:1\n{clause}")
    assert AnnotationAssertion(name, A.iri, value, notes) in document.annotation_assertions
    assert document.axioms == ()


def test_an_alternative_identifier_is_a_deprecated_class() -> None:
    document = read("[Term]\nid: EX:1\nalt_id: EX:2")
    assert document.declarations[:2] == (Declaration(A), Declaration(B))
    assert AnnotationAssertion(OWL + "deprecated", B.iri, owl.Literal("true", XSD + "boolean")) in (
        document.annotation_assertions
    )
    assert AnnotationAssertion(OBO + "IAO_0100001", B.iri, A.iri) in document.annotation_assertions
