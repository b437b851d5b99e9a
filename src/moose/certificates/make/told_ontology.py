"""All that an ontology says, as the axioms of a certificate: what a certificate of non-entailment must speak of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from moose.base.errors import MooseError
from moose.certificates.make.data_facts import is_surely_inhabited, values_in
from moose.certificates.make.vocabulary import DATA_FACT, Vocabulary
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.datatypes import ValueSet
from moose.owl.normal.normal_form import NormalForm
from moose.owl.syntax.functional.write_functional import render

MOST_DISJOINT = 2_000
"""Two million pairs, some hundred megabytes; the checker takes no more either."""


def uncovered(form: NormalForm, axioms: Sequence[ax.Axiom]) -> str | None:
    """Return something that a saturated set does not speak of, or None."""
    has_data = any(isinstance(role, owl.DataProperty) for role in form.roles)
    if form.universal_role >= 0 and has_data:
        return "owl:topObjectProperty beside data properties"
    for axiom in axioms:
        if isinstance(axiom, ax.FunctionalDataProperty) or (isinstance(axiom, ax.HasKey) and axiom.data_properties):
            return render(axiom)
    return None


def tell_axioms(words: Vocabulary, axioms: Iterable[ax.Axiom]) -> None:
    """Add what the axioms say."""
    for axiom in axioms:
        for row in words.told(axiom):
            words.row(row, axiom)
        match axiom:
            case ax.DisjointClasses(operands):
                tell_disjoint(words, [words.concept(operand) for operand in operands], axiom)
            case ax.DifferentIndividuals(individuals):
                tell_disjoint(words, [words.nominal(one) for one in individuals], axiom)


def tell_disjoint(words: Vocabulary, members: Sequence[int], axiom: ax.Axiom) -> None:
    """Add C ⊓ D ⊑ ⊥ for each two members of a disjointness."""
    if len(members) > MOST_DISJOINT:
        raise MooseError(
            f"expected at most {MOST_DISJOINT:,} members of a disjointness in a certificate, which writes out every "
            f"two of them, but one has {len(members):,}; certify a module without it"
        )
    for one, other in combinations(members, 2):
        words.row(("sub", words.pair(one, other), words.bottom), axiom)


def tell_meaning(words: Vocabulary) -> None:
    """Add what OWL means by the reserved roles and, where there are data, that all else is a thing."""
    for name in list(words.roles):
        if name == render(owl.TOP_OBJECT_PROPERTY):
            words.row(("universal", words.roles[name], words.thing))
        elif name in (render(owl.BOTTOM_OBJECT_PROPERTY), render(owl.BOTTOM_DATA_PROPERTY)):
            words.row(("sub", words.some(words.roles[name], words.top), words.bottom))
    if words.has_data:
        for role in list(words.roles.values()):
            words.row(("sub", words.some(role, words.top), words.thing))
        for number, node in enumerate(words.nodes):
            if node[0] in ("class", "nominal") and number != words.thing:
                words.row(("sub", number, words.thing))


def tell_data(words: Vocabulary) -> None:
    """Add which data ranges lie in which, which are empty, and what is a value of owl:topDataProperty."""
    sets = {number: range_values(words, number) for number in range(len(words.nodes)) if words.is_range(number)}
    for number, values in sets.items():
        if values is None:
            continue
        if values.is_empty():
            words.row(("sub", number, words.bottom), origin=DATA_FACT)
        for other in words.ranges:
            wide = sets[other]
            if other not in words.parts(number) and wide is not None and values.is_subset(wide):
                words.row(("sub", number, other), origin=DATA_FACT)
    top = words.roles.get(render(owl.TOP_DATA_PROPERTY))
    for number, node in enumerate(words.nodes):
        if node[0] == "some" and node[1] == top and is_surely_inhabited(sets.get(int(node[2]))):
            words.row(("sub", words.thing, number), origin=DATA_FACT)


def range_values(words: Vocabulary, concept: int) -> ValueSet | None:
    """Return the values of a data range, or None where nothing is known."""
    return values_in(words.ranges[part] for part in words.parts(concept))
