"""Masks and the way back: their distributions against what they should be."""

from __future__ import annotations

from math import factorial

import pytest
import torch
from torch import Tensor

from moose.learning.heads import Sides
from moose.methods.base.latent_variables import LatentVariables
from moose.methods.nesydm.diffusion import (
    Path,
    Resampling,
    Times,
    draw_masks,
    fill,
    fill_by_resampling,
    random_path,
    repeat_path,
    spread_path,
)
from moose.methods.nesydm.nesydm_exact import NesydmExact
from tests.methods.lights import completions, light_examples, model_and_examples, vector_probability, vectors

ROWS = 20_000


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def frequencies(values: Tensor) -> Tensor:
    """Return how often each of the possible vectors occurs."""
    codes = {tuple(vector.flatten().tolist()): place for place, vector in enumerate(vectors())}
    found = torch.tensor([codes[tuple(value)] for value in values.flatten(1).tolist()])
    return torch.bincount(found, minlength=len(codes)) / len(values)


def scene(evidence: int) -> tuple[LatentVariables, Tensor, Tensor, Tensor]:
    """Return variables, the evidence of one example, logits of a network that looks at nothing, and the posterior."""
    model, prepared = model_and_examples(NesydmExact(), light_examples())
    variables, mask = model.variables(prepared), prepared.mask[evidence]
    logits = torch.randn(2, 4, generator=generator(4))
    weights = vector_probability(logits, vectors()) * completions(variables, mask, vectors())
    return variables, mask, logits, weights / weights.sum()


@pytest.mark.parametrize("times", ["integrated", "drawn"])
def test_masks_weigh_as_in_continuous_time(times: Times) -> None:
    """Each set of n of d variables should weigh ∫ t^(n-1) (1-t)^(d-n) dt = (n-1)! (d-n)! / d! in all."""
    masking = draw_masks(200_000, 3, times, generator())
    codes = (masking.is_masked.long() * torch.tensor([1, 2, 4])).sum(1)
    totals = torch.zeros(8).scatter_add_(0, codes, masking.weight) / len(codes)
    for code in range(1, 8):
        number = code.bit_count()
        assert totals[code].item() == pytest.approx(factorial(number - 1) * factorial(3 - number) / 6, abs=0.015)
    assert totals[0] == 0


def test_a_single_variable_is_always_masked() -> None:
    masking = draw_masks(5, 1, "integrated", generator())
    assert bool(masking.is_masked.all()) and masking.weight.tolist() == [1.0] * 5


def test_values_are_drawn_by_their_probability() -> None:
    variables, _, _, _ = scene(0)
    chances = torch.tensor([0.3, 0.0, 0.25, 0.75, 0.6, 0.1, 0.2, 0.7])
    steps = (torch.arange(1000) + 0.5) / 1000
    colour = variables.draw_one(chances.expand(1000, 8), torch.zeros(1000, dtype=torch.int64), steps)
    assert (colour > 0).sum(0).tolist() == [0, 0, 250, 750, 0, 0, 0, 0]
    assert (colour < 0).sum(0).tolist() == [0, 1000, 750, 250, 0, 0, 0, 0]
    wet = variables.draw_one(chances.expand(1000, 8), torch.full((1000,), 3), steps)
    assert (wet > 0).sum(0).tolist() == [0, 0, 0, 0, 600, 0, 0, 0]
    assert (wet != 0).sum(0).tolist() == [0, 0, 0, 0, 1000, 0, 0, 0]


def test_all_variables_are_drawn_at_once() -> None:
    variables, _, logits, _ = scene(0)
    drawn = variables.draw_all(variables.weight_map.head.sides(logits.unsqueeze(0)), ROWS, generator())
    assert drawn.shape == (1, ROWS, 2, 4)
    torch.testing.assert_close(frequencies(drawn[0]), vector_probability(logits, vectors()), rtol=0, atol=0.012)


