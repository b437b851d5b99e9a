"""TRILL's examples outside EL: bounds that hold and "not found" without HermiT, the published values with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose
from moose.hermit.hermit import Hermit
from moose.owl.names import Names
from moose.owl.syntax.functional.read_functional import parse_axiom
from tests.hermit.examples import COMMANDER, EXAMPLES, LOCAL_INCONSISTENT, Example

each = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


def load(example: Example, folder: Path) -> moose.Ontology:
    path = folder / "example.ofn"
    path.write_text(example.text, "utf-8")
    return moose.load(path)


@each
def test_what_is_found_is_a_lower_bound(example: Example, tmp_path: Path) -> None:
    answer = moose.query(load(example, tmp_path), example.goal)
    assert example.found <= answer.lower <= example.truth <= answer.upper
    assert not answer.is_exact or answer.lower == example.truth
    assert answer.is_exact or answer.unused


@each
def test_hermit_knows_the_value(example: Example, tmp_path: Path, hermit: Hermit) -> None:
    answer = moose.query(load(example, tmp_path), example.goal, reasoner=hermit)
    assert answer.probability == example.truth
    assert (answer.reasoner == hermit.name) or answer.lower == moose.query(load(example, tmp_path), example.goal).lower


@pytest.mark.parametrize("example", [COMMANDER, LOCAL_INCONSISTENT], ids=["commander", "local_inconsistent_kb"])
def test_what_hermit_finds_is_never_denied(example: Example, tmp_path: Path) -> None:
    ontology = load(example, tmp_path)
    goal = parse_axiom(example.goal, "the goal", Names(ontology).resolve)
    assert moose.entailment(ontology, goal).follows is not False


def test_hermit_finds_the_commander(tmp_path: Path, hermit: Hermit) -> None:
    ontology = load(COMMANDER, tmp_path)
    resolve = Names(ontology).resolve
    goal = parse_axiom(COMMANDER.goal, "the goal", resolve)
    found = moose.entailment(ontology, goal, reasoner=hermit)
    assert (found.follows, found.reasoner, found.unused) == (True, hermit.name, ())
    other = moose.entailment(ontology, parse_axiom("ClassAssertion(Commander al)", "", resolve), reasoner=hermit)
    assert (other.follows, other.reasoner) == (False, hermit.name)
