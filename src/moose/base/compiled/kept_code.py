"""Compiled code kept on disk between runs, in a folder that nobody else can write to.

Reading it means running it: it is machine code, some of it filed by numba with pickle. So the folder is the user's own,
and is left alone where another user could have put something there. A file that was cut or altered by accident is seen
by its digest and compiled anew. Without a folder everything works, only slower; one line says so.
"""

from __future__ import annotations

import os
import pickle
import stat
import sys
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from moose.base.errors import MooseWarning
from moose.base.whole_files import draft_of

DIGEST_SIZE = 32


class UnsafeFolder(Exception):
    """A folder cannot be used for compiled code; says why."""


@cache
def folder() -> Path | None:
    """Return the folder for compiled code, made if need be; None, after a warning, where there can be none."""
    try:
        return owned_folder(folder_path())
    except (UnsafeFolder, OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        warnings.warn(
            f"compiled code is not kept, so every run compiles anew ({reason}); "
            "set XDG_CACHE_HOME to a folder that is yours alone",
            MooseWarning,
            stacklevel=2,
        )
        return None


def folder_path() -> Path:
    """Return the folder `moose/code` among the user's caches."""
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "moose" / "code"


def owned_folder(path: Path) -> Path:
    """Make a folder that only the user can enter, and check that no other user could have changed what is in it."""
    if not path.is_absolute():
        raise UnsafeFolder(f"{path} is no absolute path")
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    real = Path(os.path.realpath(path))
    if not os.access(real, os.W_OK | os.X_OK):
        raise UnsafeFolder(f"{path} cannot be written")
    for one in (real, *real.parents):
        check_owner(one, is_last=one == real)
    return real


def check_owner(path: Path, *, is_last: bool) -> None:
    """Refuse a folder that others could replace: not the user's, or writable by them without the sticky bit."""
    if os.name == "nt":  # owners and modes mean something else there; profiles are private
        return
    status = path.stat()
    if status.st_uid not in ({os.geteuid()} if is_last else {os.geteuid(), 0}):
        raise UnsafeFolder(f"{path} belongs to another user")
    others_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if others_write and (is_last or not status.st_mode & stat.S_ISVTX):
        raise UnsafeFolder(f"others can write to {path}")


def read(path: Path) -> bytes | None:
    """Return kept code, or None where there is none that is whole."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, code = content[:DIGEST_SIZE], content[DIGEST_SIZE:]
    return code if sha256(code).digest() == digest else None


def write(path: Path, code: bytes) -> None:
    """Keep code under its digest; a disk that is full loses only that."""
    try:
        with draft_of(path) as draft:
            draft.write_bytes(sha256(code).digest() + code)
    except OSError:
        return


class KeptCode:
    """What numba asks for code compiled before, and gives what it compiled, for one function.

    It has the methods of numba's own cache, in whose place it is put; the name must tell all that the code depends on
    but the types of the arguments, the processor and the versions.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def load_overload(self, signature: object, target_context: Any) -> object | None:  # numba's
        """Return the code for arguments of some types, or None where there is none that is whole."""
        from numba.core import compiler

        rebuild: Callable[..., object] = compiler.CompileResult._rebuild
        path = self._path(signature, target_context.codegen())
        code = read(path) if path else None
        if code is None:
            return None
        target_context.refresh()
        try:
            result = rebuild(target_context, *pickle.loads(code))  # noqa: S301  # see above
        except Exception:  # noqa: BLE001  # whatever is wrong with a file, compiling anew is right
            return None
        return result

    def save_overload(self, signature: object, result: Any) -> None:  # numba's
        """Keep what was compiled; a disk that is full loses only that."""
        from numba.core import serialize

        dumps: Callable[[object], bytes] = serialize.dumps
        if path := self._path(signature, result.codegen):
            write(path, dumps(result._reduce()))

    def _path(self, signature: object, codegen: Any) -> Path | None:  # numba's
        import numba

        where = folder()
        if where is None:
            return None
        key = repr((self._name, str(signature), codegen.magic_tuple(), numba.__version__, sys.version))
        return where / f"{sha256(key.encode()).hexdigest()[:40]}.code"
