"""RDF that is no RDF, and RDF that would do harm."""

from __future__ import annotations

import pytest

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import OWL, RDF, RDFS
from moose.owl.model.nesting import MAX_NESTING
from moose.owl.syntax.rdf.graph import RdfSyntax
from moose.owl.syntax.rdf.read_graph import MAX_QUOTED_TRIPLES, MAX_XML_DEPTH
from moose.owl.syntax.rdf.read_rdf import read_rdf
from tests.owl.test_rdf import DECLARED, EX, PREFIXES, A, about, read

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
    assert axiom == ax.SubClassOf(A, owl.Class(EX + "a%20b{c}"))


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
