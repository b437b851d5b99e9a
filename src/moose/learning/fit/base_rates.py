"""Where a training starts: at the base rates of the labels, which the biases of the last layer learn before all else.

Of a network that knows nothing every sigmoid is about ½, and a theory makes much of that: of a class with n classes
below it 2ⁿ worlds say that it holds and one that it does not, so that it holds almost surely. Of hundreds of classes
that is a start far from anything true, and the first epochs are spent on the way back, in all layers. Biases alone go
that way in a few steps: the weights of the last layer are taken for 0 while the loss of the method itself is minimised.
How many siblings hold together is a base rate, too.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.network import ConceptNetwork
from moose.learning.open_weights import SPEED, SiblingOdds

STEPS = 120
LARGEST_STEP = 0.3
"""Of a bias, which falls to 0 in a straight line: a logit may go 18 either way."""


def start_at_base_rates(network: nn.Module, next_loss: Callable[[], Tensor]) -> None:
    """Move the biases of the last layer to where the losses of batches are least if nothing else is known."""
    last = last_layer(network)
    learnt = [parameter for parameter in network.parameters() if parameter.requires_grad]
    weight = last.weight.detach().clone()
    odds = [module.scaled for module in network.modules() if isinstance(module, SiblingOdds)]
    optimiser = torch.optim.Adam([last.bias], lr=LARGEST_STEP)
    for one in odds:
        optimiser.add_param_group({"params": [one], "lr": LARGEST_STEP / SPEED})
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, start_factor=1.0, end_factor=1 / STEPS, total_iters=STEPS)
    network.eval()
    try:
        for parameter in learnt:
            parameter.requires_grad_(any(parameter is one for one in (last.bias, *odds)))
        last.weight.detach().zero_()
        for _ in range(STEPS):
            loss = next_loss()
            if not loss.requires_grad:  # a batch without labels
                continue
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
    finally:
        last.weight.detach().copy_(weight)
        for parameter in (last.bias, *odds):
            parameter.grad = None
        for parameter in learnt:
            parameter.requires_grad_(True)


def last_layer(network: nn.Module) -> nn.Linear:
    """Return the layer that gives the logits of a network; refuse a network that has none."""
    last = find_last_layer(network)
    if last is None:
        raise MooseError(
            "base rates are learnt by the biases of a full layer that gives the logits, but this network has none; "
            "choose an encoder that comes with Moose, or begin without them"
        )
    return last


def find_last_layer(network: nn.Module) -> nn.Linear | None:
    """Return the full layer with biases that gives the logits of a network, if it has one."""
    outermost = next((module for module in network.modules() if isinstance(module, ConceptNetwork)), None)
    if outermost is None:
        return None
    encoder = outermost.encoder
    if not isinstance(outermost.last, nn.Identity):
        last: object = outermost.last
    elif isinstance(encoder, ConceptNetwork):
        last = find_last_layer(encoder)
    else:
        last = getattr(encoder, "last", None)
    return last if isinstance(last, nn.Linear) and last.bias is not None else None
