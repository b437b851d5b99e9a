"""One saturation of an ontology serves a whole command, and nothing is normalised before it is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

import moose
from moose.cli import main
from moose.owl.normal import normalise
from moose.saturation.engine import saturate

Result = TypeVar("Result")
CLINIC = moose.PIZZERIA.with_name("clinic.ofn")
GOAL = "ClassAssertion(LymePatient anna)"


class Counts:
    """How often an ontology was saturated and normalised."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.saturations = self.normalisations = 0

        def count(name: str, function: Callable[..., Result]) -> Callable[..., Result]:
            def counted(*arguments: object, **options: object) -> Result:
                setattr(self, name, getattr(self, name) + 1)
                return function(*arguments, **options)

            return counted

        monkeypatch.setattr(saturate, "run_world", count("saturations", saturate.run_world))
        monkeypatch.setattr(normalise, "finish", count("normalisations", normalise.finish))


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    return Counts(monkeypatch)


def test_training_saturates_once(counts: Counts, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    options = "--data digits --count 40 --epochs 1 -o".split()
    assert main(["train", "mnist2", *options, str(tmp_path / "model")]) == 0
    assert counts.saturations == 1


def test_a_query_normalises_once(counts: Counts) -> None:
    assert main(["query", str(CLINIC), GOAL]) == 0
    assert counts.normalisations == 1


@pytest.mark.parametrize("command", ["classify", "realise"])
def test_classifying_and_realising_normalise_and_saturate_once(counts: Counts, command: str) -> None:
    assert main([command, str(moose.PIZZERIA)]) == 0
    assert (counts.normalisations, counts.saturations) == (1, 1)


def test_checking_normalises_nothing(counts: Counts) -> None:
    assert main(["check", str(moose.PIZZERIA)]) == 0
    assert (counts.normalisations, counts.saturations) == (0, 0)


def test_classifying_and_realising_one_ontology_saturate_it_once(counts: Counts) -> None:
    ontology = moose.load(moose.PIZZERIA)
    moose.classify(ontology)
    moose.realise(ontology)
    moose.saturate(ontology)
    assert (counts.normalisations, counts.saturations) == (1, 1)
