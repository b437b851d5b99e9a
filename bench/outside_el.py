"""Ask Moose and HermiT what follows from small random ontologies with axioms outside OWL 2 EL.

    python -m bench.outside_el [--count 2000] [--seed 15000] [--label after] [--honest] [--show 3]

Counted are the atomic conclusions (subsumptions, unsatisfiable classes, types, role assertions, equal individuals,
inconsistency): how many HermiT has, how many of these Moose finds, and how many only Moose has, which must be none. A
difference is one only if HermiT says the same when the negated conclusion is added and consistency asked.
With `--honest`, also how often Moose says that something does not follow which HermiT says does. One JVM does all; what
is done is kept after each hundred, so that an interrupted run goes on where it stopped. The result is written to
bench/results/outside_el.json under the label; `--show` prints some of what was missed, or wrong, with its axioms.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from bench.entailments import PARTS, Entailments, our_entailments
from bench.fuzz_hermit import shrink, write_ontology
from bench.hermit import Hermit, HermitError
from bench.peers import PeersAbsentError, find_peers
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.syntax.functional.write_functional import render

NAMESPACE = "http://example.org/"
CLASSES = tuple(owl.Class(NAMESPACE + name) for name in "ABCDEFGH")
ROLES = tuple(owl.ObjectProperty(NAMESPACE + name) for name in "rst")
INDIVIDUALS = tuple(owl.NamedIndividual(NAMESPACE + name) for name in "abcd")
RESULTS = Path(__file__).with_name("results") / "outside_el.json"
BATCH = 100
"""How many ontologies are asked before what was counted is kept."""

T = TypeVar("T")


# ── Random ontologies ─────────────────────────────────────────────────────────────────────────────────────────────


class Draw:
    """Choices by seed: few names and many axioms, so that conclusions are common."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - an experiment, not a secret

    def one(self, choices: Sequence[T]) -> T:
        """Choose one."""
        return self._random.choice(choices)

    def some(self, choices: Sequence[T], count: int) -> tuple[T, ...]:
        """Choose several different ones."""
        return tuple(self._random.sample(choices, count))

    def number(self, least: int, most: int) -> int:
        """Choose a number."""
        return self._random.randint(least, most)

    def role(self) -> owl.ObjectPropertyExpression:
        """Choose a property, now and then an inverse."""
        role = self.one(ROLES)
        return owl.ObjectInverseOf(role) if self.number(1, 5) == 1 else role

    def axioms(self) -> list[ax.Axiom]:
        """Draw an ontology: an EL part, and on top of it a few axioms outside."""
        drawn = [self.one(EL_AXIOMS)(self) for _ in range(self.number(6, 12))]
        drawn += [self.one(OUTSIDE_AXIOMS)(self) for _ in range(self.number(2, 5))]
        return list(dict.fromkeys(drawn))


def simple(draw: Draw) -> owl.ClassExpression:
    """Draw a class of EL."""
    match draw.number(1, 8):
        case 1:
            return owl.ObjectIntersectionOf(draw.some(CLASSES, 2))
        case 2 | 3:
            return owl.ObjectSomeValuesFrom(draw.one(ROLES), draw.one(CLASSES))
        case 4:
            return owl.ObjectHasValue(draw.one(ROLES), draw.one(INDIVIDUALS))
    return draw.one(CLASSES)


def anything(draw: Draw, depth: int = 1) -> owl.ClassExpression:
    """Draw a class, most often one outside EL."""
    inner: Callable[[], owl.ClassExpression] = lambda: anything(draw, depth - 1) if depth else simple(draw)  # noqa: E731
    match draw.number(1, 10):
        case 1 | 2 | 3:
            return owl.ObjectUnionOf((inner(), simple(draw)))
        case 4:
            return owl.ObjectComplementOf(inner())
        case 5 | 6:
            return owl.ObjectAllValuesFrom(draw.role(), inner())
        case 7:
            return owl.ObjectSomeValuesFrom(draw.role(), inner())
        case 8:
            number, role, filler = draw.number(1, 2), draw.role(), draw.one(CLASSES)
            return (
                owl.ObjectMinCardinality(number, role, filler),
                owl.ObjectMaxCardinality(number, role, filler),
                owl.ObjectExactCardinality(number, role, filler),
            )[draw.number(0, 2)]
        case 9:
            return owl.ObjectOneOf(draw.some(INDIVIDUALS, 2))
    return owl.ObjectIntersectionOf((inner(), simple(draw)))


