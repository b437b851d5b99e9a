from __future__ import annotations

import contextlib
import gc
import gzip
import re
from collections import Counter
from pathlib import Path

import pyhornedowl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, OWL, RDFS, XSD
from moose.owl.syntax.functional.constructors import CONSTRUCTS
from moose.owl.syntax.functional.functional_tokens import DOCUMENT_TOKEN, FLAT_DOCUMENT_TOKEN, tokens_of
from moose.owl.syntax.functional.read_functional import read_functional, read_tokens
from moose.owl.syntax.functional.write_functional import render

EX = "http://example.org/"
A, B, C = owl.Class(EX + "A"), owl.Class(EX + "B"), owl.Class(EX + "C")
R, S = owl.ObjectProperty(EX + "r"), owl.ObjectProperty(EX + "s")
D, E = owl.DataProperty(EX + "d"), owl.DataProperty(EX + "e")
ANN, BOB = owl.NamedIndividual(EX + "i"), owl.NamedIndividual(EX + "j")
ONE, TWO = owl.Literal("1", XSD + "integer"), owl.Literal("2", XSD + "integer")
INTEGER = owl.Datatype(XSD + "integer")
PREFIX = f"Prefix(:=<{EX}>)\n"


def read(content: str) -> Document:
    return read_functional(f"{PREFIX}Ontology(\n{content}\n)", "o.ofn")


def read_axiom(text: str) -> ax.Axiom:
    (axiom,) = read(text).axioms
    return axiom


# ── One example of each construct, written by hand from the specification ─────────────────────────────────────────

