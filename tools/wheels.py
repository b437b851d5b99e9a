"""Say for which systems and versions of Python the index has wheels of what Moose depends on, as a table.

python tools/wheels.py [packages…]

Names of the files in the index are all that is looked at: nothing is downloaded. A version of Python counts where any
version of the package that pyproject.toml allows has a wheel for it. Without arguments, the packages are
those of pyproject.toml that are needed, and those of the extras `learn`, `shortcuts`, `bench` and `ray`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from packaging.requirements import Requirement
from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

INDEX = "https://pypi.org/simple"
PROJECT = Path(__file__).parent.parent / "pyproject.toml"
EXTRAS = ("learn", "shortcuts", "bench", "ray")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = {
    "Linux x86-64": re.compile(r"(many)?linux.*x86_64"),
    "Linux ARM": re.compile(r"manylinux.*aarch64"),
    "macOS Intel": re.compile(r"macosx_.*(x86_64|universal2)"),
    "macOS ARM": re.compile(r"macosx_.*(arm64|universal2)"),
    "Windows": re.compile(r"win_amd64"),
}
FILE = re.compile(r">([^<>]+\.whl)<")
Wheel = tuple[Version, frozenset[Tag]]


def main() -> None:
    """Print the table."""
    wanted = [Requirement(one) for one in sys.argv[1:]] or requirements()
    print("| package | newest | " + " | ".join(SYSTEMS) + " |\n" + "| --- " * (len(SYSTEMS) + 2) + "|")
    for requirement in wanted:
        files = wheels(requirement)
        newest = max((version for version, _ in files), default="?")
        print(
            f"| {requirement.name} | {newest} | " + " | ".join(covered(files, one) for one in SYSTEMS.values()) + " |"
        )


def requirements() -> list[Requirement]:
    """Return what pyproject.toml asks for, Moose itself left out."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    further = [one for extra in EXTRAS for one in project["optional-dependencies"][extra]]
    return [Requirement(one) for one in [*project["dependencies"], *further] if not one.startswith("moose-el")]


def wheels(requirement: Requirement) -> list[Wheel]:
    """Return the wheels of the versions that may be installed; of development ones only if they are asked for."""
    with urlopen(f"{INDEX}/{canonicalize_name(requirement.name)}/") as answer:  # noqa: S310 - https, see above
        page = answer.read().decode("utf-8")
    found = []
    for file in FILE.findall(page):
        with suppress(InvalidWheelFilename):
            _, version, _, tags = parse_wheel_filename(file)
            if requirement.specifier.contains(version):
                found.append((version, tags))
    return found


def covered(files: list[Wheel], system: re.Pattern[str]) -> str:
    """Return the versions of Python that one system has wheels for, or that there are none."""
    fitting = [one for one in VERSIONS if any(fits(tag, one, system) for _, tags in files for tag in tags)]
    if len(fitting) == len(VERSIONS):
        return "all"
    return ", ".join(fitting) or "none"


def fits(tag: Tag, version: str, system: re.Pattern[str]) -> bool:
    """Return whether a wheel can be installed."""
    own = "cp" + version.replace(".", "")
    is_stable = tag.abi == "abi3" and int(tag.interpreter.removeprefix("cp3")) <= int(version.removeprefix("3."))
    is_python = (tag.interpreter == own and tag.abi in {own, "none"}) or is_stable or tag.interpreter == "py3"
    return is_python and (tag.platform == "any" or system.fullmatch(tag.platform) is not None)


if __name__ == "__main__":
    main()
