"""The tree of classes says what the taxonomy says, one node for classes that are equivalent."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.explore.class_axioms import ClassAxioms
from moose.explore.class_tree import ROOT, ClassTree
from moose.owl.model.axioms import Axiom, DisjointClasses, EquivalentClasses, SubClassOf
from moose.owl.model.expressions import Class, ObjectIntersectionOf
from moose.owl.model.signature import walk

CLASSES = st.sampled_from([Class(f"urn:{letter}") for letter in "abcdefg"])
AXIOMS = st.one_of(
    st.builds(SubClassOf, CLASSES, CLASSES),
    st.builds(lambda sub, one, two: SubClassOf(sub, ObjectIntersectionOf((one, two))), CLASSES, CLASSES, CLASSES),
    st.builds(lambda one, two: EquivalentClasses((one, two)), CLASSES, CLASSES),
    st.builds(lambda one, two: DisjointClasses((one, two)), CLASSES, CLASSES),
)


@given(st.lists(AXIOMS, max_size=12))
def test_the_tree_has_the_direct_pairs_of_the_taxonomy(axioms: list[Axiom]) -> None:
    taxonomy = moose.classify(moose.ontology(axioms))
    tree = ClassTree(taxonomy, str)
    listed = set()
    for iri in taxonomy.row_numbers:
        same = {iri, *taxonomy.equivalents(iri)}
        assert tree.node(iri) == min(same)
        expected = sorted({tree.node(one) for one in taxonomy.children(iri)})
        assert tree.children(iri) == expected and tree.count(iri) == len(expected)
        above = sorted({tree.node(one) for one in taxonomy.parents(iri)})
        assert tree.parents(iri) == (above or [ROOT])
        listed.update(expected)
        path = tree.path(iri)
        assert path[0] == ROOT and path[-1] == tree.node(iri)
        assert all(low in tree.children(high) for high, low in itertools.pairwise(path))
    nodes = {tree.node(iri) for iri in taxonomy.row_numbers}
    assert set(tree.children(ROOT)) == nodes - listed
    for iri in taxonomy.unsatisfiable:
        assert tree.path(iri) == [] and tree.children(iri) == [] and tree.count(iri) == 0


@given(st.lists(AXIOMS, max_size=12))
def test_every_axiom_of_a_class_is_listed_once(axioms: list[Axiom]) -> None:
    ontology = moose.ontology(axioms)
    index = ClassAxioms(ontology.axioms)
    for iri in ontology.classes:
        other, count = index.other(iri, 100)
        assert count == len(other)
        expected = [axiom for axiom in ontology.axioms if Class(iri) in walk(axiom)]
        assert sorted([*index.own(iri), *other], key=repr) == sorted(expected, key=repr)
