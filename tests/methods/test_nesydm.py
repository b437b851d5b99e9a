"""Neurosymbolic diffusion: every part of its loss against sums over all worlds, and what it learns."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.latent_variables import LatentVariables
from moose.methods.base.perception import Perception
from moose.methods.nesydm.nesydm import DiffusionModel, Nesydm, Noised
from moose.methods.nesydm.nesydm_exact import NesydmExact
from moose.methods.nesydm.nesydm_rloo import NesydmRloo, leave_one_out
from moose.methods.registry import make_method
from tests.learning.toys import chain, toy_examples
from tests.methods.lights import (
    PERCEPTION,
    completions,
    light_examples,
    model_and_examples,
    vector_probability,
    vectors,
    worlds,
)

BOTH = ("nesydm-exact", "nesydm-rloo")


def noised_batch(
    model: DiffusionModel, variables: LatentVariables, mask: Tensor, logits: Tensor, known: Tensor
) -> Noised:
    """Make a batch of which the network says some logits."""
    sides = variables.weight_map.head.sides(logits)
    return Noised(
        variables=variables,
        mask=mask,
        values=known,
        known=known,
        sides=variables.settled(sides, known),
        weight=torch.ones(len(mask)),
        sides_given=lambda _: sides,
        generator=torch.Generator().manual_seed(0),
    )


def point_masses(logits: Tensor, known: Tensor) -> Tensor:
    """Move logits to where what is known is certain."""
    return torch.where(known > 0, 60.0, torch.where(known < 0, -60.0, logits))


def plain_count(variables: LatentVariables, mask: Tensor, logits: Tensor) -> Tensor:
    """WMC of one example by a sum over all vectors; atoms that are free weigh ½."""
    values = vectors()
    free = (mask[variables.weight_map.others] == 0).sum()
    return (vector_probability(logits, values) * completions(variables, mask, values)).sum() / 2.0**free


def known_parts(variables: LatentVariables, mask: Tensor) -> Tensor:
    """Return for each example a consistent vector, masked in another place in each."""
    chosen = [vectors()[completions(variables, row, vectors()) > 0][-1] for row in mask]
    is_masked = torch.tensor([[True] * 4, [True, False, True, False], [False, True, True, True], [False] * 3 + [True]])
    return variables.masked(torch.stack(chosen), is_masked)


# ----------------------------------------------------------------------------------------------- exact L_y and H


def test_the_theory_ties_individuals_together() -> None:
    model, prepared = model_and_examples(NesydmExact(), light_examples())
    variables = model.variables(prepared)
    assert variables.count == 4 and variables.is_family.tolist() == [True, False, True, False]
    assert 0 < (completions(variables, prepared.mask[0], vectors()) > 0).sum() < len(vectors())
    assert len(worlds(variables)) > 10


def test_exact_loss_is_a_sum_over_worlds_in_value_and_derivative() -> None:
    model, prepared = model_and_examples(NesydmExact(), light_examples())
    variables, mask = model.variables(prepared), prepared.mask
    known = known_parts(variables, mask)
    logits = torch.randn(4, 2, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).requires_grad_()
    loss, _ = model.evidence_loss(noised_batch(model, variables, mask, logits, known))
    plain = -torch.stack(
        [plain_count(variables, m, point_masses(one, k)).log() for m, one, k in zip(mask, logits, known)]
    )
    torch.testing.assert_close(loss, plain)
    exact, slow = (torch.autograd.grad(value.sum(), logits)[0] for value in (loss, plain))
    torch.testing.assert_close(exact, slow)
    assert bool((exact[known != 0] == 0).all())


def test_entropy_is_that_of_the_worlds_given_the_evidence() -> None:
    model, prepared = model_and_examples(NesydmExact(), light_examples())
    variables, mask = model.variables(prepared), prepared.mask
    start = model._start(model.network, prepared, slice(0, 4), mask)
    found = model._entropy(variables, start, mask) * variables.count
    for row in range(4):
        weights = vector_probability(start.logits[row], vectors())
        shares = torch.repeat_interleave(weights, completions(variables, mask[row], vectors()))
        shares = shares / shares.sum()
        torch.testing.assert_close(found[row], -(shares * shares.log()).sum(), rtol=1e-4, atol=1e-5)


def test_entropy_without_evidence_is_that_of_the_product() -> None:
    model, prepared = model_and_examples(NesydmExact(entropy="unconditional"), light_examples())
    variables, mask = model.variables(prepared), prepared.mask
    start = model._start(model.network, prepared, slice(0, 4), mask)
    shares = vector_probability(start.logits[2], vectors())
    found = model._entropy(variables, start, mask)[2] * variables.count
    torch.testing.assert_close(found, -(shares * shares.log()).sum(), rtol=1e-4, atol=1e-5)


def test_unmasking_loss_by_hand() -> None:
    model, prepared = model_and_examples(NesydmExact(), light_examples())
    variables = model.variables(prepared)
    logits = torch.zeros(4, 2, 4)
    logits[:, :, 1] = math.log(2)  # red: ½, the others ¼
    values = vectors()[:4]
    known = variables.masked(values, torch.tensor([[True, False, False, False]] * 4))
    noised = noised_batch(model, variables, prepared.mask, logits, known)
    found = model._unmasking_loss(replace(noised, values=values, weight=torch.full((4,), 2.0)))
    expected = [math.log(2) if value[0, 1] > 0 else math.log(4) for value in values]
    torch.testing.assert_close(found, 2 * torch.tensor(expected) / 4)


def test_mean_marginals_by_hand() -> None:
    """With values at all times, half of them hidden, the count is that of the mean of point masses and softmax."""
    method = NesydmExact(averaged=True, steps=2)
    model, prepared = model_and_examples(method, light_examples())
    variables, mask = model.variables(prepared), prepared.mask
    logits = torch.randn(4, 2, 4, generator=torch.Generator().manual_seed(1)).requires_grad_()
    values = torch.stack([vectors()[completions(variables, row, vectors()) > 0][1] for row in mask])
    noised = noised_batch(model, variables, mask, logits, variables.free(4))
    sides = variables.weight_map.head.sides(logits.repeat_interleave(2, 0))
    hidden = torch.rand(8, 4, generator=torch.Generator().manual_seed(0)) < torch.tensor([0.25, 0.75] * 4).unsqueeze(1)
    loss, _ = model.evidence_loss(replace(noised, values=values, sides_given=lambda _: sides))
    for row in range(4):
        probability = torch.cat([logits[row, :, :1].sigmoid(), logits[row, :, 1:].softmax(-1)], -1)
        shown = variables.masked(values[[row, row]], hidden[2 * row : 2 * row + 2])
        means = torch.where(shown == 0, probability, (shown > 0).float()).mean(0).clamp(1e-6, 1 - 1e-6)
        as_logits = torch.cat([means[:, :1].logit(), means[:, 1:].log()], -1)
        torch.testing.assert_close(loss[row], -plain_count(variables, mask[row], as_logits).log(), rtol=1e-4, atol=1e-4)
    assert bool(torch.autograd.grad(loss.sum(), logits)[0].isfinite().all())


# ---------------------------------------------------------------------------------------------------------- RLOO


def test_leave_one_out_is_unbiased_by_enumeration() -> None:
    """The mean of ρ's derivative over all pairs of vectors is the derivative of the probability of those consistent."""
    model, prepared = model_and_examples(NesydmRloo(), light_examples())
    variables, values = model.variables(prepared), vectors()
    mask = prepared.mask[1:2]
    logits = torch.randn(1, 2, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(5)).requires_grad_()
    rewards = (completions(variables, mask[0], values) > 0).double()
    chances = vector_probability(logits[0], values)
    slope = torch.autograd.grad((chances * rewards).sum(), logits)[0]
    pairs = torch.tensor(list(product(range(len(values)), repeat=2)))
    sides = variables.weight_map.head.sides(logits.expand(len(pairs), 2, 4))
    rho = leave_one_out(sides, values[pairs], rewards[pairs])
    weights = chances.detach()[pairs].prod(1)
    torch.testing.assert_close(torch.autograd.grad((weights * rho).sum(), logits)[0], slope)


