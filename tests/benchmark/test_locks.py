from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from moose.benchmark.store.locks import BLANK_SECONDS, FORSAKEN_SECONDS, acquire, birth_of, holding, is_held, release


def somebody_gone() -> int:
    """Return the number of a process that was."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def write_lock(path: Path, **changes: object) -> None:
    owner = {"token": "x", "host": platform.node(), "process": os.getpid(), "born": birth_of(os.getpid())} | changes
    path.write_text(json.dumps(owner), encoding="utf-8")


def test_one_holds_and_the_other_does_not(tmp_path: Path) -> None:
    lock = tmp_path / "locks" / "a.lock"
    with holding(lock) as first, holding(lock) as second:
        assert first and not second and is_held(lock)
    assert not lock.exists() and not is_held(lock)
    with holding(lock) as again:
        assert again


def test_a_lock_is_given_back_when_the_body_fails(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    try:
        with holding(lock):
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        assert not lock.exists()


def test_the_lock_of_a_process_that_is_gone_is_taken_over(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    write_lock(lock, process=somebody_gone(), born="1")
    assert not is_held(lock)
    assert acquire(lock) is not None and is_held(lock)


def test_a_number_that_was_used_again_does_not_hold(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    write_lock(lock)
    assert is_held(lock)
    write_lock(lock, born="another time")
    assert not is_held(lock)


def test_a_lock_of_another_machine_holds_while_it_is_touched(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    write_lock(lock, host="elsewhere", process=1)
    assert is_held(lock) and acquire(lock) is None
    past = time.time() - FORSAKEN_SECONDS - 1
    os.utime(lock, (past, past))
    assert acquire(lock) is not None


def test_a_lock_that_says_nothing_holds_for_a_moment(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("")
    assert is_held(lock)
    past = time.time() - BLANK_SECONDS - 1
    os.utime(lock, (past, past))
    assert acquire(lock) is not None


def test_who_lost_a_lock_does_not_remove_it(tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    token = acquire(lock)
    assert token is not None
    write_lock(lock, token="another")
    release(lock, token)
    assert lock.exists()


def test_of_many_that_see_a_forsaken_lock_one_takes_it(tmp_path: Path) -> None:
    gone = somebody_gone()
    for turn in range(30):
        lock = tmp_path / f"{turn}.lock"
        write_lock(lock, process=gone, born="1")
        with ThreadPoolExecutor(8) as pool:
            tokens = [token for token in pool.map(acquire, [lock] * 8) if token is not None]
        assert len(tokens) == 1
        assert json.loads(lock.read_text())["token"] == tokens[0]


def test_where_there_is_no_flock_the_first_byte_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked: list[tuple[int, int]] = []
    stand_in = SimpleNamespace(LK_LOCK=1, locking=lambda _descriptor, mode, count: locked.append((mode, count)))
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", stand_in)
    path = tmp_path / "cell.lock"
    write_lock(path, process=somebody_gone())
    token = acquire(path)
    assert token is not None and locked == [(1, 1)]
    release(path, token)
