"""A model on disk: a folder with the weights, what made them, and the task with its ontology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task, task_text
from moose.grounding.task.vocabulary import PLAIN, resolve_predicate, split_kind
from moose.learning.binding import fingerprint
from moose.learning.tensor_files import write_tensors, write_whole
from moose.owl.model.axioms import AnnotationAssertion, Declaration, Document
from moose.owl.model.expressions import LABEL_IRI, Literal
from moose.owl.syntax.functional.write_functional import write_functional

WEIGHTS, TASK, ONTOLOGY = "model.safetensors", "task.toml", "ontology.ofn"


def write_model(folder: Path, task: Task, tensors: Mapping[str, Tensor], facts: Mapping[str, object]) -> None:
    """Write a model into a folder, the weights last, so that a folder that has them is whole.

    The facts are JSON beside the weights; the fingerprint of the task is added to them.
    """
    write_whole(folder / ONTOLOGY, ontology_text(task).encode())
    write_whole(folder / TASK, task_text(task, ontology=ONTOLOGY).encode())
    write_tensors(folder / WEIGHTS, tensors, {**facts, "task": fingerprint(task, ground(task))})


def read_model_task(folder: Path, facts: Mapping[str, object]) -> Task:
    """Read the task of a model; refuse one that was changed since the weights were saved."""
    task = read_task(folder / TASK)
    kept = facts["task"]
    if kept != fingerprint(task, ground(task)) and kept != former_fingerprint(task):
        raise MooseError(
            f"{folder}: {TASK} or {ONTOLOGY} has changed since the weights were saved; restore them, or train again"
        )
    return task


def former_fingerprint(task: Task) -> str:
    """Return the fingerprint of a task from when labels of several words, and those in quotes, were not yet shown."""
    names = task.vocabulary.names

    def former(texts: Sequence[str]) -> list[str]:
        entities = [resolve_predicate(names, text, where=TASK) for text in texts]
        is_shown = [PLAIN.match(split_kind(text)[1]) is not None for text in texts]
        return [text if shown else names.display(one.iri) for text, one, shown in zip(texts, entities, is_shown)]

    with_former_names = replace(task, observed=former(task.observed), latent=former(task.latent))
    return fingerprint(with_former_names, ground(with_former_names))


def ontology_text(task: Task) -> str:
    """Write the ontology of a task, with what it imports, as one document."""
    ontology = task.ontology
    document = Document(
        iri=ontology.iri,
        declarations=tuple(Declaration(entity) for entity in ontology.declarations),
        axioms=ontology.axioms,
        annotation_assertions=tuple(
            AnnotationAssertion(LABEL_IRI, iri, Literal(label)) for iri, label in ontology.labels.items()
        ),
        prefixes=dict(ontology.prefixes),
    )
    return write_functional(document)
