"""The kernels are plain Python: they give the same when they are not compiled."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from moose.layer import fused_executor as executor
from moose.layer.kernels import by_address, curvature, heaviest, scaled, tiles
from moose.layer.program import COMPILE_FROM, find_levels
from tests.layer.examples import chain_circuit, mask, pair_layers, random_log_weights


@pytest.mark.parametrize("which", [0, 2], ids=["small", "large"])
def test_compiled_or_not(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = pair_layers([(1, 2), (-2, 3, 4), (-1, -4)], 4)[which]
    weights = random_log_weights(5, 4, seed=5)
    weights[1] *= 400
    weights[2, 0] = -torch.inf
    evidence = mask([{}, {}, {2: False}, {0: True, 3: True}, {1: True}], 4)
    weights.requires_grad_()

    def everything() -> list[torch.Tensor]:
        logs, posteriors = layer(weights, evidence), layer.posteriors(weights, evidence)
        slopes = torch.autograd.grad((posteriors**2).sum(), weights)[0]
        probabilities = torch.tensor([[0.1, 0.0, 1.0, 1e-250]] * 2, dtype=torch.float64, requires_grad=True)
        by_probabilities = torch.autograd.grad(layer.from_probabilities(probabilities).sum(), probabilities)[0]
        by_weights = torch.autograd.grad((2 * logs).sum(), weights)[0]
        return [logs, posteriors, slopes, by_probabilities, by_weights, *layer.most_probable(weights, evidence)]

    compiled = everything()
    plain = {
        "count_at": by_address.count_at,
        "scale_at": by_address.scale_at,
        "count_in_tiles": tiles.count_in_tiles,
        "count_scaled": scaled.count_scaled,
        "change_marginals": curvature.change_marginals,
        "change_marginals_scaled": curvature.change_marginals_scaled,
    }
    monkeypatch.setattr(by_address, "array_at", array_at)
    monkeypatch.setattr(executor, "compiled", lambda: plain)
    monkeypatch.setattr(executor, "compiled_heaviest", lambda: heaviest.find_heaviest)
    torch.testing.assert_close(everything(), compiled, rtol=1e-12, atol=1e-14)


def array_at(kind: type, address: int, shape: tuple[int, ...]) -> NDArray[Any]:
    """See an array at an address, without numba."""
    if 0 in shape:
        return np.empty(shape, kind)
    cells = ctypes.c_byte * (math.prod(map(int, shape)) * np.dtype(kind).itemsize)
    return np.asarray(cells.from_address(int(address))).view(kind).reshape(shape)


def test_levels_of_large_circuits_are_found_by_compiled_code() -> None:
    circuit = chain_circuit(COMPILE_FROM // 2)
    assert circuit.diagram.element_count > COMPILE_FROM
    assert find_levels(circuit.diagram)[-1] == COMPILE_FROM // 2 - 1
