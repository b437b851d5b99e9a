"""Circuits by tables: the models of the clauses, and no other; families as variables; like parts compiled once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from math import log2
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from moose.base.errors import LimitReached, MooseError
from moose.circuit import limits
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Limits
from moose.circuit.tables import bag_tables, compile_tables, order
from moose.circuit.tables.compile_tables import TooWide
from moose.circuit.tables.guards import Guards
from moose.circuit.tables.order import adjacency, eliminate, find_order
from moose.circuit.tables.resolution import resolve_away
from moose.circuit.tables.rows import Rows
from moose.circuit.tables.theory import Constraint, make_theory
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from tests.circuit.theories import diagram_table, theories, truth_table
from tests.searching import examples


def exactly_one(members: list[int]) -> list[tuple[int, ...]]:
    return [tuple(members), *((-one, -other) for one, other in combinations(members, 2))]


@st.composite
def with_families(draw: st.DrawFn) -> Clauses:
    """Draw clauses over families and other atoms of up to three individuals."""
    individuals = draw(st.integers(1, 3))
    size = draw(st.integers(2, 3))
    names = [f"F{k}" for k in range(size)] + ["P"]
    atoms = [Atom(name, (f"i{i}",)) for i in range(individuals) for name in names]
    families = [tuple(i * len(names) + k for k in range(size)) for i in range(individuals)]
    rows = [row for family in families for row in exactly_one([atom + 1 for atom in family])]
    literal = st.integers(1, len(atoms)).flatmap(lambda n: st.sampled_from([n, -n]))
    rows += draw(st.lists(st.lists(literal, min_size=1, max_size=3).map(tuple), max_size=6))
    if draw(st.integers(0, 4)) == 0:
        rows = rows[1:]  # without the clause that one of the first family holds
    theory = clauses_from_lists(atoms, rows)
    return Clauses(**{**vars(theory), "families": tuple(families)})


@examples(400)
@given(theories() | with_families())
def test_a_circuit_by_tables_has_the_models_of_the_clauses(theory: Clauses) -> None:
    diagram = compile_circuit(theory, vtree="tables").diagram
    np.testing.assert_array_equal(diagram_table(diagram), truth_table(theory))


@examples(100)
@given(theories(auxiliary=False))
def test_tables_and_diagrams_agree(theory: Clauses) -> None:
    counts = {vtree: compile_circuit(theory, vtree=vtree).model_count() for vtree in ("tables", "structure", "auto")}
    assert len(set(counts.values())) == 1


@st.composite
def with_odd_families(draw: st.DrawFn, most_atoms: int = 10) -> Clauses:
    """Draw families that share members, have one member or are not said whole, units, empty clauses, hidden atoms."""
    count = draw(st.integers(2, most_atoms))
    atoms = [Atom(f"C{k}", ("a",)) for k in range(count)]
    member = st.integers(0, count - 1)
    families = draw(st.lists(st.lists(member, min_size=1, max_size=4, unique=True).map(tuple), max_size=3))
    rows = [row for family in families for row in exactly_one([atom + 1 for atom in sorted(family)])]
    literal = st.integers(1, count).flatmap(lambda n: st.sampled_from([n, -n]))
    rows += draw(st.lists(st.lists(literal, min_size=1, max_size=4).map(tuple), max_size=6))
    rows += [(draw(literal),) for _ in range(draw(st.integers(0, 2)))]
    rows = [row for number, row in enumerate(rows) if number != draw(st.integers(0, 40))]
    if draw(st.integers(0, 20)) == 0:
        rows.append(())
    theory = clauses_from_lists(atoms, draw(st.permutations(rows)))
    if draw(st.booleans()):
        theory.kinds[draw(st.lists(member, min_size=1, max_size=3))] = AtomKind.AUXILIARY
    return Clauses(**{**vars(theory), "families": tuple(families)})


@examples(400)
@given(with_odd_families())
def test_odd_families_have_the_models_of_the_clauses(theory: Clauses) -> None:
    diagram = compile_circuit(theory, vtree="tables").diagram
    np.testing.assert_array_equal(diagram_table(diagram), truth_table(theory))


@st.composite
def large_theories(draw: st.DrawFn) -> Clauses:
    """Draw four to six individuals in a tree or cycle, each with a family and a hierarchy: 20 to 42 atoms."""
    individuals, size, classes = draw(st.integers(4, 6)), draw(st.integers(2, 3)), draw(st.integers(3, 4))
    width = size + classes
    atoms = [Atom(f"{'F' if k < size else 'C'}{k}", (f"i{i}",)) for i in range(individuals) for k in range(width)]
    families = tuple(tuple(range(i * width, i * width + size)) for i in range(individuals))
    rows = [row for family in families for row in exactly_one([atom + 1 for atom in family])]
    below = [(size + k, size + draw(st.integers(0, k - 1))) for k in range(1, classes)]
    signed = st.tuples(st.integers(0, width - 1), st.booleans())
    within = draw(st.lists(st.lists(signed, min_size=1, max_size=3), max_size=3))
    across = draw(st.lists(st.tuples(signed, signed), max_size=3))
    edges = [(draw(st.integers(0, i - 1)), i) for i in range(1, individuals)]
    if draw(st.booleans()):
        edges.append((0, individuals - 1))

    def literal(individual: int, atom: int, holds: bool) -> int:
        number = individual * width + atom + 1
        return number if holds else -number

    for i in range(individuals):
        rows += [(literal(i, low, False), literal(i, high, True)) for low, high in below]
        rows += [tuple(literal(i, *one) for one in row) for row in within]
    rows += [(literal(a, *one), literal(b, *other)) for a, b in edges for one, other in across]
    return Clauses(**{**vars(clauses_from_lists(atoms, rows)), "families": families})


@examples(25)
@given(large_theories())
def test_large_theories_have_as_many_models_as_diagrams_say(theory: Clauses) -> None:
    assert (
        compile_circuit(theory, vtree="tables").model_count() == compile_circuit(theory, vtree="linear").model_count()
    )


@examples(100)
@given(theories())
def test_the_same_clauses_make_the_same_circuit(theory: Clauses) -> None:
    first, second = (compile_circuit(theory, vtree="tables").diagram for _ in range(2))
    assert first.root == second.root
    for one, other in ((first.starts, second.starts), (first.primes, second.primes), (first.subs, second.subs)):
        np.testing.assert_array_equal(one, other)


def test_a_family_is_one_variable_only_where_clauses_say_so() -> None:
    atoms = [Atom(name, ("a",)) for name in "ABC"]
    whole = Clauses(**{**vars(clauses_from_lists(atoms, exactly_one([1, 2, 3]))), "families": ((0, 1, 2),)})
    theory = make_theory(whole)
    assert theory is not None and theory.variables == ((0, 1, 2),) and theory.constraints == ()
    loose = Clauses(**{**vars(clauses_from_lists(atoms, exactly_one([1, 2, 3])[1:])), "families": ((0, 1, 2),)})
    theory = make_theory(loose)
    assert theory is not None and theory.variables == ((0,), (1,), (2,))
    assert compile_circuit(loose, vtree="tables").model_count() == 4


# ── Like parts ────────────────────────────────────────────────────────────────────────────────────────────────────


def chain(count: int) -> Clauses:
    """Return P(i) ∧ r(i, i + 1) → P(i + 1) along a chain."""
    atoms = [Atom("P", (f"i{i}",)) for i in range(count)] + [
        Atom("r", (f"i{i}", f"i{i + 1}")) for i in range(count - 1)
    ]
    return clauses_from_lists(atoms, [(-i - 1, -count - i - 1, i + 2) for i in range(count - 1)])


def test_like_parts_have_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bag_tables.Problem] = []
    make_table = bag_tables.make_table

    def counted(problem: bag_tables.Problem, *others: object) -> bag_tables.Table:
        made.append(problem)
        return make_table(problem, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(bag_tables, "make_table", counted)
    counts = []
    for length in (50, 100):
        made.clear()
        compile_circuit(chain(length), vtree="tables")
        counts.append(len(made))
    assert counts[0] == counts[1] < 20


def test_children_that_are_attached_alike_are_joined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    joins: list[int] = []
    join = Rows.join

    def counted(self: Rows, child: int, *others: object) -> None:
        joins.append(child)
        join(self, child, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Rows, "join", counted)
    atoms = [Atom("C", (f"i{i}",)) for i in range(301)]
    star = clauses_from_lists(atoms, [(-1, leaf) for leaf in range(2, 302)])
    circuit = compile_circuit(star, vtree="tables")
    assert len(joins) < 10
    assert circuit.model_count() == 2**300 + 1


# ── Orders ────────────────────────────────────────────────────────────────────────────────────────────────────────


@examples(200)
@given(st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=4).map(sorted), max_size=10), st.integers(0, 5))
def test_every_constraint_stands_in_the_bag_of_its_first_variable(scopes: list[list[int]], seed: int) -> None:
    order = find_order([2] * 8, scopes, tries=1 + seed)
    ranks = {variable: rank for rank, variable in enumerate(order.order)}
    assert sorted(order.order) == list(range(8))
    for scope in scopes:
        first = min(scope, key=ranks.__getitem__)
        assert set(scope) <= {first, *order.separators[first]}
    for variable in order.order:  # what a bag shares with the rest stands in its parent's bag
        if separator := order.separators[variable]:
            assert set(separator) <= {separator[0], *order.separators[separator[0]]}


def test_min_fill_finds_the_width_of_a_tree_and_of_a_cycle() -> None:
    tree = [(child, (child - 1) // 2) for child in range(1, 31)]
    cycle = [(one, (one + 1) % 12) for one in range(12)]
    for edges, count, width in ((tree, 31, 1), (cycle, 12, 2)):
        order = eliminate(adjacency(count, edges), [2] * count, None, "min-fill")
        assert order.width == width
    assert log2(4) <= eliminate([set()], [4], None, "min-fill").log_rows


@examples(200)
@given(st.lists(st.lists(st.integers(1, 6).flatmap(lambda n: st.sampled_from([n, -n])), min_size=1, max_size=3)))
def test_resolution_keeps_what_is_said_of_the_other_atoms(rows: list[list[int]]) -> None:
    atoms = [Atom(name, ("a",)) for name in "ABCDEF"]
    plain = [tuple(sorted(set(row))) for row in rows if not any(-literal in row for literal in row)]
    before, after = (clauses_from_lists(atoms, one) for one in (plain, resolve_away(plain, [5, 6])))
    for theory in (before, after):
        theory.kinds[4:] = AtomKind.AUXILIARY
    np.testing.assert_array_equal(truth_table(before), truth_table(after))


# ── What is chosen, and limits ────────────────────────────────────────────────────────────────────────────────────


def hierarchy(count: int) -> Clauses:
    atoms = [Atom(f"C{k}", ("a",)) for k in range(count)]
    return clauses_from_lists(atoms, [(-child - 1, (child - 1) // 2 + 1) for child in range(1, count)])


def test_the_way_is_chosen_and_said() -> None:
    assert compile_circuit(chain(5)).statistics.vtree.startswith("structure")
    many = compile_circuit(hierarchy(200)).statistics
    assert many.vtree.startswith("tables: ") and many.vtree.endswith("because 200 atoms hang together")
    assert "because" not in compile_circuit(hierarchy(20), vtree="tables").statistics.vtree


def clique(count: int) -> Clauses:
    atoms = [Atom("C", (f"i{i}",)) for i in range(count)]
    rows = [(one, other, -third) for one, other, third in combinations(range(1, count + 1), 3)]
    return clauses_from_lists(atoms, rows)


def test_a_table_that_would_be_too_large_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ROWS", 10)
    allowed = (
        r"10 are allowed \(--size-limit, moose.Limits\(size=…\)\); all tables together would have up to 2\^13 rows"
    )
    with pytest.raises(
        TooWide,
        match=rf"12 variables hang together \(C\(i.*{allowed}.*leave out some of these individuals or take bounds",
    ):
        compile_circuit(clique(12), vtree="tables")
    assert compile_circuit(clique(12), vtree="tables", limits=Limits(size=10_000)).model_count() > 0
    circuit: Circuit = compile_circuit(clique(12))  # diagrams do it
    assert circuit.statistics.vtree.startswith("structure")


def test_limits_hold_for_tables() -> None:
    with pytest.raises(LimitReached, match="seconds allowed"):
        compile_circuit(hierarchy(500), vtree="tables", limits=Limits(seconds=1e-9))
    with pytest.raises(LimitReached, match="50 are allowed"):
        compile_circuit(hierarchy(500), vtree="tables", limits=Limits(size=50))


def test_time_runs_out_while_an_order_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the time was up before there was an order")

    monkeypatch.setattr(compile_tables, "build_tables", never)
    with pytest.raises(LimitReached, match=r"seconds allowed \(0 of 12 variables\)"):
        compile_circuit(clique(12), vtree="tables", limits=Limits(seconds=1e-9))


@examples(60)
@given(st.integers(2, 30), st.floats(0.1, 0.9), st.integers(0, 99))
def test_wide_graphs_are_eliminated_as_plain_ones_are(count: int, density: float, seed: int) -> None:
    random = Random(seed)
    edges = [pair for pair in combinations(range(count), 2) if random.random() < density]
    near = order.adjacency(count, edges)
    plain = order.eliminate(near, [2] * count, None, "min-degree")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "WIDE", 2)
        packed = order.eliminate(near, [2] * count, None, "min-degree")
        shuffled = order.eliminate(near, [2] * count, Random(seed), "min-degree")
    assert packed == plain or (packed.order, packed.separators) == (plain.order, plain.separators)
    assert shuffled.separators == separators_of(near, shuffled.order)
    assert packed.log_rows == pytest.approx(plain.log_rows)


def separators_of(near: order.Adjacency, elimination: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Eliminate variables in a given order by sets."""
    adjacent = [set(around) for around in near]
    for variable in elimination:
        for other in adjacent[variable]:
            adjacent[other] |= adjacent[variable]
            adjacent[other] -= {variable, other}
    return tuple(tuple(sorted(around, key=elimination.index)) for around in adjacent)


