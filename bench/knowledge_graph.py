"""UMLS with an ontology of its own triples: `python -m bench.knowledge_graph ../shared/data/scale/kg/umls`.

Each two entities are an example of one task, whose circuit has the 46 roles in both directions; entities are known by
number, and a pair network reads learnt encodings of two. Everything that the training part does not say, nor the rows'
theory derives from it, is taken for false, as `bench.graph_peers` takes it for DistMult and ConvE. Rows:

- `network`: the pair network by cross-entropy, without an ontology;
- `asked`: the same weights, asked together with the ontology and the training triples;
- `ontology`: trained through the circuit: types that are given, domains, ranges, inclusions; asked as above;
- `network, chains` and `ontology, chains`: the same, where roles are handed down along `isa` as well: what follows from
  the training part by the reasoner is learnt from and known.

Thresholds are chosen, one after the other, on the validation part by the row `asked` of the first seed; that there is
an ontology is not up to choice, and the file has the validation MRR without one beside. With `--share 0.2` a fifth of
the training triples is kept (`isa` triples all), with the ontology that the whole of them gave. Link prediction is
judged as usual: both sides, filtered by all true triples. Writes `bench/results/knowledge_graph.json` after each row;
what is there already is kept.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bench.graph_ontology import (
    Cube,
    Graph,
    Rules,
    Thresholds,
    closed,
    members_of,
    mine,
    pair_ontology,
    read_graph,
    role_name,
    saturated,
    side,
    thinned,
)
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.grounding.task.task import Task
from moose.learning.encoders import EmbeddingPlan
from moose.learning.evaluation.role_metrics import JudgedRoles, score_roles
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.graph_pairs import all_pairs, pair_examples, pair_matrix, pair_signs
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

FILE = RESULTS / "knowledge_graph.json"
WIDTH, DROPOUT, BATCH, RATE = 64, 0.2, 256, 3e-3
GRID = {"inclusion": (0.7, 0.8), "cover": (0.2, 0.5), "chain": (0.65, 0.75)}
"""What thresholds are chosen from, one after the other."""
NOTHING = Rules((), (), (), (), None)
ROWS = ("network", "asked", "ontology", "network, chains", "ontology, chains")
Reals = npt.NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Told:
    """A graph, the rules that are told of any two of its entities, and the triples that are known."""

    graph: Graph
    rules: Rules
    known: Cube


def main() -> int:
    """Choose thresholds, train every row that is not in the file yet, print and write."""
    options = parse()
    torch.set_num_threads(1)
    graph = read_graph(options.folder)
    kept: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"runs": {}}
    kept["settings"] = {"epochs": options.epochs, "batch_size": BATCH, "learning_rate": RATE, "width": WIDTH}
    for seed in range(options.seeds):
        for name, run in runs(graph, kept, options, seed):
            before = json.loads(FILE.read_text("utf-8"))["runs"] if FILE.exists() else {}
            kept["runs"] |= before | {name: run}  # another process may be at work on other rows
            write_json(FILE, {**kept, "machine": describe_machine()})
            print(name, run, flush=True)
    return 0


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.knowledge_graph", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with train.txt, valid.txt and test.txt")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--share", type=float, default=1.0, help="how many of the training triples are kept")
    parser.add_argument("--rows", default=";".join(ROWS), help="separated by semicolons")
    return parser.parse_args()


def runs(graph: Graph, kept: dict[str, Any], options: argparse.Namespace, seed: int) -> Iterator[tuple[str, Any]]:
    """Train and judge the rows of one seed, and yield what is new; `asked` needs the network of the same seed."""
    names = {row: f"{options.folder.name}, {options.share:g}, {row}, {seed}" for row in options.rows.split(";")}
    missing = [row for row, name in names.items() if name not in kept["runs"]]
    if not missing:
        return
    fewer = thinned(graph, options.share, seed=seed) if options.share < 1 else graph
    network = None
    if {"network", "asked"} & set(missing) or "thresholds" not in kept:
        start = time.process_time()
        bare = Told(fewer, NOTHING, fewer.parts["train"])
        network = trained("independent", bare, seed=seed, epochs=options.epochs)
        if "network" in missing:
            yield names["network"], judged(bare, network, start, use_theory=False)
    if "thresholds" not in kept:
        assert network is not None
        kept["thresholds"] = choose(graph, network)
    rules = mine(graph, Thresholds(**kept["thresholds"]["chosen"]))
    plain = replace_chains(rules)
    for row in [one for one in missing if one != "network"]:
        start = time.process_time()
        known = saturated(fewer, rules) if "chains" in row else closed(fewer.parts["train"], plain)
        is_bare = row.startswith("network")
        told = Told(fewer, NOTHING if is_bare else plain, known)
        if row == "asked":
            assert network is not None
            predictor = with_theory(told, network)
        else:
            predictor = trained("independent" if is_bare else "moose", told, seed=seed, epochs=options.epochs)
        yield names[row], judged(told, predictor, start, use_theory=True)


def replace_chains(rules: Rules) -> Rules:
    """Return the rules of single pairs."""
    return replace(rules, down_first=(), down_second=())


def task_of(graph: Graph, rules: Rules) -> Task:
    """Return the task of any two entities: who may be in a role is observed, the roles are latent."""
    roles = [role_name(graph, role) for role in range(len(graph.roles))]
    sides = [side(graph, role, place) for role in range(len(graph.roles)) for place in (0, 1)]
    return Task(pair_ontology(graph, rules), ["x", "y"], [] if rules.covers is None else sides, roles)


def examples_of(told: Told, task: Task, *, others: int) -> Examples:
    """Return an example of each two entities; what is not known is said to be `others`."""
    graph, rules = told.graph, told.rules
    pairs = all_pairs(len(graph.entities))
    given = None
    if rules.covers is not None:
        above = members_of(graph)
        holds = [above[:, list(one)].any(1) for covers in rules.covers for one in covers]
        given = torch.from_numpy(np.where(np.stack(holds, 1), 1, -1).astype(np.int8))
    return pair_examples(
        task,
        pairs,
        torch.arange(len(graph.entities))[:, None],
        evidence=given,
        role_evidence=pair_signs(pairs, edges_of(told.known), roles=len(graph.roles), others=others),
        given=[concept.name for concept in task.concepts],
    )


def edges_of(cube: Cube) -> npt.NDArray[np.int64]:
    """Return the triples of a cube: first, role, second."""
    return np.argwhere(cube)[:, [1, 0, 2]].astype(np.int64)


def perception_of(graph: Graph) -> Perception:
    """Return how entities are looked at: by a learnt vector for each."""
    return Perception((1,), plan=EmbeddingPlan(1, len(graph.entities), WIDTH, DROPOUT))


def trained(method: str, told: Told, *, seed: int, epochs: int) -> Predictor:
    """Train a method on all pairs."""
    task = task_of(told.graph, told.rules)
    return make_method(method).fit(
        task,
        examples_of(told, task, others=-1),
        seed=seed,
        training=Training(epochs=epochs, batch_size=BATCH, learning_rate=RATE, seed=seed),
        perception=perception_of(told.graph),
    )


def with_theory(told: Told, network: Predictor) -> Predictor:
    """Return what asks a network together with a theory that it was not trained with."""
    method = make_method("moose")
    model = method.model(task_of(told.graph, told.rules), perception_of(told.graph), seed=0)
    model.load_state_dict(network.model.state_dict())
    return Predictor(method, model, perception_of(told.graph))


def scores_of(told: Told, predictor: Predictor, *, use_theory: bool) -> Reals:
    """Return role × entity × entity: how likely each triple is, given what is known, or by the network alone."""
    predictions = predictor.predict(examples_of(told, predictor.task, others=0))
    values = predictions.roles if use_theory else predictions.role_network
    assert values is not None
    count = len(told.graph.entities)
    whole = pair_matrix(all_pairs(count), values, count)
    whole[:, np.arange(count), np.arange(count)] = 0.0
    return whole


def link_scores(graph: Graph, scores: Reals, part: str) -> dict[str, float | None]:
    """Judge scores by one part, filtered by all true triples."""
    asked = graph.parts[part]
    others = np.any([cube for name, cube in graph.parts.items() if name != part], 0) & ~asked
    found = score_roles(
        [
            JudgedRoles(
                scores[None], np.where(asked, 1, -1).astype(np.int8)[None], np.where(others, 1, 0).astype(np.int8)[None]
            )
        ],
        both_sides=True,
    ).as_dict()
    names = ("mrr", "hits_at_1", "hits_at_3", "hits_at_10", "average_precision")
    return {name: None if found[name] is None else round(found[name] or 0.0, 4) for name in names}


def judged(told: Told, predictor: Predictor, start: float, *, use_theory: bool) -> dict[str, object]:
    """Judge a predictor by the test part, and by the validation part."""
    seconds = round(time.process_time() - start, 1)
    scores = scores_of(told, predictor, use_theory=use_theory)
    valid = link_scores(told.graph, scores, "valid")["mrr"]
    return {**link_scores(told.graph, scores, "test"), "valid_mrr": valid, "cpu_seconds": seconds}


def choose(graph: Graph, network: Predictor) -> dict[str, object]:
    """Choose thresholds one after the other, by the MRR of the validation part when the network is asked with them."""
    chosen = Thresholds()
    bare = Told(graph, NOTHING, graph.parts["train"])
    tried = {"without rules": link_scores(graph, scores_of(bare, network, use_theory=False), "valid")["mrr"]}
    for name, values in GRID.items():
        found = dict[float, float]()
        for value in values:
            thresholds = replace(chosen, **{name: value})
            rules = mine(graph, thresholds)
            known = saturated(graph, rules) if thresholds.chain <= 1 else closed(graph.parts["train"], rules)
            told = Told(graph, replace_chains(rules), known)
            scores = scores_of(told, with_theory(told, network), use_theory=True)
            found[value] = link_scores(graph, scores, "valid")["mrr"] or 0.0
            tried[f"{name} {value:g}"] = found[value]
            print(name, value, found[value], flush=True)
        chosen = replace(chosen, **{name: max(found, key=lambda value: found[value])})
    rules = mine(graph, chosen)
    return {
        "chosen": asdict(chosen),
        "valid_mrr": tried,
        "inclusions": len(rules.inclusions),
        "symmetric": len(rules.symmetric),
        "chains": len(rules.down_first) + len(rules.down_second),
    }


if __name__ == "__main__":
    raise SystemExit(main())
