"""`moose predict`: what a model that was kept says of images, or of the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.cli.common.messages import DOES_NOT_FOLLOW, say
from moose.cli.common.options import Json
from moose.cli.common.output import check_output, write_json, writing
from moose.cli.common.progress import stages
from moose.cli.common.task_options import EvidenceText, ModelFolder, TableFile, is_same_file
from moose.cli.learn.learning_output import RECORD, refuse_unfinished, run_on
from moose.cli.learn.prediction.image_examples import examples_of
from moose.cli.learn.prediction.told import FileKind, Told, file_kind, print_told, write_table

if TYPE_CHECKING:
    from moose.learning.examples import Examples
    from moose.learning.prediction import Predictions
    from moose.methods.base.method import Predictor


LEAST = 0.01
"""What is less likely is not printed, if nothing is said."""


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
        float | None,
        typer.Option(
            metavar="P", min=0.0, max=1.0, help="Leave out what is less likely; 0.01 if not given, 0 for JSON."
        ),
    ] = None,
    world: Annotated[
        bool, typer.Option("--world", help="Tell only what holds in the most probable world of each instance.")
    ] = False,
    invert: Annotated[
        bool, typer.Option("--invert", help="Images are dark on light; digits are light on dark.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Write every concept to this table (.csv), or JSON (.json)."
        ),
    ] = None,
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
    if world and least is not None:
        raise MooseError("--world tells all that holds in one world, and --least what is likely; leave one out")
    kind = file_kind(output)
    if kind is FileKind.csv and (json or least is not None):
        what = "--json" if json else "--least"
        raise MooseError(f"{output}: a table has a column for every concept, so {what} has no meaning; leave it out")
    told, refused = list[Told](), list[ContradictoryEvidence]()
    with stages("reading"):
        refuse_unfinished(model)
        predictor = load_predictor(model)
        keep_what_is_read(output, model, table)
        check_output(output)
        for asked in (
            [asked_of_images(predictor, images, evidence, roles, invert=invert)]
            if images
            else asked_of_data(predictor, model, table, with_columns=json or kind is not None)
        ):
            some, error = tell(predictor, asked)
            told += some
            refused += [] if error is None else [error]
    if refused and all(one.said is None for one in told):
        raise refused[0]
    with writing(output) as stream:
        if kind is FileKind.csv:
            write_table(predictor.task, told, stream, is_world=world)
        elif json or kind is FileKind.json:
            rows = [one.as_dict(least or 0.0, is_world=world) for one in told]
            write_json({**({"evidence": evidence} if images else {}), "instances": rows}, stream)
        else:
            print_told(told, LEAST if least is None else least, stream, is_world=world)
    for error in refused:
        say(f"{error}; all other instances are predicted")
    if refused:
        raise typer.Exit(DOES_NOT_FOLLOW)


@dataclass(frozen=True, slots=True)
class Asked:
    """Instances, what each is called, and what the table has of them that nobody reads, by where they stand."""

    titles: Sequence[Sequence[str]]
    examples: Examples
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    are_images: bool = False


def keep_what_is_read(output: Path | None, model: Path, table: Path | None) -> None:
    """Refuse to write over the table, or the record of the model's run."""
    for file in (model / RECORD, *([] if table is None else [table])):
        if output is not None and is_same_file(output, file):
            raise MooseError(f"{output}: is read for this and would be overwritten; choose another name with -o")


def asked_of_images(
    predictor: Predictor, images: Sequence[Path], evidence: str, roles: str | None, *, invert: bool
) -> Asked:
    """Return images as instances, as many for each as there are individuals that have one."""
    people = max(1, int(predictor.task.has_input.sum()))
    titles = [[str(image) for image in images[at : at + people]] for at in range(0, len(images), people)]
    return Asked(titles, examples_of(predictor, images, evidence, roles, invert=invert), are_images=True)


def asked_of_data(predictor: Predictor, model: Path, table: Path | None, *, with_columns: bool) -> Iterator[Asked]:
    """Yield the rows of a table, or the model's own data, with their names; and if asked for the columns not read.

    Of the latter it is what was not learnt from or, where there is no split `test`, what was, too.

    A row of a table is called by its line in the file, and so is one of the model's own data, besides its number.
    """
    from moose.datasets.table import other_columns, read_instances

    run = run_on(model)
    if table is not None:
        lines, examples = read_instances(table, predictor.task, run.features)
        columns = other_columns(table, predictor.task, run.features) if with_columns else {}
        yield Asked([[line] for line in lines], examples, columns)
        return
    dataset = run.open(task=predictor.task)
    place = run.folder if run.data == "table" and with_columns else None
    columns = {} if place is None else other_columns(Path(place), predictor.task, run.features)
    for split in dataset:
        if split != "train" or dataset.judged == "train":
            examples = dataset[split]
            titles = [[f"{split} {row}"] for row in range(len(examples))]
            for title, line in zip(titles, examples.where or (), strict=False):
                title.append(line)
            yield Asked(titles, examples, columns)


def tell(predictor: Predictor, asked: Asked) -> tuple[list[Told], ContradictoryEvidence | None]:
    """Say what is predicted of instances; nothing of those whose evidence contradicts the theory, and why."""
    examples, refused = asked.examples, None
    rows = list(range(len(examples)))
    said: Predictions | None = None
    try:
        said = predictor.predict(examples)
    except ContradictoryEvidence as error:
        refused = error
        rows = [row for row in rows if row not in set(error.examples)] if error.examples else []
        if rows:
            said = predictor.predict(examples.take(rows))
    place_of = {row: place for place, row in enumerate(rows)}
    everybody = range(len(examples.task.individuals))
    told = [
        Told(
            title=title,
            are_images=asked.are_images,
            columns=asked.columns.get(title[-1], {}),
            evidence=examples.literals(row),
            people=everybody if examples.graphs is None else examples.graphs[row].individuals,
            said=said if row in place_of else None,
            row=place_of.get(row, 0),
        )
        for row, title in enumerate(asked.titles)
    ]
    return told, refused
