"""Top-k proofs: listed and summed by hand, below the exact probability, and equal to it with all proofs."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.methods.deepproblog.deepproblog import ProgramModel
from moose.methods.deepproblog.neural_program import make_program
from moose.methods.registry import make_method
from moose.methods.top_k.all_proofs import ProofLister
from moose.methods.top_k.top_k import TopProofProver
from moose.methods.top_k.union import log_union, proof_table
from tests.learning.toys import task_of
from tests.methods.test_deepproblog import PERCEPTION, drawn_logits, examples_of, log_probabilities, some_evidence


def found(task: Task, logits: Tensor, evidence: list[dict[str, bool]], k: int) -> Tensor:
    model = make_method("top-k", k=k).model(task, PERCEPTION, seed=0)
    assert isinstance(model, ProgramModel) and isinstance(model.engine, TopProofProver)
    prepared = model.prepare(examples_of(task, evidence))
    return model.engine(make_program(task), prepared, slice(None), model.sides(prepared, logits))


def proofs_of(task: Task, **literals: bool) -> list[list[str]]:
    program = make_program(task)
    words = {atom.predicate: place + 1 for place, atom in enumerate(program.theory.atoms)}
    observed = [words[name] if truth else -words[name] for name, truth in literals.items()]
    return [
        sorted(program.theory.literal_text(literal) for literal in proof)
        for proof in ProofLister(program).query(observed)
    ]


def test_proofs_by_hand() -> None:
    digits, spicy = task_of("mnist1"), task_of("pizzaC")
    assert proofs_of(digits, Even=True, Prime=False) == [[f"D{digit}(a)"] for digit in (0, 4, 6, 8)]
    assert proofs_of(digits, Even=True, Odd=True) == []
    hot = ["JalapenoPepper", "Peperonata", "PeperoniSausage", "Prawn"]
    assert sorted(proofs_of(spicy, SpicyPizza=True)) == [[f"{name}Topping(a)"] for name in hot]
    assert proofs_of(spicy, SpicyPizza=False) == [[f"not {name}Topping(a)" for name in hot]]


def test_a_digit_by_hand() -> None:
    task = task_of("mnist1")
    logits = drawn_logits(task, 1)
    shares = logits[0, 0].softmax(-1)[[0, 4, 6, 8]].sort(descending=True).values
    for k in (1, 2, 3, 4, 9):
        log_bound = found(task, logits, [{"Even(a)": True, "Prime(a)": False}], k)
        assert log_bound.exp().tolist() == pytest.approx([float(shares[:k].sum())])


def test_toppings_overlap() -> None:
    task = task_of("pizzaC")
    logits = drawn_logits(task, 1)
    hot = logits[0, 0].sigmoid().sort(descending=True).values
    for k in (1, 2, 3, 4):
        log_bound = found(task, logits, [{"SpicyPizza(a)": True}], k)
        assert log_bound.exp().tolist() == pytest.approx([1 - float((1 - hot[:k]).prod())])


def test_overlaps_by_hand() -> None:
    # 0 and 1 are a family, 2 and 3 are drawn each for itself
    weights = torch.tensor([[0.4, 0.6, 0.5, 0.3, 1.0, 1.0, 0.5, 0.7]], dtype=torch.float64).log()
    proofs = [frozenset([1, 3]), frozenset([2, 3]), frozenset([3, 4]), frozenset([-3])]
    table = proof_table(proofs, range(4), [0, 0, 1, 2])
    wanted = [0.5, 0.5 + 0.3, 1.0, 1.0]  # not 2; or 2 with member 1; or 2 with member 0: all of it
    assert [float(log_union(weights, table, k).exp()) for k in (1, 2, 3, 4)] == pytest.approx(wanted)
    assert log_union(weights, proof_table([], range(4), [0, 0, 1, 2]), 3).isneginf().all()


@pytest.mark.parametrize("name", ["mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC"])
def test_the_bound_is_below_and_with_all_proofs_exact(name: str) -> None:
    task, evidence = task_of(name), some_evidence(name, 4)[1:]
    logits = drawn_logits(task, len(evidence))
    exact = log_probabilities(task, logits, evidence)
    bounds = [found(task, logits, evidence, k) for k in (1, 3, 12)]
    assert all((low <= high + 1e-9).all() for low, high in zip(bounds, [*bounds[1:], exact]))
    assert bounds[-1].tolist() == pytest.approx(exact.tolist(), abs=1e-9)


def test_the_derivative_is_that_of_differences() -> None:
    task = task_of("pizzaC")
    logits = drawn_logits(task, 2).requires_grad_()
    evidence = [{"SpicyPizza(a)": True}, {"SpicyPizza(a)": False}]
    assert torch.autograd.gradcheck(lambda one: found(task, one, evidence, 3), logits)


@pytest.mark.parametrize("k", [0, 13, 2.5, "three"])
def test_bad_options_are_refused(k: object) -> None:
    with pytest.raises(MooseError, match="k of top-k"):
        make_method("top-k", k=k)
