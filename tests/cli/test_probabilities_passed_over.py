"""Commands that pass over probabilities say so."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose as library
from tests.cli.running import Command

CLINIC = library.PIZZERIA.with_name("clinic.ofn")
COMMANDS = [("classify",), ("realise",), ("classify", "--json"), ("explain", "SubClassOf(LymeDisease owl:Thing)")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_axioms_with_probabilities_are_said_to_be_taken_as_certain(moose: Command, command: tuple[str, ...]) -> None:
    name, *rest = command
    said = [line for line in moose(name, CLINIC, *rest).err.splitlines() if "probabilit" in line]
    assert len(said) == 1
    assert "axioms have probabilities, but all are taken as certain here; `moose query` counts with them" in said[0]


def test_one_is_singular_and_none_is_not_mentioned(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "one.ofn"
    note = 'Annotation(<urn:moose:probability> "0.5")'
    file.write_text(f"Ontology(SubClassOf({note} <urn:x:A> <urn:x:B>) SubClassOf(<urn:x:B> <urn:x:C>))")
    assert "1 axiom has a probability" in moose("classify", file).err
    assert "probabilit" not in moose("classify", library.PIZZERIA).err
