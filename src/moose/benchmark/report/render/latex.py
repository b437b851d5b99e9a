"""A table as LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from moose.benchmark.report.model.model import Entry, Line, Table
from moose.benchmark.report.model.numbers import write_quantity, write_spread
from moose.benchmark.report.render.markdown import is_numeric

PACKAGES = "% needs \\usepackage{booktabs,longtable,xcolor}, and UTF-8\n"
LONGEST = 35
"""Lines that a page holds; a table of more may go over several."""
WIDEST = 24
"""Letters of a text that stays on one line."""
WIDTH = "3.2cm"
NARROW = 3
"""Columns up to which the paper's deviations have room on a page of 12 cm."""
SMALL = r"\scriptsize\setlength{\tabcolsep}{3pt}"
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    "–": "--",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
    "→": r"$\rightarrow$",
    "’": "'",
    '"': "''",
    "[": "{[}",  # after the end of a row, a bracket would be an option of it
    "]": "{]}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def write_latex(table: Table) -> str:
    r"""Write a table: the best is bold, the paper's numbers stand small and grey, what is no method is slanted.

    >>> from moose.benchmark.report.model.model import Column, Quantity
    >>> lines = (Line("Moose", (Quantity(0.981, paper=0.746, is_best=True),)),)
    >>> print(write_latex(Table("acc", "Accuracy", "Method", (Column("MNIST 2"),), lines)))
    % needs \usepackage{booktabs,longtable,xcolor}, and UTF-8
    \begin{table}
    \centering\scriptsize\setlength{\tabcolsep}{3pt}
    \caption{Accuracy. The paper's numbers are small and grey.}\label{tab:moose-acc}
    \begin{tabular}{lr}
    \toprule
    Method & MNIST 2 \\
    \midrule
    Moose & \textbf{98.1} {\tiny\color{gray}(74.6)} \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    caption = rf"\caption{{{_caption(table)}}}\label{{tab:moose-{table.key}}}"
    shape = "".join(["l", *(_shape(table, index) for index in range(len(table.columns)))])
    head = "\n".join([r"\toprule", *_head(table), r"\midrule"])
    body = "\n".join([*_body(table), r"\bottomrule"])
    if len(table.lines) > LONGEST:
        parts = [rf"{{{SMALL}\begin{{longtable}}{{{shape}}}", caption + r" \\", head, r"\endhead", body]
        end = [r"\end{longtable}}"]
    else:
        parts = [r"\begin{table}", rf"\centering{SMALL}", caption, rf"\begin{{tabular}}{{{shape}}}", head, body]
        end = [r"\end{tabular}", r"\end{table}"]
    return PACKAGES + "\n".join([*parts, *end]) + "\n"


def write_entry(entry: Entry, *, is_narrow: bool = True) -> str:
    """Write what a cell holds; the paper's deviation only in a narrow table."""
    if isinstance(entry, str):
        return escape(entry)
    ours = escape(write_quantity(entry).ours)
    paper = escape(write_spread(entry.paper, entry.paper_deviation if is_narrow else None, entry.unit))
    ours = rf"\textbf{{{ours}}}" if entry.is_best else ours
    paper = rf"\textbf{{{paper}}}" if entry.is_paper_best else paper
    return rf"{ours} {{\tiny\color{{gray}}({paper})}}" if paper else ours


def escape(text: str) -> str:
    r"""Write a text so that it stands as it is.

    >>> escape("50 % of d_z")
    '50 \\% of d\\_z'
    """
    return "".join(SPECIAL.get(letter, letter) for letter in " ".join(text.split()))


def _caption(table: Table) -> str:
    paper = "The paper's numbers are small and grey." if table.has_paper else ""
    entries = [entry for line in table.lines for entry in line.entries]
    if not is_narrow(table) and any(not isinstance(one, str) and one.paper_deviation is not None for one in entries):
        paper = "The paper's means are small and grey; its deviations are left out, as a page is only so wide."
    return escape(" ".join(text for text in (f"{table.title}.", table.note, paper) if text))


def is_narrow(table: Table) -> bool:
    """Return whether there is room for the paper's deviations."""
    return len(table.columns) <= NARROW


def _shape(table: Table, index: int) -> str:
    texts = [entry for line in table.lines if isinstance(entry := line.entries[index], str)]
    if any(len(text) > WIDEST for text in texts):
        return rf"p{{{WIDTH}}}"
    return "r" if is_numeric(table.lines, index) else "l"


def _head(table: Table) -> Iterator[str]:
    """Yield the groups of columns, if there are any, and the titles."""
    runs = [(group, len(list(run))) for group, run in groupby(column.group for column in table.columns)]
    if any(group for group, _ in runs):
        cells = [rf"\multicolumn{{{width}}}{{c}}{{{escape(group)}}}" for group, width in runs]
        yield " & ".join(["", *cells]) + r" \\"
        first = 2
        for group, width in runs:
            if group:
                yield rf"\cmidrule(lr){{{first}-{first + width - 1}}}"
            first += width
    yield " & ".join(escape(title) for title in (table.heading, *(one.title for one in table.columns))) + r" \\"


def _body(table: Table) -> Iterator[str]:
    before: Line | None = None
    for line in table.lines:
        if line.block and (before is None or before.block != line.block):
            if before is not None:
                yield r"\midrule"
            yield rf"\multicolumn{{{len(table.columns) + 1}}}{{l}}{{\itshape {escape(line.block)}}} \\"
        elif before is not None and line.is_reference and not before.is_reference:
            yield r"\midrule"
        title = escape(line.title)
        slanted = rf"\textit{{{title}}}" if line.is_reference else title
        entries = [write_entry(entry, is_narrow=is_narrow(table)) for entry in line.entries]
        yield " & ".join([slanted, *entries]) + r" \\"
        before = line
