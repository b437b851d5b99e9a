"""Inputs of any shape: vectors, sequences, arrays of other libraries; examples as a torch Dataset; standardisation."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from torch import Tensor, nn
from torch.utils.data import BatchSampler, DataLoader, RandomSampler

import moose
from moose.base.errors import MooseError, MooseWarning
from moose.learning.encoders import MLPEncoder, encoder_for, initialise, mlp_encoder
from moose.learning.examples import Examples
from moose.learning.inputs.read_inputs import read_inputs
from moose.learning.inputs.standardise import Standardise
from tests.learning.toys import task_of, toy_encoder, toy_examples


def vectors(name: str = "mnist3", count: int = 256, *, seed: int = 0, shift: float = 0.0) -> Examples:
    """Digits as ten numbers, of which none is between 0 and 1."""
    toys = toy_examples(name, count, seed=seed, share=1.0)
    return replace(toys, inputs=1000 * toys.inputs[:, :, 0, 0] + 500 + shift)


class MeanOfSteps(nn.Module):
    """A full layer on the mean of the steps that there are."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.last = nn.Linear(width, outputs)
        initialise(self, torch.Generator().manual_seed(0))

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        weights = mask.unsqueeze(-1).float()
        mean = (values * weights).sum(1) / weights.sum(1).clamp_min(1)
        logits: Tensor = self.last(mean)
        return logits


def sequences(examples: Examples, *, seed: int = 0) -> list[list[Tensor]]:
    """Repeat each vector one to four times."""
    generator = torch.Generator().manual_seed(seed)
    return [
        [one.expand(int(torch.randint(1, 5, (), generator=generator)), -1) for one in row]
        for row in examples.inputs[:, :, 0, 0]
    ]


# ── Any shape ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_vectors_are_learnt_by_the_encoder_that_is_chosen(tmp_path: Path) -> None:
    train, test = vectors(count=512), vectors(count=64, seed=1)
    predictor = moose.make_method("moose", head="softmax").fit(
        train.task, train, training=moose.Training(epochs=12, learning_rate=0.01)
    )
    assert any(isinstance(module, MLPEncoder) for module in predictor.model.modules())
    evaluation = predictor.evaluate(test)
    assert (evaluation.network.scores.acc_f or 0) > 0.9
    predictor.save(tmp_path)
    loaded = moose.load_predictor(tmp_path)
    assert loaded.perception.input_shape == (10,)
    assert np.array_equal(loaded.predict(test).posteriors, predictor.predict(test).posteriors)


def test_a_learner_with_an_mlp_is_saved_with_its_plan_and_scale(tmp_path: Path) -> None:
    train = vectors("mnist1", 64)
    learner = moose.ConceptLearner(train.task, mlp_encoder(10, 10, hidden=[7], batch_norm=True)).fit(train, epochs=1)
    learner.save(tmp_path)
    loaded = moose.ConceptLearner.load(tmp_path)
    assert np.array_equal(loaded.predict(train).posteriors, learner.predict(train).posteriors)
    scaling = next(module for module in loaded.network.modules() if isinstance(module, Standardise))
    torch.testing.assert_close(scaling.mean, train.inputs.flatten(0, 1).mean(0))


def test_the_first_training_sets_the_scale_and_the_next_keeps_it() -> None:
    encoder = mlp_encoder(10, 10)
    learner = moose.ConceptLearner(task_of("mnist1"), encoder).fit(vectors("mnist1", 32), epochs=1)
    before = encoder.scaling.mean.clone()
    learner.fit(vectors("mnist1", 32, shift=5000.0), epochs=1)
    assert torch.equal(encoder.scaling.mean, before)


def test_a_feature_that_never_changes_is_left_at_its_size() -> None:
    scaling = Standardise(1)
    scaling.measure([torch.full((5, 1), 3.0)])
    assert scaling(torch.tensor([[4]])).tolist() == [[1.0]]


def test_sequences_of_unequal_lengths_are_learnt_by_an_encoder_that_takes_the_mask() -> None:
    toys = toy_examples("mnist3", 256, share=1.0)
    padded = replace(toys, inputs=sequences(toys))  # type: ignore[arg-type]
    assert padded.mask is not None and padded.inputs.shape == (256, 2, 4, 10)
    assert padded.mask[0, 0].sum() == len(sequences(toys)[0][0])
    learner = moose.ConceptLearner(toys.task, MeanOfSteps(10, 10))
    learner.fit(padded, moose.Training(epochs=20, learning_rate=0.05))
    assert (learner.evaluate(padded).network.scores.acc_f or 0) > 0.9
    again = Examples(toys.task, padded.inputs, toys.evidence, toys.truth, mask=padded.mask)
    assert np.array_equal(learner.predict(again).posteriors, learner.predict(padded).posteriors)


