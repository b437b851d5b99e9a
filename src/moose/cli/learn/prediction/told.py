"""What `moose predict` says of each instance: for people, as JSON, or as a table with a column for each concept."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from moose.base.errors import MooseError

if TYPE_CHECKING:
    from moose.grounding.task.task import Task
    from moose.learning.prediction import Predictions


class FileKind(StrEnum):
    """What predictions are written to, by the ending of its name."""

    csv = ".csv"
    json = ".json"


def file_kind(output: Path | None) -> FileKind | None:
    """Return what a file is to be; none for the standard output."""
    if output is None or str(output) == "-":
        return None
    ending = output.suffix.lower()
    if ending not in tuple(FileKind):
        came = f"ends in {ending}" if ending else "has no ending"
        raise MooseError(f"{output}: expected a name that ends in .csv or .json, but it {came}; choose one of these")
    return FileKind(ending)


@dataclass(frozen=True, slots=True)
class Told:
    """One instance, and what is said of it."""

    title: Sequence[str]
    """Its images; or what it is called, and where it stands if that does not say so."""
    are_images: bool
    columns: Mapping[str, str]
    """What the table has of it in columns that are not read, such as an id."""
    evidence: Sequence[str]
    people: Sequence[int]
    """Who is in it."""
    said: Predictions | None
    """None where its evidence contradicts the theory."""
    row: int

    def posteriors(self, least: float, *, is_world: bool) -> dict[str, float] | None:
        """Return the posteriors of what is likely, or of what holds in the most probable world."""
        if self.said is None or not is_world:
            return None if self.said is None else self.said.of(self.row, least=least)
        everything = self.said.of(self.row)
        return {atom: everything[atom] for atom in self.said.world_of(self.row)}

    @property
    def names(self) -> dict[str, str]:
        """What it is called, by the key that says of what kind that is."""
        return {} if self.are_images else dict(zip(("instance", "where"), self.title, strict=False))

    def as_dict(self, least: float, *, is_world: bool) -> dict[str, object]:
        """Return it as JSON has it."""
        names: dict[str, object] = {"images": list(self.title)} if self.are_images else {**self.names}
        return {
            **names,
            **({"columns": dict(self.columns)} if self.columns else {}),
            "evidence": list(self.evidence),
            "world" if is_world else "posterior": self.posteriors(least, is_world=is_world),
        }


def print_told(told: Sequence[Told], least: float, stream: TextIO, *, is_world: bool) -> None:
    """Write for people, the likeliest first; nothing of an instance of which nothing is said."""
    for one in told:
        posteriors = one.posteriors(least, is_world=is_world)
        if posteriors is not None:
            stream.write("\t".join(one.title) + "\n")
            likeliest = sorted(posteriors.items(), key=lambda pair: -pair[1])
            stream.writelines(f"  {atom}\t{value:.4f}\n" for atom, value in likeliest)


def write_table(task: Task, told: Sequence[Told], stream: TextIO, *, is_world: bool) -> None:
    """Write a line for each individual of each instance, with a column for every concept."""
    lines = list(_lines(task, told, is_world=is_world))
    header = [name for name, _ in lines[0]]
    if twice := [name for name in header if header.count(name) > 1]:
        raise MooseError(
            f"{twice[0]!r} is a column of the table, and would be one of the predictions as well; rename the former"
        )
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([value for _, value in line] for line in lines)


def _lines(task: Task, told: Sequence[Told], *, is_world: bool) -> Iterator[list[tuple[str, str]]]:
    """Yield each line as pairs of a column and what stands in it; the columns are the same in all."""
    for one in told:
        images = iter(one.title)
        world = one.said.world_of(one.row) if one.said is not None and is_world else []
        for person in one.people:
            name = task.individuals[person]
            line = list(one.names.items())
            if one.are_images:
                line.append(("image", next(images) if task.has_input[person] else ""))
            line += one.columns.items()
            if len(task.individuals) > 1:
                line.append(("individual", name))
            yield line + _numbers(task, one, person) + ([("world", _of(name, world))] if is_world else [])


def _numbers(task: Task, one: Told, person: int) -> list[tuple[str, str]]:
    """Return how likely each concept of an individual is, and each pair of a latent role that begins with it."""
    columns = [concept.name for concept in task.concepts]
    pairs = list(product(task.read_roles, range(len(task.individuals))))
    columns += [f"{task.role_predicates[role].name}(_,{task.individuals[other]})" for role, other in pairs]
    if one.said is None:
        return [(column, "") for column in columns]
    values = one.said.posteriors[one.row, person].tolist()
    if one.said.roles is not None:
        values += [float(one.said.roles[one.row, role, person, other]) for role, other in pairs]
    return [(column, "" if isnan(value) else f"{value:.6g}") for column, value in zip(columns, values, strict=True)]


def _of(name: str, atoms: Sequence[str]) -> str:
    """Return the atoms of one individual, as a column `truth` has them."""
    return ", ".join(atom for atom in atoms if atom.endswith(f"({name})"))
