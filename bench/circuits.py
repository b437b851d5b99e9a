"""Sizes of the circuits of the paper's regimes, beside the paper's table: `python -m bench.circuits`."""

from __future__ import annotations

import sys
from dataclasses import asdict

import moose
from bench.measure import Spread, describe_machine, write_json
from bench.table import RESULTS
from moose.benchmark.report.model.paper import read_paper
from moose.grounding.task.regimes import REGIMES

WAYS = {"paper": ("paper", "balanced"), "default": ("full", "structure")}
REPETITIONS = 3


def measure(regime: str, encoding: str, vtree: str) -> dict[str, object]:
    """Compile a regime several times; return its counts and the seconds."""
    task = moose.regime(regime)
    found = [moose.compile_circuit(moose.ground(task, encoding=encoding), vtree=vtree) for _ in range(REPETITIONS)]
    statistics = found[0].statistics
    seconds = Spread.of([circuit.statistics.seconds for circuit in found])
    counts = {"atoms": statistics.atoms, "clauses": statistics.clauses, "size": statistics.size}
    return {**counts, "nodes": statistics.nodes, "models": str(found[0].model_count()), "seconds": asdict(seconds)}


def main() -> None:
    """Measure every regime in both ways and write the figures."""
    regimes = {}
    for regime in REGIMES:
        regimes[regime] = {way: measure(regime, *options) for way, options in WAYS.items()}
        if (paper := read_paper().circuit(regime)) is not None:  # what it calls SDD nodes are elements
            regimes[regime]["published"] = {"atoms": paper.atoms, "clauses": paper.clauses, "size": paper.nodes}
        print(regime, *(row["size"] for row in regimes[regime].values()), file=sys.stderr)
    write_json(RESULTS / "circuits.json", {"machine": describe_machine(), "regimes": regimes})


if __name__ == "__main__":
    main()
