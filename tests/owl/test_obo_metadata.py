"""What an OBO file says by a metadata tag is an annotation, wherever the tag's stanza stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from moose.owl.load import load
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Annotation, AnnotationAssertion
from moose.owl.syntax.obo.read_obo import read_obo

OBO = "http://purl.obolibrary.org/obo/"
IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
HEADER = "format-version: 1.4\nontology: ex\n"
TYPEDEF = "\n[Typedef]\nid: EX:note\nis_metadata_tag: true\n"
NOTE, A, B, C = (f"{OBO}EX_{name}" for name in ("note", "1", "2", "3"))


def both_orders(stanza: str) -> tuple[str, str]:
    return HEADER + TYPEDEF + stanza, HEADER + stanza + TYPEDEF


@pytest.mark.parametrize(
    "text", both_orders('\n[Term]\nid: EX:1\nis_a: EX:3\nrelationship: EX:note EX:2 {source="x"}\n')
)
def test_a_relationship_of_a_term(text: str) -> None:
    document = read_obo(text, "o.obo")
    assert document.axioms == (ax.SubClassOf(owl.Class(A), owl.Class(C)),)
    noted = (Annotation(IN_OWL + "source", owl.Literal("x")),)
    assert AnnotationAssertion(NOTE, A, B, noted) in document.annotation_assertions


@pytest.mark.parametrize(
    "text", both_orders("\n[Instance]\nid: EX:1\nrelationship: EX:note EX:2\nproperty_value: EX:note EX:3\n")
)
def test_a_relationship_of_an_instance(text: str) -> None:
    document = read_obo(text, "o.obo")
    assert document.axioms == ()
    assert AnnotationAssertion(NOTE, A, B) in document.annotation_assertions
    assert AnnotationAssertion(NOTE, A, C) in document.annotation_assertions


@pytest.mark.parametrize(
    "text", both_orders("\n[Term]\nid: EX:1\nintersection_of: EX:3\nintersection_of: EX:note EX:2\n")
)
def test_a_part_of_a_definition(text: str) -> None:
    document = read_obo(text, "o.obo")
    below, unread = document.axioms
    assert below == ax.SubClassOf(owl.Class(A), owl.Class(C))
    assert isinstance(unread, ax.UnreadAxiom) and "metadata tag" in unread.reason
    assert AnnotationAssertion(NOTE, A, B) in document.annotation_assertions


def test_a_definition_by_tags_alone_defines_nothing() -> None:
    text = HEADER + TYPEDEF + "\n[Term]\nid: EX:1\nintersection_of: EX:note EX:2\nintersection_of: EX:note EX:3\n"
    document = read_obo(text, "o.obo")
    assert [type(axiom) for axiom in document.axioms] == [ax.UnreadAxiom]
    assert AnnotationAssertion(NOTE, A, C) in document.annotation_assertions


@pytest.mark.parametrize(
    "clause", ["is_a: EX:note", "inverse_of: EX:note", "holds_over_chain: EX:note r", "transitive_over: EX:note"]
)
def test_relations_say_nothing_of_a_tag(clause: str) -> None:
    document = read_obo(f"{HEADER}\n[Typedef]\nid: r\n{clause}\n{TYPEDEF}", "o.obo")
    assert [type(axiom) for axiom in document.axioms] == [ax.UnreadAxiom]


TERM = (
    "\n[Term]\nid: EX:1\nrelationship: EX:note EX:2\nrelationship: EX:part EX:2\n"
    "intersection_of: EX:3\nintersection_of: EX:note EX:2\n"
)


@pytest.mark.parametrize("importer", ["term", "tag"])
def test_the_stanza_may_stand_in_another_document(tmp_path: Path, importer: str) -> None:
    texts = {
        "term": f"format-version: 1.4\nontology: term\n{{}}{TERM}\n[Typedef]\nid: EX:part\n",
        "tag": f"format-version: 1.4\nontology: tag\n{{}}{TYPEDEF}",
    }
    imported = "tag" if importer == "term" else "term"
    for name, text in texts.items():
        (tmp_path / f"{name}.obo").write_text(text.format(f"import: {imported}\n" if name == importer else ""), "utf-8")
    ontology = load(tmp_path / f"{importer}.obo")
    part = owl.ObjectSomeValuesFrom(owl.ObjectProperty(OBO + "EX_part"), owl.Class(B))
    told = [axiom for axiom in ontology.axioms if not isinstance(axiom, ax.UnreadAxiom)]
    assert set(told) == {ax.SubClassOf(owl.Class(A), part), ax.SubClassOf(owl.Class(A), owl.Class(C))}


def test_the_declaration_may_stand_in_another_syntax(tmp_path: Path) -> None:
    (tmp_path / "term.obo").write_text(f"format-version: 1.4\nontology: term\nimport: http://a/tag\n{TERM}", "utf-8")
    (tmp_path / "tag.ofn").write_text(f"Ontology(<http://a/tag> Declaration(AnnotationProperty(<{NOTE}>)))", "utf-8")
    ontology = load(tmp_path / "term.obo")
    assert ax.SubClassOf(owl.Class(A), owl.Class(C)) in ontology.axioms
    assert NOTE not in ontology.object_properties
