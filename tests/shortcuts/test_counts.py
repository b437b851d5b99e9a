"""The counts agree with brute force, with the published tables, and with rsbench's example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, DisjointClasses, SubClassOf
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.ontology import ontology_from_axioms
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.problem.options import Encoder, Showing
from tests.searching import examples
from tests.shortcuts import plain

PRIMALITY = ("Prime", "Composite")
PARITY = ("Even", "Odd")


@pytest.mark.parametrize(
    ("regime", "showing", "maps"),
    [
        ("mnist1", Showing(), 729),
        ("mnist1", Showing(literals="positive"), 18_225),
        ("mnist2", Showing(()), 10),
        ("mnist2", Showing(PRIMALITY), 1),
        ("mnist2", Showing(PRIMALITY, "positive"), 1),
        ("mnist3", Showing(()), 100),
        ("mnist3", Showing(PARITY), 25),
        ("mnist3", Showing((*PARITY, *PRIMALITY)), 1),
        ("pizzaA", Showing(("Mushroom", "Cajun", "Capricciosa", "FourSeasons"), "positive"), 1),
        ("pizzaB", Showing(("NonVegetarianPizza", "VegetarianPizza"), "positive"), 27),
        ("pizzaC", Showing(("SpicyPizza",)), 16**15),
    ],
)
def test_the_regimes_have_these_counts(regime: str, showing: Showing, maps: int) -> None:
    assert find_shortcuts(moose.regime(regime), showing).maps == maps


def plain_count(task: Task, showing: Showing, encoder: Encoder) -> list[plain.Table] | None:
    assume(len(ground(task).atoms) <= 12)
    if not plain.models(ground(task)) or not plain.shown(task, showing):
        return None
    return plain.maps(task, showing, encoder)


def showings() -> st.SearchStrategy[Showing]:
    pools = st.sampled_from([None, ("P",), ("P", "Q"), ()])
    return st.builds(Showing, pools, st.sampled_from(["both", "positive"]), st.sampled_from([None, 1, 2]))


@examples(40)
@given(plain.small_tasks(), showings(), st.booleans(), st.booleans())
def test_counts_are_those_of_brute_force(task: Task, showing: Showing, is_shared: bool, is_injective: bool) -> None:
    is_small = len(task.individuals) == 1 or (len(task.latent) == 2 and bool(task.families))
    encoder = Encoder(is_shared=is_shared or not is_small, is_injective=is_injective)
    expected = plain_count(task, showing, encoder)
    if not expected:
        with pytest.raises(InconsistentOntology):
            find_shortcuts(task, showing, encoder=encoder)
        return
    found = find_shortcuts(task, showing, encoder=encoder)
    assert found.maps == len(expected)
    assert_marginals(found, expected)
    listed = [frozenset(one.table.items()) for one in found.nearest(found.maps + 1)]
    assert len(listed) == len(set(listed))
    assert set(listed) == {frozenset(table.items()) for table in expected}


def assert_marginals(found: Shortcuts, expected: list[plain.Table]) -> None:
    """Compare shares, identifiable concepts and consistency of single maps."""
    for place, shares in found.beliefs.items():
        for name, share in shares.items():
            assert share * len(expected) == sum(name in table[place] for table in expected)
    right = [
        name
        for name in found.problem.vocabulary.latent
        if all((name in read) == (name in place[1]) for table in expected for place, read in table.items())
    ]
    assert list(found.identifiable) == right
    for reading in found.sample(5, seed=1):
        assert dict(reading.table) in expected
        assert found.is_consistent(reading.table)


@examples(40)
@given(plain.small_tasks(), showings())
def test_the_truth_is_the_nearest_map(task: Task, showing: Showing) -> None:
    try:
        found = find_shortcuts(task, showing)
    except InconsistentOntology:
        return
    first, *others = found.nearest(4)
    assert first.is_truth
    assert str(first) == "the truth"
    assert not any(one.is_truth for one in others)
    assert [one.wrong for one in others] == sorted(one.wrong for one in others) or task.latent != ["F1", "F2", "F3"]


@pytest.mark.parametrize(("reads", "maps"), [("whole", 4**8), ("apart", 4), ("exchanged", 24)])
def test_three_bits_have_as_many_maps_as_rsbench_counts(reads: str, maps: int) -> None:
    found = find_shortcuts(xor_task(), Showing(("Even", "Odd")), encoder=Encoder(reads=reads))
    assert found.maps == maps
    assert reads != "exchanged" or maps == rsbench_count(3)


def rsbench_count(bits: int) -> int:
    """Count as rsbench's example `xor -n 3` does: each value of a true bit turns on one value of one predicted bit.

    Both values of a true bit lead to the same predicted bit, and whatever the true bits are, each predicted bit has one
    value, and their parity is the true one.
    """
    values = list(product(range(bits), (0, 1)))
    count = 0
    for images in product(values, repeat=2 * bits):
        leads = dict(zip(values, images))
        if any(leads[bit, 0][0] != leads[bit, 1][0] for bit in range(bits)):
            continue
        for true in product((0, 1), repeat=bits):
            read = [leads[bit, value] for bit, value in enumerate(true)]
            if {bit for bit, _ in read} != set(range(bits)) or sum(value for _, value in read) % 2 != sum(true) % 2:
                break
        else:
            count += 1
    return count


def test_three_bits_of_three_individuals_leave_a_shared_encoder_no_choice() -> None:
    task = three_individuals()
    assert find_shortcuts(task, Showing(("Even", "Odd"))).maps == 1
    assert find_shortcuts(task, Showing(("Even", "Odd")), encoder=Encoder(is_shared=False)).maps == 4


def parity_axioms(bits: Sequence[Callable[[bool], ClassExpression]]) -> list[Axiom]:
    """Say of every combination of bits whether an odd number of them is one."""
    axioms: list[Axiom] = [DisjointClasses((Class("Even"), Class("Odd")))]
    for values in product((False, True), repeat=len(bits)):
        together = ObjectIntersectionOf(tuple(bit(value) for bit, value in zip(bits, values)))
        axioms.append(SubClassOf(together, Class("Odd" if sum(values) % 2 else "Even")))
    return axioms


def xor_task() -> Task:
    """Three bits of one thing."""
    bits = [["Zero1", "One1"], ["Zero2", "One2"], ["Zero3", "One3"]]
    axioms = parity_axioms([lambda value, names=names: Class(names[value]) for names in bits])  # type: ignore[misc]
    names = [name for bit in bits for name in bit]
    return Task(ontology_from_axioms(axioms), ["a"], ["Even", "Odd"], names, [*bits, ["Even", "Odd"]])


def three_individuals() -> Task:
    """One bit of each of three things."""

    def of_role(role: str) -> Callable[[bool], ClassExpression]:
        return lambda value: ObjectSomeValuesFrom(ObjectProperty(role), Class("One" if value else "Zero"))

    bits = [lambda value: Class("One" if value else "Zero"), of_role("second"), of_role("third")]
    return Task(
        ontology_from_axioms(parity_axioms(bits)),
        ["a", "b", "c"],
        ["Even", "Odd"],
        ["Zero", "One"],
        [["Zero", "One"], ["Even", "Odd"]],
        {"second": [("a", "b")], "third": [("a", "c")]},
    )
