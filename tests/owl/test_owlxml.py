from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, OWL, RDFS, XSD
from moose.owl.model.nesting import MAX_NESTING
from moose.owl.syntax.owlxml.read_owlxml import read_owlxml
from tests.owl.owlxml_writer import write_owlxml
from tests.owl.strategies import AXIOM_STRATEGIES, documents

HEAD = f'<Ontology xmlns="{OWL}" ontologyIRI="http://example.org/o" xml:base="http://example.org/base"'
A, B = owl.Class("http://example.org/base#A"), owl.Class("http://example.org/base#B")
SUB = '<SubClassOf><Class IRI="#A"/><Class IRI="#B"/></SubClassOf>'


def read(content: str, head: str = HEAD) -> Document:
    return read_owlxml(f"{head}>{content}</Ontology>".encode(), "o.owx")


def refusal(data: bytes | str) -> str:
    with pytest.raises(ParseError) as caught:
        read_owlxml(data if isinstance(data, bytes) else data.encode(), "o.owx")
    return str(caught.value)


def without_rules(document: Document) -> Document:
    kept = tuple(axiom for axiom in document.axioms if not isinstance(axiom, ax.UnreadAxiom))
    return dataclasses.replace(document, axioms=kept)


@settings(deadline=None)
@given(documents().map(without_rules))
def test_every_document_is_read_as_it_was_written(document: Document) -> None:
    assert read_owlxml(write_owlxml(document), "o.owx") == document


@pytest.mark.parametrize("kind", [kind for kind in AXIOM_STRATEGIES if kind is not ax.UnreadAxiom])
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_every_axiom_is_read_as_it_was_written(kind: type, data: st.DataObject) -> None:
    document = Document(axioms=(data.draw(AXIOM_STRATEGIES[kind]()),))
    assert read_owlxml(write_owlxml(document), "o.owx") == document


@settings(deadline=None)
@given(documents().map(without_rules), st.data())
def test_a_text_cut_short_is_refused(document: Document, data: st.DataObject) -> None:
    text = write_owlxml(document)
    refusal(text[: data.draw(st.integers(0, len(text) - 1))])


# ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ('IRI="#A"', "http://example.org/base#A"),
        ('IRI="A"', "http://example.org/A"),
        ('IRI="../A"', "http://example.org/A"),
        ('IRI="urn:x:A"', "urn:x:A"),
        ('IRI=""', "http://example.org/base"),
        ('abbreviatedIRI="ex:A"', "http://example.com/A"),
        ('abbreviatedIRI=":A"', "http://example.net/A"),
        ('abbreviatedIRI="owl:Thing"', owl.THING.iri),
        ('IRI="ex:A"', "http://example.com/A"),  # as py-horned-owl writes it
        ('IRI=":A"', "http://example.net/A"),
        ('IRI="ex://A"', "ex://A"),
        ('xml:base="http://example.org/deeper/" IRI="A"', "http://example.org/deeper/A"),
    ],
)
def test_iris_are_relative_to_the_base_or_abbreviated(written: str, full: str) -> None:
    prefixes = '<Prefix name="ex" IRI="http://example.com/"/><Prefix name="" IRI="http://example.net/"/>'
    document = read(f"{prefixes}<Declaration><Class {written}/></Declaration>")
    assert document.declarations == (ax.Declaration(owl.Class(full)),)


def test_without_xml_base_the_ontology_iri_is_the_base() -> None:
    document = read(SUB, f'<Ontology xmlns="{OWL}" ontologyIRI="http://example.org/o"')
    assert document.axioms == (ax.SubClassOf(owl.Class("http://example.org/o#A"), owl.Class("http://example.org/o#B")),)


def test_a_base_that_is_no_hierarchy_takes_fragments() -> None:
    document = read("<Declaration><Class IRI='#A'/></Declaration>", f'<Ontology xmlns="{OWL}" xml:base="urn:x:o"')
    assert document.declarations[0].entity == owl.Class("urn:x:o#A")


def test_equal_entities_are_one_object() -> None:
    first, second = read(SUB + SUB).axioms
    assert isinstance(first, ax.SubClassOf)
    assert isinstance(second, ax.SubClassOf)
    assert first.sub is second.sub


