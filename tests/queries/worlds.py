"""All worlds of an ontology with uncertain axioms, one by one: the plain reading of DISPONTE."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import ClassExpression
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.saturation.answers.closure import closure_of_form
from moose.saturation.engine.saturate import is_possible


def entails(axioms: Sequence[ax.Axiom], sub: ClassExpression, sup: ClassExpression) -> bool:
    """Ask the reasoner whether C ⊑ D follows."""
    form = normalise(axioms, goals=[(sub, sup)])
    left, right = form.goals[0]
    closure = closure_of_form(form, roots=[left])
    if not closure.is_consistent or not closure.is_satisfiable(left):
        return True
    world = closure.world_of(left)
    return not is_possible(world) or world.has(left, right)


def chosen(ontology: Ontology, holding: Collection[int]) -> list[ax.Axiom]:
    """Return the EL axioms of some axioms of an ontology."""
    outside = {id(one.axiom): one.used for one in ontology.profile.outside}
    axioms = [ontology.axioms[number] for number in sorted(holding)]
    return [part for axiom in axioms for part in outside.get(id(axiom), (axiom,))]


def worlds(ontology: Ontology, weights: Mapping[int, tuple[Fraction, Fraction]]) -> Iterator[tuple[set[int], Fraction]]:
    """Yield every choice of the uncertain axioms, as all axioms that hold, with its weight."""
    certain = set(range(len(ontology.axioms))) - weights.keys()
    for choice in product((True, False), repeat=len(weights)):
        held = dict(zip(weights, choice, strict=True))
        weight = prod((weights[axiom][not holds] for axiom, holds in held.items()), start=Fraction(1))
        yield certain | {axiom for axiom, holds in held.items() if holds}, weight
