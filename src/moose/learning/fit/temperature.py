"""How sure a network may be at most, by examples that were held back: one number that all logits are multiplied by.

A network that has seen its examples often is surer of them than of others. The loss is the logarithm of how likely the
evidence is, so that the scale under which what was held back is likeliest is that of a calibrated network, as far as
one number can do it (temperature scaling; Guo et al. 2017). No label is looked at. A network is never made surer: that
is what training is for, and evidence that leaves several readings would be no warrant for it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

from torch import nn

from moose.learning.network import ConceptNetwork, Memory

LEAST = log(1 / 20)
"""How small the scale may get, as a logarithm."""
ROUGH = 0.03
"""As near as the logarithm of the scale is looked for."""


def set_temperature(network: nn.Module, loss: Callable[[], float]) -> float:
    """Scale the logits of a network down so that a loss is least, or leave them; return that loss."""
    from scipy.optimize import minimize_scalar

    outermost = next((module for module in network.modules() if isinstance(module, ConceptNetwork)), None)
    if outermost is None:
        return loss()
    scale, start = outermost.log_scale, float(outermost.log_scale)
    outermost.memory = memory = Memory()  # the network says the same each time

    def loss_at(value: float) -> float:
        scale.fill_(value)
        memory.begin()
        return loss()

    try:
        before = loss_at(start)
        found = minimize_scalar(loss_at, bounds=(LEAST, 0.0), method="bounded", options={"xatol": ROUGH})
    finally:
        outermost.memory = None
    is_less = bool(found.fun < before)
    scale.fill_(float(found.x) if is_less else start)
    return float(found.fun) if is_less else before


def reset_temperature(network: nn.Module) -> None:
    """Leave the logits of a network as they are."""
    for module in network.modules():
        if isinstance(module, ConceptNetwork):
            module.log_scale.zero_()
