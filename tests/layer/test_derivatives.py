"""Derivatives of first and second order, at the edges too: weights of 0 and 1, contradictions, tiny counts."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck

from moose.base.errors import MooseError
from moose.grounding.clauses import Clauses
from moose.layer.layer import WMCLayer
from tests.circuit.brute_force import worlds_of
from tests.circuit.random_clauses import clause_sets, evidence_on
from tests.layer.examples import layers, mask, mnist, pair_layers, random_log_weights
from tests.searching import examples


@st.composite
def cases(draw: st.DrawFn) -> tuple[Clauses, Tensor, Tensor]:
    clauses = draw(clause_sets(most=4, given=True))
    size = len(worlds_of(clauses).atoms)
    evidence = mask(draw(st.lists(evidence_on(size, most=2), min_size=2, max_size=2)), size)
    spread = draw(st.sampled_from([1.0, 1.0, 300.0]))  # 300: differences that only scaled numbers hold
    return clauses, random_log_weights(2, size, seed=draw(st.integers(0, 9)), spread=spread), evidence


@examples(30)
@given(cases())
def test_derivatives_of_log_wmc(case: tuple[Clauses, Tensor, Tensor]) -> None:
    clauses, weights, evidence = case
    for layer in layers(clauses):
        if bool(layer(weights, evidence).isfinite().all()):
            leaf = weights.clone().requires_grad_()
            assert gradcheck(layer, (leaf, evidence), atol=1e-4)
            assert gradgradcheck(layer, (leaf, evidence), atol=1e-4)


@examples(30)
@given(cases())
def test_derivatives_of_posteriors(case: tuple[Clauses, Tensor, Tensor]) -> None:
    clauses, weights, evidence = case
    for layer in layers(clauses):
        leaf = weights.clone().requires_grad_()
        assert gradcheck(layer.posteriors, (leaf, evidence), atol=1e-4)


@examples(25)
@given(cases())
def test_the_executors_have_the_same_derivatives(case: tuple[Clauses, Tensor, Tensor]) -> None:
    clauses, weights, evidence = case
    fused, plain, _ = layers(clauses)
    direction = random_log_weights(2, weights.shape[1] // 2, seed=7)
    results = []
    for layer in (fused, plain):
        leaf = weights.clone().requires_grad_()
        logs = layer(leaf, evidence)
        (slope,) = torch.autograd.grad(logs.nan_to_num(neginf=0.0).sum(), leaf, create_graph=True)
        (second,) = torch.autograd.grad((slope * direction).sum(), leaf)
        results.append((logs, slope, second))
    torch.testing.assert_close(results[0], results[1], rtol=1e-8, atol=1e-9)


def test_weights_changed_in_place_are_noticed() -> None:
    layer, *_ = pair_layers([(1, 2)], 2)
    leaf = random_log_weights(1, 2, seed=3).requires_grad_()
    weights = leaf * 1.0
    logs = layer(weights)
    (slope,) = torch.autograd.grad(logs.sum(), leaf, retain_graph=True)
    weights.add_(1.0)
    assert torch.equal(torch.autograd.grad(logs.sum(), leaf, retain_graph=True)[0], slope)
    with pytest.raises(MooseError, match="changed in place"):
        torch.autograd.grad(logs.sum(), leaf, create_graph=True)


def test_third_derivatives_exist() -> None:
    for layer in pair_layers([(1, 2, -3), (-1, 3)], 3):
        leaf = random_log_weights(1, 3, seed=3).requires_grad_()
        assert gradgradcheck(layer.posteriors, leaf)


@pytest.mark.parametrize("executor", ["fused", "torch"])
def test_certain_weights_and_contradictions_beside_ordinary_examples(executor: str) -> None:
    layer = WMCLayer(mnist(), executor=executor)  # type: ignore[arg-type]
    size = len(layer.circuit.atoms)
    probabilities = torch.full((5, size), 0.3, dtype=torch.float64)
    probabilities[0, :10] = torch.eye(10, dtype=torch.float64)[2]
    probabilities[1] = 0.0  # no digit at all: contradicts the cover
    words = [{}, {}, {"Even(x)": True, "Odd(x)": True}, {"Even(x)": True, "Prime(x)": True}, {}]
    individual = layer.circuit.atoms[0].arguments[0]
    evidence = layer.evidence([{k.replace("x", individual): v for k, v in word.items()} for word in words])
    weights = torch.cat([probabilities.log(), (-probabilities).log1p()], 1)
    weights[4, [0, size]] = -torch.inf  # neither an atom nor its negation may hold
    weights.requires_grad_()
    logs = layer(weights, evidence)
    assert logs.isneginf().tolist() == [False, True, True, False, True]
    posteriors = layer.posteriors(weights, evidence)
    (slopes,) = torch.autograd.grad(logs.sum(), weights, create_graph=True)
    (second,) = torch.autograd.grad((slopes**2).sum() + (posteriors**2).sum(), weights)
    for result in (slopes, second, posteriors):
        assert not result.isnan().any()
        assert not result[[1, 2, 4]].any()
    assert posteriors[3, 2].item() == 1.0  # the even prime
    torch.testing.assert_close(posteriors[0, :10], probabilities[0, :10])


def test_the_loss_of_a_contradiction_pulls_nowhere() -> None:
    for layer in pair_layers([(1,), (-1, 2)], 2):
        weights = torch.zeros(2, 4, dtype=torch.float64, requires_grad=True)
        layer.loss(weights, mask([{0: False}, {1: True}], 2)).backward()
        assert weights.grad is not None and not weights.grad.isnan().any()
        assert weights.grad[0].tolist() == [0.0] * 4 and weights.grad[1].any()


@examples(25)
@given(clause_sets(most=5, given=True), st.data())
def test_slopes_by_probabilities_are_differences_of_counts(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    size = len(worlds.atoms)
    numbers = st.sampled_from([0.0, 0.0, 1.0, 0.25, 0.9])
    probabilities = torch.tensor([data.draw(st.lists(numbers, min_size=size, max_size=size))], dtype=torch.float64)
    for layer in layers(clauses):
        leaf = probabilities.clone().requires_grad_()
        log = layer.from_probabilities(leaf)
        (slope,) = torch.autograd.grad(log.sum(), leaf)
        expected = torch.zeros_like(slope)
        if log.isfinite().all():
            for position in range(size):
                counts = []
                for value in (1.0, 0.0):
                    changed = probabilities.clone()
                    changed[0, position] = value
                    counts.append(layer.from_probabilities(changed).exp())
                expected[0, position] = ((counts[0] - counts[1]) / log.exp()).item()
        torch.testing.assert_close(slope, expected, rtol=1e-9, atol=1e-9)
        torch.testing.assert_close(log, layer(torch.cat([probabilities.log(), (-probabilities).log1p()], 1)))


@pytest.mark.parametrize("executor", ["fused", "torch"])
def test_second_derivatives_by_probabilities(executor: str) -> None:
    layer = pair_layers([(1, 2), (-1, 3)], 3)[executor == "torch"]
    leaf = torch.tensor([[0.2, 0.5, 0.9], [0.7, 0.1, 0.4]], dtype=torch.float64, requires_grad=True)
    evidence = mask([{}, {1: True}], 3)
    assert gradcheck(layer.from_probabilities, (leaf, evidence))
    assert gradgradcheck(layer.from_probabilities, (leaf, evidence))
