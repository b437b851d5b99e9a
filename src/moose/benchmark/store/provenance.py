"""Where a result comes from: version, commit, machine."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import moose


def provenance() -> dict[str, object]:
    """Return what is known of the program and the machine."""
    return {
        "version": moose.__version__,
        "commit": commit_of(Path(moose.__file__).parent.parent.parent),
        "software": {"python": platform.python_version()} | {name: _version(name) for name in ("torch", "numpy")},
        "machine": describe_machine(),
    }


def now() -> str:
    """Return the time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def commit_of(root: Path) -> str | None:
    """Return the commit that a folder is a checkout of, with "-dirty" if its files were changed; None if it is none."""
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return None
    command = [git, "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)  # noqa: S603  # fixed words
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip() or None


def describe_machine() -> dict[str, object]:
    """Say what kind of machine this is, without saying which one."""
    has_pages = hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9 if has_pages else None
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "memory_gb": None if memory is None else round(memory, 1),
        "system": platform.system(),
        "load_average_at_start": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    if about.exists():
        for line in about.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
