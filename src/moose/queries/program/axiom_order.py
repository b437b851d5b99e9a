"""The order of the axioms in diagrams: what occurs together stands together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from moose.queries.program.goal_conditions import Condition
from moose.queries.program.program import GOAL, GoalProgram

ROUNDS = 60
"""The order has settled long before on programs of a thousand clauses."""
MOST_STEPS = 600_000
"""In all rounds: half a second. A large program has fewer rounds, of which the first do most."""

Atom = tuple[int, int]
"""A fact with the number of its program; an axiom, which programs share, with -1."""
Edge = tuple[Atom, ...]


def axiom_order(conditions: Iterable[Condition]) -> list[int]:
    """Return the axioms of conditions so that those that occur together in clauses stand near each other.

    From the order in which a search down from the goals meets the atoms, facts included, each atom moves to the middle
    of its clauses, again and again (the FORCE heuristic, Aloul, Markov and Sakallah 2003); the order in which clauses
    stretch least is kept.
    """
    cases = [case for condition in conditions for case in condition.cases]
    edges = [edge for case_number, case in enumerate(cases) for edge in hyperedges(case.program, case_number)]
    assumed = [tuple((-1, axiom) for axiom in sorted(case.assumed)) for case in cases]
    start = dict.fromkeys(atom for edge in (*assumed, *edges) for atom in edge)
    return [axiom for case_number, axiom in least_stretched(list(start), edges) if case_number == -1]


def hyperedges(program: GoalProgram, case_number: int) -> list[Edge]:
    """Return the atoms of each clause, as a breadth-first search down from the goal meets them."""
    bodies: defaultdict[int, list[frozenset[int]]] = defaultdict(list)
    for body, head in program.clauses:
        bodies[head].append(body)

    def atom(fact: int) -> Atom:
        return (-1 if fact in program.axioms else case_number, fact)

    edges: list[Edge] = []
    queue, seen = [GOAL], {GOAL}
    for head in queue:  # the queue grows while it is walked
        for body in bodies[head]:
            edges.append(tuple(atom(fact) for fact in (*([] if head == GOAL else [head]), *sorted(body))))
            new = sorted(body - seen)
            seen.update(new)
            queue += new
    return [edge for edge in edges if edge]


def least_stretched(order: Sequence[Atom], edges: Sequence[Edge]) -> list[Atom]:
    """Move atoms to the middle of their edges until that changes nothing; return the best order met."""
    edges_of: defaultdict[Atom, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        for atom in edge:
            edges_of[atom].append(number)
    present = best = list(order)
    least: int | None = None
    for _ in range(min(ROUNDS, 2 + MOST_STEPS // (1 + sum(map(len, edges))))):
        positions = {atom: position for position, atom in enumerate(present)}
        rows = [[positions[atom] for atom in edge] for edge in edges]
        stretch = sum(max(row) - min(row) for row in rows)
        if least is None or stretch < least:
            least, best = stretch, present
        middles = [sum(row) / len(row) for row in rows]
        wanted = {
            atom: sum(middles[number] for number in edges_of[atom]) / len(edges_of[atom]) if edges_of[atom] else at
            for atom, at in positions.items()
        }
        moved = sorted(present, key=lambda atom: (wanted[atom], positions[atom]))
        if moved == present:
            break
        present = moved
    return best
