"""Circuits are certified, and nothing else is accepted as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.certificates.checker.verify import verify_text
from moose.certificates.make.certify_circuit import certify_circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from moose.grounding.task.regimes import REGIMES
from tests.certificates.making import certified, refusal, regime_circuit, text_of
from tests.certificates.mutations import circuit_mutants, mutants
from tests.circuit.random_clauses import clause_sets
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


@given(clause_sets(auxiliary=True), st.sampled_from(["structure", "tables"]))
@examples(100)
def test_random_circuits_with_auxiliary_atoms_are_certified(clauses: Clauses, vtree: str) -> None:
    certificate = certified(lambda: certify_circuit(compile_circuit(clauses, vtree=vtree)))
    if certificate is not None:
        assert refusal(certificate) is None


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
