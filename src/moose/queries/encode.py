"""Stages 1-5 of the paper in one verb: a goal over uncertain axioms as rules and as clauses, ready to be exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from moose.errors import LimitReached, MooseError
from moose.owl import axioms as ax
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.render import render
from moose.queries.clark import complete
from moose.queries.conditions import numbered
from moose.queries.goals import Goal, read_goal
from moose.queries.program import GOAL
from moose.queries.rule_instances import Reading, RuleInstances, rule_instances
from moose.queries.tseitin import Cnf, to_cnf
from moose.queries.unroll import Definitions, cost, unroll

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
    """A goal as rules (Stage 1) and as clauses (Stage 5), with what the axioms weigh."""

    goal: Goal
    instances: RuleInstances
    definitions: Definitions
    cnf: Cnf
    """Its first variables are the axioms of `instances`, in order; the goal is asserted."""
    probabilities: Mapping[int, Fraction]
    """P(axiom) of the axioms of `instances`, by position in the ontology; all others make no difference."""
    axiom_names: Mapping[int, str]
    diagnostics: Diagnostics

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
    probabilities: Mapping[int, Fraction],
    *,
    is_groundable: bool = False,
    most_literals: int = MOST_LITERALS,
) -> Encoding:
    """Encode when a goal holds, over axioms that hold with some probability, by their position in `ontology.axioms`.

    `is_groundable` keeps only atoms with a ground counterpart, as the paper does where it prepares learning; what
    follows through existentials is then lost, so that the probability of an entailment comes out too low.

    >>> import moose
    >>> from moose.owl.axioms import SubClassOf
    >>> from moose.owl.model import Class
    >>> a, b, c = map(Class, "abc")
    >>> ontology = moose.ontology([SubClassOf(a, b), SubClassOf(b, c)])
    >>> encode(ontology, SubClassOf(a, c), {0: Fraction(1, 2), 1: Fraction(1, 3)}).cnf.clauses
    ((-3, 1), (3, -1), (-4, 2), (-4, 3), (4, -2, -3), (-5, 4), (5, -4), (5,))
    """
    names = Names(ontology)
    read = read_goal(goal, names)
    uncertain = check_probabilities(ontology, probabilities)
    told = [one for one in numbered(ontology) if probabilities.get(one[0]) != 0]
    instances = rule_instances(told, uncertain, read.inclusions, Reading(names.display, is_groundable))
    completion = complete(instances.clauses, instances.axioms)
    components = completion.components()
    if (literals := cost(completion, components)) > most_literals:
        raise LimitReached(
            f"the encoding would hold up to {literals:,} literals, more than the limit of {most_literals:,}; "
            "ask for the probability itself, which needs no encoding, or raise the limit"
        )
    definitions = unroll(completion, components)
    cnf = to_cnf(definitions, is_negated=read.is_negated)
    return Encoding(
        goal=read,
        instances=instances,
        definitions=definitions,
        cnf=cnf,
        probabilities={axiom: probabilities[axiom] for axiom in instances.axioms},
        axiom_names={axiom: render(ontology.axioms[axiom], names.display) for axiom in instances.axioms},
        diagnostics=Diagnostics(
            axioms=len(instances.axioms),
            rule_instances=len(instances.clauses),
            derived_atoms=len(completion.bodies),
            components=len(components),
            non_trivial_components=sum(not completion.is_trivial(component) for component in components),
            unrolled_copies=definitions.copies,
            variables=cnf.variable_count,
            clauses=len(cnf.clauses),
        ),
    )


def check_probabilities(ontology: Ontology, probabilities: Mapping[int, Fraction]) -> frozenset[int]:
    """Return the axioms that may or may not hold; one of probability 1 is certain, one of probability 0 absent."""
    for axiom, probability in probabilities.items():
        if not 0 <= axiom < len(ontology.axioms):
            raise MooseError(
                f"expected the position of an axiom below {len(ontology.axioms)}, but got a probability for {axiom}"
            )
        if not 0 <= probability <= 1:
            raise MooseError(f"expected a probability from 0 to 1 for axiom {axiom}, but got {probability}")
    return frozenset(axiom for axiom, probability in probabilities.items() if 0 < probability < 1)