EXPRESSIONS: list[tuple[str, owl.ClassExpression]] = [
    (":A", A),
    ("owl:Thing", owl.THING),
    ("ObjectIntersectionOf(:A :B :C)", owl.ObjectIntersectionOf((A, B, C))),
    ("ObjectUnionOf(:A :B)", owl.ObjectUnionOf((A, B))),
    ("ObjectComplementOf(:A)", owl.ObjectComplementOf(A)),
    ("ObjectOneOf(:i _:x)", owl.ObjectOneOf((ANN, owl.AnonymousIndividual("x")))),
    ("ObjectSomeValuesFrom(:r :A)", owl.ObjectSomeValuesFrom(R, A)),
    ("ObjectAllValuesFrom(ObjectInverseOf(:r) :A)", owl.ObjectAllValuesFrom(owl.ObjectInverseOf(R), A)),
    ("ObjectHasValue(:r :i)", owl.ObjectHasValue(R, ANN)),
    ("ObjectHasSelf(:r)", owl.ObjectHasSelf(R)),
    ("ObjectMinCardinality(2 :r :A)", owl.ObjectMinCardinality(2, R, A)),
    ("ObjectMaxCardinality(0 :r)", owl.ObjectMaxCardinality(0, R, owl.THING)),
    ("ObjectExactCardinality(1 :r :A)", owl.ObjectExactCardinality(1, R, A)),
    ("DataSomeValuesFrom(:d xsd:integer)", owl.DataSomeValuesFrom((D,), INTEGER)),
    ("DataAllValuesFrom(:d :e xsd:integer)", owl.DataAllValuesFrom((D, E), INTEGER)),
    ('DataHasValue(:d "1"^^xsd:integer)', owl.DataHasValue(D, ONE)),
    ("DataMinCardinality(2 :d)", owl.DataMinCardinality(2, D, owl.LITERAL)),
    ("DataMaxCardinality(2 :d xsd:integer)", owl.DataMaxCardinality(2, D, INTEGER)),
    ("DataExactCardinality(2 :d xsd:integer)", owl.DataExactCardinality(2, D, INTEGER)),
]
RANGES: list[tuple[str, owl.DataRange]] = [
    ("xsd:integer", INTEGER),
    ("DataIntersectionOf(xsd:integer :A)", owl.DataIntersectionOf((INTEGER, owl.Datatype(A.iri)))),
    ("DataUnionOf(xsd:integer :A)", owl.DataUnionOf((INTEGER, owl.Datatype(A.iri)))),
    ("DataComplementOf(xsd:integer)", owl.DataComplementOf(INTEGER)),
    ('DataOneOf("1"^^xsd:integer "2"^^xsd:integer)', owl.DataOneOf((ONE, TWO))),
    (
        'DatatypeRestriction(xsd:integer xsd:minInclusive "1"^^xsd:integer xsd:maxExclusive "2"^^xsd:integer)',
        owl.DatatypeRestriction(INTEGER, ((XSD + "minInclusive", ONE), (XSD + "maxExclusive", TWO))),
    ),
]
AXIOMS: list[tuple[str, ax.Axiom]] = [
    ("SubClassOf(:A :B)", ax.SubClassOf(A, B)),
    ("EquivalentClasses(:A :B :C)", ax.EquivalentClasses((A, B, C))),
    ("DisjointClasses(:A :B :C)", ax.DisjointClasses((A, B, C))),
    ("DisjointUnion(:A :B :C)", ax.DisjointUnion(A, (B, C))),
    ("HasKey(:A (:r :s) (:d))", ax.HasKey(A, (R, S), (D,))),
    ("HasKey(:A () (:d))", ax.HasKey(A, (), (D,))),
    ("DatatypeDefinition(:A xsd:integer)", ax.DatatypeDefinition(owl.Datatype(A.iri), INTEGER)),
    ("SubObjectPropertyOf(:r :s)", ax.SubObjectPropertyOf((R,), S)),
    ("SubObjectPropertyOf(ObjectPropertyChain(:r :s) :s)", ax.SubObjectPropertyOf((R, S), S)),
    ("EquivalentObjectProperties(:r :s)", ax.EquivalentObjectProperties((R, S))),
    ("DisjointObjectProperties(:r :s)", ax.DisjointObjectProperties((R, S))),
    ("InverseObjectProperties(:r :s)", ax.InverseObjectProperties(R, S)),
    ("ObjectPropertyDomain(:r :A)", ax.ObjectPropertyDomain(R, A)),
    ("ObjectPropertyRange(:r :A)", ax.ObjectPropertyRange(R, A)),
    ("FunctionalObjectProperty(:r)", ax.ObjectPropertyCharacteristic("Functional", R)),
    ("InverseFunctionalObjectProperty(:r)", ax.ObjectPropertyCharacteristic("InverseFunctional", R)),
    ("ReflexiveObjectProperty(:r)", ax.ObjectPropertyCharacteristic("Reflexive", R)),
    ("IrreflexiveObjectProperty(:r)", ax.ObjectPropertyCharacteristic("Irreflexive", R)),
    ("SymmetricObjectProperty(:r)", ax.ObjectPropertyCharacteristic("Symmetric", R)),
    ("AsymmetricObjectProperty(:r)", ax.ObjectPropertyCharacteristic("Asymmetric", R)),
    ("TransitiveObjectProperty(:r)", ax.ObjectPropertyCharacteristic("Transitive", R)),
    ("SubDataPropertyOf(:d :e)", ax.SubDataPropertyOf(D, E)),
    ("EquivalentDataProperties(:d :e)", ax.EquivalentDataProperties((D, E))),
    ("DisjointDataProperties(:d :e)", ax.DisjointDataProperties((D, E))),
    ("DataPropertyDomain(:d :A)", ax.DataPropertyDomain(D, A)),
    ("DataPropertyRange(:d xsd:integer)", ax.DataPropertyRange(D, INTEGER)),
    ("FunctionalDataProperty(:d)", ax.FunctionalDataProperty(D)),
    ("SameIndividual(:i :j)", ax.SameIndividual((ANN, BOB))),
    ("DifferentIndividuals(:i :j)", ax.DifferentIndividuals((ANN, BOB))),
    ("ClassAssertion(:A :i)", ax.ClassAssertion(A, ANN)),
    ("ObjectPropertyAssertion(:r :i :j)", ax.ObjectPropertyAssertion(R, ANN, BOB)),
    ("NegativeObjectPropertyAssertion(:r :i :j)", ax.ObjectPropertyAssertion(R, ANN, BOB, negative=True)),
    ('DataPropertyAssertion(:d :i "1"^^xsd:integer)', ax.DataPropertyAssertion(D, ANN, ONE)),
    ('NegativeDataPropertyAssertion(:d :i "1"^^xsd:integer)', ax.DataPropertyAssertion(D, ANN, ONE, negative=True)),
]


