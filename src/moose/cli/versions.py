"""What a bug report should say: the versions of Moose and of what it stands on, the system, where compiled code is."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import moose

PACKAGES = (
    "numpy",
    "numba",
    "llvmlite",
    "pyoxigraph",
    "PySDD",
    "python-sat",
    "typer",
    "torch",
    "safetensors",
    "scikit-learn",
)


def version_lines(*, is_verbose: bool) -> Iterator[str]:
    """Yield the version and, if wished, all that answers and speed may depend on; nothing of it is private."""
    yield f"moose {moose.__version__}"
    if not is_verbose:
        return
    from moose.base.compiled.kept_code import folder

    yield f"Python {platform.python_version()} ({platform.python_implementation()}, {platform.machine()})"
    yield f"system {platform.system()} {platform.release()}, {os.cpu_count()} cores, {sys.stdout.encoding}"
    yield from (f"{package} {installed(package)}" for package in PACKAGES)
    yield f"compiled code {'is kept' if folder() else 'is not kept'}"


def installed(package: str) -> str:
    """Return the version of a package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
