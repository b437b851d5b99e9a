"""Certificates for circuits: that the diagram is what the clauses say, and that counting on it is right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from moose.base.errors import MooseError
from moose.certificates.make.clause_learning import Clause
from moose.certificates.make.refutation import refute
from moose.certificates.make.vocabulary import HEAD, Packed
from moose.circuit.circuit import Circuit
from moose.circuit.diagram import Diagram

LiteralSet = frozenset[int]
Step = tuple[int, list[LiteralSet]]
"""A variable, and clauses that say what the clauses before said of all others."""

MOST_CLAUSES = 20_000
"""More clauses than this after a step would take long to write, and longer to check."""


def eliminate(clauses: Iterable[Sequence[int]], variables: Iterable[int]) -> list[Step]:
    """Eliminate variables by resolution, at each step the one with the fewest resolvents."""
    left = reduced(frozenset(clause) for clause in clauses)
    waiting = set(variables)
    steps: list[Step] = []
    while waiting:
        variable = min(waiting, key=lambda each: (resolvent_count(left, each), each))
        waiting.remove(variable)
        kept = [clause for clause in left if variable not in clause and -variable not in clause]
        if len(kept) + resolvent_count(left, variable) > MOST_CLAUSES:
            raise MooseError("the circuit cannot be certified: its auxiliary atoms take too many clauses to eliminate")
        left = reduced([*kept, *resolvents(left, variable)])
        steps.append((variable, left))
    return steps


def resolvent_count(clauses: list[LiteralSet], variable: int) -> int:
    """Bound how many resolvents there are on a variable."""
    return sum(variable in clause for clause in clauses) * sum(-variable in clause for clause in clauses)


def resolvents(clauses: list[LiteralSet], variable: int) -> Iterable[LiteralSet]:
    """Yield the resolvents on a variable."""
    negative = [clause - {-variable} for clause in clauses if -variable in clause]
    for clause in clauses:
        if variable in clause:
            yield from ((clause - {variable}) | other for other in negative)


def reduced(clauses: Iterable[LiteralSet]) -> list[LiteralSet]:
    """Leave out tautologies, and clauses that another one says more strongly."""
    kept: list[LiteralSet] = []
    by_literal: dict[int, list[LiteralSet]] = {}
    for clause in sorted(set(clauses), key=lambda each: (len(each), sorted(each))):
        if any(-literal in clause for literal in clause):
            continue
        if not any(other <= clause for literal in clause for other in by_literal.get(literal, ())):
            kept.append(clause)
            for literal in clause:
                by_literal.setdefault(literal, []).append(clause)
    return kept if not kept or kept[0] else [frozenset()]


Pair = tuple[int, int]


class Exclusions:
    """Pairs of slots that cannot both hold, in an order in which each follows from those before it.

    Two slots exclude each other where they are opposite literals; where each element of one has a side that excludes
    the other slot; or where each element of one and each of the other have sides that exclude each other.
    """

    def __init__(self, diagram: Diagram) -> None:
        self._atoms = diagram.atom_count
        self._first = diagram.first_decision
        starts, primes, subs = diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()
        self._elements = [list(zip(primes[a:b], subs[a:b])) for a, b in pairwise(starts)]
        self.known: dict[Pair, bool] = {}
        self.order: list[Pair] = []

    def elements(self, slot: int) -> list[Pair]:
        """Return the elements of a decision; none for a literal or a constant."""
        return self._elements[slot - self._first] if slot >= self._first else []

    def exclude(self, one: int, other: int) -> bool:
        """Return whether two slots exclude each other, and remember how."""
        pair = (one, other) if one < other else (other, one)
        is_exclusive = self.known.get(pair)
        if is_exclusive is None:
            is_exclusive = self.known[pair] = self._find(*pair)
            if is_exclusive:
                self.order.append(pair)
        return is_exclusive

    def _find(self, low: int, high: int) -> bool:
        if high < self._first:
            return high < 2 * self._atoms and high - low == self._atoms
        if low == high:
            return False
        if all(self.exclude(low, prime) or self.exclude(low, sub) for prime, sub in self.elements(high)):
            return True
        if low < self._first:
            return False
        if all(self.exclude(high, prime) or self.exclude(high, sub) for prime, sub in self.elements(low)):
            return True
        return all(self.apart(mine, yours) for mine in self.elements(low) for yours in self.elements(high))

    def apart(self, mine: Pair, yours: Pair) -> bool:
        """Return whether two elements exclude each other by one of their sides."""
        return any(self.exclude(one, other) for one in mine for other in yours)

    def show(self) -> Pair | None:
        """Show that the elements of every decision exclude each other; return two that were not shown to."""
        for row in self._elements:
            for mine, yours in combinations(row, 2):
                if not self.apart(mine, yours):
                    return mine
        return None


def certify_circuit(circuit: Circuit) -> Packed:
    """Certify a circuit: its clauses, its diagram, pairs that exclude each other, and a refutation.

    >>> from moose.circuit.compile.compile_circuit import compile_circuit
    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> circuit = compile_circuit(clauses_from_lists([Atom("Even", ("a",)), Atom("Odd", ("a",))], [(1, 2), (-1, -2)]))
    >>> certify_circuit(circuit)["exclusive"]
    [[0, 2]]
    """
    clauses, auxiliary = numbered(circuit)
    diagram = circuit.diagram
    exclusions = Exclusions(diagram)
    try:
        unshown = exclusions.show()
    except RecursionError:
        raise MooseError("the circuit is too deep to certify; compile it with another vtree") from None
    if unshown is not None:
        raise MooseError(
            "the circuit cannot be certified, as two of its disjuncts are not seen to exclude each other by pairs of "
            "slots, which happens where auxiliary atoms were quantified away; use it without a certificate"
        )
    atoms = len(circuit.atoms)
    steps = eliminate(clauses, range(atoms + 1, atoms + len(auxiliary) + 1))
    lines = refute(clauses, diagram, len(auxiliary)) if diagram.root != diagram.true else []
    starts = diagram.starts.tolist()
    elements = list(zip(diagram.primes.tolist(), diagram.subs.tolist(), strict=True))
    return HEAD | {
        "kind": "circuit",
        "atoms": [str(atom) for atom in circuit.atoms],
        "assumptions": [f"{one.name}: {one.statement}" for one in circuit.assumptions],
        "auxiliary": auxiliary,
        "clauses": [list(clause) for clause in clauses],
        "eliminated": [[variable, [sorted(clause) for clause in left]] for variable, left in steps],
        "decisions": [[list(pair) for pair in elements[start:stop]] for start, stop in pairwise(starts)],
        "root": diagram.root,
        "exclusive": [list(pair) for pair in exclusions.order],
        "refutation": [[list(clause), list(hints)] for clause, hints in lines],
    }


def numbered(circuit: Circuit) -> tuple[list[Clause], list[str]]:
    """Return the clauses with the atoms of the circuit numbered first, and the names of the auxiliary ones after.

    A literal stands once in a clause, since checkers count those that are left of it; and a clause with a literal and
    its negation, which says nothing, is left out, since they resolve it as any other.
    """
    theory = circuit.clauses
    others = [atom for atom in theory.atoms if atom not in circuit.positions]
    new = {atom: number for number, atom in enumerate([*circuit.atoms, *others], start=1)}
    variables = [new[atom] for atom in theory.atoms]
    literals = (
        dict.fromkeys(variables[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in clause)
        for clause in theory
    )
    clauses = [tuple(clause) for clause in literals if not any(-literal in clause for literal in clause)]
    return clauses, [str(atom) for atom in others]
