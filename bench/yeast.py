"""Roles between yeast proteins with most labels hidden: `python -m bench.yeast ../shared/data/scale/yeast`.

Proteins are split: of a fifth and of a tenth the networks see nothing while they learn, and test and validation pairs
are among these alone. Each two proteins are an example: their sequences as counts of two amino acids in a row and their
GO slim types are the inputs of every row; the labels are 15 roles in both directions (`bench.yeast_actions`). Half of
the pairs have some action in STRING, half are drawn from the others. Of the labels of each pair, positive and negative,
a share is hidden at random. Rows:

- `network`: the pair network by cross-entropy on the labels that are seen;
- `network, completed`: the same with all labels that hierarchy and symmetry add to these;
- `ontology`: the same network through the circuit of the ontology, by the labels that are seen.

All stop early by their own loss on validation pairs with as many labels hidden, and of two learning rates have the one
whose loss there is less. F1 and average precision are over all
labels of the test pairs; MRR is filtered and of both sides, over all pairs of 200 test proteins. Writes
`bench/results/yeast.json` after each run; what is there already is kept.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from bench.yeast_actions import (
    ROLES,
    Edges,
    Proteins,
    Side,
    actions_ontology,
    complete,
    mine_sides,
    read_proteins,
)
from moose.grounding.task.task import Task
from moose.learning.evaluation.role_metrics import JudgedRoles, average_precision, score_roles
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.graph_pairs import all_pairs, pair_examples, pair_matrix, pair_signs
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

FILE = RESULTS / "yeast.json"
SHARES = {"test": 0.2, "valid": 0.1}
COUNTS = {"train": 6_000, "valid": 1_000, "test": 3_000}
RANKED = 200
RATES = (1e-3, 2e-4)
ROWS = ("network", "network, completed", "ontology")
HIDDEN = (0.5, 0.9)
Signs = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Split:
    """Pairs to learn from and to judge by, with all their labels; and the proteins whose pairs are ranked."""

    pairs: Mapping[str, Edges]
    signs: Mapping[str, Signs]
    ranked: npt.NDArray[np.int64]
    edges: Edges
    """Between proteins to learn from."""


def main() -> int:
    """Train every row that is not in the file yet, print and write."""
    parser = argparse.ArgumentParser(prog="python -m bench.yeast", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=30, help="at most")
    options = parser.parse_args()
    torch.set_num_threads(1)
    kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"runs": {}}
    wanted = [(seed, hidden, row) for seed in range(options.seeds) for hidden in HIDDEN for row in ROWS]
    missing = [one for one in wanted if name_of(*one) not in kept["runs"]]
    proteins = read_proteins(options.folder) if missing else None
    for seed, hidden, row in missing:
        assert proteins is not None
        run = measure(proteins, row, hidden, seed=seed, epochs=options.epochs)
        kept["runs"][name_of(seed, hidden, row)] = run
        kept |= {"machine": describe_machine(), "counts": COUNTS, "most_epochs": options.epochs, "ranked": RANKED}
        kept["proteins"], kept["roles"] = len(proteins.names), len(ROLES)
        write_json(FILE, kept)
        print(name_of(seed, hidden, row), run, flush=True)
    return 0


def name_of(seed: int, hidden: float, row: str) -> str:
    """Return the key of a run."""
    return f"{hidden:g}; {row}; {seed}"


def draw(proteins: Proteins, *, seed: int) -> Split:
    """Split the proteins, and draw pairs of each part: half with an action, half without."""
    numbers = np.random.default_rng(seed)
    order = numbers.permutation(len(proteins.names))
    ends = np.cumsum([round(share * len(order)) for share in SHARES.values()])
    members = dict(zip((*SHARES, "train"), np.split(order, ends), strict=True))
    top = proteins.edges[proteins.edges[:, 1] == ROLES.index("interaction")][:, [0, 2]]
    related = top[top[:, 0] < top[:, 1]]
    pairs, signs = dict[str, Edges](), dict[str, Signs]()
    for part, count in COUNTS.items():
        own = related[np.isin(related, members[part]).all(1)]
        joined = numbers.permutation(own)[: count // 2]
        drawn = np.sort(numbers.choice(members[part], (count, 2)), 1)
        drawn = np.unique(drawn[drawn[:, 0] != drawn[:, 1]], axis=0)
        is_related = np.isin(drawn @ [len(order), 1], related @ [len(order), 1])
        others = numbers.permutation(drawn[~is_related])[: len(joined)]
        pairs[part] = np.concatenate([joined, others]).astype(np.int64)
        signs[part] = pair_signs(pairs[part], proteins.edges, roles=len(ROLES), others=-1)
    inside = proteins.edges[np.isin(proteins.edges[:, [0, 2]], members["train"]).all(1)]
    return Split(pairs, signs, np.sort(members["test"][:RANKED]), inside)


def hide(signs: Signs, share: float, *, seed: int) -> Signs:
    """Return labels of which such a share is hidden at random."""
    return np.where(np.random.default_rng(seed).random(signs.shape) < share, 0, signs).astype(np.int8)


def measure(proteins: Proteins, row: str, hidden: float, *, seed: int, epochs: int) -> dict[str, object]:
    """Train one row and judge it."""
    split = draw(proteins, seed=seed)
    sides = mine_sides(proteins, split.edges) if row == "ontology" else []
    is_told = row == "ontology"
    ontology = actions_ontology(sides) if is_told else actions_ontology([])
    task = Task(ontology, ["x", "y"], [side.name for side in sides], ROLES)
    seen = {part: hide(split.signs[part], hidden, seed=seed + 1) for part in ("train", "valid")}
    if row == "network, completed":
        seen = {part: complete(signs) for part, signs in seen.items()}
    train, valid = (examples_of(proteins, task, sides, split.pairs[part], seen[part]) for part in ("train", "valid"))
    start = time.process_time()
    tried = {
        rate: make_method("moose" if is_told else "independent").fit(
            task,
            train,
            seed=seed,
            training=Training(epochs=epochs, batch_size=128, learning_rate=rate, patience=3, seed=seed),
            validation=valid,
            perception=Perception((proteins.features.shape[1],)),
        )
        for rate in RATES
    }
    best = min(tried, key=lambda rate: least_loss(tried[rate]))
    predictor = tried[best]
    seconds = round(time.process_time() - start, 1)
    return {
        **judge(proteins, predictor, sides, split),
        "epochs": len(predictor.history),
        "rate": best,
        "sides": len(sides),
        "cpu_seconds": seconds,
    }


def least_loss(predictor: Predictor) -> float:
    """Return the loss on validation pairs at the best epoch."""
    return min(epoch.validation_loss for epoch in predictor.history if epoch.validation_loss is not None)


def examples_of(
    proteins: Proteins, task: Task, sides: list[Side], pairs: Edges, signs: Signs | None = None
) -> Examples:
    """Return an example of each pair of proteins, with their types given."""
    evidence = None
    if sides:
        holds = [proteins.has_term[:, list(side.terms)].any(1) for side in sides]
        evidence = torch.from_numpy(np.where(np.stack(holds, 1), 1, -1).astype(np.int8))
    features = torch.from_numpy(proteins.features)
    return pair_examples(
        task, pairs, features, evidence=evidence, role_evidence=signs, given=[side.name for side in sides]
    )


def judge(proteins: Proteins, predictor: Predictor, sides: list[Side], split: Split) -> dict[str, object]:
    """Judge what is predicted of test pairs without any label, by theory and network, and by the network alone."""
    test = predictor.predict(examples_of(proteins, predictor.task, sides, split.pairs["test"]))
    ranked = split.ranked[all_pairs(len(split.ranked))]
    every = predictor.predict(examples_of(proteins, predictor.task, sides, ranked))
    found = dict[str, object]()
    for view in ("roles", "role_network"):
        said, matrix = getattr(test, view), getattr(every, view)
        assert said is not None and matrix is not None
        found[view] = scores_of(said, split.signs["test"]) | ranks_of(proteins, split.ranked, matrix)
    return found


def scores_of(said: npt.NDArray[np.floating], signs: Signs) -> dict[str, float | None]:
    """Return F1 and average precision over all labels, the mean of the latter over roles, and how often rules break."""
    scores = score_roles([JudgedRoles(said, signs, np.zeros_like(signs))])
    by_role = list[float]()
    for role in range(len(ROLES)):
        is_judged = signs[:, role] != 0
        own = average_precision(said[:, role][is_judged], signs[:, role][is_judged] > 0)
        if own is not None:
            by_role.append(own)
    return {
        "f1": rounded(scores.f1),
        "average_precision": rounded(scores.average_precision),
        "macro_average_precision": rounded(float(np.mean(by_role))),
        "broken": rounded(broken(said)),
    }


def broken(said: npt.NDArray[np.floating]) -> float:
    """Return the share of pairs of which what is likelier than not breaks hierarchy or symmetry."""
    claims = np.where(said > 0.5, 1, -1).astype(np.int8)
    claims[:, :, [0, 1], [0, 1]] = 0
    positive = np.where(claims > 0, 1, 0).astype(np.int8)
    return float(((complete(positive) > 0) & (claims < 0)).any((1, 2, 3)).mean())


def ranks_of(
    proteins: Proteins, ranked: npt.NDArray[np.int64], said: npt.NDArray[np.floating]
) -> dict[str, float | None]:
    """Return MRR and hits@10 over all pairs of some proteins."""
    pairs = all_pairs(len(ranked))
    signs = pair_signs(ranked[pairs], proteins.edges, roles=len(ROLES), others=-1)
    truth = pair_matrix(pairs, signs, len(ranked)).astype(np.int8)
    whole = pair_matrix(pairs, said, len(ranked))
    whole[:, np.arange(len(ranked)), np.arange(len(ranked))] = np.nan
    scores = score_roles([JudgedRoles(whole[None], truth[None], np.zeros_like(truth)[None])], both_sides=True)
    return {"mrr": rounded(scores.mrr), "hits_at_10": rounded(scores.hits_at_10)}


def rounded(value: float | None) -> float | None:
    """Return a figure with four digits."""
    return None if value is None else round(value, 4)


if __name__ == "__main__":
    raise SystemExit(main())
