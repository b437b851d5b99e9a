"""Tables as Markdown and LaTeX: escaped, whole, and as wide as they should be."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from moose.benchmark.report.model.model import Column, Line, Quantity, Table
from moose.benchmark.report.render.latex import escape as escape_latex
from moose.benchmark.report.render.latex import write_latex
from moose.benchmark.report.render.markdown import write_markdown
from moose.benchmark.report.tables.regimes import shortcut_table

REGIMES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC")
SPECIAL = Table(
    "special",
    "50 % & more_of it",
    "A|B",
    (Column("x", "one", is_higher_better=True), Column("x", "two"), Column("why")),
    (
        Line(
            "a|b",
            (Quantity(0.5, 0.1, paper=0.25, is_best=True), Quantity(None), "a_b {50 %} #1 ~ ^ \\ < é"),
            "block & 1",
        ),
        Line("c", (Quantity(-0.00001), Quantity(12.0, unit="count"), ""), "block & 1", is_reference=True),
        Line("d", (Quantity(0.2, paper=0.3, is_paper_best=True), Quantity(None), "long " * 20), "two"),
    ),
    note="Costs $5.",
)


def test_markdown_escapes_and_has_as_many_cells_in_each_row() -> None:
    text = write_markdown(SPECIAL)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in rows} == {5}
    assert rows[0] == r"| A\|B | one: x | two: x | why |"
    assert rows[1] == "| --- | ---: | ---: | --- |"
    assert rows[2] == "| **block & 1** |  |  |  |"
    assert rows[3].startswith(r"| a\|b | **50.0 ± 10.0** (25.0) | – | a\_b")
    assert rows[4].startswith("| *c* | 0.0 | 12 |")
    assert "20.0 (**30.0**)" in text and "The paper's numbers are in brackets." in text


def test_latex_escapes_and_has_as_many_cells_in_each_row() -> None:
    text = write_latex(SPECIAL)
    rows = [line for line in text.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.replace(r"\&", "").count("&") for line in rows} == {3}
    assert r"\multicolumn{4}{l}{\itshape block \& 1} \\" in text
    assert r"\textbf{50.0 $\pm$ 10.0} {\tiny\color{gray}(25.0)}" in text
    assert r"a\_b \{50 \%\} \#1 \textasciitilde{} \textasciicircum{} \textbackslash{} $<$ é" in text
    assert text.count(r"\begin{") == text.count(r"\end{") and r"\begin{tabular}{lrrp{3.2cm}}" in text
    assert r"\multicolumn{1}{c}{one}" in text and r"\cmidrule(lr){2-2}" in text
    many = replace(SPECIAL, lines=SPECIAL.lines * 20)
    assert r"\begin{longtable}" in write_latex(many) and r"\endhead" in write_latex(many)
    assert escape_latex("[a\nb") == "{[}a b"


def test_latex_keeps_the_papers_deviations_where_there_is_room() -> None:
    entry = Quantity(0.5, 0.1, paper=0.25, paper_deviation=0.02)
    narrow, wide = (
        write_latex(Table("a", "A", "Method", tuple(map(Column, "abcdef"[:many])), (Line("Moose", (entry,) * many),)))
        for many in (3, 4)
    )
    assert r"(25.0 $\pm$ 2.0)" in narrow and "left out" not in narrow
    assert "(25.0)" in wide and "its deviations are left out" in wide


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not here")
def test_latex_compiles(tmp_path: Path) -> None:
    tables = [SPECIAL, replace(SPECIAL, key="long", lines=SPECIAL.lines * 20), shortcut_table(REGIMES)]
    body = "\n".join(map(write_latex, tables))
    packages = r"\documentclass{article}\usepackage{booktabs,longtable,xcolor}"
    (tmp_path / "all.tex").write_text(packages + r"\begin{document}" + body + r"\end{document}", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
