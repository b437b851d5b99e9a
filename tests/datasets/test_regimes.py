"""Evidence is drawn as the regimes say, and is true."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch

import moose
from moose.base.errors import MooseError
from moose.datasets.base.instances import Drawing, draw_evidence, make_examples, truth_table
from moose.datasets.base.pool import Pool, split_pool
from moose.datasets.base.regimes import DIGITS, PIZZAS, UNSEEN, Regime, find_regime, read_regime
from moose.datasets.base.subjects import Subject, meanings, recipes
from moose.datasets.open import open_dataset
from moose.learning.examples import Examples
from tests.datasets.places import MENU

PRIMES = {2, 3, 5, 7}
COMPOSITES = {4, 6, 8, 9}


def digits_pool(each: int = 4) -> Pool:
    """Return images whose first pixel is the digit, and whose second is the image's own."""
    labels = np.repeat(np.arange(10), each)
    images = np.zeros((len(labels), 1, 2, 2), dtype=np.uint8)
    images[:, 0, 0, 0] = labels
    images[:, 0, 0, 1] = np.arange(len(labels))
    return Pool(images, labels.astype(np.int64), DIGITS)


def drawn(regime: str, count: int = 400, *, sources: tuple[str, ...] = DIGITS) -> Examples:
    generator = np.random.default_rng(5)
    return make_examples(find_regime(regime), digits_pool(), generator, Drawing(count, sources, is_shuffled=True))


def properties(digit: int) -> set[str]:
    """Say what holds of a digit, by arithmetic."""
    return {
        f"D{digit}",
        "Odd" if digit % 2 else "Even",
        *(["Prime"] if digit in PRIMES else []),
        *(["Composite"] if digit in COMPOSITES else []),
    }


@pytest.mark.parametrize("regime", ["mnist1", "mnist2", "mnist3"])
def test_the_truth_of_digits_is_arithmetic(regime: str) -> None:
    examples = drawn(regime)
    names = [concept.name for concept in examples.task.concepts]
    digits = examples.inputs[:, :, 0, 0, 0]
    for row in range(len(examples)):
        for place in range(digits.shape[1]):
            holding = {name for name, sign in zip(names, examples.truth[row, place].tolist()) if sign > 0}
            assert holding == properties(int(digits[row, place]))
    assert not (examples.truth == 0).any()


@pytest.mark.parametrize(("regime", "step"), [("mnist2", 1), ("mnist3", 2)])
def test_pairs_are_so_many_steps_apart(regime: str, step: int) -> None:
    digits = drawn(regime).inputs[:, :, 0, 0, 0].int()
    assert torch.equal((digits[:, 0] + step) % 10, digits[:, 1])
    assert set(digits[:, 0].tolist()) == set(range(10))


@pytest.mark.parametrize(
    ("regime", "pool"),
    [
        ("mnist1", {"Even", "Odd", "Prime", "Composite"}),
        ("mnist2", {"Prime", "Composite"}),
        ("mnist3", {"Even", "Odd", "Prime", "Composite"}),
    ],
)
def test_one_to_three_literals_of_the_pool_are_observed(regime: str, pool: set[str]) -> None:
    examples = drawn(regime, 3000)
    observed = [examples.literals(row) for row in range(len(examples))]
    sizes = Counter(len(literals) for literals in observed)
    assert set(sizes) == {1, 2, 3}
    assert all(850 < size < 1150 for size in sizes.values())
    names = [literal.removeprefix("not ") for literals in observed for literal in literals]
    atoms = {f"{name}({individual})" for name in pool for individual in examples.task.individuals}
    assert set(names) == atoms
    expected = 6000 / len(atoms)
    assert all(0.85 * expected < count < 1.15 * expected for count in Counter(names).values())
    is_observed = examples.evidence != 0
    assert torch.equal(examples.evidence[is_observed], examples.truth[is_observed])
    assert {1, -1} <= set(examples.evidence.unique().tolist())


def test_fewer_literals_than_wanted_are_observed_where_there_are_no_more() -> None:
    regime = find_regime("pizzaB")
    truth = truth_table(regime, PIZZAS)[:, None]
    evidence = draw_evidence(regime, truth, np.random.default_rng(0))
    assert (evidence != 0).sum(axis=(1, 2)).tolist() == [1, 1, 1, 1]
    assert (evidence >= 0).all()


