"""`moose predict`: what a model that was kept says of images, or of the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages
from moose.cli.common.task_options import EvidenceText, ModelFolder, TableFile
from moose.cli.learn.learning_output import refuse_unfinished, run_on

if TYPE_CHECKING:
    from torch import Tensor

    from moose.grounding.task.task import Task
    from moose.learning.prediction import Predictions
    from moose.methods.base.method import Predictor


LEAST = 0.01


def predict(
    model: ModelFolder,
    images: Annotated[
        list[Path] | None, typer.Argument(metavar="[IMAGE]…", help="An image for each individual, in order.")
    ] = None,
    table: TableFile = None,
    evidence: EvidenceText = "",
    roles: Annotated[
        str | None,
        typer.Option(
            metavar="PAIRS", help="The pairs of known roles, such as 'succ(a,b)'; what the task lists if absent."
        ),
    ] = None,
    least: Annotated[
        float, typer.Option(metavar="P", min=0.0, max=1.0, help="Leave out what is less likely than this.")
    ] = LEAST,
    world: Annotated[
        bool, typer.Option("--world", help="Tell only what holds in the most probable world of each instance.")
    ] = False,
    invert: Annotated[
        bool, typer.Option("--invert", help="Images are dark on light; digits are light on dark.")
    ] = False,
    json: Json = False,
) -> None:
    """Print how likely each concept is, given images and evidence. The theory of the model's task holds.

    A model for pairs takes two images for each instance; more images are more instances, each with the same evidence.
    With --table, the rows of a table are the instances, and their literals the evidence. With neither, they are those
    of the model's own data that it did not learn from.
    """
    from moose.methods.load_predictor import load_predictor

    if table is not None and images:
        raise MooseError("expected images or a table of features, but got both; leave one out")
    if not images and (evidence or roles is not None or invert):
        raise MooseError("--evidence, --roles and --invert are for images; a data set brings its own evidence")
    if world and least != LEAST:
        raise MooseError("--world tells all that holds in one world, and --least what is likely; leave one out")
    with stages("reading"):
        refuse_unfinished(model)
        predictor = load_predictor(model)
        if images:
            people = max(1, int(predictor.task.has_input.sum()))
            titles = [[str(image) for image in images[at : at + people]] for at in range(0, len(images), people)]
            found = predictions(predictor, images, evidence, roles, invert=invert)
            groups = iter([(titles, found)])
        else:
            groups = predictions_of_data(predictor, model, table)
        told = [
            (title, posteriors_of(said, row, least, is_world=world))
            for rows, said in groups
            for row, title in enumerate(rows)
        ]
    if json:
        key = "world" if world else "posterior"
        rows = [
            {**({"images": title} if images else dict(zip(KEYS, title, strict=False))), key: posterior}
            for title, posterior in told
        ]
        print_json({"evidence": evidence, "instances": rows})
        return
    with writing(None) as stream:
        for title, posterior in told:
            stream.write("\t".join(title) + "\n")
            for atom, value in sorted(posterior.items(), key=lambda pair: -pair[1]):
                stream.write(f"  {atom}\t{value:.4f}\n")


def posteriors_of(said: Predictions, row: int, least: float, *, is_world: bool) -> dict[str, float]:
    """Return the posteriors of what is likely, or of what holds in the most probable world."""
    if not is_world:
        return said.of(row, least=least)
    everything = said.of(row)
    return {atom: everything[atom] for atom in said.world_of(row)}


KEYS = ("instance", "where")
"""What an instance is called, and where it stands if its name does not say so."""


def predictions_of_data(
    predictor: Predictor, model: Path, table: Path | None
) -> Iterator[tuple[list[list[str]], Predictions]]:
    """Yield what is predicted of the rows of a table, or of the model's own data, with their names.

    Of the latter it is what was not learnt from or, where there is no split `test`, what was, too.

    A row of a table is called by its line in the file, and so is one of the model's own data, besides its number.
    """
    run = run_on(model)
    if table is not None:
        from moose.datasets.table import read_instances

        lines, examples = read_instances(table, predictor.task, run.features)
        yield [[line] for line in lines], predictor.predict(examples)
        return
    dataset = run.open(task=predictor.task)
    for split in dataset:
        if split != "train" or dataset.judged == "train":
            examples = dataset[split]
            titles = [[f"{split} {row}"] for row in range(len(examples))]
            for title, line in zip(titles, examples.where or (), strict=False):
                title.append(line)
            yield titles, predictor.predict(examples)


def predictions(
    predictor: Predictor, images: Sequence[Path], evidence: str, roles: str | None = None, *, invert: bool
) -> Predictions:
    """Put images, evidence and known roles together and ask the predictor."""
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
    examples = Examples(task, inputs, observed, unknown, allow_latent=True, roles=graphs, role_evidence=of_roles)
    return predictor.predict(examples)


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
