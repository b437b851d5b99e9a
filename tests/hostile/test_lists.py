"""Long lists, chains and numbers take memory and time in proportion, or are refused in one line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.confined import moose

COUNT = 10_000
HEADER = "Prefix(:=<http://a/>)\nPrefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)\nOntology(<http://a/o>\n"


def names(prefix: str, count: int = COUNT) -> str:
    return " ".join(f":{prefix}{number}" for number in range(count))


def each(make: Callable[[int], str], count: int = COUNT) -> str:
    return " ".join(map(make, range(count)))


# Axioms in functional syntax, classified with bounds on memory and processor time.
LISTS = {
    "DisjointObjectProperties": f"DisjointObjectProperties({names('r')})",
    "DisjointDataProperties": f"DisjointDataProperties({names('d')})",
    "EquivalentObjectProperties": f"EquivalentObjectProperties({names('r')})",
    "EquivalentDataProperties": f"EquivalentDataProperties({names('d')})",
    "inverses": f"EquivalentObjectProperties({each(lambda i: f'ObjectInverseOf(:r{i})')})",
    "HasKey": f"HasKey(:C ({names('r')}) ({names('d')}))",
    "a chain": f"SubObjectPropertyOf(ObjectPropertyChain({names('r')}) :s)",
    "a chain of one": f"SubObjectPropertyOf(ObjectPropertyChain({' '.join([':r'] * COUNT)}) :s)",
    "a ladder of properties": each(lambda i: f"SubObjectPropertyOf(:r{i} :r{i + 1})"),
    "DisjointClasses": f"DisjointClasses({names('A')})",
    "DisjointClasses, each twice": f"DisjointClasses({names('A')} {names('A')})",
    "DisjointClasses of unions": f"DisjointClasses({each(lambda i: f'ObjectUnionOf(:A{i} :B{i})')})",
    "DisjointClasses of all": f"DisjointClasses({each(lambda i: f'ObjectAllValuesFrom(:r :B{i})')})",
    "EquivalentClasses of unions": f"EquivalentClasses({each(lambda i: f'ObjectUnionOf(:A{i} :B{i})')})",
    "EquivalentClasses": f"EquivalentClasses({names('A', 12_000)})",
    "DisjointUnion": f"DisjointUnion(:C {names('A')})",
    "SameIndividual": f"SameIndividual({names('a', 12_000)})",
    "DifferentIndividuals": f"DifferentIndividuals({names('a')})",
    "a union on the left": f"SubClassOf(ObjectUnionOf({names('A')}) :C)",
    "a union of annotated axioms": (
        f"SubClassOf({each(lambda i: f'Annotation(:p{i} :x)', 2_000)} ObjectUnionOf({names('A', 2_000)}) :C)"
    ),
    "unions that multiply": f"SubClassOf(ObjectIntersectionOf({each(lambda i: f'ObjectUnionOf(:A{i} :B{i})')}) :C)",
    "two unions that multiply": (
        f"SubClassOf(ObjectIntersectionOf(ObjectUnionOf({names('A')}) ObjectUnionOf({names('B')})) :C)"
    ),
    "one of many": f"SubClassOf(ObjectOneOf({names('a')}) :C) SubClassOf(:C ObjectOneOf({names('a')}))",
    "digits": f'DataPropertyAssertion(:d :a "{"7" * 2_000_000}"^^xsd:integer)',
    "decimals": f'DataPropertyAssertion(:d :a "0.{"7" * 2_000_000}"^^xsd:decimal)',
    "a late year": f'DataPropertyAssertion(:d :a "{"7" * 2_000_000}-01-01T00:00:00Z"^^xsd:dateTime)',
    "an exponent": f'DataPropertyAssertion(:d :a "1e{"0" * 5_000}1"^^xsd:float)',
    "an IRI": f"SubClassOf(<http://a/{'x' * 2_000_000}> :B)",
}
REFUSED = {"a chain", "EquivalentClasses", "SameIndividual", "digits", "decimals", "a late year"}


@pytest.mark.parametrize("case", LISTS)
def test_a_long_axiom(tmp_path: Path, case: str) -> None:
    file = tmp_path / "o.ofn"
    file.write_text(f"{HEADER}{LISTS[case]}\n)", encoding="utf-8")
    done = moose("classify", file, "-o", tmp_path / "out.tsv")
    done.assert_clean(2 if case in REFUSED else 0)
    if case in REFUSED:
        assert done.err.count("\n") == 1 and "expected" in done.err and "too little memory" not in done.err


@pytest.mark.parametrize("case", ["EquivalentClasses", "DisjointObjectProperties", "HasKey", "DisjointClasses"])
@pytest.mark.parametrize("command", ["check", "realise", "explain", "query"])
def test_other_questions_about_a_long_axiom(tmp_path: Path, case: str, command: str) -> None:
    file = tmp_path / "o.ofn"
    text = f"{HEADER}{LISTS[case]} SubClassOf(:X :Y) ClassAssertion(:X :x)\n)"
    file.write_text(text, encoding="utf-8")
    goal = ["SubClassOf(X Y)"] if command in ("explain", "query") else []
    moose(command, file, *goal).assert_clean(0)


PREFIXES = (
    "@prefix : <http://a/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
    "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . "
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
)
ANNOTATED = (
    ":A rdfs:subClassOf :B . [ a owl:Axiom ; owl:annotatedSource :A ; "
    "owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :B ; "
)
ROOT = '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://a/o">'

# Prefix, pump, suffix of documents in the other syntaxes.
DOCUMENTS = {
    "commas.omn": ("Prefix: : <http://a/>\nOntology:\nClass: A SubClassOf: B", ", B{}", ""),
    "or.omn": ("Prefix: : <http://a/>\nOntology:\nClass: A SubClassOf: B", " or B{}", ""),
    "one-of.omn": ("Prefix: : <http://a/>\nOntology:\nClass: A SubClassOf: {{b", ", b{}", "}}"),
    "disjoint.omn": ("Prefix: : <http://a/>\nOntology:\nDisjointClasses: B", ", B{}", ""),
    "annotations.omn": (
        "Prefix: : <http://a/>\nOntology:\nAnnotationProperty: p\nClass: A SubClassOf: Annotations: p 1",
        ", p {}",
        " B",
    ),
    "parents.obo": ("format-version: 1.4\n\n[Term]\nid: X:1\n", "is_a: X:2{}\n", ""),
    "definition.obo": ("format-version: 1.4\n\n[Term]\nid: X:1\n", "intersection_of: X:2{}\n", ""),
    "qualifiers.obo": ('format-version: 1.4\n\n[Term]\nid: X:1\nis_a: X:2 {{a="b"', ', a="{}"', "}}"),
    "list.ttl": (
        PREFIXES + ":A a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:unionOf ( ",
        ":B{} ",
        ") ] .",
    ),
    "annotations.ttl": (
        PREFIXES + ANNOTATED + "rdfs:comment 1",
        ', "{}"',
        " ] .",
    ),
    "text.owx": (
        ROOT + '<AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/><IRI>#A</IRI><Literal>',
        "&lt;{}",
        "</Literal></AnnotationAssertion></Ontology>",
    ),
    "prefixes.ofn": ("", "Prefix(p{0}:=<http://a/{0}/>)\n", "Ontology(SubClassOf(p1:A p2:A) SubClassOf(p3:A p4:A))"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_long_document(tmp_path: Path, name: str) -> None:
    before, pump, after = DOCUMENTS[name]
    text = before.format() + "".join(pump.format(number) for number in range(100_000)) + after.format()
    (tmp_path / name).write_text(text, encoding="utf-8")
    moose("check", tmp_path / name).assert_clean(0)


CYCLES = {
    "a list that is its own rest": (
        "rdfs:subClassOf [ a owl:Class ; owl:unionOf _:l ] . _:l rdf:first :B ; rdf:rest _:l ."
    ),
    "a list in a circle": (
        "rdfs:subClassOf [ a owl:Class ; owl:unionOf _:l ] . "
        "_:l rdf:first :B ; rdf:rest _:m . _:m rdf:first :C ; rdf:rest _:l ."
    ),
    "expressions in a circle": (
        "rdfs:subClassOf _:x . _:x a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom _:y . "
        "_:y a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom _:x ."
    ),
    "nodes shared sixty times over": "rdfs:subClassOf _:x0 . _:x60 a owl:Class . "
    + " ".join(f"_:x{i} a owl:Class ; owl:intersectionOf ( _:x{i + 1} _:x{i + 1} ) ." for i in range(60)),
    "deep nodes": "rdfs:subClassOf " + "[ rdfs:subClassOf " * 10_000 + ":B" + " ]" * 10_000 + " .",
    "deep lists": "rdfs:subClassOf " + "(" * 10_000 + ")" * 10_000 + " .",
}


@pytest.mark.parametrize("case", CYCLES)
def test_nodes_that_lead_nowhere(tmp_path: Path, case: str) -> None:
    (tmp_path / "o.ttl").write_text(f"{PREFIXES}:r a owl:ObjectProperty . :A {CYCLES[case]}", encoding="utf-8")
    moose("check", tmp_path / "o.ttl").assert_clean(0, 2)


DEEP = {
    "o.ofn": ("Ontology(SubClassOf(<a:A> ", "ObjectComplementOf(", "<a:B>", ")", "))"),
    "o.omn": ("Prefix: : <a:>\nOntology:\nClass: A SubClassOf: ", "not (", "B", ")", ""),
    "o.owx": (
        '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="a:o"><SubClassOf><Class IRI="a:A"/>',
        "<ObjectComplementOf>",
        '<Class IRI="a:B"/>',
        "</ObjectComplementOf>",
        "</SubClassOf></Ontology>",
    ),
    "o.rdf": (
        '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:o="http://www.w3.org/2002/07/owl#">',
        "<o:Class><o:complementOf>",
        "",
        "</o:complementOf></o:Class>",
        "</r:RDF>",
    ),
}


@pytest.mark.parametrize("name", DEEP)
def test_depth_is_refused_in_a_line(tmp_path: Path, name: str) -> None:
    before, opening, middle, closing, after = DEEP[name]
    (tmp_path / name).write_text(before + opening * 20_000 + middle + closing * 20_000 + after, encoding="utf-8")
    done = moose("check", tmp_path / name)
    done.assert_clean(2)
    assert done.err.count("\n") == 1 and "nested" in done.err


# ── Packed files and devices ──────────────────────────────────────────────────────────────────────────────────────


def test_a_gzip_bomb_is_refused_before_it_unfolds(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.ofn.gz", "wb", compresslevel=9) as stream:
        for _ in range(512):
            stream.write(b" " * (1 << 20))
    done = moose("check", tmp_path / "bomb.ofn.gz", gigabytes=1)
    done.assert_clean(2)
    assert "unpacks to at most 200 times" in done.err


def test_a_text_that_packs_well_is_read(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "o.ofn.gz", "wb", compresslevel=9) as stream:
        stream.write(b"Ontology(" + b" " * (1 << 24) + b")")
    moose("check", tmp_path / "o.ofn.gz", gigabytes=1).assert_clean(0)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
def test_a_device_without_end_is_refused() -> None:
    done = moose("check", "/dev/zero", gigabytes=1)
    done.assert_clean(2)
    assert "byte 0 is zero" in done.err
