"""Other programs' answers, where the extra `peers` is installed."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from moose.queries.export.encode import Encoding


def ask_problog(program: str) -> float:
    """Return the probability of the one query of a program; skip the test where ProbLog is absent."""
    limit = sys.getrecursionlimit()
    try:
        pytest.importorskip("problog", reason="ProbLog is not installed: pip install 'moose-el[peers]'")
        from problog import get_evaluatable
        from problog.program import PrologString

        (found,) = get_evaluatable().create_from(PrologString(program)).evaluate().values()
    finally:
        sys.setrecursionlimit(limit)  # ProbLog raises it, which Hypothesis warns of
    return float(found)


def ask_ganak(encoding: Encoding) -> float:
    """Return the weighted count of the clauses; skip the test where pyganak is absent."""
    pyganak = pytest.importorskip("pyganak", reason="pyganak is not installed: pip install 'moose-el[peers]'")
    counter = pyganak.WeightedCounter()
    counter.new_vars(encoding.cnf.variable_count)
    for axiom in encoding.axioms:
        probability, variable = encoding.probabilities[axiom], encoding.cnf.axiom_variable(axiom)
        counter.set_lit_weight(variable, float(probability))
        counter.set_lit_weight(-variable, float(1 - probability))
    counter.add_clauses([list(clause) for clause in encoding.cnf.clauses])
    return float(counter.count())


def is_near(found: float, exact: Fraction) -> bool:
    """Tell whether a double is a fraction, as far as doubles go."""
    return found == pytest.approx(float(exact), rel=1e-9, abs=1e-12)
