"""Hypotheses from ontologies and annotations, cases from files: what is read, and what is said of what cannot be."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import moose
from moose.base.errors import InconsistentOntology, MooseError, UnknownName
from moose.ranking.cases import Observation
from moose.ranking.hypotheses import Hypotheses
from moose.ranking.noise import Noise
from moose.ranking.rank import rank
from moose.ranking.reading.case_files import read_cases
from moose.ranking.reading.from_ontology import hypotheses_of
from moose.ranking.reading.hpoa import (
    Annotation,
    Background,
    Frequencies,
    annotated_diseases,
    frequency_of,
    read_hpoa,
)

WARD = moose.PIZZERIA.with_name("ward.ofn")
HEAD = "Prefix(:=<urn:w#>) Prefix(moose:=<urn:moose:>) Ontology(<urn:w> Declaration(ObjectProperty(:hasFinding)) "


@pytest.fixture(scope="module")
def ward() -> Hypotheses:
    return hypotheses_of(moose.load(WARD))


def ontology(tmp_path: Path, axioms: str) -> moose.Ontology:
    path = tmp_path / "w.ofn"
    path.write_text(f"{HEAD}{axioms})", encoding="utf-8")
    return moose.load(path)


# ── Ontologies ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("finding", ["Fever", "JointFinding", "Pain", "SkinFinding"])
def test_a_finding_is_as_likely_as_the_query_says(ward: Hypotheses, finding: str) -> None:
    goals = [f"SubClassOf({one} ObjectSomeValuesFrom(hasFinding {finding}))" for one in ("MarshFever", "LanternPox")]
    answers = moose.query_all(moose.load(WARD), goals)
    sure = ward.with_noise(Noise(0.0, 0.0))
    found = np.exp(rank(sure, moose.case("a", present=[finding])).posterior.likelihoods.total)
    numbers = [sure.number_of(name) for name in ("MarshFever", "LanternPox")]
    assert found[numbers] == pytest.approx([float(one.probability) for one in answers])


def test_all_ten_cases_that_come_with_the_package_are_explained(ward: Hypotheses) -> None:
    cases = read_cases(WARD.with_name("ward_cases.csv"))
    assert len(cases) == 10
    assert [one.rank_of(one.case.truth) for one in rank(ward, cases)] == [1] * 10


def test_axioms_of_the_family_are_the_background(ward: Hypotheses) -> None:
    number = ward.findings.numbers["https://example.org/ward#Fatigue"]
    assert ward.leak[number] == pytest.approx(0.05)
    assert not any(coin.source.startswith("SubClassOf(Disease ") for coin in ward.coins)


def test_priors_count(ward: Hypotheses) -> None:
    names = ["MarshFever", "CellarCough", "LanternPox", "RiverItch", "MillersKnee", "WeaversHand", "BarleySneeze"]
    priors = dict.fromkeys((*names, "MossRash"), 1.0) | {"BellHead": 92.0}
    found = hypotheses_of(moose.load(WARD), priors=priors)
    assert rank(found, moose.case("nobody")).probability_of("BellHead") == pytest.approx(0.92)


def test_certain_axioms_equivalences_and_properties_below_count(tmp_path: Path) -> None:
    found = hypotheses_of(
        ontology(
            tmp_path,
            "SubObjectPropertyOf(:shows :hasFinding) SubClassOf(:A :Disease) SubClassOf(:B :Disease) "
            "SubClassOf(:Fever :Finding) EquivalentClasses(:A ObjectIntersectionOf(:Disease "
            "ObjectSomeValuesFrom(:shows :Fever) ObjectSomeValuesFrom(:hasFinding :Rash)))",
        ),
        noise=Noise(0.0, 0.0),
    )
    assert rank(found, moose.case("a", present=["Finding", "Rash"])).probability_of("A") == 1.0


def test_equivalent_findings_are_one(tmp_path: Path) -> None:
    found = hypotheses_of(
        ontology(
            tmp_path,
            "SubClassOf(:A :Disease) SubClassOf(:B :Disease) EquivalentClasses(:Fever :Pyrexia) "
            'SubClassOf(Annotation(moose:probability "0.5") :A ObjectSomeValuesFrom(:hasFinding :Fever))',
        )
    )
    once, twice = (rank(found, moose.case("a", present=seen)) for seen in (["Fever"], ["Fever", "Pyrexia"]))
    assert once.probabilities.tolist() == twice.probabilities.tolist()


@pytest.mark.parametrize(
    ("axioms", "message"),
    [
        (
            'SubClassOf(:A :Disease) SubClassOf(Annotation(moose:probability "0.5") :A :B)',
            r"expected uncertain axioms of the form .* but got SubClassOf\(A B\); ask `moose.query`",
        ),
        (
            'SubClassOf(:A :Disease) SubClassOf(Annotation(moose:probability "0.5") :A ObjectIntersectionOf(:F :G))',
            "expected uncertain axioms of the form",
        ),
        ("SubClassOf(:A :Illness) SubClassOf(:Disease :Thing)", "expected classes below Disease to rank"),
        (
            "SubClassOf(:A :Disease) SubClassOf(:F owl:Nothing) SubClassOf(:A ObjectSomeValuesFrom(:hasFinding :F))",
            "nothing can be in that of SubClassOf",
        ),
    ],
)
def test_what_cannot_be_ranked_is_refused(tmp_path: Path, axioms: str, message: str) -> None:
    with pytest.raises(MooseError, match=message):
        hypotheses_of(ontology(tmp_path, axioms))


def test_an_inconsistent_ontology_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InconsistentOntology, match="expected a consistent ontology"):
        hypotheses_of(ontology(tmp_path, "SubClassOf(:A :Disease) ClassAssertion(owl:Nothing :a)"))


def test_unknown_names_get_suggestions(ward: Hypotheses) -> None:
    with pytest.raises(UnknownName, match=r"case a: .* the ontology has no 'Fevr'; did you mean .*Fever"):
        rank(ward, moose.case("a", present=["Fevr"]))
    with pytest.raises(UnknownName, match="an object property"):
        hypotheses_of(moose.load(WARD), role="hasFnding")


# ── Annotations of the HPO ────────────────────────────────────────────────────────────────────────────────────────

OBO = """\
format-version: 1.2
ontology: hp

