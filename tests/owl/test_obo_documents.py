from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import ParseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration
from moose.owl.model.expressions import OWL, RDFS
from moose.owl.syntax.functional.write_functional import render
from moose.owl.syntax.obo.read_obo import read_obo
from tests.owl.horned import read_horned

OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
TERM = "format-version: 1.4\n\n[Term]\nid: EX:1\n"

# ── Header ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("header", "iri", "version_iri"),
    [
        ("format-version: 1.4", None, None),
        ("ontology: ex", OBO + "ex.owl", None),
        ("ontology: ex\ndata-version: 2020-01-01", OBO + "ex.owl", OBO + "ex/2020-01-01/ex.owl"),
        ("ontology: ex\ndata-version: http://ex.org/v1", OBO + "ex.owl", "http://ex.org/v1"),
        ("ontology: http://ex.org/o\ndata-version: 3", "http://ex.org/o", None),
        ("format-version: 1.4\ndata-version: http://ex.org/v1", None, None),
    ],
)
def test_the_header_names_the_ontology(header: str, iri: str | None, version_iri: str | None) -> None:
    document = read_obo(header + "\n", "o.obo")
    assert (document.iri, document.version_iri) == (iri, version_iri)


def test_the_header_imports_and_annotates() -> None:
    document = read_obo(
        "format-version: 1.4\nontology: ex\nimport: http://ex.org/a\nimport: go\nimport: b.obo ! comment\n"
        'remark: a remark\ndefault-namespace: ns\nproperty_value: http://x.org/license "CC" xsd:string\n'
        'subsetdef: slim "A slim"\nsynonymtypedef: kind "A kind" EXACT\ndata-version: 7\n\n[Term]\nid: EX:1\n',
        "o.obo",
    )
    assert document.imports == ("http://ex.org/a", OBO + "go.owl", OBO + "b.obo")
    assert document.annotations == (
        Annotation(OBO_IN_OWL + "hasOBOFormatVersion", owl.Literal("1.4")),
        Annotation(RDFS + "comment", owl.Literal("a remark")),
        Annotation(OBO_IN_OWL + "default-namespace", owl.Literal("ns")),
        Annotation("http://x.org/license", owl.Literal("CC")),
        Annotation(OWL + "versionInfo", owl.Literal("7")),
    )
    assert set(document.annotation_assertions) >= {
        AnnotationAssertion(RDFS + "comment", OBO + "ex#slim", owl.Literal("A slim")),
        AnnotationAssertion(RDFS + "subPropertyOf", OBO + "ex#slim", OBO_IN_OWL + "SubsetProperty"),
        AnnotationAssertion(RDFS + "label", OBO + "ex#kind", owl.Literal("A kind")),
        AnnotationAssertion(RDFS + "subPropertyOf", OBO + "ex#kind", OBO_IN_OWL + "SynonymTypeProperty"),
        AnnotationAssertion(OBO_IN_OWL + "hasScope", OBO + "ex#kind", OBO_IN_OWL + "hasExactSynonym"),
        AnnotationAssertion(OBO_IN_OWL + "hasOBONamespace", OBO + "EX_1", owl.Literal("ns")),
    }


def test_axioms_in_the_header_are_read() -> None:
    document = read_obo(
        "format-version: 1.4\nowl-axioms: Prefix(:=<http://x#>)\\nOntology(\\nDeclaration(Class(:A))\\n"
        'SubClassOf(:A DataHasValue(:d \\"a!\\"))\\n)\n',
        "o.obo",
    )
    a, d = owl.Class("http://x#A"), owl.DataProperty("http://x#d")
    assert document.axioms == (ax.SubClassOf(a, owl.DataHasValue(d, owl.Literal("a!"))),)
    assert document.declarations == (Declaration(a),)


def test_a_macro_over_cross_references_is_returned_unread() -> None:
    (axiom,) = read_obo("ontology: ex\ntreat-xrefs-as-equivalent: CL\n", "o.obo").axioms
    assert isinstance(axiom, ax.UnreadAxiom)
    assert axiom.text == "treat-xrefs-as-equivalent: CL"


def test_comments_blank_lines_and_line_ends_do_not_matter() -> None:
    plain = read_obo(TERM + "is_a: EX:2\n", "o.obo")
    assert plain == read_obo((TERM + "! comment\n\n  is_a: EX:2  \n").replace("\n", "\r\n"), "o.obo")
    assert plain == read_obo("\ufeff" + TERM.replace("\n", "\r") + "is_a: EX:2", "o.obo")
    assert plain.axioms == read_obo("[ Term ] ! comment\nid : EX:1\nis_a:EX:2", "o.obo").axioms


# ── Mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────────

