"""The layer beside KLay, one torch operation per node, and max-propagation: `python -m bench.layer`.

One thread, float32, log weights in, log WMC and its derivative out. KLay runs the same circuit: for the paper's regimes
its own reading of the balanced SDD (the paper's encoding with free roles), for parts of the Gene Ontology our circuit
by tables, node by node. Max-propagation is what hierarchical classifiers do instead of counting (each class the maximum
of its descendants, as C-HMCNN and DeepGO have it): dense over all pairs of classes, as they write it, and over the
pairs that there are. All take turns in blocks; a block starts with calls that do not count. CPU time is measured, which
suffers less from neighbours than wall time. What KLay needs of exp and log to do this job in its real semiring is
counted; where that semiring underflows, it is not compared with. Writes `bench/results/layer.json`.

    python -m bench.layer [--data ../shared/data] [--only NAME]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path

import torch
from torch import Tensor

from bench.large_theories import hierarchy, hierarchy_task
from bench.layer_peers import (
    Function,
    balanced_sdd,
    klay_functions,
    klay_of_diagram,
    klay_of_sdd,
    node_functions,
    propagation_functions,
)
from bench.measure import Spread, describe_machine, run_measured, write_json
from bench.table import RESULTS
from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.layer.layer import WMCLayer

REGIMES = ("mnist2", "mnist3")
HIERARCHIES = ("MF 300", "MF 1000")
BATCHES = (1, 32, 256)
LARGEST_DENSE = 32
"""Examples for which max-propagation is measured: batch × classes × classes numbers, twice, is all memory beyond."""
REPETITIONS = 15
BLOCK_SECONDS = 0.03
AIMS = {
    ("moose", "klay"): {1: 8.0, 32: 8.0, 256: 8.0},
    ("moose, torch executor", "klay"): {1: 1.0, 32: 1.0, 256: 1.0},
    ("moose", "per node"): {32: 80.0},
    ("moose", "max-propagation"): {32: 1.0},
}
"""How many times faster we mean to be than a peer, by batch size."""


def main() -> int:
    """Measure, write, print; fail if an aim is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.layer")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", metavar="NAME")
    options = parser.parse_args()
    torch.set_num_threads(1)
    content: dict[str, object] = {
        "machine": describe_machine(),
        "versions": {name: version(name) for name in ("torch", "numba", "klaycircuits", "PySDD")},
        "settings": {"repetitions": REPETITIONS, "block_seconds": BLOCK_SECONDS, "unit": "microseconds per call"},
    }
    results: dict[str, object] = {}
    missed = list[str]()
    for name in REGIMES:
        if options.only in (None, name):
            results[name] = measure_regime(name, missed)
    with tempfile.TemporaryDirectory() as folder:
        direct, ontology = Path(folder) / "go.tsv", options.data / "ontologies" / "go.ofn.gz"
        if not ontology.exists():
            print(f"{ontology} is absent: no hierarchies", file=sys.stderr)
        elif options.only not in REGIMES:
            run_measured([sys.executable, "-m", "moose", "classify", str(ontology), "-o", str(direct)])
            for name in HIERARCHIES:
                if options.only in (None, name):
                    results[name] = measure_hierarchy(name, direct, missed)
    if options.only is None:
        write_json(RESULTS / "layer.json", content | {"regimes": results, "missed": missed})
    print("missed: " + "; ".join(missed) if missed else "every aim is reached")
    return 1 if missed else 0


def measure_regime(name: str, missed: list[str]) -> dict[str, object]:
    """Measure one circuit of the paper at all batch sizes."""
    clauses = replace(ground(regime(name), encoding="paper"), given=())
    circuit = compile_circuit(clauses, vtree="balanced")
    smaller = compile_circuit(clauses)
    theory = balanced_sdd(clauses)
    peers = klay_functions(klay_of_sdd(theory), len(clauses.atoms), modes=(False, True)) | node_functions(theory)
    functions = our_functions(circuit) | {"moose, default circuit": WMCLayer(smaller)} | peers
    sizes = {label: made.diagram.element_count for label, made in (("balanced", circuit), ("default", smaller))}
    batches = measure_batches(name, functions, len(circuit.atoms), missed)
    return {"atoms": len(circuit.atoms), "clauses": len(clauses), "elements": sizes, "batches": batches}


def measure_hierarchy(name: str, direct: Path, missed: list[str]) -> dict[str, object]:
    """Measure the circuit of a part of the Gene Ontology at all batch sizes.

    KLay is not compiled there: torch.compile takes minutes for its hundred and more layers.
    """
    pairs = hierarchy(name, direct)
    clauses = ground(hierarchy_task(pairs))
    circuit = compile_circuit(clauses)
    peers = klay_functions(klay_of_diagram(circuit.diagram), len(circuit.atoms), modes=(False,))
    functions = our_functions(circuit) | peers | propagation_functions(circuit, pairs)
    batches = measure_batches(name, functions, len(circuit.atoms), missed)
    sizes = {"default": circuit.diagram.element_count}
    return {"atoms": len(circuit.atoms), "clauses": len(clauses), "elements": sizes, "batches": batches}


