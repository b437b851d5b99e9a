"""The figures of the report: drawn from records, escaped, small, the same each time, and true to the figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from xml.etree.ElementTree import Element, fromstring

import pytest

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Choice
from moose.benchmark.report.figures.axes import Axis, spanning
from moose.benchmark.report.figures.confusion import (
    confusion_matrices,
    pool_matrices,
    say_matrix,
    share_right,
    short_names,
)
from moose.benchmark.report.figures.labels import Box, box_around, place_labels
from moose.benchmark.report.figures.marks import BASELINE_SHAPES, SHAPES, look_of, outline
from moose.benchmark.report.figures.reliability import pool_bins, reliability_diagrams
from moose.benchmark.report.figures.trade_off import trade_offs
from moose.benchmark.report.figures.trade_off_points import Point, front
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.titles import TITLES
from moose.benchmark.statistics.compare import principal, summary
from moose.benchmark.store.records import Record
from tests.benchmark.made_up import make_store

REGIMES = ("mnist1", "pizzaA", "pizzaB")
ROWS = ("independent", "moose", "bears")


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    choice = Choice(regimes=REGIMES, rows=ROWS)
    store = make_store(tmp_path_factory.mktemp("store"), ["headline"], "smoke", choice)
    return store.results("headline", "smoke")


def all_figures(records: Sequence[Record]) -> Iterator[Figure]:
    for draw in (trade_offs, reliability_diagrams, confusion_matrices):
        yield from draw(records, REGIMES)


def texts(root: Element) -> list[str]:
    return [found.text or "" for found in root.iter("text")]


def test_each_regime_has_its_figures_and_each_is_labelled(records: list[Record]) -> None:
    figures = list(all_figures(records))
    assert [figure.key for figure in figures] == [
        "trade-off-mnist1",
        "trade-off-pizzaA",
        "trade-off-pizzaB",
        "reliability-mnist1",
        "reliability-pizzaA",
        "reliability-pizzaB",
        "confusion-mnist1",
        "concepts-pizzaA",
        "confusion-pizzaB",
    ]
    for figure in figures:
        root = fromstring(figure.svg)
        assert root.tag == "svg" and root.get("role") == "img" and root.get("aria-label") == figure.title
        assert root.get("viewBox", "").startswith("0 0 420 ") and figure.caption
        for title in ("Independent", "Moose", "Moose + BEARS"):
            assert title in texts(root)


def test_the_same_records_give_the_same_bytes(records: list[Record]) -> None:
    assert list(all_figures(records)) == list(all_figures([dict(record) for record in records]))


def test_numbers_are_short(records: list[Record]) -> None:
    for figure in all_figures(records):
        drawn = re.sub(r"<title>.*?</title>|<text[^>]*>.*?</text>", "", figure.svg)
        assert not re.search(r"\d\.\d{4}|\de-\d", drawn) and len(figure.svg) < 40_000


def test_nothing_is_drawn_outside_the_drawing(records: list[Record]) -> None:
    for figure in all_figures(records):
        root = fromstring(figure.svg)
        _, _, width, height = map(float, root.get("viewBox", "").split())
        for mark in root.iter("g"):
            place = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", mark.get("transform", ""))
            if place:
                assert 0 <= float(place[1]) <= width and -10 <= float(place[2]) <= height, figure.key


def test_a_row_of_the_users_own_is_escaped(records: list[Record]) -> None:
    named = [{**record, "method": "<script>&"} for record in records if record["method"] == "moose"]
    for figure in all_figures(named):
        assert "<script>" not in figure.svg and "&lt;script&gt;&amp;" in figure.svg


def test_regimes_without_records_have_no_figure(records: list[Record]) -> None:
    for draw in (trade_offs, reliability_diagrams, confusion_matrices):
        assert draw(records, ["mnist2"]) == () and draw([], REGIMES) == ()


def test_a_trade_off_shows_means_the_papers_points_and_what_is_expected(records: list[Record]) -> None:
    def stated(regime: str, method: str, metric: str) -> SimpleNamespace | None:
        is_known = method in {"moose", "ltn"}
        return SimpleNamespace(mean=0.5 if metric == "ece" else 0.25, deviation=None) if is_known else None

    figure = trade_offs(records, ["pizzaA"], expected={"pizzaA": 0.875}, stated=stated)[0]
    root = fromstring(figure.svg)
    tips = [tip.text or "" for tip in root.iter("title")]
    accuracy = summary(records, "pizzaA", "moose", principal("pizzaA"))
    error = summary(records, "pizzaA", "moose", principal("pizzaA", "ece_atom"))
    assert accuracy is not None and error is not None
    written = [write_spread(one.mean, one.deviation) for one in (accuracy, error)]
    assert f"Moose: accuracy {written[0]}, ECE {written[1]}" in tips
    assert tips.count("paper, Moose: accuracy 25.0, ECE 50.0") == 1 and "paper, LTN: accuracy 25.0, ECE 50.0" in tips
    assert "expected 87.5" in texts(root) and "LTN" in texts(root) and "87.5" in figure.caption
    assert sum("hollow" in path.get("class", "") for path in root.iter("path")) == 3  # one explains the others


def test_baselines_are_drawn_but_never_best(records: list[Record]) -> None:
    perfect = {"acc_f": 1.0, "ece_atom": 0.0}
    base = [{**record, "method": "theory", "metrics": perfect} for record in records if record["method"] == "moose"]
    figure = trade_offs([*records, *base], ["mnist1"])[0]
    assert "Theory alone" in texts(fromstring(figure.svg)) and "Theory alone" not in figure.caption
    for draw in (reliability_diagrams, confusion_matrices):
        assert draw([*records, *base], ["mnist1"]) == draw(records, ["mnist1"])


def test_the_front_has_what_nothing_is_superior_to() -> None:
    points = [Point(name, error, accuracy, None, None) for name, error, accuracy in
              (("a", 1, 50), ("b", 2, 40), ("c", 2, 60), ("d", 5, 60), ("e", 9, 90))]  # fmt: skip
    assert [point.method for point in front(points)] == ["a", "c", "e"]


def test_bins_are_weighed_by_their_atoms_and_the_error_is_that_of_the_tables() -> None:
    one = {"counts": [0, 10, 0], "confidence": [0.0, 0.5, 0.0], "accuracy": [0.0, 0.2, 0.0]}
    other = {"counts": [0, 30, 2], "confidence": [0.0, 0.6, 0.9], "accuracy": [0.0, 0.6, 1.0]}
    pooled = pool_bins([{"reliability_atom": one}, {"reliability_atom": other}])
    assert [(found.number, found.atoms) for found in pooled] == [(1, 40), (2, 2)]
    assert pooled[0].confidence == pytest.approx(0.575) and pooled[0].accuracy == pytest.approx(0.5)
    assert pool_bins([]) == []


def test_reliability_is_of_the_split_that_the_headline_shows(records: list[Record]) -> None:
    record = next(one for one in records if one["regime"] == "pizzaA")
    alone = [{**record, "details": {"test": record["details"]["test"], "held_out": record["details"]["held_out"]}}]
    swapped = [{**record, "details": {"test": record["details"]["held_out"], "held_out": record["details"]["test"]}}]
    less = [{**record, "details": {"held_out": record["details"]["held_out"]}}]
    drawn = [reliability_diagrams(some, ["pizzaA"])[0].svg for some in (alone, swapped, less)]
    assert drawn[0] == drawn[2] != drawn[1]


def test_confusions_are_pooled_and_each_row_is_normalised() -> None:
    matrix = pool_matrices([[[8, 0], [1, 0]], [[8, 0], [0, 1]]])
    assert matrix == ((16, 0), (1, 1)) and share_right(matrix) == 17 / 18
    assert say_matrix(matrix, ["a", "b"]) == "most confused: b as a, 50.0 %"
    assert say_matrix(((1, 0), (0, 0)), ["a", "b"]) == "nothing is taken for anything else"
    assert share_right(()) is None and share_right(((0,),)) is None


def test_shades_follow_the_shares(records: list[Record]) -> None:
    record = next(one for one in records if one["regime"] == "pizzaB")
    half = [[2, 2, 0, 0], [0, 9, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    details = {"test": {"metrics": {**record["details"]["test"]["metrics"], "confusions": [half]}}}
    root = fromstring(confusion_matrices([{**record, "details": details}], ["pizzaB"])[0].svg)
    shaded = {path.get("class"): path.get("d") for path in root.iter("path")}
    assert shaded == {"s4": "M0 0h1v1h-1zM1 0h1v1h-1z", "s8": "M1 1h1v1h-1zM3 3h1v1h-1z"}


@pytest.mark.parametrize(
    ("family", "short"),
    [
        (["D0", "D1", "D9"], ["0", "1", "9"]),
        (["Mushroom", "Cajun", "Capricciosa", "FourSeasons"], ["M", "Caj", "Cap", "F"]),
        (["A", "AB"], ["A", "AB"]),
        (["Alone"], ["A"]),
    ],
)
def test_members_have_short_names_of_their_own(family: list[str], short: list[str]) -> None:
    assert short_names(family) == short


def test_each_method_has_a_look_of_its_own() -> None:
    looks = [look_of(method) for method in TITLES]
    assert {*SHAPES, *BASELINE_SHAPES} == set(TITLES)
    assert len({outline(look.shape) for look in looks}) == len(looks)
    colours = [look.colour for look in looks if look.colour != "reference"]
    style = Path(__file__).parents[2].joinpath("src/moose/benchmark/report/render/page.css").read_text("utf-8")
    assert len(set(colours)) == len(colours)
    assert all(f".{colour} {{" in style for colour in colours)
    assert all(style.count(f"--{colour}: #") == 3 for colour in colours)  # light, dark, print


def test_labels_neither_overlap_nor_leave_the_plot() -> None:
    inside = Box(0, 0, 300, 200)
    named = {f"method {number}": (20.0 + 13 * number % 260, 20.0 + 37 * number % 160) for number in range(14)}
    marks = [box_around(place) for place in named.values()]
    placed = place_labels(named, marks, inside)
    boxes = [*placed.values()]
    assert len(placed) > 7
    for place, box in enumerate(boxes):
        assert box.is_within(inside) and not any(box.overlaps(other) for other in [*marks, *boxes[:place]])


@pytest.mark.parametrize("values", [[0.0], [50.0, 50.2], [0.0, 100.0], [99.99], [12.3, 45.6], [0.0, 0.04]])
def test_an_axis_spans_its_values(values: list[float]) -> None:
    marks = spanning(values, (0.0, 100.0))
    assert marks[0] <= min(values) and max(values) <= marks[-1] and 3 <= len(marks) <= 8
    assert marks[0] >= 0 and marks[-1] <= 100


def test_an_axis_needs_a_length() -> None:
    assert Axis(0.0, 10.0, 0.0, 100.0).coordinate(11.0) == 100.0
    with pytest.raises(MooseError, match="smaller to a larger"):
        Axis(1.0, 1.0, 0.0, 100.0)
