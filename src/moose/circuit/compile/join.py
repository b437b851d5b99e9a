"""Compile a theory bag by bag, children first, and put the circuits of the bags together along the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from moose.circuit.compile.decomposition import Decomposition
from moose.circuit.compile.interfaces import Interface
from moose.circuit.compile.templates import Attachment, BagProblem, BagSolution, BagSolver, TooManyClasses
from moose.circuit.diagram import Diagram
from moose.circuit.diagram_builder import Builder, Slots


@dataclass(frozen=True, eq=False)
class Assembly:
    """For each bag which solution it has and which children fill its holes."""

    solutions: list[BagSolution]
    solution_of: list[int]
    fillings: list[tuple[tuple[int, ...], ...]]
    """For each bag and each attachment of its problem the children attached there."""


Watch = Callable[[int, Assembly], None]
"""Called after each bag with its index and the assembly so far; raises to stop."""


def make_assembly(decomposition: Decomposition, solver: BagSolver, *, watch: Watch) -> Assembly:
    """Solve each different problem once."""
    interfaces: list[Interface] = []
    interface_numbers: dict[object, int] = {}
    known: dict[BagProblem, int] = {}
    solutions: list[BagSolution] = []
    interface_of: list[int] = []
    assembly = Assembly(solutions, [], [])
    waiting: list[list[int]] = [[] for _ in decomposition.bags]
    for index, (bag, content) in enumerate(zip(decomposition.bags, decomposition.contents)):
        groups: dict[Attachment, list[int]] = {}
        members = bag.members
        for child in waiting[index]:
            positions = tuple(members.index(individual) for individual in decomposition.bags[child].separator)
            groups.setdefault(Attachment(interface_of[child], positions), []).append(child)
        attachments = tuple(sorted(groups))
        problem = BagProblem(content, len(bag.own), attachments)
        if problem not in known:
            known[problem] = len(solutions)
            solutions.append(_solve(problem, interfaces, solver=solver, bag=index))
            key = solutions[-1].interface.key
            if key not in interface_numbers:
                interface_numbers[key] = len(interfaces)
                interfaces.append(solutions[-1].interface)
        number = known[problem]
        interface_of.append(interface_numbers[solutions[number].interface.key])
        assembly.solution_of.append(number)
        assembly.fillings.append(tuple(tuple(groups[attachment]) for attachment in attachments))
        if bag.separator:
            waiting[decomposition.parents[index]].append(index)
        watch(index, assembly)
    return assembly


def _solve(problem: BagProblem, interfaces: list[Interface], *, solver: BagSolver, bag: int) -> BagSolution:
    try:
        return solver.solve(problem, interfaces)
    except TooManyClasses:
        raise TooManyClasses(bag) from None


# ── Instantiation ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Joined:
    """A diagram, and its elements and decisions as PySDD would count them."""

    diagram: Diagram
    size: int
    nodes: int
    vtree: str
    """How it came about."""


def instantiate(decomposition: Decomposition, assembly: Assembly, *, positions: Slots, atom_count: int) -> Joined:
    """Put the circuits together.

    `positions` says which of the diagram's `atom_count` atoms each atom of the theory is.
    """
    builder = Builder(atom_count)
    literals = _literal_rows(decomposition, assembly, positions=positions, atom_count=atom_count)
    constants = np.array([2 * atom_count, 2 * atom_count + 1], dtype=np.int64)
    classes: list[Slots] = []
    roots: list[Slots] = []
    size = nodes = 0
    for bag, (number, fillings) in enumerate(zip(assembly.solution_of, assembly.fillings)):
        template = assembly.solutions[number].template
        before = builder.decisions
        holes = [builder.product([classes[child] for child in filling]) for filling in fillings]
        products = builder.decisions - before
        own = builder.next_slot + np.arange(template.decision_count)
        table = np.concatenate([literals[bag], constants, *holes, own])
        builder.add(np.diff(template.starts), table[template.primes], table[template.subs])
        classes.append(table[template.results])
        size, nodes = size + template.size + products, nodes + template.nodes + products
        if decomposition.parents[bag] < 0:
            roots.append(classes[-1])
    if any(len(root) == 0 for root in classes):
        return Joined(Builder(atom_count).diagram(2 * atom_count + 1), 0, 0, "structure")
    before = builder.decisions
    root = int(builder.product(roots)[0]) if roots else 2 * atom_count
    products = builder.decisions - before
    return Joined(builder.diagram(root), size + products, nodes + products, "structure")


def _literal_rows(
    decomposition: Decomposition, assembly: Assembly, *, positions: Slots, atom_count: int
) -> list[Slots]:
    """Return for each bag the slots of its atoms' literals, all bags of a template at once."""
    rows: list[Slots] = [np.zeros(0, dtype=np.int64)] * len(assembly.solution_of)
    numbers = np.array(assembly.solution_of, dtype=np.int64)
    order = np.argsort(numbers, kind="stable")
    bounds = np.searchsorted(numbers[order], np.arange(len(assembly.solutions) + 1))
    for number, solution in enumerate(assembly.solutions):
        bags = order[bounds[number] : bounds[number + 1]]
        if solution.codes:
            atoms = positions[decomposition.atoms_of(bags, solution.codes)]
            for bag, row in zip(bags.tolist(), np.concatenate([atoms, atoms + atom_count], axis=1)):
                rows[bag] = row
    return rows
