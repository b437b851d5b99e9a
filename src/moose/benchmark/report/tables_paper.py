"""What is to be known of the paper's own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moose.benchmark.report.model import Column, Line, Table

if TYPE_CHECKING:
    from moose.benchmark.report.paper import Paper


def contradiction_table(paper: Paper) -> Table:
    """Return where the paper says two things that cannot both be so."""
    lines = tuple(Line(str(number), (text,)) for number, text in enumerate(paper.contradictions, 1))
    return Table("contradictions", "Numbers that do not fit each other", "", (Column("In the paper"),), lines)