[Term]
id: HP:0000118
name: Phenotypic abnormality

[Term]
id: HP:0000001
name: Fever
alt_id: HP:0000009
is_a: HP:0000118

[Term]
id: HP:0000002
name: Rash
is_a: HP:0000118
"""


def annotation(
    *, finding: str, frequency: str = "", reference: str = "PMID:1", disease: str = "OMIM:1", no: str = ""
) -> str:
    return f"{disease}\tA disease\t{no}\t{finding}\t{reference}\tPCS\t\t{frequency}\t\t\tP\tx"


def test_annotations_become_coins(tmp_path: Path) -> None:
    (tmp_path / "hp.obo").write_text(OBO, encoding="utf-8")
    rows = [
        "#version: today",
        "database_id\tdisease_name",
        annotation(finding="HP:0000009", frequency="3/4"),
        annotation(finding="HP:0000001", frequency="1/4", reference="PMID:2"),
        annotation(finding="HP:0000002", disease="OMIM:2"),
        annotation(finding="HP:0000002", disease="ORPHA:3"),
        annotation(finding="HP:9999999"),
    ]
    with gzip.open(tmp_path / "x.hpoa.gz", "wt", encoding="utf-8") as stream:
        stream.write("\n".join(rows) + "\n")
    diseases = annotated_diseases(moose.load(tmp_path / "hp.obo"), read_hpoa(tmp_path / "x.hpoa.gz"))
    assert diseases.diseases == ("OMIM:1", "OMIM:2") and diseases.unknown == ("HP:9999999",)
    assert diseases.diseases_of["PMID:2"] == {"OMIM:1"}
    (coin,) = diseases.coins("OMIM:1", Frequencies(0.5, 2.0))
    assert coin.frequency == pytest.approx(5 / 10) and coin.source == "PMID:1 3/4; PMID:2 1/4"
    (coin,) = diseases.coins("OMIM:1", Frequencies(0.5, 2.0), without=["PMID:1"])
    assert coin.frequency == pytest.approx(2 / 6)
    assert diseases.coins("OMIM:1", Frequencies(), without=["PMID:1", "PMID:2"]) == []
    found = diseases.hypotheses(background=Background(0.5, 0.0))
    assert found.leak.max() == pytest.approx(0.5 * 0.5 / 2)
    assert rank(found, moose.case("a", present=["HP:0000002"])).top(1)[0].name == "OMIM:2"
    assert found.shown("OMIM:2") == "OMIM:2 A disease"
    assert rank(found, moose.case("a", present=["HP:0000009"])).top(1)[0].name == "OMIM:1"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["HP:0040280"], 0.98),
        (["HP:0040283"], 0.17),
        (["50%"], 0.5),
        (["20 %", "HP:0040282"], (0.2 + 0.545) / 2),
        ([""], 0.4),
        (["9/9"], (9 + 0.8) / 11),
        (["0/0"], 0.4),
        (["NOT"], 0.0),
        (["NOT 4/4", "2/4"], (2 + 0.8) / 10),
    ],
)
def test_frequencies_are_read_as_the_page_says(texts: list[str], expected: float) -> None:
    rows = [
        Annotation("D", "", "F", "R", text.removeprefix("NOT").strip(), is_excluded=text.startswith("NOT"))
        for text in texts
    ]
    assert frequency_of(rows, Frequencies(unstated=0.4, strength=2.0)) == pytest.approx(expected)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.hpoa").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(MooseError, match="line 1: expected 12 columns of HPO annotations, but got 2"):
        read_hpoa(tmp_path / "x.hpoa")


# ── Files of cases ────────────────────────────────────────────────────────────────────────────────────────────────


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cases"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_is_read(tmp_path: Path) -> None:
    text = "case,finding,present,missed,reported,truth\na,Fever,yes,,,Flu\na,Rash,no,0.2,0.1,\nb,,,,,\n"
    first, second = read_cases(written(tmp_path, text))
    assert first.observations == (Observation("Fever"), Observation("Rash", False, Noise(0.2, 0.1)))
    assert (first.truth, second.name, second.observations) == ("Flu", "b", ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("who,finding\na,b\n", "expected the columns case and finding, but there is no case"),
        ("case,finding,presnt\n", "expected a column in .*, but got 'presnt'; did you mean present"),
        ("case,finding,present\na,b,maybe\n", "line 2: expected yes or no in the column present, but got 'maybe'"),
        ("case,finding,missed\na,b,0.1\n", "line 2: expected both missed and reported, or neither"),
        ("case,finding,missed,reported\na,b,x,0.1\n", "line 2: could not convert"),
        ("case,finding,missed,reported\na,b,1.5,0.1\n", "line 2: missed: expected a probability"),
        ("case,finding\n,b\n", "line 2: expected a case"),
        ("[1]", "case 1: expected an object, but got a number"),
        ('{"name": "a", "presnt": []}', "expected a key in .*, but got 'presnt'; did you mean present"),
        ('{"present": []}', "expected a name"),
        ('{"name": "a", "present": "Fever"}', "present: expected a list of findings, but got a text"),
        ('{"id": "a", "phenotypicFeatures": [{"type": 3}]}', "expected phenotypic features with a type and its id"),
        ("{", "expected cases as JSON, but line 1 is no JSON"),
        ('[{"name": "a"}, {"name": "a"}]', "'a' stands for 2 of them"),
        ("case,finding\n", "expected at least one case, but there is none"),
        ("[]", "expected at least one case, but there is none"),
        ("case,finding,case\nx,Fever,y\n", "expected each column once, but case stands there twice"),
        ("case,finding,truth\nx,Fever,A\nx,Rash,B\n", "line 3: expected one truth for each case, but x has A and B"),
        ('{"phenotypicFeatures": {}}', "expected a list of phenotypic features, but got an object"),
        (
            '{"phenotypicFeatures": [{"type": {"id": "HP:1"}, "excluded": "no"}]}',
            "expected true or false for whether HP:1 is excluded, but got a text",
        ),
    ],
)
def test_what_is_wrong_with_a_file_of_cases_is_said(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MooseError, match=message):
        read_cases(written(tmp_path, text))


@pytest.mark.parametrize("word", ["", "NA", "nan", "null"])
def test_a_truth_that_is_not_known_is_none(tmp_path: Path, word: str) -> None:
    first, second = read_cases(
        written(tmp_path, f"case,finding,truth\none,Cough,Flu\none,Fever,{word}\ntwo,Cough,{word}\n")
    )
    assert (first.truth, second.truth) == ("Flu", "")


def test_phenopackets_name_their_papers(tmp_path: Path) -> None:
    text = '{"id": "a", "metaData": {"externalReferences": [{"id": "PMID:1"}, {"description": "no id"}, 3]}}'
    (case,) = read_cases(written(tmp_path, text))
    assert case.papers == ("PMID:1",) == case.observing("HP:1", is_present=True).papers


def test_json_and_phenopackets_are_read(tmp_path: Path) -> None:
    packet = {
        "id": "p1",
        "phenotypicFeatures": [{"type": {"id": "HP:1"}}, {"type": {"id": "HP:2"}, "excluded": True}],
        "diseases": [{"term": {"id": "OMIM:1"}}],
    }
    plain = {"name": "b", "present": ["Fever"], "absent": ["Rash"]}
    for text in (json.dumps([packet, plain]), f"{json.dumps(packet)}\n{json.dumps(plain)}\n"):
        first, second = read_cases(written(tmp_path, text))
        assert (first.name, first.present, first.absent, first.truth) == ("p1", ("HP:1",), ("HP:2",), "OMIM:1")
        assert (second.present, second.absent) == (("Fever",), ("Rash",))
    (alone,) = read_cases(written(tmp_path, json.dumps(packet, indent=2)))
    assert alone.name == "p1"
