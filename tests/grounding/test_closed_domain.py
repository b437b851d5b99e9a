"""Axioms outside OWL 2 EL as clauses over named individuals, against every interpretation over these."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
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
from moose.grounding.named_individuals.axiom_formulas import Domain, axiom_instances
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import Ontology, ontology_from_axioms
from tests.grounding.closed_worlds import Worlds
from tests.searching import examples

DEFAULT = Components(links=False, reverse_links=False)
CLOSED = Components(links=False, reverse_links=False, closed_domain=True)
SHAPES = (("ABC", "r", "abc"), ("AB", "rs", "ab"), ("ABC", "rs", "ab"))

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


@dataclass(frozen=True)
class Drawn:
    """A task, the atoms of what it declares, and which rows of these the worlds have in which all axioms hold."""

    task: Task
    atoms: list[Atom]
    rows: set[tuple[bool, ...]]


def drawn(draw: Draw, shape: tuple[str, str, str], axioms: list[ax.Axiom]) -> Drawn:
    """Draw what a task declares, and find its worlds."""
    concepts = draw.some(draw.classes, draw.number(1, 3))
    roles = draw.some(draw.roles, draw.number(0, 2))
    names = [*(short(one.iri) for one in concepts), *(short(one.iri) for one in roles)]
    people = [short(one.iri) for one in draw.individuals]
    atoms: list[GroundAtom] = [(one, (x,)) for one in concepts for x in draw.individuals]
    atoms += [(role, pair) for role in roles for pair in product(draw.individuals, repeat=2)]
    worlds = worlds_of(shape)
    holds = worlds.models(axioms)
    table = np.stack([worlds.column(name, *who)[holds] for name, who in atoms], axis=1)
    return Drawn(
        Task(ontology_of(draw, axioms), people, names, []),
        [Atom(short(name.iri), tuple(short(one.iri) for one in who)) for name, who in atoms],
        {tuple(row) for row in np.unique(table, axis=0).tolist()},
    )


def check_models(drawn: Drawn, components: Components) -> None:
    """Compare the models of a circuit, over what the task declares, with the worlds in which the axioms hold."""
    circuit = circuit_of(drawn.task, components)
    assert (circuit is None) == (not drawn.rows)
    if circuit is None:
        return
    assert circuit.model_count() == len(drawn.rows)
    found = circuit.entailed()
    columns = zip(drawn.atoms, zip(*drawn.rows))
    assert {atom: found[str(atom)] for atom in drawn.atoms if str(atom) in found} == {
        atom: column[0] for atom, column in columns if len(set(column)) == 1
    }
    for row in sorted(drawn.rows)[:3]:
        assert circuit.model_count(dict(zip(drawn.atoms, row))) == 1


def says_the_same(axiom: ax.Axiom, draw: Draw) -> bool:
    """Return whether an axiom says the same of named individuals whether or not there are others."""
    numbers: defaultdict[tuple[str, tuple[str, ...]], int] = defaultdict(lambda: len(numbers) + 1)
    people = {one.iri: short(one.iri) for one in draw.individuals}
    domains = (
        Domain([*people.values()], people, lambda iri, who: numbers[iri, who], is_open) for is_open in (False, True)
    )
    closed, opened = (list(axiom_instances(axiom, domain)) for domain in domains)
    return closed == opened


@given(st.randoms(use_true_random=False), st.sampled_from(SHAPES))
@examples(60)
def test_in_a_closed_domain_the_models_are_all_interpretations(
    source: random.Random, shape: tuple[str, str, str]
) -> None:
    draw = Draw(source, classes=shape[0], roles=shape[1], people=shape[2])
    check_models(drawn(draw, shape, draw.axioms()), CLOSED)


@given(st.randoms(use_true_random=False), st.sampled_from(SHAPES))
@examples(60)
def test_where_nothing_need_exist_an_open_domain_is_the_same(
    source: random.Random, shape: tuple[str, str, str]
) -> None:
    draw = Draw(source, classes=shape[0], roles=shape[1], people=shape[2])
    axioms = [axiom for axiom in draw.axioms() if says_the_same(axiom, draw)]
    case = drawn(draw, shape, axioms)
    if case.task.as_clauses:  # without such an axiom names are not taken to be of different individuals
        check_models(case, DEFAULT)


@given(st.randoms(use_true_random=False), st.sampled_from(SHAPES))
@examples(40)
def test_an_open_domain_allows_all_that_a_closed_one_does(source: random.Random, shape: tuple[str, str, str]) -> None:
    draw = Draw(source, classes=shape[0], roles=shape[1], people=shape[2])
    case = drawn(draw, shape, draw.axioms())
    circuit = circuit_of(case.task, DEFAULT)
    for row in sorted(case.rows)[:: max(1, len(case.rows) // 20)]:
        assert circuit is not None
        assert circuit.model_count(dict(zip(case.atoms, row))) == 1
