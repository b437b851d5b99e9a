"""Ontologies of classes without roles: a reasoner for all of them that tries every combination of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import Ontology
from moose.queries.program.goals import Goal
from tests.queries.worlds import worlds

CLASSES = tuple(owl.Class(f"http://example.org/{name}") for name in "ABCD")
INDIVIDUALS = tuple(owl.NamedIndividual(f"http://example.org/{name}") for name in "ab")
Kind = frozenset[owl.Class]
"""What an element is: the classes that it is in."""
KINDS = [frozenset(some) for size in range(len(CLASSES) + 1) for some in combinations(CLASSES, size)]


def holds(expression: owl.ClassExpression, kind: Kind) -> bool:
    """Return whether an element of a kind is in a class."""
    match expression:
        case owl.Class():
            return expression == owl.THING or expression in kind  # and never in owl:Nothing
        case owl.ObjectIntersectionOf(operands):
            return all(holds(operand, kind) for operand in operands)
        case owl.ObjectUnionOf(operands):
            return any(holds(operand, kind) for operand in operands)
        case owl.ObjectComplementOf(operand):
            return not holds(operand, kind)
    raise AssertionError(expression)


def fits(axiom: ax.Axiom, kind: Kind) -> bool:
    """Return whether there may be elements of a kind."""
    match axiom:
        case ax.SubClassOf(sub, sup):
            return not holds(sub, kind) or holds(sup, kind)
        case ax.EquivalentClasses(operands):
            return len({holds(operand, kind) for operand in operands}) == 1
        case ax.DisjointClasses(operands):
            return sum(holds(operand, kind) for operand in operands) <= 1
        case ax.ClassAssertion():
            return True
    raise AssertionError(axiom)


class TruthTables:
    """A reasoner for all of OWL 2 that is about classes and their instances alone."""

    name = "truth tables"

    def entails(self, axioms: Sequence[ax.Axiom], sub: owl.ClassExpression, sup: owl.ClassExpression) -> bool:
        """Return whether C ⊑ D follows."""
        kinds = [kind for kind in KINDS if all(fits(axiom, kind) for axiom in axioms)]
        of = {
            individual: [
                kind
                for kind in kinds
                if all(
                    holds(axiom.cls, kind)
                    for axiom in axioms
                    if isinstance(axiom, ax.ClassAssertion) and axiom.individual == individual
                )
            ]
            for individual in INDIVIDUALS
        }
        if not all(of.values()):
            return True
        if isinstance(sub, owl.ObjectOneOf):
            kinds = of[sub.individuals[0]]  # type: ignore[index]  # a name
            return all(holds(sup, kind) for kind in kinds)
        return not any(holds(sub, kind) and not holds(sup, kind) for kind in kinds)


def truth(
    ontology: Ontology, probabilities: Mapping[int, Fraction], goal: Goal, given: Sequence[Goal]
) -> Fraction | None:
    """Return P(goal | given), one world at a time; None where what is given cannot hold."""
    both = whole = Fraction(0)
    reasoner = TruthTables()

    def is_so(asked: Goal, axioms: list[ax.Axiom]) -> bool:
        return all(reasoner.entails(axioms, *pair) for pair in asked.inclusions) != asked.is_negated

    weights = {position: (value, 1 - value) for position, value in probabilities.items()}
    for holding, weight in worlds(ontology, weights):
        left_out = probabilities.keys() - holding
        axioms = [axiom for position, axiom in enumerate(ontology.axioms) if position not in left_out]
        if all(is_so(one, axioms) for one in given):
            whole += weight
            both += weight * is_so(goal, axioms)
    return both / whole if whole else None


classes = st.sampled_from(CLASSES)
expressions: st.SearchStrategy[owl.ClassExpression] = st.recursive(
    classes,
    lambda inner: st.one_of(
        st.builds(owl.ObjectIntersectionOf, st.tuples(inner, inner)),
        st.builds(owl.ObjectUnionOf, st.tuples(inner, inner)),
        st.builds(owl.ObjectComplementOf, inner),
    ),
    max_leaves=3,
)
axioms = st.one_of(
    st.builds(ax.SubClassOf, classes, classes),
    st.builds(ax.SubClassOf, classes, expressions),
    st.builds(ax.SubClassOf, expressions, expressions),
    st.builds(ax.EquivalentClasses, st.tuples(classes, expressions)),
    st.builds(ax.DisjointClasses, st.tuples(classes, classes)),
    st.builds(ax.ClassAssertion, expressions, st.sampled_from(INDIVIDUALS)),
)
goals: st.SearchStrategy[str | ax.Axiom] = st.one_of(
    st.builds(ax.SubClassOf, classes, classes),
    st.builds(ax.SubClassOf, classes, st.just(owl.NOTHING)),
    st.builds(ax.ClassAssertion, classes, st.sampled_from(INDIVIDUALS)),
    st.just("consistent"),
)
