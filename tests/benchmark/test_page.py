"""The page of the report: whole, escaped, without requests, the same each time."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from moose.base.errors import MooseError
from moose.benchmark.report.model.model import Column, Entry, Figure, Line, Quantity, Report, Section, Table
from moose.benchmark.report.model.numbers import write_quantity
from moose.benchmark.report.render import page as pages
from moose.benchmark.report.render.page import write_page
from tests.benchmark.sample_report import make_sample

EVIL = "<script>alert('&')</script>"
VOID = {"meta", "link", "input", "br", "img"}


class Outline(HTMLParser):
    """Reads a page, and fails where an element is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and data.strip():
            self.text.setdefault(self.open[-1], []).append(data.strip())

    def values(self, name: str) -> list[str]:
        return [value for _, found, value in self.attributes if found == name]


def read(page: str) -> Outline:
    outline = Outline()
    outline.feed(page)
    outline.close()
    assert outline.open == []
    return outline


def test_a_page_is_whole_and_has_everything_in_order() -> None:
    page = write_page(make_sample())
    outline = read(page)
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">') and page.endswith("</html>\n")
    assert outline.tags.count("h1") == outline.tags.count("main") == outline.tags.count("nav") == 1
    assert outline.tags.count("svg") == outline.tags.count("figcaption") == 2 and outline.tags.count("caption") == 1
    order = ["Introduction text", "headline text", "Lead text", "Table text", "win text", "Figure text"]
    order += ["Criteria text", "First text", "Meaning text"]
    places = [page.index(f">{word}<") for word in order]
    assert places == sorted(places)
    ids = outline.values("id")
    assert len(ids) == len(set(ids))
    named = [value for name in ("href", "aria-labelledby") for value in outline.values(name) if value != "data:,"]
    assert {value.removeprefix("#") for value in named} <= set(ids)


def test_every_text_is_escaped() -> None:
    page = write_page(make_sample(EVIL))
    outline = read(page)
    assert "script" not in outline.tags and "<script" not in page
    assert (
        sum(EVIL in " ".join(found) for found in outline.text.values()) >= 8
    )  # shown as text, in elements of many kinds


def test_a_key_cannot_break_out() -> None:
    assert 'onload="' not in write_page(make_sample(key='" onload="x'))


def test_a_page_asks_for_nothing_and_runs_nothing() -> None:
    page = write_page(make_sample())
    outline = read(page)
    assert not {"script", "img", "iframe", "object", "embed", "video", "audio", "base"} & set(outline.tags)
    assert outline.values("src") == [] and not any(name.startswith("on") for _, name, _ in outline.attributes)
    assert all(value.startswith("#") or value == "data:," for value in outline.values("href"))
    assert not re.search(r"url\(|@import|https?://|@font-face", page)


def test_the_same_report_gives_the_same_bytes() -> None:
    assert write_page(make_sample()) == write_page(make_sample())


def test_claims_are_counted_and_each_says_its_finding() -> None:
    outline = read(write_page(make_sample()))
    assert outline.text["strong"] == ["4", "1", "1", "2"]
    findings = [
        value for tag, name, value in outline.attributes if (tag, name) == ("p", "class") and "finding" in value
    ]
    assert findings == ["finding holds", "finding does-not-hold", "finding not-tested", "finding not-tested"]
    assert "show-all" in outline.values("id") and outline.tags.count("input") == 4


def test_a_table_is_marked_up_for_those_who_hear_it() -> None:
    page = write_page(make_sample())
    outline = read(page)
    assert outline.values("scope") == ["colgroup", "col", "col", "col", "col", "rowgroup", "row", "row", "row"]
    assert outline.values("colspan") == ["2", "1", "4"]
    assert '<b class="mean">98.1</b><span class="deviation"> ± 0.3</span>' in page
    assert '<span class="spoken">; paper </span><b>74.6 ± 2.0</b>' in page
    assert '<span class="mean">−3.1</span>' in page and ">1,234<" in page and 'title="5 seeds"' in page
    assert '<tbody class="reference">' in page and '<td class="number">no bound</td>' in page
    assert '<th scope="col" class="words">verdict</th>' in page


