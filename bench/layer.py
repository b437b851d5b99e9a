"""The layer beside KLay and beside one torch operation per node: `python -m bench.layer`.

One thread, float32, log weights in, log WMC and its derivative out. All run the same balanced SDD of the paper's
encoding with free roles. They take turns in blocks; a block starts with calls that do not count. CPU time is measured,
which suffers less from neighbours than wall time. What KLay needs of exp and log to do this job in its real semiring is
counted. Writes `bench/results/layer.json`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version

import klay
import torch
from pysdd.sdd import SddManager, SddNode, Vtree
from torch import Tensor

from bench.measure import Spread, describe_machine, write_json
from bench.table import RESULTS
from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.layer.layer import WMCLayer

Function = Callable[[Tensor], Tensor]
Decisions = Sequence[tuple[int, Sequence[tuple[int, int]]]]

REGIMES = ("mnist2", "mnist3")
BATCHES = (1, 32, 256)
REPETITIONS = 15
BLOCK_SECONDS = 0.03
AIMS = {"klay": {1: 1.0, 32: 8.0, 256: 8.0}, "per node": {32: 80.0}}
"""How many times faster we mean to be, by batch size."""


def main() -> int:
    """Measure, write, print; fail if an aim is missed."""
    torch.set_num_threads(1)
    content: dict[str, object] = {
        "machine": describe_machine(),
        "versions": {name: version(name) for name in ("torch", "numba", "klaycircuits", "PySDD")},
        "settings": {"repetitions": REPETITIONS, "block_seconds": BLOCK_SECONDS, "unit": "microseconds per call"},
    }
    results: dict[str, object] = {}
    missed = list[str]()
    for name in REGIMES:
        results[name] = measure_regime(name, missed)
    write_json(RESULTS / "layer.json", content | {"regimes": results, "missed": missed})
    print("missed: " + "; ".join(missed) if missed else "every aim is reached")
    return 1 if missed else 0


def measure_regime(name: str, missed: list[str]) -> dict[str, object]:
    """Measure one circuit at all batch sizes."""
    clauses = replace(ground(regime(name), encoding="paper"), given=())
    circuit = compile_circuit(clauses, vtree="balanced")
    smaller = compile_circuit(clauses)
    theory = balanced_sdd(clauses)
    functions = our_functions(circuit, smaller) | klay_functions(theory, len(clauses.atoms)) | node_functions(theory)
    batches = dict[str, object]()
    for batch in BATCHES:
        weights = normalised_log_weights(batch, len(clauses.atoms), seed=batch)
        worst = check_agreement(functions, weights)
        times = measure(functions, weights)
        ratios = compare(times)
        for peer, aims in AIMS.items():
            if ratios[peer].middle < aims.get(batch, 0.0):
                missed.append(f"{name}, batch {batch}: {ratios[peer].middle:.1f} times {peer}, not {aims[batch]:.0f}")
        batches[str(batch)] = {
            "microseconds": {label: asdict(Spread.of(values)) for label, values in times.items()},
            "times_faster": {peer: asdict(ratio) for peer, ratio in ratios.items()},
            "largest_difference": worst,
        }
        print_rows(f"{name}, batch {batch}", times, ratios)
    sizes = {label: made.diagram.element_count for label, made in (("balanced", circuit), ("default", smaller))}
    return {"atoms": len(circuit.atoms), "clauses": len(clauses), "elements": sizes, "batches": batches}


def compare(times: Mapping[str, list[float]]) -> dict[str, Spread]:
    """Return how many times faster we are, repetition by repetition, than KLay's fastest mode and than each other."""
    klay = min((label for label in times if label.startswith("klay")), key=lambda label: Spread.of(times[label]).middle)
    peers = {"klay": klay} | {label: label for label in times if label.startswith("per node")}
    return {
        peer: Spread.of([theirs / ours for theirs, ours in zip(times[label], times["moose"])])
        for peer, label in peers.items()
    }


def print_rows(title: str, times: Mapping[str, list[float]], ratios: Mapping[str, Spread]) -> None:
    """Print what was measured for one batch size."""
    print(f"{title}: " + ", ".join(f"{ratio.middle:.1f} times faster than {peer}" for peer, ratio in ratios.items()))
    for label, values in times.items():
        print(f"  {label:32} {Spread.of(values)} μs")


# ------------------------------------------------------------------------------------------------------ competitors


def our_functions(circuit: Circuit, smaller: Circuit) -> dict[str, Function]:
    """Return the layer on the shared circuit, in both executors, and on the circuit that we would use."""
    return {
        "moose": WMCLayer(circuit),
        "moose, torch executor": WMCLayer(circuit, executor="torch"),
        "moose, default circuit": WMCLayer(smaller),
    }


