"""What each method makes of OWL, found by running it: `python -m bench.systems [--only doubt]`.

For each construct a small task in which it alone leads from what is observed to a latent concept. A method is trained
for two epochs with the axioms and without the one that matters, all else the same. A cell is

    exact    what follows is predicted with certainty given the evidence, but neither without it nor without the axiom
    soft     something that the method predicts changes with the axiom
    -        nothing changes
    refused  the method says that it cannot do the task

`controls`: two tasks in which an axiom leads to nothing, L ⊑ A where A is observed, and ∃s.A ⊑ L where nobody has
an s. A cell is `sure` if what does not follow is predicted with certainty in one of them, or that it fails; `moved` if
something changes with the second, which says nothing of anybody there; or else `-`.
`unlabelled`: a concept that nobody labels is learnt through its definition (mean accuracy over three seeds above 0.9,
without evidence, on inputs that show it plainly). `doubt`: where the evidence leaves two readings open and excludes all
others, these two together are predicted with more than 0.9 and neither with more than 0.75, on the mean over the seeds.
`shortcuts`: how many of these trainings end in one of the maps from truth to predictions that `moose.find_shortcuts`
counts beforehand, and whether `moose.diagnose` compares the losses of these maps for the method.
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
import numpy.typing as npt
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
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.model.follow import follow
from moose.training.diagnosis.diagnose import diagnose

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
CONTROLS = {
    "converse": Probe("", "SubClassOf(:L :A)", ("a",), ("A",), (("a", "A"),), ("a", "L")),
    "no pair": Probe(
        "",
        "SubClassOf(ObjectSomeValuesFrom(:s :A) :L)",
        ("a", "b"),
        ("A",),
        (("b", "A"),),
        ("a", "L"),
        roles=(*LINKS, ("s", ())),
    ),
}
"""Tasks in which nothing follows."""


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


class Trained(NamedTuple):
    """A predictor after two epochs, and its posteriors given the evidence, and without it."""

    predictor: Predictor
    given: Reals
    alone: Reals


class Compared(NamedTuple):
    """What is predicted with the axiom of a probe, and without it."""

    whole: Trained
    without: Trained

    @property
    def is_changed(self) -> bool:
        """Whether anything changes with the axiom."""
        return bool(np.nanmax(np.abs(self.whole.given - self.without.given)) > SAME)


def compare(method: str, probe: Probe) -> Compared:
    """Train with the axiom and without it."""
    return Compared(*(trained(method, task_of(probe, is_whole=is_whole), probe) for is_whole in (True, False)))


def is_sure(posteriors: Reals, probe: Probe, task: Task, *, holds: bool) -> bool:
    """Return whether the goal of a probe is predicted with certainty, or that it fails."""
    who, what = probe.goal
    place = task.individuals.index(who), [one.name for one in task.concepts].index(what)
    return bool((np.abs(posteriors[:, *place] - float(holds)) < SURE).all())


def verdict(method: str, probe: Probe) -> str:
    """Say what becomes of an axiom from which the goal follows."""
    try:
        compared = compare(method, probe)
    except MooseError:
        return "refused"
    whole, without, task = compared.whole, compared.without, compared.whole.predictor.task
    given, alone, lacking = (
        is_sure(one, probe, task, holds=probe.holds) for one in (whole.given, whole.alone, without.given)
    )
    return "exact" if given and not alone and not lacking else "soft" if compared.is_changed else "-"


def control_of(method: str) -> str:
    """Say whether a method concludes what does not follow."""
    try:
        found = {name: compare(method, probe) for name, probe in CONTROLS.items()}
    except MooseError:
        return "refused"
    if any(
        is_sure(found[name].whole.given, probe, found[name].whole.predictor.task, holds=holds)
        for name, probe in CONTROLS.items()
        for holds in (True, False)
    ):
        return "sure"
    return "moved" if found["no pair"].is_changed else "-"


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


@dataclass(frozen=True, slots=True)
class Doubt:
    """What a method makes of evidence that leaves two readings open; nothing where the task is refused."""

    belief: float | None = None
    """The mean of the larger posterior of the two."""
    mass: float | None = None
    """The mean of both together."""
    counted: int | None = None
    """How many of the trainings end in a map that `moose.find_shortcuts` counts."""
    compares: bool | None = None
    """Whether `moose.diagnose` compares the losses of these maps."""


def doubt_of(method: str) -> Doubt:
    """Train where only A is observed, which X and Y both are, and see how sure the method is, and what it reads."""
    examples, is_open = doubtful_examples()
    task = examples.task
    columns = [column for column, concept in enumerate(task.concepts) if concept.name in "XY"]
    shortcuts, truth = find_shortcuts(task), examples.truth.numpy()
    largest, together, counted, compares = [], [], 0, True
    for seed in range(SEEDS):
        try:
            predictor = make_method(method).fit(task, examples, seed=seed, training=LONG)
        except MooseError:
            return Doubt()
        posteriors = predictor.predict(examples).posteriors[is_open, 0]
        largest.append(float(posteriors[:, columns].max(-1).mean()))
        together.append(float(posteriors[:, columns].sum(-1).mean()))
        alone = predictor.predict(examples, evidence=False).posteriors
        counted += follow(shortcuts, task, alone, truth).is_consistent
        compares &= is_diagnosed(predictor, examples)
    return Doubt(mean(largest), mean(together), counted, compares)


def doubtful_examples() -> tuple[Examples, npt.NDArray[np.bool_]]:
    """Return examples of X, Y and Z of which only A and B are observed, and which of them are X or Y."""
    axioms = " ".join(f"Declaration(Class(:{name}))" for name in "ABXYZ")
    axioms += " SubClassOf(:X :A) SubClassOf(:Y :A) SubClassOf(:Z :B) DisjointClasses(:A :B)"
    task = replace(written_task(axioms, ("a",), ("A", "B"), ("X", "Y", "Z")), families=[["X", "Y", "Z"]])
    kinds = torch.randint(3, (96,), generator=torch.Generator().manual_seed(3))
    facts = {"A": kinds < 2, "B": kinds == 2, "X": kinds == 0, "Y": kinds == 1, "Z": kinds == 2}
    truth = torch.stack([torch.where(facts[one.name], 1, -1) for one in task.concepts], -1).to(torch.int8).unsqueeze(1)
    is_observed = torch.tensor([not concept.is_latent for concept in task.concepts])
    evidence = torch.where(is_observed, truth, 0).to(torch.int8)
    return Examples(task, plain_inputs(kinds), evidence, truth), (kinds < 2).numpy()


def is_diagnosed(predictor: Predictor, examples: Examples) -> bool:
    """Return whether the losses of readings are compared for a method."""
    try:
        diagnose(predictor, examples)
    except MooseError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Row:
    """What one method makes of everything."""

    method: str
    constructs: Mapping[str, str]
    controls: str
    unlabelled: float | None
    """The accuracy of what nobody labels; None where the task is refused."""
    doubt: Doubt


def features(method: str, known: Mapping[str, Any] | None, part: str | None) -> Row:
    """Find out what a method makes of everything, or of one part where the rest is known."""
    if known is not None and part == "doubt":
        return Row(method, known["constructs"], known["controls"], known["unlabelled"], doubt_of(method))
    constructs = {name: verdict(method, probe) for name, probe in PROBES.items()}
    if known is None:
        return Row(method, constructs, control_of(method), learns_unlabelled(method), doubt_of(method))
    return Row(method, constructs, control_of(method), known["unlabelled"], Doubt(**known["doubt"]))


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default=",".join(METHODS), help="with commas")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "systems.json")
    parser.add_argument("--only", choices=("constructs", "doubt"), help="measure this anew, and keep the rest")
    options = parser.parse_args()
    torch.set_num_threads(1)
    console = Console()
    kept = json.loads(options.json.read_text(encoding="utf-8"))["rows"] if options.only else []
    rows = {row["method"]: row for row in kept}
    for method in track(options.methods.split(","), description="methods"):
        rows[method] = asdict(features(method, rows.get(method), options.only))
        console.print(rows[method])
    settings = {"learnt": LEARNT, "doubtful": DOUBTFUL, "mass": MASS, "seeds": SEEDS}
    write_json(options.json, {"machine": describe_machine(), "settings": settings, "rows": list(rows.values())})


if __name__ == "__main__":
    main()
