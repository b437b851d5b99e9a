"""DF-EL: how false each normal form is, by hand, and what is minimised."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.methods.base.perception import Perception
from moose.methods.dfel.dfel import Dfel
from moose.methods.dfel.goguen import Degrees, chain_falsities, falsity, normal_form_falsities, range_falsities
from moose.methods.ltn.fuzzy_outputs import Outputs
from moose.methods.registry import make_method
from moose.methods.theory.normal_forms import KINDS, NormalForms
from tests.grounding.tasks import ontology_of
from tests.learning.toys import toy_encoder, toy_examples


def perception_of(examples: Examples) -> Perception:
    def make(outputs: int, seed: int) -> nn.Module:
        return toy_encoder(outputs, seed=seed)

    return Perception(examples.input_shape, make=make)


def forms(**rows: list[list[int]]) -> NormalForms:
    tables = {kind: torch.tensor(rows.get(kind, []), dtype=torch.int64).reshape(-1, KINDS[kind]) for kind in KINDS}
    return NormalForms(concepts=3, **tables)


DEGREES = Degrees(
    torch.tensor([[[0.8, 0.6, 0.5], [0.2, 0.9, 0.1]]]),  # two individuals, three concepts
    torch.tensor([[[[0.0, 0.5], [0.0, 0.0]]]]),  # r(x, y) = ½
    torch.tensor([[True, False]]),
)


@pytest.mark.parametrize(
    ("kind", "rows", "expected"),
    [
        ("nf1", [0, 1], [1 - 0.6 / 0.8, 0.0]),
        ("nf1_bottom", [2], [0.5, 0.1]),
        ("nf2", [0, 1, 2], [0.0, 1 - 0.1 / 0.18]),  # 0.48 → 0.5 and 0.18 → 0.1
        ("nf2_bottom", [0, 1], [0.48, 0.18]),
        ("nf3", [0, 0, 1], [1 - 0.45 / 0.8, 0.0]),  # ½ · 0.9; the other's filler is elsewhere
        ("nf4", [0, 1, 2], [0.0, 0.0]),  # 0.45 → 0.5
        ("nf4", [0, 1, 0], [0.0, 0.0]),
        ("nf4_bottom", [0, 1], [0.45, 0.0]),
    ],
)
def test_normal_forms_by_hand(kind: str, rows: list[int], expected: list[float]) -> None:
    found = normal_form_falsities(forms(**{kind: [rows]}), DEGREES)
    assert list(found) == [kind] and found[kind][0, :, 0].tolist() == pytest.approx(expected, abs=1e-6)


def test_chains_and_ranges_by_hand() -> None:
    links = torch.tensor([[[[0.0, 0.8], [0.0, 0.5]], [[0.1, 0.2], [0.0, 0.4]]]])
    # (r ∘ r)(x, y) = max(0 · 0.8, 0.8 · 0.5) = 0.4 and (r ∘ r)(y, y) = 0.25, into s
    (found,) = chain_falsities(links, [((0, 0), 1)])
    assert found[0].tolist() == pytest.approx([0.0, 1 - 0.2 / 0.4, 0.0, 0.0])
    (found,) = chain_falsities(links, [((1,), 0)])
    assert found[0].tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0])
    (found,) = range_falsities(DEGREES, [(0, 2)])
    assert found[0].tolist() == pytest.approx([0.0, 1 - 0.1 / 0.5, 0.0, 0.0])


def test_falsity_is_that_of_a_residuum() -> None:
    body, head = torch.rand(2, 1000, generator=torch.Generator().manual_seed(0))
    truth = 1 - falsity(body, head)
    assert (body * truth <= head + 1e-6).all()
    assert ((truth == 1) | ((body * truth - head).abs() < 1e-6)).all()


def test_a_small_ontology_by_hand(tmp_path: Path) -> None:
    axioms = "Declaration(Class(:A)) Declaration(Class(:B)) SubClassOf(:A :B)"
    task = Task(ontology_of(tmp_path, axioms), ["a"], ["B"], ["A"])
    evidence = torch.tensor([[[0, 1]]], dtype=torch.int8)
    examples = Examples(task, torch.full((1, 1, 1, 1, 10), 0.5), evidence, torch.ones_like(evidence))
    model = Dfel(el_weight=2.0).model(task, perception_of(examples), seed=0)
    outcome = model.objective(model.network, model.prepare(examples), slice(None))
    a, b = model.network(examples.inputs[:, 0])[0].sigmoid().tolist()
    expected = -torch.tensor(b).log().item() + 2.0 * (1 - min(1.0, b / a))
    assert outcome.loss.item() == pytest.approx(expected, abs=1e-5)


def test_the_truth_satisfies_everything_and_so_does_nothing() -> None:
    examples = toy_examples("mnist2", 4)
    for closure in (False, True):
        model = Dfel(closure=closure).model(examples.task, perception_of(examples), seed=0)
        logits = torch.full((4, 2, model.plan.size), -40.0)
        nothing = float(model.falsity(examples.task, Outputs(logits, {}, {})))
        logits[..., :14] = 40.0 * examples.truth
        assert float(model.falsity(examples.task, Outputs(logits, {}, {}))) == pytest.approx(0, abs=1e-5)
        assert nothing == pytest.approx(float(closure), abs=1e-5)


@pytest.mark.parametrize("name", ["mnist2", "mnist3"])
def test_the_derivative_is_that_of_differences(name: str) -> None:
    examples = toy_examples(name, 2, seed=1)
    model = Dfel(closure=True).model(examples.task, perception_of(examples), seed=0)
    raw = torch.randn(2, 2, model.plan.size, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda one: model.falsity(examples.task, model.plan.read(one)), raw.requires_grad_(), fast_mode=True
    )


@pytest.mark.parametrize("options", [{"el_weight": -1}, {"closure": 1}, {"decode": "guess"}])
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match="df-el"):
        make_method("df-el", **options)
