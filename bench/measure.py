"""Run a command to its end and say what it cost; keep the spread of repeated measurements."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from moose.base.errors import MooseError


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process took, its own children included: wall and CPU (user + system) seconds, peak memory in MB."""

    wall: float
    cpu: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The smallest, middle and largest of several measurements of the same thing."""

    smallest: float
    middle: float
    largest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise at least one measurement."""
        return cls(min(values), median(values), max(values))

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.smallest:.2f}-{self.largest:.2f})"


def run_measured(command: Sequence[str]) -> tuple[Usage, str]:
    """Run a command in a fresh process; return what it took and what it printed.

    The kernel counts a process's memory before `exec` too, so a caller that is itself large would be seen in
    `peak_mb`: do not load ontologies in the process that measures.
    """
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as complaints:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=printed, stderr=complaints, env=environment()
        )
        _, status, rusage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it again
        printed.seek(0)
        complaints.seek(0)
        if process.returncode != 0:
            last = complaints.read().strip()[-2000:]
            raise MooseError(f"`{' '.join(command)[:300]}` ended with status {process.returncode}:\n{last}")
        peak_bytes = rusage.ru_maxrss * (1 if platform.system() == "Darwin" else 1024)
        return Usage(wall, rusage.ru_utime + rusage.ru_stime, peak_bytes / 1e6), printed.read()


def environment() -> dict[str, str]:
    """Return the environment with Python's bytecode kept, as it is of an installed package."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def describe_machine() -> dict[str, str | int | float]:
    """Say what kind of machine this is, without saying which one."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "memory_gb": round(memory, 1),
        "system": platform.system(),
        "load_average_at_start": round(os.getloadavg()[0], 2),
    }


def machine_line(measured: Mapping[str, Any]) -> str:
    """Return on which kind of machine something was measured, as it stands below a table."""
    machine = measured["machine"]
    plural = "s" * (machine["cores"] != 1)
    return f"{machine['cores']} core{plural} of {machine['processor']}, {machine['memory_gb']} GB"


def machine_and_load(measured: Mapping[str, Any]) -> str:
    """Return the same with how busy the machine was."""
    return f"{machine_line(measured)}, load average {measured['machine']['load_average_at_start']} at the start"


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    if about.exists():
        for line in about.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    draft.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8", newline="\n")
    draft.replace(path)
