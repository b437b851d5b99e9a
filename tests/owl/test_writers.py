"""What Moose writes it reads again as the same: every syntax, any document, hostile texts and names."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.owl.load import SYNTAXES
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.sorting import sorted_document
from moose.owl.syntax.common.written import Written
from moose.owl.write import WRITTEN, choose_syntax
from tests.owl.strategies import annotation_assertions, axioms, documents, notes, some
from tests.owl.test_rdf_round_trip import apart, entities, normal, rebuild, said, sayable

EXACT = ["functional", "owlxml"]
RDF = ["rdfxml", "turtle", "ntriples"]


def write(document: Document, syntax: str) -> Written:
    chosen = choose_syntax(syntax, None)
    assert chosen.write is not None
    return chosen.write(sorted_document(document))


def back(document: Document, syntax: str) -> Document:
    text = write(document, syntax).text
    return choose_syntax(syntax, None).read(text.encode(), f"written.{syntax}", ())


def test_what_is_written_is_in_the_list_of_syntaxes() -> None:
    assert tuple(syntax for syntax in SYNTAXES if syntax.write is not None) == WRITTEN


def without_rules(document: Document) -> Document:
    return replace(document, axioms=tuple(one for one in document.axioms if not isinstance(one, ax.UnreadAxiom)))


def plain(document: Document) -> tuple[object, ...]:
    """Return all that a document says, in one order."""
    found = sorted_document(document)
    iris = (found.iri, found.version_iri if found.iri else None)
    return (iris, found.imports, set(found.annotations), *(set(part) for part in parts(found)))


def parts(document: Document) -> Iterator[tuple[object, ...]]:
    yield document.declarations
    yield document.axioms
    yield document.annotation_assertions


@settings(max_examples=150)
@given(documents())
def test_functional_syntax_comes_back_whole(document: Document) -> None:
    again = back(document, "functional")
    assert plain(again) == plain(document)
    assert {**again.prefixes, **document.prefixes} == again.prefixes


@settings(max_examples=150)
@given(documents().map(without_rules))
def test_owlxml_comes_back_whole(document: Document) -> None:
    assert plain(back(document, "owlxml")) == plain(document)


def in_dl(found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], header: ax.Annotations) -> Document:
    """Return a document with names of their own for each kind of entity, as OWL 2 DL asks; it declares nothing."""
    kept = tuple(axiom for axiom in rebuild(found, apart) if sayable(axiom) and not _is_single(axiom))
    holder = rebuild(ax.SubClassOf(owl.THING, owl.THING, header), apart)
    return Document(
        iri="http://example.org/o",
        version_iri="http://example.org/o/1",
        imports=("http://example.org/other",),
        annotations=holder.annotations,
        axioms=kept,
        annotation_assertions=rebuild(more, apart),
        prefixes={"ex": "http://example.org/", "class": "http://example.org/class/"},
    )


def _is_single(axiom: ax.Axiom) -> bool:
    chained = (ax.EquivalentClasses, ax.EquivalentObjectProperties, ax.EquivalentDataProperties, ax.SameIndividual)
    members = getattr(axiom, "operands", ()) or getattr(axiom, "individuals", ())
    return isinstance(axiom, chained) and len(members) == 1


def twice_told() -> tuple[ax.AnnotationAssertion, ...]:
    """Return a statement of an anonymous individual, with annotations that are annotated, once in each order."""
    inner = ax.Annotation("urn:p", "urn:v", (ax.Annotation("urn:p", "urn:w"),))
    outer = ax.Annotation("urn:p", "urn:w")
    one, other = (
        ax.AnnotationAssertion("urn:p", owl.AnonymousIndividual("x"), "urn:v", notes)
        for notes in ((outer, inner), (inner, outer))
    )
    return one, one, other


@pytest.mark.parametrize("syntax", RDF)
@settings(max_examples=120)
@given(some(axioms()), some(annotation_assertions, 0), notes)
@example((), twice_told(), ())
def test_rdf_comes_back_whole(
    syntax: str, found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], header: ax.Annotations
) -> None:
    document = in_dl(found, more, header)
    again = back(document, syntax)
    assert said(again.axioms) == said(document.axioms)
    assert said(again.annotation_assertions) == said(document.annotation_assertions)
    assert set(rebuild(again.annotations, normal)) == set(rebuild(document.annotations, normal))
    assert (again.iri, again.version_iri, again.imports) == (document.iri, document.version_iri, document.imports)
    used = set(entities((document.axioms, document.annotation_assertions, document.annotations)))
    assert {told.entity for told in again.declarations} == used


@pytest.mark.parametrize("syntax", [one.name for one in WRITTEN])
@settings(max_examples=30)
@given(some(axioms()), some(annotation_assertions, 0), st.randoms(use_true_random=False))
def test_the_same_ontology_gives_the_same_text(
    syntax: str, found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], random: object
) -> None:
    document = in_dl(found, more, ())
    shuffled = list(document.axioms)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random
    assert write(replace(document, axioms=tuple(shuffled)), syntax) == write(document, syntax)


@pytest.mark.parametrize("syntax", ["owlxml", "rdfxml"])
def test_what_xml_cannot_hold_is_refused(syntax: str) -> None:
    told = ax.AnnotationAssertion("urn:x:note", "urn:x:a", owl.Literal("a\x01b"))
    with pytest.raises(MooseError, match=r"U\+0001; write functional syntax or Turtle"):
        write(Document(annotation_assertions=(told,)), syntax)


def test_a_property_that_no_element_can_stand_for_is_refused() -> None:
    told = ax.AnnotationAssertion("http://example.org/1", "urn:x:a", owl.Literal("a"))
    with pytest.raises(MooseError, match="write Turtle instead"):
        write(Document(annotation_assertions=(told,)), "rdfxml")


@pytest.mark.parametrize("syntax", ["owlxml", *RDF])
def test_an_iri_that_would_be_completed_is_refused(syntax: str) -> None:
    axiom = ax.SubClassOf(owl.Class("A"), owl.Class("urn:x:b"))
    with pytest.raises(MooseError, match=r"expected full IRIs to write .*, but got <A>"):
        write(Document(axioms=(axiom,)), syntax)


@pytest.mark.parametrize("syntax", [one.name for one in WRITTEN])
def test_what_is_no_axiom_is_returned_and_stays_as_a_comment(syntax: str) -> None:
    axiom = ax.UnreadAxiom("treat-xrefs-as-is_a: X -- nothing\nmore", "a macro")
    written = write(Document("urn:x:o", axioms=(axiom,)), syntax)
    assert [one.axiom for one in written.unwritten] == [axiom]
    assert "treat-xrefs-as-is_a: X" in written.text
    assert choose_syntax(syntax, None).read(written.text.encode(), "written", ()).axioms == ()


# ── OBO ───────────────────────────────────────────────────────────────────────────────────────────────────────────

OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
ADDED = {OBO_IN_OWL + "id", OBO_IN_OWL + "is_metadata_tag"}


def declared(document: Document) -> Document:
    used = entities((document.axioms, document.annotation_assertions, document.annotations))
    return replace(document, declarations=tuple(map(ax.Declaration, used)))


def sets(found: tuple[ax.Axiom, ...]) -> set[object]:
    """Return axioms without the order of two classes that are equal or disjoint, and of annotations."""
    settled = sorted_document(Document(axioms=found)).axioms
    pairs = (ax.EquivalentClasses, ax.DisjointClasses)
    return {(type(one), frozenset(one.operands), one.annotations) if isinstance(one, pairs) else one for one in settled}


@settings(max_examples=150)
@given(some(axioms()), some(annotation_assertions, 0), notes)
def test_obo_comes_back_whole(
    found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...], header: ax.Annotations
) -> None:
    document = replace(declared(in_dl(found, more, header)), version_iri=None)
    again = back(document, "obo")
    assert sets(again.axioms) == sets(document.axioms)
    first, second = plain(document), plain(again)
    assert first[1] == second[1] and first[0] == second[0]
    new = second[4] - first[4]  # type: ignore[operator]  # sets of assertions
    assert first[4] <= second[4] and {told.property for told in new} <= ADDED  # type: ignore[operator]  # as above
    assert set(sorted_document(document).annotations) <= set(sorted_document(again).annotations)
    assert first[2] <= second[2] and first[3] <= second[3]  # type: ignore[operator]  # header and declarations, sets


TERMS = """\
format-version: 1.4
idspace: skos http://www.w3.org/2004/02/skos/core#
subsetdef: slim "A slim."
synonymtypedef: ABBREVIATION "abbreviation"
ontology: x

