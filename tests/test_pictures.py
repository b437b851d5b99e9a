"""The pictures of the README and the gallery are what the commands draw."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import make_pictures

ROOT = Path(__file__).parent.parent
GALLERY = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")


def test_drawings_are_what_is_drawn_today() -> None:
    for name, text in make_pictures.drawings().items():
        assert (make_pictures.PICTURES / name).read_text(encoding="utf-8") == text, "run `python docs/make_pictures.py`"


def test_gallery_has_six_pictures_that_are_there() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((pictures/[\w.]+)\)", GALLERY)
    assert len(set(shown)) == 6
    assert all((ROOT / "docs" / one).is_file() for one in shown)


@pytest.mark.parametrize("name", list(make_pictures.COMMANDS))
def test_gallery_shows_the_command_of_each(name: str) -> None:
    assert f"moose {make_pictures.COMMANDS[name]} {name}" in GALLERY
