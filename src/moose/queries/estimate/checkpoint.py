"""A file to go on from: written whole after a step, and refused where it is of something else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from moose.base.errors import MooseError
from moose.base.whole_files import whole_file

FORMAT = "moose probabilities 1"


@dataclass(frozen=True)
class LearningState:
    """How far learning has come."""

    values: tuple[float, ...]
    history: tuple[float, ...] = ()
    """The objective before each step."""


def fingerprint(parts: Sequence[object]) -> str:
    """Return a name of all that must be the same when learning goes on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def write_checkpoint(path: Path, state: LearningState, name: str) -> None:
    """Write how far learning has come; the file is there only when it is whole."""
    content = {"format": FORMAT, "fingerprint": name, "values": state.values, "history": state.history}
    with whole_file(path) as draft:
        draft.write_text(json.dumps(content) + "\n", encoding="utf-8", newline="\n")


def read_checkpoint(path: Path, name: str, count: int) -> LearningState | None:
    """Read it back; none where there is no file yet."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise MooseError(f"{path}: expected a checkpoint of learning probabilities, but got something else; delete it")
    values, history = content.get("values"), content.get("history")
    if content.get("fingerprint") != name or not isinstance(values, list) or len(values) != count:
        raise MooseError(
            f"{path}: expected a checkpoint of this ontology, these cases and options, but it is of others; "
            "delete it or name another file"
        )
    return LearningState(tuple(map(float, values)), tuple(map(float, history or ())))
