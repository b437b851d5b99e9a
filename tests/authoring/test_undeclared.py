"""A name that is used and nowhere declared is reported where declaring is the habit, and nowhere else."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from moose.authoring.undeclared import MOST_COMPARED_NAMES, undeclared_names
from moose.owl.load import SYNTAXES
from moose.owl.model.axioms import Axiom, ClassAssertion, ObjectPropertyAssertion, SubClassOf
from moose.owl.model.expressions import (
    Class,
    DataProperty,
    Datatype,
    Entity,
    NamedIndividual,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.ontology import Ontology, merge_documents, ontology_from_axioms

HEAD = "Prefix: : <http://e.org/> Prefix: xsd: <http://www.w3.org/2001/XMLSchema#> Ontology: <http://e.org/o> "
WHEEL = "Class: Wheel Class: Tyre Class: EX_0000005 Class: EX_0000015 ObjectProperty: hasPart ObjectProperty: madeOf "


def read(text: str, syntax: str = "manchester") -> Ontology:
    (chosen,) = (one for one in SYNTAXES if one.name == syntax)
    return merge_documents([chosen.read(text.encode(), "test", ())])


def found(ontology: Ontology) -> dict[str, tuple[str, ...]]:
    return {name.entity.iri.removeprefix("http://e.org/"): name.close for name in undeclared_names(ontology)}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("hasPart some Tyre", {}),
        ("hasPart some Tire", {"Tire": ("Tyre",)}),
        ("madeOff some Tyre", {"madeOff": ("madeOf",)}),
        ("madeOf some EX_000005", {"EX_000005": ("EX_0000005",)}),
        ("madeOf some Xylophone", {"Xylophone": ()}),
        ("madeOf some owl:Thing", {}),
        ("madeOf some xsd:nonNegativeInteger", {"madeOf": ()}),  # used as a data property
    ],
)
def test_a_slip_of_the_pen(said: str, expected: dict[str, tuple[str, ...]]) -> None:
    kinds = WHEEL.replace("ObjectProperty: madeOf", "") if "xsd" in said else WHEEL
    assert found(read(f"{HEAD}{kinds} Class: Wheel SubClassOf: {said}")) == expected


def test_rdf_and_obo_declare_too() -> None:
    turtle = """@prefix : <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Wheel a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :hasPart ; owl:someValuesFrom :Tire ] .
    :Tyre a owl:Class . :hasPart a owl:ObjectProperty ."""
    assert found(read(turtle, "turtle")) == {"Tire": ("Tyre",)}
    obo = "[Term]\nid: X:0000001\n\n[Term]\nid: X:0000002\nis_a: X:000001\n"
    assert [name.close for name in undeclared_names(read(obo, "obo"))] == [("X:0000001",)]


def test_nothing_is_said_where_little_is_declared_or_an_import_is_not_there() -> None:
    inclusions: list[Axiom] = [SubClassOf(Class(one), Class("Top")) for one in "ABC"]
    declared: list[Entity] = [Class("A"), Class("B")]
    assert not undeclared_names(ontology_from_axioms(inclusions))
    assert not undeclared_names(ontology_from_axioms(inclusions, declarations=declared))
    most = ontology_from_axioms(inclusions, declarations=[*declared, Class("C")])
    assert [name.entity for name in undeclared_names(most)] == [Class("Top")]
    assert not undeclared_names(replace(most, ignored_imports=("http://e.org/top",)))


def test_a_name_that_is_declared_as_something_else() -> None:
    declared: list[Entity] = [Class("A"), NamedIndividual("B"), DataProperty("d"), Datatype("D")]
    (name,) = undeclared_names(ontology_from_axioms([SubClassOf(Class("A"), Class("B"))], declarations=declared))
    assert (name.kind, name.other_kind) == ("a class", "an individual")


def test_individuals_need_no_declaration_but_where_most_have_one() -> None:
    knows, cat = ObjectProperty("knows"), Class("Cat")
    tom, tim, toms = (NamedIndividual(iri) for iri in ("tom", "tim", "toms"))
    told: list[Axiom] = [ObjectPropertyAssertion(knows, tom, toms), ClassAssertion(cat, tim)]
    assert not undeclared_names(ontology_from_axioms(told, declarations=[knows, cat]))
    assert not undeclared_names(ontology_from_axioms(told, declarations=[knows, cat, tom]))
    (name,) = undeclared_names(ontology_from_axioms(told, declarations=[knows, cat, tom, NamedIndividual("x")]))
    assert (name.entity, name.close) == (toms, ("tom",))


def test_many_undeclared_names_take_no_time_to_speak_of() -> None:
    role = ObjectProperty("http://e.org/r")
    classes = [Class(f"http://e.org/Class{number:06}") for number in range(6_000)]
    axioms = [SubClassOf(one, ObjectSomeValuesFrom(role, classes[0])) for one in classes]
    ontology = ontology_from_axioms(axioms, declarations=[role, *classes[:4_000]])
    assert len(ontology.classes) == 6_000
    start = time.process_time()
    names = undeclared_names(ontology)
    assert time.process_time() - start < 2
    assert len(names) == 2_000
    assert sum(bool(name.close) for name in names) <= MOST_COMPARED_NAMES
