"""Files that appear only when they are whole."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EISDIR
from pathlib import Path

from moose.base.errors import MooseError


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """Give a name beside a file to write to; at the end, if nothing was raised, what stands there becomes the file.

    A link stays a link, and a new file has the permissions that the umask says. A device or a pipe is never replaced:
    its own name is given.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        yield draft
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Do as `draft_of`, and say it as a `MooseError` where the file cannot be written."""
    try:
        with draft_of(path) as draft:
            yield draft
    except OSError as error:
        raise _unwritable(path, error) from None


def check_writable(path: Path) -> None:
    """Say now that a file cannot be written, before long work whose result it would hold."""
    if path.exists() and not path.is_file() and not path.is_dir():
        return
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> MooseError:
    reason = (error.strerror or type(error).__name__).lower()
    return MooseError(f"{path}: cannot be written ({reason}); check the folder, its permissions and the disk")


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write pieces of text to a file, whole or not at all."""
    with whole_file(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(pieces)


def is_file_name(name: object) -> bool:
    r"""Return whether something is text that can name a file, or a part of one, on any system, and in no other folder.

    >>> is_file_name("my plan (2)"), is_file_name("../plan"), is_file_name("plan\x1b[2J")
    (True, False, False)
    """
    if not isinstance(name, str):
        return False
    return name.isprintable() and name.strip(". ") != "" and not set(name) & set('/\\:*?"<>|')
