"""Work that tests send to another process; in a file that loads nothing, so that this takes no time there."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

from moose.base.errors import MooseError


def squares(count: int) -> Iterator[int]:
    for number in range(count):
        print("what is printed comes between no messages")  # noqa: T201
        yield number * number


def failing() -> Iterator[int]:
    yield 1
    raise MooseError("as expected")


class Unsendable(Exception):
    """An error that cannot be built again from what it was pickled to."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def failing_oddly() -> Iterator[int]:
    yield from ()
    raise Unsendable(1, 2)


def endless() -> Iterator[int]:
    yield 1
    while True:
        pass


def streaming() -> Iterator[int]:
    while True:
        yield 1


def dying() -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


def greedy() -> Iterator[int]:
    yield 1
    kept = []
    while True:
        kept.append(b"x" * 10_000_000)
        time.sleep(0.005)
