"""Compile clauses into a circuit: `compile_circuit`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from moose.circuit.circuit import Circuit, Statistics
from moose.circuit.diagram import Diagram
from moose.circuit.fragments import Fragment, plain_job
from moose.circuit.limits import Deadline, Limits
from moose.circuit.sdd import run_job
from moose.circuit.places import find_places
from moose.circuit.decomposition import decompose
from moose.circuit.join import Builder, make_plan, instantiate
from moose.circuit.templates import Solver
from moose.errors import MooseError
from moose.grounding.clauses import AtomKind, Clauses

VTREES = ("balanced", "linear", "structure")
Progress = Callable[[str, float], None]


def compile_circuit(
    clauses: Clauses,
    *,
    vtree: str = "structure",
    minimise: bool | None = None,
    limits: Limits = Limits(),
    cache: Path | bool | None = None,
    progress: Progress | None = None,
) -> Circuit:
    """Compile clauses into an exact circuit."""
    if vtree not in VTREES:
        raise MooseError(f"expected a vtree among {', '.join(VTREES)}, but got {vtree!r}")
    start = time.perf_counter()
    deadline = Deadline.begin(limits)
    run = lambda job: run_job(job, lambda share, size: deadline.check(f"{share:.0%} of the clauses", size))
    if vtree == "structure":
        diagram, size, nodes, name = _by_structure(clauses, run, minimise=minimise is not False)
    else:
        diagram, size, nodes, name = _at_once(clauses, run, vtree=vtree, minimise=bool(minimise))
    is_visible = clauses.kinds != AtomKind.AUXILIARY
    atoms = tuple(atom for atom, visible in zip(clauses.atoms, is_visible.tolist()) if visible)
    statistics = Statistics(
        atoms=len(atoms), clauses=len(clauses), size=size, nodes=nodes,
        seconds=time.perf_counter() - start, vtree=name,
    )
    return Circuit(clauses, atoms, diagram, statistics)


def _by_structure(clauses, run, *, minimise):
    is_visible = clauses.kinds != AtomKind.AUXILIARY
    positions = np.cumsum(is_visible) - 1
    count = int(is_visible.sum())
    if (np.diff(clauses.starts) == 0).any():
        return Builder(count).diagram(2 * count + 1), 0, 0, "structure"
    places = find_places(clauses)
    decomposition = decompose(places)
    solver = Solver(decomposition.coding, places.auxiliary, minimise, run)
    plan = make_plan(decomposition, solver, report=lambda a, b: None)
    diagram, size, nodes = instantiate(decomposition, plan, positions=positions, atom_count=count)
    return diagram, size, nodes, f"structure ({len(decomposition.bags)} bags, {len(plan.solutions)} templates)"


def _at_once(clauses, run, *, vtree, minimise):
    from dataclasses import replace
    is_visible = clauses.kinds != AtomKind.AUXILIARY
    quantified = np.flatnonzero(~is_visible).astype(np.int32) + 1
    job = plain_job(len(clauses.atoms), clauses.literals, clauses.starts, quantified=quantified)
    fragment = run(replace(job, shape=vtree, minimise=minimise))
    return _diagram(fragment, is_visible), fragment.size, fragment.count, vtree


def _diagram(fragment: Fragment, is_visible: np.ndarray) -> Diagram:
    functions = fragment.functions
    old, new = functions.variable_count, int(is_visible.sum())
    position = np.cumsum(is_visible) - 1
    decisions = np.arange(functions.decision_count)
    table = np.concatenate([position, position + new, [2 * new, 2 * new + 1], decisions + 2 * new + 2]).astype(np.int32)
    root = int(table[fragment.results[0]]) if len(fragment.results) else 2 * new + 1
    return Diagram(new, functions.starts, table[functions.primes], table[functions.subs], root)
