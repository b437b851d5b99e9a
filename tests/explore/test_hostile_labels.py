"""10,000 labels that would like to be markup, script or commands: over HTTP and in the page they are text."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import moose
from moose.explore.explorer import Explorer
from moose.explore.export import answers, exported_page
from moose.explore.server import ExploreServer, harmless_json
from moose.owl.model.axioms import AnnotationAssertion, SubClassOf
from moose.owl.model.expressions import LABEL_IRI, Class, Literal
from tests.explore.chromium import Page
from tests.explore.conftest import served
from tests.explore.test_server import ask, get

COUNT = 10_000
ROOT = Class("urn:hostile#C_0000000")
PARTS = (
    *("<script>alert(1)</script>", "</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "]]>", "-->"),
    *("javascript:alert(1)", "\"><b onmouseover='alert(1)'>", "' autofocus onfocus=alert(1) '", "&lt;b&gt;", "{{7*7}}"),
    *("${alert(1)}", "\u202egnp.exe", "\x1b[2J", "\u2028", "\u2029", "\\", "\\u003cb\\u003e", "%3Cb%3E", "__proto__"),
    *("<!--", "<iframe srcdoc='<script>alert(1)</script>'>", "<style>*{display:none}</style>", "\ue000urn:x\ue001"),
    *("<a href=javascript:alert(1)>x</a>", "**some**", "\ufeff", "é\u0301", "🫎", "a'b", "'; DROP TABLE", "\r\nX: y"),
    *(
        "<base href=//evil.example>",
        "<meta http-equiv=refresh content=0>",
        "constructor",
        "\ufffe",
        "<?xml?>",
        "<![CDATA[",
    ),
)


@cache
def labels(count: int = COUNT) -> list[str]:
    drawn = random.Random(0)
    return [f"{number} {''.join(drawn.choices(PARTS, k=drawn.randint(1, 4)))}" for number in range(count)]


def hostile(count: int = COUNT) -> Explorer:
    """Return classes under one root, each with a label that is hostile."""
    classes = [Class(f"urn:hostile#C_{number + 1:07}") for number in range(count)]
    told = [
        SubClassOf(one, classes[place // 2] if place % 2 and place > 1 else ROOT) for place, one in enumerate(classes)
    ]
    notes = tuple(AnnotationAssertion(LABEL_IRI, one.iri, Literal(text)) for one, text in zip(classes, labels(count)))
    ontology = moose.ontology([axiom for axiom in told if axiom.sub != axiom.sup])
    return Explorer(moose.with_annotations(ontology, moose.AnnotationAxioms(assertions=notes)))


@pytest.fixture(scope="module")
def hostile_server() -> Iterator[ExploreServer]:
    with served(hostile()) as server:
        yield server


def test_answers_hold_no_letter_of_markup(hostile_server: ExploreServer) -> None:
    seen = 0
    for start in range(0, 4_900, 200):
        path = f"/{hostile_server.token}/api/children?iri=urn:hostile%23C_0000000&from={start}"
        status, headers, body = get(hostile_server, path)
        assert status == 200 and not set(b"<>&\r\n") & set(body) and body.isascii()
        assert headers["X-Content-Type-Options"] == "nosniff" and "json" in headers["Content-Type"]
        seen += len(json.loads(body)["children"])
    assert seen > 4_500


def test_every_label_is_found_by_itself_and_described(hostile_server: ExploreServer) -> None:
    for number in range(0, COUNT, 97):
        iri = f"urn:hostile#C_{number + 1:07}"
        found = ask(hostile_server, "search", text=labels()[number])
        assert iri in [one["iri"] for one in found["matches"]], labels()[number]
        one = ask(hostile_server, "class", iri=iri)
        assert one["label"] == labels()[number]
        assert not set("\x1b\r\n\u202e") & set(one["name"])
    assert ask(hostile_server, "why", sub="urn:hostile#C_0000008", sup="urn:hostile#C_0000000")["proofs"]


def test_markup_in_json_is_escaped_and_comes_back() -> None:
    text = harmless_json(labels())
    assert not set("<>&") & set(text) and text.isascii() and json.loads(text) == labels()


def test_in_the_page_they_are_text(page: Page, hostile_server: ExploreServer) -> None:
    """Open the first level, then classes, queries and a proof: no element comes in that the script did not make."""
    page.open(hostile_server.address)
    page.wait("document.querySelectorAll('[role=treeitem]').length === 2")
    page.run("document.querySelector('#tree [aria-level=\"2\"]').focus()")
    page.key("ArrowRight")
    page.wait("document.querySelectorAll('#tree .more').length === 1")
    for _ in range(26):
        page.run("(() => { const item = document.querySelector('#tree [aria-level=\"2\"]');"
                 "const group = item.querySelector(':scope > [role=group]');"
                 "return group.querySelector(':scope > .more') ? more(item, group) : null; })()")  # fmt: skip
    shown = page.run("document.querySelectorAll('#tree [aria-level=\"3\"]').length")
    assert shown > 4_500
    for number in range(1, COUNT, 499):
        page.run(f"location.hash = '#' + new URLSearchParams({{view: 'class', iri: 'urn:hostile#C_{number:07}'}})")
        wanted = json.dumps(labels()[number - 1])
        page.wait(f"document.querySelector('h2')?.textContent === {wanted}")
        query = f"'#' + new URLSearchParams({{view: 'query', text: 'no ' + {wanted}.slice(0, 300)}})"
        page.run(f"location.hash = {query}")
        page.wait("document.querySelector('[role=alert]')")
    page.run("location.hash = '#view=why&sub=urn:hostile%23C_0000008&sup=urn:hostile%23C_0000000'")
    page.wait("document.querySelector('.proof svg text')")
    allowed = (
        "HTML HEAD META TITLE LINK BODY A HEADER H1 NAV DIV ASIDE LABEL KBD INPUT UL LI DETAILS SUMMARY SPAN MAIN "
        "FOOTER NOSCRIPT SCRIPT H2 H3 P SECTION DL DT DD BUTTON TEXTAREA STRONG svg g rect path text"
    )
    tags = page.run("[...new Set([...document.querySelectorAll('*')].map((one) => one.tagName))]")
    assert set(tags) <= set(allowed.split())
    assert page.run("document.querySelectorAll('script').length") == 1
    handlers = page.run(
        "[...document.querySelectorAll('*')].filter((one) => one.getAttributeNames().some("
        "(name) => name.startsWith('on') || /^javascript:/i.test(one.getAttribute(name)))).length"
    )
    assert handlers == 0
    page.trouble[:] = [one for one in page.trouble if "400 (Bad Request)" not in one]
    assert all(one.startswith((hostile_server.address, "data:,", "about:blank")) for one in page.requested)


def test_in_an_exported_page_they_are_text(page: Page, tmp_path: Path) -> None:
    explorer = hostile(300)
    text = exported_page(explorer)
    assert text.count("<script") == 2 and text.lower().count("</script>") == 2
    assert "evil.example" in harmless_json(answers(explorer)) and "<base" not in text
    file = tmp_path / "hostile.html"
    file.write_text(text, "utf-8")
    page.open(file.as_uri())
    page.wait("document.querySelectorAll('[role=treeitem]').length === 2")
    page.run("location.hash = '#view=class&iri=urn:hostile%23C_0000007'")
    page.wait(f"document.querySelector('h2')?.textContent === {json.dumps(labels(300)[6])}")
    assert page.run("document.querySelectorAll('script').length") == 2
