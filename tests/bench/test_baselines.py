"""What can be had without learning: figures worked out by hand."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from bench.baselines import Scores, main, regimes_of, score_dataset
from moose.base.errors import MooseError
from moose.datasets.base.regimes import ROWS
from moose.datasets.open import open_dataset

COUNTS = {"train": 12, "test": 20}
"""As many of each of four pizzas, or five."""


@cache
def found(regime: str) -> dict[str, dict[str, dict[str, Scores]]]:
    return score_dataset(
        open_dataset("pizzas", regime=regime, count=COUNTS["train"], test_count=COUNTS["test"], size=8)
    )


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


def test_the_theory_alone_knows_one_pizza_of_four_and_says_a_third_of_the_others() -> None:
    given = figures("pizzaB", "test", "theory")
    assert given["acc_f"] == pytest.approx(0.5)
    assert given["ece"] == pytest.approx(0.0, abs=1e-5)
    assert figures("pizzaB", "test", "theory", "metrics_without_evidence")["acc_f"] == 0.25
    assert figures("pizzaB", "test", "commonest")["acc_f"] == 0.25


def test_a_task_without_a_family_has_a_commonest_combination() -> None:
    assert set(found("pizzaC")["test"]) == {"absent", "base-rate", "commonest", "theory"}
    assert figures("pizzaC", "test", "commonest") == figures("pizzaC", "test", "absent")  # of four equals, none of all


def test_base_rates_are_those_of_what_is_learnt_from() -> None:
    # Eight toppings are never seen, and 10 of 40 are there; four have a rate of ¼, and 2 of 20 are there; four have a
    # rate of ½, and 7 of 20 are there.
    expected = 0.5 * 10 / 40 + 0.25 * (18 / 20 - 0.75) + 0.25 * (13 / 20 - 0.5)
    assert figures("pizzaA", "held_out", "base-rate")["ece"] == pytest.approx(expected, abs=1e-6)


def test_the_file_keeps_what_it_has_of_other_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "learning_baselines.json").write_text('{"mnist": 1}')
    assert main(["--data", "pizzas", "--count", "8", "--test-count", "20", "--results", str(tmp_path)]) == 0
    written = json.loads((tmp_path / "learning_baselines.json").read_text())
    assert list(written) == ["mnist", "pizzas"]
    assert set(written["pizzas"]["regimes"]) == set(regimes_of("pizzas")) == {name for name in ROWS if "pizza" in name}
    assert written["pizzas"]["regimes"]["pizzaA"]["held_out"]["absent"]["metrics"]["acc_c"] == 0.7625
    assert "pizzaA pizzas held_out absent metrics: acc_c 0.7625" in capsys.readouterr().out


def test_a_data_set_that_is_not_there_is_said() -> None:
    with pytest.raises(MooseError, match="did you mean pizzas"):
        main(["--data", "pizza"])
