"""Comparing what two runs have put out, byte for byte apart from what is passed over."""

from __future__ import annotations

import fnmatch
import io
import re
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tools.same_outputs import Mistake
from tools.same_outputs.named import WIDER_COVER, is_of_wider_cover, name_difference

PASSED_OVER: dict[str, tuple[bytes, bytes]] = {
    "seconds in JSON": (rb'(\\?"(?:opening_|evaluation_|cpu_)?seconds\\?": )[-+.0-9eE]+', rb"\1_"),
    "the time of `moose compile`": (rb"(?m)^(seconds\t)[.0-9e-]+$", rb"\1_"),
    "the time of `moose train`": (rb"(?m)^(trained in\t)[.0-9]+ s$", rb"\1_ s"),
    "the times of `moose bench run`": (rb"(?m)^(\[\d+/\d+\] .*, )[.0-9e-]+ s; about .* left$", rb"\1_ s"),
}
NOT_COMPARED = {
    "commands.txt": "an option may be spelt otherwise",
    "store": "has dates, times, the commit and the load of the machine; what `moose bench` prints is compared",
}


def compare(first_folder: Path, second_folder: Path, excepted_patterns: Sequence[str]) -> bool:
    """Print a line for each difference that has no name, then how many have one; tell whether all have."""
    first, second = read_outputs(first_folder), read_outputs(second_folder)
    both = sorted(first.keys() & second.keys())
    contents = {name: (read_content(first[name]), read_content(second[name])) for name in both}
    differing = {name: pair for name, pair in contents.items() if pair[0] != pair[1]}
    named = {name: kind.name for name, pair in differing.items() if (kind := name_difference(name, *pair)) is not None}
    found = missing_cases(first, second) | {
        name: difference(*pair) for name, pair in differing.items() if name not in named
    }
    covered = [name for name in found if is_of_wider_cover(name, first, second)]
    named |= dict.fromkeys(covered, WIDER_COVER)
    found = {name: said for name, said in found.items() if name not in named}
    excepted = {name for name in found if any(fnmatch.fnmatch(name, pattern) for pattern in excepted_patterns)}
    for name in sorted(found.keys() - excepted):
        print(f"{name}: {found[name]}")
    kept = [*PASSED_OVER, *(f"{name} ({why})" for name, why in NOT_COMPARED.items())]
    print(f"passed over: {'; '.join(kept)}")
    print(f"{len(both)} files compared, {len(both) - len(differing)} of them equal")
    for shown, count in Counter(named.values()).most_common():
        print(f"{count} differ in that {shown}")
    print(f"{len(found)} other differences, {len(excepted)} of them excepted")
    return not found.keys() - excepted


def missing_cases(first: Mapping[str, Path], second: Mapping[str, Path]) -> dict[str, str]:
    """Say which files only one folder has; of a case that it lacks altogether, only the case."""
    missing = dict[str, str]()
    for which, ours, theirs in (("first", first, second), ("second", second, first)):
        cases = {case_of(name) for name in theirs}
        for name in ours.keys() - theirs.keys():
            missing[name if case_of(name) in cases else case_of(name)] = f"only in the {which} folder"
    return missing


def case_of(name: str) -> str:
    """Return the case that a file is of, or `inputs` and the like."""
    return "/".join(name.split("/")[: 2 if name.startswith("cases/") else 1])


def read_outputs(folder: Path) -> dict[str, Path]:
    """List all files that are to be compared, by their names within the folder."""
    if not (folder / "cases").is_dir():
        raise Mistake(f"{folder}: expected a folder that `run` has filled, but it has no cases")
    found = (path for part in ("cases", "inputs") for path in sorted((folder / part).rglob("*")) if path.is_file())
    names = {str(path.relative_to(folder)): path for path in found}
    return {name: path for name, path in names.items() if not set(name.split("/")) & NOT_COMPARED.keys()}


def read_content(path: Path) -> bytes:
    """Read a file without what is passed over."""
    return normalise(path.read_bytes(), path.name)


def difference(one: bytes, other: bytes) -> str:
    """Say how two contents differ."""
    sizes = f"of {len(one)} and {len(other)} bytes"
    if b"\0" in one or b"\0" in other:
        return f"from byte {begin_of_difference(one, other)} on, {sizes}, times aside"
    for number, (left, right) in enumerate(zip(one.splitlines(), other.splitlines()), 1):
        if left != right:
            return f"line {number}: {shorten(left, right)} | {shorten(right, left)}"
    return f"{sizes}, the one begins with the other"


def begin_of_difference(one: bytes, other: bytes) -> int:
    """Count the bytes with which both begin."""
    pairs = enumerate(zip(one, other))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def shorten(line: bytes, other: bytes) -> str:
    """Show a line from a little before where it differs from another."""
    same = begin_of_difference(line, other)
    begin = max(0, same - 30)
    return ("…" if begin else "") + line[begin : same + 60].decode("utf-8", "backslashreplace")


def normalise(content: bytes, name: str) -> bytes:
    """Take out what is passed over."""
    if content.startswith(b"PK"):
        with suppress(zipfile.BadZipFile):  # one that is damaged is compared as it is
            return normalise_archive(content)
    if name.endswith(".safetensors"):  # the length of the header, the header with its times, the numbers
        length = int.from_bytes(content[:8], "little")
        content = content[8 : 8 + length].rstrip() + b"\n" + content[8 + length :]
    for pattern, replacement in PASSED_OVER.values():
        content = re.sub(pattern, replacement, content)
    return content


def normalise_archive(content: bytes) -> bytes:
    """Join a circuit's arrays, without the time that its description has, its length, and its digest."""
    parts = list[bytes]()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in archive.namelist():
            part = archive.read(member)
            if member == "about.npy":
                part = normalise(part.partition(b"\n")[2], member)
            parts.append(member.encode() + b"\n" + (b"" if member == "digest.npy" else part))
    return b"\n".join(parts)
