"""Terms that no gene was ever labelled with, by their definitions alone: `python -m bench.zero_shot ../shared/data`.

The regime is `mf_architecture-unseen` of the data set `genes`: terms that the Gene Ontology defines by others are never
labelled, nor is what is below them; what they are defined by is, and no set of Pfam domains is in two splits. One
network of the same size for every row, which stops by AU(PRC) of the labels that validation rows show:

- `moose`: the likelihood of the labels given the theory, and the exact posterior of each unseen term;
- `network, exact`: cross-entropy on the labels (with those that the theory adds), then the same exact posterior;
- `network, product` and `network, minimum`: the soft closure of that network's own outputs, the product or the least of
  what the definition is made of;
- `network, genus`: the terms that it is defined under, alone: what the restriction adds is the difference;
- `elembeddings`: balls, with the definitions as losses.

What is predicted is kept in a store, seed by seed, and goes on there; the scores are written to
`bench/results/zero_shot.json`. AUC is the mean over unseen terms that some gene to test on has, and over seeds; ECE and
Brier score are over all pairs of a gene and such a term.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import torch

from bench.label_runs import settings_run
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.datasets.genes import ONTOLOGY, unseen_concepts
from moose.datasets.hierarchies.definitions import TERM
from moose.datasets.hierarchies.gene_tables import TABLES, find_table
from moose.datasets.open import Dataset
from moose.learning.evaluation.label_metrics import macro_auc
from moose.learning.evaluation.metrics import calibration_error
from moose.learning.prediction import Predictions
from moose.methods.settings import find_settings
from moose.training.run import Run

FILE = RESULTS / "zero_shot.json"
REGIME = "mf_architecture-unseen"
TRAINED: Mapping[str, tuple[str, dict[str, object]]] = {
    "moose": ("moose", {}),
    "network": ("independent", {"decode": "circuit"}),
    "elembeddings": ("elembeddings", {}),
}
"""What is trained: a method and its options."""
Reals = npt.NDArray[np.float64]
Definitions = Mapping[str, tuple[str, ...]]


def main() -> int:
    """Train what is not in the store yet, and write the scores of what is there."""
    parser = argparse.ArgumentParser(prog="python -m bench.zero_shot", description=__doc__)
    parser.add_argument("folder", type=Path, help="has scale/human-go and ontologies/go.ofn.gz")
    parser.add_argument("--store", type=Path, required=True, help="folder for what was predicted with each seed")
    parser.add_argument("--epochs", type=int, default=40, help="at most")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", default=",".join(TRAINED), help="to be trained now")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.store.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made:
        folder = gene_folder(options.folder, Path(made))
        definitions = unseen_concepts(REGIME, folder)
        dataset = run_of("moose", 0, options.epochs).open(folder)  # what is shown does not depend on the seed
        for seed in range(options.seeds):
            for row in options.rows.split(","):
                path = options.store / f"{row}-{seed}.npz"
                if not path.exists():
                    said = measure(dataset, definitions, row, seed=seed, epochs=options.epochs)
                    whole = path.with_suffix(".part.npz")
                    np.savez_compressed(whole, allow_pickle=False, **said)
                    whole.replace(path)
                    print(path.name, said["seconds"], "s", flush=True)
    runs = {path.stem: dict(np.load(path)) for path in sorted(options.store.glob("*-?.npz"))}
    record = {
        "machine": describe_machine(),
        "settings": settings(dataset, options.epochs),
        "cost": {name: {key: float(run[key]) for key in ("seconds", "epochs")} for name, run in runs.items()},
        "scores": scores(dataset, definitions, runs),
    }
    write_json(FILE, record)
    print(json.dumps(record["scores"], indent=1))
    return 0


def gene_folder(shared: Path, made: Path) -> Path:
    """Put the tables of genes and the ontology into one folder, as the data set wants them."""
    for name in TABLES.values():
        table = find_table(shared / "scale" / "human-go", name)
        assert table is not None, f"{name} is missing"
        (made / table.name).symlink_to(table.resolve())
    (made / ONTOLOGY[1]).symlink_to((shared / "ontologies" / ONTOLOGY[1]).resolve())
    return made


def run_of(row: str, seed: int, epochs: int) -> Run:
    """Return the run of a row, with the settings of the data set."""
    name, options = TRAINED[row]
    settings = find_settings(name, REGIME, data="genes", **options)  # type: ignore[arg-type]  # it checks
    return settings_run(
        settings,
        REGIME,
        "genes",
        seed=seed,
        epochs=epochs,
        valid=settings.valid,
        patience=settings.training.patience or 0,
        stop_by=settings.training.stop_by,
    )


def settings(dataset: Dataset, epochs: int) -> dict[str, object]:
    """Return what was measured on."""
    is_labelled = (dataset.train.evidence != 0).any(0)[0]
    return {
        "genes": sum(len(dataset[split]) for split in dataset),
        "tested": len(dataset.test),
        "features": dataset.train.input_shape[0],
        "labelled": int(is_labelled.sum()),
        "most_epochs": epochs,
    }


def measure(dataset: Dataset, definitions: Definitions, row: str, *, seed: int, epochs: int) -> dict[str, Reals]:
    """Train one row; return what it says of the unseen terms of genes to test on, and what it cost."""
    start = time.process_time()
    predictor = run_of(row, seed, epochs).fit(dataset)
    seconds = time.process_time() - start
    cost = {"seconds": np.array(round(seconds, 1)), "epochs": np.array(float(len(predictor.history)))}
    return {**rows_of(definitions, predictor.predict(dataset.test), row), **cost}


def rows_of(definitions: Definitions, said: Predictions, row: str) -> dict[str, Reals]:
    """Return for each row of the table what it says of unseen terms, gene × term."""
    column = {concept.name: number for number, concept in enumerate(said.task.concepts)}
    exact = said.posteriors[:, 0, [column[term] for term in definitions]].astype(np.float64)
    if row != "network":
        return {row: exact}
    own = said.network[:, 0].astype(np.float64)
    parts = [[column[part] for part in all_of] for all_of in definitions.values()]
    genera = [[column[part] for part in all_of if part.startswith(TERM[:2])] for all_of in definitions.values()]
    return {
        "network, exact": exact,
        "network, product": np.stack([own[:, some].prod(1) for some in parts], axis=1),
        "network, minimum": np.stack([own[:, some].min(1) for some in parts], axis=1),
        "network, genus": np.stack([own[:, some].prod(1) for some in genera], axis=1),
    }


def scores(dataset: Dataset, definitions: Definitions, runs: Mapping[str, Mapping[str, Reals]]) -> dict[str, object]:
    """Return the scores of each row, means over its seeds."""
    column = {concept.name: number for number, concept in enumerate(dataset.test.task.concepts)}
    holds = dataset.test.truth.numpy()[:, 0, [column[term] for term in definitions]] > 0
    asked = np.flatnonzero(holds.any(0))
    said = dict[str, list[Reals]]()
    for run in runs.values():
        for label, one in run.items():
            if label not in ("seconds", "epochs"):
                said.setdefault(label, []).append(one)
    by_term = {
        term: {label: rounded(mean([macro_auc(one, holds, [number]) for one in ones])) for label, ones in said.items()}
        for number, term in enumerate(definitions)
        if holds[:, number].any()
    }
    rows = {}
    for label, ones in said.items():
        judged = [judge(one[:, asked], holds[:, asked]) for one in ones]
        rows[label] = {key: rounded(mean([each[key] for each in judged])) for key in judged[0]}
        rows[label]["seeds"] = len(ones)
    return {"terms": len(asked), "rows": rows, "auc by term": by_term}


def judge(said: Reals, holds: npt.NDArray[np.bool_]) -> dict[str, float | None]:
    """Return AUC, calibration and Brier score."""
    sure = np.maximum(said, 1.0 - said)
    return {
        "macro_auc": macro_auc(said, holds),
        "ece": calibration_error(sure.ravel(), ((said > 0.5) == holds).ravel()),
        "brier": float(((said - holds) ** 2).mean()),
    }


def mean(values: list[float | None]) -> float | None:
    """Return the mean of what has a value."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def rounded(value: float | None) -> float | None:
    """Return a figure with four digits."""
    return None if value is None else round(value, 4)


if __name__ == "__main__":
    raise SystemExit(main())
