"""A case: what is read, what is done with it, and how it went; as values and as JSON files."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random


class Wrong(Exception):
    """Two answers that should agree do not, or an output is not as it must be."""


class TooLong(BaseException):
    """The limit on processor time is reached; no `except Exception` may take it for something else."""


@dataclass(frozen=True, slots=True)
class Case:
    """Files and what to do with them; the first file is the one that is read."""

    target: str
    kind: str
    """The syntax or the kind of the first file."""
    files: Mapping[str, bytes]
    seed: str
    """Decides whatever else is chosen at random, such as goals and options."""

    def random(self) -> Random:
        """Return the source of all further choices."""
        return Random(f"choices of {self.seed}")  # noqa: S311 - these choices must be repeatable

    @property
    def first(self) -> str:
        """Return the name of the file that is read."""
        return next(iter(self.files))

    def write(self, folder: Path) -> Path:
        """Write the files and return the first."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / self.first

    def to_json(self, what: str = "") -> str:
        """Write the case, and what was found by it, as JSON."""
        files = {name: _as_text(content) for name, content in self.files.items()}
        value = {"what": what, "target": self.target, "kind": self.kind, "seed": self.seed, "files": files}
        return json.dumps(value, indent=1) + "\n"


def read_case(path: Path) -> Case:
    """Read a case."""
    value = json.loads(path.read_text("utf-8"))
    files = {name: _as_bytes(content) for name, content in value["files"].items()}
    return Case(value["target"], value["kind"], files, value["seed"])


def _as_text(content: bytes) -> str | dict[str, str]:
    """Return text where the bytes are text, or else base64."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def _as_bytes(content: str | dict[str, str]) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else base64.b64decode(content["base64"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case went: `read`, `refused` (in a sentence) or `found`, with the steps that were reached."""

    state: str
    steps: tuple[str, ...] = ()
    what: str = ""
    """In one line, what was found."""
    signature: str = ""
    """What findings of one cause have in common."""
    details: str = field(default="", repr=False)
    """The traceback."""
    seconds: float = 0.0
    megabytes: float = 0.0
    """The most memory that the process had taken by then."""
