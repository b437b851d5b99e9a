"""How sure a network may be at most, by examples that were held back: one number that all logits are multiplied by.

A network that has seen its examples often is surer of them than of others. The loss is the logarithm of how likely the
evidence is, so that the scale under which what was held back is likeliest is that of a calibrated network, as far as
one number can do it (temperature scaling; Guo et al. 2017). No label is looked at. A network is never made surer: that
is what training is for, and evidence that leaves several readings would be no warrant for it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

import torch
from scipy.optimize import minimize_scalar
from torch import nn

from moose.learning.network import ConceptNetwork

LEAST = log(1 / 20)
"""How small the scale may get, as a logarithm."""
ROUGH = 0.01
"""As near as the logarithm of the scale is looked for."""


def set_temperature(network: nn.Module, loss: Callable[[], float]) -> None:
    """Scale the logits of a network so that a loss is least; leave them where that makes it no less."""
    scales = [module.log_scale for module in network.modules() if isinstance(module, ConceptNetwork)][:1]
    if not scales:
        return
    scale, start = scales[0], float(scales[0])

    def loss_at(value: float) -> float:
        with torch.no_grad():
            scale.fill_(value)
        return loss()

    before = loss_at(start)
    found = minimize_scalar(loss_at, bounds=(LEAST, 0.0), method="bounded", options={"xatol": ROUGH})
    loss_at(float(found.x) if found.fun < before else start)
