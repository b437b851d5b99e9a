"""`moose explain` lists sets of axioms that something follows from, what to leave out, and what is unsatisfiable."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose as package
from tests.cli.running import Command

GOAL = "SubClassOf(Diavola Dish)"
MARKDOWN = """\
# [Diavola](https://example.org/pizzeria#Diavola) SubClassOf [Dish](https://example.org/pizzeria#Dish)

## Justification 1: 2 axioms

- [hasTopping](https://example.org/pizzeria#hasTopping) Domain [Dish](https://example.org/pizzeria#Dish)
- [Diavola](https://example.org/pizzeria#Diavola) SubClassOf [hasTopping](https://example.org/pizzeria#hasTopping) \
**some** Thing

## Repair 1: 1 axiom

- [Diavola](https://example.org/pizzeria#Diavola) SubClassOf [Margherita](https://example.org/pizzeria#Margherita) \
**and** ([hasTopping](https://example.org/pizzeria#hasTopping) **some** \
[SpicySalami](https://example.org/pizzeria#SpicySalami))
"""
HOSTILE = """\
Prefix(:=<urn:h:>) Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(
  AnnotationAssertion(rdfs:label :A "](javascript:alert(1)) <script>*x*")
  SubClassOf(:A :B) SubClassOf(:B :C)
)
"""


def test_sets_as_text_and_json_are_the_same(moose: Command) -> None:
    asked = ("explain", package.PIZZERIA, GOAL, "--justifications", "5", "--repairs", "9")
    text = moose(*asked)
    assert text.code == 0
    assert text.err.endswith("2 justifications, 4 repairs\n")
    assert text.out.count("justification ") == 2
    assert text.out.count("repair ") == 4
    value = moose(*asked, "--json").json
    assert [len(one) for one in value["justifications"]] == [2, 4]
    assert [len(one) for one in value["repairs"]] == [1, 2, 2, 2]
    assert value["limit_reached"] is False


def test_markdown_has_labels_and_links(moose: Command) -> None:
    asked = ("--justifications", "1", "--laconic", "--repairs", "1", "--format", "markdown")
    assert moose("explain", package.PIZZERIA, GOAL, *asked).out == MARKDOWN


def test_a_proof_as_markdown(moose: Command) -> None:
    lines = moose("explain", package.PIZZERIA, "SubClassOf(SpicyDish Food)", "--format", "markdown").out.splitlines()
    assert lines[0].startswith("- [spicy dish](https://example.org/pizzeria#SpicyDish) ⊑ [Food]")
    assert lines[1].startswith("  - [Dish](https://example.org/pizzeria#Dish) SubClassOf [Food]")
    assert len(lines) == 5


def test_a_label_cannot_leave_its_link(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "hostile.ofn").write_text(HOSTILE)
    asked = ("SubClassOf(<urn:h:A> <urn:h:C>)", "--justifications", "1", "--format", "markdown")
    out = moose("explain", tmp_path / "hostile.ofn", *asked).out
    assert "](javascript" not in out.replace("\\](", "")
    assert "\\<script\\>" in out


def test_what_does_not_follow_has_no_sets(moose: Command) -> None:
    outcome = moose("explain", package.PIZZERIA, "SubClassOf(Dish Diavola)", "--justifications", "3")
    assert outcome.code == 1
    assert outcome.out == ""
    assert "does not follow" in outcome.err
    value = moose("explain", package.PIZZERIA, "SubClassOf(Dish Diavola)", "--justifications", "3", "--json").json
    assert (value["justifications"], value["all_justifications"], value["limit_reached"]) == ([], True, False)


def test_unsatisfiable_classes(moose: Command, tmp_path: Path) -> None:
    assert moose("explain", package.PIZZERIA, "--unsatisfiable").out == "VeganSalami  root\n"
    value = moose("explain", package.PIZZERIA, "--unsatisfiable", "--json").json
    assert value == {
        "unsatisfiable": [
            {"class": "https://example.org/pizzeria#VeganSalami", "root": True, "derives_from": [], "roots": []}
        ]
    }
    (tmp_path / "fine.ofn").write_text("Ontology(SubClassOf(<urn:A> <urn:B>))")
    outcome = moose("explain", tmp_path / "fine.ofn", "--unsatisfiable")
    assert (outcome.code, outcome.out) == (0, "")
    assert "no class is unsatisfiable" in outcome.err


DEEP = """\
Prefix(:=<urn:d:>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Ontology(
  SubClassOf(:A owl:Nothing) SubClassOf(:B :A) SubClassOf(:C ObjectSomeValuesFrom(:r :B))
)
"""
OUTSIDE = """\
Prefix(:=<urn:o:>)
Ontology(
  SubClassOf(:A :B) SubClassOf(:B :D) SubClassOf(:A ObjectUnionOf(:E :F)) SubClassOf(:E :D) SubClassOf(:F :D)
  DisjointClasses(:X :Y) SubClassOf(:Z :X) SubClassOf(:Z :Y)
)
"""


def test_a_root_is_from_nothing_and_what_derives_names_its_roots(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "deep.ofn").write_text(DEEP)
    lines = moose("explain", tmp_path / "deep.ofn", "--unsatisfiable").out.splitlines()
    assert lines == ["A  root", "B  derived, from A", "C  derived, from B; in the end from A"]
    value = moose("explain", tmp_path / "deep.ofn", "--unsatisfiable", "--json").json
    assert value["unsatisfiable"][2] == {
        "class": "urn:d:C",
        "root": False,
        "derives_from": ["urn:d:B"],
        "roots": ["urn:d:A"],
    }


TWO_ROOTS = """\
Prefix(:=<urn:t:>)
Ontology(
  DisjointClasses(:X :Y) SubClassOf(:A :X) SubClassOf(:A :Y) SubClassOf(:B :Z) DisjointClasses(:B :Z)
  SubClassOf(:C ObjectSomeValuesFrom(:r :A))
)
"""


def test_each_root_has_its_repairs_and_justifications(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "two.ofn").write_text(TWO_ROOTS)
    asked = ("explain", tmp_path / "two.ofn", "--unsatisfiable", "--repairs", "3", "--justifications", "1")
    outcome = moose(*asked)
    head, first, *sets = outcome.out.split("\n\n")
    assert head.splitlines() == ["A  root", "B  root", "C  derived, from A"]
    assert first == "SubClassOf(A owl:Nothing)"
    assert sets[0].startswith("justification 1, 3 axioms\n  DisjointClasses(X Y)\n")
    assert [one.splitlines()[0] for one in sets].count("repair 1, 1 axiom") == 2
    more = "1 justification (there may be more justifications)"
    assert outcome.err.splitlines() == [
        f"moose: {tmp_path}/two.ofn: A: {more}, 3 repairs (there may be more repairs)",
        f"moose: {tmp_path}/two.ofn: B: {more}, 2 repairs",
    ]
    rows = moose(*asked, "--json").json["unsatisfiable"]
    assert [len(row.get("repairs", ())) for row in rows] == [3, 2, 0]
    assert [row.get("all_repairs") for row in rows] == [False, True, None]
    markdown = moose(*asked, "--format", "markdown").out
    assert "\n\n# [B](urn:t:B) SubClassOf Nothing\n" in markdown


def test_the_count_says_whether_there_may_be_more(moose: Command) -> None:
    some = moose("explain", package.PIZZERIA, GOAL, "--repairs", "3")
    assert some.err.endswith("3 repairs (there may be more repairs)\n")
    both = moose("explain", package.PIZZERIA, GOAL, "--repairs", "9", "--justifications", "1", "--json")
    assert both.err.endswith("1 justification (there may be more justifications), 4 repairs\n")
    assert (both.json["all_justifications"], both.json["all_repairs"]) == (False, True)


@pytest.mark.parametrize("asked", [("--justifications", "3"), ("--repairs", "3")])
def test_where_the_limit_is_reached_that_is_said_in_every_format(
    moose: Command, tmp_path: Path, asked: tuple[str, str]
) -> None:
    for form in ("text", "markdown", "json"):
        written = tmp_path / f"sets.{form}"
        question = ("explain", package.PIZZERIA, GOAL, *asked, "--format", form, "-o", written)
        outcome = moose(*question, "--limit", "0.0001ms")
        assert (outcome.code, outcome.err) == (
            0,
            f"moose: {package.PIZZERIA}: no set of axioms; the limit was reached\n",
        )
        if form != "json":
            assert written.read_text().endswith("\n\nno set of axioms; the limit was reached\n")
        assert "limit" not in moose(*question, "--limit", "1h").err
    found = moose("explain", package.PIZZERIA, GOAL, *asked, "--limit", "0.0001ms", "--json").json
    assert (found["limit_reached"], found["justifications"], found["repairs"]) == (True, [], [])


def test_sets_may_not_be_all_where_axioms_outside_el_may_matter(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "outside.ofn").write_text(OUTSIDE)
    for asked in ("--justifications", "--repairs"):
        outcome = moose("explain", tmp_path / "outside.ofn", "SubClassOf(A D)", asked, "3")
        assert outcome.code == 0
        assert outcome.err.count("1 axiom that may matter was not used whole; --unused lists them") == 1
        listed = moose("explain", tmp_path / "outside.ofn", "SubClassOf(A D)", asked, "3", "--unused").err
        assert "not used whole: SubClassOf(A ObjectUnionOf(E F))" in listed
        assert "may matter" not in moose("explain", tmp_path / "outside.ofn", "SubClassOf(B D)", asked, "3").err
    assert "may matter" in moose("explain", tmp_path / "outside.ofn", "--unsatisfiable").err


def test_what_does_not_go_together_is_refused(moose: Command) -> None:
    assert "one thing" in moose("explain", package.PIZZERIA, GOAL, "--unsatisfiable").one_complaint()
    assert "--justifications" in moose("explain", package.PIZZERIA, GOAL, "--laconic").one_complaint()
    asked = ("--justifications", "1", "--format", "svg")
    assert "markdown" in moose("explain", package.PIZZERIA, GOAL, *asked).one_complaint()
    asked = ("--justifications", "1", "--limit", "-1")
    assert "--limit: expected a time such as 10s" in moose("explain", package.PIZZERIA, GOAL, *asked).one_complaint()
    assert "--repairs N" in moose("explain", package.PIZZERIA, GOAL, "--limit", "9").one_complaint()
    asked = ("--justifications", "1", "--certificate", "c.json")
    assert "--certificate" in moose("explain", package.PIZZERIA, GOAL, *asked).one_complaint()


def test_a_dl_answer_says_that_something_may_be_missing(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "outside.ofn").write_text(OUTSIDE)
    outcome = moose("dl", tmp_path / "outside.ofn", "D", "--sub")
    assert outcome.code == 0
    assert "may be missing: 1 axiom that may matter was not used whole; --unused lists them" in outcome.err
