"""What a report is made of, before anybody decides how it looks: tables, figures and claims in sections.

Plain values only: `page` writes them as HTML, `markdown` and `latex` write the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Unit = Literal["percent", "number", "count", "seconds"]
"""How a value is written: 0.981 as 98.1, 0.314 as 0.31, 74 as 74, 0.02 as 0.020 s."""
Finding = Literal["holds", "does not hold", "not tested"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a table: a mean over seeds, and what the paper has in its place."""

    mean: float | None
    """None where nothing was measured."""
    deviation: float | None = None
    """Of the sample; None with one seed."""
    count: int = 0
    """How many seeds it is the mean of."""
    paper: float | None = None
    """In the same unit; None where the paper has no such number."""
    paper_deviation: float | None = None
    unit: Unit = "percent"
    is_best: bool = False
    """Whether it is the best of its column, or of its block."""
    is_paper_best: bool = False


Entry = Quantity | str
"""What a cell of a table holds; a text stands as it is."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    title: str
    group: str = ""
    """Written once above neighbouring columns that share it."""
    is_higher_better: bool | None = None
    """None where neither is better."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table."""

    title: str
    entries: tuple[Entry, ...]
    block: str = ""
    """Written once above neighbouring rows that share it."""
    is_reference: bool = False
    """A trivial baseline, or what can be expected: no method, and set apart from them."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each line has an entry for each column."""

    key: str
    """Of letters, digits and hyphens: its anchor, and the name of its Markdown and LaTeX files."""
    title: str
    heading: str
    """Above the titles of the lines, such as "Method"."""
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    note: str = ""
    """How to read it, and what was run: plain text."""
    shows: str = ""
    """The label of the paper's table that it stands beside, or nothing."""

    def __post_init__(self) -> None:
        assert all(len(line.entries) == len(self.columns) for line in self.lines)

    @property
    def has_paper(self) -> bool:
        """Whether the paper's numbers stand beside ours."""
        entries = [entry for line in self.lines for entry in line.entries]
        return any(isinstance(entry, Quantity) and entry.paper is not None for entry in entries)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing."""

    key: str
    title: str
    caption: str
    """Says in words what is to be seen, for those who do not see it too."""
    svg: str
    """One whole <svg> element, without scripts, styles or links of its own."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that the paper says of its results, and what ours say of it."""

    key: str
    text: str
    """In our words."""
    place: str
    """Where the paper says it: "section 5, RQ2" or "appendix F, table of learning rates"."""
    finding: Finding
    evidence: str
    """The figures that decided, or what would have to be run."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    key: str
    title: str
    lead: str
    """A sentence or two: what is here, and what to see in it."""
    parts: tuple[Table | Figure, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """What was run: name and text, such as ("headline", "smoke, 132 of 132 runs, seeds 0-1")."""
    claims: tuple[Claim, ...]
    """None where nothing of the paper's was run: then nothing is said of them."""
    sections: tuple[Section, ...]
    introduction: tuple[str, ...] = ()
    """Paragraphs for those who do not know what this is."""
    criteria: tuple[str, ...] = ()
    """By what claims were judged, paragraphs."""
    glossary: tuple[tuple[str, str], ...] = ()
    """Words and what they mean."""

    @property
    def tables(self) -> Sequence[Table]:
        """All tables, in their order."""
        return [part for section in self.sections for part in section.parts if isinstance(part, Table)]
