"""Layers and batches for the tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np
import torch
from torch import Tensor

from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from moose.grounding.ground import ground
from moose.grounding.task.regimes import regime
from moose.layer.layer import WMCLayer
from tests.circuit.brute_force import Pair
from tests.circuit.plain_compiler import circuit_of


def atoms(count: int) -> list[Atom]:
    return [Atom(f"A{number}", ("a",)) for number in range(count)]


def layers(clauses: Clauses, diagram: Diagram | None = None) -> list[WMCLayer]:
    """Return the same circuit in both executors, and in the fused one as if it were a large circuit."""
    circuit = circuit_of(clauses, diagram)
    fused, plain, large = (WMCLayer(circuit, executor=name) for name in ("fused", "torch", "fused"))
    large.fused.is_large = True
    return [fused, plain, large]


def pair_layers(clauses: Iterable[Sequence[int]], count: int) -> list[WMCLayer]:
    return layers(clauses_from_lists(atoms(count), clauses))


def mnist(name: str = "mnist1") -> Circuit:
    return compile_circuit(ground(regime(name), encoding="paper"), vtree="balanced")


def logarithm(number: Fraction) -> float:
    return -math.inf if number == 0 else math.log(number.numerator) - math.log(number.denominator)


def log_weights(rows: Sequence[Sequence[Pair]], kind: torch.dtype = torch.float64) -> Tensor:
    """Return weights as the layer takes them."""
    sides = [[logarithm(pair[side]) for side in (0, 1) for pair in row] for row in rows]
    return torch.tensor(sides, dtype=kind).reshape(len(rows), -1)


def mask(rows: Sequence[Mapping[int, bool]], count: int) -> Tensor:
    result = np.zeros((len(rows), count), dtype=np.int8)
    for row, observed in enumerate(rows):
        for position, truth in observed.items():
            result[row, position] = 1 if truth else -1
    return torch.from_numpy(result)


def random_log_weights(batch: int, count: int, *, seed: int, spread: float = 1.0) -> Tensor:
    """Draw weights that are not normalised."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(batch, 2 * count, dtype=torch.float64, generator=generator) * spread


def chain_circuit(length: int) -> Circuit:
    """Return X0 → X1 → … as one decision on top of the other: as many levels as atoms."""
    starts, primes, subs = [0], list[int](), list[int]()
    first = 2 * length + 2

    def decide(*elements: tuple[int, int]) -> int:
        primes.extend(prime for prime, _ in elements)
        subs.extend(sub for _, sub in elements)
        starts.append(len(primes))
        return first + len(starts) - 2

    # From the last atom: what follows if the atom before holds (all hold), and what follows if it does not.
    if_true, if_false = length - 1, 2 * length
    for atom in range(length - 2, -1, -1):
        if_false = decide((atom, if_true), (length + atom, if_false))
        if_true = decide((atom, if_true))
    names = [Atom("X", (str(number),)) for number in range(length)]
    clauses = clauses_from_lists(names, [(-k - 1, k + 2) for k in range(length - 1)])
    diagram = Diagram(length, np.array(starts), np.array(primes, np.int32), np.array(subs, np.int32), if_false)
    statistics = compile_circuit(clauses_from_lists(names[:1], [])).statistics
    return Circuit(clauses, tuple(names), diagram, statistics)
