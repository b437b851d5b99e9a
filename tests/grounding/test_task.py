"""A task is checked when it is made: every mistake is named, in one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import moose
from moose.base.errors import ContradictoryEvidence, MooseError, UnknownName
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task
from moose.owl.ontology import Ontology
from tests.grounding.tasks import ontology_of

AXIOMS = """
Declaration(Class(:Cat)) Declaration(Class(:Dog)) Declaration(Class(:Pet)) Declaration(ObjectProperty(:likes))
Declaration(ObjectProperty(:owns)) Declaration(NamedIndividual(:tom)) Declaration(Class(<http://other.org/Cat>))
Declaration(Class(:Both)) Declaration(ObjectProperty(<http://other.org/Both>))
Declaration(Class(:Pun)) Declaration(ObjectProperty(:Pun))
AnnotationAssertion(<http://www.w3.org/2000/01/rdf-schema#label> :Pet "house pet")
SubClassOf(:Dog :Pet)
"""


@pytest.fixture(scope="module")
def pets(tmp_path_factory: pytest.TempPathFactory) -> Ontology:
    return ontology_of(tmp_path_factory.mktemp("pets"), AXIOMS)


def make(pets: Ontology, **changes: Any) -> Task:
    """Make a task that is in order but for the changes."""
    given: dict[str, Any] = {"individuals": ["a", "b"], "observed": ["Pet"], "latent": ["Dog", ":Cat"]}
    return Task(pets, **(given | changes))


def test_a_task_lists_what_it_declares_in_order(pets: Ontology) -> None:
    task = make(pets, observed=["likes", "Pet"], latent=["Dog", "owns", ":Cat"])
    assert [(one.name, one.is_latent) for one in task.concepts] == [("Dog", True), (":Cat", True), ("Pet", False)]
    assert [(one.name, one.iri, one.is_latent) for one in task.role_predicates] == [
        ("owns", "http://e.org/owns", True),
        ("likes", "http://e.org/likes", False),
    ]
    assert task.individuals == ("a", "b")
    assert repr(task) == "Task(2 individuals, 2 observed, 3 latent)"


def test_names_may_be_iris_labels_or_curies(pets: Ontology) -> None:
    task = make(pets, observed=["'house pet'"], latent=["http://e.org/Dog", "<http://other.org/Cat>"])
    assert [one.iri for one in task.concepts] == ["http://e.org/Dog", "http://other.org/Cat", "http://e.org/Pet"]
    # a full IRI is shortened, a label is shown as it is
    assert [one.name for one in task.concepts] == ["Dog", "<http://other.org/Cat>", "house pet"]


def test_individuals_of_the_ontology_are_recognised(pets: Ontology) -> None:
    task = make(pets, individuals=["tom", "tim"], roles={"likes": [("<http://e.org/tom>", "tim")]})
    assert task.individual_iri("tom") == "http://e.org/tom"
    assert task.individual_iri("tim") is None
    assert task.edges == {"likes": frozenset({("tom", "tim")})}
    assert make(pets, individuals=["<http://e.org/tom>"]).individuals == ("tom",)


def test_known_roles_are_observed_and_come_last(pets: Ontology) -> None:
    task = make(pets, latent=["owns"], roles={"likes": [["a", "b"]]}, facts=["Pet(a)", "not owns(a,b), likes(a, b)"])
    assert [(one.name, one.is_latent) for one in task.role_predicates] == [("owns", True), ("likes", False)]
    assert task.edges == {"likes": frozenset({("a", "b")})}
    assert task.known == {
        Atom("Pet", ("a",)): True,
        Atom("owns", ("a", "b")): False,
        Atom("likes", ("a", "b")): True,
    }


MISTAKES = [
    ({"observed": ["Pett"]}, UnknownName, r"in observed, but the ontology has no 'Pett'; did you mean Pet"),
    ({"latent": ["tom"]}, UnknownName, "class or an object property in latent, but the ontology has no 'tom'"),
    ({"latent": ["Cat"]}, UnknownName, r"'Cat' fits <http://e.org/Cat>, <http://other.org/Cat>; write the full IRI"),
    ({"latent": ["Both"]}, UnknownName, "'Both' in latent names a class and an object property"),
    ({"latent": ["<http://e.org/Pun>"]}, UnknownName, r"write Class\(<http://e.org/Pun>\) or ObjectProperty\(<"),
    (
        {"latent": ["Class(owns)"]},
        UnknownName,
        "expected the name of a class in latent, but the ontology has no 'owns'",
    ),
    ({"latent": ["ObjectProperty(topObjectProperty)"]}, MooseError, "means the same in every world"),
    ({"latent": ["Thing"]}, MooseError, "'Thing' in latent means the same in every world"),
    ({"latent": ["Pet"]}, MooseError, "'Pet' is listed both observed and latent; list it once"),
    ({"latent": ["Dog", "<http://e.org/Dog>"]}, MooseError, "'<http://e.org/Dog>' is listed twice in latent"),
    ({"observed": "Pet"}, MooseError, "expected a list of names for observed, but got 'Pet'"),
    ({"observed": [3]}, MooseError, "expected a name in observed, but got 3"),
    ({"observed": [], "latent": []}, MooseError, "no concept and no role"),
    ({"individuals": []}, MooseError, "the list of individuals is empty"),
    ({"individuals": ["a", "a"]}, MooseError, "the individual 'a' is listed twice"),
    ({"individuals": ["tom", "http://e.org/tom"]}, MooseError, "'tom' and 'http://e.org/tom' are the same individual"),
    ({"individuals": ["a b"]}, MooseError, "'a b' is none of the ontology's, and a new name has no blanks"),
    ({"individuals": ["f(x)"]}, MooseError, r"a new name has no blanks, commas or brackets"),
    ({"families": [["Dog", "Fish"]]}, UnknownName, "a concept of the task in family 1, .* but got 'Fish'"),
    ({"families": [["Dog"], ["Dog", ":Cat", "Dog"]]}, MooseError, "family 2 lists Dog twice"),
    ({"families": [[]]}, MooseError, "family 1 is empty"),
    ({"families": ["Dog"]}, MooseError, "expected a list of names for family 1, but got 'Dog'"),
    ({"families": "Dog"}, MooseError, "expected a list of families"),
    ({"families": [["Dog", "likes"]]}, UnknownName, "a concept of the task in family 1, .* but got 'likes'"),
    ({"roles": {"like": []}}, UnknownName, "no 'like'; did you mean likes"),
    ({"roles": {"likes": [("a", "c")]}}, UnknownName, "an individual of the task in roles, likes, but got 'c'"),
    (
        {"roles": {"likes": [("a",)]}},
        MooseError,
        r"expected a pair of individuals for the role 'likes', but got \('a',\)",
    ),
    ({"roles": {"likes": "ab"}}, MooseError, "expected a list of pairs"),
    ({"roles": {"owl:topObjectProperty": []}}, MooseError, "'owl:topObjectProperty' in roles means the same in every"),
    ({"roles": {"bottomObjectProperty": []}}, MooseError, "'bottomObjectProperty' in roles means the same in every"),
    ({"roles": ["likes"]}, MooseError, "expected a table from names for roles"),
    ({"roles": {"likes": [], "<http://e.org/likes>": []}}, MooseError, "stands twice in roles"),
    ({"roles": {"likes": []}, "latent": ["likes"]}, MooseError, "'likes' is listed as latent, but its pairs are given"),
    ({"facts": ["Pet(c)"]}, UnknownName, "an individual of the task in facts, but got 'c'"),
    ({"facts": ["Pets(a)"]}, UnknownName, "a concept of the task in facts, .* but got 'Pets'; did you mean Pet"),
    ({"facts": ["Pet(a", "b)"]}, MooseError, "expected literals such as"),
    ({"facts": ["Pet(a), not Pet(a)"]}, ContradictoryEvidence, r"the facts say both Pet\(a\) and not Pet\(a\)"),
    (
        {"facts": ["likes(b,a)"], "roles": {"likes": []}},
        ContradictoryEvidence,
        r"likes\(b,a\), but roles does not list",
    ),
    (
        {"facts": ["not likes(b,a)"], "roles": {"likes": [("b", "a")]}},
        ContradictoryEvidence,
        "but roles lists that pair",
    ),
    ({"closure": ["mutexes"]}, UnknownName, "expected a component, but got 'mutexes'; did you mean mutex"),
    ({"closure": ["links"]}, UnknownName, "expected a component, but got 'links'"),
    ({"profiles": {"Dog": {"Pet": True}}}, MooseError, "Dog, which is in no family"),
]


@pytest.mark.parametrize(("changes", "kind", "message"), MISTAKES)
def test_mistakes_are_named(pets: Ontology, changes: dict[str, Any], kind: type[MooseError], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        make(pets, **changes)
    assert "\n" not in str(caught.value)


def test_a_name_may_be_a_class_and_a_role_at_once(pets: Ontology) -> None:
    pun = "http://e.org/Pun"
    task = make(pets, observed=["Class(Pun)"], latent=["ObjectProperty( <http://e.org/Pun> )"], facts=["Pun(a)"])
    assert [(one.name, one.iri) for one in (*task.concepts, *task.role_predicates)] == [("Pun", pun), ("Pun", pun)]
    circuit = moose.compile_circuit(moose.ground(task))
    assert circuit.entails("Pun(a)") and not circuit.entails("Pun(a,b)")


def test_what_can_be_read_only_once_is_read_whole(pets: Ontology) -> None:
    once = make(
        pets,
        individuals=iter(["a", "b"]),
        observed=iter(["Pet"]),
        latent=iter(["Dog", ":Cat"]),
        families=iter([iter(["Dog", ":Cat"])]),
        roles={"likes": iter([("a", "b")])},
        facts=iter(["Pet(a)", "not Dog(b)"]),
        closure=iter(["cover"]),
    )
    assert once.individuals == ("a", "b") and once.observed == ("Pet",) and once.latent == ("Dog", ":Cat")
    assert once.families == (("Dog", ":Cat"),) and once.closure == ("cover",)
    assert once.edges == {"likes": frozenset({("a", "b")})} and once.roles == {"likes": (("a", "b"),)}
    assert once.facts == ("Pet(a)", "not Dog(b)")
    assert once.known == {Atom("Pet", ("a",)): True, Atom("Dog", ("b",)): False}


FAMILY = ["Dog", "<http://e.org/Cat>"]
PROFILE_MISTAKES = [
    ({"Dog": {"Pet": True}}, "profiles have Dog, but not :Cat of the same family"),
    ({"Dog": {"Pet": True}, ":Cat": {}}, "differ in what they speak of: Pet"),
    ({"Dog": {":Cat": True}, ":Cat": {":Cat": True}}, "a member of its own family, as a property"),
    ({"Dog": {"Pet": 1}, ":Cat": {"Pet": True}}, "expected true or false for Pet in profiles, Dog, but got 1"),
    ({"Dog": ["Pet"], ":Cat": []}, "expected a table from names for profiles, Dog"),
]


@pytest.mark.parametrize(("profiles", "message"), PROFILE_MISTAKES)
def test_profiles_speak_of_the_same_properties_of_every_member(
    pets: Ontology, profiles: dict[str, Any], message: str
) -> None:
    with pytest.raises(MooseError, match=message):
        make(pets, families=[FAMILY], profiles=profiles)


def test_an_ontology_is_wanted_not_its_path() -> None:
    with pytest.raises(MooseError, match=r"expected an ontology, but got .* read one with moose\.load"):
        Task(Path("pizza.ofn"), ["a"], [], ["Pizza"])  # type: ignore[arg-type]  # the point


def test_the_pinned_example_of_the_manual() -> None:
    task = moose.Task(moose.load(moose.PIZZERIA), ["gina"], observed=["SpicyDish"], latent=["Diavola"])
    assert task.individual_iri("gina") == "https://example.org/pizzeria#gina"


def test_unread_roles_are_latent_ones() -> None:
    task = moose.regime("mnist3")
    assert task.unread == ("succ",) and task.read_roles == ()
    assert replace(task, unread=()).read_roles == (0,)
    with pytest.raises(MooseError, match="'plus_two' is unread, but not latent"):
        replace(task, unread=["plus_two"])