def _characteristic(draw: Draw) -> ax.Axiom:
    words = ("Functional", "InverseFunctional", "Symmetric", "Asymmetric", "Irreflexive")
    return ax.ObjectPropertyCharacteristic(draw.one(words), draw.one(ROLES))


EL_AXIOMS: tuple[Callable[[Draw], ax.Axiom], ...] = (
    *(lambda draw: ax.SubClassOf(draw.one(CLASSES), simple(draw)),) * 4,
    *(lambda draw: ax.SubClassOf(simple(draw), draw.one(CLASSES)),) * 3,
    lambda draw: ax.EquivalentClasses((draw.one(CLASSES), simple(draw))),
    lambda draw: ax.DisjointClasses(draw.some(CLASSES, 2)),
    lambda draw: ax.ObjectPropertyDomain(draw.one(ROLES), draw.one(CLASSES)),
    lambda draw: ax.ObjectPropertyRange(draw.one(ROLES), draw.one(CLASSES)),
    lambda draw: ax.SubObjectPropertyOf(draw.some(ROLES, 1), draw.one(ROLES)),
    *(lambda draw: ax.ClassAssertion(draw.one(CLASSES), draw.one(INDIVIDUALS)),) * 3,
    *(lambda draw: ax.ObjectPropertyAssertion(draw.one(ROLES), draw.one(INDIVIDUALS), draw.one(INDIVIDUALS)),) * 4,
    lambda draw: ax.DifferentIndividuals(draw.some(INDIVIDUALS, 2)),
)

OUTSIDE_AXIOMS: tuple[Callable[[Draw], ax.Axiom], ...] = (
    *(lambda draw: ax.SubClassOf(draw.one(CLASSES), anything(draw)),) * 4,
    *(lambda draw: ax.SubClassOf(anything(draw), draw.one(CLASSES)),) * 3,
    *(lambda draw: ax.EquivalentClasses((draw.one(CLASSES), anything(draw))),) * 2,
    lambda draw: ax.DisjointUnion(draw.one(CLASSES), draw.some(CLASSES, 2)),
    lambda draw: ax.ClassAssertion(anything(draw), draw.one(INDIVIDUALS)),
    lambda draw: ax.ObjectPropertyDomain(draw.role(), anything(draw, 0)),
    lambda draw: ax.ObjectPropertyRange(draw.role(), anything(draw, 0)),
    *(lambda draw: ax.InverseObjectProperties(*draw.some(ROLES, 2)),) * 2,
    *(_characteristic,) * 4,
    lambda draw: ax.SubObjectPropertyOf((owl.ObjectInverseOf(draw.one(ROLES)),), draw.one(ROLES)),
    lambda draw: ax.DisjointObjectProperties(draw.some(ROLES, 2)),
)


# ── Counting ──────────────────────────────────────────────────────────────────────────────────────────────────────


def conclusions(entailments: Entailments) -> set[tuple[str, ...]]:
    """Return what follows, one item for each atomic conclusion; from an inconsistent ontology, just that."""
    if not entailments.is_consistent:
        return {("inconsistent",)}
    return {(part, *names) for part in PARTS for names in getattr(entailments, part)}


def refuted(path: Path, missed: set[tuple[str, ...]]) -> int:
    """Count the conclusions that Moose missed and of which it says that they do not follow."""
    import moose

    ontology = moose.load(path)
    return sum(moose.entailment(ontology, goal_of(item)).follows is False for item in missed)


