"""A user's own images: a folder of them, and a table that says what is observed and what is true."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.base.suggestions import close_files, did_you_mean, similarity, unknown_word
from moose.base.user_files import is_missing
from moose.datasets.base.pool import Pixels
from moose.datasets.base.request import Request, Source, needs_library
from moose.datasets.base.role_literals import pair_signs, stacked
from moose.grounding.task.task import Task

if TYPE_CHECKING:
    from moose.learning.examples import Examples

Value = TypeVar("Value")

TABLE = "literals.csv"
IMAGE, LITERALS, TRUTH, SPLIT = "image", "literals", "truth", "split"
ROLES, INDIVIDUALS = "roles", "individuals"
SPLITS = ("train", "test", "validation", "valid", "held_out")
ALIKE = 0.74
"""How much a word must look like one of these to be a slip."""
HOW = (
    f"make a folder with images and {TABLE}: columns {IMAGE} (or {IMAGE}_NAME for each individual), {LITERALS}, and, "
    f"if you like, {TRUTH}, {ROLES}, {INDIVIDUALS} and {SPLIT}"
)

NONE_NAMED = (
    "expected a table of features (--table FILE) or a folder with images (--folder FOLDER) beside the task, but "
    f"neither is named; for images, {HOW}"
)


@dataclass(frozen=True, slots=True)
class ImageRow:
    """An instance as the table has it."""

    where: str
    images: tuple[Path | None, ...]
    """For each individual with an input; none where it is not in the instance, none at all in a table of features."""
    literals: str
    truth: str
    split: str
    roles: dict[str, list[tuple[str, str]]] | None = None
    """The pairs of its known roles, where the table has a column for them."""
    individuals: tuple[str, ...] | None = None
    """Who is in it, where the table has a column for that."""


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
    known = (*columns.values(), LITERALS, TRUTH, SPLIT, ROLES, INDIVIDUALS)
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
        said = read_row(row, task, line)
        people = said.individuals
        yield replace(
            said,
            images=tuple(
                image_path(folder, row[column], column, line, is_there=people is None or name in people)
                for name, column in columns.items()
            ),
        )


def read_row(row: Mapping[str, str], task: Task, line: str) -> ImageRow:
    """Read what a row of a table says of an instance, its inputs aside; NA as literals or truth: nothing is known."""
    literals, truth = ("" if is_missing(row.get(column)) else row[column] for column in (LITERALS, TRUTH))
    return ImageRow(
        where=line,
        images=(),
        roles=read_roles(row[ROLES], task, line) if ROLES in row else None,
        individuals=read_individuals(row[INDIVIDUALS], task, line) if INDIVIDUALS in row else None,
        literals=literals,
        truth=truth,
        split=read_split(row.get(SPLIT, ""), line),
    )


def read_split(text: str, line: str) -> str:
    """Read which split a row belongs to: any name, but not one that looks like a slip of the usual ones."""
    split = text.strip() or "train"
    slips = [known for known in SPLITS if similarity(split.casefold(), known) > ALIKE]
    if split not in SPLITS and split.isalpha() and slips:
        raise MooseError(
            f"{line}: expected {', '.join(SPLITS[:-1])}, {SPLITS[-1]} or a name unlike these under {SPLIT}, but got "
            f"{split!r}; did you mean {slips[0]}?"
        )
    return split


def image_path(folder: Path, text: str, column: str, line: str, *, is_there: bool) -> Path | None:
    """Return the image of an individual, which must be named if the individual is there, and not if it is not."""
    if bool(text.strip()) == is_there:
        return folder / text if is_there else None
    if is_there:
        raise MooseError(f"{line}: expected the name of an image under {column}, but it is empty; fill it in")
    raise MooseError(f"{line}: expected nothing under {column}, who is not among the {INDIVIDUALS}, but got {text!r}")


def read_individuals(text: str, task: Task, line: str) -> tuple[str, ...]:
    """Read who is in an instance: names with blanks or commas between them, everybody if there are none."""
    names = dict[str, None]()
    for word in text.replace(",", " ").split():
        name = task.vocabulary.find_individual(word)
        if name is None:
            raise MooseError(f"{line}: {unknown_word('an individual of the task', word, task.individuals)}")
        names[name] = None
    return tuple(names) or tuple(task.individuals)


def read_roles(text: str, task: Task, line: str) -> dict[str, list[tuple[str, str]]]:
    """Read pairs such as `succ(a, b), succ(b, c)`; of every role that is not latent, no other pair holds."""
    names = [role.name for role in task.role_predicates if not role.is_latent]
    pairs: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
    try:
        for atom, is_true in task.literals(text):
            if len(atom.arguments) != 2 or not is_true:
                raise MooseError(f"expected pairs that hold, such as succ(a, b), but got {atom}; no other pair does")
            if atom.predicate not in pairs:
                raise task.vocabulary.unknown_role(atom.predicate, "a role of the task that is not latent")
            for name in atom.arguments:
                if name not in task.individuals:
                    raise unknown_word("an individual of the task", name, task.individuals)
            pairs[atom.predicate].append((atom.arguments[0], atom.arguments[1]))
    except MooseError as error:
        raise MooseError(f"{line}: {error}") from None
    return pairs


def image_columns(header: Sequence[str], task: Task, where: str) -> dict[str, str]:
    """Return which column has the image of each individual that has one."""
    seen = [name for name, has_input in zip(task.individuals, task.has_input.tolist()) if has_input]
    if len(seen) == 1 and IMAGE in header:
        return {seen[0]: IMAGE}
    columns = {name: f"{IMAGE}_{name}" for name in seen}
    for column in columns.values():
        if column not in header:
            raise MooseError(f"{where}: expected a column {column} for the task's individual, but there is none; {HOW}")
    return columns


def signs(text: str, task: Task, line: ImageRow, *, allow_latent: bool) -> NDArray[np.int8]:
    """Read literals as individual × concept: +1, -1, and 0 for what is not said."""
    individuals = {name: index for index, name in enumerate(task.individuals)}
    concepts = {concept.name: index for index, concept in enumerate(task.concepts)}
    array = np.zeros((len(individuals), len(concepts)), dtype=np.int8)
    try:
        for atom, is_true in task.literals(text):
            if len(atom.arguments) != 1:
                continue  # what is said of pairs is read by `roles_said`
            (individual,) = atom.arguments
            if atom.predicate not in concepts:
                raise task.vocabulary.unknown_concept(atom.predicate, "a concept of the task")
            if individual not in individuals:
                raise unknown_word("an individual of the task", individual, tuple(individuals))
            index = (individuals[individual], concepts[atom.predicate])
            if task.concepts[index[1]].is_latent and not allow_latent:
                raise MooseError(
                    f"{atom} is latent in the task; say it under {TRUTH}, declare it observed, or, if it is a label to "
                    f"learn from, allow that (--allow-latent, allow_latent=True)"
                )
            if not task.has_concept[index]:
                raise MooseError(f"{individual} is of a kind that has no {atom.predicate}; leave {atom} out")
            sign = 1 if is_true else -1
            if array[index] == -sign:
                raise MooseError(f"{atom} is said to hold and not to hold")
            array[index] = sign
    except MooseError as error:
        raise MooseError(f"{line.where}: {error}") from None
    return array


def roles_said(text: str, task: Task, line: ImageRow) -> NDArray[np.int8]:
    """Read the literals of pairs as role × individual × individual: +1, -1, and 0 for what is not said."""
    known = {role.name for role in task.role_predicates if not role.is_latent} if line.roles is not None else task.edges
    try:
        return pair_signs(text, task, known=known)
    except MooseError as error:
        raise MooseError(f"{line.where}: {error}") from None


def completed(truth: NDArray[np.int8], task: Task) -> NDArray[np.int8]:
    """Say of the other members of a family that they do not hold, where the table says which one does."""
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    result = truth.copy()
    for family, has_family in zip(task.families, task.has_family.T):
        members = result[:, [columns[name] for name in family]]
        is_settled = (((members > 0).sum(1) == 1) & has_family)[:, None]
        result[:, [columns[name] for name in family]] = np.where(is_settled & (members == 0), -1, members)
    return result


def open_images(request: Request) -> Mapping[str, Examples]:
    """Read the instances of a folder; evidence is what the table says, nothing is drawn."""
    if request.folder is None:
        raise MooseError(NONE_NAMED)
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
    from moose.learning.labels.complete_labels import complete_truth

    allow_latent = request.allow_latent
    return {
        split: complete_truth(read_examples(group, task, frame, allow_latent=allow_latent))
        for split, group in groups.items()
    }


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

    paths = [path for line in lines for path in line.images if path is not None]
    if not paths:
        raise MooseError("expected an image of some individual, but no line of the table names one; fill some in")
    first = paths[0]
    channels = 1 if all(is_grey(path) for path in paths) else 3
    return Frame(read_image(first, channels=channels, size=size).shape, size, first)


def read_examples(lines: Sequence[ImageRow], task: Task, frame: Frame, *, allow_latent: bool = False) -> Examples:
    """Read the images and literals of one split."""
    nothing = np.zeros(frame.shape, dtype=np.uint8)
    inputs = np.stack(
        [np.stack([nothing if path is None else frame.read(path) for path in line.images]) for line in lines]
    )
    return make_examples(lines, task, inputs, allow_latent=allow_latent)


def make_examples(
    lines: Sequence[ImageRow], task: Task, inputs: NDArray[np.generic], *, allow_latent: bool = False
) -> Examples:
    """Put inputs together with what is said of them, labels of latent concepts too if these are allowed."""
    import torch

    from moose.learning.examples import Examples

    evidence = np.stack([signs(line.literals, task, line, allow_latent=allow_latent) for line in lines])
    truth = np.stack([completed(signs(line.truth, task, line, allow_latent=True), task) for line in lines])
    pairs = [stacked([roles_said(text, task, line) for line, text in said]) for said in _said(lines)]
    observed, hidden = (None if one is None else torch.from_numpy(one) for one in pairs)
    return Examples(
        task=task,
        role_evidence=observed,
        role_truth=hidden,
        inputs=torch.from_numpy(inputs),
        evidence=torch.from_numpy(evidence),
        truth=torch.from_numpy(truth),
        individuals=_column([line.individuals for line in lines]),
        roles=_column([line.roles for line in lines]),
        allow_latent=allow_latent,
        where=[line.where for line in lines],
    )


def _said(lines: Sequence[ImageRow]) -> Iterator[list[tuple[ImageRow, str]]]:
    """Yield the lines with what is observed, then with what is true."""
    yield [(line, line.literals) for line in lines]
    yield [(line, line.truth) for line in lines]


def _column(values: Sequence[Value | None]) -> list[Value] | None:
    """Return what a column of the table has; the table has it or not, all lines alike."""
    known = [value for value in values if value is not None]
    return known or None


def missing(folder: Path | None) -> str | None:
    """Say what a folder lacks."""
    if folder is None:
        return f"the data set images is a folder of your own; {HOW}"
    if not (folder / TABLE).is_file():
        close = close_files(folder / TABLE) if folder.is_dir() else close_files(folder, Path.is_dir)
        hint = did_you_mean(close, otherwise=HOW)
        return f"{folder / TABLE}: expected the table of literals, but there is no such file; {hint}"
    return needs_library("PIL", "Pillow", "the data set images")


SOURCE = Source(
    summary="your own images: a folder with literals.csv, and a task",
    subject=None,
    open=open_images,
    missing=missing,
    version=2,  # truth is completed by the theory
)
