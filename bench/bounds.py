"""Bound log WMC of theories that are too wide for an exact circuit, and of some that are not, each in a process.

    python -m bench.bounds [--data ../shared/data] [--only NAME]

`cellcycle_GO` is the whole class hierarchy of that data set, the others are parts of the Gene Ontology as
`bench.large_theories` draws them; one individual, every class a variable. The wide ones are tightened for 10 and for 60
seconds, those whose exact value is known with few rows. Weights are ½ or logits drawn from a normal distribution of
standard deviation 2; evidence is 5 % of the classes observed to hold, with all that is above them, asked both of bounds
that were not told it and of such that were. The result is written to bench/results/bounds.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path

import moose
from bench.large_theories import Pairs, hierarchy, hierarchy_task, reached
from bench.measure import describe_machine, run_measured, write_json
from bench.vocabularies import vocabulary
from moose.base.errors import LimitReached

RESULTS = Path(__file__).with_name("results") / "bounds.json"
ARCHIVE = "scale/hmc/hmc-c-hmcnn-e887855.tar.gz"
WIDE = ("cellcycle_GO", "BP 300")
KNOWN = ("MF 300", "CC 300")
SECONDS = (10, 60)
MOST_ROWS = 20_000_000
"""Of the wide ones: time ends first."""
FEW_ROWS = 5_000
"""Of those whose exact value is known: fewer than the exact circuits need."""
WEIGHTS = ("½", "logits")


def pairs_of(name: str, data: Path, direct: Path) -> Pairs:
    """Return the hierarchy of a name."""
    if name == "cellcycle_GO":
        return [(low, high) for low, high in vocabulary("cellcycle GO", data)[1] if high != "root"]
    return hierarchy(name, direct)


def drawn_weights(clauses: moose.Clauses, kind: str) -> dict[moose.Atom, float] | None:
    """Return the weights of a kind."""
    drawn = random.Random(0)  # noqa: S311 - an experiment, not a secret
    return None if kind == "½" else {atom: 1 / (1 + math.exp(-drawn.gauss(0, 2))) for atom in clauses.atoms}


def drawn_evidence(clauses: moose.Clauses, pairs: Pairs) -> dict[moose.Atom, bool]:
    """Observe some classes, and all that is above them."""
    above: dict[str, set[str]] = {one: set() for pair in pairs for one in pair}
    for low, high in pairs:
        above[low].add(high)
    chosen = random.Random(1).sample(sorted(above), len(above) // 20)  # noqa: S311 - likewise
    names = {name.rpartition("/")[2].rpartition("#")[2] for name in reached(chosen, above)}
    return {atom: True for atom in clauses.atoms if atom.predicate.rpartition("/")[2].rpartition("#")[2] in names}


def told(interval: moose.Interval) -> list[float | None]:
    """Return an interval for JSON, which has no infinity."""
    return [None if math.isinf(one) else one for one in (interval.lower, interval.upper)]


def measure(name: str, kind: str, options: argparse.Namespace) -> dict[str, object]:
    """Bound one theory with one kind of weights in this process."""
    pairs = pairs_of(name, options.data, options.direct)
    clauses = moose.ground(hierarchy_task(pairs))
    weights, evidence = drawn_weights(clauses, kind), drawn_evidence(clauses, pairs)
    assert evidence, "no class of the hierarchy is an atom of the clauses"
    limits = (
        [moose.Limits(seconds=seconds, size=MOST_ROWS) for seconds in SECONDS]
        if name in WIDE
        else [moose.Limits(size=FEW_ROWS)]
    )
    runs = [bound(clauses, weights, evidence, limit) for limit in limits]
    informed = moose.compile_bounds(clauses, weights=weights, evidence=evidence, limits=limits[0])
    return {
        "atoms": len(clauses.atoms),
        "observed": len(evidence),
        "runs": runs,
        "evidence_told": told(informed.log_wmc(weights, evidence)),
        **exact(name, clauses, weights, evidence),
    }


def bound(
    clauses: moose.Clauses,
    weights: dict[moose.Atom, float] | None,
    evidence: dict[moose.Atom, bool],
    limits: moose.Limits,
) -> dict[str, object]:
    """Compile bounds and ask them."""
    begin = time.perf_counter()
    bounds = moose.compile_bounds(clauses, weights=weights, limits=limits)
    wall = time.perf_counter() - begin
    gaps = sorted(one.gap for one in bounds.posterior(weights=weights).values())
    return {
        "limit": limits.seconds if limits.seconds in SECONDS else None,  # none: a limit on rows
        "wall": wall,
        "rows": bounds.stages[-1].rows,
        "elements": [bounds.lower.diagram.element_count, bounds.upper.diagram.element_count],
        "log_wmc": told(bounds.log_wmc(weights=weights)),
        "evidence": told(bounds.log_wmc(weights, evidence)),
        "posterior_gap": {"median": gaps[len(gaps) // 2], "largest": gaps[-1]},
        "stages": [[one.rows, one.seconds, *told(one.log_wmc)] for one in bounds.stages],
    }


def exact(
    name: str,
    clauses: moose.Clauses,
    weights: dict[moose.Atom, float] | None,
    evidence: dict[moose.Atom, bool],
) -> dict[str, object]:
    """Return the exact values where they are known."""
    if name in WIDE:
        return {}
    try:
        circuit = moose.compile_circuit(clauses, vtree="tables")
    except LimitReached as error:
        return {"exact_error": str(error)}
    return {
        "exact": circuit.log_wmc(weights),
        "exact_evidence": circuit.log_wmc(weights, evidence),
        "exact_rows": circuit.statistics.size,
    }


def run(options: argparse.Namespace) -> int:
    """Measure every case in a process of its own."""
    needed = (options.data / ARCHIVE, options.data / "ontologies" / "go.ofn.gz")
    if missing := [str(path) for path in needed if not path.exists()]:
        print(f"{', '.join(missing)}: absent, so nothing is measured", file=sys.stderr)
        return 0
    cases: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        direct = Path(folder) / "go.tsv"
        run_measured([sys.executable, "-m", "moose", "classify", str(needed[1]), "-o", str(direct)])
        for name in (*KNOWN, *WIDE) if not options.only else (options.only,):
            cases[name] = {}
            for kind in WEIGHTS:
                module = [sys.executable, "-m", "bench.bounds", "--case", name, kind]
                usage, text = run_measured([*module, "--data", str(options.data), "--direct", str(direct)])
                cases[name][kind] = {**json.loads(text), "peak_mb": usage.peak_mb}
                print(name, kind, json.dumps(cases[name][kind])[:300], flush=True)
    if not options.only:
        write_json(RESULTS, {"machine": describe_machine(), "cases": cases})
    return 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.bounds")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", metavar="NAME")
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--direct", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        name, kind = options.case
        print(json.dumps(measure(name, kind, options)))
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
