"""Read a predictor from its folder: the weights, the method with its options, and the task with its ontology."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from torch import Tensor

from moose.base.errors import MooseError
from moose.learning.fit.checkpoints import restore
from moose.learning.model_files import WEIGHTS, read_model_task
from moose.learning.tensor_files import read_tensors
from moose.methods.base.method import FORMAT, KIND, Predictor
from moose.methods.base.perception import MakeEncoder, MakePairs, Perception
from moose.methods.registry import restore_method

FOREIGN = (KeyError, TypeError, AttributeError, ValueError, IndexError, AssertionError, RuntimeError, MemoryError)
"""What comes of facts that somebody else wrote: each is looked up, called or counted with somewhere."""

State = dict[str, Tensor]
Facts = Mapping[str, object]


def load_predictor(
    folder: Path | str, make_encoder: MakeEncoder | None = None, make_pairs: MakePairs | None = None
) -> Predictor:
    """Read what `save` wrote; the functions that make networks that did not come with Moose must be given."""
    folder = Path(folder)
    try:
        return _load(folder, make_encoder, make_pairs)
    except MooseError:
        raise
    except FOREIGN as error:
        raise MooseError(
            f"{folder / WEIGHTS}: expected what Moose wrote with the weights, but a part of it is missing or of "
            f"another kind ({type(error).__name__}: {error!s:.80}); train again"
        ) from None


def _load(folder: Path, make_encoder: MakeEncoder | None, make_pairs: MakePairs | None) -> Predictor:
    tensors, facts = _in_this_format(folder / WEIGHTS, *read_tensors(folder / WEIGHTS))
    saved = cast(Facts, facts["perception"])
    if make_encoder is None and not saved["is_bundled"]:
        raise MooseError(
            f"{folder}: the encoder did not come with Moose; give it with encoder=… to ConceptLearner.load, "
            f"or the function that makes it with make_encoder=… to load_predictor"
        )
    if make_pairs is None and not saved.get("are_pairs_bundled", True):
        raise MooseError(
            f"{folder}: the pair network did not come with Moose; give it with pair_network=… to ConceptLearner.load, "
            f"or the function that makes it with make_pairs=… to load_predictor"
        )
    name, options = str(facts["method"]), cast(dict[str, object], facts["options"])
    method = restore_method(name, options)
    perception = Perception.from_facts(saved, make_encoder, make_pairs)
    task = read_model_task(folder, facts)
    if "pair_features" not in saved:  # from before pairs were read
        task = replace(task, unread=[role.name for role in task.role_predicates if role.is_latent])
    model = method.model(task, perception, seed=0)
    restore(model, tensors, str(folder / WEIGHTS))
    model.eval()
    return Predictor(method, model, perception)


def _in_this_format(path: Path, tensors: State, facts: Facts) -> tuple[State, Facts]:
    """Bring what earlier versions wrote into the form of today; refuse what is neither."""
    match facts.get("kind"), facts.get("format"):
        case "predictor", 1:
            return tensors, {**facts, "perception": {"plan": None, "features": None, **facts}}
        case None, 1 if "head" in facts:
            return _of_old_learner(tensors, facts)
        case kind, number if (kind, number) != (KIND, FORMAT):
            raise MooseError(
                f"{path}: expected a model of format {FORMAT} or one that an earlier Moose wrote, but it is of format "
                f"{number!r}; read it with the Moose that wrote it, or train again"
            )
    return tensors, facts


def _of_old_learner(tensors: State, facts: Facts) -> tuple[State, Facts]:
    """Read a ConceptLearner from the time when it had a format of its own, as the method that it is."""
    plan = cast(dict[str, object] | None, facts["encoder"])
    cover = cast(dict[str, object] | None, facts["cover"])
    options: dict[str, object] = {"head": facts["head"]}
    if cover is not None:
        names = {"weight": "cover_weight", "epochs": "cover_epochs", "is_pooled": "is_pooled"}
        options |= {names[key]: value for key, value in cover.items()}
    perception = {
        "input_shape": None if plan is None else plan["input_shape"],
        "batch_norm": plan is not None and plan["is_normalised"],
        "is_bundled": plan is not None,
        "plan": plan,
        "features": facts["features"],
    }
    prefix = "network." if facts["features"] is None else "network.encoder."
    method = "moose" if cover is None else "moose-cover"
    return (
        {prefix + name: tensor for name, tensor in tensors.items()},
        {"method": method, "options": options, "perception": perception, "task": facts["task"]},
    )
