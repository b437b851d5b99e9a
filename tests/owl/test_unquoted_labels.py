"""Labels of several words that stand without quotes in a goal are found, so that the message can quote them."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose
from moose.base.errors import MooseError
from moose.owl.names import Names
from moose.owl.unquoted_labels import unquoted_labels
from moose.queries.probabilities.probabilities import probabilities_of
from moose.queries.program.goals import read_goal

TOLD = """Prefix(:=<urn:b#>) Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>) Ontology(
    SubClassOf(:B1 :Bird) SubClassOf(:B2 :Bird) SubClassOf(:B3 ObjectSomeValuesFrom(:r :Bird))
    AnnotationAssertion(rdfs:label :B1 "goosander, common merganser")
    AnnotationAssertion(rdfs:label :B2 "common  merganser")
    AnnotationAssertion(rdfs:label :B3 "T cell (human's)")
    AnnotationAssertion(rdfs:label :Bird "bird")
    AnnotationAssertion(rdfs:label :r "part of"))
"""


@pytest.fixture
def names(tmp_path: Path) -> Names:
    path = tmp_path / "birds.ofn"
    path.write_text(TOLD, "utf-8")
    return Names(moose.load(path))


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("goosander, common merganser SubClassOf bird", "'goosander, common merganser'"),
        ("bird SubClassOf common  merganser", "'common merganser'"),
        ("SubClassOf(common merganser Bird)", "'common merganser'"),
        ("'common merganser' SubClassOf part of some bird", "'part of'"),
        ("T cell (human's) SubClassOf common merganser", "'T cell (human\\'s)', 'common merganser'"),
        ("unsatisfiable common merganser", "'common merganser'"),
    ],
)
def test_a_label_without_quotes_is_quoted_in_the_message(text: str, quoted: str, names: Names) -> None:
    with pytest.raises(MooseError) as caught:
        read_goal(text, names)
    assert str(caught.value).endswith(f"; put a name with spaces into single quotes: {quoted}")


@pytest.mark.parametrize("text", ["'common merganser' SubClassOf Brd", "<urn:common merganser>", "bird SubClassOf Brd"])
def test_what_has_its_quotes_is_no_such_label(text: str, names: Names) -> None:
    assert unquoted_labels(text, names) == []
    with pytest.raises(MooseError, match=r"^(?!.*quotes: )"):
        read_goal(text, names)


def test_axioms_of_a_file_of_probabilities_are_answered_so_too(names: Names, tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("common merganser SubClassOf bird\t0.5\n", "utf-8")
    with pytest.raises(MooseError, match=r"p\.tsv:1: .* into single quotes: 'common merganser'$"):
        probabilities_of(moose.load(tmp_path / "birds.ofn"), path)
    path.write_text("'common merganser' SubClassOf bird\t0.5\n", "utf-8")
    assert len(probabilities_of(moose.load(tmp_path / "birds.ofn"), path).uncertain) == 1


@pytest.mark.parametrize("word", ["consistant", "Consistent ", "inconsistent"])
def test_a_misspelt_word_for_consistency_is_answered_with_it(word: str, names: Names) -> None:
    with pytest.raises(MooseError, match="did you mean consistent"):
        read_goal(word, names)
