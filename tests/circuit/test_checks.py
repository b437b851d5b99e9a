"""What the compilers make passes the checks; what is damaged does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.circuit.checks import determinism
from moose.circuit.checks.check_diagram import check_diagram
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import smoothed
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.brute_force import all_worlds, worlds_of
from tests.circuit.plain_compiler import Builder, both
from tests.circuit.random_clauses import clause_sets
from tests.searching import examples


def scopes(diagram: Diagram) -> list[set[int]]:
    count = diagram.atom_count
    found = [{slot % count} for slot in range(2 * count)] + [set(), set()]
    for start, stop in zip(diagram.starts, diagram.starts[1:]):
        found.append(set().union(*(found[diagram.primes[e]] | found[diagram.subs[e]] for e in range(start, stop))))
    return found


def overlaps(diagram: Diagram) -> bool:
    """Say by trying every world whether two elements of a decision are true in the same one."""
    for world in all_worlds(diagram.atom_count):
        values = [*world, *(not truth for truth in world), True, False]
        for start, stop in zip(diagram.starts, diagram.starts[1:]):
            true = [values[diagram.primes[e]] and values[diagram.subs[e]] for e in range(start, stop)]
            if sum(true) > 1:
                return True
            values.append(any(true))
    return False


@given(clause_sets(most=8, auxiliary=True))
@examples(60)
def test_what_is_compiled_passes(clauses: Clauses) -> None:
    for diagram in both(clauses):
        report = check_diagram(diagram)
        assert report.is_decomposable and report.is_deterministic and report.is_exact
        smooth = check_diagram(smoothed(diagram))
        assert smooth.is_decomposable and smooth.is_deterministic and smooth.is_smooth and not smooth.faults


@given(clause_sets(most=12, auxiliary=True), st.sampled_from(["structure", "balanced", "linear"]))
@examples(40)
def test_what_moose_compiles_passes(clauses: Clauses, vtree: str) -> None:
    report = compile_circuit(clauses, vtree=vtree).check()
    assert report.is_decomposable and report.is_deterministic and report.is_exact


@given(clause_sets(most=5), st.data())
@examples(150)
def test_a_damaged_diagram_is_judged_as_by_trying_every_world(clauses: Clauses, data: st.DataObject) -> None:
    diagram = data.draw(st.sampled_from(both(clauses)))
    if diagram.element_count == 0:
        return
    element = data.draw(st.integers(0, diagram.element_count - 1))
    decision = int(np.searchsorted(diagram.starts, element, side="right")) - 1
    slot = data.draw(st.integers(0, diagram.first_decision + decision - 1))
    side = data.draw(st.sampled_from(["primes", "subs"]))
    changed = getattr(diagram, side).copy()
    changed[element] = slot
    damaged = replace(diagram, **{side: changed})
    report, found = check_diagram(damaged), scopes(damaged)
    pairs = list(zip(damaged.primes.tolist(), damaged.subs.tolist()))
    assert report.is_decomposable == all(not found[prime] & found[sub] for prime, sub in pairs)
    assert report.is_deterministic == (not overlaps(damaged))
    assert report.is_exact
    spans = [pairs[start:stop] for start, stop in zip(damaged.starts, damaged.starts[1:])]
    even = all(len({frozenset(found[prime] | found[sub]) for prime, sub in span}) == 1 for span in spans)
    is_whole = damaged.root == damaged.false or found[damaged.root] == set(range(damaged.atom_count))
    assert report.is_smooth == (even and is_whole)


def test_each_fault_has_its_sentence() -> None:
    builder = Builder(2)
    whole = builder.decision([(0, 0), (1, 4)])
    report = check_diagram(builder.diagram(whole))
    assert report.faults == (
        "not decomposable: the two sides of element 0 share an atom",
        "not smooth: the elements of decision 0 mention different atoms",
        "not deterministic: elements 0 and 1 have a common model",
    )


def test_a_diagram_out_of_order_is_refused() -> None:
    diagram = Diagram(1, np.array([0, 1]), np.array([0], dtype=np.int32), np.array([4], dtype=np.int32), 4)
    with pytest.raises(MooseError, match="element 0 of the diagram uses slot 4, which must stand below 4"):
        check_diagram(diagram)
    with pytest.raises(MooseError, match="the root of the diagram must be one of its 5 slots, but is 9"):
        check_diagram(replace(diagram, subs=np.array([2], dtype=np.int32), root=9))
    with pytest.raises(MooseError, match="decision 0 of the diagram has no elements"):
        check_diagram(replace(diagram, starts=np.array([0, 0, 1])))


def test_too_many_pairs_are_sampled_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(determinism, "MOST_PAIRS", 1)
    atoms = [Atom("A", (f"i{k}",)) for k in range(8)]
    parity = _parity(4) + [tuple(x + (4 if x > 0 else -4) for x in c) for c in _parity(4)]
    diagram = both(clauses_from_lists(atoms, [*parity, (1, 5), (2, 6), (3, 7)]))[1]
    report = check_diagram(diagram, seed=1)
    assert report.is_deterministic and not report.is_exact and report.proved < report.pairs
    assert report == check_diagram(diagram, seed=1)


def _parity(size: int) -> list[tuple[int, ...]]:
    """Return clauses that an even number of atoms is true."""
    odd = [world for world in all_worlds(size) if sum(world) % 2 == 1]
    return [tuple(-(k + 1) if truth else k + 1 for k, truth in enumerate(world)) for world in odd]


def test_worlds_and_parity_agree() -> None:
    atoms = [Atom("A", (f"i{k}",)) for k in range(4)]
    assert worlds_of(clauses_from_lists(atoms, _parity(4))).count() == 8
