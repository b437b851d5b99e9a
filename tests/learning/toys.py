"""Small tasks and examples for the tests: digits drawn as one bright pixel of ten."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import torch
from torch import Tensor, nn

from moose.grounding.task.regimes import regime
from moose.grounding.task.task import Task
from moose.learning.encoders import initialise
from moose.learning.examples import Examples

PROPERTIES = {"Even": (0, 2, 4, 6, 8), "Odd": (1, 3, 5, 7, 9), "Prime": (2, 3, 5, 7), "Composite": (4, 6, 8, 9)}
STEPS = {"mnist1": (0,), "mnist2": (0, 1), "mnist3": (0, 2)}


@cache
def task_of(name: str) -> Task:
    return regime(name)


def chain(length: int) -> Task:
    """Digits each of which follows the one before."""
    base = task_of("mnist2")
    names = [f"i{place}" for place in range(length)]
    return Task(
        base.ontology,
        individuals=names,
        observed=base.observed,
        latent=base.latent,
        families=base.families,
        roles={"succ": list(pairwise(names))},
    )


def truth_of(digits: Tensor, task: Task) -> Tensor:
    """Return what holds of digits: example × individual to example × individual × concept."""
    columns = []
    for concept in task.concepts:
        members = PROPERTIES.get(concept.name) or (int(concept.name.removeprefix("D")),)
        columns.append(torch.isin(digits, torch.tensor(members)))
    return torch.where(torch.stack(columns, -1), 1, -1).to(torch.int8)


def toy_examples(
    name: str = "mnist2", count: int = 128, *, seed: int = 0, share: float = 0.5, task: Task | None = None
) -> Examples:
    """Draw examples; each property is observed with the probability `share`."""
    generator = torch.Generator().manual_seed(seed)
    task = task or task_of(name)
    steps = STEPS[name] if len(task.individuals) == len(STEPS[name]) else tuple(range(len(task.individuals)))
    digits = (torch.randint(10, (count, 1), generator=generator) + torch.tensor(steps)) % 10
    pixels = 0.8 * torch.eye(10)[digits] + 0.2 * torch.rand(count, len(steps), 10, generator=generator)
    truth = truth_of(digits, task)
    is_observable = torch.tensor([not concept.is_latent for concept in task.concepts])
    is_observed = (torch.rand(truth.shape, generator=generator) < share) & is_observable
    return Examples(task, pixels[:, :, None, None, :], torch.where(is_observed, truth, 0).to(torch.int8), truth)


def toy_encoder(outputs: int = 10, *, seed: int = 0, dropout: float = 0.0) -> nn.Module:
    """Build a small network for the pixels of the toy examples."""
    layers = [nn.Flatten(), nn.Linear(10, 16), nn.ReLU(), nn.Dropout(dropout), nn.Linear(16, outputs)]
    encoder = nn.Sequential(*layers)
    initialise(encoder, torch.Generator().manual_seed(seed))
    return encoder