def test_abbreviated_annotation_subjects_literals_and_imports_are_read() -> None:
    document = read(
        "<Import> http://example.org/other </Import>"
        '<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/>'
        "<AbbreviatedIRI>owl:Thing</AbbreviatedIRI>"
        '<Literal xml:lang="en-GB"> a &amp; b </Literal></AnnotationAssertion>'
        '<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/><IRI> #A </IRI>'
        f'<Literal datatypeIRI="{XSD}integer">1</Literal></AnnotationAssertion>'
    )
    assert document.imports == ("http://example.org/other",)
    assert document.annotation_assertions == (
        ax.AnnotationAssertion(RDFS + "label", owl.THING.iri, owl.Literal(" a & b ", LANGUAGE_STRING_IRI, "en-GB")),
        ax.AnnotationAssertion(RDFS + "label", A.iri, owl.Literal("1", XSD + "integer")),
    )


def test_a_cardinality_without_a_filler_is_about_everything() -> None:
    document = read(
        '<SubClassOf><Class IRI="#A"/><ObjectMinCardinality cardinality="2"><ObjectProperty IRI="#r"/>'
        '</ObjectMinCardinality></SubClassOf><SubClassOf><Class IRI="#A"/><DataMaxCardinality cardinality="3">'
        '<DataProperty IRI="#d"/></DataMaxCardinality></SubClassOf>'
    )
    role, attribute = owl.ObjectProperty("http://example.org/base#r"), owl.DataProperty("http://example.org/base#d")
    assert document.axioms == (
        ax.SubClassOf(A, owl.ObjectMinCardinality(2, role, owl.THING)),
        ax.SubClassOf(A, owl.DataMaxCardinality(3, attribute, owl.LITERAL)),
    )


def test_a_rule_is_kept_as_text() -> None:
    document = read(
        '<DLSafeRule><Body><ClassAtom><Class IRI="#A"/><Variable IRI="urn:x"/></ClassAtom><BuiltInAtom IRI="urn:f">'
        '<Variable IRI="urn:x"/><Literal>v</Literal></BuiltInAtom></Body><Head/></DLSafeRule>'
    )
    (axiom,) = document.axioms
    assert isinstance(axiom, ax.UnreadAxiom)
    body = 'ClassAtom(<http://example.org/base#A> Variable(<urn:x>)) BuiltInAtom(<urn:f> Variable(<urn:x>) "v")'
    assert axiom.text == f"DLSafeRule(Body({body}) Head())"


