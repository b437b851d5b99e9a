"""Compare Moose with HermiT on random small ontologies; print every difference with the smallest axioms that show it.

    python -m bench.fuzz_hermit [--count 2000] [--seed 0] [--features chains range …] [--reasoner naive]

Without `--features`, the ontologies come from three families on which HermiT 1.4.3.517 is known to be right. With
others, a difference may be HermiT's: bench/README.md lists its faults. `--reasoner naive` puts the tests' plain
fixpoint in the place of Moose, to test the tests.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.entailments import PARTS, Entailments, our_entailments
from bench.hermit import Hermit, HermitError
from bench.peers import PeersAbsentError, find_peers
from moose.owl.model.axioms import Axiom, EquivalentClasses, HasKey
from moose.owl.model.expressions import Class
from moose.owl.model.signature import collect_signature
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import render
from tests.saturation.naive import naive_closure, naive_types
from tests.saturation.random_ontologies import ALL_FEATURES, NAMESPACE, random_axioms

FAMILIES = {
    # without data values and keys, everything
    "individuals": ALL_FEATURES - {"data", "functional", "keys"},
    # values without what could make two individuals one, and (under "disjoint") without negative data assertions
    "values": ALL_FEATURES - {"assertions", "disjoint", "keys", "nominals"},
    # keys without composed links, which HermiT does not see in a key
    "keys": ALL_FEATURES - {"chains", "data", "functional"},
}
"""Sets of features on which HermiT can be trusted."""

NAIVE_PARTS = ("unsatisfiable", "closure", "types")
"""What the plain fixpoint can be asked for."""

Failing = Callable[[Sequence[Axiom]], bool]


@dataclass(frozen=True, slots=True)
class Report:
    """A difference: which random ontology, what differs, and the fewest of its axioms that still differ."""

    seed: int
    differences: tuple[str, ...]
    axioms: tuple[Axiom, ...]

    def __str__(self) -> str:
        lines = [f"seed {self.seed}: Moose (+) and HermiT (-) differ", *self.differences, *map(render, self.axioms)]
        return "\n    ".join(lines).replace(NAMESPACE, "")


@dataclass(frozen=True, slots=True)
class Contest:
    """Moose (or what stands in for it) and HermiT, asked about the same file."""

    hermit: Hermit
    file: Path
    ours: Callable[[Path], Entailments] = our_entailments
    parts: tuple[str, ...] = PARTS

    def differences(self, axioms: Sequence[Axiom], *, careful: bool = False) -> list[str]:
        """List what only one of the two says."""
        write_ontology(name_key_classes(axioms), self.file)
        return self.ours(self.file).differences(self.hermit.ask(self.file, careful=careful), self.parts)

    def is_failing(self, axioms: Sequence[Axiom]) -> bool:
        """Say whether the two differ, having HermiT look twice; what HermiT refuses is no difference."""
        try:
            return bool(self.differences(axioms)) and bool(self.differences(axioms, careful=True))
        except HermitError:
            return False


def name_key_classes(axioms: Sequence[Axiom]) -> list[Axiom]:
    """Give each complex class of a key a name, which changes no meaning: HermiT overlooks a key without."""
    named: list[Axiom] = []
    for number, axiom in enumerate(axioms):
        if isinstance(axiom, HasKey) and not isinstance(axiom.cls, Class):
            name = Class(f"{NAMESPACE}Key{number}")
            named += [EquivalentClasses((name, axiom.cls)), replace(axiom, cls=name)]
        else:
            named.append(axiom)
    return named


def write_ontology(axioms: Sequence[Axiom], file: Path) -> None:
    """Write axioms as a functional-syntax file."""
    body = "".join(f"  {render(axiom)}\n" for axiom in axioms)
    file.write_text(f"Ontology(<http://example.org/random>\n{body})\n", encoding="utf-8")


def naive_entailments(file: Path) -> Entailments:
    """Ask the tests' plain fixpoint, which knows of classes and types only."""
    axioms = read_functional(file.read_text(encoding="utf-8"), file.name).axioms
    signature = collect_signature(axioms, ())
    pairs, unsatisfiable, is_consistent = naive_closure(axioms, signature.classes)
    if not is_consistent:
        return Entailments(is_consistent=False)
    types = naive_types(axioms, signature.individuals) or {}
    return Entailments(
        is_consistent=True,
        unsatisfiable=tuple((name,) for name in sorted(unsatisfiable)),
        closure=tuple(sorted(pairs)),
        types=tuple((individual, name) for individual, names in types.items() for name in names),
    )


def shrink(axioms: Sequence[Axiom], is_failing: Failing) -> list[Axiom]:
    """Leave out axioms, ever smaller runs of them, as long as the rest still fails."""
    kept, size = list(axioms), max(1, len(axioms) // 2)
    while True:
        for start in range(len(kept) - size, -1, -1):
            rest = kept[:start] + kept[start + size :]
            if rest and is_failing(rest):
                kept = rest
                break
        else:
            if size == 1:
                return kept
            size //= 2
        size = max(1, min(size, len(kept) // 2))


def contest(
    contestants: Contest, seeds: range, features: frozenset[str], refused: list[str] | None = None
) -> Iterator[Report]:
    """Compare on one random ontology per seed; what HermiT refuses is added to `refused`."""
    for seed in seeds:
        axioms = random_axioms(random.Random(seed), features)  # noqa: S311 - an experiment, not a secret
        try:
            has_difference = bool(contestants.differences(axioms))
        except HermitError as error:
            if refused is not None:
                refused.append(f"seed {seed}: {error}")
            continue
        if has_difference and contestants.is_failing(axioms):
            smallest = shrink(axioms, contestants.is_failing)
            yield Report(seed, tuple(contestants.differences(smallest, careful=True)), tuple(smallest))


def main() -> None:
    """Read the options, compare, and end with status 1 where a difference was found."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz_hermit", description="Moose beside HermiT.")
    parser.add_argument("--count", type=int, default=2000, help="ontologies in each family")
    parser.add_argument("--seed", type=int, default=0, help="of the first")
    parser.add_argument("--features", nargs="*", choices=sorted(ALL_FEATURES), help="instead of the three families")
    parser.add_argument("--reasoner", choices=["moose", "naive"], default="moose")
    options = parser.parse_args()
    families = FAMILIES if options.features is None else {"chosen": frozenset(options.features)}
    try:
        peers = find_peers()
    except PeersAbsentError as absent:
        sys.exit(str(absent))
    reports = 0
    with tempfile.TemporaryDirectory() as folder, Hermit(peers) as hermit:
        contestants = Contest(hermit, Path(folder) / "random.ofn")
        if options.reasoner == "naive":
            contestants = replace(contestants, ours=naive_entailments, parts=NAIVE_PARTS)
        for name, features in families.items():
            refused: list[str] = []
            for report in contest(contestants, range(options.seed, options.seed + options.count), features, refused):
                reports += 1
                print(report, flush=True)
            print(f"{name}: {options.count} ontologies, {len(refused)} refused by HermiT", *refused[:3], sep="\n    ")
    print(f"{reports} differences")
    sys.exit(1 if reports else 0)


if __name__ == "__main__":
    main()
