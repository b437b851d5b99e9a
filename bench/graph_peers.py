"""DistMult and ConvE on a knowledge graph, by PyKEEN: `python -m bench.graph_peers ../shared/data/scale/kg/umls`.

Run it with a Python that has PyKEEN (`pip install pykeen==1.11.1 torch==2.13.0`); Moose needs nothing else there.
The settings are published ones for UMLS: width 200, batches of 512, a learning rate of 0.003 (`configs/umls-conve.sh`
and `configs/umls-distmult.sh` of salesforce/MultiHopKG), dropout of 0.2, 0.2 and 0.3 and label smoothing of 0.1 as
ConvE's authors have them; DistMult without the unit vectors and the penalty that PyKEEN adds by itself, which belong to
a margin loss. What the training part does not say is false (LCWA). The epoch is chosen on the validation part. Writes
`bench/results/graph_peers.json` after each run; what is there already is kept.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import torch

from bench.measure import describe_machine, write_json

FILE = Path(__file__).with_name("results") / "graph_peers.json"
MRR = "both.realistic.inverse_harmonic_mean_rank"
METRICS = {"mrr": MRR} | {f"hits_at_{k}": f"both.realistic.hits_at_{k}" for k in (1, 3, 10)}
WIDTH, BATCH, RATE, SMOOTHING = 200, 512, 0.003, 0.1
MODELS: dict[str, dict[str, Any]] = {
    "DistMult": {"embedding_dim": WIDTH, "entity_constrainer": None, "regularizer": None},
    "ConvE": {
        "embedding_dim": WIDTH,
        "output_channels": 32,
        "embedding_height": 10,
        "embedding_width": 20,
        "input_dropout": 0.2,
        "feature_map_dropout": 0.2,
        "output_dropout": 0.3,
    },
}


def main() -> int:
    """Train every model by every seed that is not in the file yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.graph_peers", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with train.txt, valid.txt and test.txt")
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=300, help="at most")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["rows"] if FILE.exists() else {}
    for seed in range(options.seeds):
        for model in options.models.split(","):
            own = rows.setdefault(options.folder.name, {}).setdefault(model, {})
            if str(seed) not in own:
                own[str(seed)] = measure(options.folder, model, seed=seed, epochs=options.epochs)
                write_json(FILE, {"machine": describe_machine(), "settings": settings(options.epochs), "rows": rows})
                print(model, seed, own[str(seed)], flush=True)
    return 0


def settings(epochs: int) -> dict[str, object]:
    """Return what all models share."""
    return {
        "width": WIDTH,
        "batch_size": BATCH,
        "learning_rate": RATE,
        "label_smoothing": SMOOTHING,
        "most_epochs": epochs,
    }


def measure(folder: Path, model: str, *, seed: int, epochs: int) -> dict[str, object]:
    """Train one model, stop early by the validation part, and judge it by the test part."""
    from pykeen.pipeline import pipeline
    from pykeen.triples import TriplesFactory

    train = TriplesFactory.from_path(folder / "train.txt", create_inverse_triples=model == "ConvE")
    others = [
        TriplesFactory.from_path(
            folder / f"{part}.txt", entity_to_id=train.entity_to_id, relation_to_id=train.relation_to_id
        )
        for part in ("valid", "test")
    ]
    start = time.process_time()
    result = pipeline(
        training=train,
        validation=others[0],
        testing=others[1],
        model=model,
        model_kwargs=MODELS[model],
        loss="BCEWithLogitsLoss",
        optimizer="Adam",
        optimizer_kwargs={"lr": RATE},
        training_loop="LCWA",
        training_kwargs={
            "num_epochs": epochs,
            "batch_size": BATCH,
            "label_smoothing": SMOOTHING,
            "use_tqdm_batch": False,
            "use_tqdm": False,
        },
        evaluator_kwargs={"filtered": True},
        evaluation_kwargs={"use_tqdm": False, "batch_size": BATCH},
        stopper="early",
        stopper_kwargs={"frequency": 10, "patience": 5, "metric": MRR, "evaluation_batch_size": BATCH},
        random_seed=seed,
        device="cpu",
        filter_validation_when_testing=True,
    )
    stopper: Any = result.stopper
    return {
        **{name: round(float(result.get_metric(key)), 4) for name, key in METRICS.items()},
        "stopper_mrr": round(float(stopper.best_metric), 4),  # of the validation part, test triples not filtered out
        "epochs": int(stopper.best_epoch),
        "cpu_seconds": round(time.process_time() - start, 1),
    }


if __name__ == "__main__":
    raise SystemExit(main())
