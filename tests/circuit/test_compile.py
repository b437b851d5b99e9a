from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.compile import compile_circuit
from moose.grounding.clauses import Clauses
from tests.circuit.theories import diagram_table, theories, truth_table
from tests.searching import examples


@examples(150)
@given(theories(), st.booleans())
def test_the_structural_compiler_agrees_with_the_truth_table(theory: Clauses, minimise: bool) -> None:
    circuit = compile_circuit(theory, minimise=minimise)
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()


@examples(60)
@given(theories(), st.sampled_from(["balanced", "linear"]), st.booleans())
def test_one_manager_agrees_with_the_truth_table(theory: Clauses, vtree: str, minimise: bool) -> None:
    circuit = compile_circuit(theory, vtree=vtree, minimise=minimise)
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()