@pytest.mark.parametrize(
    ("regime", "seen"),
    [
        ("pizzaA", {name: {f"{name}(a)"} for name in PIZZAS}),
        (
            "pizzaB",
            {name: {"NonVegetarianPizza(a)", "SpicyPizza(a)"} for name in PIZZAS[1:]}
            | {"Mushroom": {"RealFrenchPizza(a)", "VegetarianPizza(a)"}},
        ),
        ("pizzaC", {name: {"SpicyPizza(a)"} for name in PIZZAS[1:]} | {"Mushroom": {"not SpicyPizza(a)"}}),
    ],
)
def test_what_is_observed_of_pizzas(regime: str, seen: dict[str, set[str]]) -> None:
    labels = np.repeat(np.arange(4), 30).astype(np.int64)
    pool = Pool(np.zeros((120, 3, 2, 2), dtype=np.uint8), labels, PIZZAS)
    drawing = Drawing(120, PIZZAS, is_shuffled=False)
    examples = make_examples(find_regime(regime), pool, np.random.default_rng(1), drawing)
    found: dict[str, set[str]] = {name: set() for name in PIZZAS}
    for row, label in enumerate(labels):
        (literal,) = examples.literals(row)
        found[PIZZAS[label]].add(literal)
    assert found == seen


def test_recipes_are_those_of_the_paper() -> None:
    found = recipes(find_regime("pizzaA").subject)
    assert {name: {topping.removesuffix("Topping") for topping in on} for name, on in found.items()} == MENU


def test_the_trivial_baselines_are_what_they_should_be() -> None:
    """Predicting every topping absent scores 76.25 % on the held-out pizzas and 75 % on track C."""
    regime = find_regime("pizzaA")
    is_latent = [concept.is_latent for concept in regime.task.concepts]
    held_out = truth_table(regime, tuple(one.label for one in UNSEEN))[:, is_latent]
    assert (held_out < 0).mean() == 0.7625
    spicy = find_regime("pizzaC")
    is_latent = [concept.is_latent for concept in spicy.task.concepts]
    assert (truth_table(spicy, PIZZAS)[:, is_latent] < 0).mean() == 0.75


def test_olives_and_anchovies_part_only_where_held_out() -> None:
    for name, toppings in recipes(find_regime("pizzaA").subject).items():
        assert ("AnchovyTopping" in toppings) == ("OliveTopping" in toppings and name in PIZZAS)


def test_held_out_pizzas_have_a_task_without_closure_and_no_evidence() -> None:
    dataset = open_dataset("pizzas", regime="pizzaA", count=4, test_count=10, size=8)
    held_out = dataset["held_out"]
    assert not held_out.evidence.any()
    assert held_out.task.closure == () and held_out.task.families == ()
    assert [one.iri for one in held_out.task.concepts] == [one.iri for one in dataset.train.task.concepts]
    closed = moose.compile_circuit(moose.ground(dataset.train.task))
    literals = [
        f"{'not ' if sign < 0 else ''}{concept.name}(a)"
        for concept, sign in zip(held_out.task.concepts, held_out.truth[0, 0].tolist())
    ]
    assert closed.model_count(literals) == 0


# ── Inductive splits ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("regime", "held_back"), [("mnist2", {1, 3, 5, 7, 9}), ("mnist3", {4, 5, 8, 9})])
def test_inductive_splits_hold_edges_back_and_show_every_digit(regime: str, held_back: set[int]) -> None:
    dataset = open_dataset("digits", regime=regime, inductive=True, count=500, size=8)

    def digits(split: str) -> torch.Tensor:
        columns = [place for place, one in enumerate(dataset[split].task.concepts) if one.name in DIGITS]
        return dataset[split].truth[:, :, columns].argmax(dim=2)

    assert set(digits("train")[:, 0].tolist()) == set(digits("test")[:, 0].tolist()) == set(range(10)) - held_back
    assert set(digits("held_out")[:, 0].tolist()) == held_back
    assert set(digits("train").flatten().tolist()) == set(range(10))


