"""A user's own images: a folder of them, and a table that says what is observed and what is true."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.datasets.base.pool import Pixels
from moose.datasets.base.request import Request, Source, needs_library
from moose.grounding.evidence import parse_literals
from moose.grounding.task.naming import unknown_word
from moose.grounding.task.task import Task

if TYPE_CHECKING:
    from moose.learning.examples import Examples

TABLE = "literals.csv"
IMAGE, LITERALS, TRUTH, SPLIT = "image", "literals", "truth", "split"
HOW = (
    f"make a folder with images and {TABLE}: columns {IMAGE} (or {IMAGE}_NAME for each individual), {LITERALS}, and, "
    f"if you like, {TRUTH} and {SPLIT}"
)


@dataclass(frozen=True, slots=True)
class ImageRow:
    """An instance as the table has it."""

    where: str
    images: tuple[Path, ...]
    literals: str
    truth: str
    split: str


def read_lines(folder: Path, task: Task) -> list[ImageRow]:
    """Read the table of a folder."""
    path = folder / TABLE
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            lines = list(_lines(folder, csv.DictReader(stream, strict=True), task))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MooseError(f"{path}: expected a table in CSV, but it cannot be read as such ({error})") from None
    if not lines:
        raise MooseError(f"{path}: expected at least one line below the header, but there is none")
    return lines


def _lines(folder: Path, rows: csv.DictReader[str], task: Task) -> Iterator[ImageRow]:
    where = str(folder / TABLE)
    header = [column or "" for column in rows.fieldnames or ()]
    columns = image_columns(header, task, where)
    known = (*columns, LITERALS, TRUTH, SPLIT)
    for column in header:
        if column not in known:
            raise MooseError(f"{where}: {unknown_word('a column', column, known)}")
        if header.count(column) > 1:
            raise MooseError(f"{where}: expected one column {column}, but there are {header.count(column)}; join them")
    if LITERALS not in header:
        raise MooseError(f"{where}: expected a column {LITERALS}, but there is none; {HOW}")
    for row in rows:
        line = f"{where}:{rows.line_num}"
        if None in row.values() or None in row:
            raise MooseError(f"{line}: expected {len(header)} fields; put literals with commas between quotes")
        for column in columns:
            if not row[column].strip():
                raise MooseError(f"{line}: expected the name of an image under {column}, but it is empty; fill it in")
        yield ImageRow(
            where=line,
            images=tuple(folder / row[column] for column in columns),
            literals=row[LITERALS],
            truth=row.get(TRUTH, ""),
            split=row.get(SPLIT, "").strip() or "train",
        )


def image_columns(header: Sequence[str], task: Task, where: str) -> tuple[str, ...]:
    """Return which column has the image of each individual."""
    if len(task.individuals) == 1 and IMAGE in header:
        return (IMAGE,)
    columns = tuple(f"{IMAGE}_{name}" for name in task.individuals)
    for column in columns:
        if column not in header:
            raise MooseError(f"{where}: expected a column {column} for the task's individual, but there is none; {HOW}")
    return columns


def signs(text: str, task: Task, line: ImageRow, *, allow_latent: bool) -> NDArray[np.int8]:
    """Read literals as individual × concept: +1, -1, and 0 for what is not said."""
    individuals = {name: index for index, name in enumerate(task.individuals)}
    concepts = {concept.name: index for index, concept in enumerate(task.concepts)}
    array = np.zeros((len(individuals), len(concepts)), dtype=np.int8)
    try:
        for atom, is_true in parse_literals(text):
            if len(atom.arguments) != 1:
                raise MooseError(f"expected concepts of individuals, but got {atom}; known roles belong into the task")
            (individual,) = atom.arguments
            if atom.predicate not in concepts:
                raise unknown_word("a concept of the task", atom.predicate, tuple(concepts))
            if individual not in individuals:
                raise unknown_word("an individual of the task", individual, tuple(individuals))
            index = (individuals[individual], concepts[atom.predicate])
            if task.concepts[index[1]].is_latent and not allow_latent:
                raise MooseError(f"{atom} is latent in the task; say it under {TRUTH}, or declare it observed")
            sign = 1 if is_true else -1
            if array[index] == -sign:
                raise MooseError(f"{atom} is said to hold and not to hold")
            array[index] = sign
    except MooseError as error:
        raise MooseError(f"{line.where}: {error}") from None
    return array


def completed(truth: NDArray[np.int8], task: Task) -> NDArray[np.int8]:
    """Say of the other members of a family that they do not hold, where the table says which one does."""
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    result = truth.copy()
    for family in task.families:
        members = result[:, [columns[name] for name in family]]
        is_settled = ((members > 0).sum(1) == 1)[:, None]
        result[:, [columns[name] for name in family]] = np.where(is_settled & (members == 0), -1, members)
    return result


def open_images(request: Request) -> Mapping[str, Examples]:
    """Read the instances of a folder; evidence is what the table says, nothing is drawn."""
    if request.folder is None:
        raise MooseError(f"expected a folder with images, but none is named; {HOW}")
    if reason := missing(request.folder):
        raise MooseError(reason)
    if request.count or request.test_count or request.inductive:
        raise MooseError("the data set images has the instances of its table; leave count, test_count, inductive out")
    task = request.regime.task
    lines = read_lines(request.folder, task)
    frame = find_frame(lines, request.size)
    groups: dict[str, list[ImageRow]] = {}
    for line in lines:
        groups.setdefault(line.split, []).append(line)
    return {split: read_examples(group, task, frame) for split, group in groups.items()}


@dataclass(frozen=True, slots=True)
class Frame:
    """What all images are brought to, or must have."""

    shape: tuple[int, ...]
    """Channels, height, width."""
    size: int | None
    """To scale to, if any."""
    first: Path
    """The image that sets the shape."""

    def read(self, path: Path) -> Pixels:
        """Read an image that fits."""
        from moose.datasets.base.resizing import read_image

        image = read_image(path, channels=self.shape[0], size=self.size)
        if image.shape != self.shape:
            raise MooseError(
                f"{path}: expected {self.shape[2]}×{self.shape[1]} pixels as in {self.first.name}, but it has "
                f"{image.shape[2]}×{image.shape[1]}; give a size to scale all images to"
            )
        return image


def find_frame(lines: Sequence[ImageRow], size: int | None) -> Frame:
    """Let the first image say how large all are; they are grey if every one is."""
    from moose.datasets.base.resizing import is_grey, read_image

    first = lines[0].images[0]
    channels = 1 if all(is_grey(path) for line in lines for path in line.images) else 3
    return Frame(read_image(first, channels=channels, size=size).shape, size, first)


def read_examples(lines: Sequence[ImageRow], task: Task, frame: Frame) -> Examples:
    """Read the images and literals of one split."""
    import torch

    from moose.learning.examples import Examples

    inputs = np.stack([np.stack([frame.read(path) for path in line.images]) for line in lines])
    evidence = np.stack([signs(line.literals, task, line, allow_latent=False) for line in lines])
    truth = np.stack([completed(signs(line.truth, task, line, allow_latent=True), task) for line in lines])
    return Examples(
        task=task,
        inputs=torch.from_numpy(inputs),
        evidence=torch.from_numpy(evidence),
        truth=torch.from_numpy(truth),
    )


def missing(folder: Path | None) -> str | None:
    """Say what a folder lacks."""
    if folder is None:
        return f"the data set images is a folder of your own; {HOW}"
    if not (folder / TABLE).is_file():
        return f"{folder / TABLE}: expected the table of literals, but there is no such file; {HOW}"
    return needs_library("PIL", "Pillow", "the data set images")


SOURCE = Source(
    summary="your own images: a folder with literals.csv, and a task",
    subject=None,
    open=open_images,
    missing=missing,
)
