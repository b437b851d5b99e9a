"""Odds of siblings learnt after the network, against plain enumeration of worlds and a search without slopes."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.optimize import minimize, minimize_scalar

import moose
from moose.base.errors import MooseError
from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.base_rates import last_layer
from moose.learning.fit.sibling_odds import PRIORS, WITH_GAPS, OddsPriors, fit_odds
from moose.learning.fit.training_loop import Training
from moose.learning.network import ConceptNetwork
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.load_predictor import load_predictor
from moose.methods.ours.moose_siblings import MooseSiblings, MooseSiblingsModel
from tests.grounding.tasks import ontology_of
from tests.learning.toys import toy_examples
from tests.methods.test_moose_siblings import odds_of, predictor_of, rows_of_one_of_three
from tests.methods.test_spl import labelled, share

ABOVE = {"B": "A", "C": "A", "E": "D", "F": "D"}
WORLDS = [
    world
    for world in product((False, True), repeat=6)
    if all(world["ABCDEF".index(up)] or not world["ABCDEF".index(down)] for down, up in ABOVE.items())
]
GROUPS = ((1, 2), (4, 5), (0, 3))


def two_groups(tmp_path: Path) -> Task:
    axioms = "\n".join(f"SubClassOf(:{down} :{up})" for down, up in ABOVE.items())
    return Task(ontology_of(tmp_path, axioms), ["a"], observed=[], latent=list("ABCDEF"))


def drawn_rows(task: Task, count: int = 12, *, hidden: float = 0.0) -> tuple[list[list[float]], Examples]:
    generator = np.random.default_rng(3)
    logits = generator.normal(0, 1.5, (count, 6)).round(3).tolist()
    worlds = np.array([WORLDS[one] for one in generator.integers(0, len(WORLDS), count)])
    signs = np.where(generator.random(worlds.shape) < hidden, 0, 2 * worlds - 1).astype(np.int8)
    return logits, labelled(task, logits, torch.from_numpy(signs)[:, None])


def plain_loss(odds: np.ndarray, rows: list[list[float]], evidence: np.ndarray) -> float:
    """Return the mean of -log P(e | T) by going through all worlds."""

    def weight(world: tuple[bool, ...], logits: list[float]) -> float:
        counts = [sum(world[one] for one in group) for group in GROUPS]
        extra = sum(odds[2 * n] * (c > 0) + odds[2 * n + 1] * (c > 1) for n, c in enumerate(counts))
        return share(world, logits) * math.exp(extra)

    loss = 0.0
    for logits, signs in zip(rows, evidence[:, 0].tolist()):
        agreeing = [one for one in WORLDS if all(not sign or holds == (sign > 0) for holds, sign in zip(one, signs))]
        loss -= math.log(sum(weight(one, logits) for one in agreeing) / sum(weight(one, logits) for one in WORLDS))
    return loss / len(rows)


def test_odds_are_the_likeliest_of_all(tmp_path: Path) -> None:
    task = two_groups(tmp_path)
    predictor = predictor_of(task, [0.0] * 6)  # its logits are the inputs, so that there is no bias to learn
    rows, examples = drawn_rows(task)
    model = predictor.model
    assert isinstance(model, MooseSiblingsModel)
    assert sorted(model.groups) == sorted(GROUPS)
    order = [model.groups.index(group) for group in GROUPS]
    fit_odds(model.network, [one for _, one in model.prepare_shapes(examples)])
    odds = odds_of(predictor)
    assert odds is not None
    found = odds().detach().numpy().reshape(-1, 2)[order].flatten()

    def penalised(values: np.ndarray) -> float:
        own = np.tile(values[:2], 3) + values[2:]
        prior = (values[:2] ** 2).sum() / PRIORS.means**2 + (values[2:] ** 2).sum() / PRIORS.groups**2
        return plain_loss(own, rows, examples.evidence.numpy()) + float(prior) / 2 / len(rows)

    expected = minimize(penalised, np.zeros(8), method="BFGS").x
    np.testing.assert_allclose(found, np.tile(expected[:2], 3) + expected[2:], atol=5e-3)
    assert np.abs(found).max() > 0.1
    loss = float(predictor.loss(examples).detach())
    assert loss == pytest.approx(plain_loss(found, rows, examples.evidence.numpy()), abs=1e-4)


@pytest.mark.parametrize("log_scale", [0.0, -0.7])
def test_biases_move_with_the_odds_until_nothing_is_gained(tmp_path: Path, log_scale: float) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.0)
    predictor = moose.make_method("moose-siblings", odds="together").fit(
        rows.task, rows, seed=0, training=Training(epochs=3)
    )
    assert isinstance(predictor.model, MooseSiblingsModel)
    network, odds = predictor.model.network, odds_of(predictor)
    assert odds is not None
    odds.scaled.detach().zero_()
    assert isinstance(network, ConceptNetwork)
    network.log_scale.fill_(log_scale)
    last, prepared = last_layer(network), [one for _, one in predictor.model.prepare_shapes(rows)]
    before, at_first = last.bias.detach().clone(), float(predictor.loss(rows).detach())
    fit_odds(network, prepared)
    assert float(predictor.loss(rows).detach()) < at_first - 0.1
    loss = predictor.loss(rows)
    slope_of_bias, slope_of_odds = torch.autograd.grad(loss, [last.bias, odds.scaled])
    # at the best place the slope of the loss is minus that of the prior
    shift, scale = (last.bias.detach() - before) * math.exp(log_scale), math.exp(log_scale)
    np.testing.assert_allclose(slope_of_bias.numpy() / scale, -shift.numpy() / PRIORS.biases**2 / len(rows), atol=2e-3)
    assert float(shift.abs().max()) > 0.05
    spread = 1 / (1 / PRIORS.means**-2 + 1 / PRIORS.groups**-2)  # of the mean and one group's own together
    np.testing.assert_allclose(slope_of_odds.numpy() / 10.0, -odds().detach().numpy() * spread / len(rows), atol=2e-3)


def test_with_all_labels_the_network_is_that_of_moose(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.0)
    training = Training(epochs=3, base_rates=True)
    plain, ours = (
        moose.make_method(name).fit(rows.task, rows, seed=0, training=training) for name in ("moose", "moose-siblings")
    )
    theirs, own = (dict(one.model.named_parameters()) for one in (plain, ours))
    bias = next(name for name, value in own.items() if value is last_layer(ours.model).bias)
    for name, value in theirs.items():
        if name != bias:
            torch.testing.assert_close(value, own[name], atol=1e-4, rtol=1e-3)
    odds = odds_of(ours)
    assert odds is not None
    assert odds.scaled.requires_grad
    some, several = odds().tolist()
    assert some > 0.5
    assert several < -1.0


def learnt_after(monkeypatch: pytest.MonkeyPatch, rows: Examples, odds: str) -> bool:
    """Return whether odds were learnt after the network."""
    seen = []
    monkeypatch.setattr("moose.methods.ours.moose_siblings.fit_odds", lambda *_: seen.append(True))
    moose.make_method("moose-siblings", odds=odds).fit(rows.task, rows, seed=0, training=Training(epochs=1))
    return bool(seen)


@pytest.mark.parametrize(
    ("hidden", "odds", "is_after"),
    [
        (0.0, "auto", True),
        (0.2, "auto", True),
        (0.0, "together", False),
        (0.2, "together", False),
        (0.2, "afterwards", True),
        (0.0, "both", True),
    ],
)
def test_odds_are_learnt_to_the_end_but_where_that_is_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hidden: float, odds: str, is_after: bool
) -> None:
    assert learnt_after(monkeypatch, rows_of_one_of_three(tmp_path, hidden=hidden), odds) is is_after


def when_learnt(examples: Examples) -> str:
    """Return when odds are learnt of examples, if nothing is asked for."""
    model = MooseSiblingsModel(examples.task, Perception(None, make=lambda _outputs, _seed: torch.nn.Flatten()), seed=0)
    model.begin([one for _, one in model.prepare_shapes(examples)])
    odds = model.network.open_weights
    assert odds is None or odds.scaled.requires_grad == (model.when != "afterwards")
    return model.when


def test_auto_goes_by_what_is_known(tmp_path: Path) -> None:
    assert when_learnt(rows_of_one_of_three(tmp_path, hidden=0.0)) == "afterwards"
    assert when_learnt(rows_of_one_of_three(tmp_path, hidden=0.2)) == "both"
    assert when_learnt(toy_examples("mnist1", 4)) == "together"  # what is observed is no label


def test_both_goes_on_from_what_was_learnt_with_the_network(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    training = Training(epochs=1)  # far from the end
    together, both = (
        moose.make_method("moose-siblings", odds=odds).fit(rows.task, rows, seed=0, training=training)
        for odds in ("together", "both")
    )
    theirs, own = (dict(one.model.named_parameters()) for one in (together, both))
    moved = {name for name, value in own.items() if not torch.equal(value, theirs[name])}
    bias = next(name for name, value in own.items() if value is last_layer(both.model).bias)
    odds = next(name for name in own if name.endswith("open_weights.scaled"))
    assert moved == {bias, odds}
    assert float(both.loss(rows).detach()) < float(together.loss(rows).detach()) - 0.01


def held_back_rows(tmp_path: Path) -> tuple[Examples, Examples]:
    """Return rows to learn from, and others of which some have a wrong input, so that a network is too sure of them."""
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    some, others = rows.take(range(150)), rows.take(range(150, 300))
    others.inputs[:50] = others.inputs[:50].flip(0)
    return some, others


def test_rows_that_told_when_to_stop_are_learnt_from_in_the_end(tmp_path: Path) -> None:
    some, others = held_back_rows(tmp_path)
    training = Training(epochs=8, learning_rate=0.02, patience=8, stop_by="au_prc")
    together, both = (
        moose.make_method("moose-siblings", odds=odds).fit(
            some.task, some, seed=0, training=training, validation=others
        )
        for odds in ("together", "both")
    )
    assert float(both.loss(others).detach()) < float(together.loss(others).detach()) - 0.01
    network, model = both.model.network, together.model
    assert isinstance(network, ConceptNetwork)
    scale = float(network.log_scale)
    assert scale < -0.1

    def loss_at(log_scale: float) -> float:
        network.log_scale.fill_(log_scale)
        return float(both.loss(others).detach())

    # as sure as the rows held back let it be
    assert minimize_scalar(loss_at, bounds=(-3.0, 0.0), method="bounded").x == pytest.approx(scale, abs=0.05)
    # what was learnt in the end was learnt from these and those
    assert isinstance(model, MooseSiblingsModel)
    fit_odds(model.network, [one for rows in (some, others) for _, one in model.prepare_shapes(rows)], WITH_GAPS)
    theirs, own = odds_of(together), odds_of(both)
    assert theirs is not None
    assert own is not None
    torch.testing.assert_close(theirs(), own(), atol=1e-5, rtol=0.0)


def test_with_all_labels_rows_held_back_count_too(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.0)
    some, others = rows.take(range(50)), rows.take(range(50, 300))
    training = Training(epochs=2, patience=2)
    predictor = moose.make_method("moose-siblings").fit(some.task, some, seed=0, training=training, validation=others)
    odds, model = odds_of(predictor), predictor.model
    assert odds is not None
    assert isinstance(model, MooseSiblingsModel)
    found = odds().detach().clone()
    fit_odds(model.network, [one for all_of in (some, others) for _, one in model.prepare_shapes(all_of)])
    torch.testing.assert_close(odds(), found, atol=0.1, rtol=0.0)  # little is left to learn, as the priors begin anew
    fit_odds(model.network, [one for _, one in model.prepare_shapes(some)])
    assert float((odds() - found).detach().abs().max()) > 0.2


class Unlike(torch.nn.Module):
    """An encoder whose layer `last` is not the last thing that it does."""

    def __init__(self, outputs: int, width: int, *, is_frozen: bool) -> None:
        super().__init__()
        self.last = torch.nn.Linear(3, width).requires_grad_(not is_frozen)
        self.out = torch.nn.Linear(width, outputs)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.out(torch.tanh(self.last(inputs)))
        return found


@pytest.mark.parametrize(("width", "is_frozen"), [(7, False), (4, False), (4, True)])
def test_only_biases_of_logits_that_may_be_learnt_are_moved(tmp_path: Path, width: int, is_frozen: bool) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    together, both = (
        moose.make_method("moose-siblings", odds=odds).fit(
            rows.task,
            rows,
            training=Training(epochs=1),
            perception=Perception(None, make=lambda outputs, _: encoder_of(outputs, width, is_frozen)),
        )
        for odds in ("together", "auto")
    )
    theirs, own = (dict(one.model.named_parameters()) for one in (together, both))
    moved = {name for name, value in own.items() if not torch.equal(value, theirs[name])}
    assert moved == {"network.open_weights.scaled"}
    assert float(both.loss(rows).detach()) < float(together.loss(rows).detach())


def encoder_of(outputs: int, width: int, is_frozen: bool) -> torch.nn.Module:
    torch.manual_seed(0)
    return Unlike(outputs, width, is_frozen=is_frozen)


def test_labels_of_one_sign_are_not_learnt_from_to_the_end(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    for sign in (1, -1):
        evidence = torch.where(rows.evidence == sign, rows.evidence, 0)
        some = Examples(rows.task, rows.inputs, evidence, rows.truth, allow_latent=True)
        assert when_learnt(some) == "together"


def test_rows_that_tell_nothing_are_not_learnt_from(tmp_path: Path) -> None:
    some, others = held_back_rows(tmp_path)
    without, beside = (
        moose.make_method("moose-siblings").fit(
            some.task, some, seed=0, training=Training(epochs=2), validation=validation
        )
        for validation in ((), others)
    )
    for name, value in without.model.state_dict().items():
        torch.testing.assert_close(value, beside.model.state_dict()[name], atol=0.0, rtol=0.0)


def test_labels_that_follow_are_known(tmp_path: Path) -> None:
    task = two_groups(tmp_path)
    signs = torch.tensor([[[0, 1, -1, -1, 0, 0]], [[-1, 0, 0, 0, -1, 1]]], dtype=torch.int8)
    told = Examples(task, torch.zeros(2, 1, 3), signs, torch.zeros_like(signs), allow_latent=True)
    assert when_learnt(told) == "afterwards"
    signs[0, 0, 3] = 0  # then D, E and F are open
    assert when_learnt(told) == "both"


def test_a_training_that_is_taken_up_again_ends_the_same(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.0)
    method, training = moose.make_method("moose-siblings"), Training(epochs=2, base_rates=True)
    at_once = method.fit(rows.task, rows, seed=0, training=training)
    for folder in (tmp_path / "kept", tmp_path / "kept"):
        again = method.fit(rows.task, rows, seed=0, training=training, folder=folder)
        first, second = (one.predict(rows, evidence=False).posteriors for one in (at_once, again))
        np.testing.assert_array_equal(first, second)
    again.save(tmp_path / "model")
    kept = load_predictor(tmp_path / "model").predict(rows, evidence=False).posteriors
    np.testing.assert_array_equal(first, kept)


def test_only_those_with_an_input_are_moved(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:B :A) SubClassOf(:C :A)")
    kinds = {"seen": Kind(["x"]), "unseen": Kind(["z"], has_input=False)}
    task = Task(ontology, ["x", "z"], observed=[], latent=list("ABC"), kinds=kinds)
    generator = np.random.default_rng(0)
    member = generator.integers(1, 3, (60, 2))
    signs = -np.ones((60, 2, 3), np.int8)
    signs[..., 0] = 1
    for row, (first, second) in enumerate(member):
        signs[row, 0, first] = signs[row, 1, second] = 1
    evidence = torch.from_numpy(signs)
    rows = Examples(task, torch.randn(60, 1, 3), evidence, torch.zeros_like(evidence), allow_latent=True)
    perception = Perception((3,))
    method = MooseSiblings(odds="afterwards")
    predictor = Predictor(method, method.model(task, perception, seed=0), perception)
    predictor.look_at(rows)
    assert isinstance(predictor.model, MooseSiblingsModel)
    last, before = last_layer(predictor.model), last_layer(predictor.model).bias.detach().clone()
    fit_odds(predictor.model.network, [one for _, one in predictor.model.prepare_shapes(rows)])
    (slope,) = torch.autograd.grad(predictor.loss(rows), [last.bias])
    shift = last.bias.detach() - before
    np.testing.assert_allclose(slope.numpy(), -shift.numpy() / PRIORS.biases**2 / len(rows), atol=2e-3)
    odds = odds_of(predictor)
    assert odds is not None
    assert odds().tolist()[1] < -1.0


def test_a_word_that_is_none_is_refused() -> None:
    with pytest.raises(MooseError, match="expected odds of moose-siblings among auto, together, afterwards, both"):
        moose.make_method("moose-siblings", odds="later")


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan, math.inf])
def test_priors_are_positive(wrong: float) -> None:
    with pytest.raises(MooseError, match=f"expected a positive standard deviation of groups, but got {wrong}"):
        OddsPriors(groups=wrong)


def test_a_prior_that_lets_nothing_move_leaves_the_biases(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.0)
    predictor = moose.make_method("moose-siblings", odds="together").fit(
        rows.task, rows, seed=0, training=Training(epochs=1)
    )
    assert isinstance(predictor.model, MooseSiblingsModel)
    last, prepared = last_layer(predictor.model), [one for _, one in predictor.model.prepare_shapes(rows)]
    before = last.bias.detach().clone()
    fit_odds(predictor.model.network, prepared, OddsPriors(biases=1e-4))
    torch.testing.assert_close(last.bias.detach(), before, atol=1e-4, rtol=0.0)
    fit_odds(predictor.model.network, prepared, OddsPriors(biases=1.0))
    assert float((last.bias.detach() - before).abs().max()) > 0.05
