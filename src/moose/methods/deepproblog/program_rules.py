"""The rules of a program and what they prove: atoms are positions in a theory's clauses, literals as in DIMACS."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from moose.base.errors import MooseError

Proof = frozenset[int]
"""Literals from which an atom follows."""

MOST_PROOFS = 10_000
"""Of one atom; more than that is a theory for a circuit, not for a list."""


@dataclass(frozen=True, slots=True, order=True)
class Rule:
    """`head :- body`, where a negative literal holds if its atom cannot be proved."""

    head: int
    body: tuple[int, ...]


def definite_rules(clauses: Iterable[Sequence[int]]) -> list[Rule]:
    """Read each clause with one positive literal as a rule, once.

    >>> definite_rules([(-1, 2), (-1, -2), (3, -2, -1)])
    [Rule(head=1, body=(1,)), Rule(head=2, body=(1, 2))]
    """
    rules = dict[Rule, None]()
    for clause in clauses:
        heads = [literal - 1 for literal in clause if literal > 0]
        body = tuple(sorted(-literal for literal in clause if literal < 0))
        if len(heads) == 1 and heads[0] + 1 not in body:
            rules[Rule(heads[0], body)] = None
    return list(rules)


def provable(rules: Sequence[Rule], choices: Iterable[int]) -> set[int]:
    """Return the atoms that some choice proves; negative literals in bodies are taken to be possible."""
    provable = set(choices)
    while True:
        more = {rule.head for rule in rules if all(literal < 0 or literal - 1 in provable for literal in rule.body)}
        if more <= provable:
            return provable
        provable |= more


def proofs(rules: Sequence[Rule]) -> dict[int, list[Proof]]:
    """Return for each head the bodies that prove it, none of them by way of the head itself.

    An atom that no rule leads back to keeps its bodies. Atoms that prove each other in a circle, as those of an
    equivalence do, get the bodies from outside it: without them, the circle would hold itself up.
    """
    bodies = dict[int, list[Proof]]()
    for rule in rules:
        bodies.setdefault(rule.head, []).append(frozenset(rule.body))
    circular = {head for head in bodies if head in _leads_to(head, bodies)}
    before: dict[int, list[Proof]] = {head: [] for head in circular}
    while True:
        after = {head: _joined(bodies[head], circular, before) for head in circular}
        if after == before:
            return {head: after.get(head, bodies[head]) for head in bodies}
        before = after


def _leads_to(head: int, bodies: Mapping[int, list[Proof]]) -> set[int]:
    """Return all atoms in the bodies of an atom, in their bodies, and so on."""
    seen, waiting = set[int](), [head]
    while waiting:
        body = {abs(literal) - 1 for proof in bodies.get(waiting.pop(), ()) for literal in proof}
        waiting += body - seen
        seen |= body
    return seen


def _joined(bodies: list[Proof], circular: Collection[int], before: Mapping[int, list[Proof]]) -> list[Proof]:
    """Put into bodies what is known to prove their circular atoms, and keep the smallest results."""
    results = set[Proof]()
    for body in bodies:
        inside = [literal for literal in body if abs(literal) - 1 in circular]
        rest = body.difference(inside)
        for parts in product(*(before[literal - 1] for literal in inside)):
            results.add(rest.union(*parts))
            if len(results) > MOST_PROOFS:
                raise MooseError(
                    f"the rules of this theory go round in circles with more than {MOST_PROOFS:,} ways through; "
                    f"choose the method moose, which needs no list of them"
                )
    smallest = [proof for proof in results if not any(other < proof for other in results)]
    return sorted(smallest, key=sorted)
