"""The full encoding: what it entails from positive evidence is what the reasoner derives."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import InconsistentOntology, MooseError
from moose.grounding.atoms import Atom, parse_atom
from moose.grounding.clauses import AtomKind, Origin
from moose.grounding.encodings.entailments import entailments
from moose.grounding.encodings.layout import lay_out
from moose.grounding.encodings.lifted import is_liftable, lifted_entailments
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.owl.syntax.functional.read_functional import read_functional
from moose.saturation.answers.realise import realise
from moose.saturation.recorded.horn import FALSUM, least_model
from tests.grounding.reasoning import (
    as_horn,
    draw_task,
    entailed_atoms,
    ground_entailed,
    task_atoms,
)
from tests.saturation.random_ontologies import ALL_FEATURES, ontologies
from tests.searching import examples

UNNAMED = frozenset(ALL_FEATURES - {"nominals", "assertions", "keys", "top-role", "self", "reflexive"})
"""What random ontologies may use that tells no individual apart."""


def chosen(source: random.Random, atoms: Sequence[Atom]) -> list[Atom]:
    """Choose some evidence."""
    return source.sample(atoms, min(len(atoms), source.randint(0, 4)))


@pytest.mark.parametrize("features", [ALL_FEATURES, UNNAMED], ids=["all", "unnamed"])
@examples(150)
@given(data=st.data())
def test_entails_what_the_reasoner_derives(features: frozenset[str], data: st.DataObject) -> None:
    axioms = data.draw(ontologies(features))
    source = data.draw(st.randoms(use_true_random=False))
    task = draw_task(source, axioms, fresh=data.draw(st.booleans()))
    if task.ontology.profile.outside:
        return
    if not realise(task.ontology).is_consistent:
        with pytest.raises(InconsistentOntology):
            ground_entailed(task)
        return
    clauses = ground_entailed(task)
    atoms, program = task_atoms(clauses), as_horn(clauses)
    for _ in range(3):
        evidence = chosen(source, atoms)
        found = least_model(program, [clauses.positions[atom] for atom in evidence])
        expected = entailed_atoms(task, atoms, evidence)
        if expected is None:
            assert FALSUM in found
        else:
            assert {atoms[position] for position in found if position < len(atoms)} == expected


@examples(80)
@given(data=st.data())
def test_lifted_rules_say_what_all_individuals_one_by_one_say(data: st.DataObject) -> None:
    source = data.draw(st.randoms(use_true_random=False))
    task = draw_task(source, data.draw(ontologies(UNNAMED)), fresh=True)
    if not is_liftable(task):
        return
    layout = lay_out(task, pin_roles=True, has_loops=True)
    alike, lifted = lifted_entailments(task, layout)
    one_by_one = entailments(task, layout).clauses
    count = len(task.concepts)
    program = lifted.clauses + [
        (frozenset(atom + count * place for atom in body), head + count * place if head != FALSUM else FALSUM)
        for place in range(len(task.individuals))
        for body, head in alike
    ]
    for _ in range(4):
        evidence = [layout.positions[atom] for atom in chosen(source, layout.atoms)]
        ours, theirs = least_model(program, evidence), least_model(one_by_one, evidence)
        assert (FALSUM in ours) == (FALSUM in theirs)
        if FALSUM not in ours:
            assert {a for a in ours if a < len(layout.atoms)} == {a for a in theirs if a < len(layout.atoms)}


# ── One construct at a time ───────────────────────────────────────────────────────────────────────────────────────

PREFIX = "Prefix(:=<http://example.org/>) Ontology("

CONSTRUCTS = {
    "conjunction": ("SubClassOf(ObjectIntersectionOf(:A :B) :C)", ["A(x)", "B(x)"], "C(x)"),
    "existential on the left": ("SubClassOf(ObjectSomeValuesFrom(:r :A) :C)", ["r(x,y)", "A(y)"], "C(x)"),
    "nested existential": (
        "SubClassOf(ObjectSomeValuesFrom(:r ObjectIntersectionOf(:A ObjectSomeValuesFrom(:s :B))) :C)",
        ["r(x,y)", "A(y)", "s(y,z)", "B(z)"],
        "C(x)",
    ),
    "unnamed successor": (
        "SubClassOf(:A ObjectSomeValuesFrom(:s :B)) SubClassOf(ObjectSomeValuesFrom(:s :B) :C)",
        ["A(x)"],
        "C(x)",
    ),
    "role inclusion": ("SubObjectPropertyOf(:r :s)", ["r(x,y)"], "s(x,y)"),
    "chain": ("SubObjectPropertyOf(ObjectPropertyChain(:r :s) :t)", ["r(x,y)", "s(y,z)"], "t(x,z)"),
    "chain of three": (
        "SubObjectPropertyOf(ObjectPropertyChain(:r :s :t) :t)",
        ["r(x,y)", "s(y,z)", "t(z,x)"],
        "t(x,x)",
    ),
    "transitive": ("TransitiveObjectProperty(:r)", ["r(x,y)", "r(y,z)"], "r(x,z)"),
    "chain into an unnamed successor": (
        """SubClassOf(:A ObjectSomeValuesFrom(:s :B)) SubObjectPropertyOf(ObjectPropertyChain(:r :s) :t)
        SubClassOf(ObjectSomeValuesFrom(:t :B) :C)""",
        ["r(x,y)", "A(y)"],
        "C(x)",
    ),
    "domain": ("ObjectPropertyDomain(:r :C)", ["r(x,y)"], "C(x)"),
    "range": ("ObjectPropertyRange(:r :C)", ["r(x,y)"], "C(y)"),
    "Self on the left": ("SubClassOf(ObjectHasSelf(:r) :C)", ["r(x,x)"], "C(x)"),
    "Self on the right": ("SubClassOf(:A ObjectHasSelf(:r))", ["A(x)"], "r(x,x)"),
    "reflexive": ("ReflexiveObjectProperty(:r)", [], "r(x,x)"),
    "nominal of a named individual": ("SubClassOf(:A ObjectHasValue(:r :o))", ["A(x)"], "r(x,o)"),
    "equal individuals": ("SubClassOf(:A ObjectOneOf(:o))", ["A(x)", "B(o)"], "B(x)"),
    "nominal met by an unnamed successor": (
        "SubClassOf(:A ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B ObjectOneOf(:o))))",
        ["A(x)"],
        "B(o)",
    ),
    "unnamed successor that depends on an individual": (
        """SubClassOf(:A ObjectSomeValuesFrom(:r ObjectHasValue(:s :o)))
        SubClassOf(ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:s :B)) :C)""",
        ["A(x)", "B(o)"],
        "C(x)",
    ),
    "key": (
        "HasKey(:A (:r) ()) ClassAssertion(:C :o)",
        ["A(x)", "A(o)", "r(x,y)", "r(o,y)"],
        "C(x)",
    ),
    "data": (
        'SubClassOf(:A DataHasValue(:d "1"^^xsd:integer)) SubClassOf(DataSomeValuesFrom(:d xsd:integer) :C)',
        ["A(x)"],
        "C(x)",
    ),
    "assertion of the ontology": ("ClassAssertion(:C :o)", [], "C(o)"),
    "universal role": (
        "SubClassOf(ObjectSomeValuesFrom(owl:topObjectProperty :A) :C)",
        ["A(y)"],
        "C(x)",
    ),
}

DECLARED = "".join(
    [f"Declaration(Class(:{name}))" for name in "ABC"]
    + [f"Declaration(ObjectProperty(:{name}))" for name in "rst"]
    + ["Declaration(DataProperty(:d))", "Declaration(NamedIndividual(:o))"]
)


def read(text: str) -> Ontology:
    """Read axioms in functional syntax."""
    document = read_functional(
        "Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>) Prefix(owl:=<http://www.w3.org/2002/07/owl#>) "
        f"{PREFIX}{DECLARED}{text})",
        "a test",
    )
    return ontology_from_axioms(document.axioms, declarations=[one.entity for one in document.declarations])


def three(axioms: Ontology | str, **roles: Sequence[tuple[str, str]]) -> Task:
    """Make a task about three new individuals and one of the ontology."""
    ontology = read(axioms) if isinstance(axioms, str) else axioms
    free = [name for name in "rst" if name not in roles]
    return Task(ontology, ["x", "y", "z", "o"], ["A", "B", "C", *free], [], (), roles)


@pytest.mark.parametrize(("text", "evidence", "expected"), CONSTRUCTS.values(), ids=CONSTRUCTS.keys())
def test_each_construct(text: str, evidence: list[str], expected: str) -> None:
    clauses = ground_entailed(three(text))
    positions = [clauses.positions[parse_atom(atom)] for atom in evidence]
    goal = clauses.positions[parse_atom(expected)]
    program = as_horn(clauses)
    assert goal in least_model(program, positions)
    for left_out in positions:
        assert goal not in least_model(program, [atom for atom in positions if atom != left_out])


# ── Known roles, facts, and what is assumed ───────────────────────────────────────────────────────────────────────


def test_known_role_leaves_no_atom_and_brings_what_follows() -> None:
    task = three("SubClassOf(ObjectSomeValuesFrom(:r :A) :C)", r=[("x", "y")])
    clauses = ground_entailed(task)
    assert not [atom for atom in clauses.atoms if atom.predicate == "r"]
    assert clauses.known_truth(parse_atom("r(x,y)")) is True
    assert clauses.known_truth(parse_atom("r(y,x)")) is False
    program = as_horn(clauses)
    assert clauses.positions[parse_atom("C(x)")] in least_model(program, [clauses.positions[parse_atom("A(y)")]])
    assert clauses.positions[parse_atom("C(y)")] not in least_model(program, [clauses.positions[parse_atom("A(x)")]])


@pytest.mark.parametrize("text", ["SubClassOf(:A ObjectHasSelf(:r))", "SubClassOf(:A ObjectHasValue(:r :o))"])
def test_pair_that_a_known_role_excludes_must_not_be_derived(text: str) -> None:
    clauses = ground_entailed(three(text, r=[("x", "y")]))
    assert FALSUM in least_model(as_horn(clauses), [clauses.positions[parse_atom("A(x)")]])


def test_lifted_pair_that_a_known_role_excludes_must_not_be_derived() -> None:
    ontology = ontology_without_individuals("SubObjectPropertyOf(ObjectPropertyChain(:s :s) :r)")
    task = Task(ontology, ["x", "y"], ["A", "s"], [], (), {"r": [("x", "y")]})
    assert is_liftable(task)
    clauses = ground_entailed(task)
    loop = [clauses.positions[parse_atom(text)] for text in ("s(x,y)", "s(y,x)")]
    assert FALSUM in least_model(as_horn(clauses), loop)


def ontology_without_individuals(text: str) -> Ontology:
    """Read axioms that name no individual."""
    ontology = read(text)
    declared = [entity for entity in ontology.declarations if "#o" not in entity.iri and not entity.iri.endswith("/o")]
    return ontology_from_axioms(ontology.axioms, declarations=declared)


def test_known_roles_that_contradict_the_ontology_are_an_error() -> None:
    text = "ObjectPropertyDomain(:r :A) ObjectPropertyDomain(:r :B) DisjointClasses(:A :B)"
    with pytest.raises(MooseError, match="what the task says of r contradict each other"):
        ground(three(text, r=[("x", "y")]))


def test_facts_are_clauses() -> None:
    task = Task(read("SubClassOf(:A :B)"), ["x"], ["A", "B"], [], facts=["A(x)"])
    clauses = ground(task)
    assert clauses.positions[parse_atom("B(x)")] in least_model(as_horn(clauses))


def test_links_are_clauses_only_when_assumed() -> None:
    task = three("SubClassOf(:A ObjectSomeValuesFrom(:r :B))")
    with_links = ground(task)
    assert Origin.LINK in with_links.origins
    assert Origin.REVERSE_LINK in with_links.origins
    assert {"links", "reverse links"} <= {one.name for one in with_links.assumptions}
    without = ground(task, components=Components.without("links", "reverse_links"))
    assert {Origin.LINK, Origin.REVERSE_LINK}.isdisjoint(without.origins.tolist())
    assert {"links", "reverse links"}.isdisjoint({one.name for one in without.assumptions})


def test_auxiliary_atoms_come_last_and_have_names_of_their_own() -> None:
    clauses = ground_entailed(three("SubClassOf(:A ObjectOneOf(:o)) TransitiveObjectProperty(:r)"))
    flags = (clauses.kinds == AtomKind.AUXILIARY).tolist()
    assert flags == sorted(flags)
    assert len(set(clauses.atoms)) == len(clauses.atoms)


@examples(60)
@given(data=st.data())
def test_atoms_have_different_names(data: st.DataObject) -> None:
    source = data.draw(st.randoms(use_true_random=False))
    axioms: list[Axiom] = data.draw(ontologies())
    task = draw_task(source, axioms, fresh=data.draw(st.booleans()))
    if realise(task.ontology).is_consistent:
        clauses = ground_entailed(task)
        assert len(set(clauses.atoms)) == len(clauses.atoms)


UNIVERSAL = "SubObjectPropertyOf(owl:topObjectProperty :r) SubClassOf(ObjectSomeValuesFrom(:r :A) :B)"


def test_universal_role_cannot_be_known_to_leave_pairs_out() -> None:
    with pytest.raises(MooseError, match="what the task says of r contradict each other"):
        ground(three(UNIVERSAL, r=[("x", "y")]))
    task = Task(read(UNIVERSAL), ["x", "y"], ["A", "B", "r"], [], facts=["not r(x,y)"])
    with pytest.raises(MooseError, match=r"not fit|contradict"):
        ground(task)


def test_facts_and_unpinned_known_roles_are_assumptions() -> None:
    text = "SubClassOf(:A ObjectSomeValuesFrom(:r :B))"
    task = Task(read(text), ["x", "y"], ["A", "B"], [], (), {"r": [("x", "y")]}, facts=["A(x)"])
    names = {one.name for one in ground(task, pin_roles=False).assumptions}
    assert {"role pinning", "facts", "links"} <= names
    lonely = Task(read(text), ["x", "y"], ["A", "B"], [], (), {"r": []})
    assert "links" not in {one.name for one in ground(lonely).assumptions}


def test_wrong_arguments() -> None:
    task = three("SubClassOf(:A :B)")
    wrong_options: list[dict[str, Any]] = [{"components": ["mutex"]}, {"pin_roles": "no"}]
    for wrong in wrong_options:
        with pytest.raises(MooseError, match="expected components"):
            ground(task, **wrong)
    with pytest.raises(MooseError, match="expected a task"):
        ground(task.ontology)  # type: ignore[arg-type]
