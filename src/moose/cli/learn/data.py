"""`moose data`: which data sets there are, how to get them, and what they look like."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli.common.commands import command_group
from moose.cli.common.messages import say
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages
from moose.cli.common.task_options import SEED, DataFolder, FormerTask, ImageSize, TaskSource

if TYPE_CHECKING:
    from PIL.Image import Image

    from moose.datasets.open import Dataset

Name = Annotated[str, typer.Argument(metavar="NAME", help="A data set; `moose data list` names them.")]


def list_datasets(json: Json = False) -> None:
    """List data sets, their regimes, and whether each can be opened."""
    from moose.datasets.open import DATASETS, find_source, regime_names

    sources = {name: find_source(name) for name in DATASETS}
    regimes = {name: list(regime_names(name)) for name in sources}
    missing = {name: source.missing(None) for name, source in sources.items()}
    if json:
        rows = [
            {"name": name, "summary": source.summary, "regimes": regimes[name], "missing": missing[name]}
            for name, source in sources.items()
        ]
        print_json({"datasets": rows})
        return
    with writing(None) as stream:
        for name, source in sources.items():
            state = "ready" if missing[name] is None else "missing"
            stream.write(f"{name}\t{state}\t{', '.join(regimes[name]) or 'any task'}\t{source.summary}\n")


def get_dataset(
    name: Name,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Put the files here, not into the user's cache.")
    ] = None,
) -> None:
    """Fetch the files of a data set that are not there yet. Each is checked, and is there whole or not at all."""
    from moose.datasets.open import find_source

    source = find_source(name)
    if source.get is None:
        if reason := source.missing(folder):
            raise MooseError(reason)
        say(f"{name} needs no files to be fetched")
        return
    with stages(f"fetching {name}"):
        messages: list[str] = []
        path = source.get(folder, messages.append)
    for line in messages:
        say(line)
    with writing(None) as stream:
        stream.write(f"{path}\n")


def show_dataset(
    name: Name,
    source: TaskSource,
    *,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PNG", help="Where to put the contact sheet of images.")
    ] = None,
    folder: DataFolder = None,
    split: Annotated[str, typer.Option(metavar="NAME", help="train, test, valid or held_out.")] = "train",
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many images to show.")] = 24,
    size: ImageSize = None,
    seed: Annotated[int, SEED] = 0,
    inductive: Annotated[bool, typer.Option("--inductive", help="Hold some edges back (mnist2, mnist3).")] = False,
    json: Json = False,
    former_task: FormerTask = None,  # noqa: ARG001  # refused by itself
) -> None:
    """Draw instances side by side, as a PNG. Each has what is true of it and what is observed.

    They are of the first regime that fits the data set, if no task is given; your own images need their task. Of rows
    of features with labels from a hierarchy (hmc, genes) it is counted what there is.
    """
    from moose.datasets.open import find_source, open_dataset

    if find_source(name).own_regimes is not None:
        if output is not None:
            raise MooseError(f"{name} has no images to draw; leave -o out, and it is counted what there is")
        count_dataset(name, source.task or first_regime(name), folder, seed, is_json=json)
        return
    if output is None:
        raise MooseError("expected a file to draw the images to, but got none; name one with -o PNG")
    if json:
        raise MooseError(f"{name} is drawn and not counted, so --json has no meaning here; leave it out")
    is_drawn = find_source(name).subject is not None
    with stages(f"opening {name}") as stage:
        dataset = open_dataset(
            name,
            regime=source.task or first_regime(name),
            folder=folder,
            seed=seed,
            count=count if is_drawn else None,
            test_count=count if is_drawn else None,
            size=size,
            inductive=inductive,
        )
        stage.enter("drawing")
        sheet = draw(dataset, split, count, seed)
    save_png(sheet, output)


def first_regime(name: str) -> str:
    """Return the first regime of a data set."""
    from moose.datasets.open import regime_names

    fitting = regime_names(name)
    if not fitting:
        raise MooseError(f"expected a task for the data set {name}, but got none; its evidence is about a task")
    return fitting[0]


def count_dataset(name: str, regime: str, folder: Path | None, seed: int, *, is_json: bool) -> None:
    """Say how much there is of a set of rows with labels from a hierarchy."""
    from moose.datasets.hierarchies.summary import count_labels
    from moose.datasets.open import open_dataset

    with stages(f"opening {name}"):
        counts = count_labels(open_dataset(name, regime=regime, folder=folder, seed=seed))
    if is_json:
        print_json(counts.as_dict())
        return
    with writing(None) as stream:
        stream.writelines(f"{line}\n" for line in counts.lines())


def draw(dataset: Dataset, split: str, count: int, seed: int) -> Image:
    """Draw the contact sheet of one split."""
    from moose.datasets.contact_sheet import draw_sheet

    title = f"{dataset.name}, {dataset.regime}, {split}, seed {seed}"
    return draw_sheet(dataset[split], title=title, most=count)


def save_png(sheet: Image, output: Path) -> None:
    """Write a picture that appears whole or not at all."""
    from moose.base.whole_files import whole_file

    buffer = io.BytesIO()
    sheet.save(buffer, format="PNG")
    with whole_file(output) as draft:
        draft.write_bytes(buffer.getvalue())


data = command_group(
    "List data sets, fetch them, look at them.",
    {"Commands": {"list": list_datasets, "get": get_dataset, "show": show_dataset}},
)