def test_samples_estimate_what_is_exact() -> None:
    model, prepared = model_and_examples(NesydmRloo(samples=20_000), light_examples())
    exact = NesydmExact().evidence_loss()
    variables, mask = model.variables(prepared), prepared.mask
    known = known_parts(variables, mask)
    logits = 0.5 * torch.randn(4, 2, 4, generator=torch.Generator().manual_seed(2))
    logits.requires_grad_()
    # Where each consistent vector has one completion, the two differ by the constant weight of free atoms.
    is_single = torch.tensor([bool((completions(variables, row, vectors()) <= 1).all()) for row in mask])
    assert bool(is_single.any())
    batch = noised_batch(model, variables, mask, logits, known)
    (sampled, terms), (counted, _) = model.evidence_loss(batch), exact(batch)
    free = (mask[:, variables.weight_map.others] == 0).sum(1) * math.log(2)
    torch.testing.assert_close(sampled[is_single], (counted - free)[is_single], rtol=0.05, atol=0.05)
    assert 0 < terms["satisfied"] < 1
    one, two = (torch.autograd.grad(loss[is_single].sum(), logits, retain_graph=True)[0] for loss in (sampled, counted))
    torch.testing.assert_close(one, two, rtol=0.1, atol=0.05)


def test_no_sample_borne_is_no_error() -> None:
    model, prepared = model_and_examples(NesydmRloo(samples=4), light_examples())
    variables = model.variables(prepared)
    logits = torch.full((1, 2, 4), -30.0)
    logits[..., 1] = 30.0  # surely red, where Go is observed
    logits.requires_grad_()
    loss, terms = model.evidence_loss(noised_batch(model, variables, prepared.mask[1:2], logits, variables.free(1)))
    assert terms == {"satisfied": 0.0} and loss.item() == pytest.approx(-math.log(1e-8))
    assert bool((torch.autograd.grad(loss.sum(), logits)[0] == 0).all())


