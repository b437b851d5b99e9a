from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

import moose
from moose.explore.explorer import Explorer
from moose.explore.server import ExploreServer
from tests.explore.chromium import PROGRAM, Page, browsing


@contextmanager
def served(explorer: Explorer) -> Iterator[ExploreServer]:
    """Serve an explorer while the body runs."""
    with ExploreServer(explorer) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(10)


@pytest.fixture(scope="session")
def pizzeria() -> Explorer:
    return Explorer(moose.load(moose.PIZZERIA))


@pytest.fixture(scope="session")
def server(pizzeria: Explorer) -> Iterator[ExploreServer]:
    with served(pizzeria) as started:
        yield started


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if PROGRAM is None:
        pytest.skip("no Chromium on the path; install it (Debian: chromium) to test the page by clicks")
    with browsing(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """A page on which nothing may go wrong: no error, no dialog, nothing that its policy forbids."""
    browser.open("about:blank")
    browser.wait("location.href === 'about:blank'")
    browser.trouble.clear()
    browser.requested.clear()
    browser.look()
    yield browser
    browser.run("1")  # so that what was still on the way has come
    assert browser.trouble == []
