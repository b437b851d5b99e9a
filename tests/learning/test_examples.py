"""Examples are checked when they are made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.learning.examples import Examples
from tests.learning.toys import task_of, toy_examples


def test_bytes_are_scaled_on_use() -> None:
    toys = toy_examples("mnist1", 3)
    examples = replace(toys, inputs=torch.full((3, 1, 1, 2, 2), 255, dtype=torch.uint8))
    assert examples.scaled_inputs(slice(0, 2)).tolist() == torch.ones(2, 1, 1, 2, 2).tolist()
    assert examples.input_shape == (1, 2, 2)


def test_evidence_is_spelled() -> None:
    toys = toy_examples("mnist2", 1, share=1.0)
    assert len(toys.literals(0)) == 8
    assert {text.removeprefix("not ") for text in toys.literals(0)} == {
        f"{name}({individual})" for name in ("Even", "Odd", "Prime", "Composite") for individual in "ab"
    }


def test_some_are_taken() -> None:
    toys = toy_examples("mnist1", 5)
    assert torch.equal(toys.take([4, 0]).truth, toys.truth[[4, 0]])
    assert len(toys.take(slice(1, 3))) == 2
    assert repr(toys.take([])) == "Examples(0 of 1 individual, 1×1×10)"


def wrong(**fields: object) -> dict[str, object]:
    return fields


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (wrong(inputs=[1, 2]), "a sequence of example 0 as a tensor or an array, but got int"),
        (wrong(inputs="text"), "inputs as a tensor or an array, but got str"),
        (wrong(inputs=np.array(["a"] * 4)), "numbers in inputs, but got an array of <U1"),
        (wrong(inputs=torch.zeros(4, 2, 1, 2, 2)), r"\(examples, 1 individuals, features\).*\(4, 2, 1, 2, 2\)"),
        (wrong(inputs=torch.zeros(4)), "1 individuals, features"),
        (wrong(inputs=torch.zeros(4, 1, 2, dtype=torch.complex64)), "real numbers in inputs"),
        (wrong(inputs=torch.full((4, 1, 1, 2, 2), float("nan"))), "those of example 0 are not; fill in"),
        (wrong(inputs=[torch.zeros(2, 3)] * 3 + [torch.zeros(2, 4)]), r"of shape \(3,\), as the first has.*\(2, 4\)"),
        (wrong(inputs=[[torch.zeros(2, 3)] * 2] * 4), "1 sequences in example 0, but got 2"),
        (wrong(inputs=[None] * 4), "expected inputs, but the list has none"),
        (wrong(inputs=[torch.zeros(2, 3)] * 4, mask=torch.ones(4, 1, 2, dtype=torch.bool)), "which brings its own"),
        (wrong(inputs=torch.zeros(4, 1, 2, 3), mask=torch.ones(4, 1, 2)), "mask of booleans.*float32"),
        (wrong(evidence=torch.zeros(4, 1, 13, dtype=torch.int8)), r"evidence of shape \(4, 1, 14\).*\(4, 1, 13\)"),
        (wrong(evidence=torch.zeros(4, 1, 14)), "evidence as int8"),
        (wrong(truth=torch.full((4, 1, 14), 3, dtype=torch.int8)), "in truth, but found 3"),
        (wrong(truth=torch.full((4, 1, 14), -128, dtype=torch.int8)), "in truth, but found -128"),
        (wrong(evidence=torch.ones(4, 1, 14, dtype=torch.int8)), r"example 0 observes D0\(a\), which is latent"),
    ],
)
def test_mistakes_are_named(fields: dict[str, Tensor], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        replace(toy_examples("mnist1", 4), **fields)  # type: ignore[arg-type]


def test_latent_evidence_is_allowed_when_asked_for() -> None:
    known = torch.ones(1, 1, 14, dtype=torch.int8)
    Examples(task_of("mnist1"), torch.zeros(1, 1, 1, 2, 2), known, known, allow_latent=True)


def test_rows_are_numbers_or_truths() -> None:
    examples = toy_examples(count=4)
    for key in ([True, False, False, True], np.array([True, False, False, True]), [0, 3], np.array([0, 3])):
        assert torch.equal(examples[key].evidence, examples.evidence[[0, 3]])
    for wrong_key in ([True], "a", 1.5, [0.5], np.zeros((2, 2), dtype=int)):
        with pytest.raises(MooseError, match="expected"):
            examples[wrong_key]  # type: ignore[index]
