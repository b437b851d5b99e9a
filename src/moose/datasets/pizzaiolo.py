"""Pizzaïolo: synthetic pizzas that a public generator draws from a pizza ontology; read from a folder."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pool, split_pool
from moose.datasets.base.request import Request, Source, Tell, data_folder, needs_library
from moose.datasets.base.subjects import recipes

if TYPE_CHECKING:
    from moose.learning.examples import Examples

SIZE = 64
TEST_SHARE = 0.2
TABLE = Path("csv") / "pizzaiolo_dataset.csv"
IMAGES = "images"
NEEDED = ("img_name", "type")
HOW = (
    "download Pizzaïolo from doi.org/10.5281/zenodo.10165941 (CC BY-NC 4.0), or draw it anew with its public generator "
    "(github.com/SysReIC/pizzaiolo), and name its folder; the data set `pizzas` needs no download"
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A line of the table: an image, its type, and the toppings that are on it."""

    path: Path
    type: str
    toppings: frozenset[str]
    where: str


def read_pictures(folder: Path, toppings: Sequence[str]) -> list[Picture]:
    """Read the table. A type may be called None, which is a word here and not a missing value."""
    path = folder / TABLE
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return list(_pictures(folder, csv.DictReader(stream, strict=True), toppings))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MooseError(f"{path}: expected a table in CSV, but it cannot be read as such ({error}); {HOW}") from None


def _pictures(folder: Path, rows: csv.DictReader[str], toppings: Sequence[str]) -> Iterator[Picture]:
    where = str(folder / TABLE)
    for column in (*NEEDED, *toppings):
        if (count := list(rows.fieldnames or ()).count(column)) != 1:
            told = f"there are {count}" if count else "there is none"
            raise MooseError(f"{where}: expected a column {column}, but {told}; check that this is Pizzaïolo")
    lines: dict[str, int] = {}
    for row in rows:
        line = f"{where}:{rows.line_num}"
        if None in row.values():
            raise MooseError(f"{line}: the line is cut short; get the table again")
        if None in row:
            raise MooseError(f"{line}: the line has more fields than the header; get the table again")
        # An image that came twice could be both learnt from and tested on.
        if (first := lines.setdefault(row["img_name"], rows.line_num)) != rows.line_num:
            raise MooseError(f"{line}: {row['img_name']} has a line already, {first}; keep one of them")
        present = frozenset(topping for topping in toppings if _count(row[topping], topping, line) > 0)
        yield Picture(folder / IMAGES / row["img_name"], row["type"], present, line)


def _count(text: str, topping: str, line: str) -> int:
    """Read how many pieces of a topping there are: columns hold counts, not truth values."""
    try:
        count = int(text or 0)
    except ValueError:
        count = -1
    if count < 0:
        raise MooseError(f"{line}: expected a number of pieces of {topping}, but got {text!r}; get the table again")
    return count


def read_pool(pictures: Sequence[Picture], names: Sequence[str], size: int) -> Pool:
    """Read the images of some types; a file's number does not tell its type, the table does."""
    from moose.datasets.base.resizing import read_image

    if not names:
        raise MooseError("expected pizzas to show in the subject of the regime, but it lists none")
    chosen = [picture for picture in pictures if picture.type in names]
    for name in names:
        if not any(picture.type == name for picture in chosen):
            raise MooseError(f"expected images of the pizza {name}, but the table of Pizzaïolo has none; {HOW}")
    images = np.stack([read_image(picture.path, channels=3, size=size) for picture in chosen])
    labels = np.array([names.index(picture.type) for picture in chosen], dtype=np.int64)
    return Pool(images, labels, tuple(names))


def check_recipes(pictures: Sequence[Picture], menu: Mapping[str, Sequence[str]]) -> None:
    """Refuse a picture whose toppings are not those of its type's recipe: it would contradict the theory."""
    for picture in pictures:
        if picture.type in menu and picture.toppings != set(menu[picture.type]):
            raise MooseError(
                f"{picture.where}: expected a {picture.type} with {', '.join(menu[picture.type])}, but it has "
                f"{', '.join(sorted(picture.toppings)) or 'nothing on it'}; correct the line or the recipe"
            )


def open_pizzaiolo(request: Request) -> Mapping[str, Examples]:
    """Make instances of the pizzas of the regime; a fifth of their images is for testing, the same for every seed."""
    from moose.datasets.base.instances import make_splits

    if reason := missing(request.folder):
        raise MooseError(reason)
    folder = request.folder or data_folder("pizzaiolo")
    subject = request.regime.subject
    pictures = read_pictures(folder, subject.toppings)
    check_recipes(pictures, recipes(subject))
    size = request.size or SIZE
    train, test = split_pool(read_pool(pictures, subject.labels, size), TEST_SHARE)
    for label, name in enumerate(test.names):
        if label not in test.labels:
            raise MooseError(f"expected an image of {name} to test on, but one in five of so few is none; {HOW}")
    pools = {"train": train, "test": test}
    if request.regime.shows_unseen:
        pools["held_out"] = read_pool(pictures, [one.label for one in subject.unseen], size)
    return make_splits(request, pools)


def missing(folder: Path | None) -> str | None:
    """Say what a folder lacks."""
    source = folder or data_folder("pizzaiolo")
    for part, is_there in ((TABLE, (source / TABLE).is_file()), (IMAGES, (source / IMAGES).is_dir())):
        if not is_there:
            return f"{source}: expected Pizzaïolo's {part} there, but it is missing; {HOW}"
    return needs_library("PIL", "Pillow", "the data set pizzaiolo")


def get(folder: Path | None, tell: Tell) -> Path:
    """Say how to get it: it is large, and its licence is for its user to accept."""
    target = folder or data_folder("pizzaiolo")
    if missing(target) is None:
        tell(f"{target} has it already")
        return target
    raise MooseError(f"Pizzaïolo is not fetched by this command: {HOW}, or put it into {target}")


SOURCE = Source(
    summary="4,800 synthetic pizzas with recipes, scaled to 64×64; from a folder with the published layout",
    subject="pizzas",
    open=open_pizzaiolo,
    missing=missing,
    get=get,
)
