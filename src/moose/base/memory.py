"""How much memory is left, so that what will not fit is refused; how much a process has; no looking for cycles in it;
what is freed kept for what comes next.

Each system says it in its own way: Linux in files, macOS by the command `ps`, Windows by a call of its kernel.
"""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

_MEMORY = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")
PS = "/bin/ps"
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MMAP_MOST = -1, -3, -4
"""Of glibc's `mallopt`: how much may lie free at the end of the heap; how large a block is to lie outside; how many."""
_USUAL_TRIM, _USUAL_MMAP, _USUAL_MMAPS = 64 << 20, 32 << 20, 65_536
"""What glibc comes to by itself where large blocks are freed; once it was told, it no longer does so by itself."""
_inside = [0]
"""How many parts of this process keep what is freed: a training predicts between its epochs."""
_changing = Lock()
_NEVER_TRIM = 2**31 - 1


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


@contextmanager
def freed_memory_kept() -> Iterator[None]:
    """Keep what is freed inside for what is allocated next, and give it back to the system at the end.

    A step of training frees tensors of megabytes that the next step needs again. Linux's allocator gives each back at
    once, and the system clears the pages anew: a third of the time of a step for images. Elsewhere this does nothing.
    """
    library = _allocator()
    if library is None:
        yield
        return
    _begin_or_end(library, 1)
    try:
        yield
    finally:
        _begin_or_end(library, -1)


def _begin_or_end(library: ctypes.CDLL, step: int) -> None:
    """Keep what is freed from the first that asks for it until the last has ended."""
    with _changing:
        _inside[0] += step
        if _inside == [1] and step > 0:
            library.mallopt(_MMAP_MOST, 0)
            library.mallopt(_TRIM_THRESHOLD, _NEVER_TRIM)
        elif _inside == [0]:
            library.mallopt(_MMAP_MOST, _USUAL_MMAPS)
            library.mallopt(_MMAP_THRESHOLD, _USUAL_MMAP)
            library.mallopt(_TRIM_THRESHOLD, _USUAL_TRIM)
            library.malloc_trim(0)


def _allocator() -> ctypes.CDLL | None:
    """Return the C library where it is glibc, whose allocator can be told what to keep."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None


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


def half_of_memory() -> float:
    """Return half of the machine's memory, in megabytes; two gigabytes where the system does not say, as on Windows."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2 / 1e6
    except (ValueError, OSError, AttributeError):
        return 2000.0


def resident_megabytes(process: int) -> float:
    """Return how much memory a process has; 0 where the system does not say, or there is no such process."""
    if sys.platform == "win32":
        from moose.base.windows import kernel, working_set

        return working_set(process, kernel()) / 1e6
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return _by_ps(process) / 1e6
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _by_ps(process: int) -> int:
    """Return the bytes of a process, as every Unix has them."""
    try:
        said = subprocess.run(  # noqa: S603  # a command of the system, with a number
            [PS, "-o", "rss=", "-p", str(process)], capture_output=True, check=False, text=True, timeout=5
        )
        return int(said.stdout) * 1024
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 0


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