def test_what_stands_in_the_padding_does_not_matter() -> None:
    toys = toy_examples("mnist3", 8)
    padded = replace(toys, inputs=sequences(toys))  # type: ignore[arg-type]
    assert padded.mask is not None
    noise = torch.where(padded.mask.unsqueeze(-1), padded.inputs, 7.0)
    learner = moose.ConceptLearner(toys.task, MeanOfSteps(10, 10))
    assert np.array_equal(learner.predict(replace(padded, inputs=noise)).posteriors, learner.predict(padded).posteriors)


def test_sequences_keep_their_masks_where_examples_differ_in_who_is_there() -> None:
    task = replace(task_of("mnist2"), roles={"succ": []})
    toys = toy_examples("mnist2", 4, share=0.0, task=task)
    alone, both = {"succ": list[tuple[str, str]]()}, {"succ": [("a", "b")]}
    given = [[*row] for row in sequences(toys)]
    some = Examples(
        task,
        [[given[0][0], None], *given[1:]],  # type: ignore[arg-type]
        toys.evidence,
        toys.truth * torch.tensor([[[1], [0]], [[1], [1]], [[1], [1]], [[1], [1]]], dtype=torch.int8),
        individuals=[["a"], ["a", "b"], ["a", "b"], ["a", "b"]],
        roles=[alone, both, both, alone],
    )
    learner = moose.ConceptLearner(task, MeanOfSteps(10, 10)).fit(some, epochs=1)
    said = learner.predict(some).posteriors
    assert np.isnan(said[0, 1]).all() and not np.isnan(said[1:]).any()


@pytest.mark.parametrize("method", ["bears", "nesydm-exact", "independent", "ltn"])
def test_other_methods_take_sequences(method: str) -> None:
    from moose.methods.base.perception import Perception

    toys = toy_examples("mnist1", 16)
    padded = replace(toys, inputs=sequences(toys))  # type: ignore[arg-type]
    perception = Perception(padded.input_shape, make=lambda outputs, _: MeanOfSteps(10, outputs))
    predictor = moose.make_method(method).fit(
        toys.task, padded, training=moose.Training(epochs=1), perception=perception
    )
    assert np.isfinite(predictor.predict(padded).posteriors).all()


def test_inputs_without_a_bundled_encoder_are_named() -> None:
    toys = toy_examples("mnist1", 8)
    padded = replace(toys, inputs=sequences(toys))  # type: ignore[arg-type]
    with pytest.raises(MooseError, match=r"vectors .* and for images .* is 4×10; give an encoder of your own"):
        moose.make_method("moose").fit(toys.task, padded)
    with pytest.raises(MooseError, match="1×2"):
        encoder_for(3, (1, 2))


# ── From other libraries ──────────────────────────────────────────────────────────────────────────────────────────


class Annotated:
    """As much of AnnData as is looked at."""

    def __init__(self, matrix: object) -> None:
        self.X, self.obs = matrix, None


def test_arrays_sparse_matrices_and_annotated_ones_become_tensors() -> None:
    from scipy.sparse import csr_matrix

    array: npt.NDArray[np.float64] = np.arange(12.0).reshape(4, 3)
    wanted = torch.from_numpy(array).unsqueeze(1)
    sparse = torch.from_numpy(array).to_sparse()
    for given in (array, csr_matrix(array), Annotated(csr_matrix(array)), Annotated(array), sparse):
        assert torch.equal(read_inputs(given, None, 1).values, wanted)
    numbers = read_inputs(array.astype(np.uint16), None, 1).values
    assert numbers.dtype == torch.int64


def test_annotated_data_where_it_is_installed() -> None:
    anndata = pytest.importorskip("anndata", reason="AnnData is not installed")
    array = np.arange(12, dtype=np.float32).reshape(4, 3)
    assert torch.equal(read_inputs(anndata.AnnData(array), None, 1).values[:, 0], torch.from_numpy(array))


def test_only_bytes_are_scaled() -> None:
    toys = toy_examples("mnist1", 2)
    cases = [
        (torch.full((2, 1, 3), 51, dtype=torch.uint8), 0.2, torch.float32),
        (torch.full((2, 1, 3), 51, dtype=torch.int32), 51, torch.int64),
        (torch.full((2, 1, 3), 51.0, dtype=torch.float64), 51.0, torch.float32),
        (torch.ones(2, 1, 3, dtype=torch.bool), 1.0, torch.float32),
    ]
    for inputs, value, kind in cases:
        scaled = replace(toys, inputs=inputs).scaled_inputs(slice(None))
        assert scaled.dtype == kind and bool((scaled == value).all())


# ── A torch Dataset ───────────────────────────────────────────────────────────────────────────────────────────────