[Term]
id: X:1
name: one ! a comment
namespace: things
alt_id: X:11
def: "The \\"first\\" of them." [PMID:1, X:a\\,b] {created_by="me"}
comment: Really {xref="PMID:2"}
subset: slim
synonym: "1" EXACT ABBREVIATION [Y:1]
xref: Z:1 "one elsewhere" {source="z"}
is_a: X:2 {is_inferred="true"}
is_a: X:3 {gci_relation="part_of", gci_filler="X:2"}
intersection_of: X:2
intersection_of: part_of X:3
disjoint_from: X:4
relationship: part_of X:3 {maxCardinality="2"}
relationship: part_of X:4 {all_only="true"}
property_value: skos:prefLabel "uno" xsd:string
created_by: me

[Term]
id: X:2
is_obsolete: true
replaced_by: X:1

[Term]
id: X:3

[Term]
id: X:4

[Typedef]
id: part_of
name: part of
xref: BFO:0000050
is_transitive: true
inverse_of: has_part
transitive_over: has_part
domain: X:2

[Typedef]
id: has_part
xref: BFO:0000051
"""


def test_obo_is_written_with_its_own_clauses() -> None:
    document = choose_syntax("obo", None).read(TERMS.encode(), "terms.obo", ())
    text = write(document, "obo").text
    assert plain(choose_syntax("obo", None).read(text.encode(), "again.obo", ())) == plain(document)
    assert "owl-axioms" not in text and "http://www.geneontology.org" not in text
    wanted = {line.split(" !")[0] for line in TERMS.splitlines()}
    assert {line.split(" !")[0] for line in text.splitlines()} == wanted


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (Document("mailto:x"), "whose IRIs OBO can say, but got <mailto:x>"),
        (Document(annotations=(ax.Annotation("urn:x:p", owl.Literal("a", owl.LANGUAGE_STRING_IRI, "en")),)), "OBO can"),
        (
            Document("urn:x:o", annotation_assertions=(ax.AnnotationAssertion("urn:x:p", "urn:a", owl.Literal("\r")),)),
            "there is a carriage return in a literal",
        ),
    ],
)
def test_what_obo_cannot_hold_is_refused(document: Document, said: str) -> None:
    with pytest.raises(MooseError, match=said):
        write(document, "obo")


# ── Hostile texts ─────────────────────────────────────────────────────────────────────────────────────────────────

HOSTILE = st.text(max_size=12)  # of any characters that are text: no halves of one


@pytest.mark.parametrize("syntax", ["functional", "turtle", "ntriples"])
@given(HOSTILE)
def test_any_text_comes_back(syntax: str, text: str) -> None:
    told = ax.AnnotationAssertion("http://example.org/p", "urn:x:a", owl.Literal(text))
    assert back(Document("urn:x:o", annotation_assertions=(told,)), syntax).annotation_assertions == (told,)


def outcome(document: Document, syntax: str) -> tuple[ax.AnnotationAssertion, ...] | str:
    """Return the annotations that come back, or how the refusal begins."""
    try:
        return back(document, syntax).annotation_assertions
    except MooseError as refused:
        return " ".join(str(refused).split()[:4])


@pytest.mark.parametrize("syntax", ["owlxml", "rdfxml", "obo"])
@given(HOSTILE)
def test_any_text_comes_back_or_is_refused(syntax: str, text: str) -> None:
    told = ax.AnnotationAssertion("http://example.org/p", "urn:x:a", owl.Literal(text))
    document = Document("urn:x:o", annotation_assertions=(told,))
    assert outcome(document, syntax) in ((told,), "expected text that XML", "expected text that OBO")


# ── What OBO says by clauses of its own ───────────────────────────────────────────────────────────────────────────

OBO_TAGS = """format-version: 1.2
default-namespace: phenotypes
logical-definition-view-relation: has_part
ontology: ex

