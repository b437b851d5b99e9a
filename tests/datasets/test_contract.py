"""What every data set of the table keeps to, in every regime that fits it."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

import moose
import moose.datasets
from moose.circuit.circuit import Circuit
from moose.datasets.base.regimes import ROWS
from moose.datasets.base.request import Source
from moose.datasets.open import DATASETS, Dataset, find_source, open_dataset, regime_names
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from tests.datasets.hierarchies import make_genes, make_hmc
from tests.datasets.places import make_images, make_pizzaiolo, make_table

OWN = {
    "hmc": ("imclef07a", "spo_fun-hidden50", "spo_go-whole-coarse1"),
    "genes": ("mf_family", "mf_architecture-positives50", "mf_architecture-unseen"),
}
"""Some of the regimes of data sets whose tasks are made of their files."""
CASES = [
    (name, regime)
    for name in DATASETS
    for regime in OWN.get(name) or (ROWS if find_source(name).subject is None else regime_names(name))
    if find_source(name).subject is not None or regime == "mnist1"
]
SIZES = {"digits": 28, "mnist": 28, "hmc": None, "genes": None}
INPUTS = {"table": torch.float32, "hmc": torch.float32, "genes": torch.bool}
"""Of what is no image."""


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return folders for the data sets that are read from one."""
    place = tmp_path_factory.mktemp("data")
    return {
        "pizzaiolo": make_pizzaiolo(place / "pizzaiolo"),
        "images": make_images(place / "images"),
        "table": make_table(place / "table.csv"),
        "hmc": make_hmc(place / "hmc"),
        "genes": make_genes(place / "genes"),
    }


def opened(name: str, regime: str, folders: dict[str, Path], *, seed: int = 0, count: int = 40) -> Dataset:
    if (reason := find_source(name).missing(folders.get(name))) is not None:
        pytest.skip(reason)
    return opened_from(name, regime, folders.get(name), seed, count)


@cache
def opened_from(name: str, regime: str, folder: Path | None, seed: int, count: int) -> Dataset:
    if find_source(name).subject is None:
        return open_dataset(name, regime=moose.regime(regime), folder=folder)
    size = SIZES.get(name, 16)
    return open_dataset(name, regime=regime, folder=folder, seed=seed, count=count, test_count=20, size=size)


@cache
def circuit_of(task: Task) -> Circuit:
    return moose.compile_circuit(moose.ground(task))


def literals(examples: Examples, signs: torch.Tensor) -> list[str]:
    return [
        ("" if signs[place, column] > 0 else "not ")
        + f"{examples.task.concepts[column].name}({examples.task.individuals[place]})"
        for place, column in torch.nonzero(signs).tolist()
    ]


def test_the_table_is_the_files_that_have_a_source() -> None:
    modules = [one.name for one in pkgutil.iter_modules(moose.datasets.__path__)]
    having = {name for name in modules if hasattr(importlib.import_module(f"moose.datasets.{name}"), "SOURCE")}
    assert having == set(DATASETS)
    assert all(isinstance(find_source(name), Source) for name in DATASETS)


@pytest.mark.parametrize(("name", "regime"), CASES)
def test_a_dataset_keeps_the_contract(name: str, regime: str, folders: dict[str, Path]) -> None:
    dataset = opened(name, regime, folders)
    assert {"train", "test"} <= set(dataset)
    for split in dataset:
        examples = dataset[split]
        count, individuals, concepts = len(examples), len(examples.task.individuals), len(examples.task.concepts)
        assert count > 0
        assert examples.inputs.dtype == INPUTS.get(name, torch.uint8)
        assert examples.inputs.shape[:2] == (count, individuals)
        assert examples.inputs.ndim == 3 if name in INPUTS else examples.inputs.shape[2] in (1, 3)
        assert examples.evidence.shape == examples.truth.shape == (count, individuals, concepts)
        is_observed = examples.evidence != 0
        assert torch.equal(
            examples.evidence[is_observed & (examples.truth != 0)], examples.truth[is_observed & (examples.truth != 0)]
        )
        is_latent = [concept.is_latent for concept in examples.task.concepts]
        assert examples.allow_latent or not is_observed[..., is_latent].any()
        assert name not in OWN or split != "test" or not is_observed.any()


@pytest.mark.parametrize(("name", "regime"), CASES)
def test_the_truth_is_a_model_of_the_theory(name: str, regime: str, folders: dict[str, Path]) -> None:
    dataset = opened(name, regime, folders)
    for split in dataset:
        examples = dataset[split]
        circuit = circuit_of(examples.task)
        for signs in torch.unique(examples.truth, dim=0):
            assert circuit.model_count(literals(examples, signs)) > 0


@pytest.mark.parametrize(("name", "regime"), CASES)
def test_no_image_is_to_train_and_to_test_on(name: str, regime: str, folders: dict[str, Path]) -> None:
    if name in OWN:
        pytest.skip("two rows may have the same features")
    dataset = opened(name, regime, folders)
    seen = {image.numpy().tobytes() for image in dataset.train.inputs.flatten(0, 1)}
    for split in set(dataset) - {"train"}:
        assert not any(image.numpy().tobytes() in seen for image in dataset[split].inputs.flatten(0, 1))


@pytest.mark.parametrize(("name", "regime"), CASES)
def test_a_dataset_is_determined_by_its_seed(name: str, regime: str, folders: dict[str, Path]) -> None:
    one, other = opened(name, regime, folders, seed=0), opened(name, regime, folders, seed=4)
    same = opened_from.__wrapped__(name, regime, folders.get(name), 0, 40)
    for split in one:
        for field in ("inputs", "evidence", "truth"):
            assert torch.equal(getattr(one[split], field), getattr(same[split], field))
    if find_source(name).subject is not None:
        assert not torch.equal(one.train.inputs, other.train.inputs)


@pytest.mark.parametrize(("name", "regime"), CASES)
def test_a_split_does_not_depend_on_the_size_of_another(name: str, regime: str, folders: dict[str, Path]) -> None:
    if find_source(name).subject is None:
        pytest.skip("its instances are those of its table")
    few, many = (opened(name, regime, folders, count=count) for count in (10, 40))
    assert torch.equal(few.test.inputs, many.test.inputs)
    assert torch.equal(few.test.evidence, many.test.evidence)
    assert len(few.train) == 10


def test_every_regime_has_a_task_of_its_name() -> None:
    assert tuple(ROWS) == moose.REGIMES


def test_data_sets_are_listed_without_torch_and_pillow() -> None:
    listed = "; ".join(f"import moose.datasets.{name}" for name in DATASETS)
    code = f"import sys; {listed}; print(*{{'torch', 'PIL'}} & sys.modules.keys())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


@pytest.mark.parametrize("name", DATASETS)
def test_a_data_set_says_what_it_is(name: str) -> None:
    source = find_source(name)
    assert source.summary and "\n" not in source.summary
    reason = source.missing(Path("no such folder"))
    assert reason is None or "\n" not in reason


def test_numpys_global_state_is_not_used(folders: dict[str, Path]) -> None:
    before = np.random.get_state(legacy=False)  # noqa: NPY002  # that it is left alone is the point
    opened("digits", "mnist2", folders)
    opened("pizzas", "pizzaA", folders)
    after = np.random.get_state(legacy=False)  # noqa: NPY002
    assert str(before) == str(after)
