"""BEARS: divergence and entropy against plain sums, slopes against differences, and what the sign does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import log

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.learning.fit.training_loop import Training
from moose.learning.loss.likelihood import weigh
from moose.learning.loss.objective import Prepared, measure
from moose.methods.base.perception import Perception
from moose.methods.bears.bears import Bears, BearsModel, Differing, Sign
from moose.methods.bears.diversity import OVERS, Over, Predecessors, WeightedBatch, divergence, entropy, log_values
from tests.learning.toys import task_of, toy_encoder, toy_examples


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs, seed=seed)


PERCEPTION = Perception((1, 1, 10), make=toy_network)


def prepared_toys(name: str = "mnist2", count: int = 6, share: float = 0.4, **options: object) -> Prepared:
    examples = toy_examples(name, count, share=share)
    return Bears(**options).model(examples.task, PERCEPTION, seed=0).prepare(examples)  # type: ignore[arg-type]


def drawn_logits(prepared: Prepared, *, seed: int = 0, scale: float = 2.0) -> Tensor:
    shape = (len(prepared), len(prepared.examples.task.individuals), 10)
    return scale * torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def plain_divergence(own: list[float], others: list[list[float]]) -> float:
    """Σ p·log(p / mean of p and the others), as it is written."""
    means = [(sum(values) + p) / (len(others) + 1) for p, *values in zip(own, *others, strict=True)]
    return sum(p * log(p / mean) for p, mean in zip(own, means, strict=True) if p > 0)


# ---------------------------------------------------------------------------------------- divergence and entropy


def test_divergence_by_hand() -> None:
    own, other = torch.tensor([[[0.9, 0.1]]]), torch.tensor([[[0.1, 0.9]]])
    assert divergence(own.log(), other, 1).item() == pytest.approx(0.9 * log(0.9 / 0.5) + 0.1 * log(0.1 / 0.5))
    third = (0.9 + 2 * 0.1) / 3
    assert divergence(own.log(), other, 2).item() == pytest.approx(
        0.9 * log(0.9 / third) + 0.1 * log(0.1 / (1 - third))
    )
    assert divergence(own.log(), own, 4).item() == pytest.approx(0.0, abs=1e-7)
    assert entropy(own.log()).item() == pytest.approx(-0.9 * log(0.9) - 0.1 * log(0.1))


def test_divergence_is_bounded_and_finite_at_certainty() -> None:
    own = torch.tensor([[[1.0, 0.0, 0.0]]])
    other = torch.tensor([[[0.0, 0.5, 0.5]]])
    assert divergence(own.log(), other, 4).item() == pytest.approx(log(5))
    assert entropy(own.log()).item() == pytest.approx(0.0, abs=1e-30)


@pytest.mark.parametrize("head", ["sigmoid", "softmax"])
@pytest.mark.parametrize("over", ["atoms", "family"])
def test_sums_over_the_networks_variables(over: Over, head: str) -> None:
    prepared = prepared_toys(head=head)
    logits, others = (drawn_logits(prepared, seed=seed) for seed in (1, 2))
    rows = slice(0, len(prepared))
    logs, theirs = (log_values(WeightedBatch.of(each, prepared, rows), over) for each in (logits, others))
    found = divergence(logs, theirs.exp(), 3).item(), entropy(logs).item()
    distance, doubt = 0.0, 0.0
    for mine, its in zip(logits.flatten(0, 1), others.flatten(0, 1), strict=True):
        is_softmax = over == "family" or head == "softmax"  # one of ten given sigmoids is the softmax of their logits
        one, two = ((each.softmax(-1) if is_softmax else each.sigmoid()).tolist() for each in (mine, its))
        variables = [(one, two)] if over == "family" else [([p, 1 - p], [q, 1 - q]) for p, q in zip(one, two)]
        distance += sum(plain_divergence(p, [q] * 3) for p, q in variables)
        doubt -= sum(p * log(p) for own, _ in variables for p in own)
    assert found == pytest.approx((distance / len(prepared), doubt / len(prepared)))


@pytest.mark.parametrize("head", ["sigmoid", "softmax"])
def test_sums_over_the_posterior(head: str) -> None:
    prepared = prepared_toys("mnist1", head=head)
    logits, rows = drawn_logits(prepared), slice(0, len(prepared))
    found = log_values(WeightedBatch.of(logits, prepared, rows), "posterior").exp()
    circuit = prepared.weight_map.binding.layer.circuit
    atoms = [Atom(f"D{digit}", ("a",)) for digit in range(10)]
    for row in range(len(prepared)):
        numbers = logits[row, 0]
        if head == "softmax":  # one variable: w(¬X) = 1
            weights = {atom: (p, 1.0) for atom, p in zip(atoms, numbers.softmax(-1).tolist(), strict=True)}
        else:
            weights = {atom: (p, 1 - p) for atom, p in zip(atoms, numbers.sigmoid().tolist(), strict=True)}
        posterior = circuit.posterior(prepared.examples.literals(row), weights)
        assert found[row, 0].tolist() == pytest.approx([posterior[atom] for atom in atoms], abs=1e-9)
    assert found.sum(-1).numpy() == pytest.approx(1.0)


def test_a_family_that_is_not_closed_has_no_posterior_of_its_own() -> None:
    examples = toy_examples("mnist1", 4, task=replace(task_of("mnist1"), closure=()))
    model = Bears(over="posterior").model(examples.task, PERCEPTION, seed=0)
    prepared = model.prepare(examples)
    values = log_values(WeightedBatch.of(drawn_logits(prepared), prepared, slice(0, 4)), "posterior").exp()
    assert values.shape == (4, 1, 20)
    assert (values[..., :10] + values[..., 10:]).numpy() == pytest.approx(1.0)


def test_readings_that_evidence_forbids_make_no_difference() -> None:
    prepared = prepared_toys("mnist1", 20, share=1.0)
    task = prepared.examples.task
    is_settled = prepared.examples.truth[:, 0, [0, 1, 2, 9]].gt(0).any(-1)  # no other digit has these properties
    logs, others = (
        log_values(WeightedBatch.of(drawn_logits(prepared, seed=seed), prepared, slice(0, 20)), "posterior")
        for seed in (3, 4)
    )
    assert len(task.families) == 1 and is_settled.any() and not is_settled.all()
    for settled, rows in ((True, is_settled), (False, ~is_settled)):
        distance = divergence(logs[rows], others[rows].exp(), 1).item()
        assert (distance < 1e-9) == settled


# -------------------------------------------------------------------------------------------------- the objective


class Fixed(nn.Module):
    """Says the same numbers of every batch."""

    def __init__(self, logits: Tensor) -> None:
        super().__init__()
        self.logits = nn.Parameter(logits.flatten(0, 1))

    def forward(self, images: Tensor) -> Tensor:
        """Return image × concept."""
        return self.logits[: len(images)]


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("sign", ["right", "printed"])
def test_what_is_minimised(over: Over, sign: Sign) -> None:
    method = Bears(over=over, sign=sign, gamma1=0.7, gamma2=0.3)
    prepared = prepared_toys(over=over)
    members = [Fixed(drawn_logits(prepared, seed=seed)) for seed in range(3)]
    rows = slice(0, len(prepared))
    outcome = Differing(method, 2, Predecessors(members, over))(members[2], prepared, rows, 0.0)
    logs = [log_values(WeightedBatch.by(member, prepared, rows), over).detach() for member in members]
    distance = divergence(logs[2], (logs[0].exp() + logs[1].exp()) / 2, 2)
    paid = 0.7 * distance + 0.3 * entropy(logs[2])
    plain = measure(members[2], prepared, rows).loss
    assert outcome.loss.item() == pytest.approx(plain.item())
    assert outcome.total.item() == pytest.approx((plain - paid if sign == "right" else plain + paid).item())
    assert outcome.terms == pytest.approx({"divergence": distance.item(), "entropy": entropy(logs[2]).item()})
    judged = Differing(method, 2, Predecessors(members, over))(members[2], prepared, rows, None)
    assert judged.total.item() == pytest.approx(plain.item())


@pytest.mark.parametrize("head", ["sigmoid", "softmax"])
@pytest.mark.parametrize("over", OVERS)
def test_slopes_are_those_of_differences(over: Over, head: str) -> None:
    prepared = prepared_toys("mnist2", 2, head=head)
    rows, shape = slice(0, 2), drawn_logits(prepared).shape
    others = log_values(WeightedBatch.of(drawn_logits(prepared, seed=5), prepared, rows), over).exp()

    def paid(flat: Tensor) -> Tensor:
        logs = log_values(WeightedBatch.of(flat.reshape(shape), prepared, rows), over)
        return divergence(logs, others, 2) + 0.5 * entropy(logs)

    logits = drawn_logits(prepared, seed=6).flatten().requires_grad_()
    assert torch.autograd.gradcheck(paid, (logits,), atol=1e-6)


@pytest.mark.parametrize("head", ["sigmoid", "softmax"])
@pytest.mark.parametrize("over", OVERS)
def test_slopes_are_finite_for_a_network_that_is_too_sure(over: Over, head: str) -> None:
    prepared = prepared_toys("mnist1", 12, share=1.0, head=head)
    network, other = (Fixed(drawn_logits(prepared, seed=seed, scale=500.0).float()) for seed in (7, 8))
    objective = Differing(Bears(over=over, head=head), 1, Predecessors([other], over))  # type: ignore[arg-type]
    outcome = objective(network, prepared, slice(0, 12), 0.0)
    outcome.total.backward()
    assert outcome.total.isfinite() and network.logits.grad is not None and network.logits.grad.isfinite().all()


def test_frozen_members_are_asked_once() -> None:
    class Counted(Fixed):
        calls = 0

        def forward(self, images: Tensor) -> Tensor:
            """Count, and say the same."""
            self.calls += 1
            return super().forward(images)

    prepared = prepared_toys()
    members = [Counted(drawn_logits(prepared, seed=seed)) for seed in range(3)]
    before = Predecessors(members, "family")
    for count in (1, 2, 2, 3, 3):
        wanted = sum(each.logits.detach().softmax(-1).numpy() for each in members[:count]) / count
        assert before.mean(prepared, count).flatten(0, 1).numpy() == pytest.approx(wanted)
    assert [each.calls for each in members] == [1, 1, 1]


# ------------------------------------------------------------------------------------------------------ behaviour


@cache
def maps(sign: Sign, over: Over) -> list[tuple[int, ...]]:
    """Train on digits with all their properties, and return which digit each member takes each digit for."""
    examples = toy_examples("mnist1", 120, share=1.0)
    training = Training(epochs=12, batch_size=30, learning_rate=0.02)
    method = Bears(sign=sign, over=over)
    predictor = method.fit(examples.task, examples, seed=1, training=training, perception=PERCEPTION)
    assert isinstance(predictor.model, BearsModel)
    labels, found = examples.truth[:, 0, :10].argmax(-1), list[tuple[int, ...]]()
    with torch.no_grad():
        for member in predictor.model.members:
            said = member(examples.scaled_inputs(slice(0, 120)).flatten(0, 1)).softmax(-1)
            found.append(tuple(int(said[labels == digit].mean(0).argmax()) for digit in range(10)))
    return found


@pytest.mark.parametrize("over", OVERS)
def test_the_right_sign_gives_more_distinct_maps(over: Over) -> None:
    right, printed = (len(set(maps(sign, over))) for sign in ("right", "printed"))
    assert right > printed


def test_members_explain_the_evidence_all_the_same() -> None:
    properties = np.array([[digit % 2, digit in (2, 3, 5, 7), digit in (4, 6, 8, 9)] for digit in range(10)])
    for found in maps("right", "family"):
        assert (properties[list(found)] == properties).all(1).sum() >= 9


def test_without_a_latent_family_atoms_are_all_there_is() -> None:
    task = task_of("pizzaC")
    model = Bears().model(task, Perception((1, 1, 10), make=toy_network), seed=0)
    weight_map = model.weight_map(task)
    logits = torch.randn(3, 1, 4, generator=torch.Generator().manual_seed(0))
    mask = torch.zeros(3, weight_map.binding.layer.atom_count, dtype=torch.int8)
    sides = weight_map.head.sides(logits)
    batch = WeightedBatch(weight_map, logits, sides, weigh(weight_map, sides, mask))
    assert log_values(batch, "family").numpy() == pytest.approx(log_values(batch, "atoms").numpy(), abs=1e-6)


@pytest.mark.parametrize(
    "options", [{"members": 0}, {"gamma1": -1}, {"gamma2": float("nan")}, {"over": "worlds"}, {"sign": "+"}]
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match=f"{next(iter(options))}.*bears"):
        Bears(**options)  # type: ignore[arg-type]
