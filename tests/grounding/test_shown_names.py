"""A concept of a task has one name that people see, its label where the task writes that; any spelling is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from moose.base.errors import MooseError, UnknownName
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.datasets.images import read_roles, signs
from moose.datasets.images import read_row as read_images_row
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import task_text
from moose.learning.binding import fingerprint
from moose.learning.model_files import former_fingerprint
from moose.owl.atom_text import split_names
from moose.owl.ontology import Ontology
from moose.shortcuts.problem.options import Showing
from tests.grounding.tasks import ontology_of

AXIOMS = """
    Declaration(Class(:Dark)) Declaration(ObjectProperty(:BFO_0000050))
    AnnotationAssertion(rdfs:label :EX_0000101 "green tea") AnnotationAssertion(rdfs:label :EX_0000102 "black tea")
    AnnotationAssertion(rdfs:label :EX_0000103 "espresso") AnnotationAssertion(rdfs:label :EX_0000104 "tea, (5')")
    AnnotationAssertion(rdfs:label :EX_0000105 "Dark") AnnotationAssertion(rdfs:label :BFO_0000050 "part of")
    AnnotationAssertion(rdfs:label :EX_0000106 "twice") AnnotationAssertion(rdfs:label :EX_0000107 "twice")
    SubClassOf(:EX_0000102 :Dark) SubClassOf(:EX_0000103 :Dark) SubClassOf(:EX_0000101 :EX_0000105)
    SubClassOf(:EX_0000104 :EX_0000105) SubClassOf(:EX_0000106 :Dark) SubClassOf(:EX_0000107 :Dark)
"""
TEAS = ["green tea", "black tea", "espresso", "'tea, (5')'"]
SPELLINGS = ["'black tea'", "black tea", "EX_0000102", ":EX_0000102", "<http://e.org/EX_0000102>"]


@pytest.fixture(scope="module")
def drinks(tmp_path_factory: pytest.TempPathFactory) -> Ontology:
    return ontology_of(tmp_path_factory.mktemp("drinks"), AXIOMS)


@pytest.fixture(scope="module")
def task(drinks: Ontology) -> Task:
    return Task(
        drinks, ["cup", "pot"], ["Dark", "part of"], TEAS, [["green tea", "EX_0000102", ":EX_0000103", TEAS[3]]]
    )


def test_the_name_that_is_seen_is_the_one_that_the_task_writes(task: Task) -> None:
    assert [one.name for one in task.concepts] == ["green tea", "black tea", "espresso", "tea, (5')", "Dark"]
    assert [one.name for one in task.role_predicates] == ["part of"]
    assert task.families == (("green tea", "black tea", "espresso", "tea, (5')"),)
    by_id = replace(task, latent=["EX_0000101", "EX_0000102", "EX_0000103", "EX_0000104"])
    assert by_id.families == (("EX_0000101", "EX_0000102", "EX_0000103", "EX_0000104"),)


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_is_read_everywhere(task: Task, name: str) -> None:
    tea = Atom("black tea", ("cup",))
    assert task.literals(f"not {name}(cup), Dark(pot)") == [(tea, False), (Atom("Dark", ("pot",)), True)]
    assert replace(task, facts=[f"{name}(cup)"]).known == {tea: True}
    assert replace(task, families=[[name, "espresso"]]).families == (("black tea", "espresso"),)
    assert replace(task, profiles={name: {"Dark": True}}, families=[[name]]).profiles == {"black tea": {"Dark": True}}
    assert Showing([name]).shown_in(task) == ("black tea",)
    row = read_images_row({}, task, "t.csv:2")
    assert signs(f"{name}(cup)", task, row, allow_latent=True)[0].tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize("name", SPELLINGS)
def test_circuits_take_every_spelling(task: Task, name: str) -> None:
    circuit = compile_circuit(ground(task))
    posterior = circuit.posterior([f"{name}(cup)"])
    assert posterior["'black tea'(cup)"] == posterior[f"{name}(cup)"] == posterior["Dark(cup)"] == 1.0
    assert circuit.posterior(weights={f"{name}(cup)": "1"})["'green tea'(cup)"] == 0.0


def test_literals_are_printed_so_that_they_are_read_back(task: Task) -> None:
    odd = Atom("tea, (5')", ("cup",))
    assert str(odd) == "'tea, (5\\')'(cup)"
    assert task.literals(str(odd)) == [(odd, True)]
    assert read_roles("'part of'(cup, pot)", task, "x") == {"part of": [("cup", "pot")]}
    assert read_roles(":BFO_0000050(cup,pot)", task, "x") == {"part of": [("cup", "pot")]}
    assert split_names("espresso, 'tea, (5\\')'") == ["espresso", "'tea, (5')'"]


def test_a_label_that_is_the_id_of_another_class_needs_its_quotes(drinks: Ontology) -> None:
    task = Task(drinks, ["cup"], ["Dark"], ["'Dark'"])
    assert [(one.name, one.iri) for one in task.concepts] == [
        ("EX_0000105", "http://e.org/EX_0000105"),
        ("Dark", "http://e.org/Dark"),
    ]
    read = task.literals("Dark(cup), 'Dark'(cup)")
    assert [atom.predicate for atom, _ in read] == ["Dark", "EX_0000105"]


def test_a_label_of_two_classes_is_refused_by_both_their_names(drinks: Ontology) -> None:
    with pytest.raises(UnknownName, match=r"'twice' fits <http://e.org/EX_0000106>, <http://e.org/EX_0000107>; write"):
        Task(drinks, ["cup"], ["Dark"], ["twice"])


def test_a_slip_is_answered_with_the_names_of_the_task(task: Task) -> None:
    with pytest.raises(UnknownName, match=r"in family 1.* but got 'blak tea'; did you mean black tea\?"):
        replace(task, families=[["green tea", "blak tea"]])
    with pytest.raises(UnknownName, match="but got 'zz'; known: green tea, black tea, espresso"):
        replace(task, families=[["zz"]])
    with pytest.raises(MooseError, match=r"x: expected a concept of the task, but got 'expresso'; did you mean espres"):
        signs("expresso(cup)", task, replace(read_images_row({}, task, "x")), allow_latent=True)


def test_a_task_is_the_same_when_it_is_made_again_or_written(task: Task, tmp_path: Path) -> None:
    again = replace(task, facts=[str(Atom("black tea", ("pot",)))])
    assert again.concepts == task.concepts and again.families == task.families
    assert 'families = [["green tea", "black tea", "espresso", "tea, (5\')"]]' in task_text(task, ontology="x.ofn")


def test_models_from_before_labels_were_shown_are_known_again(task: Task) -> None:
    ids = replace(task, latent=["EX_0000101", "EX_0000102", "espresso", "EX_0000104"], observed=["Dark", "BFO_0000050"])
    assert fingerprint(task, ground(task)) != fingerprint(ids, ground(ids)) == former_fingerprint(task)
