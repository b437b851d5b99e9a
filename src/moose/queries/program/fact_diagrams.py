"""Saturation in which every fact carries a diagram over the uncertain axioms: the worlds in which it is derived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from moose.base.graphs import strong_components
from moose.circuit.diagram import Diagram
from moose.circuit.inference.most_probable_world import heaviest
from moose.circuit.inference.weights import LiteralWeights
from moose.circuit.sdd.copy_sdd import Copier
from moose.queries.program.program import GOAL, GoalProgram

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode

Body = frozenset[int]


class Labels:
    """A manager of diagrams whose variables are axioms."""

    def __init__(self, axioms: Sequence[int]) -> None:
        from pysdd.sdd import SddManager, Vtree

        self.variables = {axiom: position + 1 for position, axiom in enumerate(axioms)}
        count = max(1, len(axioms))
        tree = Vtree(var_count=count, var_order=list(range(1, count + 1)), vtree_type="right")
        self.manager: SddManager = SddManager.from_vtree(tree)
        self.manager.auto_gc_and_minimize_off()
        self.defined: dict[int, SddNode] = {}
        """Axioms that are no variables: they hold in the worlds of these diagrams."""

    def diagram(self, label: SddNode) -> Diagram:
        """Copy a label out of the manager."""
        copier = Copier(max(1, len(self.variables)))
        functions = copier.functions([copier.copy(label)])
        return Diagram(
            functions.variable_count, functions.starts, functions.primes, functions.subs, int(functions.roots[0])
        )

    def heaviest(self, label: SddNode, weights: LiteralWeights) -> dict[int, bool] | None:
        """Return which axioms hold in the heaviest world of a label; none if it has no world."""
        result = heaviest(self.diagram(label), weights)
        return None if result is None else dict(zip(self.variables, result[0]))  # a variable more where there are none

    def weights(self, weigh: Callable[[int], tuple[Fraction, Fraction]]) -> LiteralWeights:
        """Return the weights of diagrams: of each axiom's holding and not holding."""
        pairs = [weigh(axiom) for axiom in self.variables] or [(Fraction(1, 2), Fraction(1, 2))]
        return LiteralWeights([on for on, _ in pairs], [off for _, off in pairs])

    def axiom(self, axiom: int) -> SddNode:
        """Return the diagram of the worlds in which an axiom holds."""
        return self.defined[axiom] if axiom in self.defined else self.manager.literal(self.variables[axiom])

    def goal(self, program: GoalProgram) -> SddNode:
        """Return the diagram of the worlds in which a program concludes its goal.

        The label of a fact h is the least solution of h = ⋁ { ⋀ body : body → h }.
        """
        bodies: defaultdict[int, list[Body]] = defaultdict(list)
        for body, head in program.clauses:
            bodies[head].append(body)
        labels: dict[int, SddNode] = {axiom: self.axiom(axiom) for axiom in program.axioms}
        for component in strong_components([GOAL], lambda fact: premises(bodies[fact])):
            if component[0] not in program.axioms:
                self._settle(component, bodies, labels)
        return labels[GOAL]

    def _settle(
        self,
        component: Sequence[int],
        bodies: dict[int, list[Body]],
        labels: dict[int, SddNode],
    ) -> None:
        """Find the least labels of facts that depend on each other; all they depend on besides is settled."""
        inside = set(component)
        users: defaultdict[int, set[int]] = defaultdict(set)
        for fact in component:
            labels[fact] = self.manager.false()
            for body in bodies[fact]:
                for premise in body & inside:
                    users[premise].add(fact)
        waiting = dict.fromkeys(component)
        while waiting:
            fact = next(iter(waiting))
            del waiting[fact]
            label = self._disjunction((self._conjunction(body, labels) for body in bodies[fact]), labels[fact])
            if label.id != labels[fact].id:
                labels[fact] = label
                waiting.update(dict.fromkeys(sorted(users[fact])))

    def _conjunction(self, body: Body, labels: dict[int, SddNode]) -> SddNode:
        result = self.manager.true()
        for premise in sorted(body, key=lambda one: (labels[one].size(), one)):
            result = self.manager.conjoin(result, labels[premise])
            if result.is_false():
                break
        return result

    def _disjunction(self, parts: Iterable[SddNode], start: SddNode) -> SddNode:
        result = start
        for part in parts:
            result = self.manager.disjoin(result, part)
        return result


def premises(bodies: Iterable[Body]) -> Iterator[int]:
    """Yield the facts in bodies, in a fixed order."""
    for body in bodies:
        yield from sorted(body)
