"""The k likeliest proofs of a goal, and the lower bound of its probability that they give.

From Huang, Li, Chen, Samel, Naik, Song and Si 2021, "Scallop: From Probabilistic Deductive Databases to Scalable
Differentiable Reasoning", NeurIPS: every fact carries its k likeliest proofs, each a set of uncertain axioms,

    tag(h) = top-k ⋃ { tag(b₁) ⊗ … ⊗ tag(bₙ) : b₁, …, bₙ → h is a rule instance }
    A ⊗ B = top-k { a ∪ b : a ∈ A, b ∈ B }

until no tag changes. The bound is P(⋁ proofs), exact for the proofs that are left. Since each of them entails the goal
it is never above the probability of the goal, and it is that probability once k is at least the number of proofs of
every fact on the way. A proof that is not among the k best of some fact on the way is lost, even where it is the better
one for the goal, because it shares axioms with what else the goal needs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from moose.base.errors import MooseError
from moose.circuit.inference.evaluate import wmc
from moose.owl.model import axioms as ax
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.queries.probabilities.probabilities import GivenProbabilities, stated_for
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition, Conditions
from moose.queries.program.goals import read_goal
from moose.queries.program.most_probable import probability_of
from moose.queries.program.program import GOAL, GoalProgram
from moose.saturation.recorded.horn import HornClause

Proof = frozenset[int]
"""Axioms, by position, from which something follows."""
Tag = tuple[Proof, ...]
"""Proofs of one fact, likeliest first, none of which contains another."""
ALWAYS: Tag = (frozenset(),)
"""Of what holds anyway."""


@dataclass(frozen=True)
class TopProofs:
    """The likeliest proofs of a goal that were found, and what they say of its probability."""

    goal: str
    proofs: tuple[tuple[ax.Axiom, ...], ...]
    """The uncertain axioms of each, likeliest first."""
    probabilities: tuple[Fraction, ...]
    """How likely the axioms of each proof are to hold together."""
    lower: Fraction
    """How likely one of the proofs is to hold: the goal is at least as likely."""

    @property
    def independent(self) -> Fraction:
        """1 - Π (1 - P(proof)): what the bound would be if no two proofs shared an axiom. It may be too much."""
        return 1 - prod((1 - one for one in self.probabilities), start=Fraction(1))


def top_proofs(
    ontology: Ontology, goal: str | ax.Axiom, k: int, *, probabilities: GivenProbabilities = None
) -> TopProofs:
    """Return the k likeliest proofs of a goal that top-k provenance finds.

    Probabilities are those that stand as annotations in the ontology unless given.
    """
    given: object = k
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise MooseError(f"expected how many proofs a fact may carry, 1 or more, but got {k!r}")
    stated = stated_for(ontology, probabilities)
    read = read_goal(goal, Names(ontology))
    if read.is_negated:
        raise MooseError(f"a proof shows that something holds, but {read.text} denies it; ask what it denies")
    condition = Conditions(ontology, absent=stated.absent).condition(read, stated.uncertain)
    tag = proofs_of(condition, stated.uncertain, k)
    return TopProofs(
        read.text,
        tuple(tuple(ontology.axioms[axiom] for axiom in sorted(proof)) for proof in tag),
        tuple(probability_of(proof, stated.uncertain) for proof in tag),
        union_probability(tag, stated.uncertain),
    )


def proofs_of(condition: Condition, probabilities: Mapping[int, Fraction], k: int) -> Tag:
    """Return the tag of a goal all of whose inclusions must follow."""
    tag = ALWAYS
    for part in condition.parts:
        every = [
            frozenset(case.assumed) | proof for case in part for proof in best_proofs(case.program, probabilities, k)
        ]
        tag = joined(tag, likeliest(every, probabilities, k), probabilities, k)
    return tag


def best_proofs(program: GoalProgram, probabilities: Mapping[int, Fraction], k: int) -> Tag:
    """Return the tag of GOAL: all facts begin without a proof, and are looked at again when a premise has got one.

    >>> program = GoalProgram(((frozenset([0]), GOAL), (frozenset([1, 2]), GOAL)), frozenset([0, 1, 2]))
    >>> half = dict.fromkeys(range(3), Fraction(1, 2))
    >>> [[sorted(proof) for proof in best_proofs(program, half, k)] for k in (1, 2)]
    [[[0]], [[0], [1, 2]]]
    """
    users = defaultdict[int, list[HornClause]](list)
    for clause in program.clauses:
        for premise in clause[0]:
            users[premise].append(clause)
    tags = defaultdict[int, Tag](tuple, {axiom: (frozenset([axiom]),) for axiom in program.axioms})
    waiting = dict.fromkeys([clause for clause in program.clauses if all(tags[one] for one in clause[0])])
    while waiting:
        body, head = clause = next(iter(waiting))
        del waiting[clause]
        new = likeliest([*tags[head], *conclusion(body, tags, probabilities, k)], probabilities, k)
        if new != tags[head]:
            tags[head] = new
            waiting.update(dict.fromkeys(one for one in users[head] if all(tags[premise] for premise in one[0])))
    return tags[GOAL]


def conclusion(body: Iterable[int], tags: Mapping[int, Tag], probabilities: Mapping[int, Fraction], k: int) -> Tag:
    """Return the proofs of a head by one rule instance."""
    tag = ALWAYS
    for premise in sorted(body):
        tag = joined(tag, tags[premise], probabilities, k)
    return tag


def joined(first: Tag, second: Tag, probabilities: Mapping[int, Fraction], k: int) -> Tag:
    """A ⊗ B"""
    return likeliest([one | other for one in first for other in second], probabilities, k)


def likeliest(proofs: Sequence[Proof], probabilities: Mapping[int, Fraction], k: int) -> Tag:
    """Return the k likeliest proofs, of equal ones the smaller; one that contains another adds nothing."""
    kept = list[Proof]()
    ordered = sorted(set(proofs), key=lambda one: (-probability_of(one, probabilities), len(one), sorted(one)))
    for proof in ordered:
        if len(kept) == k:
            break
        if not any(other <= proof for other in kept):
            kept.append(proof)
    return tuple(kept)


def union_probability(tag: Tag, probabilities: Mapping[int, Fraction]) -> Fraction:
    """Return how likely it is that some proof holds, exactly.

    >>> third = dict.fromkeys(range(3), Fraction(1, 3))
    >>> union_probability((frozenset([0, 1]), frozenset([0, 2])), third)  # not 1 - (8/9)²
    Fraction(5, 27)
    """
    if not tag:
        return Fraction(0)
    if tag == ALWAYS:
        return Fraction(1)
    axioms = sorted({axiom for proof in tag for axiom in proof})
    labels = Labels(axioms)
    some = labels.goal(GoalProgram(tuple((proof, GOAL) for proof in tag), frozenset(axioms)))
    return wmc(labels.diagram(some), labels.weights(lambda one: (probabilities[one], 1 - probabilities[one])))
