"""Tensors and JSON in one file that appears only when it is whole; nothing in it is code."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.base.suggestions import no_such_file, no_such_folder
from moose.base.user_files import is_there, parse_json, table_of
from moose.base.whole_files import whole_file

KEY = "moose"
"""Where the JSON stands in the file's own metadata."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, make sure that it is on the disk, and put it there in one step."""
    with whole_file(path) as draft:
        draft.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())


def write_tensors(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, object]) -> None:
    """Write tensors as safetensors, with facts as JSON in the metadata."""
    _need_safetensors()
    from safetensors.torch import save

    apart = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    write_whole(path, save(apart, metadata={KEY: json.dumps(facts)}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, object]]:
    """Read what `write_tensors` wrote."""
    _need_safetensors()
    from safetensors import SafetensorError, safe_open

    if not is_there(path.parent):
        raise no_such_folder(path.parent, "the folder of a model")
    if not path.exists():
        raise no_such_file(path, "a file that Moose wrote")
    try:
        with safe_open(str(path), framework="pt") as file:
            facts = parse_json((file.metadata() or {})[KEY], f"{path}: expected a file that Moose wrote, but")
            tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no dict
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise MooseError(f"{path}: {reason}; check the path") from None
    except MooseError:
        raise
    except (SafetensorError, KeyError, ValueError, TypeError) as error:
        raise MooseError(f"{path}: expected a file that Moose wrote, but it is damaged or another's: {error}") from None
    return tensors, table_of(facts, f"{path}: expected what Moose wrote with the weights, an object, but")


def copied(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copy a network's state, which would change with it."""
    return {name: tensor.detach().clone() for name, tensor in state.items()}


def digest(tensors: list[Tensor]) -> str:
    """Return a short digest of the values of tensors."""
    state = blake2b(digest_size=16)
    for tensor in tensors:
        state.update(f"{tensor.dtype} {tuple(tensor.shape)}".encode())
        state.update(tensor.contiguous().view(torch.uint8).numpy().data)
    return state.hexdigest()


def _need_safetensors() -> None:
    if find_spec("safetensors") is None:
        raise MooseError(
            "keeping weights needs safetensors, which is not installed; run `pip install 'moose-el[learn]'`"
        )
