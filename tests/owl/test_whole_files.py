"""Files appear whole or not at all, with the permissions that the umask says; devices are never replaced."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import moose
from moose.base.errors import MooseError
from moose.base.whole_files import whole_file


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_a_file_has_the_permissions_that_the_umask_says(tmp_path: Path) -> None:
    circuit = moose.compile_circuit(moose.ground(moose.regime("pizzaC")))
    circuit.save(tmp_path / "circuit")
    moose.write_task(moose.regime("pizzaC"), tmp_path / "task.toml", ontology="moose:pizzaiolo")
    with whole_file(tmp_path / "text") as draft:
        draft.write_text("text")
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == {
        "circuit": 0o640,
        "task.toml": 0o640,
        "text": 0o640,
    }


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "nowhere"
    link.symlink_to(os.devnull)
    moose.compile_circuit(moose.ground(moose.regime("pizzaC"))).save(link)
    assert link.is_symlink()
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_what_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to("target")

    def write_half() -> None:
        with whole_file(link) as draft:
            draft.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert target.read_text() == "before"
    with whole_file(link) as draft:
        draft.write_text("whole")
    assert (target.read_text(), link.is_symlink()) == ("whole", True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_where_nothing_can_be_written_there_is_advice(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match=r"cannot be written \(.*\); check the folder"), whole_file(tmp_path) as draft:
        draft.write_text("text")
    with pytest.raises(MooseError, match="check the folder"), whole_file(tmp_path / "none" / "file") as draft:
        draft.write_text("text")
    assert list(tmp_path.iterdir()) == []
