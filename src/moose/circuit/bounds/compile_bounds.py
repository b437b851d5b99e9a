"""Compile clauses into bounds: `compile_bounds`."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from moose.base.errors import MooseError
from moose.circuit import question
from moose.circuit.bounds.beliefs import Beliefs
from moose.circuit.bounds.bounds import Bounds
from moose.circuit.bounds.interval import Interval, Stage
from moose.circuit.bounds.relaxation import Problem, make_problem, relax
from moose.circuit.bounds.restriction import restricted
from moose.circuit.bounds.search import Found, Kept, Search
from moose.circuit.bounds.table_values import Logs, value_logs
from moose.circuit.bounds.write_bounds import write_bound
from moose.circuit.circuit import Circuit
from moose.circuit.compiled_theory import Statistics, visible_atoms
from moose.circuit.diagram_builder import Builder, Slots
from moose.circuit.inference.weights import Weights
from moose.circuit.limits import Deadline, Limits, checked_limits, resident_megabytes
from moose.circuit.tables.compile_tables import order_of
from moose.circuit.tables.rows import TooManyRows
from moose.circuit.tables.theory import NotDetermined, make_theory
from moose.circuit.tables.to_diagram import Written
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
FIXED_SHARE = 1e-6
"""The same where forgotten variables are fixed: what is left has few states, most of which are worth keeping."""
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
    tell("finding an elimination order", 0.0)
    problem = make_problem(theory, order_of(theory))
    values = value_logs(theory, asked.weights, writer.positions)
    best = Best()
    for found in tighten(problem, values, deadline):
        best.take(found)
        tell(f"{best.stages[-1]}", 0.9 * share_done(best.stages[-1], limits))
    tell("writing the circuits", 0.9)
    return best.bounds(problem, writer)


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
    """There are bounds, and neither time nor rows for better ones."""


def tighten(problem: Problem, values: list[Logs], deadline: Deadline) -> Iterator[Found]:
    """Yield ever better bounds: relax less, and each time keep about as many states as the relaxed tables have."""
    most = deadline.limits.size or sys.maxsize
    beliefs = Beliefs(problem.theory)
    certainty = [float(one.max()) for one in beliefs.shares(values)]
    rows = max(2, min(FIRST_ROWS, len(values) ** 2 // FEW))
    has_bounds = False
    before = resident_megabytes(os.getpid())
    memory = deadline.limits.megabytes or math.inf

    def watch(count: int) -> None:
        is_over = count > most or deadline.remaining == 0 or resident_megabytes(os.getpid()) - before > memory
        if has_bounds and is_over:
            raise LimitMet

    try:
        while True:
            relaxation = relax(problem, certainty, rows, watch)
            for found in explore(Search(problem, relaxation, values), beliefs, deadline, watch):
                yield found
                has_bounds = True
                if found.stage.log_wmc.gap <= CLOSE:
                    return
            rows *= MORE_ROWS
    except LimitMet:
        return
    except TooManyRows:  # of one table: less relaxed, it would be larger than any that is made
        if not has_bounds:
            raise


def explore(search: Search, beliefs: Beliefs, deadline: Deadline, watch: Callable[[int], None]) -> Iterator[Found]:
    """Yield better bounds beside one relaxation.

    First states are kept that there are when the forgotten variables are fixed: these add up to a lower bound. Then
    those that ever less of the relaxed weight passes, until they have as many rows as the relaxed tables.
    """
    relaxation = search.relaxation
    fixed = replace(search, values=restricted(beliefs, relaxation.forgotten, search.values))
    relaxed = relaxation.row_count

    def count(rows: int) -> None:
        watch(relaxed + rows)

    kept = fixed.sweep(FIXED_SHARE, {}, fixed.evaluate({}), count)
    known = search.evaluate(kept)
    most = relaxed + row_count(kept)
    yield Found(relaxation, kept, Stage(most, deadline.elapsed, search.total(known)))
    share = FIRST_SHARE
    while row_count(kept) < most and share > SMALLEST_SHARE:
        kept = search.sweep(share, kept, known, count)
        known = search.evaluate(kept)
        yield Found(relaxation, kept, Stage(relaxed + row_count(kept), deadline.elapsed, search.total(known)))
        share /= SMALLER_SHARE


def row_count(kept: Kept) -> int:
    """Return how many rows kept states have."""
    return sum(len(bag.state) for bag in kept.values())


class Best:
    """The best lower and the best upper bound so far."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self._lower: Found | None = None
        self._upper: Found | None = None

    def take(self, found: Found) -> None:
        """Keep what is better than before."""
        new = found.stage.log_wmc
        if self._lower is None or new.lower > self._lower.stage.log_wmc.lower:
            self._lower = found
        if self._upper is None or new.upper < self._upper.stage.log_wmc.upper:
            self._upper = found
        low, high = self._lower.stage.log_wmc.lower, self._upper.stage.log_wmc.upper
        self.stages.append(Stage(found.stage.rows, found.stage.seconds, Interval(min(low, high), high)))

    def bounds(self, problem: Problem, writer: CircuitWriter) -> Bounds:
        """Write the circuits; one for both where nothing is relaxed and nothing left out."""
        assert self._lower is not None and self._upper is not None
        upper = writer.circuit(write_bound(problem, self._upper, writer.positions, is_upper=True), "upper bound")
        if self._upper.is_complete or upper.diagram.root == upper.diagram.false:
            return Bounds(upper, upper, tuple(self.stages))
        lower = writer.circuit(write_bound(problem, self._lower, writer.positions, is_upper=False), "lower bound")
        return Bounds(lower, upper, tuple(self.stages))


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