@pytest.mark.parametrize(("text", "expression"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_each_class_expression_is_read(text: str, expression: owl.ClassExpression) -> None:
    assert read_axiom(f"SubClassOf({text} :B)") == ax.SubClassOf(expression, B)


@pytest.mark.parametrize(("text", "data_range"), RANGES, ids=[text for text, _ in RANGES])
def test_each_data_range_is_read(text: str, data_range: owl.DataRange) -> None:
    assert read_axiom(f"DataPropertyRange(:d {text})") == ax.DataPropertyRange(D, data_range)


@pytest.mark.parametrize(("text", "axiom"), AXIOMS, ids=[text for text, _ in AXIOMS])
def test_each_axiom_is_read(text: str, axiom: ax.Axiom) -> None:
    assert read_axiom(text) == axiom


@pytest.mark.parametrize(("text", "axiom"), AXIOMS, ids=[text for text, _ in AXIOMS])
def test_each_axiom_keeps_its_annotations(text: str, axiom: ax.Axiom) -> None:
    note = ax.Annotation(RDFS + "comment", owl.Literal("0.7"), (ax.Annotation(RDFS + "seeAlso", EX + "x"),))
    head, _, rest = text.partition("(")
    annotated = read_axiom(f'{head}(Annotation(Annotation(rdfs:seeAlso :x) rdfs:comment "0.7") {rest}')
    assert annotated.annotations == (note,)
    assert render(annotated).replace(render(note) + " ", "") == render(axiom)


def test_the_examples_leave_no_construct_out() -> None:
    texts = " ".join(text for table in (EXPRESSIONS, RANGES, AXIOMS) for text, _ in table)
    elsewhere = {"FacetRestriction", "Import", "Annotation", "Declaration", "AnnotationAssertion", "DLSafeRule"}
    missing = {name for name in CONSTRUCTS if not re.search(rf"\b{name}\(", texts)} - elsewhere
    assert {name for name in missing if not name.endswith(("Atom", "Body", "Head", "Variable"))} == {
        *("Class", "ObjectProperty", "DataProperty", "AnnotationProperty", "NamedIndividual", "Datatype"),
        *("SubAnnotationPropertyOf", "AnnotationPropertyDomain", "AnnotationPropertyRange"),
    }


# ── Documents ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_parts_of_a_document_are_read() -> None:
    document = read_functional(
        """
        Prefix( ex: = <http://example.org/> )   # a comment with ) and " and <
        Prefix(:=<http://example.org/>)
        Ontology ( <http://example.org/o> <http://example.org/o/1>
          Import(<http://example.org/other>)Import(ex:more)
          Annotation(rdfs:comment "an # ontology")
          Declaration(Class(:A)) Declaration(ObjectProperty(:r)) Declaration(DataProperty(:d))
          Declaration(AnnotationProperty(:p)) Declaration(NamedIndividual(:i)) Declaration(Datatype(:A))
          AnnotationAssertion(:p :A "x"@en) AnnotationAssertion(:p _:n ex:B) AnnotationAssertion(:p :A _:n)
          SubAnnotationPropertyOf(:p :q) AnnotationPropertyDomain(:p :A) AnnotationPropertyRange(:p :B)
          SubClassOf (
            <http://example.org/A>  # another
            ex:B )
        )
        # the end""",
        "o.ofn",
    )
    node = owl.AnonymousIndividual("n")
    p = EX + "p"
    entities: list[owl.Entity] = [A, R, D, owl.AnnotationProperty(p), ANN, owl.Datatype(A.iri)]
    assert document == Document(
        iri=EX + "o",
        version_iri=EX + "o/1",
        imports=(EX + "other", EX + "more"),
        annotations=(ax.Annotation(RDFS + "comment", owl.Literal("an # ontology")),),
        declarations=tuple(ax.Declaration(entity) for entity in entities),
        axioms=(ax.SubClassOf(A, B),),
        annotation_assertions=(
            ax.AnnotationAssertion(p, A.iri, owl.Literal("x", LANGUAGE_STRING_IRI, "en")),
            ax.AnnotationAssertion(p, node, B.iri),
            ax.AnnotationAssertion(p, A.iri, node),
            ax.AnnotationAssertion(RDFS + "subPropertyOf", p, EX + "q"),
            ax.AnnotationAssertion(RDFS + "domain", p, A.iri),
            ax.AnnotationAssertion(RDFS + "range", p, B.iri),
        ),
        prefixes={"ex": EX, "": EX},
    )


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ('"plain"', owl.Literal("plain")),
        ('""', owl.Literal("")),
        (r'"say \"hi\" \\ done"', owl.Literal('say "hi" \\ done')),
        (r'"ends in \\"', owl.Literal("ends in \\")),
        (r'"C:\new"', owl.Literal(r"C:\new")),
        ('"two\nlines # no comment ) ("', owl.Literal("two\nlines # no comment ) (")),
        ('"x"@de-AT', owl.Literal("x", LANGUAGE_STRING_IRI, "de-AT")),
        ('"x@en"', owl.Literal("x@en")),
        ('"1"^^xsd:integer', ONE),
        (f'"1"^^<{XSD}integer>', ONE),
        ('"1" ^^ xsd:integer', ONE),
        ('"a"^^:mine', owl.Literal("a", EX + "mine")),
    ],
)
def test_literals_are_read(text: str, literal: owl.Literal) -> None:
    assert read_axiom(f"DataPropertyAssertion(:d :i {text})") == ax.DataPropertyAssertion(D, ANN, literal)


