"""The ProbLog program of a goal: ProbLog's own reading of the rules gives the probability over all worlds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from hypothesis import given

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import NOTHING, THING
from moose.queries.export.encode import encode
from moose.queries.export.problog import problog_program, write_problog
from tests.queries.peers import ask_problog, is_near
from tests.queries.test_encode import Asked, asked, entailing, some, uncertain, weight
from tests.saturation.random_ontologies import CLASSES
from tests.searching import examples

A, B, C, D, E, F = CLASSES
LARGEST_CYCLE = 8
"""ProbLog breaks cycles path by path, which takes minutes on a component of some twenty facts."""


@examples(40)
@given(asked)
def test_problog_agrees_with_all_worlds(case: Asked) -> None:
    encoding = encode(case.ontology, case.goal, case.probabilities)
    if max(map(len, encoding.components)) > LARGEST_CYCLE:
        return
    exact = sum((weight(encoding, world) for world in entailing(case, encoding.axioms)), start=Fraction(0))
    assert is_near(ask_problog(problog_program(encoding)), exact)


def probability(axioms: list[ax.Axiom], goal: str | ax.Axiom) -> float:
    """Ask ProbLog about a goal where all axioms have probability ⅓."""
    ontology, probabilities = uncertain(axioms, Fraction(1, 3))
    return ask_problog(problog_program(encode(ontology, goal, probabilities)))


def test_certain_and_impossible_goals() -> None:
    assert probability([ax.SubClassOf(A, B)], ax.SubClassOf(D, THING)) == 1
    assert probability([ax.SubClassOf(A, B)], ax.SubClassOf(B, A)) == 0


def test_a_cycle_is_not_taken_for_a_reason() -> None:
    equal: list[ax.Axiom] = [ax.EquivalentClasses((B, C)), ax.SubClassOf(A, B), ax.SubClassOf(A, C)]
    # A ⊑ C directly, or by A ⊑ B and B ≡ C.
    assert is_near(probability(equal, ax.SubClassOf(A, C)), Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 9))


def test_consistency_is_the_complement_of_a_clash() -> None:
    clash: list[ax.Axiom] = [ax.SubClassOf(THING, A), ax.SubClassOf(THING, B), ax.DisjointClasses((A, B))]
    assert is_near(probability(clash, ax.SubClassOf(THING, NOTHING)), Fraction(1, 27))
    assert is_near(probability(clash, "consistent"), Fraction(26, 27))


def test_the_program_is_readable(tmp_path: Path) -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, some(B)), ax.SubClassOf(some(B), C)], Fraction(1, 3))
    encoding = encode(ontology, ax.SubClassOf(A, C), probabilities)
    write_problog(encoding, tmp_path / "goal.pl")
    text = (tmp_path / "goal.pl").read_text(encoding="utf-8")
    assert text == problog_program(encoding)
    assert "1/3::a0. % SubClassOf(A ObjectSomeValuesFrom(r B))" in text.splitlines()
    assert any(line.endswith(": A ⊑ ∃r.B") for line in text.splitlines())
