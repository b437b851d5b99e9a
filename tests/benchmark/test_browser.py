"""The page in a real browser: on a phone, on a desk, in the dark, and in print."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from moose.benchmark.plans.cells import Choice
from moose.benchmark.report.figures.confusion import confusion_matrices
from moose.benchmark.report.figures.reliability import reliability_diagrams
from moose.benchmark.report.figures.trade_off import trade_offs
from moose.benchmark.report.model.model import Column, Line, Quantity, Report, Section, Table
from moose.benchmark.report.render.page import write_page
from tests.benchmark.made_up import make_store
from tests.benchmark.sample_report import make_sample

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here; Debian's is `apt install chromium`")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-extensions --enable-logging=stderr --hide-scrollbars"
).split()
DARK = "--blink-settings=preferredColorScheme=0"
WIDTHS = (390, 1280)  # a phone, a desk

# Runs inside the page and tells its parent what it finds. A text is compared with the nearest background below it.
MEASURE = """<script>
const light = (colour) => {
  const [red, green, blue] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
    .map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const below = (one) => {
  for (; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (!/, 0\\)$/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const contrast = (one) => {
  const pair = [light(getComputedStyle(one).color), light(below(one))].sort((a, b) => b - a);
  return (pair[0] + 0.05) / (pair[1] + 0.05);
};
const all = (selector) => [...document.querySelectorAll(selector)];
const box = (one) => one.getBoundingClientRect();
addEventListener("load", () => {
  const found = {
    width: innerWidth,
    scroll: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    empty: all("header, section, figure, svg, table, caption, .claims li, nav a")
      .filter((one) => box(one).width < 5 || box(one).height < 5).map((one) => one.id || one.tagName),
    cut: all("svg text").filter((one) => {
      const [text, drawing] = [box(one), box(one.closest("svg"))];
      return text.left < drawing.left - 2 || text.right > drawing.right + 2 || text.bottom > drawing.bottom + 2;
    }).map((one) => one.textContent),
    beyond: all("body *").filter((one) => box(one).right > innerWidth + 1 && !one.closest(".scroll, nav ol, svg"))
      .map((one) => one.tagName + " " + one.className + " " + one.textContent.slice(0, 40)),
    tables: all(".scroll").map((one) => [one.scrollWidth, one.clientWidth]),
    contrast: Math.min(...all("p, td, th, dt, dd, a, label, figcaption, h1, h2, .deviation, .paper").map(contrast)),
    requests: performance.getEntriesByType("resource").length,
    ground: below(document.body),
    columns: new Set(all("#figures-section figure").map((one) => Math.round(box(one).left))).size,
  };
  const wide = document.querySelector("#wide-table .scroll");
  const first = wide.querySelector("th[scope=row]");
  const before = box(first).left;
  wide.scrollLeft = 150;
  found.scrolled = wide.scrollLeft;
  found.moved = Math.abs(box(first).left - before);
  document.querySelector("#show-holds").click();
  found.chosen = all(".claims li").filter((one) => box(one).height > 0).length;
  scrollTo(0, 3000);
  found.contents = box(document.querySelector("nav")).top;
  parent.postMessage(found, "*");
});
</script>
"""
HARNESS = """<!DOCTYPE html><title>harness</title><pre id="found"></pre><script>
const found = [];
addEventListener("message", (event) => {
  found.push(event.data);
  document.querySelector("#found").textContent = JSON.stringify(found);
});
</script>"""


class Seen(NamedTuple):
    """What the browser found at each width, and what it had to say."""

    by_width: dict[int, dict[str, Any]]
    messages: str


def a_report(folder: Path) -> Report:
    """Make a report with real drawings and a table that is wider than a phone."""
    regimes, rows = ("mnist1", "pizzaA", "pizzaB"), ("independent", "moose", "bears", "nesydm-rloo")
    records = make_store(folder, ["headline"], "smoke", Choice(regimes=regimes, rows=rows)).results("headline", "smoke")
    drawn = [draw(records, regimes) for draw in (trade_offs, reliability_diagrams, confusion_matrices)]
    columns = tuple(Column(f"metric {number}", f"group {number // 3}", True) for number in range(24))
    cells = tuple(Quantity(0.5, 0.1, 2, paper=0.4, paper_deviation=0.1) for _ in columns)
    lines = tuple(Line(f"Moose + method {number}", cells, block=f"block {number // 4}") for number in range(12))
    wide = Table("wide-table", "A wide table", "Method", columns, lines, note="note " * 60)
    sections = (
        Section("wide-section", "Wide", "Lead.", (wide,)),
        Section("figures-section", "Figures", "Lead.", tuple(figure for figures in drawn for figure in figures)),
    )
    sample = make_sample("word " * 20 + "a" * 60)
    return replace(sample, sections=(*sample.sections, *sections))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    written = write_page(a_report(folder / "store"))
    folder.joinpath("page.html").write_text(written, encoding="utf-8")
    folder.joinpath("measured.html").write_text(written.replace("</body>", MEASURE + "</body>"), encoding="utf-8")
    frames = "".join(f'<iframe src="measured.html" width="{width}" height="844"></iframe>' for width in WIDTHS)
    folder.joinpath("harness.html").write_text(HARNESS + frames, encoding="utf-8")
    return folder / "page.html"


def browse(page: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Open a page in a browser that has never been used."""
    assert BROWSER is not None
    command = [BROWSER, *FLAGS, f"--user-data-dir={page.parent / 'profile'}", *flags, page.as_uri()]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)


def measure(page: Path, *flags: str) -> Seen:
    """Return what the page is like at each width; frames are used, as a window is never as narrow as a phone."""
    ran = browse(page.with_name("harness.html"), "--virtual-time-budget=10000", "--dump-dom", *flags)
    found = re.search(r'<pre id="found">(.*?)</pre>', ran.stdout, re.DOTALL)
    assert found is not None
    measured = json.loads(html.unescape(found[1]))
    said = "\n".join(line for line in ran.stderr.splitlines() if "CONSOLE" in line)
    return Seen({one["width"]: one for one in measured}, said)


@pytest.fixture(scope="module")
def seen(page: Path) -> Seen:
    return measure(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_never_scrolls_sideways_but_wide_tables_do(seen: Seen, width: int) -> None:
    found = seen.by_width[width]
    assert found["beyond"] == [] and found["scroll"] <= width
    whole, shown = found["tables"][-1]
    assert whole > shown and found["scrolled"] == 150
    assert found["moved"] < 1  # the first column stays where it is


@pytest.mark.parametrize("width", WIDTHS)
def test_everything_is_there_to_be_seen(seen: Seen, width: int) -> None:
    found = seen.by_width[width]
    assert found["empty"] == [] and found["cut"] == []
    assert found["chosen"] == 1  # of the claims, those that hold
    assert found["contents"] == 0  # still there far down the page
    assert found["columns"] == (1 if width == 390 else 2)


def test_the_browser_asks_for_nothing_and_complains_of_nothing(seen: Seen) -> None:
    assert seen.messages == ""
    assert [found["requests"] for found in seen.by_width.values()] == [0, 0]


def test_contrast_is_enough_by_day_and_by_night(page: Path, seen: Seen) -> None:
    night = measure(page, DARK)
    grounds = [found.by_width[390]["ground"] for found in (seen, night)]
    assert grounds == ["rgb(255, 255, 255)", "rgb(20, 23, 28)"]
    for found in (seen, night):
        assert min(one["contrast"] for one in found.by_width.values()) >= 4.5  # WCAG 2.2, level AA


def test_it_prints_on_several_pages_with_wide_tables_across(page: Path) -> None:
    printed = page.with_suffix(".pdf")
    browse(page, "--no-pdf-header-footer", f"--print-to-pdf={printed}")
    content = printed.read_bytes()
    boxes = [tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[([^\]]*)\]", content)]
    assert len(boxes) >= 4 and len(content) > 50_000
    assert {width > height for _, _, width, height in boxes} == {True, False}
