"""How an axiom itself spells the concepts it relates, where that differs from the normal form: in data ranges only.

The normal form knows a data range by its values, so `"1"^^xsd:integer` and `"01"^^xsd:integer` are one concept to it; a
proof that cites an axiom must write what the axiom writes.
"""

from __future__ import annotations

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.normal.normal_form import NormalForm
from moose.saturation.proofs.expressions import canonical, intersection, some
from moose.saturation.proofs.numbering import Numbering
from moose.saturation.proofs.proof import Concept


class Spelling:
    """Finds, for a concept of the normal form, the same concept as an axiom writes it."""

    def __init__(self, form: NormalForm) -> None:
        self._numbering = Numbering(form)

    def in_axiom(self, axiom: ax.Axiom, concept: Concept, *, last: bool = False) -> Concept:
        """Return the concept as the axiom first (or last) spells it, or as it is where the axiom does not name it."""
        number = self._numbering.concept(concept)
        for side in reversed(sides(axiom)) if last else sides(axiom):
            if side == concept or self._numbering.concept(side) == number:
                return side
        return concept


def sides(axiom: ax.Axiom) -> list[Concept]:
    """Return the concepts that an axiom relates, each in the way of proofs."""
    match axiom:
        case ax.SubClassOf(sub, sup):
            return [canonical(sub), canonical(sup)]
        case ax.EquivalentClasses(operands) | ax.DisjointClasses(operands):
            return [canonical(operand) for operand in operands]
        case ax.ObjectPropertyDomain(_, domain) | ax.DataPropertyDomain(_, domain):
            return [canonical(domain)]
        case ax.ObjectPropertyRange(_, owl_range):
            return [canonical(owl_range)]
        case ax.ClassAssertion(cls, _) | ax.HasKey(cls):
            return [canonical(cls)]
        case ax.DataPropertyAssertion(role, source, literal, negative):
            claim: list[Concept] = [some(role, owl.DataOneOf((literal,)))]
            return [intersection([owl.ObjectOneOf((source,)), *claim])] if negative else claim
    return []