[Term]
id: EX:1
name: old
is_obsolete: true
consider: EX:3

[Term]
id: EX:2
name: new
alt_id: EX:1
"""


def test_obo_has_tags_of_the_header_and_says_what_has_taken_an_old_place() -> None:
    ontology = moose.load(io.BytesIO(OBO_TAGS.encode()))
    output = io.StringIO()
    assert not moose.write(ontology, output, "obo")
    lines = output.getvalue().splitlines()
    assert {"default-namespace: phenotypes", "logical-definition-view-relation: has_part", "alt_id: EX:1"} <= {*lines}
    assert lines.count("replaced_by: EX:2") == 1, "in the stanza of the old class, where people look for it"
    assert same_notes(moose.load(io.BytesIO(output.getvalue().encode())), ontology)


def test_a_default_namespace_is_an_annotation_where_a_stanza_has_none() -> None:
    ontology = moose.load(io.BytesIO(OBO_TAGS.encode()))
    notes = ontology.annotations
    left = tuple(one for one in notes.assertions if not one.property.endswith("#hasOBONamespace"))
    bare = moose.with_annotations(ontology, moose.AnnotationAxioms(notes.header, notes.declarations, left))
    output = io.StringIO()
    moose.write(bare, output, "obo")
    assert "\ndefault-namespace:" not in output.getvalue()
    assert same_notes(moose.load(io.BytesIO(output.getvalue().encode())), bare)


def same_notes(one: moose.Ontology, other: moose.Ontology) -> bool:
    mine, theirs = one.annotations, other.annotations
    return set(mine.header) == set(theirs.header) and set(mine.assertions) == set(theirs.assertions)


AS_TOOLS_WRITE_IT = """\
format-version: 1.2
data-version: x/releases/2026-01-01/x.owl
idspace: terms http://purl.org/dc/terms/
subsetdef: upper "The upper level"
ontology: x

