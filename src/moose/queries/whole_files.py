"""Files that appear only when they are whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from moose.errors import MooseError


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write text under a temporary name beside the file, then give it its own name."""
    try:
        descriptor, draft = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as stream:
                stream.writelines(pieces)
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise MooseError(
            f"{path}: cannot be written ({reason}); check the folder, its permissions and the disk"
        ) from None
