"""Terms that no gene was ever labelled with, by their definitions alone: `python -m bench.zero_shot ../shared/data`.

What is learnt from and what is asked is in `bench.gene_definitions`. Genes are put into five folds so that those with
the same Pfam domains are in one; each fold is predicted by a model of the other four, of which a tenth is held back to
stop by. Domains in, one network of the same size for every row:

- `moose`: the likelihood of the labels given the theory, and the exact posterior of each unseen term;
- `network, exact`: cross-entropy on the labels (with those that the theory adds), then the same exact posterior;
- `network, product` and `network, minimum`: the soft closure of that network's own outputs, the product or the least of
  what the definition is made of;
- `network, genus`: the term that it is defined under, alone: what the restriction adds is the difference;
- `elembeddings`: balls, with the definitions as losses.

What is predicted is kept in a store, fold by fold, and goes on there; the scores are written to
`bench/results/zero_shot.json`. AUC is over all genes by what was
predicted of each in its fold, the mean over unseen terms that some gene has; ECE and Brier score are over all pairs of
a gene and such a term.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from bench.gene_definitions import Genes, read_genes, restriction_name
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.datasets.genes import term_iri
from moose.datasets.hierarchies.gene_tables import ASPECTS
from moose.datasets.hierarchies.grouped_split import group_genes
from moose.learning.encoders import MLPPlan
from moose.learning.evaluation.label_metrics import macro_auc
from moose.learning.evaluation.metrics import calibration_error
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.labels.complete_labels import complete_examples
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

FILE = RESULTS / "zero_shot.json"
FOLDS = 5
HELD_BACK = 0.1
TRAINED: Mapping[str, tuple[str, dict[str, object]]] = {
    "moose": ("moose", {}),
    "network": ("independent", {"decode": "circuit"}),
    "elembeddings": ("elembeddings", {}),
}
"""What is trained: a method and its options."""
Reals = npt.NDArray[np.float64]


def main() -> int:
    """Train what is not in the store yet, and write the scores of what is there."""
    parser = argparse.ArgumentParser(prog="python -m bench.zero_shot", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", type=Path, required=True, help="folder for what was predicted in each fold")
    parser.add_argument("--epochs", type=int, default=40, help="at most")
    parser.add_argument("--folds", type=int, default=FOLDS, help="of five, to be predicted now")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.store.mkdir(parents=True, exist_ok=True)
    genes = read_genes(options.folder)
    folds = make_folds(genes)
    for fold in range(options.folds):
        for row in TRAINED:
            path = options.store / f"{row}-{fold}.npz"
            if not path.exists():
                said = measure(genes, folds, fold, row, epochs=options.epochs)
                whole = path.with_suffix(".part.npz")
                np.savez_compressed(whole, allow_pickle=False, **said)
                whole.replace(path)
                print(path.name, said["seconds"], "s", flush=True)
    runs = {path.stem: dict(np.load(path)) for path in sorted(options.store.glob("*-?.npz"))}
    record = {
        "machine": describe_machine(),
        "settings": settings(genes, options.epochs),
        "cost": {name: {key: float(run[key]) for key in ("seconds", "epochs")} for name, run in runs.items()},
        "scores": scores(genes, folds, runs),
    }
    write_json(FILE, record)
    print(json.dumps(record["scores"], indent=1))
    return 0


def settings(genes: Genes, epochs: int) -> dict[str, object]:
    """Return what was measured on."""
    return {
        "genes": len(genes.names),
        "features": genes.features.shape[1],
        "labelled": sum(concept.is_latent for concept in genes.task.concepts),
        "unseen": {one.term: int(genes.holds[:, number].sum()) for number, one in enumerate(genes.unseen)},
        "most_epochs": epochs,
    }


def make_folds(genes: Genes) -> npt.NDArray[np.int64]:
    """Return the fold of each gene: whole groups of genes with the same domains, to the fold with the fewest genes."""
    groups = group_genes({gene: genes.domains[gene] for gene in genes.names}, "architecture")
    place = {gene: row for row, gene in enumerate(genes.names)}
    folds, sizes = np.zeros(len(genes.names), dtype=np.int64), [0] * FOLDS
    for number in np.random.default_rng(0).permutation(len(groups)).tolist():
        fold = sizes.index(min(sizes))
        folds[[place[gene] for gene in groups[number]]] = fold
        sizes[fold] += len(groups[number])
    return folds


def examples_of(genes: Genes, rows: npt.NDArray[np.int64], *, with_labels: bool, given: bool = True) -> Examples:
    """Return some genes; without labels, only the root is known of them, which is given, or observed like a label."""
    root = [concept.iri for concept in genes.task.concepts].index(term_iri(ASPECTS["mf"]))
    evidence = genes.labels[rows]
    if not with_labels:
        evidence = np.zeros_like(evidence)
        evidence[:, root] = 1
    return Examples(
        genes.task,
        torch.from_numpy(genes.features[rows, None]),
        torch.from_numpy(evidence[:, None]),
        torch.zeros(len(rows), 1, evidence.shape[1], dtype=torch.int8),
        allow_latent=True,
        given=[genes.task.concepts[root].name] if given else [],
    )


def measure(genes: Genes, folds: npt.NDArray[np.int64], fold: int, row: str, *, epochs: int) -> dict[str, Reals]:
    """Train one row on all folds but one; return what is predicted of that one, and what it cost."""
    name, options = TRAINED[row]
    others = np.random.default_rng(fold).permutation(np.flatnonzero(folds != fold))
    held_back = round(HELD_BACK * len(others))
    given = name != "elembeddings"  # which takes all that is known for observed
    parts = np.split(others, [held_back])
    valid, train = (examples_of(genes, np.sort(some), with_labels=True, given=given) for some in parts)
    if name != "moose":
        train, valid = complete_examples(train), complete_examples(valid)
    start = time.process_time()
    predictor = make_method(name, **options).fit(
        genes.task,
        train,
        training=Training(epochs=epochs, batch_size=128, patience=4, seed=fold),
        perception=Perception(train.input_shape, plan=MLPPlan(1, train.input_shape[0], (500,), False, 0.5)),
        validation=valid,
    )
    seconds = time.process_time() - start
    test = examples_of(genes, np.flatnonzero(folds == fold), with_labels=False, given=given)
    cost = {"seconds": np.array(round(seconds, 1)), "epochs": np.array(float(len(predictor.history)))}
    return {**rows_of(genes, predictor, test, row), **cost}


def rows_of(genes: Genes, predictor: Predictor, test: Examples, row: str) -> dict[str, Reals]:
    """Return for each row of the table what it says of unseen terms, gene × term."""
    found = predictor.predict(test)
    column = {concept.iri: number for number, concept in enumerate(genes.task.concepts)}
    exact = found.posteriors[:, 0, [column[term_iri(one.term)] for one in genes.unseen]].astype(np.float64)
    if row != "network":
        return {row: exact}
    own = found.network[:, 0].astype(np.float64)
    own[:, column[term_iri(ASPECTS["mf"])]] = 1.0
    genera = [[column[term_iri(term)] for term in one.genera] for one in genes.unseen]
    parts = [
        [*above, *(column[restriction_name(pair)] for pair in one.restrictions)]
        for above, one in zip(genera, genes.unseen, strict=True)
    ]
    return {
        "network, exact": exact,
        "network, product": np.stack([own[:, some].prod(1) for some in parts], axis=1),
        "network, minimum": np.stack([own[:, some].min(1) for some in parts], axis=1),
        "network, genus": np.stack([own[:, some].prod(1) for some in genera], axis=1),
    }


def scores(genes: Genes, folds: npt.NDArray[np.int64], runs: Mapping[str, Mapping[str, Reals]]) -> dict[str, object]:
    """Return the scores of each row over the folds that all rows have."""
    done = [fold for fold in range(FOLDS) if all(f"{row}-{fold}" in runs for row in TRAINED)]
    if not done:
        return {}
    said = {
        label: np.concatenate([runs[f"{row}-{fold}"][label] for fold in done])
        for row in TRAINED
        for label in runs[f"{row}-{done[0]}"]
        if label not in ("seconds", "epochs")
    }
    holds = genes.holds[np.concatenate([np.flatnonzero(folds == fold) for fold in done])]
    asked = np.flatnonzero(holds.any(0))
    by_term = {
        genes.unseen[number].term: {label: rounded(macro_auc(one, holds, [number])) for label, one in said.items()}
        for number in asked.tolist()
    }
    rows = {label: judge(one[:, asked], holds[:, asked]) for label, one in said.items()}
    return {"folds": len(done), "terms": len(asked), "rows": rows, "auc by term": by_term}


def judge(said: Reals, holds: npt.NDArray[np.bool_]) -> dict[str, float | None]:
    """Return AUC, calibration and Brier score."""
    sure = np.maximum(said, 1.0 - said)
    return {
        "macro_auc": rounded(macro_auc(said, holds)),
        "ece": rounded(calibration_error(sure.ravel(), ((said > 0.5) == holds).ravel())),
        "brier": rounded(float(((said - holds) ** 2).mean())),
    }


def rounded(value: float | None) -> float | None:
    """Return a figure with four digits."""
    return None if value is None else round(value, 4)


if __name__ == "__main__":
    raise SystemExit(main())
