"""Two compilers as plain as can be: Shannon expansion of the table of all worlds, and PySDD clause by clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from moose.circuit.circuit import Circuit
from moose.circuit.compiled_theory import Statistics
from moose.circuit.diagram import Diagram
from moose.grounding.clauses import AtomKind, Clauses
from tests.circuit.brute_force import Worlds, worlds_of


class Builder:
    """A diagram that grows."""

    def __init__(self, atom_count: int) -> None:
        self.atom_count = atom_count
        self.decisions: list[list[tuple[int, int]]] = []

    def literal(self, atom: int, truth: bool) -> int:
        """Return the slot of a literal."""
        return atom if truth else self.atom_count + atom

    def constant(self, truth: bool) -> int:
        """Return the slot of ⊤ or ⊥."""
        return 2 * self.atom_count + (not truth)

    def decision(self, elements: Iterable[tuple[int, int]]) -> int:
        """Add a decision, without the elements that are false, and return its slot."""
        false = self.constant(False)
        kept = [(prime, sub) for prime, sub in elements if false not in (prime, sub)]
        if not kept:
            return false
        self.decisions.append(kept)
        return 2 * self.atom_count + 1 + len(self.decisions)

    def diagram(self, root: int) -> Diagram:
        """Lay the decisions out as arrays."""
        flat = [element for decision in self.decisions for element in decision]
        starts = np.zeros(len(self.decisions) + 1, dtype=np.int64)
        np.cumsum([len(decision) for decision in self.decisions], out=starts[1:])
        primes = np.array([prime for prime, _ in flat], dtype=np.int32)
        subs = np.array([sub for _, sub in flat], dtype=np.int32)
        return Diagram(self.atom_count, starts, primes, subs, root)


def shannon_diagram(worlds: Worlds) -> Diagram:
    """Decide the atoms in order, sharing equal tables and skipping an atom that makes no difference."""
    builder = Builder(len(worlds.atoms))
    known: dict[tuple[int, bytes], int] = {}

    def slot(table: np.typing.NDArray[np.bool_], atom: int) -> int:
        if table.all() or not table.any():
            return builder.constant(bool(table.all()))
        key = (atom, table.tobytes())
        if key not in known:
            off, on = slot(table[0], atom + 1), slot(table[1], atom + 1)
            branches = [(builder.literal(atom, True), on), (builder.literal(atom, False), off)]
            known[key] = on if on == off else builder.decision(branches)
        return known[key]

    return builder.diagram(slot(worlds.table, 0))


def sdd_diagram(clauses: Clauses) -> Diagram:
    """Conjoin the clauses one by one in PySDD over a balanced vtree, and forget the auxiliary atoms."""
    from pysdd.sdd import SddManager, Vtree

    manager = SddManager.from_vtree(Vtree(var_count=max(1, len(clauses.atoms)), vtree_type="balanced"))
    whole = manager.true()
    for clause in clauses:
        disjunction = manager.false()
        for literal in clause:
            disjunction = disjunction | manager.literal(literal)
        whole = whole & disjunction
    shown = [k for k, kind in enumerate(clauses.kinds.tolist()) if kind != AtomKind.AUXILIARY]
    for k in range(len(clauses.atoms)):
        if k not in shown:
            whole = manager.exists(k + 1, whole)
    place = {k + 1: position for position, k in enumerate(shown)}
    builder, slots = Builder(len(shown)), dict[int, int]()

    def slot(node: object) -> int:
        if node.is_true() or node.is_false():  # type: ignore[attr-defined]
            return builder.constant(node.is_true())  # type: ignore[attr-defined]
        if node.is_literal():  # type: ignore[attr-defined]
            return builder.literal(place[abs(node.literal)], node.literal > 0)  # type: ignore[attr-defined]
        if node.id not in slots:  # type: ignore[attr-defined]
            elements = [(slot(prime), slot(sub)) for prime, sub in node.elements()]  # type: ignore[attr-defined]
            slots[node.id] = builder.decision(elements)  # type: ignore[attr-defined]
        return slots[node.id]  # type: ignore[attr-defined]

    root = slot(whole)
    return builder.diagram(root)


def circuit_of(clauses: Clauses, diagram: Diagram | None = None) -> Circuit:
    """Dress a diagram (by default Shannon's) as a circuit."""
    worlds = worlds_of(clauses)
    diagram = diagram or shannon_diagram(worlds)
    size, nodes = diagram.element_count, diagram.decision_count
    statistics = Statistics(len(worlds.atoms), len(clauses), size, nodes, seconds=0.0, vtree="plain")
    return Circuit(clauses, worlds.atoms, diagram, statistics)


def both(clauses: Clauses) -> list[Diagram]:
    """Compile by both compilers."""
    return [shannon_diagram(worlds_of(clauses)), sdd_diagram(clauses)]


Compiler = Callable[[Clauses], Diagram]
