"""A folder for what other libraries file for a while, also on a machine whose disks are read-only."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  # only where there is no folder for temporary files


def ensure_temporary_folder(output: Path | None) -> None:
    """See to it that there is one: PyTorch looks for it when it makes its first optimiser, though it files nothing."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        for folder in (SHARED_MEMORY, *([] if output is None else [output.absolute().parent])):
            if os.access(folder, os.W_OK | os.X_OK):
                tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
                return
