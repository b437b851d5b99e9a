"""`load` reads any syntax into the same frozen value, in an order that does not depend on the run."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import moose
from moose.base.errors import MooseError
from moose.owl.load import SYNTAXES, load
from moose.owl.model.axioms import ClassAssertion, DisjointClasses, Document, SubClassOf
from moose.owl.model.expressions import (
    AnonymousIndividual,
    Class,
    ClassExpression,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology, merge_documents
from moose.owl.profile.profile import Profile

E = "http://e.org/"
A, B, C = Class(E + "A"), Class(E + "B"), Class(E + "C")
AXIOMS = {SubClassOf(A, ObjectSomeValuesFrom(ObjectProperty(E + "r"), B)), DisjointClasses((A, B, C))}

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
TURTLE = f"""
@prefix owl: <{OWL}> . @prefix rdfs: <{RDFS}> . @prefix : <{E}> .
:o a owl:Ontology . :A a owl:Class . :B a owl:Class ; rdfs:label "bee"@en , "Biene"@de . :C a owl:Class .
:r a owl:ObjectProperty . :A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B ] .
[] a owl:AllDisjointClasses ; owl:members ( :A :B :C ) .
"""
TRIPLES = [
    (f"<{E}o>", f"<{RDF}type>", f"<{OWL}Ontology>"),
    *((f"<{E}{name}>", f"<{RDF}type>", f"<{OWL}Class>") for name in "ABC"),
    (f"<{E}B>", f"<{RDFS}label>", '"bee"@en'),
    (f"<{E}r>", f"<{RDF}type>", f"<{OWL}ObjectProperty>"),
    (f"<{E}A>", f"<{RDFS}subClassOf>", "_:s"),
    ("_:s", f"<{RDF}type>", f"<{OWL}Restriction>"),
    ("_:s", f"<{OWL}onProperty>", f"<{E}r>"),
    ("_:s", f"<{OWL}someValuesFrom>", f"<{E}B>"),
    ("_:d", f"<{RDF}type>", f"<{OWL}AllDisjointClasses>"),
    ("_:d", f"<{OWL}members>", "_:l1"),
    *(
        triple
        for place, name in enumerate("ABC", 1)
        for triple in [
            (f"_:l{place}", f"<{RDF}first>", f"<{E}{name}>"),
            (f"_:l{place}", f"<{RDF}rest>", f"_:l{place + 1}" if place < 3 else f"<{RDF}nil>"),
        ]
    ),
]
ONE: dict[str, str] = {
    "functional": f"""Prefix(:=<{E}>) Prefix(rdfs:=<{RDFS}>) Ontology(:o
        Declaration(Class(:A)) Declaration(Class(:B)) Declaration(Class(:C)) Declaration(ObjectProperty(:r))
        AnnotationAssertion(rdfs:label :B "bee"@en)
        SubClassOf(:A ObjectSomeValuesFrom(:r :B)) DisjointClasses(:A :B :C))""",
    "owlxml": f"""<?xml version="1.0"?><Ontology xmlns="{OWL}" xml:base="{E}" ontologyIRI="{E}o">
        <Declaration><Class IRI="A"/></Declaration><Declaration><Class IRI="B"/></Declaration>
        <Declaration><Class IRI="C"/></Declaration><Declaration><ObjectProperty IRI="r"/></Declaration>
        <SubClassOf><Class IRI="A"/><ObjectSomeValuesFrom><ObjectProperty IRI="r"/><Class IRI="B"/>
        </ObjectSomeValuesFrom></SubClassOf>
        <DisjointClasses><Class IRI="A"/><Class IRI="B"/><Class IRI="C"/></DisjointClasses>
        <AnnotationAssertion><AnnotationProperty IRI="{RDFS}label"/><IRI>{E}B</IRI><Literal xml:lang="en">bee</Literal>
        </AnnotationAssertion></Ontology>""",
    "rdfxml": f"""<?xml version="1.0"?>
        <!DOCTYPE rdf:RDF [ <!ENTITY owl "{OWL}"> ]>
        <rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="&owl;" xml:base="{E}">
        <owl:Ontology rdf:about="{E}o"/>
        <owl:ObjectProperty rdf:about="{E}r"/>
        <owl:Class rdf:about="{E}A"><rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="{E}r"/>
        <owl:someValuesFrom rdf:resource="{E}B"/></owl:Restriction></rdfs:subClassOf></owl:Class>
        <owl:Class rdf:about="{E}B"><rdfs:label xml:lang="en">bee</rdfs:label></owl:Class>
        <owl:Class rdf:about="{E}C"/>
        <owl:AllDisjointClasses><owl:members rdf:parseType="Collection"><rdf:Description rdf:about="{E}A"/>
        <rdf:Description rdf:about="{E}B"/><rdf:Description rdf:about="{E}C"/></owl:members></owl:AllDisjointClasses>
        </rdf:RDF>""",
    "turtle": TURTLE,
    "ntriples": "".join(f"{' '.join(triple)} .\n" for triple in TRIPLES),
    "manchester": f"""Prefix: : <{E}>
        Prefix: rdfs: <{RDFS}>
        Ontology: <{E}o>
        ObjectProperty: :r
        Class: :A
            SubClassOf: :r some :B
        Class: :B
            Annotations: rdfs:label "bee"@en
        Class: :C
        DisjointClasses: :A, :B, :C""",
}
TOLD_APART = {"obo"}
"""Syntaxes that cannot say all of it, or not under these names; each has a test of its own."""


@pytest.mark.parametrize("syntax", ONE)
def test_the_same_ontology_in_every_syntax(tmp_path: Path, syntax: str) -> None:
    path = tmp_path / "same.owl"
    path.write_text(ONE[syntax])
    ontology = load(path)
    assert set(ontology.axioms) == AXIOMS
    assert set(ontology.profile.el_axioms) == AXIOMS
    assert ontology.iri == E + "o"
    assert ontology.classes == (A.iri, B.iri, C.iri)
    assert ontology.object_properties == (E + "r",)
    assert {A, B, C, ObjectProperty(E + "r")} <= set(ontology.declarations)
    assert ontology.labels == {B.iri: "bee"}


def test_every_syntax_has_a_reader_and_a_sample() -> None:
    assert {*ONE, *TOLD_APART} == {syntax.name for syntax in SYNTAXES}


def test_obo(tmp_path: Path) -> None:
    path = tmp_path / "o"
    path.write_text("format-version: 1.2\nontology: x\n\n[Term]\nid: X:1\nname: one\nis_a: X:2\n\n[Term]\nid: X:2\n")
    ontology = load(path)
    obo = "http://purl.obolibrary.org/obo/X_"
    assert SubClassOf(Class(obo + "1"), Class(obo + "2")) in ontology.axioms
    assert ontology.labels[obo + "1"] == "one"


def test_an_axiom_counts_once_and_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(f"Ontology(SubClassOf(<{E}B> <{E}C>) SubClassOf(<{E}A> <{E}B>) SubClassOf(<{E}B> <{E}C>))")
    assert load(path).axioms == (SubClassOf(B, C), SubClassOf(A, B))


def test_what_is_outside_el_is_returned(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(
        f"Ontology(SubClassOf(<{E}A> <{E}B>) SubClassOf(<{E}A> ObjectComplementOf(ObjectComplementOf(<{E}C>))))"
    )
    ontology = load(path)
    assert len(ontology.axioms) == 2
    assert [outside.axiom for outside in ontology.profile.outside] == [ontology.axioms[1]]
    assert ontology.profile.outside[0].reason


def test_anonymous_individuals_of_two_documents_stay_apart() -> None:
    own = ClassAssertion(A, AnonymousIndividual("x"))
    clash = AnonymousIndividual("x.1")
    other = ClassAssertion(
        ObjectSomeValuesFrom(ObjectProperty("r"), ObjectOneOf((AnonymousIndividual("x"), clash))), clash
    )
    merged = merge_documents([Document(axioms=(own,)), Document(axioms=(own, other, SubClassOf(A, B)))])
    assert merged.axioms[0] == own
    fresh = merged.axioms[1]
    assert isinstance(fresh, ClassAssertion)
    assert fresh.individual not in (AnonymousIndividual("x"), clash)
    nominal = ObjectOneOf((fresh.individual, clash))
    assert merged.axioms[2] == ClassAssertion(ObjectSomeValuesFrom(ObjectProperty("r"), nominal), clash)
    assert merged.axioms[3] == SubClassOf(A, B)


def test_the_order_does_not_depend_on_the_run(tmp_path: Path) -> None:
    for syntax, text in ONE.items():
        (tmp_path / syntax).write_text(text)
    code = f"""