def test_a_rule_is_kept_as_text_with_full_iris() -> None:
    text = 'DLSafeRule(Annotation(:p "n") Body(ClassAtom(ObjectSomeValuesFrom(:r :A) Variable(:x)))Head())'
    axiom = read_axiom(text)
    assert isinstance(axiom, ax.UnreadAxiom)
    body = f"Body(ClassAtom(ObjectSomeValuesFrom(<{EX}r> <{EX}A>) Variable(<{EX}x>)))"
    assert axiom.text == f"DLSafeRule({body} Head())"
    assert axiom.reason == "a SWRL rule is outside OWL 2"
    assert axiom.annotations == (ax.Annotation(EX + "p", owl.Literal("n")),)


def test_equal_entities_are_one_object_however_they_are_spelled() -> None:
    first, second = read(f"SubClassOf(:A owl:Thing) SubClassOf(<{EX}A> <{OWL}Thing>)").axioms
    assert isinstance(first, ax.SubClassOf)
    assert isinstance(second, ax.SubClassOf)
    assert first.sub is second.sub
    assert first.sup is second.sup is owl.THING


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    text = f"\ufeff{PREFIX}# note\rOntology(\r\nSubClassOf(:A :B) # note\r\n)\r\n"
    assert read_functional(text, "o.ofn").axioms == (ax.SubClassOf(A, B),)


def test_a_document_without_a_name_is_read() -> None:
    assert read_functional("Ontology()", "o.ofn") == Document()


@pytest.mark.parametrize("text", ["Ontology()", "Ontology("])
def test_the_collector_is_left_as_it_was(text: str) -> None:
    for switch, expected in ((gc.disable, False), (gc.enable, True)):
        switch()
        with contextlib.suppress(ParseError):
            read_functional(text, "o.ofn")
        assert gc.isenabled() is expected


# ── Real ontologies ───────────────────────────────────────────────────────────────────────────────────────────────

ONTOLOGIES = Path(__file__).parents[2].parent / "shared" / "data" / "ontologies"
LARGE = pytest.mark.slow


@pytest.mark.skipif(not ONTOLOGIES.is_dir(), reason="the folder ../shared/data/ontologies is not there")
@pytest.mark.parametrize(
    "name",
    [
        *("pizza.ofn", "pato.ofn", "envo.ofn", "not-galen.owl"),
        *(pytest.param(name, marks=LARGE) for name in ("uberon.ofn", "galen.ofn", "go.ofn")),
    ],
)
def test_real_ontologies_have_as_many_axioms_as_another_reader_finds(name: str) -> None:
    text = gzip.decompress((ONTOLOGIES / f"{name}.gz").read_bytes()).decode()
    document = read_functional(text, name)
    found = Counter(_horned_name(axiom) for axiom in {*document.declarations, *document.axioms})
    others = pyhornedowl.open_ontology_from_string(text, "ofn").get_axioms()
    assert found == Counter(type(axiom.component).__name__ for axiom in others if _is_counted(axiom))


