"""Laconic justifications against their definition: no axiom, and no part of one, can be left out."""

from __future__ import annotations

from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

import moose
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.names import short_name
from moose.owl.ontology import merge_documents
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import render
from moose.queries.justify.justifications import justifications
from tests.queries.small_ontologies import classes, follows, roles
from tests.searching import examples

A, B, C, D, E = (owl.Class(f"urn:{name}") for name in "ABCDE")
R = owl.ObjectProperty("urn:r")

Path = tuple[int, ...]
somes = st.builds(owl.ObjectSomeValuesFrom, roles, classes)
pairs = st.lists(st.one_of(classes, somes), min_size=2, max_size=2, unique=True).map(
    lambda parts: owl.ObjectIntersectionOf(tuple(parts))
)
rights = st.one_of(classes, somes, pairs, st.builds(owl.ObjectSomeValuesFrom, roles, pairs), st.just(owl.NOTHING))
told = st.one_of(
    st.builds(ax.SubClassOf, st.one_of(classes, somes), rights),
    st.builds(lambda one, two: ax.EquivalentClasses((one, two)), classes, pairs),
    st.lists(classes, min_size=3, max_size=3, unique=True).map(lambda three: ax.DisjointClasses(tuple(three))),
    st.builds(ax.ObjectPropertyRange, roles, pairs),
)


@examples(25)
@given(
    st.lists(told, min_size=2, max_size=4, unique=True), st.builds(ax.SubClassOf, classes, st.just(owl.NOTHING) | somes)
)
def test_laconic_justifications_are_as_defined(some: list[ax.Axiom], goal: ax.SubClassOf) -> None:
    pieces = [piece for axiom in some for piece in pieces_of(axiom)]
    assume(len(pieces) <= 11)
    found = [frozenset(one.axioms) for one in justifications(moose.ontology(some), goal, is_laconic=True)]
    assert {tuple(sorted(map(normal, one))) for one in found} == by_definition(pieces, goal)


Piece = tuple[ax.Axiom, tuple[owl.ClassExpression, ...]]
"""A simple axiom, and the expressions from its right-hand side down to a part of it."""


def pieces_of(axiom: ax.Axiom) -> list[Piece]:
    """Return what can be left out of an axiom, for itself: each conjunct, at each depth."""
    match axiom:
        case ax.DisjointClasses(operands):
            return [(ax.DisjointClasses(pair), ()) for pair in combinations(operands, 2)]
        case ax.EquivalentClasses((one, two)):
            return pieces_of(ax.SubClassOf(one, two)) + pieces_of(ax.SubClassOf(two, one))
        case ax.SubClassOf(sub, sup):
            return [(ax.SubClassOf(sub, owl.THING), path) for path in paths(sup)]
        case ax.ObjectPropertyRange(role, sup):
            return [(ax.ObjectPropertyRange(role, owl.THING), path) for path in paths(sup)]
    raise AssertionError(axiom)


def paths(concept: owl.ClassExpression) -> list[tuple[owl.ClassExpression, ...]]:
    """Return the ways down to each conjunct and filler."""
    match concept:
        case owl.ObjectIntersectionOf(operands):
            return [path for operand in operands for path in paths(operand)]
        case owl.ObjectSomeValuesFrom(_, filler):
            return [(concept,), *((concept, *path) for path in paths(filler))]
    return [(concept,)]


def written(pieces: list[Piece]) -> list[ax.Axiom]:
    """Put pieces together into axioms, one for each conjunct; a piece without what it is inside of says nothing."""
    heads = dict.fromkeys((head, path[:1]) for head, path in pieces)
    result = []
    for head, top in heads:
        if not top:
            result.append(head)
        elif (head, top) in pieces:
            concept = rebuilt(head, top, pieces)
            match head:
                case ax.SubClassOf(sub, _):
                    result.append(ax.SubClassOf(sub, concept))
                case ax.ObjectPropertyRange(role, _):
                    result.append(ax.ObjectPropertyRange(role, concept))
    return result


def rebuilt(head: ax.Axiom, path: tuple[owl.ClassExpression, ...], pieces: list[Piece]) -> owl.ClassExpression:
    here = path[-1]
    if not isinstance(here, owl.ObjectSomeValuesFrom):
        return here
    below = dict.fromkeys(
        one for other, one in pieces if other == head and len(one) == len(path) + 1 and one[:-1] == path
    )
    inside = [rebuilt(head, one, pieces) for one in below]
    filler = inside[0] if len(inside) == 1 else owl.ObjectIntersectionOf(tuple(inside)) if inside else owl.THING
    return owl.ObjectSomeValuesFrom(here.property, filler)


def by_definition(pieces: list[Piece], goal: ax.Axiom) -> set[tuple[str, ...]]:
    """Return the axioms of each set of pieces that entails a goal while no smaller one does."""
    pieces = list(dict.fromkeys(pieces))
    minimal: list[frozenset[Piece]] = []
    for size in range(len(pieces) + 1):
        for some in combinations(pieces, size):
            if not any(one <= set(some) for one in minimal) and follows(written(list(some)), goal):
                minimal.append(frozenset(some))
    return {tuple(sorted(map(normal, written([one for one in pieces if one in some])))) for some in minimal}


def normal(axiom: ax.Axiom) -> str:
    """Write an axiom, conjuncts in order."""
    match axiom:
        case ax.SubClassOf(sub, sup):
            return f"{ordered(sub)} ⊑ {ordered(sup)}"
        case ax.ObjectPropertyRange(role, sup):
            return f"range {render(role)} {ordered(sup)}"
        case ax.DisjointClasses(operands):
            return f"disjoint {sorted(map(ordered, operands))}"
    raise AssertionError(axiom)


def ordered(concept: owl.ClassExpression) -> str:
    match concept:
        case owl.ObjectIntersectionOf(operands):
            return " ⊓ ".join(sorted(map(ordered, operands)))
        case owl.ObjectSomeValuesFrom(role, filler):
            return f"∃{render(role)}.({ordered(filler)})"
    return render(concept)


def test_what_is_not_needed_of_an_axiom_is_left_out() -> None:
    some = owl.ObjectSomeValuesFrom(R, owl.ObjectIntersectionOf((B, C)))
    told: list[ax.Axiom] = [
        ax.EquivalentClasses((A, owl.ObjectIntersectionOf((E, some)))),
        ax.SubClassOf(owl.ObjectSomeValuesFrom(R, B), D),
        ax.DisjointClasses((B, D, A)),
    ]
    (one,) = justifications(moose.ontology(told), ax.SubClassOf(A, owl.NOTHING), is_laconic=True)
    assert one.axioms == (
        ax.SubClassOf(A, owl.ObjectSomeValuesFrom(R, B)),
        ax.SubClassOf(owl.ObjectSomeValuesFrom(R, B), D),
        ax.DisjointClasses((D, A)),
    )


def test_assertions_and_domains_have_parts_too() -> None:
    text = """
    Prefix(:=<urn:>)
    Ontology(
      ClassAssertion(ObjectIntersectionOf(:A ObjectSomeValuesFrom(:r :B)) :a)
      ObjectPropertyDomain(:r ObjectIntersectionOf(:C :D))
    )
    """
    ontology = merge_documents([read_functional(text, "parts.ofn")])
    (one,) = justifications(ontology, "ClassAssertion(C a)", is_laconic=True)
    assert [render(axiom, short_name) for axiom in one.axioms] == [
        "ClassAssertion(ObjectSomeValuesFrom(r Thing) a)",
        "ObjectPropertyDomain(r C)",
    ]