@examples(60)
@given(theories(most_atoms=9, auxiliary=False), st.sets(st.integers(0, 8)))
def test_guards_are_told_and_implied_constraints_between_two_variables_of_a_bag(
    theory: Clauses, chosen: set[int]
) -> None:
    made = make_theory(theory)
    assume(made is not None)
    assert made is not None
    bag = [variable for variable in range(len(made.variables)) if variable in chosen]
    among = Guards(made).among(bag)
    found = {tuple(zip(scope, values)) for scope, relation in among for values in relation}
    told = {one for one in made.constraints if len(one) == 2 and {variable for variable, _ in one} <= set(bag)}
    assert told <= found
    binary = [one for one in made.constraints if len(one) == 2]
    for (first, values), (second, others) in found:
        assert {first, second} <= set(bag)
        outside = [(first, v, second, w) for v in range(2) for w in range(2) if not values >> v & 1 | others >> w & 1]
        for one in outside:
            assert not is_possible(binary, len(made.variables), one)


def is_possible(binary: Sequence[Constraint], count: int, fixed: tuple[int, int, int, int]) -> bool:
    """Return whether values of two variables can be completed; all are Boolean."""
    first, value, second, other = fixed
    worlds = (world for world in product((0, 1), repeat=count) if world[first] == value and world[second] == other)
    return any(all(any(values >> world[one] & 1 for one, values in row) for row in binary) for world in worlds)


def test_what_must_be_quantified_is_left_to_diagrams() -> None:
    rows = [(1 + k, 9 + k, 25) for k in range(8)] + [(17 + k, -25) for k in range(8)]
    theory = clauses_from_lists([Atom(f"C{k}", ("a",)) for k in range(25)], rows)
    theory.kinds[24:] = AtomKind.AUXILIARY
    with pytest.raises(MooseError, match="auxiliary atoms that the others determine"):
        compile_circuit(theory, vtree="tables")
    assert compile_circuit(theory).model_count() > 0
