"""Samples are models, and as frequent as they should be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.inference import executor
from moose.circuit.inference.evaluate import smoothed
from moose.circuit.inference.models import draw_models
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.brute_force import clamped, world_weight, worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.circuit.test_evaluate import literal_weights
from tests.searching import examples

COUNT = 2000


@given(clause_sets(most=5), st.data())
@examples(25)
def test_samples_are_models_as_frequent_as_their_weight(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    size = len(worlds.atoms)
    pairs, evidence = data.draw(weight_pairs(size)), data.draw(evidence_on(size, most=1))
    known, pairs = worlds.given(evidence), clamped(pairs, evidence)
    whole = known.wmc(pairs)
    for diagram in [*both(clauses), smoothed(both(clauses)[0])]:
        samples = draw_models(diagram, literal_weights(pairs), COUNT, seed=0)
        if whole == 0:
            assert samples is None
            continue
        assert samples is not None and samples.shape == (COUNT, size)
        found = Counter(tuple(row) for row in samples.tolist())
        expected = {model: float(world_weight(model, pairs) / whole) for model in known.models()}
        for model, probability in expected.items():
            # five standard deviations: for a few thousand comparisons one in a thousand runs would go astray
            spread = 5 * (COUNT * probability * (1 - probability)) ** 0.5
            assert abs(found.pop(model, 0) - COUNT * probability) <= spread + 5 * (0 < probability < 1)
        assert not found, "a sample is no model"


def test_a_seed_gives_its_samples_again_compiled_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses = clauses_from_lists([Atom(name, ("a",)) for name in "ABCD"], [(1, 2), (-2, 3), (-1, 4, 2)])
    for diagram in both(clauses):
        weights = literal_weights([(Fraction(1), Fraction(2))] * 4)
        plain = draw_models(diagram, weights, 200, seed=7)
        assert plain is not None
        assert np.array_equal(plain, draw_models(diagram, weights, 200, seed=7))  # type: ignore[arg-type]
        assert not np.array_equal(plain, draw_models(diagram, weights, 200, seed=8))  # type: ignore[arg-type]
        with monkeypatch.context() as patched:
            patched.setattr(executor, "WORTH_COMPILING", -1)
            assert np.array_equal(plain, draw_models(diagram, weights, 200, seed=7))  # type: ignore[arg-type]
