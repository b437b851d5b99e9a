"""Kinds of individuals: what one has, another may lack, and what it lacks is as if it were not declared."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError, UnknownName
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task, task_text, write_task
from moose.owl.model.axioms import Axiom
from moose.owl.ontology import Ontology
from moose.saturation.answers.realise import realise
from tests.circuit.brute_force import worlds_of
from tests.grounding.reasoning import draw_task
from tests.grounding.tasks import ontology_of, texts
from tests.saturation.random_ontologies import ontologies
from tests.searching import examples

AXIOMS = """
Declaration(Class(:Zero)) Declaration(Class(:One)) Declaration(Class(:Low)) Declaration(Class(:High))
Declaration(Class(:Bright)) Declaration(Class(:Thing)) Declaration(ObjectProperty(:of))
SubClassOf(:One :Bright) SubClassOf(:Bright :Thing) SubClassOf(:Thing ObjectSomeValuesFrom(:of :Low))
SubClassOf(ObjectIntersectionOf(:High ObjectSomeValuesFrom(:of :Zero)) :Low)
DisjointClasses(:Zero :Bright)
"""
KINDS = {
    "image": Kind(individuals=["a", "b"], observed=["Bright"], latent=["Zero", "One"], families=[["Zero", "One"]]),
    "sum": Kind(individuals=["s"], observed=["Low", "High"], families=[["Low", "High"]], has_input=False),
}


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Ontology:
    return ontology_of(tmp_path_factory.mktemp("sums"), AXIOMS)


def make(sums: Ontology, **changes: Any) -> Task:
    given: dict[str, Any] = {"individuals": [], "observed": [], "latent": [], "roles": {"of": [("s", "a"), ("s", "b")]}}
    return Task(sums, **({**given, "kinds": KINDS} | changes))


def test_each_kind_has_its_own_concepts_families_and_inputs(sums: Ontology) -> None:
    task = make(sums)
    assert task.individuals == ("a", "b", "s")
    assert [one.name for one in task.concepts] == ["Zero", "One", "Bright", "Low", "High"]
    assert task.families == (("Zero", "One"), ("Low", "High"))
    assert task.has_concept.astype(int).tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1]]
    assert task.has_family.tolist() == [[True, False], [True, False], [False, True]]
    assert task.has_input.tolist() == [True, True, False]
    circuit = compile_circuit(ground(task))
    assert {str(atom) for atom in circuit.atoms} == {
        *(f"{name}({one})" for name in ("Zero", "One", "Bright") for one in "ab"),
        "Low(s)",
        "High(s)",
    }
    assert len(circuit.clauses.families) == 3


def test_what_no_kind_lists_is_everybodys(sums: Ontology) -> None:
    task = make(sums, individuals=["x"], observed=["Thing"])
    assert task.has_concept[:, [one.name for one in task.concepts].index("Thing")].all()
    assert task.individuals == ("x", "a", "b", "s")
    assert task.has_input.tolist() == [True, True, True, False]
    assert "Thing(s)" in map(str, compile_circuit(ground(task)).atoms)


def test_what_goes_through_a_concept_that_is_lacking_still_follows(sums: Ontology) -> None:
    kinds = {"image": replace(KINDS["image"], observed=[]), "lamp": Kind(individuals=["l"], observed=["Bright"])}
    task = make(sums, observed=["Thing"], kinds=kinds, roles=None)
    said = texts(ground(task))
    assert "One(a) → Thing(a)" in said  # through Bright, which an image does not have here
    assert "Bright(l) → Thing(l)" in said
    assert not any("Bright(a)" in text or "One(l)" in text for text in said)


def test_a_latent_concept_without_an_input_is_open(sums: Ontology) -> None:
    kinds = {"image": replace(KINDS["image"], has_input=False)}
    clauses = ground(make(sums, kinds=kinds, roles=None))
    kinds_of = {str(atom): AtomKind(kind) for atom, kind in zip(clauses.atoms, clauses.kinds.tolist())}
    assert kinds_of["Zero(a)"] == AtomKind.LATENT_ROLE
    assert kinds_of["Bright(a)"] == AtomKind.OBSERVABLE


def test_kinds_survive_a_change_and_a_file(sums: Ontology, tmp_path: Path) -> None:
    task = make(sums, observed=["Thing"])
    again = replace(task, closure=("mutex",))
    assert np.array_equal(again.has_concept, task.has_concept)
    assert np.array_equal(again.has_family, task.has_family)
    write_task(task, tmp_path / "task.toml", ontology="small.ofn")
    ontology_of(tmp_path, AXIOMS)
    read = read_task(tmp_path / "task.toml")
    assert task_text(read, ontology="x") == task_text(task, ontology="x")
    assert np.array_equal(read.has_concept, task.has_concept)
    assert read.has_input.tolist() == task.has_input.tolist()


def test_a_file_may_leave_out_what_kinds_list(tmp_path: Path) -> None:
    ontology_of(tmp_path, AXIOMS)
    (tmp_path / "task.toml").write_text(
        'ontology = "small.ofn"\n[kinds.image]\nindividuals = ["a"]\nlatent = ["Zero", "One"]\n'
        'families = [["Zero", "One"]]\n[kinds.pair]\nindividuals = ["p"]\nobserved = ["High"]\ninput = false\n',
        encoding="utf-8",
    )
    task = moose.read_task(tmp_path / "task.toml")
    assert task.individuals == ("a", "p")
    assert task.has_input.tolist() == [True, False]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "two kinds": ({"kinds": {**KINDS, "other": Kind(individuals=["a"])}}, "a is listed with the kinds image and other"),
    "no kind": ({"kinds": {"image": 3}}, "expected a kind"),
    "unknown key": ({"kinds": {"image": {"inputs": True}}}, "'inputs'"),
    "bad input": ({"kinds": {"image": {"individuals": ["a"], "input": "yes"}}}, "expected true or false"),
    "role in a kind": ({"kinds": {"image": Kind(["a"], observed=["of"])}}, "lists the role 'of'"),
    "unknown concept": ({"kinds": {"image": Kind(["a"], observed=["Nope"])}}, "observed of the kind image"),
    "both": ({"kinds": {**KINDS, "lamp": Kind(["l"], latent=["Bright"])}}, "both observed and latent"),
    "family of everybody": ({"families": [["Zero", "One", "Low"]]}, "has no Low"),
    "family of another": ({"kinds": {**KINDS, "lamp": Kind(["l"], families=[["Zero", "Low"]])}}, "has no Zero"),
    "a fact": ({"facts": ["Low(a)"]}, "the kind of a has no Low"),
    "a list": ({"kinds": ["image"]}, "expected a table from names for kinds"),
    "families as a word": ({"kinds": {"image": Kind(["a"], families="Zero")}}, "expected a list of families"),
}


@pytest.mark.parametrize(("changes", "expected"), BAD.values(), ids=BAD.keys())
def test_bad_kinds_are_named_in_one_sentence(sums: Ontology, changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(MooseError) as error:
        make(sums, **changes)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_evidence_on_what_a_kind_lacks_is_refused(sums: Ontology) -> None:
    circuit = compile_circuit(ground(make(sums)))
    with pytest.raises(UnknownName, match=r"no atom Low\(a\)"):
        circuit.posterior(["Low(a)"])


# ── Against all worlds ────────────────────────────────────────────────────────────────────────────────────────────


def typed(source: random.Random, plain: Task) -> Task:
    """Give each individual a kind of its own, or none, with some of the concepts and perhaps a family."""
    names = [one.name for one in plain.concepts]
    kinds = {}
    for number, individual in enumerate(plain.individuals):
        if source.random() < 0.7:
            own = source.sample(names, source.randint(0, len(names)))
            family = source.sample(own, 2) if len(own) > 1 and source.random() < 0.5 else []
            kinds[f"k{number}"] = Kind([individual], own, families=[family] if family else [])
    return replace(plain, kinds=kinds)


@examples(120)
@given(axioms=ontologies(), source=st.randoms(use_true_random=False), fresh=st.booleans())
def test_a_kind_lacks_a_concept_as_if_it_were_not_declared(
    axioms: list[Axiom], source: random.Random, *, fresh: bool
) -> None:
    plain = draw_task(source, axioms, fresh=fresh)
    if plain.ontology.profile.outside or not realise(plain.ontology).is_consistent:
        return
    task = typed(source, plain)
    untyped = ground(plain, components=Components.just())
    if len(untyped.atoms) > 12:
        return
    present = {
        Atom(concept.name, (name,))
        for name, has in zip(task.individuals, task.has_concept)
        for concept, one in zip(task.concepts, has)
        if one
    }
    hidden = [len(atom.arguments) == 1 and atom not in present for atom in untyped.atoms]
    kinds = np.where(hidden, AtomKind.AUXILIARY, untyped.kinds).astype(np.int8)
    worlds = worlds_of(replace(untyped, kinds=kinds))
    expected = {world for world in map(frozenset, named(worlds.atoms, worlds.models())) if fits(task, world)}
    for encoding in (ground(task, components=Components.just("mutex", "cover")),):
        circuit = compile_circuit(encoding)
        assert set(circuit.atoms) == set(worlds.atoms)
        found = worlds_of(encoding)
        assert set(map(frozenset, named(found.atoms, found.models()))) == expected
        assert circuit.model_count() == len(expected)


def named(atoms: tuple[Atom, ...], models: list[tuple[bool, ...]]) -> list[set[Atom]]:
    return [{atom for atom, holds in zip(atoms, model) if holds} for model in models]


def fits(task: Task, world: frozenset[Atom]) -> bool:
    """Say whether every individual has one member of each of its families."""
    return all(
        sum(Atom(name, (individual,)) in world for name in family) == 1
        for individual, has in zip(task.individuals, task.has_family)
        for family, one in zip(task.families, has)
        if one
    )


def test_the_paper_grounds_kinds_too(sums: Ontology) -> None:
    task = make(sums)
    clauses = ground(task, encoding="paper")
    assert "One(a) → Bright(a)" in texts(clauses)
    for clause in clauses:
        atoms = [clauses.atoms[abs(literal) - 1] for literal in clause]
        assert all(clauses.kinds[clauses.positions[atom]] != AtomKind.AUXILIARY for atom in atoms)
    pairs = {tuple(sorted(map(str, pair))) for pair in combinations(("Zero(a)", "One(a)"), 2)}
    assert pairs <= {
        tuple(sorted(str(clauses.atoms[-literal - 1]) for literal in clause))
        for clause in clauses
        if len(clause) == 2 and max(clause) < 0
    }
