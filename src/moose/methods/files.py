"""A predictor on disk: the weights, the method with its options, and the task with its ontology."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import cast

from moose.base.errors import MooseError
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import read_task, task_text
from moose.learning.binding import fingerprint
from moose.learning.fit.checkpoints import restore
from moose.learning.model_files import ONTOLOGY, TASK, WEIGHTS, ontology_text
from moose.learning.tensor_files import read_tensors, write_tensors, write_whole
from moose.methods.base.method import MakeEncoder, Perception
from moose.methods.base.predictor import Predictor
from moose.methods.registry import make_method

KIND = "predictor"
FORMAT = 1


def save_predictor(predictor: Predictor, folder: Path) -> None:
    """Write a predictor into a folder, the weights last."""
    perception = predictor.perception
    facts: dict[str, object] = {
        "kind": KIND,
        "format": FORMAT,
        "task": _fingerprint(predictor.task),
        "method": predictor.method.name,
        "options": asdict(predictor.method),
        "input_shape": perception.input_shape,
        "batch_norm": perception.batch_norm,
        "is_bundled": perception.make is None,
    }
    write_whole(folder / ONTOLOGY, ontology_text(predictor.task).encode())
    write_whole(folder / TASK, task_text(predictor.task, ontology=ONTOLOGY).encode())
    write_tensors(folder / WEIGHTS, predictor.model.state_dict(), facts)


def load_predictor(folder: Path | str, make_encoder: MakeEncoder | None = None) -> Predictor:
    """Read what `save` wrote; the function that makes an encoder that did not come with Moose must be given."""
    folder = Path(folder)
    tensors, facts = read_tensors(folder / WEIGHTS)
    if facts.get("kind") != KIND or facts.get("format") != FORMAT:
        raise MooseError(
            f"{folder / WEIGHTS}: expected a predictor of format {FORMAT}, but it is something else; "
            f"what a ConceptLearner saved is read by ConceptLearner.load"
        )
    if make_encoder is None and not facts["is_bundled"]:
        raise MooseError(f"{folder}: the encoder did not come with Moose; give the function that makes it")
    method = make_method(str(facts["method"]), **cast(dict[str, object], facts["options"]))
    channels, height, width = cast(list[int], facts["input_shape"])
    perception = Perception((channels, height, width), bool(facts["batch_norm"]), make_encoder)
    task = read_task(folder / TASK)
    if _fingerprint(task) != facts["task"]:
        raise MooseError(
            f"{folder}: {TASK} or {ONTOLOGY} has changed since the weights were saved; restore them, or train again"
        )
    model = method.model(task, perception, seed=0)
    restore(model, tensors, str(folder / WEIGHTS))
    model.eval()
    return Predictor(method, model, perception)


def _fingerprint(task: Task) -> str:
    return fingerprint(task, ground(task))
