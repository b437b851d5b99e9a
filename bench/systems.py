"""What each method makes of OWL, found by running it: `python -m bench.systems [--constructs]`.

For each construct a small task in which it alone leads from what is observed to a latent concept. A method is trained
for two epochs with the axioms and without the one that matters, all else the same. A cell is

    exact    what follows is predicted with certainty given the evidence, but neither without it nor without the axiom
    soft     something that the method predicts changes with the axiom
    -        nothing changes
    refused  the method says that it cannot do the task

`unlabelled`: a concept that nobody labels is learnt through its definition (mean accuracy over three seeds above 0.9,
without evidence, on inputs that show it plainly). `doubt`: where the evidence leaves two readings open and excludes all
others, these two together are predicted with more than 0.9 and neither with more than 0.75, on the mean over the seeds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.progress import track
from torch import Tensor

from bench.measure import describe_machine, write_json
from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.prediction import Reals
from moose.methods.base.method import Predictor
from moose.methods.registry import METHODS, make_method
from moose.owl.load import load

ROOT = Path(__file__).parent.parent
BRIEFLY = Training(epochs=2, batch_size=8, learning_rate=0.01)
LONG = Training(epochs=40, batch_size=16, learning_rate=0.02)
ROWS = 16
SURE = 1e-4
SAME = 1e-6
LEARNT, DOUBTFUL, MASS = 0.9, 0.75, 0.9
SEEDS = 3


@dataclass(frozen=True, slots=True)
class Probe:
    """A task in which one axiom leads from evidence to a latent concept."""

    axioms: str
    """Of both tasks."""
    decisive: str
    """Of one task only."""
    individuals: tuple[str, ...]
    observed: tuple[str, ...]
    evidence: tuple[tuple[str, str], ...]
    """Who is observed to be what."""
    goal: tuple[str, str]
    """Who is then which latent concept, or is not."""
    holds: bool = True
    roles: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


LINKS = (("r", (("a", "b"),)),)
PROBES = {
    "hierarchy": Probe("", "SubClassOf(:A :L)", ("a",), ("A",), (("a", "A"),), ("a", "L")),
    "conjunction": Probe(
        "",
        "SubClassOf(ObjectIntersectionOf(:A :B) :L)",
        ("a",),
        ("A", "B"),
        (("a", "A"), ("a", "B")),
        ("a", "L"),
    ),
    "disjointness": Probe("", "DisjointClasses(:A :L)", ("a",), ("A",), (("a", "A"),), ("a", "L"), holds=False),
    "existential": Probe(
        "", "SubClassOf(ObjectSomeValuesFrom(:r :A) :L)", ("a", "b"), ("A",), (("b", "A"),), ("a", "L"), roles=LINKS
    ),
    "role hierarchy": Probe(
        "SubClassOf(ObjectSomeValuesFrom(:s :A) :L)",
        "SubObjectPropertyOf(:r :s)",
        ("a", "b"),
        ("A", "s"),
        (("b", "A"),),
        ("a", "L"),
        roles=LINKS,
    ),
    "role chain": Probe(
        "SubClassOf(ObjectSomeValuesFrom(:s :A) :L)",
        "SubObjectPropertyOf(ObjectPropertyChain(:r :r) :s)",
        ("a", "b", "c"),
        ("A", "s"),
        (("c", "A"),),
        ("a", "L"),
        roles=(("r", (("a", "b"), ("b", "c"))),),
    ),
    "nominal": Probe(
        "Declaration(NamedIndividual(:b))",
        "SubClassOf(ObjectIntersectionOf(:A ObjectHasValue(:r :b)) :L)",
        ("a", "b"),
        ("A",),
        (("a", "A"),),
        ("a", "L"),
        roles=LINKS,
    ),
}


def task_of(probe: Probe, *, is_whole: bool) -> Task:
    """Make the task of a probe, with the decisive axiom or without."""
    names = ("A", "B", "L")
    declared = " ".join(f"Declaration(Class(:{name}))" for name in names)
    declared += " Declaration(ObjectProperty(:r)) Declaration(ObjectProperty(:s))"
    axioms = f"{declared} {probe.axioms} {probe.decisive if is_whole else ''}"
    return written_task(axioms, probe.individuals, probe.observed, ("L",), dict(probe.roles))


def written_task(
    axioms: str,
    individuals: tuple[str, ...],
    observed: tuple[str, ...],
    latent: tuple[str, ...],
    roles: dict[str, tuple[tuple[str, str], ...]] | None = None,
) -> Task:
    """Make a task of axioms whose names are written with a colon."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "probe.ofn"
        path.write_text(f"Prefix(:=<http://e.org/>)\nOntology(<http://e.org/probe>\n{axioms}\n)", encoding="utf-8")
        ontology = load(path)
    return Task(ontology, list(individuals), list(observed), list(latent), roles=roles or {})


def examples_of(task: Task, evidence: tuple[tuple[str, str], ...]) -> Examples:
    """Return examples that all show the evidence, on inputs that are noise."""
    signs = torch.zeros(ROWS, len(task.individuals), len(task.concepts), dtype=torch.int8)
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    for who, what in evidence:
        signs[:, task.individuals.index(who), columns[what]] = 1
    inputs = torch.rand(ROWS, len(task.individuals), 4, generator=torch.Generator().manual_seed(0))
    return Examples(task, inputs, signs, torch.zeros_like(signs))