def goal_of(item: tuple[str, ...]) -> ax.Axiom:
    """Write an atomic conclusion as an axiom."""
    match item:
        case ("unsatisfiable", name):
            return ax.SubClassOf(owl.Class(name), owl.NOTHING)
        case ("closure", sub, sup):
            return ax.SubClassOf(owl.Class(sub), owl.Class(sup))
        case ("types", individual, name):
            return ax.ClassAssertion(owl.Class(name), owl.NamedIndividual(individual))
        case ("roles", source, role, target):
            source_and_target = owl.NamedIndividual(source), owl.NamedIndividual(target)
            return ax.ObjectPropertyAssertion(owl.ObjectProperty(role), *source_and_target)
        case ("same", one, other):
            return ax.SameIndividual((owl.NamedIndividual(one), owl.NamedIndividual(other)))
    return ax.SubClassOf(owl.THING, owl.NOTHING)


def negation_of(item: tuple[str, ...]) -> ax.Axiom:
    """Write that an atomic conclusion fails; of an inclusion, for a new individual."""
    match goal_of(item):
        case ax.SubClassOf(sub, sup):
            outside = owl.ObjectIntersectionOf((sub, owl.ObjectComplementOf(sup)))
            return ax.ClassAssertion(outside, owl.NamedIndividual(NAMESPACE + "counterexample"))
        case ax.ClassAssertion(cls, individual):
            return ax.ClassAssertion(owl.ObjectComplementOf(cls), individual)
        case ax.ObjectPropertyAssertion(role, source, target):
            return ax.ObjectPropertyAssertion(role, source, target, negative=True)
        case ax.SameIndividual(individuals):
            return ax.DifferentIndividuals(individuals)
    raise AssertionError(item)


class Comparison:
    """Moose and HermiT on one random ontology after another, and the counts so far."""

    def __init__(self, hermit: Hermit, file: Path, *, is_honest: bool) -> None:
        self.hermit = hermit
        self.file = file
        self.is_honest = is_honest
        self.counts: Counter[str] = Counter()
        self.shown: list[str] = []

    def ask(self, seed: int, *, show: int) -> None:
        """Count the conclusions of one ontology; keep some that differ, with the axioms that show it."""
        axioms = Draw(seed).axioms()
        try:
            only_ours, only_theirs, both = self.compare(axioms)
            denied = {item for item in only_ours if self.is_confirmed(axioms, item)}
            withdrawn = {item for item in only_theirs if not self.is_confirmed(axioms, item)}
        except HermitError:
            self.counts["refused by HermiT"] += 1
            return
        only_ours, only_theirs = only_ours - denied, only_theirs - withdrawn
        self.counts["denied and then admitted by HermiT"] += len(denied)  # its errors
        self.counts["claimed and then withdrawn by HermiT"] += len(withdrawn)
        self.counts["ontologies"] += 1
        self.counts["yes of HermiT"] += both + len(denied) + len(only_theirs)
        self.counts["yes of both"] += both + len(denied)
        self.counts["wrong yes"] += len(only_ours)
        for item in only_theirs:
            self.counts[f"missed {item[0]}"] += 1
        if self.is_honest and only_theirs:
            write_ontology(axioms, self.file)
            self.counts["wrong no"] += refuted(self.file, only_theirs)
        if (only_ours or only_theirs) and (only_ours or len(self.shown) < show):
            self.shown.append(self.smallest(seed, axioms, min(only_ours or only_theirs), is_wrong=bool(only_ours)))

    def compare(
        self, axioms: Sequence[ax.Axiom], *, careful: bool = False
    ) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]], int]:
        """Return what only Moose has, what only HermiT has, and how much both have."""
        write_ontology(axioms, self.file)
        theirs = conclusions(self.hermit.ask(self.file, careful=careful))
        ours = conclusions(our_entailments(self.file))
        if ("inconsistent",) in theirs:  # then everything follows
            return set(), theirs - ours, len(theirs & ours)
        # Of an unsatisfiable class HermiT's answer has nothing else, whatever it is below.
        empty = {name for part, name, *_ in theirs if part == "unsatisfiable"}
        ours = {item for item in ours if item[0] != "closure" or not empty.intersection(item[1:2])}
        return ours - theirs, theirs - ours, len(ours & theirs)

    def is_confirmed(self, axioms: Sequence[ax.Axiom], item: tuple[str, ...]) -> bool:
        """Return whether HermiT finds the ontology inconsistent with the negation of a conclusion.

        Its classification and realisation are not always right (bench/README.md), its test of consistency is.
        """
        if item == ("inconsistent",):
            return True
        write_ontology([*axioms, negation_of(item)], self.file)
        return not self.hermit.ask(self.file).is_consistent

    def smallest(self, seed: int, axioms: Sequence[ax.Axiom], item: tuple[str, ...], *, is_wrong: bool) -> str:
        """Write a difference with the fewest axioms that show it."""

        def differs(some: Sequence[ax.Axiom]) -> bool:
            try:
                only_ours, only_theirs, _ = self.compare(some, careful=True)
            except HermitError:
                return False
            return item in (only_ours if is_wrong else only_theirs)

        lines = map(render, shrink(axioms, differs) if differs(axioms) else axioms)
        word = "WRONG" if is_wrong else "missed"
        return "\n    ".join([f"seed {seed}: {word} {' '.join(item)}", *lines]).replace(NAMESPACE, "")


