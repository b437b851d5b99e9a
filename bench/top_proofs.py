"""How fast k proofs approach the exact probability: `python -m bench.top_proofs [--data DIR] [--count 60]`.

The queries are those of `bench.queries` on not-galen. For each k: the bound P(⋁ proofs), what proofs would come to if
no two shared an axiom (which may exceed the probability), and CPU seconds, beside the exact probability.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

from rich.console import Console
from rich.progress import track

import moose
from bench.measure import describe_machine, write_json
from bench.queries import choose, prepare
from moose.queries.top_proofs import top_proofs

ROOT = Path(__file__).parent.parent
KS = (1, 2, 3, 5, 10, 20, 50)
CLOSE = 1e-9
"""Within this of the exact probability a bound has reached it."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What k proofs say of one query."""

    k: int
    proofs: int
    lower: float
    independent: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """One query."""

    goal: str
    exact: float
    bounds: tuple[Bound, ...]


def measure(file: Path, count: int, seed: int) -> list[Row]:
    """Ask every query for every k."""
    ontology, probabilities = prepare(file, seed)
    rows = []
    for goal in track(list(choose(ontology, probabilities, count, seed)), description=file.name):
        answer = moose.query(ontology, goal, probabilities=probabilities, justifications=0)
        bounds = []
        for k in KS:
            start = time.process_time()
            found = top_proofs(ontology, goal, k, probabilities=probabilities)
            seconds = time.process_time() - start
            bounds.append(Bound(k, len(found.proofs), float(found.lower), float(found.independent), seconds))
        rows.append(Row(answer.goal, float(answer.probability), tuple(bounds)))
    return rows


def summary(rows: Sequence[Row]) -> list[dict[str, float]]:
    """Summarise the gap of each k over all queries."""
    found = []
    for place, k in enumerate(KS):
        bounds = [(row.exact, row.bounds[place]) for row in rows]
        gaps = [exact - bound.lower for exact, bound in bounds]
        drifts = [bound.independent - exact for exact, bound in bounds]
        found.append(
            {
                "k": k,
                "mean_gap": mean(gaps),
                "largest_gap": max(gaps),
                "reached": sum(gap <= CLOSE for gap in gaps),
                "mean_drift": mean(abs(one) for one in drifts),
                "largest_excess": max(drifts),
                "exceeding": sum(one > CLOSE for one in drifts),
                "median_seconds": median(bound.seconds for _, bound in bounds),
            }
        )
    return found


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--count", type=int, default=60, help="queries")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "top_proofs.json")
    options = parser.parse_args()
    rows = measure(options.data / "ontologies" / "not-galen.owl.gz", options.count, options.seed)
    found = summary(rows)
    console = Console()
    for one in found:
        console.print(one)
    settings = {"count": options.count, "seed": options.seed}
    content = {"machine": describe_machine(), "settings": settings, "summary": found}
    write_json(options.json, {**content, "rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
