"""Compiled code is kept where nobody else can write, is compiled anew when damaged, and is not needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from moose.base.compiled.kept_code import UnsafeFolder, owned_folder

SOURCE = "def double(number):\n    return number + number\n"


def compute(folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """Compile and call a small function in another process."""
    (folder / "small_functions.py").write_text(SOURCE, encoding="utf-8")
    program = (
        "import small_functions\n"
        "from moose.base.compiled.numba_compilation import compile_functions\n"
        "double = compile_functions([small_functions], ['double'])['double']\n"
        "print(double(21))\n"
    )
    paths = os.pathsep.join([str(folder), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )


def code_files(cache: Path) -> list[Path]:
    return sorted((cache / "moose" / "code").iterdir())


def test_code_is_kept_in_a_folder_of_the_users_own(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert compute(tmp_path, cache).stdout == "42\n"
    (file,) = code_files(cache)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    before = file.stat().st_mtime_ns
    assert compute(tmp_path, cache).stdout == "42\n"
    assert file.stat().st_mtime_ns == before, "the code was used, not made anew"


@pytest.mark.parametrize("damage", ["cut", "emptied", "flipped", "foreign"])
def test_damaged_code_is_compiled_anew(tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "cache"
    compute(tmp_path, cache)
    (file,) = code_files(cache)
    whole = file.read_bytes()
    middle = len(whole) // 2
    file.write_bytes(
        {
            "cut": whole[:middle],
            "emptied": b"",
            "flipped": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
            "foreign": b"cos\nsystem\n(S'exit 1'\ntR.",
        }[damage]
    )
    outcome = compute(tmp_path, cache)
    assert (outcome.stdout, outcome.stderr) == ("42\n", "")
    assert len(file.read_bytes()) > middle, "and kept in place of what was damaged"


def test_without_a_folder_code_is_compiled_and_that_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder", encoding="utf-8")
    outcome = compute(tmp_path, blocked)
    assert outcome.stdout == "42\n"
    assert "compiled code is not kept" in outcome.stderr


def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    folder = owned_folder(cache / "moose" / "code")
    folder.chmod(0o770)
    with pytest.raises(UnsafeFolder, match="others can write"):
        owned_folder(folder)
    folder.chmod(0o700)
    cache.chmod(0o777)
    with pytest.raises(UnsafeFolder, match=r"others can write to .*cache"):
        owned_folder(folder)
    cache.chmod(0o1777)
    assert owned_folder(folder) == folder


def test_a_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = owned_folder(tmp_path / "code")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(UnsafeFolder, match="belongs to another user"):
        owned_folder(folder)


def test_a_link_to_where_others_can_write_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    (tmp_path / "code").symlink_to(shared)
    with pytest.raises(UnsafeFolder, match="others can write"):
        owned_folder(tmp_path / "code")


def test_a_relative_folder_is_refused() -> None:
    with pytest.raises(UnsafeFolder, match="no absolute path"):
        owned_folder(Path("caches/moose"))
