"""The paper's literal-weight map, softmax heads, and posteriors over families."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.grounding.clauses import AtomKind
from moose.layer.layer import WMCLayer
from moose.layer.weights import log_complement
from tests.layer.examples import mnist


@cache
def layer() -> WMCLayer:
    return WMCLayer(mnist("mnist2"))


def logits(rows: int, *, seed: int = 0) -> Tensor:
    return 2 * torch.randn(rows, 20, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def position(name: str) -> int:
    return [str(atom) for atom in layer().circuit.atoms].index(name)


def test_table_1() -> None:
    scores = logits(2)
    evidence = layer().evidence([{"Even(a)": True, "Prime(b)": False}, {}])
    weights = layer().literal_weights(scores, evidence).exp()
    latent = [str(atom) for atom in layer().latent_atoms]
    size = len(layer().circuit.atoms)
    for row in range(2):
        for column, name in enumerate(latent):
            assert weights[row, position(name)].item() == pytest.approx(torch.sigmoid(scores[row, column]).item())
    torch.testing.assert_close(weights[:, :size] + weights[:, size:], torch.ones(2, size, dtype=torch.float64))
    assert weights[0, position("Even(a)")] == 1.0 and weights[1, position("Even(a)")] == pytest.approx(0.5)
    assert weights[0, position("Prime(b)")] == 0.0 and weights[1, position("Prime(b)")] == pytest.approx(0.5)
    assert weights[0, position("succ(a,b)")] == 1.0  # given by the task
    assert weights[0, position("succ(b,a)")] == pytest.approx(0.5)


def test_log_probabilities_and_logits_weigh_the_same() -> None:
    scores = logits(3)
    from_logits = layer().literal_weights(scores)
    from_logs = layer().literal_weights(torch.nn.functional.logsigmoid(scores), scale="log_probabilities")
    torch.testing.assert_close(from_logits, from_logs)


@pytest.mark.parametrize("scale", ["logits", "log_probabilities"])
@pytest.mark.parametrize("categorical", [False, True])
def test_saturated_outputs_have_no_nan(scale: Any, categorical: bool) -> None:
    scores = torch.full((1, 20), -math.inf, dtype=torch.float64)
    scores[0, [3, 14]] = 1e4 if scale == "logits" else 0.0
    scores.requires_grad_()
    weights = layer().literal_weights(scores, scale=scale, categorical=categorical)
    loss = layer().loss(weights, layer().evidence([{"Odd(a)": True}]))
    loss.backward()
    assert loss.isfinite() and scores.grad is not None and not scores.grad.isnan().any()


def test_evidence_on_a_latent_atom_is_supervision() -> None:
    scores = logits(1).requires_grad_()
    evidence = layer().evidence([{"D3(a)": True}])
    weights = layer().literal_weights(scores, evidence)
    layer().loss(weights, evidence).backward()
    assert scores.grad is not None and scores.grad[0, 3] < 0


def test_a_family_as_one_variable() -> None:
    scores = logits(4)
    weights = layer().literal_weights(scores, categorical=True)
    first, second = scores[:, :10].softmax(1), scores[:, 10:].softmax(1)
    # With succ(a,b) given, the worlds are the ten pairs (i, i + 1), and the properties that they fix weigh ½ each.
    expected = (first * second.roll(-1, 1)).sum(1)
    ratios = layer()(weights).exp() / expected
    torch.testing.assert_close(ratios, ratios[:1].expand(4))
    for family in layer().family_posteriors(weights):
        torch.testing.assert_close(family.sum(1), torch.ones(4, dtype=torch.float64))
    digits = layer().family_posteriors(weights)[0]
    torch.testing.assert_close(digits, first * second.roll(-1, 1) / expected.unsqueeze(1))


@pytest.mark.parametrize("executor", ["fused", "torch"])
def test_posteriors_of_a_partition_sum_to_one(executor: Any) -> None:
    own = WMCLayer(mnist("mnist2"), executor=executor)
    weights = own.literal_weights(logits(5, seed=2))
    evidence = own.evidence([{}, {"Even(a)": True}, {"Prime(b)": True}, {"Odd(b)": False}, {"Composite(a)": True}])
    families = own.family_posteriors(weights, evidence)
    assert [family.shape for family in families] == [(5, 10), (5, 10)]
    for family in families:
        torch.testing.assert_close(family.sum(1), torch.ones(5, dtype=torch.float64))
    assert not families[0][1, 1::2].any()  # what is even is no odd digit


def test_a_softmax_over_observable_or_shared_atoms_is_refused() -> None:
    circuit = layer().circuit
    clauses = circuit.clauses
    observable = int((clauses.kinds == AtomKind.OBSERVABLE).argmax())

    def with_families(*families: tuple[int, ...]) -> WMCLayer:
        changed = replace(clauses, families=families)
        return WMCLayer(Circuit(changed, circuit.atoms, circuit.diagram, circuit.statistics))

    with pytest.raises(MooseError, match="must be latent"):
        with_families((0, observable)).literal_weights(logits(1), categorical=True)
    with pytest.raises(MooseError, match="two families"):
        with_families((0, 1), (1, 2)).literal_weights(logits(1), categorical=True)


def test_log_complement() -> None:
    logs = torch.tensor([-1e-18, -0.1, -math.log(2), -3.0, -100.0, -math.inf], dtype=torch.float64, requires_grad=True)
    expected = [
        math.log(1e-18),
        math.log(-math.expm1(-0.1)),
        -math.log(2),
        math.log1p(-math.exp(-3)),
        -math.exp(-100),
        0,
    ]
    torch.testing.assert_close(log_complement(logs), torch.tensor(expected, dtype=torch.float64))
    assert torch.autograd.gradcheck(log_complement, logs.detach()[1:5].requires_grad_())
    log_complement(torch.cat([logs, torch.zeros(1)])).nan_to_num(neginf=0.0).sum().backward()
    assert logs.grad is not None and logs.grad.isfinite().all()
