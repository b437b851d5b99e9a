"""Facts and concepts as a description logician writes them, e.g. `Margherita ⊑ ∃hasTopping.Mozzarella`."""

from __future__ import annotations

from collections.abc import Callable

from moose.owl.model import expressions as owl
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption

Display = Callable[[str], str]
"""From an IRI to the name that is shown."""


def write_fact(fact: Fact, display: Display) -> str:
    """Write a fact."""
    match fact:
        case Subsumption(sub, sup):
            return f"{write_concept(sub, display)} ⊑ {write_concept(sup, display)}"
        case Link(source, role, target):
            parts = (write_concept(source, display), write_role(role, display), write_concept(target, display))
            return " → ".join(parts)
        case RoleInclusion(low, high):
            return f"{write_role(low, display)} ⊑ {write_role(high, display)}"
        case NonEmpty(concept):
            return f"{write_concept(concept, display)} has an element"


def write_role(role: Role | owl.ObjectPropertyExpression, display: Display) -> str:
    """Write a role."""
    if isinstance(role, owl.ObjectInverseOf):
        return f"{display(role.property.iri)}⁻"
    return display(role.iri)


def write_concept(concept: Concept, display: Display, *, inside: bool = False) -> str:
    """Write a class or data range of OWL 2 EL; anything else in functional syntax."""
    match concept:
        case owl.Class(iri):
            return {owl.THING.iri: "⊤", owl.NOTHING.iri: "⊥"}.get(iri) or display(iri)
        case owl.ObjectIntersectionOf(operands) | owl.DataIntersectionOf(operands):
            text = " ⊓ ".join(write_concept(operand, display, inside=True) for operand in operands)
            return f"({text})" if inside else text
        case owl.ObjectSomeValuesFrom(role, filler):
            return f"∃{write_role(role, display)}.{write_concept(filler, display, inside=True)}"
        case owl.DataSomeValuesFrom((role,), values):
            return f"∃{write_role(role, display)}.{write_concept(values, display, inside=True)}"
        case owl.ObjectHasSelf(role):
            return f"∃{write_role(role, display)}.Self"
        case owl.ObjectOneOf((owl.NamedIndividual(iri),)):
            return f"{{{display(iri)}}}"
        case owl.ObjectOneOf((owl.AnonymousIndividual(node),)):
            return f"{{_:{node}}}"
        case owl.DataOneOf((literal,)):
            return f"{{{render(literal, display)}}}"
        case owl.Datatype(iri):
            return display(iri)
    return render(concept, display)
