"""Stages 2-5, each against the least model of the program that it starts from."""

from __future__ import annotations

from hypothesis import given

from moose.queries.export.clark import complete
from moose.queries.export.tseitin import to_cnf
from moose.queries.export.unroll import Definitions, Variable, cost, unroll
from moose.queries.program.program import GOAL
from moose.saturation.recorded.horn import HornClause, least_model
from tests.queries.programs import AXIOMS, FACTS, holds, programs, projected, worlds
from tests.searching import examples

CYCLE: list[HornClause] = [
    (frozenset({0}), 5),
    (frozenset({5, 1}), 6),
    (frozenset({6, 2}), 5),
    (frozenset({6}), GOAL),
]
"""5 and 6 follow from each other; without axiom 0 neither holds, though Clark completion alone lets both."""


def values(definitions: Definitions, world: frozenset[int]) -> dict[Variable, bool]:
    """Evaluate definitions one after another."""
    found = {Variable(axiom): axiom in world for axiom in AXIOMS}
    for variable, bodies in definitions.bodies.items():
        assert variable not in found, "no variable is defined twice"
        found[variable] = any(all(found[member] for member in body) for body in bodies)
    return found


@examples(150)
@given(programs)
def test_completion_is_true_in_the_least_model(clauses: list[HornClause]) -> None:
    completion = complete(clauses, AXIOMS)
    for world in worlds():
        true = least_model(clauses, world)
        for atom, bodies in completion.bodies.items():
            assert (atom in true) == any(body <= true for body in bodies)


def test_completion_alone_has_models_that_are_not_least() -> None:
    completion = complete(CYCLE, AXIOMS)
    supported = {1, 2, 5, 6, GOAL}
    assert all(
        (atom in supported) == any(body <= supported for body in completion.bodies[atom]) for atom in (5, 6, GOAL)
    )
    assert not holds(CYCLE, [1, 2])


@examples(150)
@given(programs)
def test_components_part_the_derived_atoms_in_order(clauses: list[HornClause]) -> None:
    completion = complete(clauses, AXIOMS)
    components = completion.components()
    assert sorted(atom for component in components for atom in component) == sorted(completion.bodies)
    place = {atom: number for number, component in enumerate(components) for atom in component}
    for atom in completion.bodies:
        assert all(place[other] <= place[atom] for other in completion.dependencies(atom))


@examples(150)
@given(programs)
def test_unrolled_definitions_are_the_least_model(clauses: list[HornClause]) -> None:
    completion = complete(clauses, AXIOMS)
    components = completion.components()
    definitions = unroll(completion, components)
    literals = sum(len(body) for bodies in definitions.bodies.values() for body in bodies)
    assert literals <= 2 * cost(completion, components) + 2 * len(definitions.bodies)
    for world in worlds():
        found, true = values(definitions, world), least_model(clauses, world)
        assert all(found[Variable(atom)] == (atom in true) for atom in completion.bodies)


def test_copies_are_numbered_by_time_and_false_ones_left_out() -> None:
    completion = complete(CYCLE, AXIOMS)
    definitions = unroll(completion, completion.components())
    copies = {variable for variable in definitions.bodies if variable.time is not None}
    # 6 needs 5 of the step before, so that its first copy is false.
    assert copies == {Variable(5, 1), Variable(5, 2), Variable(6, 2)}
    assert definitions.copies == len(copies)
    assert definitions.bodies[Variable(5, 2)] == (
        frozenset({Variable(5, 1)}),
        frozenset({Variable(0)}),
    )
    assert definitions.bodies[Variable(6)] == (frozenset({Variable(6, 2)}),)


def test_a_self_loop_is_unrolled() -> None:
    completion = complete([(frozenset({5, 0}), 5), (frozenset({1}), 5), (frozenset({5}), GOAL)], AXIOMS)
    assert [completion.is_trivial(component) for component in completion.components()] == [False, True]
    assert unroll(completion, completion.components()).copies == 1


@examples(150)
@given(programs)
def test_models_of_the_clauses_are_the_worlds_once_each(clauses: list[HornClause]) -> None:
    completion = complete(clauses, AXIOMS)
    definitions = unroll(completion, completion.components())
    for is_negated in (False, True):
        cnf = to_cnf(definitions, is_negated=is_negated)
        found = projected(cnf, completion.axioms)
        wanted = [world for world in worlds(completion.axioms) if holds(clauses, world) != is_negated]
        assert sorted(map(sorted, found)) == sorted(map(sorted, wanted))
        assert all(0 < abs(literal) <= cnf.variable_count for clause in cnf.clauses for literal in clause)
        assert all(clause for clause in cnf.clauses), "some counters refuse an empty clause"


def test_an_empty_program_is_impossible() -> None:
    completion = complete([], AXIOMS)
    assert completion.bodies == {GOAL: ()} and completion.axioms == ()
    assert to_cnf(unroll(completion, completion.components())).clauses == ((-1,), (1,))


def test_a_fact_that_nothing_concludes_is_false() -> None:
    completion = complete([(frozenset({FACTS[1]}), GOAL)], AXIOMS)
    assert completion.bodies[FACTS[1]] == ()
    assert projected(to_cnf(unroll(completion, completion.components())), ()) == []
