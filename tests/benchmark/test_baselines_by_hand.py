"""What can be had without learning: figures worked out by hand."""

from __future__ import annotations

from functools import cache

import pytest

from moose.benchmark.plans.baselines import BASELINES, find_baseline
from moose.datasets.open import open_dataset
from moose.training.evaluate_splits import judge_split

Scores = dict[str, float | None]
COUNTS = {"train": 12, "test": 20}
"""As many of each of four pizzas, or five."""


@cache
def found(regime: str) -> dict[str, dict[str, dict[str, Scores]]]:
    """Score every baseline on every split that is not learnt from, by split, baseline and view."""
    dataset = open_dataset("pizzas", regime=regime, count=COUNTS["train"], test_count=COUNTS["test"], size=8)
    predictors = {name: find_baseline(name, dataset.train) for name in BASELINES}
    return {
        split: {name: judge_split(one, dataset[split])[0].as_dict() for name, one in predictors.items()}
        for split in dataset
        if split != "train"
    }


def figures(regime: str, split: str, name: str, view: str = "metrics") -> Scores:
    return found(regime)[split][name][view]


@pytest.mark.parametrize(
    ("regime", "split", "name", "accuracy"),
    [
        # 5 + 4 + 3 + 4 + 3 of 5 · 16 toppings are on the held-out pizzas, 1 + 3 + 4 + 4 of 4 · 16 on the others
        ("pizzaA", "held_out", "absent", 1 - 19 / 80),
        ("pizzaA", "test", "absent", 1 - 12 / 64),
        ("pizzaA", "test", "base-rate", 1 - 12 / 64),
        # Mushroom, the first of equals, has mushrooms: two held-out pizzas do, three do not
        ("pizzaA", "held_out", "commonest", 1 - (19 + 3 - 2) / 80),
        ("pizzaA", "test", "theory", 1.0),
        # four more atoms, one of which holds of each
        ("pizzaB", "test", "absent", 1 - 16 / 80),
        # peperonata and prawns, peperonata, sausage, none of the four
        ("pizzaC", "test", "absent", 1 - 4 / 16),
    ],
)
def test_accuracy_is_as_counted_by_hand(regime: str, split: str, name: str, accuracy: float) -> None:
    assert figures(regime, split, name)["acc_c"] == pytest.approx(accuracy, abs=1e-6)


def test_the_theory_alone_knows_one_pizza_of_four_and_leaves_the_others_open() -> None:
    given = figures("pizzaB", "test", "theory")
    assert given["acc_f"] == 0.25  # of the three others each is as likely as the next
    assert given["ece"] == pytest.approx(0.0, abs=1e-5)
    assert figures("pizzaB", "test", "theory", "metrics_without_evidence")["acc_f"] == 0.0
    assert figures("pizzaB", "test", "commonest")["acc_f"] == 0.25


def test_a_task_without_a_family_has_a_commonest_combination() -> None:
    assert set(found("pizzaC")["test"]) == {"absent", "base-rate", "commonest", "theory"}
    assert figures("pizzaC", "test", "commonest") == figures("pizzaC", "test", "absent")  # of four equals, none of all


def test_base_rates_are_those_of_what_is_learnt_from() -> None:
    # Eight toppings are never seen, and 10 of 40 are there; four have a rate of ¼, and 2 of 20 are there; four have a
    # rate of ½, and 7 of 20 are there.
    expected = 0.5 * 10 / 40 + 0.25 * (18 / 20 - 0.75) + 0.25 * (13 / 20 - 0.5)
    assert figures("pizzaA", "held_out", "base-rate")["ece"] == pytest.approx(expected, abs=1e-6)