def measure_batches(name: str, functions: dict[str, Function], atoms: int, missed: list[str]) -> dict[str, object]:
    """Measure some functions at all batch sizes."""
    batches = dict[str, object]()
    for batch in BATCHES:
        weights = normalised_log_weights(batch, atoms, seed=batch)
        worst, failed = check_agreement(functions, weights)
        left_out = [*failed, *(label for label in functions if label.startswith("max") and batch > LARGEST_DENSE)]
        times = measure({label: one for label, one in functions.items() if label not in left_out}, weights)
        ratios = compare(times)
        for (ours, peer), aims in AIMS.items():
            ratio, aim = ratios.get(f"{ours} / {peer}"), aims.get(batch)
            if ratio is not None and aim is not None and ratio.middle < aim:
                missed.append(f"{name}, batch {batch}: {ours} {ratio.middle:.2f} times {peer}, not {aim:g}")
        batches[str(batch)] = {
            "microseconds": {label: asdict(Spread.of(values)) for label, values in times.items()},
            "times_faster": {pair: asdict(ratio) for pair, ratio in ratios.items()},
            "largest_difference": worst,
            "underflows": failed,
        }
        print_rows(f"{name}, batch {batch}", times, ratios)
    return batches


def compare(times: Mapping[str, list[float]]) -> dict[str, Spread]:
    """Return how many times faster we are, repetition by repetition, than KLay's fastest mode and than the others."""
    klay = min((label for label in times if label.startswith("klay")), key=lambda label: Spread.of(times[label]).middle)
    others = {label: label for label in times if not label.startswith(("klay", "moose"))}
    return {
        f"{ours} / {peer}": Spread.of([theirs / mine for theirs, mine in zip(times[label], times[ours])])
        for ours in ("moose", "moose, torch executor")
        for peer, label in ({"klay": klay} | others).items()
    }


def print_rows(title: str, times: Mapping[str, list[float]], ratios: Mapping[str, Spread]) -> None:
    """Print what was measured for one batch size."""
    print(f"{title}: " + ", ".join(f"{pair} {ratio.middle:.1f}" for pair, ratio in ratios.items()))
    for label, values in times.items():
        print(f"  {label:32} {Spread.of(values)} μs", flush=True)


def our_functions(circuit: Circuit) -> dict[str, Function]:
    """Return the layer in both executors."""
    return {"moose": WMCLayer(circuit), "moose, torch executor": WMCLayer(circuit, executor="torch")}


# -------------------------------------------------------------------------------------------------------- measuring


def normalised_log_weights(batch: int, atoms: int, *, seed: int) -> Tensor:
    """Draw what a network would give: log p and log(1 - p)."""
    logits = 2 * torch.randn(batch, atoms, generator=torch.Generator().manual_seed(seed))
    sides = [torch.nn.functional.logsigmoid(logits), torch.nn.functional.logsigmoid(-logits)]
    return torch.cat(sides, 1).requires_grad_()


def forward_backward(function: Function, weights: Tensor, slope: Tensor) -> tuple[Tensor, Tensor]:
    """Return log WMC and its derivative by the weights."""
    logs = function(weights)
    return logs, torch.autograd.grad(logs, weights, slope)[0]


def check_agreement(functions: Mapping[str, Function], weights: Tensor) -> tuple[float, list[str]]:
    """Return the largest difference from the torch executor in float64, and who underflows.

    Values and derivatives are compared. Max-propagation counts nothing, so that there is nothing to compare.
    """
    exact = values_and_slopes(functions["moose, torch executor"], weights.detach().double())
    worst, failed = 0.0, list[str]()
    for label, function in functions.items():
        if label.startswith("max"):
            continue
        found = values_and_slopes(function, weights.detach())
        if label.startswith("klay") and not found[0].isfinite().all():
            failed.append(label)
            continue
        for got, want in zip(found, exact):
            difference = float((got - want).abs().max())
            worst = max(worst, difference)
            if not difference < 1e-4 * (1 + float(want.abs().max())):
                raise MooseError(f"{label} differs by {difference} from the exact result at batch {len(weights)}")
    return worst, failed


def values_and_slopes(function: Function, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return log WMC and its derivative by logits.

    The derivative by log weights differs where an atom is not mentioned: only we count both its weights there. While
    they sum to 1, as here, that makes no difference to what a network gets to see.
    """
    logs, slopes = forward_backward(function, weights.requires_grad_(), torch.ones(len(weights), dtype=weights.dtype))
    positive, negative = slopes.chunk(2, 1)
    probabilities = weights.detach().exp().chunk(2, 1)
    return logs.detach(), positive * probabilities[1] - negative * probabilities[0]


def measure(functions: Mapping[str, Function], weights: Tensor) -> dict[str, list[float]]:
    """Return microseconds per forward and backward pass of each function, measured in turns."""
    slope = torch.ones(len(weights))
    times: dict[str, list[float]] = {label: [] for label in functions}
    for _ in range(REPETITIONS):
        for label, function in functions.items():
            times[label].append(1e6 * seconds_per_call(function, weights, slope))
    return times


def seconds_per_call(function: Function, weights: Tensor, slope: Tensor) -> float:
    """Time a block of calls, after a few that bring code and memory into the caches."""
    start = time.process_time()
    for _ in range(5):
        forward_backward(function, weights, slope)
    calls = max(3, int(BLOCK_SECONDS / max(1e-6, (time.process_time() - start) / 5)))
    start = time.process_time()
    for _ in range(calls):
        forward_backward(function, weights, slope)
    return (time.process_time() - start) / calls


def layer_seconds(circuit: Circuit, *, batch: int = 1, repetitions: int = 5) -> Spread:
    """Return CPU seconds per forward and backward pass of the layer on any circuit, for `bench.scaling`."""
    layer = WMCLayer(circuit)
    weights = normalised_log_weights(batch, len(circuit.atoms), seed=0)
    slope = torch.ones(batch)
    forward_backward(layer, weights, slope)
    times = list[float]()
    for _ in range(repetitions):
        start = time.process_time()
        forward_backward(layer, weights, slope)
        times.append(time.process_time() - start)
    return Spread.of(times)


if __name__ == "__main__":
    sys.exit(main())
