"""What is run: commands in one folder, some written down and some made from the golden files."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.same_outputs import commands

GOALS_OF_A_KIND = 2  # of those that a golden file's expected answers hold; with all of them a run takes twice as long


@dataclass(frozen=True, slots=True)
class Case:
    """Commands that run one after the other in one folder."""

    name: str
    commands: tuple[str, ...]
    is_forked: bool

    def missing_inputs(self, inputs: Path) -> list[str]:
        """List what its commands read, but is not there; what is called absent should not be."""
        words = set(re.findall(r"\bIN/([\w./-]+)", "\n".join(self.commands)))
        return sorted(word for word in words if not word.startswith("absent") and not (inputs / word).exists())


def all_cases(inputs: Path) -> Iterator[Case]:
    """Give every case, those that take longest first."""
    for name, text in sorted(commands.FRESH.items(), key=lambda item: -item[1].count("train ")):
        yield Case(name, read_lines(text), is_forked=False)
    for name, text in sorted(commands.FORKED.items(), key=lambda item: item[0] != "go"):
        yield Case(name, read_lines(text), is_forked=True)
    for golden in sorted((inputs / "golden").glob("*.ofn")):
        yield golden_case(golden)


def golden_case(golden: Path) -> Case:
    """Make the case of a golden file from what is expected of it."""
    expected = tomllib.loads(golden.with_suffix(".expected.toml").read_text("utf-8"))
    text = commands.GOLDEN + (commands.GOLDEN_INDIVIDUALS if "NamedIndividual(" in golden.read_text("utf-8") else "")
    if not expected["consistent"]:
        text += commands.GOLDEN_INCONSISTENT
    for number, goal in enumerate(golden_goals(expected) if expected["consistent"] else ()):
        lines = commands.GOLDEN_GOAL if number else commands.GOLDEN_FIRST_GOAL + commands.GOLDEN_GOAL
        text += lines.replace("{goal}", goal).replace("{number}", str(number))
    text = (text + commands.GOLDEN_LAST).replace("{file}", f"IN/golden/{golden.name}")
    text = text.replace("{weights}", f"IN/golden/{golden.stem}.tsv")
    return Case(f"golden-{golden.stem}", read_lines(text), is_forked=True)


def golden_goals(expected: Mapping[str, list[str]]) -> list[str]:
    """Write some of the expected answers as axioms, and a subsumption that does not follow."""
    some = slice(GOALS_OF_A_KIND)
    pairs = [pair.split() for pair in expected["closure"]]
    goals = [f"SubClassOf({sub} {super_})" for sub, super_ in pairs[some]]
    goals += [f"SubClassOf({name} owl:Nothing)" for name in expected["unsatisfiable"][some]]
    goals += [f"ClassAssertion({kind} {one})" for one, kind in map(str.split, expected["types"][some])]
    goals += [f"ObjectPropertyAssertion({r} {a} {b})" for a, r, b in map(str.split, expected["roles"][some])]
    goals += [f"SameIndividual({a} {b})" for a, b in map(str.split, expected["same"][some])]
    back = ([super_, sub] for sub, super_ in pairs if [super_, sub] not in pairs)
    return goals + [f"SubClassOf({sub} {super_})" for sub, super_ in list(back)[:1]]


def fits(case: Case, patterns: str) -> bool:
    """Tell whether a case's name fits one of some patterns, parted by commas."""
    return any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns.split(","))


def read_lines(text: str) -> tuple[str, ...]:
    """Return the commands of a text, one a line."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())
