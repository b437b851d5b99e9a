"""A small theory with latent roles: boxes, which are big or small, and of which one stands on another."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor, nn

from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.learning.encoders import initialise
from moose.learning.examples import Examples
from moose.owl.ontology import Ontology
from tests.grounding.tasks import ontology_of

AXIOMS = """
Declaration(Class(:Big)) Declaration(Class(:Small)) Declaration(Class(:Heavy)) Declaration(Class(:Shelf))
Declaration(ObjectProperty(:on)) Declaration(ObjectProperty(:above)) Declaration(ObjectProperty(:beside))
Declaration(NamedIndividual(:floor))
SubClassOf(:Big :Heavy) SubObjectPropertyOf(:on :above)
SubClassOf(ObjectIntersectionOf(:Big ObjectSomeValuesFrom(:above :Small)) owl:Nothing)
SubClassOf(ObjectIntersectionOf(:Heavy ObjectSomeValuesFrom(:beside :Heavy)) owl:Nothing)
SubObjectPropertyOf(ObjectPropertyChain(:beside :on) :above)
SubClassOf(ObjectSomeValuesFrom(:on ObjectHasSelf(:on)) owl:Nothing)
"""
FEATURES = 6


@cache
def shelves() -> Ontology:
    """Return the ontology."""
    with TemporaryDirectory() as folder:
        return ontology_of(Path(folder), AXIOMS)


def shelf_task(boxes: int = 2, **changes: object) -> Task:
    """Return boxes whose sizes and places are latent; what is beside what is known."""
    names = ["a", "b", "c", "d"][:boxes]
    fields: dict[str, object] = {
        "individuals": names,
        "observed": ["Heavy"],
        "latent": ["Big", "Small", "on", "above"],
        "families": [["Big", "Small"]],
        "roles": {"beside": [("a", "b")]},
    }
    return Task(shelves(), **{**fields, **changes})  # type: ignore[arg-type]  # the task checks them


@cache
def plain_shelves() -> Task:
    """Return the task of two boxes, the same value each time."""
    return shelf_task()


def with_a_floor() -> Task:
    """Return boxes and the floor, of which nothing is seen, and a crate of a kind without an input."""
    kinds = {
        "box": Kind(individuals=["a"], latent=["Big", "Small"], families=[["Big", "Small"]]),
        "ground": Kind(individuals=["floor", "crate"], has_input=False),
    }
    return shelf_task(individuals=["a", "floor", "crate"], families=[], kinds=kinds, roles=None, latent=["on", "above"])


def shelf_examples(task: Task, count: int = 8, *, seed: int = 0, **fields: object) -> Examples:
    """Return examples with inputs that are noise, and no evidence."""
    people, concepts = len(task.individuals), len(task.concepts)
    seen = int(task.has_input.sum())
    inputs = torch.rand(count, seen, 1, 1, FEATURES, generator=torch.Generator().manual_seed(seed))
    nothing = torch.zeros(count, people, concepts, dtype=torch.int8)
    return Examples(task, inputs, nothing, nothing.clone(), **fields)  # type: ignore[arg-type]


def no_roles(task: Task, count: int) -> Tensor:
    """Return that nothing is said of the roles of examples."""
    people = len(task.individuals)
    return torch.zeros(count, len(task.role_predicates), people, people, dtype=torch.int8)


def shelf_encoder(seed: int = 0) -> nn.Module:
    """Return an encoder that gives features."""
    encoder = nn.Sequential(nn.Flatten(), nn.Linear(FEATURES, FEATURES), nn.Tanh())
    initialise(encoder, torch.Generator().manual_seed(seed))
    return encoder


class Distance(nn.Module):
    """A pair network of somebody's own: a logit for each role by a weighted difference, and features if there are."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.weights = nn.Parameter(
            torch.randn(FEATURES, len(task.read_roles), generator=torch.Generator().manual_seed(1))
        )

    def forward(self, first: Tensor, second: Tensor, features: Tensor | None = None) -> Tensor:
        """Return pair × role."""
        logits = (first - 2 * second) @ self.weights
        return logits if features is None else logits + features
