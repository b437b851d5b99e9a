"""Sizes of the circuits of the paper's regimes, beside the paper's table: `python -m bench.circuits`."""

from __future__ import annotations

import sys
from dataclasses import asdict

import moose
from bench.measure import Spread, describe_machine, write_json
from bench.table import RESULTS

PAPER = {  # its table of compiled circuits; "SDD nodes" there are elements
    "mnist1": (14, 117, 155),
    "mnist2": (30, 274, 1080),
    "mnist3": (32, 314, 1153),
    "pizzaA": (26, 103, 245),
    "pizzaB": (26, 107, 245),
    "pizzaC": (6, 10, 16),
}
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
    for regime, (atoms, clauses, size) in PAPER.items():
        regimes[regime] = {way: measure(regime, *options) for way, options in WAYS.items()}
        regimes[regime]["published"] = {"atoms": atoms, "clauses": clauses, "size": size}
        print(regime, *(row["size"] for row in regimes[regime].values()), file=sys.stderr)
    write_json(RESULTS / "circuits.json", {"machine": describe_machine(), "regimes": regimes})


if __name__ == "__main__":
    main()