def test_examples_are_indexed() -> None:
    toys = toy_examples("mnist2", 6)
    assert toys[2]["row"] == 2 and torch.equal(toys[-4]["inputs"], toys.inputs[2])
    assert torch.equal(toys[1:3].truth, toys.truth[1:3])
    assert torch.equal(toys[[4, 0]].truth, toys.truth[[4, 0]])
    assert torch.equal(toys[toys.truth[:, 0, 0] > 0].truth, toys.truth[toys.truth[:, 0, 0] > 0])
    assert len(list(toys)) == 6
    with pytest.raises(IndexError):
        toys[6]


def test_a_loader_collects_batches() -> None:
    toys = toy_examples("mnist2", 6)
    batches = list(DataLoader(toys, batch_size=4))
    assert [tuple(batch["evidence"].shape) for batch in batches] == [(4, 2, 14), (2, 2, 14)]
    assert batches[1]["row"].tolist() == [4, 5]
    assert torch.equal(toys[batches[1]["row"]].truth, toys.truth[4:])
    padded = replace(toys, inputs=sequences(toys))  # type: ignore[arg-type]
    assert next(iter(DataLoader(padded, batch_size=4)))["mask"].shape[:2] == (4, 2)
    sampler = BatchSampler(RandomSampler(toys), 4, drop_last=False)
    assert [len(batch) for batch in DataLoader(toys, sampler=sampler, batch_size=None)] == [4, 2]


def test_the_loss_of_a_loop_of_ones_own_is_that_of_fit() -> None:
    toys = toy_examples("mnist2", 64)
    learner = moose.ConceptLearner(toys.task, toy_encoder(), cover=None)
    learner.look_at(toys)
    loss = learner.loss(toys)
    loss.backward()
    assert all(parameter.grad is not None for parameter in learner.network.parameters())
    one_step = moose.Training(epochs=1, batch_size=64)
    assert learner.fit(toys, one_step).history[0].loss == pytest.approx(float(loss.detach()), rel=1e-5)
    pictures = replace(toys[:8], inputs=torch.zeros(8, 2, 1, 4, 4))
    bears = moose.make_method("bears").fit(toys.task, pictures, training=one_step)
    with pytest.raises(MooseError, match="stages, each with a loss of its own"):
        bears.loss(pictures)


def test_a_loop_that_forgets_to_look_is_told_so_once_and_learns_nevertheless() -> None:
    train = vectors(count=64)
    wanted, forgot = (moose.ConceptLearner(train.task, mlp_encoder(10, 10)) for _ in range(2))
    wanted.look_at(train)
    with pytest.warns(MooseWarning, match=r"before look_at: .* from the 64 examples .* call look_at\(train\) once"):
        first = forgot.loss(train)
    assert float(first.detach()) == pytest.approx(float(wanted.loss(train).detach()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forgot.loss(train[:8])
        with torch.no_grad():
            moose.ConceptLearner(train.task, mlp_encoder(10, 10)).loss(train)  # nothing is learnt
        toys = toy_examples("mnist2", 8)
        moose.ConceptLearner(toys.task, toy_encoder()).loss(toys)  # nothing need be known before


# ── Small mistakes ────────────────────────────────────────────────────────────────────────────────────────────────


def test_something_else_than_examples_is_named() -> None:
    learner = moose.ConceptLearner(task_of("mnist1"), toy_encoder())
    dataset = moose.Dataset("toys", "mnist1", {"train": toy_examples("mnist1", 4)})
    with pytest.raises(MooseError, match=r"but got Dataset; give one of its parts, such as data\.train"):
        learner.fit(dataset)  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="but got TensorDataset; make Examples of it"):
        learner.fit(torch.utils.data.TensorDataset(torch.zeros(3)))  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="but got int"):
        learner.evaluate([3])  # type: ignore[list-item]


@pytest.mark.parametrize(("last", "word"), [(nn.Softmax(-1), "a softmax"), (nn.LogSoftmax(-1), "a log-softmax")])
def test_an_encoder_that_ends_in_a_softmax_is_noticed_once(last: nn.Module, word: str) -> None:
    toys = toy_examples("mnist1", 8)
    learner = moose.ConceptLearner(toys.task, nn.Sequential(toy_encoder(), last))
    with pytest.warns(MooseWarning, match=f"seems to end in {word}, .*; leave it out") as noticed:
        learner.fit(toys, epochs=2)
    assert len(noticed) == 1


def test_the_device_is_checked() -> None:
    toys = toy_examples("mnist1", 8)
    moose.ConceptLearner(toys.task, toy_encoder()).fit(toys, moose.Training(epochs=1, device="cpu"))
    with pytest.raises(MooseError, match="such as cpu or cuda, but got 'abacus'"):
        moose.Training(device="abacus")


def test_a_sequence_has_a_step_at_least() -> None:
    with pytest.raises(MooseError, match="example 1 has one without"):
        read_inputs([[torch.ones(2, 3), torch.ones(1, 3)], [torch.ones(0, 3), torch.ones(1, 3)]], None, 2)
