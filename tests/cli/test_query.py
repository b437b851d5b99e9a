"""`moose query` says how likely something is, exactly, and why; `moose encode` writes it for other programs."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import moose as package
from moose.base.errors import MooseError
from moose.cli.common.options import read_duration
from moose.cli.probability.query import decimal
from tests.cli.running import Command

CLINIC = package.PIZZERIA.with_name("clinic.ofn")
LYME = "ClassAssertion(LymePatient anna)"


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.ofn"
    path.write_text(CLINIC.read_text("utf-8"), "utf-8")
    return path


def test_probability_justifications_and_sensitivities(moose: Command, clinic: Path) -> None:
    outcome = moose("query", clinic, LYME)
    assert (outcome.code, outcome.err) == (0, "")
    lines = [line.strip() for line in outcome.out.splitlines()]
    assert lines[:2] == [LYME, "probability 0.626 = 313/500"]
    assert lines[2].startswith("inconsistent with probability 0.0313 = 313/10000;")
    assert lines[3:5] == ["justifications (2)", "0.45 = 9/20"]
    assert "ClassAssertion(ObjectSomeValuesFrom(shows RingRash) anna)  [0.5]" in lines
    assert "ClassAssertion(Patient anna)" in lines
    assert lines[lines.index("sensitivities") + 1].startswith("0.612  ClassAssertion(ObjectSomeValuesFrom(shows Ring")


@pytest.mark.parametrize(
    ("goal", "probability"),
    [
        (LYME, "313/500"),
        ("ClassAssertion(NeedsAntibiotic anna)", "313/500"),
        ("ClassAssertion(ObjectSomeValuesFrom(shows JointPain) anna)", "3443/15000"),
        ("SubClassOf(LymeDisease Disease)", "1/1"),
        ("SubClassOf(Disease LymeDisease)", "313/10000"),
        ("EquivalentClasses(LymeDisease owl:Nothing)", "1/20"),
        ("DisjointClasses(LymeDisease SummerFlu)", "1/1"),
        ("ObjectPropertyAssertion(has anna anna)", "313/10000"),
        ("unsatisfiable LymeDisease", "1/20"),
        ("unsatisfiable ObjectSomeValuesFrom(has LymeDisease)", "1/20"),
        ("consistent", "9687/10000"),
    ],
)
def test_every_kind_of_goal(moose: Command, clinic: Path, goal: str, probability: str) -> None:
    found = moose("query", clinic, goal, "--json").json
    assert found["probability"] == found["lower"] == found["upper"] == probability
    assert found["value"] == float(Fraction(probability))
    assert found["exact"] is True


def test_json(moose: Command, clinic: Path, tmp_path: Path) -> None:
    target = tmp_path / "answer.json"
    assert moose("query", clinic, LYME, "--json", "-o", target).out == ""
    found = json.loads(target.read_text("utf-8"))
    assert set(found) == {
        *("goal", "given", "probability", "value", "lower", "upper", "exact", "justifications"),
        *("complete", "unused", "limit_reached", "reasoner", "inconsistent"),
        *("all_justifications", "sensitivities", "most_probable_world", "outside_el", "seconds"),
    }
    assert found["goal"] == LYME
    assert found["all_justifications"] is True
    assert [one["probability"] for one in found["justifications"]] == ["9/20", "8/25"]
    first = found["justifications"][0]["axioms"][-1]
    assert first["axiom"].startswith("ClassAssertion(ObjectSomeValuesFrom(<https://example.org/clinic#shows>")
    assert first["probability"] == "1/2"
    slopes = [Fraction(row["sensitivity"]) for row in found["sensitivities"]]
    assert slopes[0] == Fraction("0.612")
    assert slopes == sorted(slopes, reverse=True)
    assert len(found["most_probable_world"]["true"]) + len(found["most_probable_world"]["false"]) == 4


def test_several_goals(moose: Command, clinic: Path) -> None:
    found = moose("query", clinic, LYME, "consistent", "--json").json
    assert [answer["goal"] for answer in found["answers"]] == [LYME, "consistent"]
    text = moose("query", clinic, LYME, "consistent").out
    assert "\n\nconsistent\n  probability 0.9687 = 9687/10000\n  contradictions (2)\n" in text


def test_given(moose: Command, clinic: Path) -> None:
    found = moose("query", clinic, LYME, "--given", "consistent", "--json").json
    assert found["probability"] == "5947/9687"
    assert found["given"] == ["consistent"]
    both = moose("query", clinic, LYME, "--given", "consistent", "--given", LYME)
    assert f"{LYME}\n  given consistent\n  given {LYME}\n  probability 1\n" in both.out
    impossible = moose("query", package.PIZZERIA, "consistent", "--given", "SubClassOf(Food Pizza)")
    assert impossible.code == 2
    assert "'SubClassOf(Food Pizza)' has probability 0, following in no world; write a new fact into" in impossible.err


CONTRADICTION = """Prefix(:=<urn:b#>) Prefix(moose:=<urn:moose:>) Ontology(
    Declaration(Class(:Robin)) Declaration(Class(:Seed)) Declaration(ObjectProperty(:eats))
    SubClassOf(Annotation(moose:probability "0.6") :Kestrel :Bird)
    DisjointClasses(:Kestrel :Bird)
    ClassAssertion(Annotation(moose:probability "0.3") :Kestrel :tweety)
    ClassAssertion(Annotation(moose:probability "0.5") :Robin :ruth))
