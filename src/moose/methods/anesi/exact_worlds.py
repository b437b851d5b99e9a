"""Beliefs from a prior, and worlds drawn exactly from the circuit given them: what a surrogate is trained on."""

from __future__ import annotations

import torch
from torch import Tensor

from moose.layer.layer import WMCLayer
from moose.methods.base.latent_variables import LatentVariables

SURE = 1e-9
"""Below this a probability is 0: the atom is settled by what was drawn before."""


def draw_logits(variables: LatentVariables, rows: int, concentration: float, generator: torch.Generator) -> Tensor:
    """Draw beliefs as logits, row × individual × latent concept: Dirichlet for a family, Beta for any other concept.

    A Dirichlet variable is a vector of gamma variables divided by their sum, so that their logarithms are its logits.
    """
    shape = (rows, variables.individuals, variables.concepts)
    alpha = torch.full((2, *shape), concentration)
    first, second = torch._standard_gamma(alpha, generator=generator).clamp_min(1e-30).log()
    is_member = variables.is_family[variables.variable_of].view(shape[1:])
    return torch.where(is_member, first, first - second)


def draw_worlds(variables: LatentVariables, log_weights: Tensor, generator: torch.Generator) -> Tensor:
    """Draw a world for each row of weights, exactly: int8, row × atom of the circuit, ±1.

    Variable by variable, each from its marginal given those before it; then the atoms that are left open.
    """
    layer, columns = variables.weight_map.binding.layer, variables.circuit_columns
    world = torch.zeros(len(log_weights), layer.atom_count, dtype=torch.int8)
    for variable in range(variables.count):
        marginals = layer.posteriors(log_weights, world).index_select(1, columns)
        chosen = torch.full((len(world),), variable)
        drawn = variables.draw_one(marginals, chosen, _uniform(marginals, generator))
        world[:, columns] = torch.where(drawn == 0, world[:, columns], drawn)
    return _draw_open(layer, log_weights, world, generator)


def _draw_open(layer: WMCLayer, log_weights: Tensor, world: Tensor, generator: torch.Generator) -> Tensor:
    """Draw the atoms that are not yet decided, one column after the other; what is settled is written down at once."""
    while bool((world == 0).any()):
        marginals = layer.posteriors(log_weights, world)
        is_settled = (world == 0) & ((marginals < SURE) | (marginals > 1 - SURE))
        world = torch.where(is_settled, torch.where(marginals > 0.5, 1, -1), world).to(torch.int8)
        open_columns = torch.nonzero((world == 0).any(0)).flatten().tolist()
        if open_columns:
            column = open_columns[0]
            drawn = torch.where(_uniform(marginals, generator) < marginals[:, column], 1, -1).to(torch.int8)
            world[:, column] = torch.where(world[:, column] == 0, drawn, world[:, column])
    return world


def _uniform(like: Tensor, generator: torch.Generator) -> Tensor:
    return torch.rand(len(like), generator=generator, dtype=like.dtype)