def balanced_sdd(clauses: Clauses) -> SddNode:
    """Compile the clauses by PySDD alone, as the other sides would."""
    manager = SddManager.from_vtree(Vtree(var_count=len(clauses.atoms), vtree_type="balanced"))
    theory = manager.true()
    for clause in clauses:
        disjunction = manager.false()
        for literal in clause:
            disjunction = disjunction | manager.literal(literal)
        theory = theory & disjunction
    return theory


def klay_functions(theory: SddNode, atoms: int) -> dict[str, Function]:
    """Return KLay in both semirings, with and without torch.compile, which is what it does by default."""
    torch._dynamo.reset()  # or the modules of an earlier circuit would use up the limit on recompilations
    functions = dict[str, Function]()
    for is_compiled in (False, True):
        for semiring in ("log", "real"):
            built = klay.Circuit()
            built.add_sdd(theory)
            module = built.to_torch_module(semiring=semiring, compile=is_compiled)
            label = f"klay, {semiring}" + (", compiled" if is_compiled else "")
            functions[label] = klay_function(module, semiring, atoms)
    return functions


def klay_function(module: Function, semiring: str, atoms: int) -> Function:
    """Return a function from log weights to log WMC; batches go in as matrices, which is fastest."""
    call: Callable[..., Tensor] = module
    if semiring == "log":
        return lambda weights: call(weights[:, :atoms], weights[:, atoms:])[:, 0]

    def real(weights: Tensor) -> Tensor:
        probabilities = weights.exp()
        return call(probabilities[:, :atoms], probabilities[:, atoms:])[:, 0].log()

    return real


def node_functions(theory: SddNode) -> dict[str, Function]:
    """Return the plainest evaluations, torch operations for every node of the SDD by itself.

    `per node` is the paper's recursion (eq:sdd-wmc) as it stands: 0 and 1 at the constants, p and 1 - p at literals,
    the sum over all elements of prime times sub at decisions. `per node, trimmed` leaves out what is false, as we do.
    """
    nodes = list[SddNode]()
    visit(theory, set(), nodes)
    false = next(node.id for node in nodes if node.is_false())
    whole = [(node.id, [(prime.id, sub.id) for prime, sub in node.elements()]) for node in nodes if node.is_decision()]
    trimmed = [(slot, [pair for pair in elements if false not in pair]) for slot, elements in whole]
    leaves = {node.id: node.literal for node in nodes if node.is_literal()}
    true = {node.id for node in nodes if node.is_true()}
    return {
        "per node": lambda weights: count_nodes(whole, leaves, {false}, true, weights),
        "per node, trimmed": lambda weights: count_nodes(trimmed, leaves, {false}, true, weights),
    }


def visit(node: SddNode, seen: set[int], nodes: list[SddNode]) -> None:
    """List the nodes below a node and itself, those it needs before it."""
    if node.id not in seen:
        seen.add(node.id)
        for element in node.elements() if node.is_decision() else ():
            for child in element:
                visit(child, seen, nodes)
        nodes.append(node)


def count_nodes(
    decisions: Decisions, literals: Mapping[int, int], false: set[int], true: set[int], weights: Tensor
) -> Tensor:
    """Evaluate node after node, in real numbers."""
    columns = weights.exp().unbind(1)
    atoms = len(columns) // 2
    values = {node: columns[k - 1 if k > 0 else atoms - k - 1] for node, k in literals.items()}
    values |= {node: torch.zeros(len(weights)) for node in false} | {node: torch.ones(len(weights)) for node in true}
    for node, elements in decisions:
        first, *others = elements
        total = values[first[0]] * values[first[1]]
        for prime, sub in others:
            total = total + values[prime] * values[sub]
        values[node] = total
    return values[decisions[-1][0]].log()


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


def check_agreement(functions: Mapping[str, Function], weights: Tensor) -> float:
    """Return the largest difference from the torch executor in float64, over values and derivatives."""
    exact = values_and_slopes(functions["moose, torch executor"], weights.detach().double())
    worst = 0.0
    for label, function in functions.items():
        for got, want in zip(values_and_slopes(function, weights.detach()), exact):
            difference = float((got - want).abs().max())
            worst = max(worst, difference)
            if not difference < 1e-4 * (1 + float(want.abs().max())):
                raise MooseError(f"{label} differs by {difference} from the exact result at batch {len(weights)}")
    return worst


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
