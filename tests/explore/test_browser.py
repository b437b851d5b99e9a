"""The page in headless Chromium, by real clicks and keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from moose.explore.explorer import Explorer
from moose.explore.export import exported_page
from moose.explore.server import ExploreServer
from tests.explore.chromium import Page

pytestmark = pytest.mark.slow  # a browser beside a full suite does not keep time

SHOTS = os.environ.get("MOOSE_SCREENSHOTS")


def keep(page: Page, name: str) -> None:
    """Keep a picture for somebody to look at, where a folder for them is named."""
    if SHOTS:
        page.screenshot(Path(SHOTS) / f"{name}.png")


def test_search_leads_to_a_class_and_why_to_its_proof(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait("document.querySelectorAll('[role=treeitem]').length > 5")
    page.key("/")
    page.type("diav")
    page.wait("document.querySelector('#match-0')")
    page.key("Enter")
    page.wait_for_text("Axioms of this class (1)")
    assert page.text("h2") == "Diavola"
    page.wait("document.querySelector('[aria-selected=true][role=treeitem]')?.textContent === 'Diavola'")
    keep(page, "class-light")
    page.click("main li a[href*='SpicyDish'][aria-label]")
    page.wait("document.querySelector('.proof svg [data-step]')")
    goal = page.text(".proof .goal text")
    assert goal == "Diavola ⊑ SpicyDish"
    page.click(".proof [data-step='0']")
    page.wait("document.querySelector('.proof [data-step=\"0\"].chosen')")
    assert "by rule" in page.text(".set")
    page.key("ArrowDown")
    page.wait("!document.querySelector('.proof [data-step=\"0\"].chosen')")
    page.click("button[aria-label=larger]")
    page.click("#sets")
    page.wait_for_text("Repairs")
    keep(page, "why-light")


def test_keys_walk_the_tree(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait("document.querySelectorAll('[role=treeitem]').length > 5")
    page.run("document.querySelector('#tree [tabindex=\"0\"]').focus()")
    page.key("ArrowDown")
    page.key("ArrowRight")
    page.wait("document.activeElement.getAttribute('aria-expanded') === 'true'")
    page.wait("document.activeElement.querySelectorAll('[role=treeitem]').length === 3")
    page.key("ArrowRight")
    assert page.run("document.activeElement.getAttribute('aria-level')") == "3"
    page.key("Enter")
    page.wait_for_text("Anchovy", "h2")
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    assert page.run("document.activeElement.getAttribute('aria-expanded')") == "false"


def test_a_triangle_opens_a_branch_by_a_click(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait("document.querySelectorAll('[role=treeitem]').length > 5")
    place = page.run(
        "(() => { const box = document.querySelectorAll('[role=treeitem] .row')[3].getBoundingClientRect();"
        "return [box.x + 8, box.y + box.height / 2]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
    page.wait("document.querySelectorAll('[role=treeitem]')[3].querySelectorAll('[role=treeitem]').length === 2")
    assert page.run("location.hash") == ""


def test_a_click_before_the_first_view_is_kept(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.click("nav a[data-view=query]")
    page.wait("document.querySelector('#question')")
    # The event of a click that was made while the page started may come only now.
    page.run("document.querySelector('#question').value = 'Pizza'; window.dispatchEvent(new Event('hashchange'))")
    page.wait("!document.querySelector('main').hasAttribute('aria-busy')")
    assert page.run("document.querySelector('#question').value") == "Pizza"


def test_a_dl_query_and_what_is_wrong_with_one(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait_for_text("Directly above")
    page.click("nav a[data-view=query]")
    page.click("#question")
    page.type("Pizza and contains some Fish")
    page.click("main button")
    page.wait_for_text("Directly below (1)")
    assert "Napoli" in page.text("main")
    keep(page, "query-light")
    page.click("#question")
    page.run("document.querySelector('#question').select()")
    page.type("Piza")
    page.key("Enter")
    page.wait_for_text("did you mean Pizza?")
    assert page.run("document.querySelectorAll('[role=alert]').length") == 1
    page.trouble[:] = [one for one in page.trouble if "400 (Bad Request)" not in one]


def test_unsatisfiable_classes_are_mended_by_repairs(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait_for_text("Directly above")
    page.click("nav a[data-view=unsatisfiable]")
    page.wait_for_text("Roots: mend these first")
    page.click("main li a[aria-label]")
    page.wait("document.querySelector('.proof svg')")
    page.click("#sets")
    page.wait_for_text("Repairs: leave out all of one set")
    page.look(dark=True)
    keep(page, "unsatisfiable-dark")


def test_the_answer_follows_a_slider(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait_for_text("Directly above")
    page.click("nav a[data-view=probability]")
    page.click("#question")
    page.type("Tomato SubClassOf Food")
    page.key("Enter")
    page.wait_for_text("probability 100.0 %")
    assert page.run("document.querySelectorAll('.slider').length") == 3
    page.click(".slider input")  # in the middle: one half
    page.wait_for_text("probability 50.0 %", "#probability")
    page.key("ArrowRight")
    page.wait_for_text("probability 51.0 %", "#probability")
    keep(page, "probability-light")


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_everything_in_one_column(page: Page, server: ExploreServer, dark: bool) -> None:
    page.look(width=375, height=740, dark=dark)
    page.open(f"{server.address}#view=why&sub=Diavola&sup=SpicyDish")
    page.wait("document.querySelector('.proof svg [data-step]')")
    assert page.run("document.documentElement.scrollWidth") <= 375
    colour = page.run("getComputedStyle(document.body).backgroundColor")
    assert colour == ("rgb(15, 20, 25)" if dark else "rgb(255, 255, 255)")
    keep(page, f"phone-{'dark' if dark else 'light'}")
    page.run("scrollTo(0, 10000)")
    keep(page, f"phone-{'dark' if dark else 'light'}-below")


def test_paper_has_no_controls(page: Page, server: ExploreServer) -> None:
    page.look(media="print", width=800)
    page.open(f"{server.address}#view=why&sub=Diavola&sup=SpicyDish")
    page.wait("document.querySelector('.proof svg [data-step]')")
    hidden = page.run(
        "['aside', 'nav', '.controls'].map((one) => getComputedStyle(document.querySelector(one)).display)"
    )
    assert hidden == ["none"] * 3
    keep(page, "print")


def test_the_page_asks_nobody_but_its_server(page: Page, server: ExploreServer) -> None:
    page.open(server.address)
    page.wait("document.querySelectorAll('[role=treeitem]').length > 5")
    page.open(f"{server.address}#view=class&iri=Diavola")
    page.wait_for_text("Axioms of this class")
    assert page.requested
    assert all(one.startswith((server.address, "data:,", "about:blank")) for one in page.requested)


def test_an_exported_page_needs_no_server(page: Page, pizzeria: Explorer, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(exported_page(pizzeria), "utf-8")
    page.open(file.as_uri())
    page.wait("document.querySelectorAll('[role=treeitem]').length > 5")
    page.key("/")
    page.type("spicy dish")
    page.wait("document.querySelector('#match-0')")
    page.key("Enter")
    page.wait_for_text("spicy dish", "h2")
    page.open(f"{file.as_uri()}#view=unsatisfiable")
    page.click("main li a[aria-label]")
    page.wait("document.querySelector('.proof svg')")
    page.click("#sets")
    page.wait_for_text("Repairs: leave out all of one set")
    keep(page, "exported")
    assert [one for one in page.requested if not one.startswith(("file:", "data:,", "about:blank"))] == []
