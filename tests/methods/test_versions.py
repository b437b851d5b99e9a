"""What each version of a method and of a data set comes to: a change of the numbers asks for another version.

`python -m tests.methods.test_versions` writes down what is new in `versions.json`; what stands there is never changed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import moose
from moose.benchmark.plans.cells import TRAINING_VERSION
from moose.datasets.open import Dataset, find_source
from moose.methods.registry import METHODS, find_method

pytest.importorskip("torch")
pytest.importorskip("sklearn")
FILE = Path(__file__).with_name("versions.json")
DRAWN = {"digits": ("mnist1", 8), "pizzas": ("pizzaB", 16)}
"""The data sets that come with Moose, each with a regime and a size."""
ROUGH = {"ilr": 0.05}
"""How far the loss of a method may be off, which is more where it chooses among literals that are nearly alike.

ILR with Gödel's logic refines the one that is truest; which that is of a network that has hardly learnt, a processor's
rounding decides. Torch's three sets of instructions come to 1.5200, 1.5205 and 1.5540, the processor that wrote the
number down to 1.5197. Łukasiewicz's logic moves all literals of a clause alike and has no such choice: it is held to as
closely as other methods (`SMOOTH`), so that a change of what both share is seen.
"""
SMOOTH = {"ilr": {"logic": "lukasiewicz"}}
"""Options with which a method of `ROUGH` chooses nothing."""
Found = dict[str, list[float]]
HOW = (
    "If that is meant, raise `version` of the method (of all of them: TRAINING_VERSION; of a data set: that of its "
    "SOURCE), and run `python -m tests.methods.test_versions`: results of the benchmark are named by it."
)


@cache
def opened(name: str) -> Dataset:
    regime, size = DRAWN[name]
    return moose.open_dataset(name, regime=regime, count=24, test_count=8, size=size)


def trained(name: str, **options: object) -> list[float]:
    """Return the loss of one epoch, and the mean square of what is then predicted."""
    data = opened("digits")
    training = moose.Training(epochs=1, batch_size=8)
    predictor = moose.make_method(name, **options).fit(data.train.task, data.train, seed=0, training=training)
    posteriors = predictor.predict(data.test, evidence=False).posteriors
    return [predictor.history[-1].loss, float((posteriors.astype(float) ** 2).mean())]


def drawn(name: str) -> list[float]:
    """Return means over what a data set gives: images, evidence and truth, the latter two with weights."""
    examples = opened(name).train
    signs = [part.flatten().double() for part in (examples.evidence, examples.truth)]
    weighed = [float((part * part.new_ones(len(part)).cumsum(0)).mean()) for part in signs]
    return [float(examples.inputs.double().mean()), *weighed]


def key_of_method(name: str, **options: object) -> str:
    told = "".join(f", {option} {value}" for option, value in options.items())
    return f"{name} {find_method(name).version}, training {TRAINING_VERSION}{told}"


def key_of_data(name: str) -> str:
    return f"data {name} {find_source(name).version}"


def read() -> Found:
    found: Found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return found


@pytest.mark.parametrize("name", METHODS)
def test_a_version_of_a_method_comes_to_what_it_came_to(name: str) -> None:
    loss, square = trained(name)
    expected = read()[key_of_method(name)]
    assert loss == pytest.approx(expected[0], rel=ROUGH.get(name, 1e-4)), HOW
    # A processor may round a discrete choice otherwise: each of 8 images and 14 concepts counts 0.009.
    assert square == pytest.approx(expected[1], abs=0.03 if name in ROUGH else 0.01), HOW


@pytest.mark.parametrize(("name", "options"), SMOOTH.items())
def test_where_nothing_is_chosen_a_rough_method_comes_to_the_same(name: str, options: dict[str, object]) -> None:
    assert trained(name, **options) == pytest.approx(read()[key_of_method(name, **options)], rel=1e-4), HOW


@pytest.mark.parametrize("name", DRAWN)
def test_a_version_of_a_data_set_gives_what_it_gave(name: str) -> None:
    assert drawn(name) == pytest.approx(read()[key_of_data(name)], rel=1e-6), HOW


def main() -> None:
    """Add what is new."""
    found = read()
    for name in METHODS:
        found.setdefault(key_of_method(name), [round(value, 7) for value in trained(name)])
    for name, options in SMOOTH.items():
        found.setdefault(key_of_method(name, **options), [round(value, 7) for value in trained(name, **options)])
    for name in DRAWN:
        found.setdefault(key_of_data(name), [round(value, 9) for value in drawn(name)])
    FILE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