ERRORS = [
    ("", "o.obo: expected a header such as 'format-version: 1.4' or a stanza such as '[Term]'"),
    ("hello: world\n", "o.obo: expected a header such as"),
    ("format-version: 1.4\nhello\n", "o.obo:2: expected 'tag: value' or a heading such as '[Term]', but 'hello' came"),
    ("[Term\nid: EX:1", "o.obo:1: expected 'tag: value' or a heading"),
    ("[Term]\nname: x\n", "o.obo:1: expected 'id: …' under [Term], but there is none"),
    ("[Term]\nid: EX:1\nid: EX:2\n", "o.obo:3: expected a new heading before a second 'id:', but none came"),
    ("[Term]\nid: EX:1 EX:2\n", "o.obo:2: expected 'id: ' and one identifier, but 'id: EX:1 EX:2' came"),
    ("[Term]\nid:\n", "o.obo:2: expected 'id: ' and one identifier"),
    (TERM + "is_a:\n", "o.obo:5: expected 'is_a: CLASS', but 'is_a: ' came"),
    (TERM + "is_a: EX:2 EX:3\n", "o.obo:5: expected 'is_a: CLASS', but 'is_a: EX:2 EX:3' came"),
    (TERM + 'is_a: "EX:2"\n', "o.obo:5: expected 'is_a: CLASS'"),
    (TERM + "is_a: ! two\n", "o.obo:5: expected 'is_a: CLASS'"),
    (TERM + 'is_a: EX:2 {source="X:1"\n', "o.obo:5: expected the value of 'is_a:', but '{source=\"X:1\"' never ends"),
    (TERM + "is_a: EX:2 {source}\n", "o.obo:5: expected qualifiers as {key=\"value\", …}, but 'source' came"),
    (TERM + "relationship: EX:2\n", "o.obo:5: expected 'relationship: RELATION CLASS', but 'relationship: EX:2' came"),
    (TERM + 'relationship: r EX:2 {cardinality="x"}\n', "o.obo:5: expected a whole number"),
    (TERM + 'relationship: r EX:2 {maxCardinality="-1"}\n', "o.obo:5: expected a whole number"),
    (TERM + f'relationship: r EX:2 {{cardinality="{"9" * 5000}"}}\n', "o.obo:5: expected a whole number"),
    (TERM + 'is_a: EX:2 {gci_filler="EX:3"}\n', "o.obo:5: expected gci_relation and gci_filler together"),
    (TERM + "intersection_of: a b c\n", "o.obo:5: expected 'intersection_of: CLASS' or "),
    (TERM + "union_of: r EX:2\n", "o.obo:5: expected 'union_of: CLASS', but 'union_of: r EX:2' came"),
    ("[Typedef]\nid: r\nholds_over_chain: s\n", "o.obo:3: expected 'holds_over_chain: RELATION RELATION'"),
    ("[Typedef]\nid: r\nis_transitive: maybe\n", "o.obo:3: expected 'is_transitive: true' or 'is_transitive: false'"),
    ("[Typedef]\nid: r\ninverse_of:\n", "o.obo:3: expected 'inverse_of: RELATION'"),
    ("[Instance]\nid: i\ninstance_of: a b\n", "o.obo:3: expected 'instance_of: CLASS'"),
    ("[Instance]\nid: i\nrelationship: r\n", "o.obo:3: expected 'relationship: RELATION INSTANCE'"),
    ("ontology: x\nowl-axioms: Ontology(SubClassOf(\n", "o.obo:2 (owl-axioms):1: "),
    (TERM + "is_a: EX:2\\\n\n\nis_a\n", "o.obo:8: expected 'tag: value'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[message[:60] for _, message in ERRORS])
def test_a_mistake_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(message)) as error:
        read_obo(text, "o.obo")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("part", ["(", "[", "{", '{a="', '"\\', "\\", "! ", "EX:1 ", " ", "a\\\n"])
def test_long_nonsense_is_refused_at_once(part: str) -> None:
    with pytest.raises(ParseError):
        read_obo(TERM + "is_a: EX:2 EX:3" + part * 100_000, "o.obo")


# ── A second opinion ──────────────────────────────────────────────────────────────────────────────────────────────

IDS = st.sampled_from(["EX:1", "EX:2", "EX:3", "GO:0000001", "http://x.org/y"])
RELATIONS = st.sampled_from(["RO:1", "r", "part_of"])
# Only what py-horned-owl reads as the specification has it.
CLAUSES = st.one_of(
    st.builds("is_a: {}".format, IDS),
    st.builds('is_a: {} {{source="X:1"}} ! comment'.format, IDS),
    st.builds("disjoint_from: {}".format, IDS),
    st.builds("equivalent_to: {}".format, IDS),
    st.builds("relationship: {} {}".format, RELATIONS, IDS),
    st.builds('is_a: {} {{gci_relation="{}", gci_filler="{}"}}'.format, IDS, RELATIONS, IDS),
    st.builds("intersection_of: {}\nintersection_of: {} {}".format, IDS, RELATIONS, IDS),
    st.builds("union_of: {}\nunion_of: {}".format, IDS, IDS),
)
RELATION_CLAUSES = st.one_of(
    st.builds("is_a: {}".format, RELATIONS),
    st.builds("inverse_of: {}".format, RELATIONS),
    st.builds("domain: {}".format, IDS),
    st.builds("range: {}".format, IDS),
    st.sampled_from(["is_transitive: true", "is_reflexive: true", "is_symmetric: true", "is_functional: true"]),
)
STANZAS = st.one_of(
    st.builds("[Term]\nid: {}\n{}\n".format, IDS, CLAUSES),
    st.builds("[Typedef]\nid: {}\n{}\n".format, RELATIONS, RELATION_CLAUSES),
    st.builds("[Instance]\nid: {}\ninstance_of: {}\n".format, IDS, IDS),
)


@given(st.lists(STANZAS, max_size=5))
def test_py_horned_owl_agrees_where_it_keeps_what_is_said(stanzas: list[str]) -> None:
    shorthand = "[Typedef]\nid: part_of\nxref: BFO:0000050\n"
    text = "\n".join(["format-version: 1.4\nontology: ex\n", *stanzas, shorthand])
    ours = {render(axiom) for axiom in read_obo(text, "o.obo").axioms}
    assert ours == {render(axiom) for axiom in read_horned(text, "o.obo", syntax="obo").axioms}
