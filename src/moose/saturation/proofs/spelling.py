"""How an axiom itself spells the concepts it relates, where that differs from the normal form: in data ranges only.

The normal form knows a data range by its values, so `"1"^^xsd:integer` and `"01"^^xsd:integer` are one concept to it; a
proof that cites an axiom must write what the axiom writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.normal.normal_form import NormalForm
from moose.saturation.proofs.expressions import Numbering, canonical, intersection, some
from moose.saturation.proofs.proof import Concept


class Spelling:
    """Finds, for a concept of the normal form, the same concept as an axiom writes it."""

    def __init__(self, form: NormalForm) -> None:
        self._numbering = Numbering(form)

    def in_axiom(self, axiom: ax.Axiom, concept: Concept, *, last: bool = False) -> Concept:
        """Return the concept as the axiom first (or last) spells it, or as it is where the axiom does not name it."""
        stated = sides(axiom)
        return self._among(reversed(stated) if last else stated, concept)

    def inside_axiom(self, axiom: ax.Axiom, concept: Concept) -> Concept:
        """Return the concept as a side of the axiom spells it, or else a conjunct or filler inside a side."""
        stated = sides(axiom)
        return self._among([*stated, *(part for side in stated for part in parts(side))], concept)

    def _among(self, spellings: Iterable[Concept], concept: Concept) -> Concept:
        number = self._numbering.concept(concept)
        for one in spellings:
            if one == concept or (number is not None and self._numbering.concept(one) == number):
                return one
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


def parts(concept: Concept) -> Iterator[Concept]:
    """Yield the conjuncts and fillers that a concept is made of, and theirs."""
    match concept:
        case owl.ObjectIntersectionOf(operands) | owl.DataIntersectionOf(operands):
            inner: tuple[Concept, ...] = operands
        case owl.ObjectSomeValuesFrom(_, filler) | owl.DataSomeValuesFrom(_, filler):
            inner = (filler,)
        case _:
            inner = ()
    for one in inner:
        yield one
        yield from parts(one)
