"""Horn programs: doing without auxiliary atoms changes nothing for the others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moose.saturation.recorded.horn import FALSUM, HornClause, eliminate, least_model, simplified, useful
from tests.searching import examples

ATOMS = 9
KEPT = frozenset(range(4))

clauses = st.lists(
    st.tuples(st.frozensets(st.integers(0, ATOMS - 1), max_size=3), st.integers(FALSUM, ATOMS - 1)), max_size=20
)
evidence = st.frozensets(st.sampled_from(sorted(KEPT)))


def said(program: list[HornClause], given_atoms: frozenset[int]) -> set[int]:
    """Return what a program says of the atoms to keep."""
    found = least_model(program, given_atoms)
    return {FALSUM} if FALSUM in found else found & KEPT


def by_passes(program: list[HornClause], given_atoms: frozenset[int]) -> set[int]:
    """Find the least model the plain way."""
    true = set(given_atoms)
    while True:
        new = {head for body, head in program if body <= true} - true
        if not new:
            return true
        true |= new


@examples(200)
@given(clauses, evidence)
def test_least_model(program: list[HornClause], given_atoms: frozenset[int]) -> None:
    assert least_model(program, given_atoms) == by_passes(program, given_atoms)


@examples(300)
@given(clauses, evidence)
def test_elimination_keeps_what_is_said(program: list[HornClause], given_atoms: frozenset[int]) -> None:
    assert said(eliminate(program, lambda atom: atom not in KEPT), given_atoms) == said(program, given_atoms)


@examples(200)
@given(clauses, evidence)
def test_what_is_left_out_is_useless(program: list[HornClause], given_atoms: frozenset[int]) -> None:
    assert said(useful(program, KEPT), given_atoms) == said(program, given_atoms)


@examples(200)
@given(clauses, evidence)
def test_what_is_certain_is_left_out(program: list[HornClause], given_atoms: frozenset[int]) -> None:
    certain = least_model(program)
    if FALSUM not in certain:
        found = said(simplified(program, certain), given_atoms)
        assert found == said(program, given_atoms) or found | (certain & KEPT) == said(program, given_atoms)


def test_definition_is_unfolded() -> None:
    program: list[HornClause] = [(frozenset([0, 1]), 8), (frozenset([8]), 2)]
    assert eliminate(program, lambda atom: atom == 8) == [(frozenset([0, 1]), 2)]


def test_what_nothing_concludes_goes_with_its_consequences() -> None:
    assert eliminate([(frozenset([8]), 2)], lambda atom: atom == 8) == []
