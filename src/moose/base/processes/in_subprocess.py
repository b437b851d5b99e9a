"""Work in a process of its own, because a call into PySDD can neither be interrupted nor limited from within.

A process is forked where that is safe, as on Linux: that takes a millisecond, and the work need not be sent. Elsewhere,
and where `multiprocessing.set_start_method` asks for another way, a new interpreter gets the work through a pipe.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle  # what one process of ours sends to another
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Literal, NoReturn, Protocol, TypeVar, cast

from moose.base.memory import resident_megabytes
from moose.base.processes.interpreter import end_with_parent, start_interpreter

Value = TypeVar("Value")
Work = Callable[[], Iterator[Value]]
Message = tuple[bool, object]
"""Whether there is a value, and that; without one the work is at its end."""
FRAME = struct.Struct(">Q")
StartMethod = Literal["fork", "spawn"]

GLANCE = 0.2
"""Seconds between two looks at the clock and the memory; nothing waits longer without one, so Ctrl-C is heard."""


def start_method() -> StartMethod:
    """Return how processes start here: forked where that is safe, unless the program has chosen another way."""
    chosen: str | None = multiprocessing.get_start_method(allow_none=True)
    if "fork" not in multiprocessing.get_all_start_methods():
        return "spawn"
    if chosen is None:  # the libraries of macOS do not bear to be forked
        return "spawn" if sys.platform == "darwin" else "fork"
    return "fork" if chosen == "fork" else "spawn"


def run_in_subprocess(
    work: Work[Value], seconds: float | None, *, megabytes: float | None = None, method: StartMethod | None = None
) -> tuple[list[Value], bool]:
    """Return what work yields within some time and memory, and whether it came to its end; its errors are raised here.

    Unless it is forked, the work must be such that it can be pickled.
    """
    child: Child = (Forked if (method or start_method()) == "fork" else Spawned)(work)
    watch = Watch(None if seconds is None else time.monotonic() + seconds, megabytes)
    values: list[Value] = []
    try:
        while True:
            message = child.next(watch.wait)
            if message is not None:
                is_value, content = message
                if not is_value:
                    return values, True
                values.append(cast(Value, content))
            if watch.is_over(child.number):
                return values, False
    except EOFError:  # it was killed, or ran out of memory
        return values, False
    finally:
        child.end()


@dataclass(slots=True)
class Watch:
    """Looks at the clock and, now and then, at the memory of a process."""

    end: float | None
    megabytes: float | None
    next_glance: float = 0.0

    @property
    def wait(self) -> float:
        """How long to wait for something before the next look."""
        return GLANCE if self.end is None else min(GLANCE, max(0.0, self.end - time.monotonic()))

    def is_over(self, process: int) -> bool:
        """Return whether a process has used up its time, or takes too much memory."""
        now = time.monotonic()
        if self.end is not None and now >= self.end:
            return True
        if self.megabytes is None or now < self.next_glance:
            return False
        self.next_glance = now + GLANCE
        return resident_megabytes(process) > self.megabytes


class Child(Protocol):
    """A process at work."""

    number: int

    def next(self, seconds: float) -> Message | None:
        """Return what it says next, or None if nothing within some seconds; raise its error, `EOFError` if it died."""

    def end(self) -> None:
        """Kill it, whatever it is at."""


class Forked:
    """A copy of this process, which knows all that this one does."""

    def __init__(self, work: Work[Value]) -> None:
        reading, writing = os.pipe()
        parent = os.getpid()
        with warnings.catch_warnings():
            # Other threads are not copied; the work needs none of them, and ends without cleaning up after them.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.number = os.fork()
        if not self.number:
            os.close(reading)
            end_with_parent(parent)
            serve(work, Connection(writing, readable=False).send_bytes)
        os.close(writing)
        self.source = Connection(reading, writable=False)

    def next(self, seconds: float) -> Message | None:
        """Return what it says next."""
        return opened(self.source.recv_bytes()) if self.source.poll(seconds) else None

    def end(self) -> None:
        """Kill it."""
        self.source.close()
        os.kill(self.number, signal.SIGKILL)
        os.waitpid(self.number, 0)


class Spawned:
    """A new interpreter, which is sent the work.

    A thread waits for what it says, because not every system tells whether there is something in a pipe.
    """

    def __init__(self, work: Work[Value]) -> None:
        sent = pickle.dumps(work)
        self.process = start_interpreter(STATEMENT, "compute")
        self.number = self.process.pid
        self.messages: SimpleQueue[bytes | None] = SimpleQueue()
        self.exchange = Thread(target=self._exchange, args=(sent,), daemon=True)
        self.exchange.start()

    def next(self, seconds: float) -> Message | None:
        """Return what it says next."""
        try:
            message = self.messages.get(timeout=seconds)
        except Empty:
            return None
        if message is None:
            raise EOFError
        return opened(message)

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()
        self.exchange.join()  # what it reads has ended with the process
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _exchange(self, work: bytes) -> None:
        """Send the work, then put each message into the queue, and None at the end; the input stays open till then."""
        assert self.process.stdin is not None and self.process.stdout is not None
        with suppress(OSError, EOFError):  # it was killed
            write_frame(self.process.stdin, work)
            while True:
                self.messages.put(read_frame(self.process.stdout))
        self.messages.put(None)


STATEMENT = "from moose.base.processes.in_subprocess import serve_parent; serve_parent(parent)"


def serve_parent(parent: int) -> NoReturn:
    """Do the work that comes on the standard input; end when that is closed, for then the parent is gone."""
    end_with_parent(parent)
    # What libraries print must not come between the messages, so these go to a descriptor of their own.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    received = read_frame(sys.stdin.buffer)

    def end_with_input() -> None:
        sys.stdin.buffer.read()
        os._exit(1)

    Thread(target=end_with_input, daemon=True).start()
    serve(partial(unpickled, received), partial(write_frame, output))


def unpickled(work: bytes) -> Iterator[object]:
    """Do the work that was sent; where it cannot be read, that is an error of the work."""
    yield from pickle.loads(work)()  # noqa: S301 - from our own parent


def serve(work: Work[Value], send: Callable[[bytes], None]) -> NoReturn:
    """Send what work yields, then whether it ended well; then end this process."""
    try:
        for value in work():
            send(pickle.dumps((True, value)))
        send(pickle.dumps((False, None)))
    except BaseException as error:  # noqa: BLE001 - whatever it is belongs to the caller
        send(pickled_error(error))
    finally:
        os._exit(0)


def pickled_error(error: BaseException) -> bytes:
    """Return the message of an error, or of one that quotes it where it cannot be sent or be built again."""
    try:
        message = pickle.dumps((False, error))
        pickle.loads(message)  # noqa: S301 - just made
    except Exception:  # noqa: BLE001 - an error's own way to be pickled may raise anything
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return message


def opened(message: bytes) -> Message:
    """Return what a message says; raise the error that it brings."""
    is_value, content = pickle.loads(message)  # noqa: S301 - from our own child
    if not is_value and content is not None:
        raise content
    return is_value, content


def write_frame(stream: IO[bytes], content: bytes) -> None:
    """Write bytes after their number."""
    stream.write(FRAME.pack(len(content)) + content)
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes:
    """Read what `write_frame` wrote; raise `EOFError` where it is not whole."""
    (size,) = FRAME.unpack(whole_read(stream, FRAME.size))
    return whole_read(stream, size)


def whole_read(stream: IO[bytes], size: int) -> bytes:
    """Read so many bytes; raise `EOFError` where there are fewer."""
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content
