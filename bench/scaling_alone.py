"""Measure one case of `bench.scaling` in a process of its own, and print it as JSON.

    python -m bench.scaling_alone pinned (chain | tree) INDIVIDUALS
    python -m bench.scaling_alone free INDIVIDUALS (balanced | structure | plain)

"plain" is the paper's way as it reads: a balanced vtree, one clause conjoined after another as they come.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from statistics import median

import numpy as np

from moose.base.errors import LimitReached
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Limits
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.grounding.task.task import Task

BATCH = 8
LAYER_SECONDS = 3.0  # to repeat the layer for
FREE_LIMIT = 300.0  # seconds for a diagram with free roles


def successors(shape: str, count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return the pairs of a chain, or of a random tree in which each individual follows one of those before it."""
    random = np.random.default_rng(seed)
    before = range(count - 1) if shape == "chain" else (int(random.integers(i)) for i in range(1, count))
    return [(f"i{first}", f"i{second}") for second, first in enumerate(before, 1)]


def digits_task(count: int, pairs: list[tuple[str, str]] | None) -> Task:
    """Return the task of so many digits with these successors; without any, the role is left open."""
    digits = regime("mnist2")
    individuals = [f"i{number}" for number in range(count)]
    observed = [*digits.observed, *([] if pairs is not None else ["succ"])]
    roles = None if pairs is None else {"succ": pairs}
    return Task(digits.ontology, individuals, observed, digits.latent, digits.families, roles)


def measure_pinned(shape: str, count: int) -> dict[str, float | str]:
    """Ground and compile with known roles; then time the layer, forwards and backwards."""
    task = digits_task(count, successors(shape, count))
    start = time.perf_counter()
    clauses = ground(task)
    grounded, cpu = time.perf_counter(), cpu_seconds()
    circuit = compile_circuit(clauses)
    compiled, cpu = time.perf_counter(), cpu_seconds() - cpu
    return {
        "atoms": len(clauses.atoms),
        "clauses": len(clauses),
        "size": circuit.statistics.size,
        "elements": circuit.diagram.element_count,
        "levels": levels(circuit),
        "vtree": circuit.statistics.vtree,
        "ground_seconds": grounded - start,
        "compile_seconds": compiled - grounded,
        "compile_cpu_seconds": cpu,
        "layer_seconds": median(layer_seconds(circuit)),
    }


def cpu_seconds() -> float:
    """Return the CPU time so far, of the worker process, too, once it has ended."""
    return sum(os.times()[:4])


def levels(circuit: Circuit) -> int:
    """Return how many decisions stand above each other at most."""
    diagram = circuit.diagram
    found = [0] * diagram.first_decision
    primes, subs = diagram.primes.tolist(), diagram.subs.tolist()
    for start, stop in pairwise(diagram.starts.tolist()):
        found.append(1 + max(map(found.__getitem__, primes[start:stop] + subs[start:stop])))
    return found[diagram.root]


def layer_seconds(circuit: Circuit) -> Iterator[float]:
    """Yield the seconds of forward and backward passes of a batch, one thread, after two that are not counted."""
    import torch

    from moose.layer.layer import WMCLayer

    torch.set_num_threads(1)
    layer = WMCLayer(circuit)
    generator = torch.Generator().manual_seed(0)
    probabilities = torch.rand(BATCH, len(circuit.atoms), generator=generator)
    log_weights = torch.cat([probabilities.log(), (1 - probabilities).log()], dim=1).requires_grad_()
    begin = time.perf_counter()
    for turn in range(200):
        start = time.perf_counter()
        layer(log_weights).sum().backward()
        if turn >= 2:
            yield time.perf_counter() - start
        if turn >= 4 and time.perf_counter() - begin > LAYER_SECONDS:
            return


def measure_free(count: int, way: str) -> dict[str, float | str]:
    """Compile the paper's clauses with all roles left open."""
    clauses = ground(digits_task(count, None), encoding="paper")
    about: dict[str, float | str] = {"atoms": len(clauses.atoms), "clauses": len(clauses)}
    if way == "plain":
        return about | one_by_one(clauses)
    try:
        statistics = compile_circuit(clauses, vtree=way, limits=Limits(seconds=FREE_LIMIT)).statistics
    except LimitReached as problem:
        return about | {"stopped": str(problem)}
    return about | {"size": statistics.size, "compile_seconds": statistics.seconds}


def one_by_one(clauses: Clauses) -> dict[str, float | str]:
    """Conjoin clause after clause on a balanced vtree."""
    from pysdd.sdd import SddManager, Vtree

    count = len(clauses.atoms)
    start = time.perf_counter()
    manager = SddManager.from_vtree(Vtree(count, list(range(1, count + 1)), "balanced"))
    theory = manager.true()
    for clause in clauses:
        disjunction = manager.false()
        for literal in clause:
            disjunction = manager.disjoin(disjunction, manager.literal(literal))
        theory = manager.conjoin(theory, disjunction)
    return {"size": theory.size(), "compile_seconds": time.perf_counter() - start}


def main() -> None:
    """Measure what the arguments say."""
    kind, *arguments = sys.argv[1:]
    if kind == "pinned":
        print(json.dumps(measure_pinned(arguments[0], int(arguments[1]))))
    else:
        print(json.dumps(measure_free(int(arguments[0]), arguments[1])))


if __name__ == "__main__":
    main()
