"""Axioms are told apart by what they say: not by their annotations, nor by an order that means nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.queries.probabilities.matching import UNORDERED, AxiomPositions, structure
from tests.owl.strategies import axioms as any_axioms
from tests.searching import examples

A, B, R = owl.Class("urn:x:A"), owl.Class("urn:x:B"), owl.ObjectProperty("urn:x:r")
NOTE = ax.Annotation("urn:moose:probability", owl.Literal("0.3"))


@examples(100)
@given(any_axioms(), st.randoms(use_true_random=False))
def test_neither_order_nor_annotations_tell_axioms_apart(axiom: ax.Axiom, random: Random) -> None:
    other = shuffled(axiom, random)
    assert structure(other) == structure(axiom)
    assert structure(replace(axiom, annotations=(NOTE,))) == structure(axiom)
    assert AxiomPositions(moose.ontology([axiom])).of(other) == (0,)


def shuffled(value: object, random: Random) -> ax.Axiom:
    """Return the same with the operands of its outermost construct in another order."""
    changes = {}
    for name in UNORDERED.get(type(value), ()):
        operands = list(getattr(value, name))
        random.shuffle(operands)
        changes[name] = tuple(operands)
    return replace(value, **changes)  # type: ignore[type-var, return-value]


@examples(100)
@given(any_axioms(), any_axioms())
def test_different_axioms_have_different_structures(one: ax.Axiom, other: ax.Axiom) -> None:
    one, other = replace(one, annotations=()), replace(other, annotations=())
    if type(one) not in UNORDERED and structure(one) == structure(other):
        assert type(one) is type(other)
    if one == other:
        assert structure(one) == structure(other)


def test_order_matters_where_it_means_something() -> None:
    s = owl.ObjectProperty("urn:x:s")
    assert structure(ax.SubObjectPropertyOf((R, s), R)) != structure(ax.SubObjectPropertyOf((s, R), R))
    assert structure(ax.SubClassOf(A, B)) != structure(ax.SubClassOf(B, A))
    assert structure(ax.DisjointClasses((A, A, B))) == structure(ax.DisjointClasses((A, B, B))), "sets, as in OWL 2"
    assert structure(ax.DisjointClasses((A, A))) != structure(ax.DisjointClasses((A, B)))
    assert structure(ax.DisjointClasses((A, A))) != structure(ax.DisjointClasses((B, B)))
    assert structure(ax.InverseObjectProperties(R, s)) == structure(ax.InverseObjectProperties(s, R))
