"""What Windows is asked by calls of its kernel: the memory of a process, whether it is alive, a lock on a file."""

from __future__ import annotations

import ctypes
from importlib import import_module
from typing import IO, Any

STILL_ACTIVE = 259


def kernel() -> Any:
    """Return the functions of the kernel, where there are some."""
    return ctypes.windll.kernel32  # type: ignore[attr-defined]  # only on Windows


def lock_first_byte(file: IO[Any]) -> None:
    """Wait, ten seconds at most, until no other process has locked the first byte of an open file; closing frees it."""
    system: Any = import_module("msvcrt")
    system.locking(file.fileno(), system.LK_LOCK, 1)


def is_alive(process: int, kernel: Any) -> bool:
    """Return whether there is a process of this number that has not ended, or that may not be asked."""
    handle = opened(process, kernel)
    if not handle.value:
        return bool(kernel.GetLastError() == ACCESS_DENIED)
    code = ctypes.c_uint32()
    try:
        is_known = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        return not is_known or code.value == STILL_ACTIVE
    finally:
        kernel.CloseHandle(handle)


class MemoryCounters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS of Windows."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("page_faults", ctypes.c_uint32),
        *((name, ctypes.c_size_t) for name in ("peak_working_set", "working_set")),
        *((f"pool_{number}", ctypes.c_size_t) for number in range(4)),
        *((name, ctypes.c_size_t) for name in ("page_file", "peak_page_file")),
    )


MAY_BE_ASKED = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION."""
ACCESS_DENIED = 5


def working_set(process: int, kernel: Any) -> int:
    """Return the bytes of a process by the kernel of Windows; 0 where it does not say."""
    handle = opened(process, kernel)
    if not handle.value:
        return 0
    counters = MemoryCounters(size=ctypes.sizeof(MemoryCounters))
    try:
        is_known = kernel.K32GetProcessMemoryInfo(handle, ctypes.byref(counters), ctypes.sizeof(counters))
        return int(counters.working_set) if is_known else 0
    finally:
        kernel.CloseHandle(handle)


def opened(process: int, kernel: Any) -> ctypes.c_void_p:
    """Return a handle of a process; a handle of nothing where there is none."""
    kernel.OpenProcess.restype = ctypes.c_void_p
    return ctypes.c_void_p(kernel.OpenProcess(MAY_BE_ASKED, False, process))
