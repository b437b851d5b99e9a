"""A report by hand that has every kind of thing: for whatever writes or shows reports."""

from __future__ import annotations

from moose.benchmark.report.model.model import Claim, Column, Figure, Line, Quantity, Report, Section, Table

SVG = '<svg class="drawing" viewBox="0 0 40 30" role="img" aria-label="a"><path class="mark m3" d="M0 0h9v9z" /></svg>'


def make_sample(text: str = "text", key: str = "") -> Report:
    """Make a small report that has every kind of thing."""
    columns = (Column(f"Acc {text}", "MNIST", True), Column("ECE", "MNIST", False), Column("verdict"))
    best = Quantity(0.981, 0.003, 5, paper=0.746, paper_deviation=0.02, is_best=True, is_paper_best=True)
    lines = (
        Line(f"Moose {text}", (best, Quantity(-0.0312), f"win {text}"), block=f"Ours {text}"),
        Line("LTN", (Quantity(None), Quantity(1234.0, unit="count"), ""), block=f"Ours {text}"),
        Line("All absent", (Quantity(0.5), "no bound", "–"), is_reference=True),
    )
    table = Table(f"table{key}", f"Table {text}", "Method", columns, lines, note=f"Note {text}", shows="tab:one")
    figures = tuple(Figure(f"figure{key}-{one}", f"Figure {text}", f"Caption {text}", SVG) for one in "ab")
    claims = (
        Claim("one", f"First {text}", f"section 5 {text}", "holds", f"Because {text}"),
        Claim("two", "Second", "section 5", "does not hold", "Because"),
        Claim("three", "Third", "section 5", "not tested", "Because"),
        Claim("four", "Fourth", "section 5", "not tested", "Because"),
    )
    section = Section(f"section{key}", f"Section {text}", f"Lead {text}", (table, *figures))
    return Report(
        f"Report {text}",
        ((f"headline {text}", f"all {text}"),),
        claims,
        (section,),
        introduction=(f"Introduction {text}",),
        criteria=(f"Criteria {text}",),
        glossary=((f"word {text}", f"Meaning {text}"),),
    )
