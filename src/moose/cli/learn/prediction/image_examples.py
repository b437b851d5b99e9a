"""Images and literals of a command line as examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from moose.base.errors import ContradictoryEvidence, MooseError

if TYPE_CHECKING:
    from torch import Tensor

    from moose.grounding.task.task import Task
    from moose.learning.examples import Examples
    from moose.methods.base.method import Predictor


def examples_of(
    predictor: Predictor, images: Sequence[Path], evidence: str, roles: str | None = None, *, invert: bool
) -> Examples:
    """Put images, evidence and known roles together."""
    import torch

    from moose.datasets.images import read_roles
    from moose.learning.examples import Examples

    task, shape = predictor.task, predictor.perception.input_shape
    seen = [name for name, has_input in zip(task.individuals, task.has_input.tolist()) if has_input]
    people = len(seen)
    assert shape is not None, "a model without an encoder of its own is not loaded"
    if len(shape) != 3:
        raise MooseError(
            f"the model looks at {shape[0]} features, not at images; give a table of them with --table FILE"
        )
    if len(images) % people:
        names = ", ".join(seen)
        raise MooseError(f"expected {people} images for each instance ({names}), but got {len(images)} in all")
    pixels = torch.stack([read_image(path, shape, invert=invert) for path in images])
    inputs = pixels.unflatten(0, (-1, people))
    observed = read_signs(task, evidence).expand(len(inputs), -1, -1).contiguous()
    graphs = None if roles is None else [read_roles(roles, task, "--roles")] * len(inputs)
    unknown = torch.zeros_like(observed)
    pairs = read_pair_signs(task, evidence, known=roles)
    of_roles = None if pairs is None else pairs.expand(len(inputs), -1, -1, -1).contiguous()
    return Examples(task, inputs, observed, unknown, allow_latent=True, roles=graphs, role_evidence=of_roles)


def read_image(path: Path, shape: Sequence[int], *, invert: bool) -> Tensor:
    """Read an image in any format, in the size and colours that the encoder takes."""
    import numpy as np
    import torch
    from PIL import Image, ImageOps

    from moose.base.suggestions import no_such_file
    from moose.datasets.base.resizing import UNREADABLE, open_image

    channels, height, width = shape
    try:
        with open_image(path) as opened:
            image = opened.convert("L" if channels == 1 else "RGB").resize((width, height), Image.Resampling.BILINEAR)
    except FileNotFoundError:
        raise no_such_file(path, "an image") from None
    except UNREADABLE as error:
        raise MooseError(f"{path}: expected an image, but it cannot be read as one ({error})") from None
    pixels = np.array(ImageOps.invert(image) if invert else image, dtype=np.uint8).reshape(height, width, channels)
    return torch.from_numpy(pixels.transpose(2, 0, 1).copy())


def read_pair_signs(task: Task, evidence: str, *, known: str | None) -> Tensor | None:
    """Read literals such as "not succ(a,b)" of roles that are open as signs: role × individual × individual."""
    import torch

    from moose.datasets.base.role_literals import pair_literals, pair_signs

    if not pair_literals(evidence, task):
        return None
    listed = {role.name for role in task.role_predicates if not role.is_latent} if known is not None else task.edges
    return torch.from_numpy(pair_signs(evidence, task, known=listed))


def read_signs(task: Task, evidence: str) -> Tensor:
    """Read literals such as "Even(a), not Prime(a)" as signs: individual × concept."""
    import torch

    from moose.base.suggestions import unknown_word
    from moose.grounding.atoms import Atom

    signs = torch.zeros(len(task.individuals), len(task.concepts), dtype=torch.int8)
    concepts = [concept.name for concept in task.concepts]
    known = [
        str(Atom(concept, (name,)))
        for name, has_concept in zip(task.individuals, task.has_concept.tolist())
        for concept, has in zip(concepts, has_concept)
        if has
    ]
    for atom, truth in task.literals(evidence):
        if len(atom.arguments) == 2:
            continue  # of a pair
        if str(atom) not in known:
            raise unknown_word("an atom of the task in --evidence", str(atom), known)
        place, column = task.individuals.index(atom.arguments[0]), concepts.index(atom.predicate)
        if signs[place, column] not in (0, 1 if truth else -1):
            raise ContradictoryEvidence(f"the evidence says both {atom} and not {atom}; leave one out")
        signs[place, column] = 1 if truth else -1
    return signs
