"""Circuits are certified, and nothing else is accepted as one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.certificates.checker.verify import verify_text
from moose.certificates.make.certify_circuit import certify_circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from moose.grounding.task.regimes import REGIMES
from tests.certificates.making import certified, refusal, regime_circuit, text_of
from tests.certificates.mutations import circuit_mutants, mutants
from tests.certificates.table_mutations import is_right, table_certificates, wrong_tables
from tests.circuit.random_clauses import clause_sets
from tests.circuit.test_tables import with_odd_families
from tests.searching import examples


@pytest.mark.parametrize("vtree", ["structure", "tables"])
@pytest.mark.parametrize("name", REGIMES)
def test_bundled_circuits_are_certified(name: str, vtree: str) -> None:
    verdict = verify_text(text_of(certify_circuit(regime_circuit(name, vtree=vtree))))
    assert verdict.kind == "circuit"
    assert any("EL fragment" in one for one in verdict.granted)


@given(clause_sets(), st.sampled_from(["structure", "tables"]))
@examples(100)
def test_random_circuits_are_certified(clauses: Clauses, vtree: str) -> None:
    assert verify_text(text_of(certify_circuit(compile_circuit(clauses, vtree=vtree)))).kind == "circuit"


@given(clause_sets(auxiliary=True) | with_odd_families(), st.sampled_from(["structure", "tables"]))
@examples(100)
def test_random_circuits_with_auxiliary_atoms_are_certified(clauses: Clauses, vtree: str) -> None:
    certificate = certified(lambda: certify_circuit(compile_circuit(clauses, vtree=vtree)))
    if certificate is not None:
        assert refusal(certificate) is None


ODD_CLAUSES: list[list[tuple[int, ...]]] = [[(1, 1)], [(1, 2, 1), (-2, -2, 1)], [(1, -1, 1), (2, 2, -1)], [(1, -1)]]


@pytest.mark.parametrize("rows", ODD_CLAUSES)
def test_clauses_that_repeat_a_literal_or_always_hold_are_certified(rows: list[tuple[int, ...]]) -> None:
    atoms = [Atom("A", ("x",)), Atom("B", ("x",))]
    for vtree in ("structure", "tables"):
        assert refusal(certify_circuit(compile_circuit(clauses_from_lists(atoms, rows), vtree=vtree))) is None


def test_an_elimination_that_passes_over_a_clause_is_refused() -> None:
    atoms = [Atom("A", ("x",)), Atom("B", ("x",)), Atom("Between", ("x",))]
    kinds = np.array([AtomKind.OBSERVABLE, AtomKind.OBSERVABLE, AtomKind.AUXILIARY], dtype=np.int8)
    clauses = replace(clauses_from_lists(atoms, [(-1, 3), (-3, 2)]), kinds=kinds)
    certificate = certify_circuit(compile_circuit(clauses))
    assert certificate["eliminated"] == [[3, [[-1, 2]]]]
    assert refusal(certificate) is None
    assert "passes over" in str(refusal({**certificate, "eliminated": [[3, []]]}))
    assert "is not eliminated" in str(refusal({**certificate, "eliminated": []}))
    assert "each atom once" in str(refusal({**certificate, "eliminated": [[1, [[-3, 2]]]]}))


@pytest.mark.parametrize("name", ["mnist1", "pizzaA", "pizzaC"])
def test_wrong_circuits_are_refused(name: str) -> None:
    circuit = regime_circuit(name)
    certificate = certify_circuit(circuit)
    changed = [*mutants(certificate, 0), *circuit_mutants(certificate, circuit, 0, count=30)]
    assert len(changed) > 20
    for kind, one in changed:
        assert refusal(one), f"{kind} was accepted"


def test_circuits_by_tables_are_certified_and_wrong_ones_refused() -> None:
    sound = list(table_certificates(30))
    assert len(sound) > 20
    for certificate in sound:
        assert is_right(certificate)
        assert refusal(certificate) is None
    wrong, unchanged = wrong_tables(sound, 200)
    assert {kind for kind, one in wrong if refusal(one) is None} == set()
    assert len({kind for kind, _ in wrong}) == 16
    assert 0 < unchanged < 200


# ── Refutations that follow the diagram ───────────────────────────────────────────────────────────────────────────


def hierarchy(count: int) -> Clauses:
    """Return classes each of which is below two others, and some disjoint ones."""
    atoms = [Atom(f"C{k}", ("a",)) for k in range(count)]
    below = [(-child - 1, parent + 1) for child in range(1, count) for parent in {(child - 1) // 2, max(0, child - 3)}]
    return clauses_from_lists(atoms, below + [(-k, -k - 1) for k in range(count // 2, count, 7)])


def test_a_refutation_has_about_as_many_lines_as_the_circuit_has_products() -> None:
    for count in (50, 200):
        circuit = compile_circuit(hierarchy(count), vtree="tables")
        certificate = certify_circuit(circuit)
        lines = certificate["refutation"]
        assert isinstance(lines, list)
        assert len(lines) < circuit.diagram.element_count
        assert refusal(certificate) is None


def test_long_chains_and_large_families_are_certified() -> None:
    chain = clauses_from_lists([Atom(f"C{k}", ("a",)) for k in range(1500)], [(-k, k + 1) for k in range(1, 1500)])
    members = range(1, 81)
    rows = [tuple(members), *((-one, -other) for one, other in combinations(members, 2)), (-1, 81), (-2, -81)]
    atoms = [Atom(f"F{k}", ("a",)) for k in range(81)]
    family = replace(clauses_from_lists(atoms, rows), families=(tuple(range(80)),))
    for clauses in (chain, family):
        assert refusal(certify_circuit(compile_circuit(clauses, vtree="tables"))) is None


def test_a_circuit_that_lacks_a_model_gets_no_certificate() -> None:
    atoms = [Atom(name, ("a",)) for name in "ABC"]
    small, large = (compile_circuit(clauses_from_lists(atoms, rows)) for rows in ([(1, 2), (-1, 3)], [(1, 2)]))
    with pytest.raises(MooseError, match="a model that the circuit lacks"):
        certify_circuit(replace(large, diagram=small.diagram))
