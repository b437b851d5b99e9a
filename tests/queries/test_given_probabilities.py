"""Queries take probabilities as they come: the path of a file, a mapping, or read already."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import moose
from moose.base.errors import MooseError
from moose.owl.model.axioms import Axiom
from moose.queries.probabilities.numbers import Number

GOAL = "Diavola SubClassOf Dish"


def test_a_file_and_a_mapping_are_read_as_they_are(tmp_path: Path) -> None:
    ontology = moose.load(moose.PIZZERIA)
    path = tmp_path / "p.tsv"
    path.write_text("Diavola SubClassOf Margherita and (hasTopping some SpicySalami)\t0.9\n")
    read = moose.probabilities(ontology, path)
    (place,) = read.uncertain
    mapping: dict[str | Axiom, Number] = {ontology.axioms[place]: "0.9"}
    for stated in (path, str(path), read, mapping):
        assert moose.query(ontology, GOAL, probabilities=stated).probability == Fraction(9, 10)


def test_a_path_where_there_is_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match=r"q\.tsv: expected a file of probabilities, but there is no such file"):
        moose.query(moose.load(moose.PIZZERIA), GOAL, probabilities=tmp_path / "q.tsv")


@pytest.mark.parametrize(("given", "named"), [(0.9, "float"), ([("SubClassOf(Pizza Dish)", 0.9)] * 1000, "list")])
def test_what_is_none_of_these_is_told_in_one_line(given: object, named: str) -> None:
    with pytest.raises(MooseError, match=rf"a mapping from axioms to numbers or the path of a file, but got {named}$"):
        moose.query(moose.load(moose.PIZZERIA), GOAL, probabilities=given)  # type: ignore[arg-type]