@pytest.mark.parametrize("regime", ["mnist1", "pizzaA"])
def test_a_regime_without_edges_has_no_inductive_split(regime: str) -> None:
    name = "digits" if regime == "mnist1" else "pizzas"
    with pytest.raises(MooseError, match=f"the regime {regime} has no inductive split; mnist2 and mnist3 have one"):
        open_dataset(name, regime=regime, inductive=True, count=4, test_count=4, size=8)


# ── Images ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_image_is_used_before_one_is_used_again() -> None:
    first = drawn("mnist2", 60).inputs[:, 0, 0, 0, 1].tolist()
    assert sorted(first[:40]) == list(range(40))
    assert len(set(first[40:])) == 20


def test_a_split_takes_the_same_share_of_every_label() -> None:
    train, test = split_pool(digits_pool(10), 0.3)
    assert np.bincount(test.labels).tolist() == [3] * 10
    assert np.bincount(train.labels).tolist() == [7] * 10
    numbers = [*train.images[:, 0, 0, 1].tolist(), *test.images[:, 0, 0, 1].tolist()]
    assert sorted(numbers) == list(range(100))


def test_no_image_of_what_is_needed_is_said() -> None:
    pool = digits_pool()
    few = pool.take(np.flatnonzero(pool.labels != 3))
    with pytest.raises(MooseError, match="there is no image of D3"):
        make_examples(find_regime("mnist2"), few, np.random.default_rng(0), Drawing(50, DIGITS, True))
    with pytest.raises(MooseError, match="there is no image of D3"):
        make_examples(find_regime("mnist1"), few, np.random.default_rng(0), Drawing(5, ("D3",), True))


# ── A user's own regime ───────────────────────────────────────────────────────────────────────────────────────────


def own_regime() -> Regime:
    ontology = moose.load(moose.PIZZERIA)
    menu = Subject(
        "pizzas", ontology, ("Marinara", "Margherita", "Napoli", "Diavola"), ("Basil", "Anchovy"), "hasTopping"
    )
    task = moose.Task(ontology, ["a"], observed=["DairyDish", "SpicyDish"], latent=["Margherita", "Diavola"])
    return Regime("diet", task, menu, ("DairyDish", "SpicyDish"), most=2)


def test_recipes_by_a_role_are_read_from_the_closure() -> None:
    assert recipes(own_regime().subject) == {
        "Marinara": (),
        "Margherita": ("Basil",),
        "Napoli": ("Anchovy",),
        "Diavola": ("Basil",),
    }


def test_what_follows_of_a_label_is_true_of_it() -> None:
    regime = own_regime()
    assert meanings(regime.subject, regime.task) == {
        "Marinara": frozenset(),
        "Margherita": {"Margherita", "DairyDish"},
        "Napoli": frozenset(),
        "Diavola": {"Margherita", "Diavola", "DairyDish", "SpicyDish"},
    }


def test_a_regime_that_cannot_be_is_refused() -> None:
    task, subject = moose.regime("mnist2"), find_regime("mnist2").subject
    with pytest.raises(MooseError, match="expected a step for each of the 2 individuals of mine"):
        Regime("mine", task, subject, ("Even",))
    with pytest.raises(MooseError, match="expected 0 ≤ least ≤ most literals in mine, but got 3 and 1"):
        Regime("mine", task, subject, ("Even",), least=3, steps=(0, 1))
    with pytest.raises(MooseError, match="expected an observed concept in the pool of mine, but got 'D0'"):
        Regime("mine", task, subject, ("D0",), steps=(0, 1))
    with pytest.raises(MooseError, match="expected a label to hold back in mine, but got 'D10'; did you mean D1"):
        Regime("mine", task, subject, ("Even",), steps=(0, 1), held_back=("D10",))


def test_a_task_is_a_regime_without_drawn_evidence() -> None:
    task = moose.regime("mnist3")
    regime = read_regime(task)
    assert (regime.task, regime.pool, regime.most, regime.name) == (task, (), 0, "task")
    assert read_regime(regime) is regime
    with pytest.raises(MooseError, match="expected a regime or a task's file, but got 'mnist4'; did you mean mnist"):
        read_regime("mnist4")
