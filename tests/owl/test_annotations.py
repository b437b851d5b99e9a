"""Annotations are kept: read again when first asked for, through merging, and never paid for by who reasons."""

from __future__ import annotations

import io
import os
import pickle
from pathlib import Path

import pytest

import moose
from moose.owl import load
from moose.owl.files.fetch import fetch
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Declaration
from moose.owl.model.expressions import LABEL_IRI, LANGUAGE_STRING_IRI, RDFS, AnonymousIndividual, Class, Literal

COMMENT = RDFS + "comment"
TEXT = """\
Prefix(:=<http://e.org/>)
Ontology(<http://e.org/o> <http://e.org/o/1>
Annotation(Annotation(rdfs:comment "nested") rdfs:comment "of the ontology")
Declaration(Annotation(rdfs:comment "declared") Class(:A))
SubClassOf(Annotation(rdfs:comment "why") :A :B)
AnnotationAssertion(Annotation(rdfs:comment "source") rdfs:label :A "an A")
AnnotationAssertion(rdfs:label :A "ein A"@de)
AnnotationAssertion(<http://www.geneontology.org/formats/oboInOwl#hasExactSynonym> :A "alpha")
AnnotationAssertion(rdfs:seeAlso _:x "of a node")
SubAnnotationPropertyOf(:p rdfs:comment)
)
"""
ANOTHER = 'Ontology(<http://e.org/p> Import(<http://e.org/o>) AnnotationAssertion(rdfs:seeAlso _:x "another node"))'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "o.ofn").write_text(TEXT)
    return tmp_path / "o.ofn"


def test_everything_beside_the_axioms_is_there(path: Path) -> None:
    notes = moose.load(path).annotations
    assert notes.header == (Annotation(COMMENT, Literal("of the ontology"), (Annotation(COMMENT, Literal("nested")),)),)
    assert notes.declarations == (Declaration(Class("http://e.org/A"), (Annotation(COMMENT, Literal("declared")),)),)
    assert AnnotationAssertion(RDFS + "subPropertyOf", "http://e.org/p", COMMENT) in notes.assertions
    assert [text.lexical for text in notes.texts("http://e.org/A", LABEL_IRI)] == ["an A", "ein A"]
    assert len(notes.of("http://e.org/A")) == 3 and notes.of(AnonymousIndividual("x"))
    assert notes.about({"http://e.org/p"}).assertions == notes.of("http://e.org/p")


def test_loading_keeps_no_annotations_and_reading_again_happens_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []

    def counted(file: Path) -> bytes:
        reads.append(file)
        return fetch(file)

    monkeypatch.setattr(load, "fetch", counted)
    ontology = moose.load(path)
    moose.classify(ontology)
    assert len(reads) == 1
    assert ontology.annotations is ontology.annotations
    assert moose.with_axioms(ontology, ontology.axioms[:0]).annotations is ontology.annotations
    assert len(reads) == 2


def test_a_file_that_has_changed_is_refused(path: Path) -> None:
    ontology = moose.load(path)
    path.write_text(TEXT + "# longer\n")
    with pytest.raises(moose.MooseError, match="it has changed since; load it again"):
        _ = ontology.annotations
    with pytest.raises(moose.UnknownName, match="did you mean"):
        moose.Names(ontology).resolve_class("an AA")


def test_a_pipe_or_a_stream_is_kept(path: Path, tmp_path: Path) -> None:
    ontology = moose.load(io.BytesIO(path.read_bytes()))
    assert ontology.annotations == moose.load(path).annotations
    os.mkfifo(tmp_path / "pipe")
    if os.fork() == 0:
        (tmp_path / "pipe").write_text(TEXT)
        os._exit(0)
    assert moose.load(tmp_path / "pipe").annotations == ontology.annotations
    os.wait()


def test_it_can_be_sent_to_another_process(path: Path) -> None:
    ontology = pickle.loads(pickle.dumps(moose.load(path)))
    assert ontology.annotations == moose.load(path).annotations


def test_anonymous_individuals_of_several_documents_are_kept_apart(path: Path) -> None:
    (path.parent / "p.ofn").write_text(ANOTHER)
    notes = moose.load(path.parent / "p.ofn").annotations
    subjects = {told.subject for told in notes.assertions if isinstance(told.subject, AnonymousIndividual)}
    assert subjects == {AnonymousIndividual("x"), AnonymousIndividual("x.1")} and notes.header == ()


def test_ontologies_are_merged_with_their_annotations(path: Path) -> None:
    (path.parent / "p.ofn").write_text(ANOTHER)
    first, second = moose.load_document(path.parent / "p.ofn"), moose.load(path)
    assert first.ignored_imports == ("http://e.org/o",)
    merged = moose.merge([first, second], iri="http://e.org/all")
    assert merged.iri == "http://e.org/all" and merged.ignored_imports == () and merged.labels == second.labels
    assert len(merged.annotations.assertions) == 1 + len(second.annotations.assertions)
    assert merged.axioms == second.axioms
    with pytest.raises(moose.MooseError, match="at least one ontology"):
        moose.merge([])


def test_labels_synonyms_and_languages(path: Path) -> None:
    ontology = moose.load(path)
    a = Class("http://e.org/A")
    assert [moose.Names(ontology).resolve_class(word) for word in ("alpha", "ein A", "an A", "A")] == [a] * 4
    assert moose.Names(ontology, "label", language="de-AT").show(a.iri) == "A 'ein A'"
    assert moose.Names(ontology, "label", language="fr").show(a.iri) == "A 'an A'"
    assert [moose.Names(ontology, style).show(a.iri) for style in ("auto", "iri", "curie")] == ["A", f"<{a.iri}>", ":A"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("CL:0000048", "CL:0000084 'T cell' or"),
        ("CL:000084", "CL:0000084 'T cell'"),
        ("cl:0000084", "CL:0000084 'T cell'"),
        ("CL_0000085", "CL:0000084 'T cell'"),
        ("CL:00000842", "CL:0000842"),
    ],
)
def test_a_misspelt_identifier_gets_suggestions(word: str, meant: str) -> None:
    obo = "http://purl.obolibrary.org/obo/CL_"
    told = moose.AnnotationAxioms(
        tuple[Annotation, ...](),
        tuple(Declaration(Class(obo + number)) for number in ("0000084", "0000842", "0000040", "0000448")),
        (
            AnnotationAssertion(LABEL_IRI, obo + "0000084", Literal("T cell")),
            AnnotationAssertion(LABEL_IRI, obo + "0000084", Literal("T-Zelle", LANGUAGE_STRING_IRI, "de")),
        ),
    )
    names = moose.Names(moose.with_annotations(moose.ontology([]), told))
    with pytest.raises(moose.UnknownName) as caught:
        names.resolve_class(word)
    assert f"did you mean {meant}" in str(caught.value)
    assert names.show(obo + "0000842") == "CL:0000842"
