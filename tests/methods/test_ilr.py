"""ILR: refinement functions by hand and against a search, and what the method minimises."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from moose.base.errors import MooseError
from moose.methods.base.perception import Perception
from moose.methods.ilr.ilr import Ilr
from moose.methods.ilr.refinement import LOGICS, Logic, Refinement, clause_table, raises, refine, satisfied
from moose.methods.registry import make_method
from tests.learning.toys import toy_encoder, toy_examples

ONE_CLAUSE = torch.tensor([[[0.2, 0.5, 0.1]]])
ALL_FREE = torch.ones(1, 1, 3, dtype=torch.bool)


def truth(logic: Logic, values: Tensor) -> Tensor:
    """The t-conorm of the last dimension."""
    if logic == "godel":
        return values.amax(-1)
    return 1 - (1 - values).prod(-1) if logic == "product" else values.sum(-1).clamp_max(1)


@pytest.mark.parametrize(
    ("logic", "share", "expected"),
    [
        ("godel", 1.0, [0, 0.5, 0]),
        ("godel", 0.5, [0, 0.25, 0]),  # from ½ half of the way to 1
        ("product", 1.0, [0, 0.5, 0]),
        ("product", 0.5, [0, 0.25, 0]),  # S = 0.64, s = 0.82, 1 - 0.5·0.18/0.36 = 0.75
        ("lukasiewicz", 1.0, [0.2 / 3] * 3),  # S = 0.8
        ("lukasiewicz", 0.5, [0.1 / 3] * 3),
    ],
)
def test_refinement_of_one_clause_by_hand(logic: Logic, share: float, expected: list[float]) -> None:
    assert raises(ONE_CLAUSE, ALL_FREE, logic, share)[0, 0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("logic", LOGICS)
@pytest.mark.parametrize("share", [0.3, 1.0])
@given(values=st.lists(st.floats(0.01, 0.4), min_size=1, max_size=4))
@settings(max_examples=30)
def test_a_clause_comes_to_its_target(logic: Logic, share: float, values: list[float]) -> None:
    before = torch.tensor([[values]], dtype=torch.float64)
    after = before + raises(before, torch.ones_like(before, dtype=torch.bool), logic, share)
    target = truth(logic, before) + share * (1 - truth(logic, before))
    assert truth(logic, after).item() == pytest.approx(target.item(), abs=1e-9)


def test_many_literals_that_are_nearly_true_do_not_make_a_clause_of_goedel_true() -> None:
    before = torch.full((1, 1, 14), 0.9, dtype=torch.float64)  # S = 0.9, though the product of 1 - t is 1e-14
    after = before + raises(before, torch.ones_like(before, dtype=torch.bool), "godel", 1.0)
    assert truth("godel", after).item() == pytest.approx(1.0) and (after != before).sum() == 1


def test_where_there_is_no_clause_all_hold() -> None:
    truths, table = torch.rand(2, 3), clause_table([], 3)
    assert satisfied(truths, table).tolist() == [1.0, 1.0]
    assert torch.equal(refine(truths, torch.zeros(2, 3, dtype=torch.bool), table, Refinement()), truths)


@pytest.mark.parametrize(("logic", "norm"), [("godel", 2), ("product", 1), ("lukasiewicz", 2)])
def test_no_vector_of_a_grid_is_closer(logic: Logic, norm: int) -> None:
    before = torch.tensor([0.1, 0.3], dtype=torch.float64)
    after = before + raises(before[None, None], torch.ones(1, 1, 2, dtype=torch.bool), logic, 0.5)[0, 0]
    grid = torch.tensor(list(product(torch.linspace(0, 1, 101).tolist(), repeat=2)), dtype=torch.float64)
    reaches = grid[truth(logic, grid) >= truth(logic, after) - 1e-9]
    least = torch.linalg.vector_norm(reaches - before, ord=norm, dim=-1).min()
    assert torch.linalg.vector_norm(after - before, ord=norm) <= least + 1e-9


def test_what_is_held_has_no_part() -> None:
    table = clause_table([(-1, 2, 3)], 3)
    truths = torch.tensor([[1.0, 0.6, 0.2]])
    held = torch.tensor([[True, True, False]])
    for logic, expected in zip(LOGICS, (1.0, 1.0, 0.4)):
        after = refine(truths, held, table, Refinement(logic, 1, 1.0))
        assert after[0].tolist() == pytest.approx([1.0, 0.6, expected])


def test_the_largest_change_wins_and_both_sides_count() -> None:
    table = clause_table([(1, 2), (-1,), (1, 3)], 3)
    after = refine(
        torch.tensor([[0.4, 0.1, 0.3]]), torch.zeros(1, 3, dtype=torch.bool), table, Refinement("godel", 1, 1.0)
    )
    assert after[0].tolist() == pytest.approx([1.0, 0.1, 0.3])  # +0.6 by two clauses, -0.4 by the other
    after = refine(
        torch.tensor([[0.6, 0.1, 0.3]]), torch.zeros(1, 3, dtype=torch.bool), table, Refinement("godel", 3, 1.0)
    )
    assert satisfied(after, table).item() == 1.0 and after[0].tolist() == pytest.approx([0.0, 1.0, 1.0])


@pytest.mark.parametrize("logic", LOGICS)
def test_the_derivative_is_that_of_differences(logic: Logic) -> None:
    table = clause_table([(-1, 2), (-2, -3), (1, 3)], 3)
    held = torch.zeros(2, 3, dtype=torch.bool)
    truths = torch.rand(2, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(2)) * 0.8 + 0.1
    assert torch.autograd.gradcheck(
        lambda one: refine(one, held, table, Refinement(logic, 2, 0.3)), truths.requires_grad_()
    )


def test_clauses_hold_after_refinement_of_a_network_without_training() -> None:
    examples = toy_examples("mnist1", 32, share=1.0)
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    model = Ilr(steps=20).model(examples.task, perception, seed=0)
    prepared = model.prepare(examples)
    before, held = model.truths(prepared, torch.rand(32, 1, 10), prepared.mask)
    after = model.refined(prepared, before, held)
    assert satisfied(after, model.table(prepared)).tolist() == [1.0] * 32
    assert torch.equal(after[held], before[held])


def test_the_loss_is_how_far_refinement_goes() -> None:
    examples = toy_examples("mnist1", 2, share=1.0)
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    model = Ilr(steps=3).model(examples.task, perception, seed=0)
    prepared = model.prepare(examples)
    outcome = model.distance(model.network, prepared, slice(None))
    network = model.network(examples.inputs[:, 0]).softmax(-1)
    refined = model.answer(prepared, slice(0, 2), use_evidence=True).posteriors[:, 0, :10]
    assert outcome.loss.item() == pytest.approx((refined - network).abs().sum(1).mean().item(), abs=1e-5)


@pytest.mark.parametrize(
    "options", [{"logic": "fuzzy"}, {"steps": 0}, {"share": 0.0}, {"share": 2}, {"refine_answers": 1}]
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match="ilr"):
        make_method("ilr", **options)
