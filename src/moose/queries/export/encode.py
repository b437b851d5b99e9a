"""Stages 1-5 of the paper in one verb: a goal over uncertain axioms as rules and as clauses, ready to be exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from moose.base.errors import LimitReached
from moose.owl.model import axioms as ax
from moose.owl.modules.unused import unused_positions
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside, count_unused
from moose.queries.export.clark import Completion, complete
from moose.queries.export.tseitin import Cnf, to_cnf
from moose.queries.export.unroll import Definitions, cost, unroll
from moose.queries.probabilities.matching import spelt
from moose.queries.probabilities.probabilities import GivenProbabilities, stated_for
from moose.queries.program.goal_conditions import Rank, joint_sources, ranked, with_fewer_axioms
from moose.queries.program.goals import Goal, read_goal
from moose.queries.program.program import GOAL
from moose.queries.program.rule_instances import Reading, RuleInstances, rule_instances

MOST_LITERALS = 50_000_000
"""What fits into the memory of a small machine; a component of n atoms has n² copies."""


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """How large each stage came out."""

    axioms: int
    """Uncertain axioms that can matter: the free variables."""
    rule_instances: int
    derived_atoms: int
    """Facts and the goal: one biconditional each."""
    components: int
    non_trivial_components: int
    """Components of atoms that depend on themselves, which are unrolled."""
    unrolled_copies: int
    variables: int
    clauses: int


@dataclass(frozen=True, eq=False)
class Encoding:
    """A goal as rules (Stage 1), with what the axioms weigh; Stages 2-5 are run when first asked for."""

    goal: Goal
    instances: RuleInstances
    probabilities: Mapping[int, Fraction]
    """P(axiom) of the axioms of `instances`, by position in the ontology; all others make no difference."""
    axiom_names: Mapping[int, str]
    most_literals: int = MOST_LITERALS
    """The largest encoding that is made."""
    unused: tuple[Outside, ...] = ()
    """The axioms that can matter and are not used whole: the encoding is of the EL part only."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the encoding must know."""
        return (f"of the EL part only: {count_unused(len(self.unused))}",) if self.unused else ()

    @cached_property
    def completion(self) -> Completion:
        """Stage 2: the biconditionals."""
        return complete(self.instances.clauses, self.instances.axioms)

    @cached_property
    def components(self) -> list[list[int]]:
        """Stage 3: the strong components."""
        return self.completion.components()

    @cached_property
    def definitions(self) -> Definitions:
        """Stage 4: the acyclic definitions."""
        literals = cost(self.completion, self.components)
        if literals > self.most_literals:
            raise LimitReached(
                f"the encoding would hold up to {literals:,} literals, more than the limit of {self.most_literals:,}; "
                "ask for the probability itself, which needs no encoding, or raise the limit"
            )
        return unroll(self.completion, self.components)

    @cached_property
    def cnf(self) -> Cnf:
        """Stage 5: the clauses. The first variables are the axioms of `instances`, in order; the goal is asserted."""
        return to_cnf(self.definitions, is_negated=self.goal.is_negated)

    @property
    def diagnostics(self) -> Diagnostics:
        """Say how large each stage came out."""
        return Diagnostics(
            axioms=len(self.axioms),
            rule_instances=len(self.instances.clauses),
            derived_atoms=len(self.completion.bodies),
            components=len(self.components),
            non_trivial_components=sum(not self.completion.is_trivial(one) for one in self.components),
            unrolled_copies=self.definitions.copies,
            variables=self.cnf.variable_count,
            clauses=len(self.cnf.clauses),
        )

    @property
    def axioms(self) -> tuple[int, ...]:
        """The positions in the ontology of the axioms that are variables: variable k + 1 is `axioms[k]`."""
        return self.instances.axioms

    def atom_name(self, atom: int) -> str:
        """Say what an axiom, a fact or the goal stands for."""
        if atom == GOAL:
            return f"the goal {self.goal.text}" if not self.goal.is_negated else "⊤ ⊑ ⊥"
        return self.axiom_names.get(atom) or self.instances.names[atom]


def encode(
    ontology: Ontology,
    goal: str | ax.Axiom,
    probabilities: GivenProbabilities = None,
    *,
    is_groundable: bool = False,
    most_literals: int = MOST_LITERALS,
) -> Encoding:
    """Encode when a goal holds; probabilities are those that stand as annotations in the ontology unless given.

    `is_groundable` keeps only atoms with a ground counterpart, as the paper does where it prepares learning; what
    follows through existentials is then lost, so that the probability of an entailment comes out too low.

    >>> import moose
    >>> from moose.owl.model.expressions import Class
    >>> a, b, c = map(Class, "abc")
    >>> ontology = moose.ontology([ax.SubClassOf(a, b), ax.SubClassOf(b, c)])
    >>> halves = moose.Probabilities(ontology, {0: Fraction(1, 2), 1: Fraction(1, 2)})
    >>> encode(ontology, ax.SubClassOf(a, c), halves).cnf.clauses
    ((-3, 1), (3, -1), (-4, 2), (-4, 3), (4, -2, -3), (-5, 4), (5, -4), (5,))
    """
    weights = stated_for(ontology, probabilities)
    names = Names(ontology)
    read = read_goal(goal, names)
    absent = weights.absent
    joint = joint_sources(ontology)
    rows = [(rank, one) for rank, one in ranked(ontology) if absent.isdisjoint(joint.get(one[0], one[:1]))]
    reading = Reading(names.display, is_groundable)

    def by_axioms(highest: Rank, most: int | None) -> RuleInstances:
        axioms = [one for rank, one in rows if rank <= highest]
        return rule_instances(axioms, weights.uncertain, read.inclusions, reading, joint, most=most)

    instances = with_fewer_axioms((rank for rank, _ in rows), by_axioms)
    return Encoding(
        goal=read,
        instances=instances,
        probabilities={axiom: weights[axiom] for axiom in instances.axioms},
        axiom_names={axiom: spelt(ontology.axioms[axiom], names.display) for axiom in instances.axioms},
        most_literals=most_literals,
        unused=tuple(unused_positions(ontology, read.inclusions, absent=absent).values()),
    )
