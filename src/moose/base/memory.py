"""How much memory is left, so that what will not fit is refused; and a pause from looking through it for cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the cycle collector: to read or to reason makes millions of values and hardly a cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def available_memory() -> int | None:
    """Return the bytes that this process may still take without others having to make room; None if nobody knows.

    Linux grants memory that it does not have, and then ends the process that touches it, without a word.
    """
    amounts = [amount for amount in (_of_the_machine(), _of_the_group()) if amount is not None]
    return min(amounts, default=None)


def refuse_beyond_memory(size: int) -> None:
    """Raise MemoryError for so many bytes more than there are."""
    available = available_memory()
    if available is not None and size > available:
        raise MemoryError(size)


def _of_the_machine() -> int | None:
    try:
        lines = _MEMORY.read_text(encoding="ascii").splitlines()
        words = dict(line.split(":", 1) for line in lines)
        return int(words["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, KeyError, IndexError):
        return None


def _of_the_group() -> int | None:
    """Return what a container leaves, by the control groups of Linux."""
    try:
        most = int((_GROUP / "memory.max").read_text(encoding="ascii"))
        return max(0, most - int((_GROUP / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):  # none, "max", or an older kind
        return None
