"""Digits and which pairs are successors, from parity and primality alone: `python -m bench.latent_role`.

Two images of digits, of which parity and primality are seen, and a latent role `succ`: nobody ever says a digit, nor
which of two digits follows the other. First the readings that theory and evidence allow are counted, then a network and
a pair network are trained. Three ontologies:

- `free`: any two digits, and the axioms of `mnist.ofn` alone: if two digits are successors, one follows the other.
  Nothing in it ever demands that a pair is in the role.
- `defined`: the same, and of two digits that are put side by side (a known role) a digit and the next are successors.
- `neighbours`: side by side stand only digits that follow one another, in an order that is not told.

The digits are scikit-learn's, or MNIST where `--mnist DIR` has it. Written to `bench/results/latent_role.json`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

import moose
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.datasets import digits, mnist
from moose.datasets.base.pool import Pool, split_pool
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.registry import make_method
from moose.shortcuts.count.verdict import verdict
from moose.shortcuts.model.examples import Seen, find_in_examples

MEMBERS = {"Even": (0, 2, 4, 6, 8), "Odd": (1, 3, 5, 7, 9), "Prime": (2, 3, 5, 7), "Composite": (4, 6, 8, 9)}
THEORIES = ("free", "defined", "neighbours")
OBJECTIVES = ("conditional", "paper")
OPEN = {"conditional": "learnt", "paper": "half"}
TEST = 2_000
SIDES = [("a", "b"), ("b", "a")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Count, train, print and write."""
    options = parse(arguments)
    torch.set_num_threads(1)
    pools = read_pools(options.mnist)
    theories: dict[str, object] = {}
    for theory in options.theories.split(","):
        task = task_of(theory)
        is_near = theory == "neighbours"
        train, test = (
            drawn(pool, task, count, only_neighbours=is_near, seed=1)
            for pool, count in zip(pools, (options.count, TEST), strict=True)
        )
        theories[theory] = row = {"readings": count_readings(train), "runs": list[dict[str, object]]()}
        print(theory, row["readings"], flush=True)
        ways = [(objective, True) for objective in options.objectives.split(",")]
        ways += [(objective, False) for objective, _ in ways if is_near]
        for objective, is_read in ways:
            for seed in range(options.seeds):
                sets = [one if is_read else without_pairs(one) for one in (train, test)]
                run = measure(objective, *sets, training=Training(epochs=options.epochs, seed=seed))
                row["runs"].append(run)  # type: ignore[attr-defined]  # a list, as it was made
                print(theory, run, flush=True)
    settings = {
        "count": options.count,
        "epochs": options.epochs,
        "batch_size": 64,
        "data": "mnist" if options.mnist else "digits",
    }
    write_json(
        RESULTS / "latent_role.json", {"machine": describe_machine(), "settings": settings, "theories": theories}
    )
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.latent_role", description=__doc__)
    parser.add_argument("--count", type=int, default=3_000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--theories", default=",".join(THEORIES))
    parser.add_argument("--objectives", default=",".join(OBJECTIVES))
    parser.add_argument("--mnist", type=Path, default=None, help="a folder with MNIST's files")
    return parser.parse_args(arguments)


def read_pools(folder: Path | None) -> tuple[Pool, Pool]:
    """Return images to learn from and to test on."""
    if folder is None:
        return split_pool(digits.read_pool(), digits.TEST_SHARE)
    return mnist.read_pool(folder, "train"), mnist.read_pool(folder, "test")


def axioms_of(theory: str) -> list[str]:
    """Return what a theory says besides `mnist.ofn`, in functional syntax.

    D1(a) ∧ beside(a, b) ∧ D2(b) → succ(a, b) is a chain: who is a 1 is in a role of its own with itself.
    """
    lines = list[str]()
    if theory != "free":
        lines.append("Declaration(ObjectProperty(:beside))")
        for digit in range(10):
            lines += [
                f"Declaration(ObjectProperty(:is{digit}))",
                f"SubClassOf(:D{digit} ObjectHasSelf(:is{digit}))",
                f"SubObjectPropertyOf(ObjectPropertyChain(:is{digit} :beside :is{(digit + 1) % 10}) :succ)",
            ]
    if theory == "neighbours":
        lines += [
            f"SubClassOf(ObjectIntersectionOf(:D{one} ObjectSomeValuesFrom(:beside :D{other})) owl:Nothing)"
            for one in range(10)
            for other in range(10)
            if (one - other) % 10 not in (1, 9)
        ]
    return lines


def task_of(theory: str) -> Task:
    """Return the task of two digits whose succession is latent."""
    base = moose.regime("mnist2")
    text = Path(moose.__file__).with_name("ontologies").joinpath("mnist.ofn").read_text("utf-8").rstrip()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "digits.ofn"
        path.write_text("\n".join([text.removesuffix(")"), *axioms_of(theory), ")\n"]), encoding="utf-8")
        ontology = moose.load(path)
    beside = None if theory == "free" else {"beside": SIDES}
    return Task(ontology, ["a", "b"], base.observed, [*base.latent, "succ"], base.families, beside)


def drawn(pool: Pool, task: Task, count: int, *, only_neighbours: bool, seed: int) -> Examples:
    """Draw pairs of images: neighbours in either order, or half of them neighbours and the others any two."""
    generator = np.random.default_rng(seed)
    first = generator.integers(10, size=count)
    second = (first + generator.choice([1, -1], size=count)) % 10
    if not only_neighbours:
        second = np.where(generator.random(count) < 0.5, second, generator.integers(10, size=count))
    shown = np.stack([first, second], 1)
    by_digit = [np.flatnonzero(pool.labels == digit) for digit in range(10)]
    rows = np.array([[generator.choice(by_digit[digit]) for digit in pair] for pair in shown.tolist()])
    holds = [
        np.isin(shown, MEMBERS.get(concept.name) or (int(concept.name.removeprefix("D")),)) for concept in task.concepts
    ]
    truth = torch.from_numpy(np.where(np.stack(holds, -1), 1, -1).astype(np.int8))
    is_observed = torch.tensor([not concept.is_latent for concept in task.concepts])
    roles = torch.zeros(count, len(task.role_predicates), 2, 2, dtype=torch.int8)
    follows = (shown[:, None, :] - shown[:, :, None]) % 10 == 1
    roles[:, [role.name for role in task.role_predicates].index("succ")] = torch.from_numpy(np.where(follows, 1, -1))
    return Examples(
        task,
        torch.from_numpy(pool.images[rows]),
        torch.where(is_observed, truth, 0).to(torch.int8),
        truth,
        role_truth=roles,
    )


def count_readings(examples: Examples) -> dict[str, object]:
    """Count the readings that agree with all that the examples show."""
    assert examples.role_truth is not None
    start = time.process_time()
    seen = Seen(examples.task, examples.evidence.numpy(), examples.truth.numpy(), None, examples.role_truth.numpy())
    found = find_in_examples(seen)
    return {"maps": str(found.maps), "verdict": verdict(found), "seconds": round(time.process_time() - start, 1)}


def without_pairs(examples: Examples) -> Examples:
    """Return the same examples of a task whose role no network reads."""
    return replace(examples, task=replace(examples.task, unread=["succ"]))


def measure(objective: str, train: Examples, test: Examples, *, training: Training) -> dict[str, object]:
    """Train moose-cover, and judge it on other images, by the networks alone and by the circuit without evidence."""
    method = make_method("moose-cover", objective=objective, open_weights=OPEN[objective])
    predictor = method.fit(train.task, train, training=training)
    evaluation = predictor.evaluate(test)
    of_roles = evaluation.roles
    return {
        "objective": objective,
        "seed": training.seed,
        "is_role_read": of_roles is not None,
        "seconds": round(predictor.seconds, 1),
        "network": {
            "acc_f": evaluation.network.scores.acc_f,
            **({} if of_roles is None else of_roles.network.as_dict()),
        },
        "without_evidence": {
            "acc_f": evaluation.without_evidence.scores.acc_f,
            **({} if of_roles is None else of_roles.without_evidence.as_dict()),
        },
    }


if __name__ == "__main__":
    sys.exit(main())
