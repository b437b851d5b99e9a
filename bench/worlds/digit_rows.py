"""Rows of three digits: an arithmetic taxonomy of unequal depth, and roles with a chain that join what stands in a row.

0 is even and no more; 4 is a proper square and with that composite. Each digit is before all that follow it in the row,
by a chain, and it is observed whether something that follows is prime, a square or triangular. Of one digit in each row
nothing else is known. The images are scikit-learn's, 8×8, as vectors.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

import moose
from bench.worlds.world import Signs, World, profiles_of, some_literals
from moose.grounding.task.task import Task
from moose.learning.encoders import mlp_encoder
from moose.learning.examples import Examples

Integers = npt.NDArray[np.int64]

ONTOLOGY = """
Prefix(:=<https://example.org/rows#>)
Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Ontology(<https://example.org/rows>
  SubClassOf(:D0 :Even) SubClassOf(:D1 ObjectIntersectionOf(:Odd :Square :Triangular))
  SubClassOf(:D2 ObjectIntersectionOf(:Even :Prime)) SubClassOf(:D3 ObjectIntersectionOf(:OddPrime :Triangular))
  SubClassOf(:D4 :EvenSquare) SubClassOf(:D5 ObjectIntersectionOf(:OddPrime :Fibonacci))
  SubClassOf(:D6 ObjectIntersectionOf(:Even :Composite :Triangular)) SubClassOf(:D7 :OddPrime)
  SubClassOf(:D8 ObjectIntersectionOf(:Even :Composite :Fibonacci))
  SubClassOf(:D9 ObjectIntersectionOf(:Odd :ProperSquare))
  SubClassOf(:D1 :Fibonacci) SubClassOf(:D2 :Fibonacci) SubClassOf(:D3 :Fibonacci)
  SubClassOf(:OddPrime ObjectIntersectionOf(:Odd :Prime))
  SubClassOf(:EvenSquare ObjectIntersectionOf(:Even :ProperSquare))
  SubClassOf(:ProperSquare ObjectIntersectionOf(:Square :Composite))
  DisjointClasses(:Even :Odd) DisjointClasses(:Prime :Composite) DisjointClasses(:Prime :Square)
  SubObjectPropertyOf(:next :before)
  SubObjectPropertyOf(ObjectPropertyChain(:next :before) :before)
  EquivalentClasses(:BeforePrime ObjectSomeValuesFrom(:before :Prime))
  EquivalentClasses(:BeforeSquare ObjectSomeValuesFrom(:before :Square))
  EquivalentClasses(:BeforeTriangular ObjectSomeValuesFrom(:before :Triangular))
)
"""
OWN = ("Even", "Odd", "Prime", "Composite", "Square", "Triangular", "Fibonacci")
FOLLOWING = {"BeforePrime": "Prime", "BeforeSquare": "Square", "BeforeTriangular": "Triangular"}
PLACES = ("a", "b", "c")
TRAIN, TEST, TEST_IMAGES = 1500, 1000, 600
SEEN = 0.5
"""How often it is seen of a digit whether such a one follows."""


def make() -> World:
    """Make the world."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.ofn"
        path.write_text(ONTOLOGY, "utf-8")
        members = [f"D{digit}" for digit in range(10)]
        task = Task(
            moose.load(path), PLACES, [*OWN, *FOLLOWING], members, [members], {"next": [("a", "b"), ("b", "c")]}
        )
    further = {"defaults, only, closed domain": ("only", "closed_domain")}
    return World(task, draw, network, epochs=40, held_back=0.15, further=further)


def network(outputs: int, seed: int) -> nn.Module:
    """Make the network of all rows: two full layers."""
    return mlp_encoder(64, outputs, seed=seed)


def draw(task: Task, seed: int) -> tuple[Examples, Examples]:
    """Draw rows of digits: those to learn from and those to test on share no image."""
    numbers = np.random.default_rng(seed)
    images, digits = load_digits(return_X_y=True)
    order = numbers.permutation(len(images))
    chosen = numbers.choice(order[TEST_IMAGES:], (TRAIN, 3)), numbers.choice(order[:TEST_IMAGES], (TEST, 3))
    train, test = (
        rows_of(task, torch.from_numpy(images[rows]).float(), true_of_rows(task, digits[rows]), numbers)
        for rows in chosen
    )
    return train, test


def rows_of(task: Task, inputs: Tensor, truth: Signs, numbers: np.random.Generator) -> Examples:
    """Return rows of images with what is seen of them."""
    column = {concept.name: position for position, concept in enumerate(task.concepts)}
    evidence = np.zeros_like(truth)
    own = [column[name] for name in OWN]
    for place in range(len(PLACES)):
        evidence[:, place] = some_literals(truth[:, place], own, numbers)
    evidence[np.arange(len(truth)), numbers.integers(0, len(PLACES), len(truth))] = 0
    for name in FOLLOWING:
        is_seen = numbers.random((len(truth), len(PLACES) - 1)) < SEEN  # nothing follows the last
        evidence[:, :-1, column[name]] = np.where(is_seen, truth[:, :-1, column[name]], 0)
    return Examples(task, inputs, torch.from_numpy(evidence), torch.from_numpy(truth))


def true_of_rows(task: Task, digits: Integers) -> Signs:
    """Return row × place × concept: of each digit its profile, and of what follows whether something is such."""
    column = {concept.name: position for position, concept in enumerate(task.concepts)}
    truth = profiles_of(task)[digits]
    for name, what in FOLLOWING.items():
        for place in range(len(PLACES)):
            truth[:, place, column[name]] = truth[:, place + 1 :, column[what]].max(1, initial=-1)
    return truth
