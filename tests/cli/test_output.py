"""A file appears whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.cli.common.output import writing

SOURCE = Path("source.ofn")


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.tsv"
    with writing(target, source=SOURCE) as stream:
        stream.write("é\n")
        assert not target.exists()
    assert target.read_bytes() == "é\n".encode()
    assert list(tmp_path.iterdir()) == [target]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), SystemExit(1)])
def test_a_failure_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "out.tsv"
    target.write_text("old")

    def fail() -> None:
        with writing(target, source=SOURCE) as stream:
            stream.write("new")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    with writing(link, source=SOURCE) as stream:
        stream.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_is_written_to_directly() -> None:
    with writing(Path(os.devnull), source=SOURCE) as stream:
        stream.write("gone")
    assert Path(os.devnull).is_char_device()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    for target in (tmp_path / "no" / "such" / "folder.tsv", tmp_path):
        with pytest.raises(MooseError, match="cannot be written"), writing(target, source=SOURCE):
            pass
    assert list(tmp_path.iterdir()) == []


def test_the_ontology_is_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "o.ofn"
    source.write_text("Ontology()")
    with pytest.raises(MooseError, match="would be overwritten"), writing(tmp_path / "." / "o.ofn", source=source):
        pass
    assert source.read_text() == "Ontology()"


@pytest.mark.parametrize("target", [None, Path("-")])
def test_the_standard_output(capsys: pytest.CaptureFixture[str], target: Path | None) -> None:
    with writing(target, source=SOURCE) as stream:
        stream.write("⊑\n")
    assert capsys.readouterr().out == "⊑\n"
