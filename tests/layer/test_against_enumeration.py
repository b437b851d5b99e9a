"""Both executors give what adding up all worlds gives."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.brute_force import Pair, Worlds, world_weight, worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.layer.examples import atoms, layers, log_weights, logarithm, mask
from tests.searching import examples

Batch = tuple[Clauses, list[list[Pair]], list[dict[int, bool]]]


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    clauses = draw(clause_sets(most=7, auxiliary=True, given=True))
    size = len(worlds_of(clauses).atoms)
    count = draw(st.integers(1, 3))
    rows = draw(st.lists(weight_pairs(size), min_size=count, max_size=count))
    return clauses, rows, draw(st.lists(evidence_on(size), min_size=count, max_size=count))


def models(clauses: Clauses, observed: dict[int, bool]) -> Worlds:
    worlds = worlds_of(clauses).given(observed)
    place = {atom: position for position, atom in enumerate(worlds.atoms)}
    for literal in clauses.given:  # one after the other: they may contradict the evidence
        worlds = worlds.given({place[clauses.atoms[abs(literal) - 1]]: literal > 0})
    return worlds


@examples(60)
@given(batches())
def test_counts_and_posteriors_are_those_of_all_worlds(batch: Batch) -> None:
    clauses, rows, evidence = batch
    worlds = [models(clauses, observed) for observed in evidence]
    counts = [world.wmc(weights) for world, weights in zip(worlds, rows)]
    expected = torch.tensor([logarithm(count) for count in counts], dtype=torch.float64)
    posteriors = torch.tensor(
        [
            [float(p) for p in world.posteriors(weights)] if count else [0.0] * len(world.atoms)
            for world, weights, count in zip(worlds, rows, counts)
        ],
        dtype=torch.float64,
    ).reshape(len(rows), -1)
    observed = mask(evidence, len(worlds[0].atoms))
    for diagram in both(clauses):
        for layer in layers(clauses, diagram):
            torch.testing.assert_close(layer(log_weights(rows), observed), expected, rtol=1e-12, atol=1e-12)
            torch.testing.assert_close(layer.posteriors(log_weights(rows), observed), posteriors, rtol=1e-9, atol=1e-12)
            single = layer(log_weights(rows, torch.float32), observed)
            torch.testing.assert_close(single, expected.float(), rtol=1e-5, atol=1e-5)


@examples(60)
@given(batches())
def test_the_most_probable_world_is_the_heaviest_of_all(batch: Batch) -> None:
    clauses, rows, evidence = batch
    worlds = [models(clauses, observed) for observed in evidence]
    observed = mask(evidence, len(worlds[0].atoms))
    for layer in [one for diagram in both(clauses) for one in layers(clauses, diagram)]:
        holds, log_probabilities = layer.most_probable(log_weights(rows), observed)
        for world, weights, own, log in zip(worlds, rows, holds.tolist(), log_probabilities.tolist(), strict=True):
            best, count = world.best(weights), world.wmc(weights)
            if best == 0:
                assert log == -torch.inf and not any(own)
                continue
            assert world.is_model(own)
            assert float(world_weight(own, weights) / best) == pytest.approx(1.0, rel=1e-12)
            assert log == pytest.approx(logarithm(best / count), abs=1e-9)


@examples(40)
@given(batches())
def test_clamped_evidence_is_conditioning(batch: Batch) -> None:
    clauses, rows, evidence = batch
    size = len(worlds_of(clauses).atoms)
    weights, observed = log_weights(rows), mask(evidence, size)
    clamped = weights.clone()
    clamped[:, :size][observed < 0] = -torch.inf
    clamped[:, size:][observed > 0] = -torch.inf
    for layer in layers(clauses):
        torch.testing.assert_close(layer(weights, observed), layer(clamped))
        torch.testing.assert_close(layer.posteriors(weights, observed), layer.posteriors(clamped))


@examples(40)
@given(batches(), st.integers(0, 6), st.booleans())
def test_entailment_is_truth_in_all_models(batch: Batch, position: int, truth: bool) -> None:
    clauses, _, evidence = batch
    worlds = worlds_of(clauses)
    atom = worlds.atoms[position % len(worlds.atoms)] if worlds.atoms else None
    if atom is None:
        return
    literal = str(atom) if truth else f"not {atom}"
    opposite = {position % len(worlds.atoms): not truth}
    expected = [models(clauses, observed).given(opposite).count() == 0 for observed in evidence]
    for layer in layers(clauses):
        answer = layer.entails(mask(evidence, len(worlds.atoms)), literal)
        assert isinstance(answer, torch.Tensor) and answer.tolist() == expected
        words = {worlds.atoms[k]: value for k, value in evidence[0].items()}
        assert layer.entails(words, literal) == expected[0]


@pytest.mark.parametrize(("clauses", "expected"), [([], 0.0), ([()], -torch.inf)])
def test_a_circuit_without_atoms(clauses: list[tuple[int, ...]], expected: float) -> None:
    for layer in layers(clauses_from_lists([], clauses)):
        assert layer(torch.zeros(2, 0)).tolist() == [expected] * 2
        assert layer.posteriors(torch.zeros(2, 0), mask([{}, {}], 0)).shape == (2, 0)
        assert layer.from_probabilities(torch.zeros(2, 0)).tolist() == [expected] * 2


@pytest.mark.parametrize("clauses", [[], [(1,), (-1,)], [(1,)], [(-2,)], [(1, 2)]])
def test_roots_of_every_kind(clauses: list[tuple[int, ...]]) -> None:
    theory = clauses_from_lists(atoms(2), clauses)
    weights = torch.tensor([[0.2, 0.5, 0.7, 3.0]], dtype=torch.float64)
    table = worlds_of(theory).table
    expected = sum(
        float(weights[0, 0 if first else 2] * weights[0, 1 if second else 3])
        for first in (0, 1)
        for second in (0, 1)
        if table[first, second]
    )
    for layer in layers(theory):
        torch.testing.assert_close(layer(weights.log()).exp(), torch.tensor([expected], dtype=torch.float64))
