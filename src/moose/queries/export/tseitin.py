"""Stage 5: clauses, by a variable for each conjunction (Tseitin 1983)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from moose.queries.export.unroll import Conjunction, Definitions, Variable
from moose.queries.program.program import GOAL

Clause = tuple[int, ...]


@dataclass(frozen=True)
class Cnf:
    """Clauses over the variables 1, 2, …, of which the first stand for axioms.

    Every choice of axioms makes all other variables true or false in just one way, so that counting models, with or
    without weights, counts worlds.
    """

    variable_count: int
    clauses: tuple[Clause, ...]
    variables: Mapping[Variable, int]
    """The variables that are not auxiliary."""

    def axiom_variable(self, axiom: int) -> int:
        """Return the variable of an axiom."""
        return self.variables[Variable(axiom)]


def to_cnf(definitions: Definitions, *, is_negated: bool = False) -> Cnf:
    """Write definitions as clauses and assert the goal, or that it fails.

    >>> one_axiom = Definitions({Variable(GOAL): (frozenset([Variable(7)]),)}, axioms=(7,))
    >>> to_cnf(one_axiom).clauses
    ((-2, 1), (2, -1), (2,))
    """
    writer = _Writer({Variable(axiom): position + 1 for position, axiom in enumerate(definitions.axioms)})
    clauses: list[Clause] = []
    for variable, bodies in definitions.bodies.items():
        clauses += writer.define(variable, bodies)
    goal = writer.variables[Variable(GOAL)]
    clauses.append((-goal if is_negated else goal,))
    return Cnf(writer.count, tuple(clauses), writer.variables)


@dataclass
class _Writer:
    """Numbers for the variables and conjunctions met so far."""

    variables: dict[Variable, int]
    conjunctions: dict[Conjunction, int] = field(default_factory=dict)
    count: int = 0

    def __post_init__(self) -> None:
        self.count = len(self.variables)

    def fresh(self) -> int:
        """Take the next number."""
        self.count += 1
        return self.count

    def literals(self, body: Conjunction) -> list[int]:
        """Return the numbers of the members of a conjunction, sorted."""
        return sorted(self.variables[member] for member in body)

    def define(self, variable: Variable, bodies: tuple[Conjunction, ...]) -> Iterator[Clause]:
        """Yield x ↔ ⋁ bodies; a single body needs no variable of its own."""
        if len(bodies) == 1:
            yield from both_ways(self._name(variable), self.literals(bodies[0]))
            return
        disjuncts: list[int] = []
        for body in bodies:
            if len(body) != 1 and body not in self.conjunctions:
                self.conjunctions[body] = self.fresh()
                yield from both_ways(self.conjunctions[body], self.literals(body))
            disjuncts.append(self.literals(body)[0] if len(body) == 1 else self.conjunctions[body])
        defined = self._name(variable)
        yield (-defined, *disjuncts)
        yield from ((defined, -disjunct) for disjunct in disjuncts)

    def _name(self, variable: Variable) -> int:
        number = self.variables[variable] = self.fresh()
        return number


def both_ways(defined: int, conjuncts: list[int]) -> Iterator[Clause]:
    """Yield x ↔ ⋀ conjuncts; with none of them x is true."""
    yield from ((-defined, conjunct) for conjunct in conjuncts)
    yield (defined, *(-conjunct for conjunct in conjuncts))
