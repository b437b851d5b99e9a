"""Work in a process of its own, because a call into PySDD can neither be interrupted nor limited from within."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import NoReturn, TypeVar

Value = TypeVar("Value")
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux: no process is left behind, however this one ends."""


def run_in_subprocess(work: Callable[[], Iterator[Value]], seconds: float | None) -> tuple[list[Value], bool]:
    """Return what work yields within some time, and whether it came to its end; an error of the work is raised here.

    Where processes cannot be forked the work is done here, and the time is not limited.
    """
    if not hasattr(os, "fork"):
        return list(work()), True
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Other threads are not copied; the work needs none of them, and ends without cleaning up after them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        os.close(reading)
        _serve(work, Connection(writing, readable=False))
    os.close(writing)
    try:
        with Connection(reading, writable=False) as source:
            return _receive(source, seconds)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _serve(work: Callable[[], Iterator[Value]], target: Connection) -> NoReturn:
    """Send what work yields, then whether it ended well; then end this process."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
        for value in work():
            target.send((True, value))
        target.send((False, None))
    except BaseException as error:  # noqa: BLE001 - whatever it is belongs to the caller
        target.send((False, error))
    finally:
        os._exit(0)


def _receive(source: Connection, seconds: float | None) -> tuple[list[Value], bool]:
    end = None if seconds is None else time.monotonic() + seconds
    values: list[Value] = []
    while source.poll(None if end is None else max(0.0, end - time.monotonic())):
        try:
            is_value, content = source.recv()
        except EOFError:  # it was killed, or ran out of memory
            return values, False
        if is_value:
            values.append(content)
            continue
        if content is not None:
            raise content
        return values, True
    return values, False