@pytest.mark.parametrize("evidence", range(4))
def test_what_is_borne_is_what_has_a_world(evidence: int) -> None:
    variables, mask, _, posterior = scene(evidence)
    several = torch.stack([vectors(), vectors().flip(0)])
    found = variables.are_consistent(several, mask.expand(2, -1))
    assert found.tolist() == [(posterior > 0).tolist(), (posterior > 0).flip(0).tolist()]
    # beyond what a key can hold, each vector is counted by itself
    direct = variables._are_consistent(vectors().flatten(1).view_as(vectors()), mask.expand(len(vectors()), -1))
    assert direct.tolist() == found[0].tolist()


@pytest.mark.parametrize("evidence", [0, 2])
def test_the_way_back_draws_from_the_posterior(evidence: int) -> None:
    """A network that looks at nothing says one product; the vectors are then draws from it given the evidence."""
    variables, mask, logits, posterior = scene(evidence)
    sides = variables.weight_map.head.sides(logits.expand(ROWS, 2, 4))
    many = mask.expand(ROWS, -1)
    layer = variables.weight_map.binding.layer
    first = layer.posteriors(variables.weight_map.log_weights(sides, many), many)
    path = random_path(ROWS, variables.count, 10, generator())
    filled = fill(variables, (sides, first), lambda _: sides, many, path)
    completed = completions(variables, mask, vectors())
    if bool((completed <= 1).all()):
        torch.testing.assert_close(frequencies(filled.known), posterior, rtol=0, atol=0.012)
    assert bool(variables.are_consistent(filled.known.unsqueeze(0), mask.unsqueeze(0)).all())
    marginals = (posterior[:, None, None] * (vectors() > 0)).sum(0)
    torch.testing.assert_close(filled.latent.mean(0), marginals, rtol=0, atol=0.012)


def test_the_network_is_asked_what_it_was_told() -> None:
    """With a network that copies the first individual's colour, the two always agree where the theory lets them."""
    variables, _, _, _ = scene(0)
    mask = torch.zeros(300, variables.weight_map.binding.layer.atom_count, dtype=torch.int8)
    start = variables.weight_map.head.sides(torch.zeros(300, 2, 4))

    def sides_given(known: Tensor) -> Sides:
        other = known.flip(1).float() * 30
        other[..., 0] = 0
        return variables.weight_map.head.sides(other)

    first = variables.weight_map.binding.layer.posteriors(variables.weight_map.log_weights(start, mask), mask)
    known = fill(variables, (start, first), sides_given, mask, random_path(300, 4, 10, generator())).known
    is_green = (known[..., 3] > 0).any(1)
    assert 0 < is_green.sum() < 300
    assert bool((known[~is_green][:, 0, 1:] == known[~is_green][:, 1, 1:]).all())


def test_resampling_comes_near_the_posterior_and_may_be_inconsistent() -> None:
    variables, mask, logits, posterior = scene(2)
    rows = 3000
    sides, many = variables.weight_map.head.sides(logits.expand(rows, 2, 4)), mask.expand(rows, -1)
    path = random_path(rows, variables.count, 10, generator())
    found = [
        fill_by_resampling(variables, lambda _: sides, many, path, Resampling(count, beta, generator()))
        for count, beta in ((64, 20.0), (1, 10.0))
    ]
    torch.testing.assert_close(frequencies(found[0]), posterior, rtol=0, atol=0.04)
    torch.testing.assert_close(frequencies(found[1]), vector_probability(logits, vectors()), rtol=0, atol=0.04)


def test_paths_are_spread_evenly_and_shared() -> None:
    path = spread_path(12, 4, 10, generator())
    assert torch.bincount(path.orders[:, 0]).tolist() == [3, 3, 3, 3]
    assert all(sorted(order) == [0, 1, 2, 3] for order in path.orders.tolist())
    assert sorted((path.uniforms[:, 2] * 12).long().tolist()) == list(range(12))
    assert torch.equal(repeat_path(path, 3).orders[12:24], path.orders)


@pytest.mark.parametrize(("variables", "steps", "asked"), [(4, 10, 4), (4, 2, 2), (17, 10, 10), (17, 1, 1)])
def test_the_network_is_asked_so_often(variables: int, steps: int, asked: int) -> None:
    path = Path(torch.zeros(1, variables, dtype=torch.int64), torch.zeros(1, variables), steps)
    assert 1 + sum(path.asks_at(place) for place in range(1, variables)) == asked
