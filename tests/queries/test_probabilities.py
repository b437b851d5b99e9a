"""Probabilities are read exactly, from every syntax and every place, and what is wrong is said with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError, MooseWarning, UnknownName
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import DISPONTE_IRI, NEWER_DISPONTE_IRI, PROBABILITY_IRI, PROBABILITY_IRIS
from moose.owl.syntax.functional.write_functional import write_functional
from moose.queries.probabilities.matching import spelt, structure
from moose.queries.probabilities.probabilities import Probabilities, probabilities_of, read_probabilities
from tests.owl.manchester_writer import write_axioms
from tests.owl.owlxml_writer import write_owlxml
from tests.owl.rdf_writer import write_ntriples
from tests.owl.test_syntaxes import READERS
from tests.queries.annotated import ALL_STATED, OBO_STATED, SYNTAXES
from tests.saturation.random_ontologies import ontologies
from tests.searching import examples

E = "http://e.org/"
A, B, C = (owl.Class(E + name) for name in "ABC")
R = owl.ObjectProperty(E + "r")
PLAIN = """
Prefix(:=<http://e.org/>)
Ontology(<http://e.org/o>
  SubClassOf(:A :B)
  SubClassOf(:B ObjectIntersectionOf(:C ObjectSomeValuesFrom(:r :D)))
  EquivalentClasses(:D ObjectSomeValuesFrom(:r :A))
  DisjointClasses(:A :B :E)
  ClassAssertion(:A :a)
)"""


@pytest.fixture
def ontology(tmp_path: Path) -> moose.Ontology:
    return load(tmp_path, PLAIN)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("probabilities")


def load(folder: Path, text: str, name: str = "o.ofn") -> moose.Ontology:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return moose.load(path)


def functional(*axioms: str) -> str:
    prefixes = {"": E, "d": DISPONTE_IRI.partition("#")[0] + "#", "moose": "urn:moose:"}
    head = "".join(f"Prefix({name}:=<{iri}>)" for name, iri in prefixes.items())
    return f"{head} Ontology(<http://e.org/o> {' '.join(axioms)})"


def note(text: str, iri: str = PROBABILITY_IRI) -> ax.Annotation:
    return ax.Annotation(iri, owl.Literal(text))


def complaint(of: moose.Ontology, *, beside: Path | None = None, given: Mapping[str, str] | None = None) -> str:
    with pytest.raises(MooseError) as error:
        moose.probabilities(of, beside, given)  # type: ignore[arg-type]  # a mapping is invariant in its key
    return str(error.value)


# ── Annotations ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", SYNTAXES)
def test_annotations_are_read_in_every_syntax(tmp_path: Path, name: str) -> None:
    ontology = load(tmp_path, SYNTAXES[name], name)
    names = moose.Names(ontology)
    found = moose.probabilities(ontology)
    stated = {spelt(ontology.axioms[place], names.display): value for place, value in found.uncertain.items()}
    assert stated == OBO_STATED if name == "o.obo" else stated == ALL_STATED
    assert len(ontology.axioms) == len(stated)


Writer = Callable[[Document], bytes]
KEEPING: dict[str, Writer] = {
    "functional": lambda document: write_functional(document).encode(),
    "owlxml": write_owlxml,
    "manchester": lambda document: (
        write_axioms(document.axioms) + "".join(map(frame, document.declarations))
    ).encode(),
    "ntriples": write_ntriples,
}


def frame(declaration: ax.Declaration) -> str:
    return f"{type(declaration.entity).__name__.removeprefix('Named')}: <{declaration.entity.iri}>\n"


@pytest.mark.parametrize("syntax", KEEPING)
def test_every_kind_of_axiom_keeps_its_annotation(syntax: str) -> None:
    told = tuple(replace(axiom, annotations=(note("0.25", DISPONTE_IRI),)) for axiom in ASSERTED)
    names: tuple[owl.Entity, ...] = (A, B, C, R, *INDIVIDUALS, owl.AnnotationProperty(DISPONTE_IRI))
    declarations = tuple(ax.Declaration(name) for name in names)
    document = READERS[syntax](KEEPING[syntax](Document(E, axioms=told, declarations=declarations)))
    found = moose.probabilities(moose.ontology(document.axioms))
    assert [found.of(axiom) for axiom in ASSERTED] == [Fraction(1, 4)] * len(ASSERTED)
    assert len(found.uncertain) == len(found.ontology.axioms)


INDIVIDUALS = tuple(owl.NamedIndividual(E + name) for name in "abc")
ASSERTED: tuple[ax.Axiom, ...] = (
    ax.SubClassOf(owl.ObjectIntersectionOf((A, B)), C),
    ax.EquivalentClasses((A, owl.ObjectSomeValuesFrom(R, B))),
    ax.DisjointClasses((A, B, C)),
    ax.SubObjectPropertyOf((R, R), R),
    ax.ObjectPropertyRange(R, A),
    ax.ObjectPropertyCharacteristic("Transitive", R),
    ax.ClassAssertion(owl.ObjectSomeValuesFrom(R, A), INDIVIDUALS[0]),
    ax.ObjectPropertyAssertion(R, INDIVIDUALS[0], INDIVIDUALS[1]),
    ax.ObjectPropertyAssertion(R, INDIVIDUALS[0], INDIVIDUALS[2], negative=True),
    ax.DifferentIndividuals(INDIVIDUALS),
)


TRILL = f"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [<!ENTITY disponte "{DISPONTE_IRI.partition("#")[0]}#">
  <!ENTITY rdfs "http://www.w3.org/2000/01/rdf-schema#"> <!ENTITY xsd "http://www.w3.org/2001/XMLSchema#">]>
<rdf:RDF xml:base="{E}o" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:disponte="&disponte;"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
<owl:Ontology rdf:about="{E}o"/>
<owl:AnnotationProperty rdf:about="&disponte;probability"/>
<owl:Class rdf:about="{E}Heron"><rdfs:subClassOf rdf:resource="{E}Wader"/></owl:Class>
<owl:Axiom>
  <disponte:probability rdf:datatype="&xsd;decimal">0.6</disponte:probability>
  <owl:annotatedSource rdf:resource="{E}Heron"/>
  <owl:annotatedTarget rdf:resource="{E}Wader"/>
  <owl:annotatedProperty rdf:resource="&rdfs;subClassOf"/>
</owl:Axiom>
</rdf:RDF>"""


def test_annotations_as_trill_and_bundle_write_them(tmp_path: Path) -> None:
    assert moose.probabilities(load(tmp_path, TRILL, "o.owl")).uncertain == {0: Fraction(3, 5)}


def test_the_datatype_of_the_literal_makes_no_difference(tmp_path: Path) -> None:
    kinds = ("decimal", "double", "string")
    axioms = [f'SubClassOf(Annotation(d:probability "0.1"^^xsd:{kind}) :A{kind} :B)' for kind in kinds]
    text = functional(*axioms).replace(" Ontology", "Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>) Ontology")
    assert set(moose.probabilities(load(tmp_path, text)).uncertain.values()) == {Fraction(1, 10)}


def test_without_annotations_everything_is_certain(ontology: moose.Ontology) -> None:
    found = moose.probabilities(ontology)
    assert (found.uncertain, found.absent, found.unused) == ({}, frozenset(), ())
    assert {found[place] for place in range(len(ontology.axioms))} == {1}
    with pytest.raises(IndexError):
        found[-1]


@pytest.mark.parametrize(
    ("axiom", "said"),
    [
        ('SubClassOf(Annotation(moose:probability "2") :A :B)', "SubClassOf(A B): expected a probability from 0 to 1"),
        ('SubClassOf(Annotation(moose:probability "30%") :A :B)', "30% as 0.3"),
        ("SubClassOf(Annotation(moose:probability :x) :A :B)", "SubClassOf(A B): expected a probability as a literal"),
        (
            'SubClassOf(Annotation(moose:probability "0.3") Annotation(d:probability "0.4") :A :B)',
            "SubClassOf(A B): expected one probability of SubClassOf(A B), but got 2/5, and 3/10 by its annotation",
        ),
        (
            'SubClassOf(Annotation(Annotation(moose:probability "0.3") :note "x") :A :B)',
            "expected a probability on the axiom, but one stands on its annotation",
        ),
        ('Declaration(Annotation(moose:probability "0.3") Class(:A))', "Declaration(Annotation("),
        ('AnnotationAssertion(moose:probability :A "0.3")', "on logical axioms only"),
        ('AnnotationAssertion(Annotation(d:probability "0.3") :note :A "x")', "on logical axioms only"),
        ('Annotation(moose:probability "0.3")', "on logical axioms only"),
        ('DatatypeDefinition(Annotation(moose:probability "0.3") :D DataOneOf("x"))', "leave it certain"),
    ],
)
def test_a_wrong_annotation_is_said_with_its_axiom(tmp_path: Path, axiom: str, said: str) -> None:
    assert said in complaint(load(tmp_path, functional(axiom, "SubClassOf(:A :C)")))


def test_two_annotations_that_agree_are_one(tmp_path: Path) -> None:
    axiom = 'SubClassOf(Annotation(moose:probability "0.5") Annotation(d:probability "1/2") :A :B)'
    assert moose.probabilities(load(tmp_path, functional(axiom))).uncertain == {0: Fraction(1, 2)}


def test_an_axiom_that_stands_twice_is_one_variable(tmp_path: Path) -> None:
    told = functional(
        "SubClassOf(:A :B)",
        'SubClassOf(Annotation(moose:probability "0.5") :A :B)',
        'SubClassOf(Annotation(:note "x") :A :B)',
        "EquivalentClasses(:A :C)",
        'EquivalentClasses(Annotation(moose:probability "0.2") :C :A)',
    )
    found = moose.probabilities(load(tmp_path, told))
    assert [found[place] for place in range(5)] == [Fraction(1, 2), 0, 0, Fraction(1, 5), 0]
    assert found.copies == found.absent == {1, 2, 4}
    assert found.values == {0: Fraction(1, 2), 3: Fraction(1, 5), 1: 0, 2: 0, 4: 0}
    assert found.of(ax.EquivalentClasses((C, A))) == Fraction(1, 5)


def test_what_is_left_out_of_reasoning_is_reported(tmp_path: Path) -> None:
    told = functional(
        'SubClassOf(Annotation(moose:probability "0.5") :A ObjectAllValuesFrom(:r :C))',
        'SubClassOf(Annotation(moose:probability "0.5") ObjectUnionOf(:B :C) :A)',
        'SubClassOf(Annotation(moose:probability "0.5") :A :B)',
    )
    found = moose.probabilities(load(tmp_path, told))
    assert (len(found.uncertain), found.unused) == (3, (0,))


def test_a_probability_of_a_statement_that_rdf_does_not_make_is_reported(tmp_path: Path) -> None:
    text = SYNTAXES["o.ttl"].replace("rdfs:subClassOf :B .", "rdfs:comment 'no superclass' .")
    found = moose.probabilities(load(tmp_path, text, "o.ttl"))
    (place,) = found.unused
    assert found[place] == Fraction(3, 10)
    assert "annotates a statement that the document does not make" in found.ontology.profile.outside[0].reason


# ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TSV = """axiom\tprobability
# what an expert said
SubClassOf(A B)\t0.3

DisjointClasses(E A B)\t1/3
SubClassOf(<http://e.org/B> ObjectIntersectionOf(ObjectSomeValuesFrom(r D) :C))\t1e-3
ClassAssertion(Annotation(rdfs:comment "x") A a)\t0
"""
STATED = {0: Fraction(3, 10), 1: Fraction(1, 1000), 3: Fraction(1, 3), 4: Fraction(0)}
LIST: list[dict[str, str | float]] = [
    {"axiom": "SubClassOf(A B)", "probability": 0.3},
    {"axiom": "DisjointClasses(E B A)", "probability": "1/3"},
    {"probability": "1e-3", "axiom": "SubClassOf(B ObjectIntersectionOf(C ObjectSomeValuesFrom(r D)))"},
    {"axiom": "ClassAssertion(A a)", "probability": 0},
]


@pytest.mark.parametrize("before", ["", "# what comes first\n\n # and then\n"])
def test_a_tsv_file(ontology: moose.Ontology, tmp_path: Path, before: str) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("\ufeff" + before + TSV, encoding="utf-8")
    found = read_probabilities(path, ontology)
    assert found.stated == STATED
    assert found.absent == {4}
    assert list(found.stated) == sorted(STATED)


@pytest.mark.parametrize("value", [LIST, {str(row["axiom"]): row["probability"] for row in LIST}])
def test_a_json_file(ontology: moose.Ontology, tmp_path: Path, value: object) -> None:
    path = tmp_path / "p.json"
    for indent in (None, 2):
        path.write_text(json.dumps(value, indent=indent), encoding="utf-8")
        assert read_probabilities(path, ontology).stated == STATED


def test_keys_may_have_short_names(tmp_path: Path) -> None:
    ontology = load(tmp_path, functional("HasKey(:A (:r) (:s))", "HasKey(ObjectSomeValuesFrom(:r :A) () (:s :t))"))
    path = tmp_path / "p.tsv"
    path.write_text("HasKey(A (r) (s))\t0.5\nHasKey(ObjectSomeValuesFrom(r A) () (t s))\t.25\r\n", encoding="utf-8")
    assert read_probabilities(path, ontology).stated == {0: Fraction(1, 2), 1: Fraction(1, 4)}


def test_numbers_in_json_are_not_rounded(ontology: moose.Ontology, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"SubClassOf(A B)": 0.10000000000000000000000001}', encoding="utf-8")
    assert read_probabilities(path, ontology)[0] == Fraction("0.10000000000000000000000001")


@pytest.mark.parametrize("text", ["", "\n# nothing\n", "[]", "{}", " [ ] "])
def test_a_file_may_say_nothing(ontology: moose.Ontology, tmp_path: Path, text: str) -> None:
    path = tmp_path / "p"
    path.write_text(text, encoding="utf-8")
    assert read_probabilities(path, ontology).stated == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# first\nSubClassOf(A B) 0.3\n", "p:2: expected an axiom, a TAB and a probability"),
        ("\t0.3\n", "p:1: expected an axiom, a TAB"),
        ("SubClassOf(A B)\t1.3\n", "p:1: expected a probability from 0 to 1, but got '1.3'"),
        ("SubClassOf(A B)\t30%\n", "p:1: expected a probability from 0 to 1 such as 0.3"),
        ("SubClassOf(A B)\t\n", "p:1: expected a probability"),
        ("SubClassOf(A X)\t0.3\n", "p:1: expected the name of a class, but the ontology has no 'X'"),
        ("SubClassOf(A\t0.3\n", "p:1:"),
        ("Declaration(Class(A))\t0.3\n", "p:1: expected an axiom such as SubClassOf(A B)"),
        ("A\t0.3\n", "p:1: expected an axiom such as SubClassOf(A B)"),
        ("\nSubClassOf(B A)\t0.3\n", "p:2: expected an axiom of the ontology, but it does not have SubClassOf(B A)"),
        ("SubClassOf(B A)\t0.3\n", "did you mean SubClassOf(A B)"),
        ("SubClassOf(A B)\t0.3\nSubClassOf(:A :B)\t0.4\n", "p:2: expected one probability of SubClassOf(A B)"),
        ("SubClassOf(A B)\t0.3\nSubClassOf(:A :B)\t0.4\n", "but got 2/5, and 3/10 by "),
        ("SubClassOf(A B)\t0.3\tvery\n", "p:1: expected a probability from 0 to 1 such as 0.3 or 1/3, but got 'very'"),
        ('[\n {"axiom": "SubClassOf(A B)"}]', "p:2: expected the keys 'axiom' and 'probability'"),
        ('[\n\n "SubClassOf(A B)"]', "p:3: expected a list of"),
        ("[null]", "but got null"),
        ("[[1]]", "but got a list"),
        ('[{"axiom": "SubClassOf(A B)", "probability": true}]', "p:1: expected text or a number as the probability"),
        ('[{"axiom": "SubClassOf(A B)", "probability": 0.3, "by": "me"}]', "but got 'axiom', 'probability', 'by'"),
        ('[{"axiom": "SubClassOf(A B)", "probability": 0.3, "probability": 0.4}]', "once each"),
        ('{"SubClassOf(A B)": {}}', "as the probability, but got an object"),
        ('{"SubClassOf(A B)": 0.3,\n"SubClassOf(A B)": 0.4}', "p:2: expected one probability"),
        ('{"SubClassOf(A B)": NaN}', "p:1: expected a probability"),
        ('{"SubClassOf(A B)": -1}', "p:1: expected a probability"),
        ("[\n{", "p:2: expected a list of"),
        ("{} x", "broken"),
    ],
)
def test_a_wrong_line_is_said_with_its_number(ontology: moose.Ontology, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "p"
    path.write_text(text, encoding="utf-8")
    found = complaint(ontology, beside=path)
    assert said in found
    assert found.startswith(str(path))
    assert "\n" not in found


def test_a_file_that_cannot_be_read(ontology: moose.Ontology, tmp_path: Path) -> None:
    assert "there is no such file" in complaint(ontology, beside=tmp_path / "none.tsv")
    assert "cannot be read" in complaint(ontology, beside=tmp_path)
    (tmp_path / "p").write_bytes(b"\xff\xfe\x00")
    assert "in UTF-8" in complaint(ontology, beside=tmp_path / "p")


# ── Together ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_sources_are_merged_and_must_agree(tmp_path: Path) -> None:
    told = functional('SubClassOf(Annotation(d:probability "0.5") :A :B)', "SubClassOf(:B :C)", "SubClassOf(:A :C)")
    ontology = load(tmp_path, told)
    path = tmp_path / "p.tsv"
    path.write_text("SubClassOf(A B)\t1/2\nSubClassOf(B C)\t0.25\n", encoding="utf-8")
    found = moose.probabilities(ontology, path, {"SubClassOf(B C)": 0.25, ax.SubClassOf(A, C): Fraction(1, 7)})
    assert found.stated == {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 7)}
    assert "but got 2/5, and 1/2 by its annotation" in complaint(ontology, given={"SubClassOf(A B)": "0.4"})
    assert f"and 1/4 by {path}:2" in complaint(ontology, beside=path, given={"SubClassOf(B C)": "0.4"})
    assert read_probabilities(path, ontology).stated == {0: Fraction(1, 2), 1: Fraction(1, 4)}


def test_what_is_given_in_python_is_checked(ontology: moose.Ontology) -> None:
    assert "the probability given for SubClassOf(A B): expected" in complaint(ontology, given={"SubClassOf(A B)": "x"})
    with pytest.raises(UnknownName, match="the probability given for SubClassOf"):
        probabilities_of(ontology, given={"SubClassOf(A X)": 1})
    with pytest.raises(MooseError, match="expected a logical axiom, but got one of type Declaration"):
        probabilities_of(ontology, given={ax.Declaration(A): 1})  # type: ignore[dict-item]  # the point
    with pytest.raises(MooseError, match="positions of the 5 axioms"):
        Probabilities(ontology, {5: Fraction(1)})
    with pytest.raises(MooseError, match="from 0 to 1 for axiom 0"):
        Probabilities(ontology, {0: Fraction(2)})
    with pytest.raises(MooseError, match="does not have"):
        probabilities_of(ontology).of(ax.SubClassOf(B, A))
    for wrong in (3, "SubClassOf(A B)", None):
        with pytest.raises(
            MooseError, match=r"such as ontology.axioms\[0\], but got .*; at a position, .*\[position\]"
        ):
            probabilities_of(ontology).of(wrong)  # type: ignore[arg-type]  # what is refused


@examples(60)
@given(ontologies(), st.randoms(use_true_random=False))
def test_what_is_written_is_read_back(folder: Path, told: list[ax.Axiom], random: Random) -> None:
    ontology = moose.ontology(told)
    chosen = {structure(axiom): Fraction(random.randint(0, 9), 9) for axiom in told}
    found = probabilities_of(ontology, given={axiom: chosen[structure(axiom)] for axiom in told})
    assert [found.of(axiom) for axiom in told] == [chosen[structure(axiom)] for axiom in told]
    path = folder / "p.json"
    path.write_text(found.to_json(), encoding="utf-8")
    assert read_probabilities(path, ontology).stated == found.stated


def test_the_annotations_that_are_read_are_known() -> None:
    assert {DISPONTE_IRI, NEWER_DISPONTE_IRI, PROBABILITY_IRI} == PROBABILITY_IRIS


def test_an_annotation_in_our_namespace_that_is_not_known_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "birds.ofn"
    path.write_text(
        'Prefix(:=<urn:b#>) Prefix(moose:=<urn:moose:>) Ontology(SubClassOf(Annotation(moose:prob "0.9") :A :B) '
        'SubClassOf(Annotation(moose:prob "0.9") :A :C) SubClassOf(Annotation(moose:probability "0.5") :C :D))',
        "utf-8",
    )
    with pytest.warns(
        MooseWarning, match=r"SubClassOf\(A B\).* got urn:moose:prob,.*did you mean moose:probability"
    ) as told:
        found = probabilities_of(moose.load(path))
    assert len(told) == 1
    assert [*found.uncertain.values()] == [Fraction(1, 2)]