def verdict(method: str, probe: Probe) -> str:
    """Train with the axiom and without it, and compare what is predicted."""
    try:
        whole, without = (trained(method, task_of(probe, is_whole=is_whole), probe) for is_whole in (True, False))
    except MooseError:
        return "refused"
    who, what = probe.goal
    task = whole.predictor.task
    place = task.individuals.index(who), [one.name for one in task.concepts].index(what)
    given, alone, lacking = (
        bool((np.abs(one[:, *place] - float(probe.holds)) < SURE).all())
        for one in (whole.given, whole.alone, without.given)
    )
    if given and not alone and not lacking:
        return "exact"
    return "soft" if np.nanmax(np.abs(whole.given - without.given)) > SAME else "-"


class Trained(NamedTuple):
    """A predictor after two epochs, and its posteriors given the evidence, and without it."""

    predictor: Predictor
    given: Reals
    alone: Reals


def trained(method: str, task: Task, probe: Probe) -> Trained:
    """Train briefly, and predict."""
    examples = examples_of(task, probe.evidence)
    predictor = make_method(method).fit(task, examples, seed=0, training=BRIEFLY)
    given, alone = (predictor.predict(examples, evidence=use).posteriors for use in (True, False))
    return Trained(predictor, given, alone)


def plain_inputs(kinds: Tensor) -> Tensor:
    """Return inputs that show their kind plainly."""
    noise = torch.rand(len(kinds), 4, generator=torch.Generator().manual_seed(1))
    return (0.8 * torch.eye(4)[kinds] + 0.2 * noise).unsqueeze(1)


def learns_unlabelled(method: str) -> float | None:
    """Return how accurately L ≡ A is learnt where only A is observed; None where that is refused."""
    axioms = "Declaration(Class(:A)) Declaration(Class(:L)) EquivalentClasses(:A :L)"
    task = written_task(axioms, ("a",), ("A",), ("L",))
    kinds = torch.randint(2, (64,), generator=torch.Generator().manual_seed(2))
    truth = torch.where(kinds == 1, 1, -1).to(torch.int8)[:, None, None].expand(-1, 1, 2)
    is_observed = torch.tensor([not concept.is_latent for concept in task.concepts])
    examples = Examples(
        task, plain_inputs(kinds), torch.where(is_observed, truth, 0).to(torch.int8), truth.contiguous()
    )
    column = next(column for column, concept in enumerate(task.concepts) if concept.is_latent)
    accuracies = []
    for seed in range(SEEDS):
        try:
            predictor = make_method(method).fit(task, examples, seed=seed, training=LONG)
        except MooseError:
            return None
        shown = predictor.predict(examples, evidence=False).posteriors[:, 0, column] > 0.5
        accuracies.append(float((shown == (kinds.numpy() == 1)).mean()))
    return mean(accuracies)


def beliefs_of(method: str) -> tuple[float, float] | None:
    """Return how sure a method is of the likelier of X and Y, and of both, where only A is observed, which both are."""
    axioms = " ".join(f"Declaration(Class(:{name}))" for name in "ABXYZ")
    axioms += " SubClassOf(:X :A) SubClassOf(:Y :A) SubClassOf(:Z :B) DisjointClasses(:A :B)"
    task = replace(written_task(axioms, ("a",), ("A", "B"), ("X", "Y", "Z")), families=[["X", "Y", "Z"]])
    kinds = torch.randint(3, (96,), generator=torch.Generator().manual_seed(3))
    facts = {"A": kinds < 2, "B": kinds == 2, "X": kinds == 0, "Y": kinds == 1, "Z": kinds == 2}
    truth = torch.stack([torch.where(facts[one.name], 1, -1) for one in task.concepts], -1).to(torch.int8).unsqueeze(1)
    is_observed = torch.tensor([not concept.is_latent for concept in task.concepts])
    examples = Examples(task, plain_inputs(kinds), torch.where(is_observed, truth, 0).to(torch.int8), truth)
    columns = [column for column, concept in enumerate(task.concepts) if concept.name in "XY"]
    largest, together = [], []
    for seed in range(SEEDS):
        try:
            predictor = make_method(method).fit(task, examples, seed=seed, training=LONG)
        except MooseError:
            return None
        posteriors = predictor.predict(examples).posteriors[(kinds < 2).numpy(), 0]
        largest.append(float(posteriors[:, columns].max(-1).mean()))
        together.append(float(posteriors[:, columns].sum(-1).mean()))
    return mean(largest), mean(together)


@dataclass(frozen=True, slots=True)
class Row:
    """What one method makes of everything."""

    method: str
    constructs: dict[str, str]
    unlabelled: float | None
    """The accuracy of what nobody labels; None where the task is refused."""
    belief: float | None
    """The mean of the larger posterior where two readings are open."""
    mass: float | None
    """The mean of both together."""


def features(method: str, known: Mapping[str, Any] | None = None) -> Row:
    """Find out what a method makes of everything, or of constructs alone where the rest is known."""
    constructs = {name: verdict(method, probe) for name, probe in PROBES.items()}
    if known is not None:
        return Row(method, constructs, known["unlabelled"], known["belief"], known["mass"])
    belief, mass = beliefs_of(method) or (None, None)
    return Row(method, constructs, learns_unlabelled(method), belief, mass)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default=",".join(METHODS), help="with commas")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "systems.json")
    parser.add_argument("--constructs", action="store_true", help="measure these anew, and keep the rest of the file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    console, rows = Console(), []
    kept = json.loads(options.json.read_text(encoding="utf-8"))["rows"] if options.constructs else []
    known = {row["method"]: row for row in kept}
    for method in track(options.methods.split(","), description="methods"):
        rows.append(features(method, known.get(method)))
        console.print(rows[-1])
    settings = {"learnt": LEARNT, "doubtful": DOUBTFUL, "mass": MASS, "seeds": SEEDS}
    write_json(
        options.json, {"machine": describe_machine(), "settings": settings, "rows": [asdict(row) for row in rows]}
    )


if __name__ == "__main__":
    main()
