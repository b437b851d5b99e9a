"""What the values of one functional data property say together, also where OWL 2 does not define their datatypes."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose import check_proof, classify, entailment, explain, load, ontology, query, realise
from moose.owl.model.axioms import FunctionalDataProperty, SubClassOf
from moose.owl.model.datatypes import ValueSet, value_set
from moose.owl.model.expressions import (
    NOTHING,
    RDF,
    XSD,
    Class,
    DataHasValue,
    DataIntersectionOf,
    DataOneOf,
    DataProperty,
    DataRange,
    Datatype,
    Literal,
)
from moose.owl.names import Names
from moose.owl.normal.functional_values import FunctionalValues
from moose.owl.syntax.functional.read_functional import parse_axiom

DATE, INTEGER, NATURAL = Datatype(XSD + "date"), Datatype(XSD + "integer"), Datatype(XSD + "nonNegativeInteger")
NOT_POSITIVE, TEXT, XML = Datatype(XSD + "nonPositiveInteger"), Datatype(XSD + "string"), Datatype(RDF + "XMLLiteral")
A, D = Class("A"), DataProperty("d")
OWN = Datatype("http://example.org/own")
SINGLES: list[DataRange] = [
    DATE,
    INTEGER,
    NATURAL,
    NOT_POSITIVE,
    TEXT,
    XML,
    OWN,
    *(DataOneOf((Literal(day, DATE.iri),)) for day in ("2001-01-01", "2001-01-02")),
    *(DataOneOf((Literal(text, XML.iri),)) for text in ("<a/>", "<b/>")),
    DataOneOf((Literal("0", INTEGER.iri),)),
    DataOneOf((Literal("x", TEXT.iri),)),
    DataOneOf((Literal("?", OWN.iri),)),
]
ranges = st.lists(st.sampled_from(SINGLES), min_size=1, max_size=3).map(
    lambda parts: value_set(DataIntersectionOf(tuple(parts)))
)
told_ranges = st.lists(ranges, min_size=2, max_size=6, unique=True)


@given(told_ranges)
def test_shared_ranges_say_what_the_intersection_says(told: list[ValueSet]) -> None:
    together = FunctionalValues(told)
    for count in (2, 3):
        for chosen in combinations(told, count):
            whole = reduce(ValueSet.intersect, chosen)
            shared = together.shared(chosen)
            assert all(whole.is_subset(one) for one in shared)
            assert whole.is_empty() == any(one.is_empty() for one in shared)
            for wider in told:
                assert whole.is_subset(wider) == any(one.is_subset(wider) for one in shared)


@given(told_ranges)
def test_every_shared_range_has_a_number_and_two_at_a_time_are_enough(told: list[ValueSet]) -> None:
    together = FunctionalValues(told)
    numbered = {*told, *together.all_shared()}
    reached = set(told)
    grew = True
    while grew:
        pairs = {one for first, second in combinations(reached, 2) for one in together.shared([first, second])}
        grew = not pairs <= reached
        reached |= pairs
    assert reached <= numbered
    for one in together.shared(told):
        assert any(other.is_subset(one) for other in reached)


def test_values_of_unknown_datatypes_are_not_multiplied_out() -> None:
    days = [ValueSet(value_set(DataOneOf((Literal(f"day {n}", DATE.iri),))).values) for n in range(200)]
    own = [value_set(Datatype(f"http://example.org/own{n}")) for n in range(200)]
    together = FunctionalValues([*days, *own])
    assert len(together.all_shared()) <= 2 * len(together.told)
    assert together.shared([*days, *own]) == [*days, *own]


def test_two_xml_fragments_are_two_values() -> None:
    fragments = [DataHasValue(D, Literal(text, RDF + "XMLLiteral")) for text in ("<a/>", "<b/>", "<a></a>")]
    functional = FunctionalDataProperty(D)
    for other, follows in ((fragments[1], True), (fragments[2], False)):
        told = ontology([functional, SubClassOf(A, fragments[0]), SubClassOf(A, other)])
        assert entailment(told, SubClassOf(A, NOTHING)).follows is follows


DOCUMENT = """
Prefix(:=<http://example.org/o#>) Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)
Prefix(rdf:=<http://www.w3.org/1999/02/22-rdf-syntax-ns#>)
Ontology(<http://example.org/o>
  Declaration(Class(:Clash)) Declaration(Class(:Both)) Declaration(Class(:Open)) Declaration(Class(:Seen))
  FunctionalDataProperty(:d) SubDataPropertyOf(:e :d)
  DataPropertyAssertion(:d :a "2001-01-01"^^xsd:date) DataPropertyAssertion(:d :a "2001-01-02"^^xsd:date)
  ClassAssertion(:Open :o)
  SubClassOf(:Open DataHasValue(:d "x"))
  SubClassOf(:Open DataSomeValuesFrom(:e xsd:date))
  SubClassOf(DataHasValue(:e "x") :Seen)
  SubClassOf(:Clash DataHasValue(:d "<a/>"^^rdf:XMLLiteral))
  SubClassOf(:Clash DataSomeValuesFrom(:d :own))
  SubClassOf(:Clash DataSomeValuesFrom(:e xsd:integer))
  SubClassOf(:Both DataSomeValuesFrom(:d xsd:date)) SubClassOf(:Both DataSomeValuesFrom(:d :own))
  SubClassOf(:Both DataHasValue(:e "z"^^:third))
  SubClassOf(DataSomeValuesFrom(:d DataIntersectionOf(xsd:date :own DataOneOf("z"^^:third))) :Seen)
)
"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "dates.ofn"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def test_commands_answer_with_values_outside_the_datatypes_of_el(document: Path) -> None:
    ontology = load(document)
    taxonomy = classify(ontology)
    base = "http://example.org/o#"
    assert taxonomy.is_consistent
    assert taxonomy.unsatisfiable == (base + "Clash",)
    assert taxonomy.is_below("Both", "Seen")
    assert taxonomy.is_below("Open", "Seen")
    assert (base + "o", base + "Seen") in realise(ontology).types()


@pytest.mark.parametrize(
    "goal", ["SubClassOf(Both Seen)", "SubClassOf(Open Seen)", "SubClassOf(Clash Seen)", "ClassAssertion(Seen o)"]
)
def test_proofs_and_queries_agree_with_values_outside_the_datatypes_of_el(document: Path, goal: str) -> None:
    ontology = load(document)
    axiom = parse_axiom(goal, "a goal", Names(ontology).resolve)
    explanation = explain(ontology, axiom)
    assert explanation is not None
    for proof in explanation.proofs:
        check_proof(proof, ontology.profile.el_axioms)
    assert query(ontology, axiom).lower == 1


def test_values_of_thousands_of_digits_have_an_order(tmp_path: Path) -> None:
    numbers = [f'"{sign}{"7" * 5_000}"^^xsd:integer' for sign in ("", "-")]
    moment = f'"{"7" * 5_000}-01-01T00:00:00"^^xsd:dateTime'
    ranges = [f"DataIntersectionOf(xsd:date DataOneOf({one}))" for one in (*numbers, moment)]
    told = "".join(f"SubClassOf(:A DataSomeValuesFrom(:d {one}))" for one in ranges)
    text = f"Prefix(:=<urn:x:>) Prefix(xsd:=<{XSD}>) Ontology(FunctionalDataProperty(:d) {told})"
    (tmp_path / "o.ofn").write_text(text, encoding="utf-8")
    assert classify(load(tmp_path / "o.ofn")).unsatisfiable == ("urn:x:A",)
