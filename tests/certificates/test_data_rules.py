"""Functional data properties, keys of data values and owl:topObjectProperty beside data are certified, and no more."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from moose.certificates.make.certify_entailment import certify_axiom
from moose.certificates.make.data_facts import find_false
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import XSD
from tests.certificates.making import Certificate, ontology_of, refusal

EX = "http://example.org/"
A, B = owl.Class(EX + "A"), owl.Class(EX + "B")
a, b = owl.NamedIndividual(EX + "a"), owl.NamedIndividual(EX + "b")
d, e, f = (owl.DataProperty(EX + name) for name in "def")
r = owl.ObjectProperty(EX + "r")
ONE, SPELT_OTHERWISE, TWO = (owl.Literal(text, XSD + "integer") for text in ("1", "01", "2"))
IS_A, IS_B = owl.ObjectOneOf((a,)), owl.ObjectOneOf((b,))


def by_functional() -> Certificate:
    """A has the values 1 and 2 of properties below a functional one, and so no element."""
    axioms: list[ax.Axiom] = [
        ax.SubClassOf(A, owl.DataHasValue(d, ONE)),
        ax.SubClassOf(A, owl.DataHasValue(e, TWO)),
        ax.SubDataPropertyOf(d, f),
        ax.SubDataPropertyOf(e, f),
        ax.FunctionalDataProperty(f),
    ]
    return certify_axiom(ontology_of(axioms), ax.SubClassOf(A, owl.NOTHING), follows=True)


def by_key() -> Certificate:
    """Two individuals with one value, spelt in two ways, of a key are one."""
    axioms: list[ax.Axiom] = [
        ax.HasKey(A, (), (d,)),
        *(ax.ClassAssertion(A, one) for one in (a, b)),
        ax.DataPropertyAssertion(d, a, ONE),
        ax.DataPropertyAssertion(d, b, SPELT_OTHERWISE),
    ]
    return certify_axiom(ontology_of(axioms), ax.SameIndividual((a, b)), follows=True)


def by_top_role() -> Certificate:
    """What everything has by owl:topObjectProperty, all things have, beside data."""
    some = owl.ObjectSomeValuesFrom(owl.TOP_OBJECT_PROPERTY, B)
    axioms: list[ax.Axiom] = [
        ax.ClassAssertion(B, a),
        ax.SubClassOf(some, A),
        ax.DataPropertyAssertion(d, a, ONE),
    ]
    return certify_axiom(ontology_of(axioms), ax.SubClassOf(owl.DataSomeValuesFrom((d,), owl.LITERAL), A), follows=True)


def by_cases() -> Certificate:
    """What is an A is a B or has a value, and is a B in both cases, beside data."""
    some = owl.DataSomeValuesFrom((d,), owl.LITERAL)
    axioms: list[ax.Axiom] = [ax.SubClassOf(A, owl.ObjectUnionOf((B, some))), ax.DataPropertyDomain(d, B)]
    return certify_axiom(ontology_of(axioms), ax.SubClassOf(A, B), follows=True)


MAKERS = {"functional": by_functional, "key": by_key, "universal-link": by_top_role, "cases": by_cases}


@pytest.mark.parametrize("rule", MAKERS)
def test_the_rule_is_used_and_accepted(rule: str) -> None:
    certificate: dict[str, Any] = MAKERS[rule]()
    assert rule in {step[0] for proof in certificate["proofs"] for step in proof["steps"]}
    assert refusal(certificate) is None
    assert find_false(certificate) is None


def changed(certificate: Certificate, old: list[object], new: list[object]) -> Certificate:
    """Replace one axiom by another."""
    tree: Any = copy.deepcopy(certificate)
    tree["axioms"][tree["axioms"].index(old)] = new
    return tree  # type: ignore[no-any-return]


def axiom_of(certificate: Certificate, kind: str) -> list[object]:
    rows: Any = certificate["axioms"]
    return next(row for row in rows if row[0] == kind)


def place_of(certificate: Certificate, node: list[object]) -> int:
    nodes: Any = certificate["concepts"]
    return int(nodes.index(node))


def test_a_property_that_is_not_told_functional_is_refused() -> None:
    certificate = by_functional()
    told = axiom_of(certificate, "functional")
    roles: Any = certificate["roles"]
    other = ["functional", roles.index(f"<{EX}d>"), told[-1]]
    assert "not what its source says" in str(refusal(changed(certificate, told, other)))


def test_only_one_literal_is_a_single_value() -> None:
    certificate = by_key()
    told = axiom_of(certificate, "single")
    tree: Any = copy.deepcopy(certificate)
    tree["concepts"].append(["data", f"<{XSD}integer>"])
    other = ["single", len(tree["concepts"]) - 1, -1]
    assert "not what its source says" in str(refusal(changed(tree, told, other)))
    assert "not what its source says" in str(refusal(changed(tree, told, ["single", place_of(tree, ["top"]), -1])))


def test_a_false_fact_about_data_is_found() -> None:
    certificate = by_key()
    tree: Any = copy.deepcopy(certificate)
    one = next(node for node in tree["concepts"] if node[0] == "data")
    one[1] = one[1].replace('"1"', '"3"').replace('"01"', '"3"')
    assert find_false(tree) is not None
    tree = copy.deepcopy(by_functional())
    next(node for node in tree["concepts"] if node[0] == "data").append('DataOneOf("7"^^<' + XSD + "integer>)")
    assert find_false(tree) is not None


def test_the_top_role_relates_things_and_no_values() -> None:
    certificate = by_top_role()
    told = axiom_of(certificate, "universal")
    other = [*told[:2], place_of(certificate, ["top"]), -1]
    assert "not what its source says" in str(refusal(changed(certificate, told, other)))


@pytest.mark.parametrize("name", ["topObjectProperty", "topDataProperty"])
def test_a_role_is_below_the_top_role_of_its_own_sort_only(name: str) -> None:
    is_data = name == "topDataProperty"
    certificate: Any = copy.deepcopy(by_top_role())
    top = f"<http://www.w3.org/2002/07/owl#{name}>"
    if top not in certificate["roles"]:
        certificate["roles"].append(top)
    low = certificate["roles"].index(f"<{EX}d>")
    certificate["axioms"].append(["role", low, certificate["roles"].index(top), -1])
    assert (refusal(certificate) is None) == is_data
    certificate["axioms"][-1] = [
        "range",
        low,
        place_of(certificate, ["class", "<http://www.w3.org/2002/07/owl#Thing>"]),
        -1,
    ]
    assert refusal(certificate) is not None


def test_one_name_for_two_sorts_of_property_is_refused() -> None:
    certificate: Any = copy.deepcopy(by_functional())
    certificate["sources"].append(f"SubObjectPropertyOf(<{EX}d> <{EX}r>)")
    assert "as an object property and as a data property" in str(refusal(certificate))
