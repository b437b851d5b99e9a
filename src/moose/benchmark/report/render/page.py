"""The report as one HTML page that needs nothing but itself: no scripts, no requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, get_args
from xml.etree.ElementTree import ParseError, fromstring

from moose.base.errors import MooseError
from moose.benchmark.report.model.model import (
    Claim,
    Column,
    Entry,
    Figure,
    Finding,
    Line,
    Quantity,
    Report,
    Section,
    Table,
)
from moose.benchmark.report.model.numbers import write_quantity
from moose.benchmark.report.model.titles import paper_table

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

MARKS: dict[Finding, str] = {"holds": "✓", "does not hold": "✗", "not tested": "○"}
WIDE = 8
"""Columns beyond which a table is printed across the page."""
SHORT = 20
"""Lines up to which a table is printed on one page."""
HARMLESS = frozenset({"svg", "g", "path", "rect", "text", "title", "circle", "line", "polyline", "polygon", "tspan"})
"""What a drawing may be made of: nothing that runs, loads or links."""


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours that share a heading: columns of a group or lines of a block."""

    title: str
    columns: tuple[Column, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """An entry of a table as it is written."""

    text: str
    is_number: bool = False
    mean: str = ""
    deviation: str = ""
    paper: str = ""
    is_best: bool = False
    is_paper_best: bool = False
    seeds: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """How many claims have a finding."""

    finding: Finding
    mark: str
    count: int


def write_page(report: Report) -> str:
    """Write the whole page; it has whatever the report has, each text escaped."""
    _check_keys(report)
    return _template().render(
        report=report,
        style=_trusted(_resource("page.css")),
        tallies=tally_claims(report.claims),
        marks=MARKS,
        parts_of=parts_of,
        column_groups=column_groups,
        blocks=blocks,
        cell_of=cell_of,
        has_words=has_words,
        drawing_of=drawing_of,
        paper_table=paper_table,
        is_wide=lambda table: len(table.columns) > WIDE,
        is_short=lambda table: len(table.lines) <= SHORT,
    )


def tally_claims(claims: Sequence[Claim]) -> list[Tally]:
    """Count the claims of each finding."""
    counts = Counter(claim.finding for claim in claims)
    return [Tally(finding, MARKS[finding], counts[finding]) for finding in get_args(Finding)]


def parts_of(section: Section) -> list[tuple[str, list[Table | Figure]]]:
    """Return the parts of a section, neighbouring figures together: they stand beside each other."""
    return [(kind, list(parts)) for kind, parts in groupby(section.parts, key=_kind)]


def _kind(part: Table | Figure) -> str:
    return "table" if isinstance(part, Table) else "figures"


def column_groups(table: Table) -> list[Group]:
    """Return the columns under their headings; nothing where no column has one."""
    if not any(column.group for column in table.columns):
        return []
    groups = groupby(table.columns, key=lambda column: column.group)
    return [Group(title, columns=tuple(columns)) for title, columns in groups]


def blocks(table: Table) -> list[Group]:
    """Return the lines under their headings; lines for reference stand apart from others of a block."""
    groups = groupby(table.lines, key=lambda line: (line.block, line.is_reference))
    made: list[Group] = []
    before = ""
    for (title, _), lines in groups:
        made.append(Group(title if title != before else "", lines=tuple(lines)))
        before = title
    return made


def has_words(table: Table, column: int) -> bool:
    """Return whether a column has no number."""
    return not any(isinstance(line.entries[column], Quantity) for line in table.lines)


def cell_of(entry: Entry) -> Cell:
    """Return an entry as it is written, with a true minus."""
    if not isinstance(entry, Quantity):
        return Cell(entry)
    text = write_quantity(entry)
    ours, paper = text.ours.replace("-", "−"), text.paper.replace("-", "−")
    mean, _, deviation = ours.partition(" ± ")
    is_best, is_paper_best = entry.is_best, entry.is_paper_best
    return Cell(ours, True, mean, deviation, paper, is_best, is_paper_best, entry.count)


def drawing_of(figure: Figure) -> Markup:
    """Return the drawing of a figure, which must be a harmless one."""
    try:
        root = fromstring(figure.svg)  # noqa: S314  # our own drawing, which is checked here
    except ParseError as error:
        raise MooseError(f"figure {figure.key}: expected one whole <svg> element, but {error}") from None
    for element in root.iter():
        foreign = [name for name in element.attrib if name.startswith("on") or "href" in name or name == "style"]
        if element.tag not in HARMLESS or foreign or root.tag != "svg":
            raise MooseError(f"figure {figure.key}: expected a plain drawing, but it has {element.tag} {foreign}")
    return _trusted(figure.svg)


def _check_keys(report: Report) -> None:
    keys = ["top", "content", "claims", "words", *(section.key for section in report.sections)]
    keys += [part.key for section in report.sections for part in section.parts]
    twice = sorted(key for key, count in Counter(keys).items() if count > 1)
    if twice:
        raise MooseError(
            f"expected a key of its own for each part of the report, but {', '.join(twice)} is there twice"
        )


@cache
def _template() -> Template:
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise MooseError("writing a report needs Jinja2; install it with `pip install 'moose-el[bench]'`") from None
    made = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return made.from_string(_resource("page.html"))


def _trusted(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704  # our own style sheet and drawings


def _resource(name: str) -> str:
    return files("moose.benchmark.report.render").joinpath(name).read_text("utf-8")