import moose, pathlib
for path in sorted(pathlib.Path({str(tmp_path)!r}).iterdir()):
    o = moose.load(path)
    print(path.name, o.axioms, o.declarations, o.labels, o.classes)
"""
    seen = set()
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        seen.add(run.stdout)
    assert len(seen) == 1
    assert seen.pop().count("SubClassOf") == len(ONE)


def test_the_bundled_ontology_is_in_el() -> None:
    ontology = moose.load(moose.PIZZERIA)
    assert ontology.profile.outside == ()
    assert len(ontology.classes) == 37
    assert ontology.labels["https://example.org/pizzeria#Chilli"] == "chilli pepper"
    assert ontology.annotation_assertion_count == 2


def test_a_path_may_be_a_string(tmp_path: Path) -> None:
    assert load(str(moose.PIZZERIA)).axioms == load(moose.PIZZERIA).axioms


def test_an_ontology_can_be_sent_to_another_process() -> None:
    ontology = moose.load(moose.PIZZERIA)
    assert pickle.loads(pickle.dumps(ontology)).axioms == ontology.axioms


def test_the_normal_form_is_made_when_first_asked_for_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*arguments: object, **options: object) -> object:
        made.append(arguments)
        return normalise(*arguments, **options)  # type: ignore[arg-type]  # handed on as they came

    monkeypatch.setattr("moose.owl.normal.normalise.normalise", counted)
    ontology = load(moose.PIZZERIA)
    assert made == []
    moose.classify(ontology)
    moose.realise(ontology)
    assert len(made) == 1
    assert ontology.normal_form is ontology.normal_form


def test_an_expression_too_deep_to_number_is_refused_in_one_sentence() -> None:
    deep: ClassExpression = B
    for _ in range(5_000):
        deep = ObjectSomeValuesFrom(ObjectProperty(E + "r"), deep)
    axioms = (SubClassOf(A, deep),)
    with pytest.raises(MooseError, match="the ontology: expected class expressions nested at most"):
        _ = Ontology(axioms, Profile(axioms)).normal_form
