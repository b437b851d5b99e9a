"""Random Horn programs over a few axioms, with many cycles, and the models of clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from hypothesis import strategies as st

from moose.queries.export.tseitin import Cnf
from moose.queries.program.program import GOAL
from moose.saturation.recorded.horn import HornClause, least_model

AXIOMS = tuple(range(5))
FACTS = (GOAL, *range(5, 11))

bodies = st.frozensets(st.sampled_from((*AXIOMS, *FACTS[1:])), max_size=3)
programs = st.lists(st.tuples(bodies, st.sampled_from(FACTS)), max_size=16)
"""Clauses whose heads are facts; a head may be in its own body, a fact may have no clause."""


def worlds(axioms: Iterable[int] = AXIOMS) -> Iterator[frozenset[int]]:
    """Yield every set of axioms."""
    axioms = list(axioms)
    for choice in product((False, True), repeat=len(axioms)):
        yield frozenset(axiom for axiom, holds in zip(axioms, choice, strict=True) if holds)


def holds(clauses: Iterable[HornClause], world: Iterable[int]) -> bool:
    """Tell whether a program concludes the goal in a world."""
    return GOAL in least_model(clauses, world)


def models(cnf: Cnf) -> Iterator[frozenset[int]]:
    """Yield the true variables of every model of clauses."""
    from pysat.solvers import Solver

    with Solver("glucose3", bootstrap_with=[list(clause) for clause in cnf.clauses]) as solver:
        for variable in range(1, cnf.variable_count + 1):
            solver.add_clause([variable, -variable])  # a variable that no clause names has two values all the same
        for model in solver.enum_models():
            yield frozenset(literal for literal in model if literal > 0)


def projected(cnf: Cnf, axioms: Iterable[int]) -> list[frozenset[int]]:
    """Return the axioms that are true in each model, one entry for each model."""
    variables = {axiom: cnf.axiom_variable(axiom) for axiom in axioms}
    return [frozenset(axiom for axiom, number in variables.items() if number in model) for model in models(cnf)]
