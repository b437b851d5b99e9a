"""Axioms outside OWL 2 EL as clauses over named individuals, against every interpretation over these."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.closed_draw import NAMESPACE, Draw
from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.signature import walk
from moose.owl.ontology import Ontology, ontology_from_axioms
from tests.grounding.closed_worlds import Worlds
from tests.searching import examples

DEFAULT = Components(links=False, reverse_links=False)
EVERYTHING = Components(links=False, reverse_links=False, witnesses=True)
SHAPES = (("ABC", "r", "abc"), ("AB", "rs", "ab"), ("ABC", "rs", "ab"))
BRINGS_NEW = (owl.ObjectSomeValuesFrom, owl.ObjectAllValuesFrom, owl.ObjectMinCardinality, owl.ObjectExactCardinality)

GroundAtom = tuple[owl.Class | owl.ObjectProperty, tuple[owl.NamedIndividual, ...]]


@cache
def worlds_of(shape: tuple[str, str, str]) -> Worlds:
    """Return all interpretations over names."""
    draw = Draw(random.Random(0), classes=shape[0], roles=shape[1], people=shape[2])
    return Worlds(draw.classes, draw.roles, draw.individuals)


def ontology_of(draw: Draw, axioms: list[ax.Axiom]) -> Ontology:
    """Make an ontology that declares all names."""
    return ontology_from_axioms(axioms, declarations=(*draw.classes, *draw.roles, *draw.individuals))


def short(iri: str) -> str:
    """Return the name at the end of an IRI."""
    return iri.removeprefix(NAMESPACE)


def circuit_of(task: Task, components: Components) -> Circuit | None:
    """Compile a task; none where it has no model."""
    try:
        circuit = compile_circuit(ground(task, components=components))
    except MooseError as error:
        if "contradict" not in str(error) and "inconsistent" not in str(error):
            raise
        return None
    return circuit if circuit.model_count() else None


def check(draw: Draw, axioms: list[ax.Axiom], shape: tuple[str, str, str], components: Components) -> None:
    """Compare the models of a circuit, over what a task declares, with the worlds in which the axioms hold."""
    concepts = draw.some(draw.classes, draw.number(1, 3))
    roles = draw.some(draw.roles, draw.number(0, 2))
    names = [*(short(one.iri) for one in concepts), *(short(one.iri) for one in roles)]
    people = [short(one.iri) for one in draw.individuals]
    task = Task(ontology_of(draw, axioms), people, names, [])
    worlds = worlds_of(shape)
    atoms: list[GroundAtom] = [(one, (x,)) for one in concepts for x in draw.individuals]
    atoms += [(role, pair) for role in roles for pair in product(draw.individuals, repeat=2)]
    rows = worlds.models(axioms)
    table = np.stack([worlds.column(name, *who)[rows] for name, who in atoms], axis=1)
    circuit = circuit_of(task, components)
    assert (circuit is None) == (len(table) == 0)
    if circuit is None:
        return
    expected = {tuple(row) for row in np.unique(table, axis=0).tolist()}
    assert circuit.model_count() == len(expected)
    spelled = [Atom(short(name.iri), tuple(short(one.iri) for one in who)) for name, who in atoms]
    found = circuit.entailed()
    assert {atom: found[str(atom)] for atom in spelled if str(atom) in found} == {
        atom: bool(column[0]) for atom, column in zip(spelled, table.T) if len(set(column.tolist())) == 1
    }
    for row in list(expected)[:3]:
        assert circuit.model_count(dict(zip(spelled, row))) == 1


def is_open(axiom: ax.Axiom, closed: set[ax.Axiom]) -> bool:
    """Return whether an axiom of OWL 2 EL may bring individuals without a name in."""
    return axiom not in closed and any(isinstance(part, BRINGS_NEW) for part in walk(axiom))


@given(st.randoms(use_true_random=False), st.sampled_from(SHAPES))
@examples(60)
def test_with_witnesses_the_models_are_all_interpretations(source: random.Random, shape: tuple[str, str, str]) -> None:
    draw = Draw(source, classes=shape[0], roles=shape[1], people=shape[2])
    check(draw, draw.axioms(), shape, EVERYTHING)


@given(st.randoms(use_true_random=False), st.sampled_from(SHAPES))
@examples(60)
def test_without_open_existentials_the_default_is_the_same(source: random.Random, shape: tuple[str, str, str]) -> None:
    draw = Draw(source, classes=shape[0], roles=shape[1], people=shape[2])
    axioms = draw.axioms(is_el_closed=True)
    outside = {row.axiom for row in ontology_of(draw, axioms).profile.outside if not row.is_exact}
    check(draw, [axiom for axiom in axioms if not is_open(axiom, outside)], shape, DEFAULT)
