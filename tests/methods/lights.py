"""A small theory of traffic lights, and the oracle of what a diffusion over them counts: a list of all its worlds."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor

from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.loss.objective import Prepared
from moose.methods.base.latent_variables import LatentVariables
from moose.methods.base.perception import Perception
from moose.methods.nesydm.nesydm import DiffusionModel, Nesydm
from tests.circuit.brute_force import worlds_of
from tests.grounding.tasks import ontology_of
from tests.learning.toys import toy_encoder

AXIOMS = """
Declaration(Class(:Red)) Declaration(Class(:Amber)) Declaration(Class(:Green)) Declaration(Class(:Wet))
Declaration(Class(:Go)) Declaration(Class(:Slow)) Declaration(ObjectProperty(:next))
SubClassOf(:Green :Go) SubClassOf(ObjectIntersectionOf(:Red :Go) owl:Nothing) SubClassOf(:Amber :Slow)
SubClassOf(:Wet :Slow) SubClassOf(:Green ObjectSomeValuesFrom(:next :Amber))
SubClassOf(ObjectIntersectionOf(:Red :Wet) owl:Nothing)
"""
PERCEPTION = Perception((1, 1, 10), make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
EVIDENCE: tuple[dict[tuple[str, str], int], ...] = (
    {},
    {("a", "Go"): 1},
    {("a", "Go"): 1, ("b", "Slow"): -1},
    {("a", "Slow"): -1, ("b", "Go"): -1},
)


@cache
def lights(individuals: int = 2) -> Task:
    """Return a latent family (the colour), a latent concept of no family (wet), and two observed ones."""
    names = [chr(ord("a") + place) for place in range(individuals)]
    with TemporaryDirectory() as folder:
        ontology = ontology_of(Path(folder), AXIOMS)
    return Task(
        ontology,
        individuals=names,
        latent=["Wet", "Red", "Amber", "Green"],
        observed=["Go", "Slow", "next"],
        families=[["Red", "Amber", "Green"]],
        roles={
            "next": [(one, other) for one, other in zip(names, [*names[1:], names[0]], strict=True) if one != other]
        },
    )


def light_examples(count: int = 4, individuals: int = 2) -> Examples:
    """Return examples with the evidence above, over and over."""
    task = lights(individuals)
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    evidence = torch.zeros(count, individuals, len(task.concepts), dtype=torch.int8)
    for row in range(count):
        for (name, concept), sign in EVIDENCE[row % len(EVIDENCE)].items():
            if name in task.individuals:
                evidence[row, task.individuals.index(name), columns[concept]] = sign
    inputs = torch.rand(count, individuals, 1, 1, 10, generator=torch.Generator().manual_seed(3))
    return Examples(task, inputs, evidence, torch.zeros_like(evidence))


def model_and_examples(method: Nesydm, examples: Examples, seed: int = 0) -> tuple[DiffusionModel, Prepared]:
    model = method.model(examples.task, PERCEPTION, seed=seed)
    # The first weights of the last layer are 0; with others, what is known of one variable moves all others.
    torch.nn.init.normal_(model.network.last.weight, generator=torch.Generator().manual_seed(seed))
    return model, model.prepare(examples)


def worlds(variables: LatentVariables) -> Tensor:
    """List the models of the theory: int8, model × atom of the circuit, ±1."""
    circuit = variables.weight_map.binding.layer.circuit
    found = worlds_of(circuit.clauses)
    assert found.atoms == tuple(circuit.atoms)
    models = torch.from_numpy(np.array(found.models(), dtype=np.int8) * 2 - 1)
    given = variables.weight_map.binding.layer.given
    return models[((models == given) | (given == 0)).all(1)]


def vectors(individuals: int = 2) -> Tensor:
    """List all values of the latent variables, whatever the theory says: int8, vector × individual × concept."""
    colours = 2 * torch.eye(3, dtype=torch.int8) - 1
    one = [torch.cat([torch.tensor([wet], dtype=torch.int8), colour]) for wet in (1, -1) for colour in colours]
    return torch.stack([torch.stack(several) for several in product(one, repeat=individuals)])


def vector_probability(logits: Tensor, values: Tensor) -> Tensor:
    """Return the probability of each vector for one example's logits: a coin for wet, a softmax for the colour."""
    wet, colours = logits[:, 0].sigmoid(), logits[:, 1:].softmax(-1)
    coins = torch.where(values[..., 0] > 0, wet, 1 - wet)
    colour = torch.where(values[..., 1:] > 0, colours, torch.ones_like(colours)).prod(-1)
    return (coins * colour).prod(-1)


def completions(variables: LatentVariables, mask: Tensor, values: Tensor) -> Tensor:
    """Count for each vector the worlds that agree with it and with the evidence of one example."""
    models = worlds(variables)
    agrees = ((models == mask) | (mask == 0)).all(1)
    latent = models[agrees][:, variables.circuit_columns]
    return (values.flatten(1).unsqueeze(1) == latent).all(-1).sum(1)
