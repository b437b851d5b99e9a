"""A reasoned ontology says what the ontology says, and its asserted hierarchy is the inferred one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.authoring.reasoned import IS_INFERRED, inferred_equivalences, reason
from moose.base.errors import InconsistentOntology, MooseError, UnknownName
from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DisjointClasses,
    EquivalentClasses,
    ObjectPropertyAssertion,
    ObjectPropertyCharacteristic,
    SubClassOf,
    SubObjectPropertyOf,
    without_annotations,
)
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    ClassExpression,
    Entity,
    NamedIndividual,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.saturation.dl.dl_queries import ClassMatches, DLQueries
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, random_axioms
from tests.searching import examples

A, B, C, D = (Class(name) for name in "ABCD")
r, s = ObjectProperty("r"), ObjectProperty("s")
NAMES: list[Entity] = [*CLASSES, *ROLES, *INDIVIDUALS]
PLAIN = ALL_FEATURES - {"top-role", "data", "functional", "keys", "bottom-role"}


def some(role: ObjectProperty, filler: ClassExpression) -> ObjectSomeValuesFrom:
    return ObjectSomeValuesFrom(role, filler)


def asserted_closure(axioms: Iterable[Axiom], classes: Iterable[str]) -> set[tuple[str, str]]:
    """Close the asserted edges between named classes, by hand."""
    above: dict[str, set[str]] = {name: set() for name in classes}
    for axiom in axioms:
        match axiom:
            case SubClassOf(Class(low), Class(high)):
                pairs = [(low, high)]
            case EquivalentClasses(operands):
                names = [one.iri for one in operands if isinstance(one, Class)]
                pairs = [(one, other) for one in names for other in names]
            case _:
                pairs = []
        for low, high in pairs:
            above.setdefault(low, set()).add(high)
    for _ in above:
        for highs in above.values():
            highs.update(*(above.get(one, set()) for one in tuple(highs)))
    special = {THING.iri, NOTHING.iri}
    return {
        (low, high)
        for low, highs in above.items()
        for high in highs
        if low != high and not special & {low, high} and NOTHING.iri not in highs
    }


@given(st.randoms(use_true_random=False), st.booleans())
@examples(40)
def test_the_hierarchy_is_asserted_and_nothing_else_changes(random: Random, is_reduced: bool) -> None:
    ontology = moose.ontology(random_axioms(random, features=PLAIN), declarations=NAMES)
    taxonomy = moose.classify(ontology)
    if not taxonomy.is_consistent:
        with pytest.raises(InconsistentOntology, match="has no model"):
            reason(ontology)
        return
    found = reason(ontology, reduce=is_reduced, materialise=[role.iri for role in ROLES])
    again = moose.classify(found.ontology)
    assert asserted_closure(found.ontology.axioms, ontology.classes) == set(taxonomy.closure_pairs())
    assert (again.closure_pairs(), again.unsatisfiable) == (taxonomy.closure_pairs(), taxonomy.unsatisfiable)
    assert is_reduced or not found.removed
    for axiom in found.removed:  # each is said by what is left
        assert moose.entailment(found.ontology, without_annotations(axiom))
    for axiom in found.inferred:  # and each that was added follows
        if isinstance(axiom, SubClassOf | ObjectPropertyAssertion | EquivalentClasses):
            assert moose.entailment(ontology, axiom)
    assert set(ontology.axioms) - set(found.removed) <= set(found.ontology.axioms)


@given(st.randoms(use_true_random=False))
@examples(30)
def test_all_restrictions_follow_from_the_materialised_ones(random: Random) -> None:
    """A ⊑ ∃r.B follows just when some class above A, or A, is told ∃r.C with C below B."""
    ontology = moose.ontology(random_axioms(random, features=PLAIN - {"nominals"}), declarations=NAMES)
    taxonomy = moose.classify(ontology)
    if not taxonomy.is_consistent:
        return
    role = ROLES[0]
    told = {
        (axiom.sub.iri, axiom.sup.filler.iri)
        for axiom in reason(ontology, materialise=[role]).ontology.axioms
        if isinstance(axiom, SubClassOf)
        and isinstance(axiom.sub, Class)
        and isinstance(axiom.sup, ObjectSomeValuesFrom)
        and axiom.sup.property == role
        and isinstance(axiom.sup.filler, Class)
    }
    for filler in CLASSES:
        matches = taxonomy.query(some(role, filler))
        below = {*matches.descendants, *matches.equivalents}
        said = {
            name
            for name in taxonomy.rows.names
            for low, high in told
            if taxonomy.is_below(name, low) and taxonomy.is_below(high, filler.iri)
        }
        assert below == said


@given(st.randoms(use_true_random=False), st.sets(st.sampled_from(ROLES)), st.booleans(), st.booleans())
@examples(60)
def test_what_is_reasoned_stays_as_it_is(
    random: Random, roles: set[ObjectProperty], is_reduced: bool, is_marked: bool
) -> None:
    ontology = moose.ontology(random_axioms(random, features=PLAIN), declarations=NAMES)
    if not moose.classify(ontology).is_consistent:
        return
    properties = sorted(roles, key=repr)
    once = reason(ontology, reduce=is_reduced, materialise=properties, mark=is_marked)
    again = reason(once.ontology, reduce=is_reduced, materialise=properties, mark=is_marked)
    assert (again.removed, again.inferred) == ((), ())
    assert again.ontology.axioms == once.ontology.axioms


def test_what_is_materialised_makes_what_is_asserted_redundant_at_once() -> None:
    told = [SubClassOf(A, some(s, C)), SubClassOf(A, some(r, D)), SubClassOf(D, B), SubClassOf(B, C)]
    ontology = moose.ontology([*told, SubObjectPropertyOf((r,), s), SubClassOf(A, some(r, B))])
    done = reason(ontology, reduce=True, materialise=[s])
    assert done.removed == (SubClassOf(A, some(s, C)), SubClassOf(A, some(r, B)))
    assert done.inferred == (SubClassOf(A, some(s, D)),)


def test_the_mark() -> None:
    found = reason(moose.ontology([EquivalentClasses((A, ObjectIntersectionOf((B, C))))]), mark=True)
    notes = {axiom: [note.property for note in axiom.annotations] for axiom in found.ontology.axioms}
    assert sum(marks == [IS_INFERRED] for marks in notes.values()) == 2


def test_a_chain_that_leads_back_keeps_its_axiom() -> None:
    """P ⊑ ∃r.A and A ⊑ P: that P is below ∃r.D follows from A ⊑ ∃r.D, which must not go for it."""
    axioms: list[Axiom] = [
        SubClassOf(A, B),
        SubClassOf(B, some(r, A)),
        ObjectPropertyCharacteristic("Transitive", r),
        SubClassOf(A, some(r, D)),
    ]
    assert reason(moose.ontology(axioms), reduce=True).removed == ()


def test_what_is_said_twice_goes() -> None:
    axioms: list[Axiom] = [
        SubClassOf(A, B),
        SubClassOf(B, C),
        SubClassOf(A, C),
        SubClassOf(B, some(r, D)),
        SubClassOf(A, some(r, D)),
        SubClassOf(C, some(r, THING)),
        SubObjectPropertyOf((r,), s),
        SubClassOf(B, some(s, D)),
    ]
    removed = reason(moose.ontology(axioms), reduce=True).removed
    assert set(removed) == {axioms[2], axioms[4], axioms[7]}


def test_role_assertions() -> None:
    a, b, c = (NamedIndividual(name) for name in "abc")
    axioms: list[Axiom] = [
        ObjectPropertyCharacteristic("Transitive", r),
        ObjectPropertyAssertion(r, a, b),
        ObjectPropertyAssertion(r, b, c),
        ClassAssertion(A, c),
    ]
    found = reason(moose.ontology(axioms), materialise=["r"])
    assert found.materialised == (ObjectPropertyAssertion(r, a, c),)
    with pytest.raises(UnknownName, match="expected the name of an object property"):
        reason(moose.ontology(axioms), materialise=["q"])


def test_equivalences_that_nobody_asserted() -> None:
    told: list[Axiom] = [EquivalentClasses((A, B)), SubClassOf(C, D), SubClassOf(D, C)]
    assert inferred_equivalences(moose.classify(moose.ontology(told))) == [("C", "D")]


def test_unsatisfiable_classes_are_told() -> None:
    axioms: list[Axiom] = [SubClassOf(A, B), SubClassOf(A, C), DisjointClasses((B, C))]
    assert SubClassOf(A, NOTHING) in reason(moose.ontology(axioms)).ontology.axioms


def test_restrictions_are_asked_about_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where queries need everything saturated again, as beside disjunctions, it is once for all of them."""
    told = []
    for number in range(20):
        here, role = Class(f"X{number}"), ObjectProperty("r")
        told += [SubClassOf(here, A), SubClassOf(here, ObjectSomeValuesFrom(role, here))]
        told.append(SubClassOf(here, ObjectSomeValuesFrom(role, A)))
    calls = []
    again = DLQueries._saturated_again

    def counted(self: DLQueries, expressions: Sequence[ClassExpression]) -> list[ClassMatches]:
        calls.append(len(expressions))
        return again(self, expressions)

    monkeypatch.setattr(DLQueries, "_looked_up", lambda self, expression: None)
    monkeypatch.setattr(DLQueries, "_saturated_again", counted)
    assert len(reason(moose.ontology(told), reduce=True).removed) == 20
    assert calls == [21, 1]


@pytest.mark.parametrize("name", ["topObjectProperty", "bottomObjectProperty"])
def test_roles_of_the_language_are_not_materialised(name: str) -> None:
    with pytest.raises(MooseError, match="properties of the ontology to materialise"):
        reason(
            moose.ontology([SubClassOf(A, B)]), materialise=[ObjectProperty(f"http://www.w3.org/2002/07/owl#{name}")]
        )


def test_a_role_that_no_axiom_speaks_of_has_nothing_to_materialise() -> None:
    ontology = moose.ontology([SubClassOf(A, B)], declarations=[r])
    assert reason(ontology, materialise=[r]).materialised == ()