# ── What is refused ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (
            "\n<SubClassOf>\n<Class IRI='#A'/></SubClassOf>",
            2,
            "in <SubClassOf>: expected a class expression and a class",
        ),
        (
            "\n<SubClassOf><Class IRI='#A'/><IRI>#B</IRI></SubClassOf>",
            2,
            "expected a class expression, but got the name",
        ),
        ("<SubClassOf><Class IRI='#A'/><ObjectProperty IRI='#r'/></SubClassOf>", 1, "but got ObjectProperty"),
        ("\n\n<SubclassOf/>", 3, "did you mean SubClassOf?"),
        ("<Class/>", 1, "expected an attribute IRI or abbreviatedIRI"),
        ("<Class IRI='#A'/>", 1, "expected an axiom, but got Class"),
        ("<Class abbreviatedIRI='no:A'/>", 1, "the prefix of no:A is not declared; write <Prefix name='no'"),
        ("<Class IRI='#A'><IRI>x</IRI></Class>", 1, "expected no elements inside"),
        ("\nstray", 2, "expected only elements inside <Ontology>, but got the text 'stray'"),
        ("<Ontology/>", 1, "expected elements of"),
        ("<x:y xmlns:x='urn:z'/>", 1, "but got <y> of the namespace urn:z"),
        (
            "<ObjectMinCardinality><ObjectProperty IRI='#r'/></ObjectMinCardinality>",
            1,
            "expected an attribute cardinality",
        ),
        (
            "<ObjectMinCardinality cardinality='-1'><ObjectProperty IRI='#r'/></ObjectMinCardinality>",
            1,
            "expected a number",
        ),
        ("<Prefix name='a' IRI='urn:a'/>\n<Prefix name='a' IRI='urn:b'/>", 2, "it is already <urn:a>"),
        ("<Class IRI='http://[x/' xml:base='http://[y'/>", 1, "expected an axiom, but got Class"),
        ("<Class IRI='x y' xml:base='http://[y'/>", 1, "expected an IRI"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(content: str, line: int, words: str) -> None:
    message = refusal(f"{HEAD}>{content}</Ontology>")
    assert message.startswith(f"o.owx:{line}: ")
    assert words in message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "expected well-formed XML, but got: no element found"),
        (f"{HEAD}>\n{SUB}".encode(), "o.owx:2: expected well-formed XML"),
        (f"{HEAD}>{SUB}</Ontology>\nmore".encode(), "o.owx:2: expected well-formed XML"),
        (b"Ontology(<http://example.org/o>)", "o.owx:1: expected well-formed XML"),
        (b"<html/>", "expected the root element <Ontology xmlns='http://www.w3.org/2002/07/owl#'>, but got <html>"),
        (b"<Ontology/>", "but got <Ontology> without a namespace"),
        (b'<?xml version="1.0" encoding="klingon"?><Ontology/>', "expected an encoding such as UTF-8"),
        (f'{HEAD}><Class IRI="#\xe9"/></Ontology>'.encode("latin-1"), "not well-formed"),
        (f'<Ontology xmlns="{OWL}">{SUB}</Ontology>'.encode(), "is relative, but there is no base"),
    ],
)
def test_what_is_no_owlxml_is_refused(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_other_encodings_that_xml_declares_are_read() -> None:
    text = f'<?xml version="1.0" encoding="{{}}"?>{HEAD}><Declaration><Class IRI="#\xe9"/></Declaration></Ontology>'
    for encoding in ("utf-8", "iso-8859-1", "utf-16"):
        document = read_owlxml(text.format(encoding).encode(encoding), "o.owx")
        assert document.declarations[0].entity == owl.Class("http://example.org/base#\xe9")


def test_deep_nesting_is_refused_in_one_sentence() -> None:
    deep = "<ObjectComplementOf>" * 10_000
    message = refusal(f"{HEAD}><SubClassOf><Class IRI='#A'/>\n{deep}")
    assert message == (
        f"o.owx:2: expected at most {MAX_NESTING} levels of nesting, but this is nested deeper; give names to its parts"
    )


def test_nesting_up_to_the_limit_is_read() -> None:
    count = MAX_NESTING - 3  # the ontology, the axiom and the innermost class are levels too
    deep = "<ObjectComplementOf>" * count + "<Class IRI='#B'/>" + "</ObjectComplementOf>" * count
    content = f"<SubClassOf><Class IRI='#A'/>{deep}</SubClassOf>"
    assert read(content) == read(content)
    assert hash(read(content).axioms)


# ── Entities ──────────────────────────────────────────────────────────────────────────────────────────────────────


def with_doctype(doctype: str, content: str = SUB) -> str:
    return f"<?xml version='1.0'?>\n<!DOCTYPE Ontology {doctype}>\n{HEAD}>{content}</Ontology>"


def test_small_internal_entities_are_expanded() -> None:
    text = with_doctype(
        f'[<!ENTITY owl "{OWL}"><!ENTITY b "http://example.org/base#">]',
        '<SubClassOf><Class IRI="&b;A"/><Class IRI="&owl;Thing"/></SubClassOf>',
    )
    assert read_owlxml(text.encode(), "o.owx").axioms == (ax.SubClassOf(A, owl.THING),)


@pytest.mark.parametrize(
    ("doctype", "words"),
    [
        ('[<!ENTITY a "ha"><!ENTITY b "&a;&a;">]', "b refers to others"),
        ('[<!ENTITY a SYSTEM "file:///etc/passwd">]', "expected no parameter or external entity, but got a"),
        ('[<!ENTITY a PUBLIC "x" "http://example.org/x">]', "expected no parameter or external entity"),
        ("[<!ENTITY % a \"<!ENTITY b 'c'>\"> %a;]", "expected no parameter or external entity"),
        ('SYSTEM "http://example.org/owl.dtd"', "expected no external document type"),
        (f'[<!ENTITY a "{"ha" * 1000}">]', "a is beyond that"),
        ("[" + "".join(f'<!ENTITY a{i} "x">' for i in range(300)) + "]", "a256 is beyond that"),
        ('[<!NOTATION n SYSTEM "n"><!ENTITY a SYSTEM "a.gif" NDATA n>]', "expected no parameter or external entity"),
    ],
)
def test_entities_that_could_do_harm_are_refused(doctype: str, words: str) -> None:
    message = refusal(with_doctype(doctype))
    assert message.startswith("o.owx:2: ")
    assert words in message


def test_many_references_to_a_long_entity_are_refused() -> None:
    text = with_doctype(f'[<!ENTITY a "{"ha" * 500}">]', f"<IRI>{'&a;' * 100_000}</IRI>")
    assert "less than 10 times as long" in refusal(text)


def test_an_entity_that_is_not_declared_is_refused() -> None:
    assert "o.owx:3: expected well-formed XML, but got: undefined entity" in refusal(
        with_doctype("[]", "<IRI>&no;</IRI>")
    )
