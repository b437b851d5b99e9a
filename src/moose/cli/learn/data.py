"""`moose data`: which data sets there are, how to get them, and what they look like."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.base.errors import MooseError
from moose.cli import say
from moose.cli.common.options import Json
from moose.cli.common.output import print_json, writing
from moose.cli.common.progress import stages

if TYPE_CHECKING:
    from PIL.Image import Image

    from moose.datasets.open import Dataset

data = typer.Typer(
    name="data",
    help="List data sets, fetch them, look at them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A data set; `moose data list` names them.")]
Folder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Where its files are, if not where `moose data get` puts them.")
]


@data.command("list")
def list_datasets(json: Json = False) -> None:
    """List the data sets, their regimes, and whether each can be opened now."""
    from moose.datasets.base.regimes import ROWS
    from moose.datasets.open import DATASETS, find_source

    sources = {name: find_source(name) for name in DATASETS}
    regimes = {name: [key for key, row in ROWS.items() if row.subject == one.subject] for name, one in sources.items()}
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


@data.command("get")
def get_dataset(
    name: Name,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Put the files here, not into the user's cache.")
    ] = None,
) -> None:
    """Fetch the files of a data set that are not there yet; each is checked, and is there whole or not at all."""
    from moose.datasets.open import find_source

    source = find_source(name)
    if source.get is None:
        if reason := source.missing(folder):
            raise MooseError(reason)
        say(f"{name} needs no files to be fetched")
        return
    with stages(f"fetching {name}"):
        told: list[str] = []
        place = source.get(folder, told.append)
    for line in told:
        say(line)
    with writing(None) as stream:
        stream.write(f"{place}\n")


@data.command("show")
def show_dataset(
    name: Name,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PNG", help="Where to put the contact sheet.")],
    regime: Annotated[
        str | None, typer.Option(metavar="NAME", help="mnist1-3 or pizzaA-C; the first that fits if not given.")
    ] = None,
    task: Annotated[Path | None, typer.Option(metavar="TOML", help="The task of your own images.")] = None,
    folder: Folder = None,
    split: Annotated[str, typer.Option(metavar="NAME", help="train, test, or held_out.")] = "train",
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many instances to show.")] = 24,
    size: Annotated[int | None, typer.Option(metavar="PIXELS", min=1, help="Scale images to this size.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Which draw of instances and evidence.")] = 0,
    inductive: Annotated[bool, typer.Option("--inductive", help="Hold some edges back (mnist2, mnist3).")] = False,
) -> None:
    """Draw instances side by side, each with what is true of it and what is observed, as a PNG."""
    from moose.datasets.open import find_source, open_dataset

    if regime is not None and task is not None:
        raise MooseError("expected --regime NAME or --task TOML, but got both; give one of them")
    is_drawn = find_source(name).subject is not None
    with stages(f"opening {name}") as stage:
        dataset = open_dataset(
            name,
            regime=task or regime or first_regime(name),
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
    """Return the first regime whose images a data set shows."""
    from moose.datasets.base.regimes import ROWS
    from moose.datasets.open import find_source

    subject = find_source(name).subject
    fitting = [key for key, row in ROWS.items() if row.subject == subject]
    if not fitting:
        raise MooseError(f"expected --task TOML for the data set {name}, but got none; its evidence is about a task")
    return fitting[0]


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
