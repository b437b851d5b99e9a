"""Text files that appear only when they are whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from moose.owl.whole_files import whole_file


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write pieces of text to a file, whole or not at all."""
    with whole_file(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(pieces)
