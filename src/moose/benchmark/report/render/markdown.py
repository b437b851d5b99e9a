"""A table as GitHub's Markdown."""

from __future__ import annotations

from moose.benchmark.report.model.model import Entry, Line, Quantity, Table
from moose.benchmark.report.model.numbers import write_quantity

SPECIAL = r"\|*_`[]<>#"


def write_markdown(table: Table) -> str:
    """Write a table: the best is bold, the paper's numbers stand in brackets, what is no method is slanted.

    >>> from moose.benchmark.report.model.model import Column
    >>> lines = (Line("Moose", (Quantity(0.981, paper=0.746, is_best=True),)),)
    >>> print(write_markdown(Table("acc", "Accuracy", "Method", (Column("MNIST 2"),), lines)))
    ### Accuracy
    <BLANKLINE>
    | Method | MNIST 2 |
    | --- | ---: |
    | Moose | **98.1** (74.6) |
    <BLANKLINE>
    The paper's numbers are in brackets.
    <BLANKLINE>
    """
    titles = [escape(table.heading), *_titles(table)]
    rows = [_row(titles), _row(["---", *_alignments(table)])]
    block = ""
    for line in table.lines:
        if line.block != block:
            block = line.block
            rows.append(_row([f"**{escape(block)}**", *[""] * len(table.columns)]))
        title = escape(line.title)
        slanted = f"*{title}*" if line.is_reference and title else title
        rows.append(_row([slanted, *map(write_entry, line.entries)]))
    paper = "The paper's numbers are in brackets." if table.has_paper else ""
    notes = " ".join(escape(text) for text in (_groups(table), table.note, paper) if text)
    parts = [f"### {escape(table.title)}", "\n".join(rows), notes]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_entry(entry: Entry) -> str:
    """Write what a cell holds."""
    if isinstance(entry, str):
        return escape(entry)
    text = write_quantity(entry)
    ours = f"**{text.ours}**" if entry.is_best else text.ours
    paper = f"**{text.paper}**" if entry.is_paper_best else text.paper
    return f"{ours} ({paper})" if paper else ours


def escape(text: str) -> str:
    r"""Write a text so that it stands as it is, on one line.

    >>> escape("a|b")
    'a\\|b'
    """
    return "".join(f"\\{letter}" if letter in SPECIAL else letter for letter in " ".join(text.split()))


def _titles(table: Table) -> list[str]:
    """Return the titles of the columns; where two are the same, with their groups."""
    titles = [column.title for column in table.columns]
    if len(set(titles)) == len(titles):
        return [escape(title) for title in titles]
    return [escape(f"{column.group}: {column.title}" if column.group else column.title) for column in table.columns]


def _groups(table: Table) -> str:
    """Say which columns belong together, where their titles do not."""
    titles = [column.title for column in table.columns]
    groups = dict.fromkeys(column.group for column in table.columns if column.group)
    if not groups or len(set(titles)) != len(titles):
        return ""
    texts = [f"{group}: {', '.join(one.title for one in table.columns if one.group == group)}" for group in groups]
    return "; ".join(texts) + "."


def _alignments(table: Table) -> list[str]:
    return ["---:" if is_numeric(table.lines, index) else "---" for index in range(len(table.columns))]


def is_numeric(lines: tuple[Line, ...], index: int) -> bool:
    """Return whether a column has numbers."""
    return any(isinstance(line.entries[index], Quantity) for line in lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
