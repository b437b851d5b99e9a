"""Asserted subclass axioms that the rest of a reasoned ontology says already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

import numpy as np

from moose.owl.model.axioms import Axiom, SubClassOf, without_annotations
from moose.owl.model.expressions import Class, DataProperty, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.ontology import with_axioms
from moose.owl.profile.el import is_el
from moose.saturation.answers.taxonomy import Taxonomy, classify
from moose.saturation.dl.dl_queries import ClassMatches

Restriction = ObjectSomeValuesFrom
Role = ObjectProperty | DataProperty


def redundant(taxonomy: Taxonomy, wanted: Collection[Axiom] = ()) -> tuple[Axiom, ...]:
    """Return asserted A ⊑ B and A ⊑ ∃r.B that follow from the direct hierarchy and the axioms that are left.

    A ⊑ B goes if there is a class between A and B, or the two are equivalent by other axioms. A ⊑ ∃r.B goes if a class
    above A is below ∃r.B, or A is told to be below an ∃s.C that is. Annotations of what goes are lost with it. What is
    `wanted` follows and will be there, asserted or not, so that it counts as told and stays.
    """
    told = [
        axiom for axiom in taxonomy.ontology.axioms if isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Class)
    ]
    named = [axiom for axiom in told if is_indirect(taxonomy, axiom)]
    restrictions = [axiom for axiom in told if isinstance(axiom.sup, Restriction) and is_el(axiom.sup)]
    staying = {axiom for axiom in wanted if isinstance(axiom, SubClassOf)}
    less = redundant_restrictions(taxonomy, restrictions, staying)
    return (*named, *confirmed(taxonomy, named, less, staying))


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


def redundant_restrictions(
    taxonomy: Taxonomy, told: list[SubClassOf], staying: Collection[SubClassOf]
) -> list[SubClassOf]:
    """Return the A ⊑ ∃r.B that a class directly above A is below too, or that another axiom of A says more exactly."""
    by_restriction: defaultdict[Restriction, list[SubClassOf]] = defaultdict(list)
    own: defaultdict[str, list[Restriction]] = defaultdict(list)
    for axiom in (*told, *staying):
        assert isinstance(axiom.sup, Restriction)
        own[name_of(axiom)].append(axiom.sup)
    for axiom in told:
        assert isinstance(axiom.sup, Restriction)
        if without_annotations(axiom) not in staying:
            by_restriction[axiom.sup].append(axiom)
    answers = taxonomy.dl_queries.ask_all(list(by_restriction))
    numbers = {role: number for number, role in enumerate(taxonomy.closure.form.roles)}
    return [
        axiom
        for matches, (restriction, axioms) in zip(answers, by_restriction.items(), strict=True)
        for axiom in axioms
        if is_inherited(taxonomy, axiom, matches)
        or any(is_stricter(taxonomy, numbers, other, restriction) for other in own[name_of(axiom)])
    ]


def is_inherited(taxonomy: Taxonomy, axiom: SubClassOf, matches: ClassMatches) -> bool:
    """Return whether a class directly above A is below the restriction, whose matches these are."""
    number = taxonomy.row_numbers.get(name_of(axiom))
    if number is None:
        return False
    row = taxonomy.rows.row(number)
    parents = taxonomy.rows.above[row][taxonomy.rows.is_direct[row]]
    return bool(np.isin(parents, matches.below).any() or np.isin(parents, matches.equal).any())


def name_of(axiom: SubClassOf) -> str:
    """Return the class that an axiom is about."""
    assert isinstance(axiom.sub, Class)
    return axiom.sub.iri


def is_stricter(taxonomy: Taxonomy, numbers: Mapping[Role, int], one: Restriction, other: Restriction) -> bool:
    """Return whether ∃s.C is strictly below ∃r.D, as far as their fillers and roles, by their numbers, say so."""
    if one == other or not isinstance(one.filler, Class) or not isinstance(other.filler, Class):
        return False
    form = taxonomy.closure.form
    assert isinstance(one.property, ObjectProperty)
    assert isinstance(other.property, ObjectProperty)
    low, high = numbers[one.property], numbers[other.property]
    if not form.is_subrole[low, high] or not is_class_below(taxonomy, one.filler, other.filler):
        return False
    return not (bool(form.is_subrole[high, low]) and is_class_below(taxonomy, other.filler, one.filler))


def is_class_below(taxonomy: Taxonomy, low: Class, high: Class) -> bool:
    """Return whether a class is below another, as `Taxonomy.is_below` does for names."""
    number, above = taxonomy.row_numbers.get(low.iri), taxonomy.row_numbers.get(high.iri)
    if number is None or above is None:
        return taxonomy.is_below(f"<{low.iri}>", f"<{high.iri}>")
    return low == high or bool(np.any(taxonomy.rows.above[taxonomy.rows.row(number)] == above))


def confirmed(
    taxonomy: Taxonomy, named: list[SubClassOf], restrictions: list[SubClassOf], staying: Collection[SubClassOf]
) -> list[SubClassOf]:
    """Return those restrictions that follow where none of them is there.

    What makes one redundant may itself follow from it, by a chain that leads back. With all of them gone, those that no
    longer follow are put back; the others follow from what is left.
    """
    if not restrictions:
        return []
    gone = {*named, *restrictions}
    kept = [axiom for axiom in taxonomy.ontology.axioms if axiom not in gone]
    less = classify(with_axioms(taxonomy.ontology, [*kept, *taxonomy.inferred_axioms(), *staying]))
    asked = list(dict.fromkeys(one.sup for one in restrictions))
    answers = dict(zip(asked, less.dl_queries.ask_all(asked), strict=True))
    return [one for one in restrictions if holds(less, name_of(one), answers[one.sup])]


def holds(taxonomy: Taxonomy, name: str, matches: ClassMatches) -> bool:
    """Return whether a class is below the expression whose matches these are, as an unsatisfiable one always is."""
    number = taxonomy.row_numbers.get(name)
    return number is None or bool(np.any(matches.below == number) or np.any(matches.equal == number))
