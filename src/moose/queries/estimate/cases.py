"""Cases: what was observed to follow, or not to follow, in worlds that are drawn anew for each."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.suggestions import no_such_file
from moose.base.user_files import MISSING
from moose.owl.files.phenopackets import is_phenopacket, read_phenopacket
from moose.owl.model.axioms import Axiom
from moose.owl.names import Names
from moose.queries.program.goals import Goal, read_goal

COUNT = "count"
TRUE, FALSE, UNKNOWN = ("1", "true", "yes"), ("0", "false", "no"), (*MISSING, "unknown")
EXPECTED = 'expected a list of cases such as {"observed": {"ClassAssertion(Fever anna)": true}, "count": 3}'


Observed = Mapping[str | Axiom, bool] | Mapping[str, bool] | Mapping[Axiom, bool]
"""Goals, and whether each was seen to follow."""


@dataclass(frozen=True)
class ObservedCase:
    """One world, seen in part: which goals it entails and which not. A goal that is not named was not looked at."""

    observed: Observed
    count: int = 1
    """How many worlds looked like this."""
    where: str = field(default="", compare=False)
    """What to call the case in an error."""

    def __post_init__(self) -> None:
        given: object = self.observed
        if not isinstance(given, Mapping):
            raise MooseError(f"{self.where or 'case'}: expected observed goals with their truth, got {self.observed!r}")
        for goal, truth in self.observed.items():
            said: object = truth
            if not isinstance(said, bool):
                raise MooseError(
                    f"{self.where or 'case'}: expected True or False for {goal}, but got {truth!r}; "
                    "leave out what was not looked at"
                )
        count: object = self.count
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise MooseError(f"{self.where or 'case'}: expected a count of 1 or more, but got {self.count!r}")


Evidence = tuple[bool, ...]
"""The truth of the goals of a pattern, in their order."""


@dataclass(frozen=True)
class ObservedPattern:
    """Cases in which the same goals were looked at: which goals, and how often each outcome was seen."""

    goals: tuple[Goal, ...]
    counts: Mapping[Evidence, int]
    where: Mapping[Evidence, str]
    """The first case with each outcome."""


def patterns(cases: Iterable[ObservedCase | Observed], names: Names) -> list[ObservedPattern]:
    """Group cases by what was looked at; equal cases are counted."""
    goals: dict[str | Axiom, Goal] = {}
    groups: dict[tuple[str, ...], tuple[tuple[Goal, ...], dict[Evidence, int], dict[Evidence, str]]] = {}
    for number, given in enumerate(cases, start=1):
        case = given if isinstance(given, ObservedCase) else ObservedCase(given)
        where = case.where or f"case {number}"
        seen = observed(case, goals, names, where)
        texts = tuple(sorted(seen))
        evidence = tuple(seen[text][1] for text in texts)
        _, counts, places = groups.setdefault(texts, (tuple(seen[text][0] for text in texts), {}, {}))
        counts[evidence] = counts.get(evidence, 0) + case.count
        places.setdefault(evidence, where)
    return [ObservedPattern(*group) for group in groups.values()]


def observed(
    case: ObservedCase, goals: dict[str | Axiom, Goal], names: Names, where: str
) -> dict[str, tuple[Goal, bool]]:
    """Return what a case says of each goal; one that is written in two ways must be said to be the same."""
    seen: dict[str, tuple[Goal, bool]] = {}
    for written, truth in case.observed.items():
        if written not in goals:
            try:
                goals[written] = read_goal(written, names)
            except MooseError as error:
                raise type(error)(f"{where}: {error}") from None
        goal = goals[written]
        if seen.setdefault(goal.text, (goal, truth))[1] != truth:
            raise MooseError(f"{where}: expected one truth of {goal.text}, but got both; keep one")
    return seen


# ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_observed_cases(path: Path | str, *, finding_property: str = "hasFinding") -> list[ObservedCase]:
    """Read cases from CSV (a column for each goal, a row for each case) or JSON (a list of objects).

    An object may be a Phenopacket, of somebody with a disease D: that D ⊑ ∃p.C was seen to follow for each finding C
    that is present, and not to follow for each that is excluded, p being the `finding_property`.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise no_such_file(path, "a file of cases") from None
    except UnicodeDecodeError:
        raise MooseError(f"{path}: expected cases as CSV or JSON in UTF-8, but got other bytes") from None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise MooseError(f"{path}: the file cannot be read ({reason}); check its path and permissions") from None
    is_json = text.lstrip()[:1] in ("[", "{")
    cases = list(json_cases(text, str(path), finding_property) if is_json else csv_cases(text, str(path)))
    if not cases:
        raise MooseError(f"{path}: expected at least one case, but there is none; add rows")
    return cases


