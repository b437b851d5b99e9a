"""Compile clauses into bounds: `compile_bounds`."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from moose.base.errors import MooseError
from moose.base.memory import resident_megabytes
from moose.circuit import question
from moose.circuit.bounds.beliefs import Beliefs
from moose.circuit.bounds.bounds import Bounds
from moose.circuit.bounds.interval import Interval, Stage
from moose.circuit.bounds.relaxation import Problem, make_problem, relax
from moose.circuit.bounds.restriction import restricted
from moose.circuit.bounds.rounding import log_count, roundings
from moose.circuit.bounds.search import Estimates, Found, Kept, KeptBag, Search
from moose.circuit.bounds.table_values import Logs, value_logs
from moose.circuit.bounds.write_bounds import write_bound
from moose.circuit.circuit import Circuit
from moose.circuit.compiled_theory import Statistics, visible_atoms
from moose.circuit.diagram_builder import Builder, Slots
from moose.circuit.inference.weights import LiteralWeights, Weights
from moose.circuit.limits import Deadline, Limits, checked_limits
from moose.circuit.tables.compile_tables import order_of
from moose.circuit.tables.rows import TooManyRows
from moose.circuit.tables.theory import NotDetermined, Theory, make_theory
from moose.circuit.tables.to_diagram import Written, literal_slot
from moose.grounding.clauses import AtomKind, Clauses
from moose.grounding.evidence import Evidence

Progress = Callable[[str, float], None]

ENOUGH = Limits(size=1_000_000)
"""Rows: some seconds, some hundred megabytes."""
FIRST_ROWS, MORE_ROWS = 4096, 16
"""Of one relaxed table at first, if there are many, and how many times more the next time."""
FEW = 1000
"""Of n variables, n² / FEW rows are allowed at first, where that is less: what is small is soon done again."""
FIRST_SHARE, SMALLER_SHARE = 1e-3, 32
"""The share of the weight from which a state is kept at first, and how many times less the next time."""
SMALLEST_SHARE = 1e-30
"""Below, shares are lost in rounding."""
FIXED_SHARES = (1e-6, 1e-2, 0.5)
"""The same where forgotten variables are fixed: what is left has few states, most of which are worth keeping; where
there are too many after all, fewer and fewer of them."""
WIDE = 100_000
"""Of all separators together: where they have more variables, the fewest states are looked at first, for they take long
enough."""
SEARCHING = 0.75
"""The share of the time for finding bounds; the rest is for writing their circuits."""
CLOSE = 1e-9
"""A gap of log WMC that is not worth narrowing: it is near to what rounding takes."""


def compile_bounds(
    clauses: Clauses,
    *,
    evidence: Evidence | None = None,
    weights: Weights | None = None,
    limits: Limits = ENOUGH,
    progress: Progress | None = None,
) -> Bounds:
    """Compile clauses into two circuits that enclose the theory, however wide it is.

    The bounds hold for any weights, and are tightened for those that are told here. Evidence that is told here is
    given from then on: the theory is simplified by it, and it counts in every question besides the evidence there; told
    none, the bounds hold for any. They are tightened as long as `limits` allow, which are never an error: `size` is the
    most rows, `seconds` and `megabytes` when to stop looking for better ones. `progress` is called with a message,
    which says how far the bounds are apart, and the share that is done.

    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> theory = clauses_from_lists([Atom("Even", ("a",)), Atom("Odd", ("a",))], [(1, 2), (-1, -2)])
    >>> compile_bounds(theory).log_wmc(evidence={"Even(a)": True}).gap < 1e-12
    True
    """
    given: object = clauses
    if not isinstance(given, Clauses):
        raise MooseError(f"expected clauses, but got {given!r}; make them of a task with moose.ground")
    deadline = Deadline.begin(checked_limits(limits), clauses)
    tell = progress or say_nothing
    everything = CircuitWriter(clauses, deadline).constant(is_true=True)
    asked = question.ask(everything, evidence, weights)
    writer = CircuitWriter(replace(clauses, given=tuple(question.as_literals(everything, asked.known))), deadline)
    try:
        theory = make_theory(clauses, writer.clauses.given)
    except NotDetermined as error:
        raise MooseError(f"{error}; bounds need such, so compile it with the vtree structure") from None
    if theory is None:
        nothing = writer.constant(is_true=False)
        return Bounds(nothing, nothing, (Stage(0, deadline.elapsed, Interval(-np.inf, -np.inf)),))
    coarse = Coarse(writer.facts(theory), writer.constant(is_true=False))
    best = Best(coarse, Stage(0, deadline.elapsed, Interval(-math.inf, log_most(coarse.upper, asked.weights))))
    watch = Watch.begin(deadline)
    try:
        tell("finding an elimination order", 0.0)
        best.problem = make_problem(theory, order_of(theory, watch=watch.time), watch.time)
        values = value_logs(theory, asked.weights, writer.positions)
        for found in tighten(best.problem, values, watch):
            best.take(found)
            tell(f"{best.stages[-1]}", 0.9 * share_done(best.stages[-1], limits))
    except LimitMet:
        tell(f"{best.stages[-1]}", 0.9)
    tell("writing the circuits", 0.9)
    return best.bounds(writer)


def log_most(circuit: Circuit, weights: LiteralWeights) -> float:
    """Return an upper bound of log WMC of a circuit."""
    return log_count(circuit.diagram, weights, roundings(circuit.diagram)).most


def say_nothing(message: str, share: float) -> None:
    """Be silent: the default."""


def share_done(stage: Stage, limits: Limits) -> float:
    """Return how much of the nearest limit is used up."""
    shares = [
        stage.rows / limits.size if limits.size else 0.0,
        stage.seconds / limits.seconds if limits.seconds else 0.0,
    ]
    return min(1.0, max(shares))


class LimitMet(Exception):
    """There is no time, or no memory, for better bounds."""


class RowsMet(LimitMet):
    """There are no rows for better bounds."""


@dataclass(frozen=True, eq=False)
class Watch:
    """Raises when a limit is reached."""

    deadline: Deadline
    memory_before: float

    @classmethod
    def begin(cls, deadline: Deadline) -> Watch:
        """Measure time and memory from here."""
        seconds = deadline.limits.seconds
        until = deadline if seconds is None else deadline.within(SEARCHING * seconds - deadline.elapsed)
        return cls(until, resident_megabytes(os.getpid()))

    def time(self) -> None:
        """Raise when the time is up."""
        if self.deadline.remaining == 0:
            raise LimitMet

    def rows(self, count: int) -> None:
        """Raise when the time is up, or rows or memory are too much."""
        self.time()
        self.memory()
        if count > (self.deadline.limits.size or sys.maxsize):
            raise RowsMet

    def memory(self, _count: int = 0) -> None:
        """Raise when the time is up or the memory is too much, however many rows there are."""
        self.time()
        if resident_megabytes(os.getpid()) - self.memory_before > (self.deadline.limits.megabytes or math.inf):
            raise LimitMet


def tighten(problem: Problem, values: list[Logs], watch: Watch) -> Iterator[Found]:
    """Yield ever better bounds: relax less, and each time keep about as many states as the relaxed tables have."""
    beliefs = Beliefs(problem.theory)
    certainty = [float(one.max()) for one in beliefs.shares(values)]
    rows = max(2, min(FIRST_ROWS, len(values) ** 2 // FEW))
    has_bounds = False
    while True:
        try:
            told = watch.rows if has_bounds else watch.memory
            relaxation = relax(problem, certainty, rows, told, table_rows=watch.deadline.limits.table_rows)
        except TooManyRows:  # of one table: less relaxed, it would be larger than any that is made
            return
        search = Search(problem, relaxation, values)
        for found in explore(search, beliefs, watch, is_first=not has_bounds):
            yield found
            has_bounds = True
            if found.stage.log_wmc.gap <= CLOSE:
                return
        rows *= MORE_ROWS


def explore(search: Search, beliefs: Beliefs, watch: Watch, *, is_first: bool) -> Iterator[Found]:
    """Yield better bounds beside one relaxation.

    At first the relaxed tables alone, which is an upper bound. Then states are kept that there are when the forgotten
    variables are fixed: these add up to a lower bound. Then those that ever less of the relaxed weight passes, until
    they have as many rows as the relaxed tables.
    """
    relaxation = search.relaxation
    relaxed = relaxation.row_count

    def found(kept: Kept, known: Estimates) -> Found:
        return Found(relaxation, kept, Stage(relaxed + row_count(kept), watch.deadline.elapsed, search.total(known)))

    def count(rows: int) -> None:
        watch.rows(relaxed + rows)

    nothing = search.evaluate({})
    if is_first and not all(relaxation.is_exact[root] for root in search.problem.order.roots):
        yield found({}, nothing)
    fixed = replace(search, values=restricted(beliefs, relaxation.forgotten, search.values))
    kept: Kept = {}
    if is_first and sum(map(len, search.problem.order.separators)) > WIDE:
        kept = fixed.sweep(FIXED_SHARES[-1], {}, fixed.evaluate({}), watch.memory)
        known = search.evaluate(kept)
        yield found(kept, known)
        is_first = search.total(known).lower == -math.inf
    kept = first_states(search, fixed, count, watch) if is_first else sweep_fixed(fixed, kept, count)
    known = search.evaluate(kept)
    most = relaxed + row_count(kept)
    yield found(kept, known)
    share = FIRST_SHARE
    while row_count(kept) < most and share > SMALLEST_SHARE:
        kept = search.sweep(share, kept, known, count)
        known = search.evaluate(kept)
        yield found(kept, known)
        share /= SMALLER_SHARE


def sweep_fixed(fixed: Search, before: Kept, count: Callable[[int], None]) -> dict[int, KeptBag]:
    """Keep states that there are when the forgotten variables are fixed."""
    return fixed.sweep(FIXED_SHARES[0], before, fixed.evaluate(before), count)


def first_states(search: Search, fixed: Search, count: Callable[[int], None], watch: Watch) -> dict[int, KeptBag]:
    """Keep such states for the first time: as many as there are rows for, and whatever rows a lower bound takes.

    Where few states are kept, none may go on to the end, and the bound would be -∞.
    """
    known = fixed.evaluate({})
    for share in FIXED_SHARES:
        try:
            kept = fixed.sweep(share, {}, known, count)
        except RowsMet:
            continue
        if search.total(search.evaluate(kept)).lower > -math.inf:
            return kept
    return fixed.sweep(FIXED_SHARES[0], {}, known, watch.memory)


def row_count(kept: Kept) -> int:
    """Return how many rows kept states have."""
    return sum(len(bag.state) for bag in kept.values())


class Coarse(NamedTuple):
    """Circuits that are there without any search: what is given and follows, and nothing at all."""

    upper: Circuit
    lower: Circuit


class Best:
    """The best lower and the best upper bound so far."""

    def __init__(self, coarse: Coarse, stage: Stage) -> None:
        self.problem: Problem | None = None
        self._coarse = coarse
        self._first = stage
        self._found: list[Stage] = []
        self._lower: Found | None = None
        self._upper: Found | None = None

    @property
    def stages(self) -> list[Stage]:
        """How the bounds came closer."""
        return self._found or [self._first]

    def take(self, found: Found) -> None:
        """Keep what is better than before."""
        new = found.stage.log_wmc
        if self._lower is None or found.is_complete or new.lower > self._lower.stage.log_wmc.lower:
            self._lower = found
        if self._upper is None or found.is_complete or new.upper < self._upper.stage.log_wmc.upper:
            self._upper = found
        low, high = self._lower.stage.log_wmc.lower, self._upper.stage.log_wmc.upper
        self._found.append(Stage(found.stage.rows, found.stage.seconds, Interval(min(low, high), high)))

    def bounds(self, writer: CircuitWriter) -> Bounds:
        """Write the circuits; one for both where nothing is relaxed and nothing left out."""
        if self.problem is None or self._lower is None or self._upper is None:
            return Bounds(self._coarse.lower, self._coarse.upper, tuple(self.stages))
        upper = writer.circuit(write_bound(self.problem, self._upper, writer.positions, is_upper=True), "upper bound")
        if self._upper.is_complete or upper.diagram.root == upper.diagram.false:
            return Bounds(upper, upper, tuple(self.stages))
        below = write_bound(self.problem, self._lower, writer.positions, is_upper=False)
        return Bounds(writer.circuit(below, "lower bound"), upper, tuple(self.stages))


class CircuitWriter:
    """Makes circuits of diagrams of some clauses."""

    def __init__(self, clauses: Clauses, deadline: Deadline) -> None:
        is_visible = clauses.kinds != AtomKind.AUXILIARY
        self.positions: Slots = (np.cumsum(is_visible) - 1).astype(np.int64)
        self.clauses = clauses
        self._atoms = visible_atoms(clauses)
        self._deadline = deadline

    def constant(self, *, is_true: bool) -> Circuit:
        """Return the circuit of ⊤ or of ⊥."""
        count = len(self._atoms)
        return self.circuit(Written(Builder(count).diagram(2 * count + (not is_true)), 0), "⊤" if is_true else "⊥")

    def facts(self, theory: Theory) -> Circuit:
        """Return the circuit of what holds in every model: a theory has no other models."""
        count = len(self._atoms)
        builder = Builder(count)
        slots = [np.array([literal_slot(literal, self.positions, count)], np.int64) for literal in theory.facts]
        root = int(builder.product(slots)[0]) if slots else 2 * count
        return self.circuit(Written(builder.diagram(root), len(slots)), "facts")

    def circuit(self, written: Written, how: str) -> Circuit:
        """Return the circuit of a diagram."""
        statistics = Statistics(
            atoms=len(self._atoms),
            clauses=len(self.clauses),
            size=written.rows,
            nodes=written.diagram.decision_count,
            seconds=self._deadline.elapsed,
            vtree=how,
        )
        return Circuit(self.clauses, self._atoms, written.diagram, statistics)
