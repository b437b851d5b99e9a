"""The loops compiled by numba give what the same loops give as plain Python, on lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.checks.check_diagram import check_scopes
from moose.circuit.diagram import Diagram
from moose.circuit.inference import bitsets, executor
from moose.circuit.inference.entailment import entailed_atoms
from moose.circuit.inference.evaluate import log_wmc, smoothed
from moose.circuit.inference.marginals import marginals
from moose.circuit.inference.most_probable_world import heaviest
from moose.circuit.inference.weights import LiteralWeights
from moose.grounding.clauses import Clauses
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.circuit.test_evaluate import literal_weights
from tests.searching import examples


def answers(diagram: Diagram, weights: LiteralWeights, evidence: dict[int, bool]) -> list[object]:
    found = marginals(diagram, weights)
    return [
        log_wmc(diagram, weights),
        None if found is None else found.tolist(),
        heaviest(diagram, weights),
        entailed_atoms(diagram, evidence),
        check_scopes(diagram),
    ]


@given(clause_sets(most=10), st.data())
@examples(40)
def test_compiled_and_plain_loops_agree_to_the_last_bit(clauses: Clauses, data: st.DataObject) -> None:
    size = len(clauses.atoms)
    weights, evidence = literal_weights(data.draw(weight_pairs(size))), data.draw(evidence_on(size))
    for diagram in [*both(clauses), smoothed(both(clauses)[1])]:
        plain = answers(diagram, weights, evidence)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(executor, "WORTH_COMPILING", -1)
            assert answers(diagram, weights, evidence) == plain


@pytest.mark.parametrize("compiled", [False, True])
def test_more_atoms_than_one_block_holds(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.circuit.test_evaluate import chain

    monkeypatch.setattr(bitsets, "PLAIN_BLOCK", 100)
    monkeypatch.setattr(executor, "WORTH_COMPILING", -1 if compiled else 10**9)
    diagram = chain(1300)
    assert entailed_atoms(diagram, {3: True}) == dict.fromkeys(range(1300), True)
    assert check_scopes(diagram) == (None, None, True)
    twice = Diagram(
        1300, diagram.starts, np.where(diagram.primes == 1299, 7, diagram.primes), diagram.subs, diagram.root
    )
    shared, uneven, is_whole = check_scopes(twice)
    assert shared is not None and uneven is None and not is_whole