def _is_counted(axiom: object) -> bool:
    return type(axiom.component).__name__ not in ("OntologyID", "DocIRI")  # type: ignore[attr-defined]  # untyped library


def _horned_name(axiom: ax.Axiom | ax.Declaration) -> str:
    if isinstance(axiom, ax.Declaration):
        return f"Declare{type(axiom.entity).__name__}"
    return render(axiom).partition("(")[0]


GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.ofn"))


def test_flat_constructs_read_the_same_as_one_token_and_as_several() -> None:
    assert GOLDEN
    fewer = 0
    for path in GOLDEN:
        text = path.read_text(encoding="utf-8")
        flat, single = tokens_of(text, FLAT_DOCUMENT_TOKEN), tokens_of(text, DOCUMENT_TOKEN)
        assert read_tokens(flat) == read_tokens(single), path.name
        fewer += len(flat) < len(single)
    assert fewer > len(GOLDEN) // 2


@pytest.mark.parametrize(
    "text", ["SubClassOf(:A\n:B)", "SubClassOf(:A   :B )", "SubClassOf( :A :B)", "SubClassOf(:A # a\n :B)"]
)
def test_white_space_and_comments_in_flat_constructs(text: str) -> None:
    assert read_axiom(text) == ax.SubClassOf(A, B)


ROWS = [
    "ObjectPropertyAssertion(:r :a :b)",
    "ObjectPropertyAssertion(<urn:r>  :b\n<urn:a(b)>)",
    "ClassAssertion(:A :a)",
]
ROWS += ["ObjectPropertyAssertion(:r _:x :b)", "ObjectPropertyAssertion(Annotation(:p :q) :r :a :b)"]
ROWS += ["ObjectPropertyAssertion(ObjectInverseOf(:r) :a :b)", "# ObjectPropertyAssertion(:r :a :c)\n"]
ROWS += ["NegativeObjectPropertyAssertion(:r :a :b)", "ObjectPropertyAssertion( :r :a :b )"]
ROWS += ["SubClassOf(:A <urn:SubClassOf(x)y>)", "SubClassOf(:A :B)", "SubClassOf(<urn:C> :B)", "SubClassOf (:A :B)"]
ROWS += ["Declaration(Class(:A))", "Declaration(Class(<urn:C>))", "Declaration(ObjectProperty(:r))"]
ROWS += ["Declaration(Class(<urn:C))>))", "SubClassOf(:A ObjectOneOf(:a))", "Declaration( Class(:A) )"]


@given(st.lists(st.sampled_from(ROWS), max_size=8), st.sampled_from([" ", "\n", "\t\n"]))
def test_axioms_in_a_row_read_the_same_as_one_token_and_as_several(links: list[str], space: str) -> None:
    text = f"Prefix(:=<http://example.org/>)\nOntology({space.join(links)})"
    assert read_tokens(tokens_of(text, FLAT_DOCUMENT_TOKEN)) == read_tokens(tokens_of(text, DOCUMENT_TOKEN))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "ObjectPropertyAssertion(:r :a)",
            "expected an object property expression and an individual and an individual",
        ),
        ("ObjectPropertyAssertion(:r :a :b :c)", "but got 4 arguments"),
        ("ObjectPropertyAssertion(:r :a z:b)", "the prefix of z:b is not declared"),
        ("SubClassOf(:A ObjectPropertyAssertion(:r :a :b))", "in SubClassOf"),
        ("SubClassOf(:A :B :C)", "but got 3 arguments"),
        ("Declaration(:A)", "an entity such as Class"),
        ("Declaration(Class(:A :B))", "one IRI"),
    ],
)
def test_what_is_wrong_in_a_row_of_axioms_is_told_with_its_line(row: str, message: str) -> None:
    good = "ObjectPropertyAssertion(:r :a :b)" if "Ob" in row else "SubClassOf(:A :B)"
    with pytest.raises(ParseError, match=re.escape("o.ofn:4: ") + f".*{re.escape(message)}"):
        read_functional(f"Prefix(:=<http://example.org/>) Ontology(\n{good}\n{good}\n{row}\n{good})", "o.ofn")
