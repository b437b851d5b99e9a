"""Solve the problem of one bag: a circuit over its own atoms for each class of states of its separator.

The bag's children are seen through their interfaces only: which classes of states a child tells apart. Inside the bag a
class is a variable, true just where the state is in the class; outside it stands for what the children have below.
Children that tell apart the same classes of the same individuals need one set of such variables together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from moose.circuit.compile.decomposition import LAST, NEGATED, Coding
from moose.circuit.compile.interfaces import Interface, read_interface
from moose.circuit.sdd.jobs import Fragment, Functions, Job, concatenated, relabelled
from moose.circuit.sdd.simplify import Template, simplify
from moose.grounding.clauses import pack

RunJob = Callable[[Job], Fragment]


MOST_CLASSES = (
    256  # two digits side by side have about 120; a bag with many more is larger than the whole tree would be
)


class TooManyClasses(Exception):
    """A bag tells apart too many states of its separator: its tree should be compiled as one instead."""

    def __init__(self, bag: int) -> None:
        super().__init__(bag)
        self.bag = bag
        """Which bag; -1 as long as nobody has said."""


@dataclass(frozen=True, slots=True, order=True)
class Attachment:
    """Where a child is attached: its interface, and the positions in this bag of the child's separator."""

    interface: int
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BagProblem:
    """All that the circuits of a bag depend on, in local names: equal problems have equal solutions."""

    content: bytes
    """Its clauses, as a `Decomposition` writes them."""
    own_count: int
    attachments: tuple[Attachment, ...]
    """Each once, sorted: how many children are attached alike does not matter."""


@dataclass(frozen=True, eq=False)
class BagSolution:
    """The circuits of a bag, in local names, and the interface that its parent sees."""

    template: Template
    codes: list[int]
    """The code of each atom of the template."""
    interface: Interface


KnownBags = dict[Hashable, BagSolution]
"""Solutions by all that they depend on."""


@dataclass(frozen=True, eq=False)
class BagSolver:
    """What is the same for all bags of a theory."""

    coding: Coding
    quantified: frozenset[int]
    """The predicates to quantify away."""
    determined: frozenset[int]
    """The predicates not to be shown: the other atoms determine these."""
    minimise: bool
    run: RunJob
    known: KnownBags = field(default_factory=dict)
    """Bags that were solved before, of this theory or another."""

    def solve(self, problem: BagProblem, interfaces: Sequence[Interface]) -> BagSolution:
        """Return the circuits of a bag, those of an equal one if there is any."""
        attached = tuple((interfaces[one.interface].key, one.positions) for one in problem.attachments)
        predicates = self.quantified, self.determined
        key = (self.coding, predicates, self.minimise, problem.content, problem.own_count, attached)
        if key not in self.known:
            self.known[key] = self._solve(problem, interfaces)
        return self.known[key]

    def _solve(self, problem: BagProblem, interfaces: Sequence[Interface]) -> BagSolution:
        """Compile the diagram of a bag and read off its classes."""
        clauses = _clauses(problem.content)
        attached = [self._codes(attachment, interfaces) for attachment in problem.attachments]
        used = {abs(literal) - 1 for clause in clauses for literal in clause}.union(*attached)
        own, separator = self._ordered(used, problem.own_count)
        variables = {code: variable for variable, code in enumerate([*own, *separator], 1)}
        blocks = [
            relabelled(interfaces[attachment.interface].classes, [variables[code] for code in codes])
            for attachment, codes in zip(problem.attachments, attached)
        ]
        rows = [[variables[abs(c) - 1] * (1 if c > 0 else -1) for c in clause] for clause in clauses]
        hidden = [variables[code] for code in own if self.coding.decode(code)[0] in self.quantified]
        fragment = self.run(job := self._job(rows, blocks, own=own, separator_count=len(separator), quantified=hidden))
        if len(separator) and len(fragment.results) > MOST_CLASSES:
            raise TooManyClasses(-1)
        atoms = [self._within_separator(code, problem.own_count) for code in separator]
        order, interface = read_interface(fragment, atoms, first=len(own) + 1)
        template = simplify(fragment, job, order=order)
        return BagSolution(template, own, interface)

    def _codes(self, attachment: Attachment, interfaces: Sequence[Interface]) -> list[int]:
        """Return the codes, in this bag, of the atoms of a child's interface."""
        positions = (*attachment.positions, -1)  # so that position -1, none, stays -1
        return [
            self.coding.encode(predicate, positions[first], positions[second])
            for predicate, first, second in interfaces[attachment.interface].atoms
        ]

    def _ordered(self, codes: set[int], own_count: int) -> tuple[list[int], list[int]]:
        """Sort atoms by their individuals, concepts before roles, into those of the bag and those of the separator.

        A quantified atom belongs to the bag, whoever it speaks of: all its clauses are here.
        """

        def key(code: int) -> tuple[bool, int, int, int]:
            predicate, first, second = self.coding.decode(code)
            return second >= 0, first, second, predicate

        own: list[int] = []
        separator: list[int] = []
        for code in sorted(codes, key=key):
            predicate, first, second = self.coding.decode(code)
            is_own = first < own_count or 0 <= second < own_count or predicate in self.quantified
            (own if is_own else separator).append(code)
        return own, separator

    def _cluster(self, code: int) -> int:
        _, first, second = self.coding.decode(code)
        return first if second in {-1, first} else -1 - max(first, second)

    def _within_separator(self, code: int, own_count: int) -> tuple[int, int, int]:
        predicate, first, second = self.coding.decode(code)
        return predicate, first - own_count, second - own_count if second >= 0 else -1

    def _job(
        self,
        rows: list[list[int]],
        blocks: list[Functions],
        *,
        own: list[int],
        separator_count: int,
        quantified: list[int],
    ) -> Job:
        literals, starts = pack(rows)
        named = len(own) + separator_count
        classes = [len(block.roots) for block in blocks]
        total = named + sum(classes)
        return Job(
            variable_count=total,
            separator=np.arange(len(own) + 1, named + 1, dtype=np.int32),
            literals=literals,
            starts=starts,
            quantified=np.array(quantified, np.int32),
            blocks=concatenated(blocks, total),
            block_starts=np.concatenate([[0], np.cumsum(classes, dtype=np.int64)]).astype(np.int64),
            names=np.arange(named + 1, total + 1, dtype=np.int32),
            silent=np.array([self.coding.decode(code)[0] in self.determined for code in own], bool),
            clusters=np.array([self._cluster(code) for code in own], np.int32),
            shape="best" if self.minimise else "linear",
            minimise=self.minimise,
        )


def _clauses(content: bytes) -> list[tuple[int, ...]]:
    """Read a bag's clauses: literals as in DIMACS, where variable k + 1 is the atom with code k. Each clause once."""
    clauses: dict[tuple[int, ...], None] = {}
    clause: list[int] = []
    for code in np.frombuffer(content, dtype=np.int64).tolist():
        variable = (code >> 2) + 1
        clause.append(-variable if code & NEGATED else variable)
        if code & LAST:
            clauses[tuple(clause)] = None
            clause = []
    return list(clauses)
