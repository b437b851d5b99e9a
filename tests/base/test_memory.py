"""What is left of the memory is read off the system, and what will not fit is refused before it is taken."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from moose.base import memory, windows
from moose.saturation.engine.arrays import NEEDED
from moose.saturation.engine.state import enlarged, new_state


def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, most: str = "", current: str = "") -> None:
    """Let the system say this of its memory."""
    (tmp_path / "meminfo").write_text(machine, encoding="ascii")
    (tmp_path / "memory.max").write_text(most, encoding="ascii")
    (tmp_path / "memory.current").write_text(current, encoding="ascii")
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)


MACHINE = "MemTotal:       100 kB\nMemAvailable:    50 kB\nHugePages_Total:       0\n"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((MACHINE,), 50 * 1024),
        ((MACHINE, "max\n", "10\n"), 50 * 1024),
        ((MACHINE, "4000\n", "1000\n"), 3000),
        ((MACHINE, "4000\n", "9000\n"), 0),
        (("", "4000\n", "1000\n"), 3000),
        (("MemAvailable\n",), None),
        (("",), None),
    ],
)
def test_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: tuple[str, ...], expected: int | None
) -> None:
    system(tmp_path, monkeypatch, *told)
    assert memory.available_memory() == expected


def test_arrays_that_will_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = new_state(10, 0)
    state.counters[NEEDED] = 100_000
    system(tmp_path, monkeypatch, "MemAvailable: 100 kB\n")
    with pytest.raises(MemoryError):
        enlarged(state)
    system(tmp_path, monkeypatch, "MemAvailable: 100000 kB\n")
    assert len(enlarged(state).agenda) >= 100_000
    assert np.array_equal(enlarged(state).counters, state.counters)


def test_memory_of_a_process_by_each_way(monkeypatch: pytest.MonkeyPatch) -> None:
    here = memory.resident_megabytes(os.getpid())
    assert here > 1
    assert memory._by_ps(os.getpid()) / 1e6 == pytest.approx(here, rel=0.5)
    assert memory.resident_megabytes(2**22 + 1) == 0  # larger than any number of a process
    monkeypatch.setattr(memory, "PS", "/nowhere/ps")
    assert memory._by_ps(os.getpid()) == 0


class Kernel:
    """Stands for the kernel of Windows, with one process that it knows and one that it does not tell of."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        self.OpenProcess = self.Opening(self)

    class Opening:
        restype: object = None

        def __init__(self, kernel: Kernel) -> None:
            self.kernel = kernel

        def __call__(self, access: int, inherit: bool, process: int) -> int | None:
            assert access == 0x1000 and not inherit
            if process != 7:
                return None
            self.kernel.opened.append(process)
            return 2**40 + 1  # a handle is as wide as a pointer

    exit_code = 259

    def K32GetProcessMemoryInfo(self, handle: ctypes.c_void_p, counters: Any, size: int) -> int:  # noqa: N802
        assert handle.value == 2**40 + 1
        assert size == 72  # of PROCESS_MEMORY_COUNTERS, as Windows on 64 bits has it
        counters._obj.working_set = 5_000_000
        return 1

    def GetExitCodeProcess(self, handle: ctypes.c_void_p, code: Any) -> int:  # noqa: N802
        code._obj.value = self.exit_code
        return 1

    def GetLastError(self) -> int:  # noqa: N802
        return 87

    def CloseHandle(self, handle: ctypes.c_void_p) -> None:  # noqa: N802
        self.opened.pop()


def test_windows_is_asked_as_it_wants_to_be() -> None:
    kernel = Kernel()
    assert windows.working_set(7, kernel) == 5_000_000
    assert windows.working_set(8, kernel) == 0
    assert windows.is_alive(7, kernel)
    assert not windows.is_alive(8, kernel)
    kernel.exit_code = 0
    assert not windows.is_alive(7, kernel)
    assert not kernel.opened, "every handle is closed"


FAULTS = """
import ctypes, resource, sys
from contextlib import nullcontext
from moose.base.memory import freed_memory_kept

size, library = 40 << 20, ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        block = ctypes.c_void_p(library.malloc(ctypes.c_size_t(size)))
        ctypes.memset(block, 1, size)
        library.free(block)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()

begun = resident()
with freed_memory_kept() if "kept" in sys.argv else nullcontext():
    with freed_memory_kept() if "kept" in sys.argv else nullcontext():
        pass
    inside = faults()
left, after, size = resident() - begun, faults(), 1 << 20
faults()
print(inside, left, after, faults())
"""


@pytest.mark.skipif(not memory._allocator(), reason="only glibc's allocator can be told what to keep")
@pytest.mark.parametrize(("way", "times"), [("kept", 1), ("plain", 10)])
def test_what_is_freed_is_kept_inside_and_given_back_after(way: str, times: int) -> None:
    """The pages of forty megabytes are asked for once inside, not each time; at the end nothing of them is left."""
    command = [sys.executable, "-c", FAULTS, way]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    inside, left, after, smaller = map(int, told)
    pages = (40 << 20) / os.sysconf("SC_PAGE_SIZE")
    assert inside == pytest.approx(times * pages, rel=0.2)
    assert left < 20 << 20
    assert after == pytest.approx(10 * pages, rel=0.2), "afterwards all is as it was"
    assert smaller < 256, "and megabytes are taken from the heap, as glibc learns to by itself"


def test_another_system_keeps_as_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with memory.freed_memory_kept():
        assert memory._allocator() is None
