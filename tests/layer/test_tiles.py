"""The kernel of large circuits: exponents of rows, products of three, and examples that are left to others."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import model_count
from moose.grounding.clauses import clauses_from_lists
from moose.layer.layer import WMCLayer
from moose.layer.products import expand_products, find_uses, make_products
from tests.circuit.plain_compiler import circuit_of
from tests.circuit.test_tables import with_families
from tests.layer.examples import atoms, mask


def values_and_slopes(layer: WMCLayer, weights: Tensor, evidence: Tensor | None) -> tuple[Tensor, Tensor]:
    leaf = weights.clone().requires_grad_()
    logs = layer(leaf, evidence)
    return logs.detach(), torch.autograd.grad(logs[logs.isfinite()].sum(), leaf)[0]


EXTREMES = (0.0, -1.0, 3.0, -40.0, -170.0, -300.0, -1000.0, -math.inf)


@given(theory=with_families(), data=st.data())
def test_large_circuits_count_what_the_torch_executor_counts(theory, data) -> None:  # type: ignore[no-untyped-def]
    circuit = circuit_of(theory)
    count = len(circuit.atoms)
    drawn = st.lists(st.sampled_from(EXTREMES), min_size=2 * count, max_size=2 * count)
    rows = data.draw(st.lists(drawn, min_size=1, max_size=40))
    seen = data.draw(st.dictionaries(st.integers(0, count - 1), st.booleans(), max_size=2)) if count else {}
    weights = torch.tensor(rows, dtype=torch.float64).reshape(len(rows), 2 * count)
    large, other = WMCLayer(circuit, executor="fused"), WMCLayer(circuit, executor="torch")
    large.fused.is_large = True
    got = values_and_slopes(large, weights, mask([seen] * len(rows), count))
    wanted = values_and_slopes(other, weights, mask([seen] * len(rows), count))
    for mine, theirs in zip(got, wanted):
        torch.testing.assert_close(mine, theirs, rtol=1e-9, atol=1e-9)


@given(theory=with_families(), most=st.integers(2, 5))
def test_joined_products_have_the_same_models(theory, most: int) -> None:  # type: ignore[no-untyped-def]
    diagram = circuit_of(theory).diagram
    count, first = diagram.atom_count, diagram.first_decision
    for made in (make_products(diagram), expand_products(diagram, most)):
        assert made.slot_count <= diagram.slot_count
        # ½ for every literal: what the root comes to is the share of worlds that are models.
        values = np.concatenate([np.full(2 * count, 0.5), [1.0, 0.0], np.zeros(made.slot_count - first)])
        for decision, (start, stop) in enumerate(zip(made.starts[:-1], made.starts[1:])):
            values[first + decision] = values[made.factors[:, start:stop]].prod(axis=0).sum()
        assert values[made.root] * 2**count == model_count(diagram, {})


@given(theory=with_families())
def test_every_factor_is_once_among_the_uses_of_its_slot(theory) -> None:  # type: ignore[no-untyped-def]
    diagram = circuit_of(theory).diagram
    first, made = diagram.first_decision, make_products(diagram)
    use_starts, uses = find_uses(made, diagram)
    listed = {
        (slot, *map(int, uses[:1, use]), *sorted(map(int, uses[1:, use])))
        for slot in range(made.slot_count)
        for use in range(use_starts[slot], use_starts[slot + 1])
    }
    expected = set()
    for decision, (start, stop) in enumerate(zip(made.starts[:-1], made.starts[1:])):
        for element in range(start, stop):
            three = [int(one) for one in made.factors[:, element]]
            for place, slot in enumerate(three):
                if slot not in (diagram.true, diagram.false):
                    expected.add((slot, first + decision, *sorted(three[:place] + three[place + 1 :])))
    assert listed == expected


def test_hundreds_of_unlikely_classes_are_left_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    # X₁ → … → X₁₂₀₀ at random weights: far below 1e-308, where each example took the slow way before.
    count = 1200
    circuit = compile_circuit(clauses_from_lists(atoms(count), [(-k, k + 1) for k in range(1, count)]), vtree="tables")
    layer, other = WMCLayer(circuit), WMCLayer(circuit, executor="torch")
    generator = torch.Generator().manual_seed(0)
    weights = torch.randn(50, 2 * count, dtype=torch.float64, generator=generator)
    from moose.layer import fused_executor

    kernels = dict(fused_executor.compiled())
    refused = dict(kernels, count_scaled=lambda *_: pytest.fail("an example was left to the slow kernel"))
    monkeypatch.setattr(fused_executor, "compiled", lambda: refused)
    got, wanted = values_and_slopes(layer, weights, None), values_and_slopes(other, weights, None)
    sums = torch.logaddexp(weights[:, :count], weights[:, count:]).sum(1)
    assert float((wanted[0] - sums).max()) < -710
    for mine, theirs in zip(got, wanted):
        torch.testing.assert_close(mine, theirs, rtol=1e-9, atol=1e-9)


def test_one_example_that_is_no_number_leaves_its_neighbours_alone() -> None:
    circuit = circuit_of(clauses_from_lists(atoms(3), [(1, 2), (-2, 3)]))
    layer = WMCLayer(circuit)
    layer.fused.is_large = True
    weights = torch.zeros(3, 6, dtype=torch.float64)
    weights[1, 2] = math.nan
    logs, marginals = layer(weights), layer.posteriors(weights)
    assert logs[1].isnan() and marginals[1].isnan().all()
    assert torch.equal(logs[0], logs[2]) and logs[0].item() == pytest.approx(math.log(4.0))
    assert torch.equal(marginals[0], marginals[2])


# ── What is lost on the way down ──────────────────────────────────────────────────────────────────────────────────


def two_ways_to_s() -> Circuit:
    """Return a circuit in which S stands under two decisions: under Z beside U, and under ¬Z beside W₁ and W₂.

    (Z ∧ (S ∧ U ∨ ¬S ∧ Y₁ ∧ Y₂)) ∨ (¬Z ∧ W₁ ∧ W₂ ∧ (S ∨ ¬S ∧ T))
    """
    z, s, u, one, two, first, second, t = range(8)
    count, true = 8, 16
    elements = [
        [(one, two)],
        [(s, u), (count + s, 18)],
        [(s, true), (count + s, t)],
        [(first, second)],
        [(21, 20)],
        [(z, 19), (count + z, 22)],
    ]
    rows = [(-1, -2, 3), (-1, 2, 4), (-1, 2, 5), (1, 6), (1, 7), (1, 2, 8)]
    starts = np.cumsum([0, *map(len, elements)]).astype(np.int64)
    primes, subs = (np.array([pair[side] for one in elements for pair in one], np.int32) for side in (0, 1))
    theory = clauses_from_lists(atoms(count), rows)
    return circuit_of(theory, Diagram(count, starts, primes, subs, 23))


def unlike_neighbours() -> tuple[Tensor, Tensor]:
    """Return probabilities and evidence: in one example S is excluded, without which all would be far likelier."""
    rare = 1e-72
    probabilities = [
        [0.5, 0.5, 0.0, 1.0, 0.0, rare, rare, 0.5],
        [0.5, 0.5, 0.99, rare, rare, rare, rare, 0.5],
        [0.5, 0.5, 0.0, 0.0, 1.0, rare, rare, 0.5],
    ]
    seen: list[dict[int, bool]] = [{0: False}, {0: True, 1: False}, {0: False}]
    return torch.tensor(probabilities, dtype=torch.float64), mask(seen, 8)


def test_a_slope_that_is_huge_in_one_example_hides_none_of_its_neighbours() -> None:
    circuit = two_ways_to_s()
    large, other = WMCLayer(circuit, executor="fused"), WMCLayer(circuit, executor="torch")
    large.fused.is_large = True
    probabilities, evidence = unlike_neighbours()
    weights = torch.cat([probabilities.log(), (1 - probabilities).log()], 1)
    got, wanted = values_and_slopes(large, weights, evidence), values_and_slopes(other, weights, evidence)
    assert wanted[1][0, 1].item() == pytest.approx(2 / 3)
    for mine, theirs in zip(got, wanted):
        torch.testing.assert_close(mine, theirs, rtol=1e-9, atol=1e-9)


def test_slopes_by_probability_beside_a_huge_one_are_those_of_the_example_alone() -> None:
    layer = WMCLayer(two_ways_to_s(), executor="fused")
    layer.fused.is_large = True
    probabilities, evidence = unlike_neighbours()

    def slopes(rows: slice) -> Tensor:
        leaf = probabilities[rows].clone().requires_grad_()
        return torch.autograd.grad(layer.from_probabilities(leaf, evidence[rows]).sum(), leaf)[0]

    for row in range(3):
        alone = slopes(slice(row, row + 1))[0]
        torch.testing.assert_close(slopes(slice(None))[row], alone, rtol=1e-9, atol=0.0)


@given(theory=with_families(), data=st.data())
def test_examples_of_a_batch_do_not_disturb_each_other(theory, data) -> None:  # type: ignore[no-untyped-def]
    layer = WMCLayer(circuit_of(theory), executor="fused")
    layer.fused.is_large = True
    count = layer.atom_count
    drawn = st.lists(st.sampled_from(EXTREMES), min_size=2 * count, max_size=2 * count)
    rows = data.draw(st.lists(drawn, min_size=2, max_size=6))
    seen = [data.draw(st.dictionaries(st.integers(0, count - 1), st.booleans(), max_size=4)) for _ in rows]
    weights, evidence = torch.tensor(rows, dtype=torch.float64), mask(seen, count)
    logs, slopes = values_and_slopes(layer, weights, evidence)
    for row in range(len(rows)):
        alone = values_and_slopes(layer, weights[row : row + 1], evidence[row : row + 1])
        torch.testing.assert_close(logs[row : row + 1], alone[0], rtol=1e-9, atol=1e-9)
        torch.testing.assert_close(slopes[row : row + 1], alone[1], rtol=1e-9, atol=1e-9)