[Term]
id: X:1
name: one
def: "A number." [GO_REF:0000031, GOC:add, http://example.org/one, PMID:1]
subset: upper
synonym: "fibrinogen" EXACT []
synonym: "fibrinogen complex" EXACT []
property_value: terms:creator "somebody" xsd:string

[Term]
id: X:2
relationship: has_participant X:1 ! one
relationship: RO:0002162 X:1 ! in taxon one

[Typedef]
id: RO:0002162
name: in taxon

[Typedef]
id: has_participant
name: has participant
xref: RO:0000057
"""


def test_obo_that_other_tools_have_written_stays_as_it_is() -> None:
    obo = choose_syntax("obo", None)
    document = obo.read(AS_TOOLS_WRITE_IT.encode(), "x.obo", ())
    assert write(document, "obo").text.splitlines() == AS_TOOLS_WRITE_IT.splitlines()


def test_names_that_obo_writes_without_a_prefix_need_no_prefix_of_rdf() -> None:
    document = choose_syntax("obo", None).read(AS_TOOLS_WRITE_IT.encode(), "x.obo", ())
    with_prefix = replace(document, prefixes={**document.prefixes, "ns1": "http://purl.obolibrary.org/obo/x#"})
    assert write(with_prefix, "obo").text == write(document, "obo").text
