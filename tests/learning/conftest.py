from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from moose.circuit.cache import cache_key
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.compile.shared_parts import SharedParts
from moose.grounding.clauses import Clauses
from moose.learning import binding


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Let tests that run side by side not wait for each other's threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def compiled() -> dict[str, Circuit]:
    return {}


@pytest.fixture(autouse=True)
def _compile_once(compiled: dict[str, Circuit], monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile each theory once for all tests: it is done in a process of its own, and takes longer than they do."""

    def compile_or_find(clauses: Clauses, *, parts: SharedParts | None = None) -> Circuit:
        if parts is not None:
            return compile_circuit(clauses, parts=parts)
        key = repr((cache_key(clauses, ""), clauses.kinds.tolist(), clauses.fixed, clauses.given, clauses.families))
        if key not in compiled:
            compiled[key] = compile_circuit(clauses)
        return compiled[key]

    monkeypatch.setattr(binding, "compile_circuit", compile_or_find)