"""


@pytest.fixture
def contradiction(tmp_path: Path) -> Path:
    path = tmp_path / "birds.ofn"
    path.write_text(CONTRADICTION, "utf-8")
    return path


def test_how_likely_inconsistent_worlds_are_is_told(moose: Command, contradiction: Path) -> None:
    text = moose("query", contradiction, "tweety Type Robin", "ruth Type Robin", "--justifications", "0").out
    told = "  inconsistent with probability 0.18 = 9/50; give --given consistent to leave those worlds out\n"
    assert f"  probability 0.18 = 9/50\n{told}" in text
    assert f"  probability 0.59 = 59/100\n{told}" in text
    found = moose("query", contradiction, "tweety Type Kestrel", "--json").json
    assert found["inconsistent"] == {"lower": "9/50", "upper": "9/50"}
    given = ("--given", "consistent")
    assert moose("query", contradiction, "ruth Type Robin", *given, "--json").json["inconsistent"]["upper"] == "0/1"
    assert "inconsistent" not in moose("query", contradiction, "ruth Type Robin", *given).out
    assert "inconsistent" not in moose("query", contradiction, "consistent").out


def test_contradictions_are_no_justifications_of_consistent_worlds(moose: Command, contradiction: Path) -> None:
    text = moose("query", contradiction, "tweety Type Robin", "--given", "consistent").out
    assert text == "ClassAssertion(Robin tweety)\n  given consistent\n  probability 0\n"
    found = moose("query", contradiction, "ruth Type Robin", "--given", "consistent", "--json").json
    assert [one["probability"] for one in found["justifications"]] == ["1/2"]
    assert found["all_justifications"]
    first = moose("query", contradiction, "ruth Type Robin", "--justifications", "1", "--json").json
    assert not first["all_justifications"]


def test_what_is_given_and_is_no_axiom_is_called_given(moose: Command, clinic: Path) -> None:
    for wrong in ("LymeDisease BacterialInfection", "consistant"):
        said = moose("query", clinic, LYME, "--given", wrong).err
        assert "moose: given: expected an axiom" in said and "goal" not in said


def test_what_is_given_by_contradiction_alone_is_told(moose: Command, contradiction: Path) -> None:
    seed = "tweety Type (eats some Seed)"
    assert "inconsistent in all worlds that are left" in moose("query", contradiction, seed, "--given", seed).out
    both = moose("query", contradiction, "ruth Type Robin", "--given", seed, "--given", "consistent")
    assert both.code == 2
    assert "(eats Seed) tweety)' and 'consistent' have probability 0 together" in both.err
    contradiction.write_text(CONTRADICTION.replace("0.6", "1").replace("0.3", "1"), "utf-8")
    every = moose("query", contradiction, "ruth Type Robin")
    assert "inconsistent in every world; `moose explain FILE --inconsistency` shows why" in every.out
    none = moose("query", contradiction, "ruth Type Robin", "--given", "consistent")
    assert "but 'consistent' has probability 0, as every world is inconsistent" in none.err


def test_how_many_justifications(moose: Command, clinic: Path) -> None:
    assert "justifications (1, and there may be more)" in moose("query", clinic, LYME, "--justifications", "1").out
    assert "justifications" not in moose("query", clinic, LYME, "--justifications", "0").out
    assert moose("query", clinic, LYME, "--justifications", "-1").code == 2


def test_a_file_of_probabilities(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("SubClassOf(Salami Meat)\t1/2\nSubClassOf(Pizza Dish)\t0.9\n", "utf-8")
    found = moose("query", package.PIZZERIA, "SubClassOf(Salami Meat)", "--probabilities", path, "--json")
    assert (found.code, found.err, found.json["probability"]) == (0, "", "1/2")
    path.write_text("SubClassOf(Pizza Dish)\t90%\n", "utf-8")
    refused = moose("query", package.PIZZERIA, "SubClassOf(Margherita Dish)", "--probabilities", path)
    assert f"{path}:1: expected a probability" in refused.one_complaint()


def test_a_file_in_place_of_annotations(moose: Command, clinic: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    told = package.probabilities(package.load(clinic)).to_json()
    path.write_text(told.replace('"1/2"', '"0.95"'), "utf-8")
    assert (
        "and 1/2 by its annotation; keep one" in moose("query", clinic, LYME, "--probabilities", path).one_complaint()
    )
    options = ("--probabilities", path, "--without-annotations")
    assert moose("query", clinic, LYME, *options, "--json").json["probability"] == "4507/5000"
    assert "0.95::" in moose("encode", clinic, LYME, *options, "--format", "problog").out
    assert "expected a file to read instead" in moose("query", clinic, LYME, "--without-annotations").one_complaint()


def test_an_axiom_told_twice_is_one_coin(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "twice.ofn"
    note = 'Annotation(<urn:moose:probability> "0.3")'
    path.write_text(f"Prefix(:=<http://e.org/>) Ontology(SubClassOf(:A :B) SubClassOf({note} :A :B))")
    found = moose("query", path, "SubClassOf(A B)", "--json").json
    assert (found["probability"], len(found["justifications"])) == ("3/10", 1)
    assert found["justifications"][0]["axioms"][0]["probability"] == "3/10"


def test_without_probabilities_that_is_said(moose: Command) -> None:
    outcome = moose("query", package.PIZZERIA, "SubClassOf(Margherita Dish)")
    assert outcome.code == 0
    assert "  probability 1\n" in outcome.out
    assert "no axiom has a probability" in outcome.err
    assert "  probability 0\n" in moose("query", package.PIZZERIA, "SubClassOf(Dish Margherita)").out


def test_a_probability_that_makes_no_difference_is_said(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "outside.ofn"
    note = 'Annotation(<urn:moose:probability> "0.5")'
    path.write_text(f"Prefix(:=<http://e.org/>) Ontology(SubClassOf({note} :A ObjectAllValuesFrom(:r :C)))")
    outcome = moose("query", path, "SubClassOf(A B)")
    assert "1 axiom that has a probability is outside OWL 2 EL and not used at all" in outcome.err


def hard(width: int) -> str:
    """Write a grid of uncertain axioms from A0 to the last corner: as many paths as there are ways through it."""
    note = 'Annotation(<urn:moose:probability> "0.5")'
    told = [
        f"SubClassOf({note} :N{row}x{column} :N{row + down}x{column + right})"
        for row in range(width)
        for column in range(width)
        for down, right in ((0, 1), (1, 0), (1, 1))
        if row + down < width and column + right < width
    ]
    return f"Prefix(:=<http://e.org/>) Ontology({' '.join(told)})"


def test_a_limit_gives_bounds(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "hard.ofn"
    path.write_text(hard(14))
    goal = "SubClassOf(N0x0 N13x13)"
    outcome = moose("query", path, goal, "--limit", "300ms", "--json")
    assert outcome.code == 0
    found = outcome.json
    assert found["probability"] is None
    assert found["exact"] is False
    assert 0 <= Fraction(found["lower"]) < Fraction(found["upper"]) <= 1
    assert "the limit was reached for 1 of 1 goals" in outcome.err
    assert "  probability between " in moose("query", path, goal, "--limit", "300ms").out


@pytest.mark.parametrize(
    ("text", "seconds"), [("10s", 10), ("10", 10), ("500ms", 0.5), ("2m", 120), (" 1.5 min ", 90), ("1h", 3600)]
)
def test_durations(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "ten", "-1s", "0s", "5d", "1 2"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(MooseError, match="--limit: expected a time such as 10s"):
        read_duration(text)


def test_decimals_say_whether_they_are_exact() -> None:
    assert decimal(Fraction(1, 2)) == "0.5 = 1/2"
    assert decimal(Fraction(1, 3)) == "0.333333 ≈ 1/3"
    assert decimal(Fraction(1)) == "1"
    assert decimal(Fraction(1, 3**60)) == "2.35898e-29 ≈ 1/42391158275216203514294433201"
    assert decimal(Fraction(2, 3**200)) == "7.52972e-96"


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("SubClassOf(LimeDisease Disease)", "did you mean"),
        ("SubClassOf(Fever", "goal: "),
        ("unsatisfiable Lyme", "'Lyme'"),
        ("SubClassOf(Fever ObjectUnionOf(Fever Finding))", "of OWL 2 EL"),
        ("TransitiveObjectProperty(has)", "expected"),
        ("inconsistent", "expected an axiom"),
    ],
)
def test_a_goal_that_cannot_be_asked(moose: Command, clinic: Path, goal: str, said: str) -> None:
    assert said in moose("query", clinic, goal).one_complaint()
    assert said in moose("encode", clinic, goal).one_complaint()


# ── Export ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_encode_as_dimacs(moose: Command, clinic: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.cnf"
    outcome = moose("encode", clinic, LYME, "-o", target)
    assert (outcome.code, outcome.err) == (0, "")
    sizes = {name: int(count) for name, count in outcome.rows}
    assert sizes["axioms"] == 5
    text = target.read_text("utf-8")
    assert f"\np cnf {sizes['variables']} {sizes['clauses']}\n" in text
    assert moose("encode", clinic, LYME).out == text
    found = moose("encode", clinic, LYME, "--json").json
    assert (found["goal"], found["format"], found["axioms"]) == (LYME, "dimacs", 5)


def test_encode_as_problog(moose: Command, clinic: Path) -> None:
    text = moose("encode", clinic, LYME, "--format", "problog").out
    assert "query(" in text
    assert text.count("::") == 5


def test_groundable_heads_lose_what_goes_through_existentials(moose: Command, clinic: Path) -> None:
    goal = "ClassAssertion(ObjectSomeValuesFrom(shows JointPain) anna)"
    whole = moose("encode", clinic, goal, "--json").json
    less = moose("encode", clinic, goal, "--groundable-heads", "--json").json
    assert less["rule_instances"] < whole["rule_instances"]


NUMBERED = """
Prefix(:=<http://e.org/>) Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(
  AnnotationAssertion(rdfs:label :EX_0000001 "metal") AnnotationAssertion(rdfs:label :Bike "bicycle")
  SubClassOf(:Bike :EX_0000001) SubClassOf(:EX_0000001 :EX_0000002)
)"""


def test_the_goal_is_named_as_the_justifications_are(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "n.ofn").write_text(NUMBERED)
    plain = moose("query", "n.ofn", "Bike SubClassOf metal", "--given", "Bike SubClassOf metal").out.splitlines()
    assert plain[:2] == ["SubClassOf(Bike EX_0000001 'metal')", "  given SubClassOf(Bike EX_0000001 'metal')"]
    asked = ("query", "n.ofn", "unsatisfiable bicycle", "consistent")
    labelled = moose(*asked, "--names", "label").out.splitlines()
    assert labelled[0] == "SubClassOf(Bike 'bicycle' owl:Nothing)"
    assert "consistent" in labelled
    assert moose(*asked, "--json").json["answers"][0]["goal"] == "SubClassOf(Bike owl:Nothing)"  # as a goal is read


def test_messages_on_probabilities_have_labels(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "n.ofn").write_text(NUMBERED)
    (tmp_path / "p.tsv").write_text("Bike SubClassOf EX_0000002\t0.5\n")
    said = moose("query", "n.ofn", "consistent", "--probabilities", "p.tsv").one_complaint()
    assert "did you mean SubClassOf(Bike EX_0000001 'metal') or SubClassOf(EX_0000001 'metal' EX_0000002)?" in said
    (tmp_path / "p.tsv").write_text("Bike SubClassOf metal\t0.5\nBike SubClassOf metal\t0.6\n")
    said = moose("query", "n.ofn", "consistent", "--probabilities", "p.tsv").one_complaint()
    assert "expected one probability of SubClassOf(Bike EX_0000001 'metal'), but got 3/5" in said
