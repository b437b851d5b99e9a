"""Take files out of an archive or a folder: nothing is written, nothing but plain files is read, sizes are bounded."""

from __future__ import annotations

import tarfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from moose.base.errors import MooseError

ARCHIVES = (".tar.gz", ".tgz", ".tar")
LARGEST = 1 << 26
"""Bytes of one file: the largest that is published has 5 million."""
MOST_MEMBERS = 10_000
UNREADABLE = (OSError, tarfile.TarError, EOFError, zlib.error)


def find_archive(place: Path) -> Path:
    """Return an archive, or the folder to look in: one with an archive and nothing unpacked stands for the archive."""
    if place.is_dir() and not any(one.is_dir() for one in place.iterdir()):
        archives = [one for one in sorted(place.iterdir()) if one.name.endswith(ARCHIVES)]
        if len(archives) == 1:
            return archives[0]
    return place


def read_texts(place: Path, wanted: Collection[str]) -> dict[str, str]:
    """Return the text of each wanted file that is there, whatever folder the wanted paths begin in."""
    try:
        if place.is_dir():
            return {path: _text(file.read_bytes(), str(file)) for path, file in _in_folder(place, wanted)}
        return dict(_in_archive(place, wanted))
    except UNREADABLE as error:
        raise MooseError(f"{place}: cannot be read ({error}); get it again, or name another one") from None


def _in_folder(folder: Path, wanted: Collection[str]) -> Iterator[tuple[str, Path]]:
    for path in wanted:
        parts = PurePosixPath(path).parts
        # The folder may be the one that the paths begin in, or one inside it that they pass.
        for start in range(len(parts)):
            file = folder.joinpath(*parts[start:])
            if file.is_file():
                if file.stat().st_size > LARGEST:
                    raise MooseError(f"{file}: expected at most {LARGEST:,} bytes, but it has more; get it again")
                yield path, file
                break


def _in_archive(archive: Path, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    with tarfile.open(archive) as members:
        for count, member in enumerate(members):
            if count >= MOST_MEMBERS or member.size > LARGEST:
                raise MooseError(
                    f"{archive}: expected at most {MOST_MEMBERS:,} files of at most {LARGEST:,} bytes, but found more "
                    f"at {member.name}; get it again"
                )
            path = next((path for path in wanted if f"/{member.name}".endswith(f"/{path}")), None)
            if path is None or not member.isfile():
                continue
            stream = members.extractfile(member)
            assert stream is not None
            yield path, _text(stream.read(LARGEST), f"{archive}:{member.name}")


def _text(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MooseError(f"{where}: expected text in UTF-8, but byte {error.start:,} is none; get it again") from None
