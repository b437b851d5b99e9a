"""One lock a cell, so that two processes on one store never compute the same thing.

A lock is a file that is created with O_EXCL and says who made it. It is taken over when that process is gone: on the
same machine, when no process has its number and its time of birth; on another, when the lock has not been touched for
a while. Its owner touches it once a minute.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import cast

TOUCH_SECONDS = 60.0
FORSAKEN_SECONDS = 900.0
"""A lock of another machine that has not been touched for so long has no owner any more."""
BLANK_SECONDS = 30.0
"""A lock that says nothing for so long was being made when its process was killed."""


@contextmanager
def holding(path: Path) -> Iterator[bool]:
    """Hold a lock while the body runs; gives False where another process holds it."""
    token = acquire(path)
    if token is None:
        yield False
        return
    finished = Event()
    Thread(target=_touch, args=(path, finished), daemon=True).start()
    try:
        yield True
    finally:
        finished.set()
        release(path, token)


def acquire(path: Path) -> str | None:
    """Take the lock and return what proves it ours; None where another process holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    token = _create(path)
    if token is not None or is_held(path):
        return token
    # Of two processes that both see a forsaken lock, the second must not remove the lock that the first has made.
    with _alone(path.parent):
        if not is_held(path):
            path.unlink(missing_ok=True)
        return _create(path)


def release(path: Path, token: str) -> None:
    """Give the lock back, unless somebody else has taken it over."""
    if _read(path).get("token") == token:
        path.unlink(missing_ok=True)


def is_held(path: Path) -> bool:
    """Return whether there is a lock whose owner may still be at work."""
    try:
        age = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return False
    owner = _read(path)
    if not owner:
        return age < BLANK_SECONDS
    if owner["host"] != platform.node():
        return age < FORSAKEN_SECONDS
    return owner["born"] == birth_of(cast(int, owner["process"]))


def birth_of(process: int) -> str | None:
    """Return when a process of this machine was born, as its system counts; None when there is none of that number.

    Numbers are used again, times of birth are not. Where the system does not say, the number alone must do.
    """
    about = Path("/proc") / str(process) / "stat"
    try:
        after_name = about.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None if Path("/proc/self/stat").exists() or not _is_alive(process) else ""
    return None if after_name[0] in "ZX" else after_name[19]  # a dead one whose parent has not looked is gone too


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":  # where signal 0 is Ctrl-C
        from moose.base.windows import is_alive, kernel

        return is_alive(process, kernel())
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _create(path: Path) -> str | None:
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    except FileExistsError:
        return None
    token, process = secrets.token_hex(8), os.getpid()
    owner = {"token": token, "host": platform.node(), "process": process, "born": birth_of(process)}
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(owner, stream)
    return token


def _read(path: Path) -> dict[str, object]:
    """Return what a lock says; nothing if it is gone, or was not written to its end."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and {"token", "host", "process", "born"} <= content.keys() else {}


def _touch(path: Path, finished: Event) -> None:
    while not finished.wait(TOUCH_SECONDS):
        try:
            os.utime(path)
        except OSError:
            return


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time into the body; the kernel frees it when a process dies."""
    with (folder / ".taking-over").open("w") as guard:
        try:
            from fcntl import LOCK_EX, flock

            flock(guard, LOCK_EX)
        except ImportError:  # not a Unix
            from moose.base.windows import lock_first_byte

            lock_first_byte(guard)
        yield
