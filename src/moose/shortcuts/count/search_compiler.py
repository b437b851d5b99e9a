"""Compile clauses by a search: branch, propagate, fall apart, and write down what was done as a circuit.

The constraints of maps leave little choice: one branch often settles all the rest. Where that is so, the trace of a
search is a small circuit, made before a compiler has started. Where it is not, the search gives up, and the compiler is
asked. The two have nothing in common, so that each is a check of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from moose.base.graphs import component_of
from moose.base.unit_propagation import Clause, simplify_clauses
from moose.circuit.circuit import Circuit
from moose.circuit.compiled_theory import Statistics
from moose.circuit.diagram import Diagram
from moose.grounding.clauses import AtomKind, Clauses

MOST_WORK = 600_000
"""Clauses that are looked at, each as often as it is; a second or two."""


class TooHard(Exception):
    """It took too much work."""


def compile_by_search(clauses: Clauses) -> Circuit | None:
    """Make a circuit of clauses by a search, the auxiliary atoms quantified away; none if that takes too long.

    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> compile_by_search(clauses_from_lists([Atom(name, ("a",)) for name in "ABC"], [(1, 2)])).model_count()
    6
    """
    visible = [index for index, kind in enumerate(clauses.kinds.tolist()) if kind != AtomKind.AUXILIARY]
    search = _SearchTrace({index + 1: number for number, index in enumerate(visible)})
    try:
        root = search.node(list(clauses))
    except (TooHard, RecursionError):
        return None
    diagram = search.diagram(root)
    statistics = Statistics(
        atoms=len(visible),
        clauses=len(clauses),
        size=diagram.element_count,
        nodes=diagram.decision_count,
        seconds=0.0,
        vtree="none: traced",
    )
    return Circuit(clauses, tuple(clauses.atoms[index] for index in visible), diagram, statistics)


class _SearchTrace:
    """A diagram as it grows; groups of clauses that were met before are not searched again."""

    def __init__(self, numbers: dict[int, int]) -> None:
        self.numbers = numbers
        """The visible variables, and the atoms of the diagram that they are."""
        self.size = len(numbers)
        self.true, self.false = 2 * self.size, 2 * self.size + 1
        self.starts, self.primes, self.subs = [0], list[int](), list[int]()
        self.known: dict[frozenset[Clause], int] = {}
        self.work = 0

    def diagram(self, root: int) -> Diagram:
        """Return the whole."""
        primes, subs = np.array(self.primes, dtype=np.int32), np.array(self.subs, dtype=np.int32)
        return Diagram(self.size, np.array(self.starts, dtype=np.int64), primes, subs, root)

    def node(self, clauses: Iterable[Clause], without: int = 0) -> int:
        """Return the slot of clauses: what they settle, but for one literal, and each group that is left."""
        rows = list(clauses)
        self.work += len(rows)
        if self.work > MOST_WORK:
            raise TooHard
        settled = simplify_clauses(rows)
        if settled is None:
            return self.false
        holds, rest = settled
        slots = [
            self.numbers[abs(literal)] + (self.size if literal < 0 else 0)
            for literal in sorted(holds - {without})
            if abs(literal) in self.numbers
        ]
        for group in components(rest):
            slots.append(self.group(group))
            if slots[-1] == self.false:
                return self.false
        return self.product(slots)

    def group(self, group: Sequence[Clause]) -> int:
        """Return the slot of clauses that hang together: branch on the atom that most of them mention."""
        key = frozenset(group)
        if key not in self.known:
            uses = Counter(abs(literal) for clause in group for literal in clause)
            own = [atom for atom in uses if atom in self.numbers]
            chosen = max(own or uses, key=lambda atom: (uses[atom], -atom))
            if own:
                branches = ((literal, self.node([*group, (literal,)], literal)) for literal in (chosen, -chosen))
                self.known[key] = self.decision(chosen, dict(branches))
            else:  # whether there is a model is all there is to know
                has_model = any(self.node([*group, (literal,)]) == self.true for literal in (chosen, -chosen))
                self.known[key] = self.true if has_model else self.false
        return self.known[key]

    def decision(self, atom: int, branches: dict[int, int]) -> int:
        """Return the slot of: the atom and one branch, or not the atom and the other."""
        number = self.numbers[atom]
        elements = [
            (number if literal > 0 else self.size + number, slot)
            for literal, slot in branches.items()
            if slot != self.false
        ]
        return self.add(elements) if elements else self.false

    def product(self, slots: list[int]) -> int:
        """Return the slot of a conjunction, as low as can be."""
        slots = [slot for slot in slots if slot != self.true]
        while len(slots) > 1:
            pairs = zip(slots[::2], slots[1::2])
            last = slots[-1:] if len(slots) % 2 else []
            slots = [self.add([pair]) for pair in pairs] + last
        return slots[0] if slots else self.true

    def add(self, elements: Sequence[tuple[int, int]]) -> int:
        for prime, sub in elements:
            self.primes.append(prime)
            self.subs.append(sub)
        self.starts.append(len(self.primes))
        return 2 * self.size + len(self.starts)


def components(clauses: Sequence[Clause]) -> list[list[Clause]]:
    """Part clauses that share no atom.

    >>> components([(1, 2), (3, 4), (-2, 5)])
    [[(1, 2), (-2, 5)], [(3, 4)]]
    """
    component = component_of([abs(literal) for literal in clause] for clause in clauses)
    groups: dict[int, list[Clause]] = {}
    for clause in clauses:
        groups.setdefault(component[abs(clause[0])], []).append(clause)
    return list(groups.values())
