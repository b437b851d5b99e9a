"""All proofs of a query: minimal choices from which a program proves what is observed and keeps to its constraints.

A proof is a set of literals over what the program draws. Of a family, where exactly one member is drawn, it names one
member or none; that a member is not drawn is to say that one of the others is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from moose.base.errors import MooseError
from moose.methods.deepproblog.neural_program import NeuralProgram
from moose.methods.deepproblog.program_rules import proofs

Proof = frozenset[int]
"""Literals, which are k + 1 for the atom k of the theory and -(k + 1) for its negation."""
Proofs = frozenset[Proof]
"""Of which one must hold: a disjunction of conjunctions, none of which contains another."""
ALWAYS: Proofs = frozenset([frozenset()])
NEVER: Proofs = frozenset()
MOST_PROOFS = 20_000
"""Of one query; more are no longer a list to choose from."""


class ProofLister:
    """Lists the proofs of queries to one program."""

    def __init__(self, program: NeuralProgram) -> None:
        self.program = program
        self.families = {member: family for family in program.disjunctions for member in family}
        self.bodies = proofs(program.rules)
        self.proofs_of = cache(self._proofs_of)
        self._constraints: Proofs | None = None

    def query(self, observed: Iterable[int]) -> list[Proof]:
        """Return the proofs that literals hold and constraints are kept, in a fixed order."""
        parts = [self.proofs_of(literal) for literal in observed]
        parts += [self.any_of(self.program.theory.clause(index)) for index in self.program.constraints]
        whole = self.all_of(sorted(parts, key=len))  # few proofs first: they leave little of the others
        return sorted(whole, key=lambda proof: (len(proof), sorted(proof)))

    def _proofs_of(self, literal: int) -> Proofs:
        atom = abs(literal) - 1
        if literal < 0:
            return self._denials_of(atom)
        if atom in self.program.drawn:
            return frozenset([frozenset([literal])])
        return minimal(proof for body in self.bodies.get(atom, ()) for proof in self.all_of(map(self.proofs_of, body)))

    def _denials_of(self, atom: int) -> Proofs:
        """Return the proofs that an atom does not hold: each of its proofs has a literal that does not."""
        if atom in self.families:
            return frozenset(frozenset([other + 1]) for other in self.families[atom] if other != atom)
        if atom in self.program.drawn:
            return frozenset([frozenset([-atom - 1])])
        return self.all_of(self.any_of(-literal for literal in proof) for proof in self.proofs_of(atom + 1))

    def any_of(self, literals: Iterable[int]) -> Proofs:
        """Return the proofs that one of some literals holds."""
        return minimal(proof for literal in literals for proof in self.proofs_of(literal))

    def all_of(self, parts: Iterable[Proofs]) -> Proofs:
        """Return the proofs of several things together."""
        whole = ALWAYS
        for part in parts:
            whole = minimal(one | other for one in whole for other in part if self.is_possible(one, other))
        return whole

    def is_possible(self, one: Proof, other: Proof) -> bool:
        """Return whether two proofs do not contradict each other: a literal and its negation, or two members."""
        for literal in other - one:
            if -literal in one:
                return False
            family = self.families.get(literal - 1, ())
            if any(member + 1 in one for member in family if member != literal - 1):
                return False
        return True


def minimal(several: Iterable[Proof]) -> Proofs:
    """Leave out proofs that contain another.

    >>> sorted(map(sorted, minimal([frozenset([1, 2]), frozenset([2]), frozenset([3])])))
    [[2], [3]]
    """
    kept = list[Proof]()
    for proof in sorted(set(several), key=len):
        if not any(other <= proof for other in kept):
            kept.append(proof)
            if len(kept) > MOST_PROOFS:
                raise MooseError(
                    f"what is observed has more than {MOST_PROOFS:,} proofs here; choose the method deepproblog or "
                    "moose, which need no list of them"
                )
    return frozenset(kept)
