"""A learner on disk: the weights, and the task with its ontology."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import cast

from torch import nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task, task_text
from moose.learning.cover import Cover
from moose.learning.encoders import ConvolutionalEncoder, Plan
from moose.learning.fit.checkpoints import restore
from moose.learning.learner import ConceptLearner
from moose.learning.tensor_files import read_tensors, write_tensors, write_whole
from moose.owl.model.axioms import AnnotationAssertion, Declaration
from moose.owl.model.document import Document
from moose.owl.model.expressions import Literal
from moose.owl.model.vocabulary import LABEL_IRI
from moose.owl.syntax.functional.write_functional import write_functional

WEIGHTS, TASK, ONTOLOGY = "model.safetensors", "task.toml", "ontology.ofn"
FORMAT = 1


def save_learner(learner: ConceptLearner, folder: Path) -> None:
    """Write a learner into a folder, the weights last."""
    encoder = learner.network.encoder
    facts: dict[str, object] = {
        "format": FORMAT,
        "task": learner.binding.fingerprint,
        "head": learner.head,
        "cover": None if learner.cover is None else asdict(learner.cover),
        "features": learner.network.features,
        "encoder": asdict(encoder.plan) if isinstance(encoder, ConvolutionalEncoder) else None,
    }
    write_whole(folder / ONTOLOGY, ontology_text(learner.task).encode())
    write_whole(folder / TASK, task_text(learner.task, ontology=ONTOLOGY).encode())
    write_tensors(folder / WEIGHTS, learner.network.state_dict(), facts)


def load_learner(folder: Path, encoder: nn.Module | None) -> ConceptLearner:
    """Read a learner from a folder."""
    tensors, facts = read_tensors(folder / WEIGHTS)
    if facts.get("format") != FORMAT:
        raise MooseError(f"{folder / WEIGHTS}: expected a model of format {FORMAT}, but got {facts.get('format')!r}")
    if "encoder" not in facts:
        raise MooseError(f"{folder}: is what a method's predictor saved; read it with moose.load_predictor")
    plan = cast(dict[str, object] | None, facts["encoder"])
    if encoder is None:
        if plan is None:
            raise MooseError(f"{folder}: the encoder did not come with Moose; give it with encoder=…")
        encoder = ConvolutionalEncoder(_plan(plan), seed=0)
    cover = cast(dict[str, object] | None, facts["cover"])
    learner = ConceptLearner(
        read_task(folder / TASK),
        encoder,
        head=facts["head"],  # type: ignore[arg-type]  # the learner checks it
        cover=None if cover is None else Cover(**cover),  # type: ignore[arg-type]
        features=cast(int | None, facts["features"]),
    )
    if learner.binding.fingerprint != facts["task"]:
        raise MooseError(
            f"{folder}: {TASK} or {ONTOLOGY} has changed since the weights were saved; restore them, or train again"
        )
    restore(learner.network, tensors, str(folder / WEIGHTS))
    learner.network.eval()
    return learner


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


def _plan(facts: dict[str, object]) -> Plan:
    lists = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
    return Plan(**lists)  # type: ignore[arg-type]  # the plan checks its numbers
