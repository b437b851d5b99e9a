"""The paper's numbers as data, each compared with the LaTeX that it was taken from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.benchmark.report.model.paper import FULL, REGIMES, SWEPT, Paper, Stated, paper_from_text, read_paper
from moose.benchmark.report.model.titles import PAPER_ROWS

LATEX = Path(__file__).parents[3] / "shared" / "paper" / "moose.tex"
TEXT = files("moose.benchmark.report.model").joinpath("paper.toml").read_text("utf-8")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
PAIR = re.compile(r"([\d.]+)\s*±\s*([\d.]+)\Z")
METHODS = {
    "Independent": "independent",
    "DeepProbLog": "deepproblog",
    "LTN": "ltn",
    "ELEm": "elembeddings",
    "Moose": "moose",
    "BEARS": "bears",
    "NeSyDM": "nesydm-rloo",  # what the tables without an estimator mean
    "NeSyDM (RLOO)": "nesydm-rloo",
    "NeSyDM (exact)": "nesydm-exact",
}
REGIMES_OF = {"1": "mnist1", "2": "mnist2", "3": "mnist3", "A": "pizzaA", "B": "pizzaB", "C": "pizzaC"}


@pytest.fixture(scope="module")
def paper() -> Paper:
    return read_paper()


# ------------------------------------------------------------------------------------------------- reading the LaTeX


@pytest.fixture(scope="module")
def latex() -> str:
    if not LATEX.exists():
        pytest.skip("the paper's LaTeX is not beside this checkout")
    return LATEX.read_text(encoding="utf-8")


def rows_of(latex: str, label: str) -> Iterator[list[str]]:
    """Give each line of a table as its cells, without the marks of LaTeX; a heading across the table is one cell."""
    start = latex.index(rf"\label{{{label}}}")
    end = min(place for word in ("table", "longtable") if (place := latex.find(rf"\end{{{word}}}", start)) > 0)
    for line in re.split(r"\\\\|\\hline|\\end\w+", latex[start:end]):
        cells = [plain(cell) for cell in line.split("&")]
        if any(cells):
            yield cells


def plain(cell: str) -> str:
    marks = r"\\(?:phantom\{0\}|scriptsize|textbf|textsc|revision|dagger|ddagger|quad|emph|,)|[{}$^*]"
    return re.sub(marks, "", cell).replace(r"\pm", "±").replace("~", " ").strip()


def method_of(cell: str) -> str | None:
    """Return the method that a line is about: the longest name in it, Moose only where nothing stands on it."""
    named = [name for name in METHODS if name in cell]
    wrapped = [name for name in named if name != "Moose"]
    return METHODS[max(wrapped or named, key=len)] if named else None


def regime_of(cell: str) -> str | None:
    found = re.search(r"(?:Exp\.|Experiment|Track|Pizza) ([123ABC])\b", cell)
    return REGIMES_OF[found.group(1)] if found else None


def pair_of(cell: str, unit: float) -> Stated | None:
    if cell == "N/A":
        return None
    found = PAIR.match(cell)
    assert found, cell
    return Stated(round(float(found[1]) * unit, 6), round(float(found[2]) * unit, 6))


def number_of(cell: str) -> float:
    assert NUMBER.fullmatch(cell), cell
    return float(cell)


def with_methods(latex: str, label: str) -> Iterator[tuple[str, str, list[str]]]:
    """Give the lines of a table that has regimes in blocks: regime, method, further cells."""
    regime = None
    for first, *cells in rows_of(latex, label):
        regime = regime_of(first) or regime
        if cells and regime and (method := method_of(cells[0])):
            yield regime, method, cells[1:]


# -------------------------------------------------------------------------------------------------- table by table


@pytest.mark.parametrize(("label", "metric"), [("tab:headline-acc", "accuracy"), ("tab:headline-ece", "ece")])
def test_the_headline_is_the_papers(paper: Paper, latex: str, label: str, metric: str) -> None:
    seen: dict[tuple[str, str], Stated | None] = {}
    for first, *cells in rows_of(latex, label):
        if (method := method_of(first)) and len(cells) == len(REGIMES):
            seen |= {(regime, method): pair_of(cell, 0.01) for regime, cell in zip(REGIMES, cells)}
    assert len(seen) == len(REGIMES) * len(PAPER_ROWS)
    assert seen == {(regime, method): paper.headline(regime, method, metric) for regime, method in seen}


def test_the_full_table_is_the_papers(paper: Paper, latex: str) -> None:
    seen, regime = {}, None
    for first, *cells in rows_of(latex, "tab:headline-full"):
        regime = regime if cells else regime_of(first) or regime
        if regime and len(cells) == len(FULL) and (method := method_of(first)):
            for metric, cell in zip(FULL, cells):
                seen[regime, method, metric] = pair_of(cell, 1.0 if metric == "nll" else 0.01)
    assert len(seen) == len(REGIMES) * len(PAPER_ROWS) * len(FULL)
    assert seen == {key: paper.full(*key) for key in seen}
    assert sum(value is None for value in seen.values()) == 2 * len(PAPER_ROWS)


def test_the_accuracies_of_families_are_the_papers(paper: Paper, latex: str) -> None:
    lines = {row[0]: row[1:] for row in rows_of(latex, "tab:pizza-argmax") if len(row) == 3}
    seen = {
        method: tuple(pair_of(c, 0.01) for c in cells) for name, cells in lines.items() if (method := method_of(name))
    }
    assert seen == dict(paper.families)
    assert {method: paper.family_accuracy(method) for method in seen} == {key: pair[0] for key, pair in seen.items()}
    spread = next(cells for name, cells in lines.items() if name.startswith("spread"))
    assert f"spread = [{spread[0]}, {spread[1]}]" in TEXT


def test_the_learning_rates_are_the_papers(paper: Paper, latex: str) -> None:
    seen: dict[tuple[str, float], Stated | None] = {}
    spreads = {}
    for first, *cells in rows_of(latex, "tab:lr-sensitivity"):
        rate = re.fullmatch(r"(?:(\d)\\cdot)?10-(\d)", first)
        if rate:
            value = float(f"{rate[1] or 1}e-{rate[2]}")
            seen |= {(regime, value): pair_of(cell, 1.0) for regime, cell in zip(SWEPT, cells, strict=True)}
        elif first.startswith("spread"):
            spreads = {regime: number_of(cell) for regime, cell in zip(SWEPT, cells, strict=True)}
    assert len(seen) == 20 and seen == dict(paper.rates)
    assert spreads == {regime: paper.rate_spread(regime) for regime in SWEPT}
    assert paper.learning_rate("mnist3", 3e-3) == seen["mnist3", 3e-3]


def test_the_tests_are_the_papers(paper: Paper, latex: str) -> None:
    seen = {}
    for regime, method, (first, second, difference, p, verdict) in with_methods(latex, "tab:significance"):
        seen[regime, method] = (*map(number_of, (first, second, difference, p)), verdict)
    found = {
        key: (one.first, one.second, one.difference, one.holm_p, one.verdict) for key, one in paper.comparisons.items()
    }
    assert len(seen) == 12 and seen == found
    assert paper.significance("pizzaA", "bears") == paper.comparisons["pizzaA", "bears"]


def test_the_unseen_pairs_are_the_papers(paper: Paper, latex: str) -> None:
    seen = {}
    for regime, method, (unseen, control, drop) in with_methods(latex, "tab:inductive"):
        seen[regime, method, "held_out"] = pair_of(unseen, 1.0)
        seen[regime, method, "test"] = Stated(number_of(control), None)
        assert f"{control}, {drop}]" in TEXT
    assert len(seen) == 12 and seen == {key: paper.inductive(*key) for key in paper.held_out}


def test_the_ablation_is_the_papers(paper: Paper, latex: str) -> None:
    seen = {}
    for regime, method, (closed, opened, change) in with_methods(latex, "tab:closure-ablation"):
        seen[regime, method, True], seen[regime, method, False] = pair_of(closed, 0.01), pair_of(opened, 0.01)
        assert f"], {change}]" in TEXT
    assert len(seen) == 24 and seen == dict(paper.closures)
    assert paper.ablation("mnist3", "nesydm-exact", closure=False) == seen["mnist3", "nesydm-exact", False]


def test_the_circuits_are_the_papers(paper: Paper, latex: str) -> None:
    seen = {}
    for first, *cells in rows_of(latex, "tab:repro"):
        if (regime := regime_of(first)) and len(cells) == 7:
            low, high = map(number_of, cells.pop(4).split("--"))
            counts = tuple(map(number_of, cells))
            seen[regime] = (*counts[:4], (low, high), *counts[4:])
    found = {
        regime: (
            one.individuals, one.nodes, one.atoms, one.clauses, one.seconds, one.training_seconds, one.memory_mb
        )
        for regime in REGIMES
        if (one := paper.circuit(regime))
    }  # fmt: skip
    assert len(seen) == len(REGIMES) and seen == found


# ------------------------------------------------------------------------------------------------------ reading it


def test_the_best_of_a_column(paper: Paper) -> None:
    assert paper.best("mnist3", "accuracy") == (0.961, ("moose",))
    assert paper.best("pizzaB", "ece") == (0.026, ("nesydm-rloo",))
    assert paper.best("mnist1", "ece") == (0.039, ("elembeddings", "bears"))


def test_what_the_paper_does_not_state_is_none(paper: Paper) -> None:
    assert paper.headline("mnist1", "moose-cover", "accuracy") is None
    assert paper.headline("pizzaC", "moose", "rs_cons") is None
    assert paper.family_accuracy("deepproblog") is None
    assert paper.significance("mnist1", "ltn") is None
    with pytest.raises(MooseError, match="did you mean f1_macro"):
        paper.headline("mnist1", "moose", "f1_makro")


def test_contradictions_are_so(paper: Paper) -> None:
    """Some of the list, from the numbers themselves."""
    assert len(paper.contradictions) == len(set(paper.contradictions)) >= 10
    keys = [(regime, method) for regime in REGIMES for method in PAPER_ROWS]
    differing = [key for key in keys if paper.headline(*key, "ece") != paper.full(*key, "ece")]
    assert differing == [("mnist1", "ltn")]
    assert all(paper.headline(*key, "accuracy") == paper.full(*key, "accuracy") for key in keys)
    for regime in ("pizzaA", "pizzaB", "pizzaC"):
        assert all(paper.full(regime, "deepproblog", one) == paper.full(regime, "moose", one) for one in FULL)
    assert paper.families["ltn"][1] != paper.headline("pizzaB", "ltn", "accuracy")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ltn = [[25.9, 6.5], ", "ltn = [", "a list of 6 in headline-acc.ltn"),
        ("[25.9, 6.5]", "[25.9]", "a list of 2 in headline-acc.ltn"),
        ("[25.9, 6.5]", "[nan, 6.5]", "2 numbers in headline-acc.ltn"),
        ("ltn = [[25.9", "lnt = [[25.9", "in headline-acc independent"),
        ("[0.745, 0.423, +0.322", "[0.745, 0.432, +0.322", "difference of significance.mnist2.deepproblog"),
        ("[21.7, 0.0], -26.4", "[27.1, 0.0], -26.4", "difference of closure-ablation.mnist1.moose"),
        ("0.685, -0.032", "0.658, -0.032", "difference of inductive.mnist2.moose"),
        ("spread = [2.2, 9.4]", "spread = [2.2, 4.9]", "difference of pizza-argmax.spread"),
        ('"ns"]', '"nothing"]', "known: win, loss, ns"),
        ("1e-4 =", "low =", "expected a learning rate"),
        ("[1, 155", "[1, 15.5", "expected four counts"),
        ("[significance.pizzaC]", "[significance.pizzaD]", "pizzaD"),
        ("[[contradictions]]\nplaces", "[[contradictions]]\nplace", "in contradictions places, text"),
        ("[repro]", "[circuits]", "expected in the tables"),
        ("[repro]", "[repro", "expected TOML"),
    ],
)
def test_a_slip_in_the_file_is_found(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(MooseError, match=re.escape(message)):
        paper_from_text(TEXT.replace(old, new, 1))
