"""Rankings as one page for people: nothing is loaded, nothing runs; it opens from the disk and prints."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

WARNING = "This ranks hypotheses by the numbers it was given. It is no medical device and no medical advice."
STYLE = Path(__file__).with_name("page.css")
EXPLANATION = """\
Exactly one of the hypotheses is taken to hold. Each brings its findings with the frequencies of the knowledge base,
independently of each other; a finding is there if it, or anything below it in the ontology, is. Observations may err.
One bit for a hypothesis doubles its odds, given all other observations; one bit against halves them. Findings that are
not listed were not looked for."""
LONGEST_BAR = 6.0
"""Bits that fill half of a bar; more fill no more."""


def page_of(reports: Sequence[Mapping[str, object]], *, title: str, settings: Sequence[tuple[str, str]]) -> str:
    """Return the page of some cases; `settings` says what they were ranked by."""
    style = STYLE.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>",
        f'<header><h1>{escape(title)}</h1><p class="warning" role="note">{escape(WARNING)}</p></header>',
        *(contents(reports) if len(reports) > 1 else ()),
        "<main>",
        *(part for number, report in enumerate(reports) for part in case_part(report, number)),
        "</main>",
        *footer(settings),
        "</body>\n</html>",
    ]
    return "\n".join(parts) + "\n"


def table(kind: str, *columns: str) -> str:
    """Return the head of a table."""
    cells = "".join(f"<th>{column}</th>" for column in columns)
    return f'<table class="{kind}"><thead><tr>{cells}</tr></thead><tbody>'


def contents(reports: Sequence[Any]) -> Iterator[str]:
    """Yield a table of all cases, with the first hypothesis of each."""
    yield '<nav aria-label="Cases">' + table("cases", "case", "first", "probability")
    for number, report in enumerate(reports):
        first = report["hypotheses"][0]
        yield (
            f'<tr><td><a href="#case{number}">{escape(report["case"])}</a></td><td>{escape(first["shown"])}</td>'
            f"<td>{percent(first['probability'])}</td></tr>"
        )
    yield "</tbody></table></nav>"


def case_part(report: Any, number: int) -> Iterator[str]:
    """Yield all that is said of one case."""
    yield f'<section id="case{number}"><h2>{escape(report["case"])}</h2>'
    yield from observed_part(report)
    yield "<h3>Hypotheses</h3>"
    yield table("ranked", "#", "hypothesis", "probability", "")
    for one in report["hypotheses"]:
        yield (
            f"<tr><td>{one['rank']}</td><td>{escape(one['shown'])}</td><td>{percent(one['probability'])}</td>"
            f"<td>{share_bar(one['probability'])}</td></tr>"
        )
    if report["none"]:
        none = report["none"]
        yield f"<tr><td></td><td><em>none of these</em></td><td>{percent(none)}</td><td>{share_bar(none)}</td></tr>"
    yield "</tbody></table>"
    for one in report["hypotheses"]:
        if "observations" in one:
            yield from reasons_part(one)
    if report["comparison"]:
        yield from comparison_part(report["comparison"])
    if report["questions"]:
        yield from questions_part(report["questions"])
    yield "</section>"


def observed_part(report: Any) -> Iterator[str]:
    """Yield the findings, present ones and excluded ones."""
    for word, sign, names in (("present", "+", report["present"]), ("excluded", "−", report["absent"])):
        if names:
            items = "".join(f'<li><span class="sign">{sign}</span> {escape(name)}</li>' for name in names)
            yield f'<h3>Findings {word}</h3><ul class="findings {word}">{items}</ul>'
    if report["left_out"]:
        yield f"<p>Left out, as the ontology does not have them: {escape(', '.join(report['left_out']))}</p>"


def reasons_part(one: Any) -> Iterator[str]:
    """Yield what speaks for and against a hypothesis, folded but for the first."""
    is_open = " open" if one["rank"] == 1 else ""
    yield f"<details{is_open}><summary>For and against {escape(one['shown'])}</summary>"
    yield table("bits", "observation", "against", "for", "bits")
    for row in one["observations"]:
        sign = " and ".join("present" if each else "excluded" for each in row["present"])
        yield bits_row(f"{escape(row['finding'])} <small>{sign}</small>", row["bits"])
    yield "</tbody></table>"
    if one["axioms"]:
        yield "<p>Because of these statements of the knowledge base:</p>"
        yield table("axioms", "finding", "frequency", "bits", "source")
        for row in one["axioms"]:
            yield (
                f"<tr><td>{escape(row['finding'])}</td><td>{percent(row['frequency'])}</td><td>{row['bits']:+.1f}</td>"
                f"<td><small>{escape(row['source'])}</small></td></tr>"
            )
        yield "</tbody></table>"
    yield "</details>"


def comparison_part(comparison: Any) -> Iterator[str]:
    """Yield what tells the first two hypotheses apart."""
    first, second = escape(comparison["first_shown"]), escape(comparison["second_shown"])
    yield f"<details><summary>{first} or {second}?</summary>"
    yield table("bits", "observations", "for the second", "for the first", "bits")
    for row in comparison["differences"]:
        yield bits_row(escape(", ".join(row["observations"])), row["bits"])
    yield bits_row("<em>beforehand</em>", comparison["prior_bits"])
    yield bits_row("<strong>together</strong>", comparison["bits"])
    yield "</tbody></table></details>"


def questions_part(questions: Any) -> Iterator[str]:
    """Yield what to look for next."""
    yield "<h3>What to look for next</h3>"
    yield table("questions", "finding", "expected gain", "chance of yes", "cost")
    for row in questions:
        yield (
            f"<tr><td>{escape(row['shown'])}</td><td>{row['gain_bits']:.3f} bits</td>"
            f"<td>{percent(row['probability'])}</td><td>{row['cost']:g}</td></tr>"
        )
    yield "</tbody></table>"


def footer(settings: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what the numbers were made from, and how to read them."""
    yield f"<footer><h2>How to read this</h2><p>{EXPLANATION}</p><dl>"
    for name, value in settings:
        yield f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
    yield "</dl></footer>"


def bits_row(name: str, bits: float) -> str:
    """Return a row with a bar to the left or to the right."""
    share = min(1.0, abs(bits) / LONGEST_BAR)
    left, right = (svg_bar(share, "against", from_right=True), "") if bits < 0 else ("", svg_bar(share, "for"))
    return f"<tr><td>{name}</td><td>{left}</td><td>{right}</td><td>{bits:+.1f}</td></tr>"


def share_bar(share: float) -> str:
    """Return a bar of a probability."""
    return svg_bar(share, "share")


def svg_bar(share: float, kind: str, *, from_right: bool = False) -> str:
    """Return a bar as a picture; styles in attributes would need a laxer policy."""
    width = max(0.5, 100 * share)
    start = 100 - width if from_right else 0
    return (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{kind}" x="{start:.1f}" y="0" width="{width:.1f}" height="10"/></svg>'
    )


def percent(share: float) -> str:
    """Write a probability for people.

    >>> percent(0.91234), percent(0.00004)
    ('91.2 %', '< 0.1 %')
    """
    return "< 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"
