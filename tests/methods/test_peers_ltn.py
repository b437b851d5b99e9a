"""Operators, aggregators and whole formulas against LTNtorch, the reference implementation of LTN."""

from __future__ import annotations

from itertools import combinations
from typing import Protocol

import pytest
import torch

from moose.methods.ltn import fuzzy
from moose.methods.ltn.fuzzy_outputs import Outputs
from moose.methods.ltn.fuzzy_theory import FuzzyTheory, Reading
from tests.learning.toys import PROPERTIES, task_of

ltn = pytest.importorskip("ltn", reason="LTNtorch is not installed: pip install 'moose-el[peers]'")


class Formula(Protocol):
    """What LTNtorch makes of a formula."""

    value: torch.Tensor


def random_truths(*shape: int, seed: int = 0) -> torch.Tensor:
    """Truth values, some of them 0 and 1."""
    drawn = torch.rand(shape, generator=torch.Generator().manual_seed(seed)) * 1.2 - 0.1
    return drawn.clamp(0, 1)


def test_the_constant_is_the_same() -> None:
    assert ltn.fuzzy_ops.eps == fuzzy.EPSILON


def test_connectives() -> None:
    first, second = random_truths(1000), random_truths(1000, seed=1)
    pairs = [
        (fuzzy.conjunction, ltn.fuzzy_ops.AndProd),
        (fuzzy.disjunction, ltn.fuzzy_ops.OrProbSum),
        (fuzzy.implication, ltn.fuzzy_ops.ImpliesReichenbach),
    ]
    for ours, theirs in pairs:
        assert torch.allclose(ours(first, second), theirs(stable=False)(first, second))
    several = fuzzy.disjunction(fuzzy.disjunction(first, second), first)
    assert torch.allclose(fuzzy.any_of(torch.stack([first, second, first]), 0), several, atol=1e-6)


@pytest.mark.parametrize("p", [2, 4])
def test_aggregators_and_their_derivatives(p: int) -> None:
    where = random_truths(50, 7, seed=2) < 0.7
    where[:, 0] = True
    pairs = [
        (fuzzy.p_mean, ltn.fuzzy_ops.AggregPMean),
        (fuzzy.p_mean_error, ltn.fuzzy_ops.AggregPMeanError),
    ]
    for ours, theirs in pairs:
        for mask in (None, where):
            mine, other = (random_truths(50, 7).double().requires_grad_() for _ in range(2))
            found, wanted = ours(mine, p, where=mask), theirs(p=p, stable=True)(other, dim=1, mask=mask)
            assert torch.allclose(found, wanted)
            found.sum().backward()
            wanted.sum().backward()
            assert mine.grad is not None and other.grad is not None
            assert torch.allclose(mine.grad, other.grad)


@pytest.mark.parametrize("p", [2, 4])
@pytest.mark.parametrize("forall", ["error", "mean"])
def test_the_whole_theory_of_successors(p: int, forall: fuzzy.Aggregator) -> None:
    task = task_of("mnist2")
    theory = FuzzyTheory(task, Reading(over="example", forall=forall, p=p))
    truths = torch.rand(1, 2, 14, generator=torch.Generator().manual_seed(3))
    evidence = torch.zeros(1, 2, 14, dtype=torch.int8)
    evidence[0, 0, 10], evidence[0, 1, 12] = 1, -1
    found = theory.satisfaction(Outputs(truths.logit(), {}, {}), evidence)
    aggregator = (ltn.fuzzy_ops.AggregPMeanError if forall == "error" else ltn.fuzzy_ops.AggregPMean)(p=p)
    formulas = _formulas(truths[0], aggregator, p)
    assert sorted(found.axioms[0].tolist()) == pytest.approx(sorted(one.value.item() for one in formulas), abs=1e-6)
    literals = [truths[0, 0, 10], 1 - truths[0, 1, 12]]
    sat = ltn.fuzzy_ops.SatAgg(aggregator)(*formulas, *literals)
    assert found.sat.item() == pytest.approx(sat.item(), abs=1e-6)


def _formulas(truths: torch.Tensor, aggregator: object, p: int) -> list[Formula]:
    """Write the ontology of digits in LTNtorch: 18 inclusions, 47 disjointnesses, 10 successors."""
    x, y = (ltn.Variable(name, torch.tensor([[0.0], [1.0]])) for name in ("x", "y"))
    held = [ltn.Predicate(func=lambda at, column=column: truths[at[:, 0].long(), column]) for column in range(14)]
    follows = ltn.Predicate(func=lambda one, other: ((one == 0) & (other == 1)).float()[:, 0])
    conjunction, implication = (
        ltn.Connective(operator(stable=False)) for operator in (ltn.fuzzy_ops.AndProd, ltn.fuzzy_ops.ImpliesReichenbach)
    )
    negation = ltn.Connective(ltn.fuzzy_ops.NotStandard())
    forall = ltn.Quantifier(aggregator, quantifier="f")
    exists = ltn.Quantifier(ltn.fuzzy_ops.AggregPMean(p=p), quantifier="e")
    found = []
    for column, members in enumerate(PROPERTIES.values(), start=10):
        found += [forall(x, implication(held[digit](x), held[column](x))) for digit in members]
    apart = [*combinations(range(10), 2), (10, 11), (12, 13)]
    found += [forall(x, negation(conjunction(held[one](x), held[other](x)))) for one, other in apart]
    for digit in range(10):
        successor = exists(y, conjunction(follows(x, y), held[(digit + 1) % 10](y)))
        found.append(forall(x, implication(held[digit](x), successor)))
    return found