# ------------------------------------------------------------------------------------------- learning, answering


@pytest.mark.parametrize("name", BOTH)
def test_it_learns_digits_of_one_pixel(name: str) -> None:
    examples = toy_examples("mnist2", 384, share=1.0)
    method = make_method(name, samples=256)
    predictor = method.fit(
        examples.task, examples, training=Training(epochs=12, learning_rate=1e-2), perception=PERCEPTION
    )
    first, last = predictor.history[0], predictor.history[-1]
    assert last.loss < first.loss
    if name == "nesydm-rloo":
        assert last.terms["satisfied"] > max(0.5, first.terms["satisfied"])
    accuracy = predictor.evaluate(examples).given_evidence.scores.acc_f
    assert accuracy is not None and accuracy > 0.6


@pytest.mark.parametrize("name", BOTH)
def test_answers_do_not_depend_on_company_or_on_torch_s_random_state(name: str) -> None:
    method = make_method(name, answers=8)
    assert isinstance(method, Nesydm)
    model, prepared = model_and_examples(method, light_examples(12))
    model.eval()
    state = torch.random.get_rng_state()
    with torch.no_grad():
        whole = model.answer(prepared, slice(0, 12), use_evidence=True)
        parts = [model.answer(prepared, rows, use_evidence=True) for rows in (slice(0, 5), slice(5, 12))]
        losses = [model.objective(model.network, prepared, slice(0, 12), None).loss for _ in range(2)]
    torch.testing.assert_close(whole.posteriors, torch.cat([part.posteriors for part in parts]))
    torch.testing.assert_close(whole.network, torch.cat([part.network for part in parts]))
    assert losses[0] == losses[1]
    assert torch.equal(state, torch.random.get_rng_state())


def test_a_model_is_made_from_its_seed_alone() -> None:
    state = torch.random.get_rng_state()
    one, two, other = (NesydmExact().model(light_examples().task, Perception((1, 28, 28)), seed=s) for s in (1, 1, 2))
    assert torch.equal(state, torch.random.get_rng_state())
    pairs = list(zip(one.state_dict().values(), two.state_dict().values(), strict=True))
    assert all(torch.equal(left, right) for left, right in pairs)
    assert not torch.equal(one.network.context.weight, other.network.context.weight)


def test_a_model_answers_about_more_individuals_than_it_learnt_from() -> None:
    examples = toy_examples("mnist2", 8)
    predictor = NesydmExact(answers=4, steps=2).fit(
        examples.task, examples, training=Training(epochs=1), perception=PERCEPTION
    )
    longer = toy_examples("mnist2", 4, task=chain(3))
    posteriors = predictor.predict(longer).posteriors
    assert posteriors.shape == (4, 3, 14)
    assert posteriors[..., :10].sum(-1) == pytest.approx(1.0, abs=1e-5)


def test_what_is_known_of_one_individual_moves_the_other() -> None:
    model, prepared = model_and_examples(NesydmExact(), light_examples())
    variables = model.variables(prepared)
    encoded = model.network.encode(prepared.examples.scaled_inputs(slice(0, 1)))
    known = variables.masked(vectors()[:1], torch.tensor([[False, False, True, True]]))
    nothing = model.network(encoded, variables.free(1))
    assert not torch.allclose(model.network(encoded, known)[:, 1], nothing[:, 1])


@pytest.mark.parametrize(
    "wrong", [{"gamma_c": -1.0}, {"steps": 0}, {"entropy": "joint"}, {"times": "now"}, {"beta": -1.0}]
)
def test_wrong_options_are_refused(wrong: dict[str, object]) -> None:
    for name in BOTH:
        with pytest.raises(MooseError, match=next(iter(wrong))):
            make_method(name, **wrong)


@pytest.mark.parametrize("name", BOTH)
def test_labels_that_are_given_are_learnt_from(name: str) -> None:
    """Evidence may speak of latent concepts: then every vector agrees with it, and the loss is that of supervision."""
    free = toy_examples("mnist2", 192, share=0.0)
    is_digit = torch.tensor([concept.is_latent for concept in free.task.concepts])
    labelled = Examples(free.task, free.inputs, free.truth * is_digit, free.truth, allow_latent=True)
    method = make_method(name, samples=64, gamma_h=0.0)
    training = Training(epochs=8, learning_rate=1e-2)
    predictor = method.fit(free.task, labelled, training=training, perception=PERCEPTION)
    digits = predictor.predict(labelled).posteriors[..., :10]
    assert digits == pytest.approx((labelled.truth[..., :10] > 0).float().numpy())
    accuracy = predictor.evaluate(free).network.scores.acc_f
    assert accuracy is not None and accuracy > (0.8 if name == "nesydm-exact" else 0.2)  # samples take longer


def test_one_sample_has_no_baseline() -> None:
    with pytest.raises(MooseError, match="at least 2 samples"):
        make_method("nesydm-rloo", samples=1)
    with pytest.raises(MooseError, match="averaged"):
        make_method("nesydm-exact", averaged=3)