def test_only_a_table_with_the_papers_numbers_explains_them() -> None:
    report = make_sample()
    table = report.tables[0]
    bare = replace(table, lines=(Line("Moose", (Quantity(0.5), Quantity(0.5), "")),))
    without = replace(report, sections=(replace(report.sections[0], parts=(bare,)),))
    assert "paper’s number below" in write_page(report) and "paper’s number below" not in write_page(without)


def test_a_wide_table_is_printed_across() -> None:
    columns = tuple(Column(str(number)) for number in range(12))
    entries: tuple[Entry, ...] = (Quantity(0.5),) * 12
    wide = Table("wide-one", "Wide", "Method", columns, (Line("Moose", entries),))
    report = replace(make_sample(), sections=(Section("one", "One", "", (wide,)),))
    assert 'class="table wide short" id="wide-one"' in write_page(report)


def test_an_empty_report_is_a_page_too() -> None:
    outline = read(write_page(Report("Nothing", (), (), ())))
    assert outline.text["a"] == ["Skip to the content", "What was run"]


def test_without_claims_nothing_is_said_of_them() -> None:
    without = write_page(replace(make_sample(), claims=(), criteria=(), glossary=()))
    assert "Claims of the paper" in write_page(make_sample()) and ">Words<" in write_page(make_sample())
    assert "laims of the paper" not in without and 'href="#claims"' not in without and 'id="claims"' not in without
    assert ">Words<" not in without and "#words" not in without


def test_the_papers_tables_are_called_by_what_they_are_about() -> None:
    report = make_sample()
    assert "Beside the paper’s tab:one." in write_page(report), "one that is not known, as it is"
    known = replace(report.tables[0], shows="tab:headline-acc")
    page = write_page(replace(report, sections=(replace(report.sections[0], parts=(known,)),)))
    assert "Beside the paper’s table of headline accuracy." in page and "tab:" not in page


@pytest.mark.parametrize(
    "svg",
    [
        "<svg><script>1</script></svg>",
        '<svg onload="x" />',
        '<svg><path style="fill:url(a)" d="" /></svg>',
        '<svg><a href="x"><title>a</title></a></svg>',
        "<p />",
        "<svg>",
        "<svg /><svg />",
    ],
)
def test_a_drawing_that_is_not_plain_is_refused(svg: str) -> None:
    report = replace(make_sample(), sections=(Section("one", "One", "", (Figure("bad", "Bad", "", svg),)),))
    with pytest.raises(MooseError, match="figure bad"):
        write_page(report)


@pytest.mark.parametrize("key", ["claims", "words", "section"])
def test_a_key_that_is_there_twice_is_refused(key: str) -> None:
    report = make_sample()
    twice = replace(report, sections=(*report.sections, Section(key, "Again", "", ())))
    with pytest.raises(MooseError, match=f"{key} is there twice"):
        write_page(twice)


@pytest.mark.parametrize(
    ("quantity", "ours", "paper"),
    [
        (Quantity(0.981, 0.003, 5), "98.1 ± 0.3", ""),
        (Quantity(1.0, 0.0, 2, paper=0.5), "100.0 ± 0.0", "50.0"),
        (Quantity(None, paper=0.5, paper_deviation=0.01), "–", "50.0 ± 1.0"),
        (Quantity(-0.0001), "0.0", ""),
        (Quantity(-0.031), "-3.1", ""),
        (Quantity(0.314, 0.049, unit="number"), "0.31 ± 0.05", ""),
        (Quantity(1234567.0, unit="count", paper=74.0), "1,234,567", "74"),
        (Quantity(0.02, unit="seconds"), "0.020", ""),
        (Quantity(3.14159, 0.5, unit="seconds"), "3.14 ± 0.50", ""),
        (Quantity(61.23, unit="seconds"), "61.2", ""),
    ],
)
def test_numbers_are_written_to_their_unit(quantity: Quantity, ours: str, paper: str) -> None:
    assert write_quantity(quantity) == (ours, paper)


def test_a_number_must_be_one() -> None:
    with pytest.raises(MooseError, match="finite"):
        write_quantity(Quantity(float("nan")))


def test_without_jinja_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    pages._template.cache_clear()
    with pytest.raises(MooseError, match=r"pip install 'moose-el\[bench\]'"):
        write_page(make_sample())
