"""Asserted subclass axioms that the rest of a reasoned ontology says already."""

from __future__ import annotations

from collections import defaultdict

from moose.owl.model.axioms import Axiom, SubClassOf
from moose.owl.model.expressions import Class, ObjectSomeValuesFrom
from moose.owl.ontology import with_axioms
from moose.owl.profile.el import is_el
from moose.saturation.answers.taxonomy import Taxonomy, classify

Restriction = ObjectSomeValuesFrom


def redundant(taxonomy: Taxonomy) -> tuple[Axiom, ...]:
    """Return asserted A ⊑ B and A ⊑ ∃r.B that follow from the direct hierarchy and the axioms that are left.

    A ⊑ B goes if there is a class between A and B, or the two are equivalent by other axioms. A ⊑ ∃r.B goes if a class
    above A is below ∃r.B, or A is told to be below an ∃s.C that is. Annotations of what goes are lost with it.
    """
    told = [
        axiom for axiom in taxonomy.ontology.axioms if isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Class)
    ]
    named = [axiom for axiom in told if is_indirect(taxonomy, axiom)]
    restrictions = [axiom for axiom in told if isinstance(axiom.sup, Restriction) and is_el(axiom.sup)]
    return (*named, *confirmed(taxonomy, named, redundant_restrictions(taxonomy, restrictions)))


def is_indirect(taxonomy: Taxonomy, axiom: SubClassOf) -> bool:
    """Return whether an asserted A ⊑ B between satisfiable classes has a class in between."""
    if not isinstance(axiom.sub, Class) or not isinstance(axiom.sup, Class):
        return False
    rows, numbers = taxonomy.rows, taxonomy.row_numbers
    low, high = numbers.get(axiom.sub.iri), numbers.get(axiom.sup.iri)
    if low is None or high is None or rows.heights[low] == rows.heights[high]:
        return False
    row = rows.row(low)
    return high not in rows.above[row][rows.is_direct[row]].tolist()


def redundant_restrictions(taxonomy: Taxonomy, told: list[SubClassOf]) -> list[SubClassOf]:
    """Return the A ⊑ ∃r.B that a class directly above A is below too, or that another axiom of A says more exactly."""
    by_restriction: defaultdict[Restriction, list[SubClassOf]] = defaultdict(list)
    own: defaultdict[str, list[Restriction]] = defaultdict(list)
    for axiom in told:
        assert isinstance(axiom.sub, Class) and isinstance(axiom.sup, Restriction)
        by_restriction[axiom.sup].append(axiom)
        own[axiom.sub.iri].append(axiom.sup)
    found = []
    for restriction, axioms in by_restriction.items():
        matches = taxonomy.query(restriction)
        below = {*matches.descendants, *matches.equivalents}
        for axiom in axioms:
            assert isinstance(axiom.sub, Class)
            is_inherited = not below.isdisjoint(taxonomy.parents(axiom.sub.iri))
            if is_inherited or any(is_stricter(taxonomy, other, restriction) for other in own[axiom.sub.iri]):
                found.append(axiom)
    return found


def is_stricter(taxonomy: Taxonomy, one: Restriction, other: Restriction) -> bool:
    """Return whether ∃s.C is strictly below ∃r.D, as far as their fillers and roles say so."""
    if one == other or not isinstance(one.filler, Class) or not isinstance(other.filler, Class):
        return False
    form = taxonomy.closure.form
    low, high = form.roles.index(one.property), form.roles.index(other.property)
    if not form.is_subrole[low, high] or not taxonomy.is_below(one.filler.iri, other.filler.iri):
        return False
    is_same = bool(form.is_subrole[high, low]) and taxonomy.is_below(other.filler.iri, one.filler.iri)
    return not is_same


def confirmed(taxonomy: Taxonomy, named: list[SubClassOf], restrictions: list[SubClassOf]) -> list[SubClassOf]:
    """Return those restrictions that follow where none of them is there.

    What makes one redundant may itself follow from it, by a chain that leads back. With all of them gone, those that no
    longer follow are put back; the others follow from what is left.
    """
    if not restrictions:
        return []
    gone = {*named, *restrictions}
    kept = [axiom for axiom in taxonomy.ontology.axioms if axiom not in gone]
    less = classify(with_axioms(taxonomy.ontology, [*kept, *taxonomy.inferred_axioms()]))
    answers = {one.sup: less.query(one.sup) for one in restrictions}
    below = {sup: {*found.descendants, *found.equivalents} for sup, found in answers.items()}
    empty = set(less.unsatisfiable)
    return [
        one
        for one in restrictions
        if isinstance(one.sub, Class) and (one.sub.iri in below[one.sup] or one.sub.iri in empty)
    ]