def csv_cases(text: str, path: str) -> Iterator[ObservedCase]:
    """Yield the rows under a header of goals: 1 or 0, true or false, yes or no; empty, ? or NA where nobody looked."""
    rows = csv.reader(text.splitlines())
    header = [cell.strip() for cell in next(rows, [])]
    if len(set(header)) != len(header) or not all(header):
        raise MooseError(f"{path}:1: expected a header of goals, each once, but got {', '.join(header)!r}; correct it")
    for row in rows:
        where = f"{path}:{rows.line_num}"
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            raise MooseError(f"{where}: expected {len(header)} cells, one for each goal, but got {len(row)}")
        cells = dict(zip(header, (cell.strip() for cell in row), strict=True))
        count = read_count(cells.pop(COUNT, "1"), where)
        truths = {goal: read_truth(cell, goal, where) for goal, cell in cells.items()}
        yield ObservedCase({goal: truth for goal, truth in truths.items() if truth is not None}, count, where)


def read_count(cell: str, where: str) -> int:
    """Return how often a row was seen."""
    if not cell.isdecimal():
        raise MooseError(f"{where}: expected a count such as 3, but got {cell!r}; correct it")
    return int(cell)


def read_truth(cell: str, goal: str, where: str) -> bool | None:
    """Return what a cell says; nothing where nobody looked."""
    for words, truth in ((TRUE, True), (FALSE, False), (UNKNOWN, None)):
        if cell.lower() in words:
            return truth
    raise MooseError(f"{where}: expected 1, 0 or nothing for {goal}, but got {cell!r}; correct it")


def json_cases(text: str, path: str, finding_property: str) -> Iterator[ObservedCase]:
    """Yield the objects of a list; a Phenopacket may stand alone."""
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise MooseError(f"{path}:{error.lineno}: {EXPECTED}, but the JSON is broken: {error.msg}") from None
    except RecursionError:
        raise MooseError(f"{path}: {EXPECTED}, but it is nested too deeply; write it like that") from None
    if isinstance(rows, dict) and is_phenopacket(rows):
        rows = [rows]
    if not isinstance(rows, Sequence):
        raise MooseError(f"{path}: {EXPECTED}, but got an object; put it in a list")
    for number, row in enumerate(rows, start=1):
        where = f"{path}: case {number}"
        if isinstance(row, dict) and is_phenopacket(row):
            yield of_phenopacket(row, where, finding_property)
            continue
        if not isinstance(row, dict) or not {"observed"} <= row.keys() <= {"observed", COUNT}:
            raise MooseError(f"{where}: {EXPECTED}, but got {str(row)[:60]}; write it like that")
        yield ObservedCase(row["observed"], row.get(COUNT, 1), where)


def of_phenopacket(row: Mapping[str, object], where: str, finding_property: str) -> ObservedCase:
    """Return what a Phenopacket says of its disease in the world of this patient."""
    packet = read_phenopacket(row, where)
    if not packet.disease:
        raise MooseError(f"{where}: expected a Phenopacket with a disease, but it has none; add it under `diseases`")
    goals = {
        f"SubClassOf({packet.disease} ObjectSomeValuesFrom({finding_property} {term}))": is_present
        for term, is_present in packet.features
    }
    return ObservedCase(goals, where=where)