def batches(seed: int, count: int, done: int) -> Iterator[range]:
    """Yield the seeds that are left, a hundred at a time."""
    for start in range(done, count, BATCH):
        yield range(seed + start, seed + min(start + BATCH, count))


def kept_results() -> dict[str, dict[str, object]]:
    """Return what earlier runs wrote."""
    return dict(json.loads(RESULTS.read_text(encoding="utf-8"))) if RESULTS.exists() else {}


def keep(label: str, record: dict[str, object]) -> None:
    """Write the counts of a run beside those of the others."""
    results = {**kept_results(), label: record}
    RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    """Read the options, compare, and end with status 1 where Moose says what HermiT denies."""
    parser = argparse.ArgumentParser(prog="python -m bench.outside_el", description="Moose and HermiT outside EL.")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=15000, help="of the first")
    parser.add_argument("--label", help="under which to keep the counts; none: only print them")
    parser.add_argument("--honest", action="store_true", help="also count a certain no that HermiT refutes")
    parser.add_argument("--show", type=int, default=0, help="how many of the missed conclusions to print")
    options = parser.parse_args()
    try:
        peers = find_peers()
    except PeersAbsentError as absent:
        sys.exit(str(absent))
    asked = {"seed": options.seed, "honest": options.honest, "versions": peers.versions}
    earlier = kept_results().get(options.label or "", {})
    is_same = all(earlier.get(key) == value for key, value in asked.items())
    with tempfile.TemporaryDirectory() as folder, Hermit(peers) as hermit:
        comparison = Comparison(hermit, Path(folder) / "random.ofn", is_honest=options.honest)
        done = 0
        if is_same and isinstance(counts := earlier.get("counts"), dict) and isinstance(earlier.get("done"), int):
            comparison.counts, done = Counter(counts), int(str(earlier["done"]))
        for seeds in batches(options.seed, options.count, done):
            for seed in seeds:
                comparison.ask(seed, show=options.show)
            if options.label:
                keep(options.label, {**asked, "done": seeds.stop - options.seed, "counts": dict(comparison.counts)})
    for text in comparison.shown:
        print(text)
    for name, value in sorted(comparison.counts.items()):
        print(f"{name:24}{value:8,}")
    total = comparison.counts["yes of HermiT"]
    print(f"{'share found':24}{comparison.counts['yes of both'] / total if total else 1:8.1%}")
    sys.exit(1 if comparison.counts["wrong yes"] or comparison.counts["wrong no"] else 0)


if __name__ == "__main__":
    main()
