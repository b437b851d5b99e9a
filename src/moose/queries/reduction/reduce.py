"""Make conditions smaller: facts with one definition are unfolded, axioms in series or in parallel become one coin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from moose.base.errors import TimeIsOver
from moose.queries.program.goal_conditions import Case, Condition
from moose.queries.program.program import GOAL, GoalProgram
from moose.queries.reduction.clause_graph import ClauseGraph
from moose.queries.reduction.coins import ONE, Coins
from moose.saturation.recorded.horn import HornClause, eliminate, useful

MOST_ROUNDS = 8
"""Of resolution: each makes the program smaller, the first most."""
Numbers = dict[int, int]


@dataclass(frozen=True)
class Reduced:
    """Conditions that hold in the same worlds as those before, over coins."""

    conditions: tuple[Condition, ...]
    coins: Coins


def reduce_conditions(
    conditions: Sequence[Condition],
    probabilities: Mapping[int, Fraction],
    *,
    is_parallel: bool = True,
    coins: Coins | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Reduced:
    """Reduce conditions together, so that an axiom that several share stays what it is.

    Axioms in parallel stay apart unless `is_parallel`: a justification has one of them, and which one matters.
    Conditions that were reduced before are over `coins`, to which more are added.
    """
    check_time(is_over)
    programs = {id(case.program): case.program for condition in conditions for case in condition.cases}
    assumed = {axiom for condition in conditions for case in condition.cases for axiom in case.assumed}
    axioms = sorted({axiom for program in programs.values() for axiom in program.axioms})
    first_goal = GOAL if len(programs) == 1 else GOAL - 1
    goals = {key: first_goal - position for position, key in enumerate(programs)}
    clauses, first_free = joined(programs, goals, axioms)
    if coins is None:
        coins = Coins({axiom: probabilities.get(axiom, ONE) for axiom in (*axioms, *assumed)}, first_free)
    else:
        coins.leave_free(first_free)
    mergeable = set(axioms) - assumed
    rewritten = rewrite(clauses, set(axioms), coins, mergeable, is_parallel=is_parallel, is_over=is_over)
    parts = {key: part(rewritten, goal, coins.probabilities) for key, goal in goals.items()}
    done: dict[int, Condition] = {}
    for condition in conditions:
        if id(condition) not in done:
            done[id(condition)] = Condition(
                condition.goal,
                tuple(
                    tuple(Case(case.assumed, parts[id(case.program)]) for case in several)
                    for several in condition.parts
                ),
            )
    return Reduced(tuple(done[id(condition)] for condition in conditions), coins)


def joined(
    programs: Mapping[int, GoalProgram], goals: Mapping[int, int], axioms: Sequence[int]
) -> tuple[list[HornClause], int]:
    """Put programs together, each with facts and a goal of its own, and return the first number that is free."""
    free = max(axioms, default=-1) + 1
    clauses: list[HornClause] = []
    for key, program in programs.items():
        numbers: Numbers = {GOAL: goals[key]} | {axiom: axiom for axiom in program.axioms}
        for body, head in program.clauses:
            for atom in (head, *sorted(body)):
                if atom not in numbers:
                    numbers[atom] = free
                    free += 1
            clauses.append((frozenset(map(numbers.__getitem__, body)), numbers[head]))
    return clauses, free


def rewrite(  # noqa: PLR0913  # clauses, what their atoms are, and how far to go
    clauses: Sequence[HornClause],
    inputs: set[int],
    coins: Coins,
    mergeable: set[int],
    *,
    is_parallel: bool,
    is_over: Callable[[], bool],
) -> list[HornClause]:
    """Reduce clauses by all rules in turn, until nothing changes."""
    last = max((atom for body, head in clauses for atom in (*body, head)), default=-1)

    def is_fact(atom: int) -> bool:
        return 0 <= atom <= last and atom not in inputs

    now = list(clauses)
    for _ in range(MOST_ROUNDS):
        check_time(is_over)
        graph = ClauseGraph(now, is_fact)
        graph.settle()
        has_changed = True
        while has_changed:
            check_time(is_over)
            graph.inline()
            graph.subsume()
            has_changed = graph.in_series(coins, mergeable)
            has_changed |= is_parallel and graph.in_parallel(coins, mergeable)
        now = graph.clauses()
        if not any(is_fact(head) for _, head in now):
            return now
        shorter = eliminate(now, is_fact)
        if len(shorter) == len(now) and set(shorter) == set(now):
            return now
        now = shorter
    return now


def check_time(is_over: Callable[[], bool]) -> None:
    """Stop if it is over."""
    if is_over():
        raise TimeIsOver("expected to reduce the program in time, but it is over")


def part(clauses: Sequence[HornClause], goal: int, coins: Mapping[int, Fraction]) -> GoalProgram:
    """Return the program of one goal."""
    kept = useful([(body, GOAL if head == goal else head) for body, head in clauses if head == goal or head >= 0], ())
    atoms = {atom for body, _ in kept for atom in body}
    heads = {head for _, head in kept}
    return GoalProgram(tuple(kept), frozenset(atom for atom in atoms if atom in coins and atom not in heads))
