"""The state of a training after an epoch: enough to go on as if nothing had happened."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic
from typing import cast

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.fit.watchers import Epoch
from moose.learning.tensor_files import read_tensors, write_tensors, write_whole

NAME = "checkpoint.safetensors"
LOG = "log.jsonl"
SEARCH = "search"
"""The folder, in that of a run, of a training that finds how many epochs are best."""
FORMAT = 2
EVERY = 1.0
"""Seconds between two checkpoints at least: each is written whole, with the log of all epochs."""
DIGESTS = ("task", "tasks of the examples", "set of examples", "set of validation examples")
"""Settings that would tell a reader nothing."""
SPELT = {"lr": "learning rate", "weight_decay": "weight decay"}
"""What torch abbreviates."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best weights so far, by the loss on the validation examples."""

    epoch: int
    loss: float
    state: dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a training stands."""

    epoch: int
    """How many epochs are done."""
    network: dict[str, Tensor]
    optimiser: dict[str, object]
    history: tuple[Epoch, ...]
    best: Best | None


@dataclass(slots=True)
class Keeper:
    """Writes the checkpoint and the log of a training: after the first epoch, then once a second, and at the end."""

    folder: Path | None
    settings: dict[str, object]
    _waiting: Checkpoint | None = None
    _written: float = float("-inf")

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint if it is time, or else remember it."""
        if self.folder is None:
            return
        # The state of an optimiser is its own tensors, which the next step changes.
        is_due = monotonic() - self._written >= EVERY
        self._waiting = checkpoint if is_due else replace(checkpoint, optimiser=deepcopy(checkpoint.optimiser))
        if is_due:
            self.flush()

    def flush(self) -> None:
        """Write what is remembered, if anything is: at the end, however it comes."""
        last, self._waiting = self._waiting, None
        if last is None or self.folder is None:
            return
        write_checkpoint(self.folder, last, self.settings)
        lines = "".join(json.dumps(line.as_dict()) + "\n" for line in last.history)
        write_whole(self.folder / LOG, lines.encode())
        self._written = monotonic()


def write_checkpoint(folder: Path, checkpoint: Checkpoint, settings: dict[str, object]) -> None:
    """Write a checkpoint over the last one, in one step."""
    tensors = {f"network/{name}": tensor for name, tensor in checkpoint.network.items()}
    if checkpoint.best is not None:
        tensors |= {f"best/{name}": tensor for name, tensor in checkpoint.best.state.items()}
    numbers = dict[str, dict[str, object]]()
    state = cast(dict[int, dict[str, object]], checkpoint.optimiser["state"])
    for parameter, values in state.items():
        numbers[str(parameter)] = {}
        for name, value in values.items():
            if isinstance(value, Tensor):
                tensors[f"optimiser/{parameter}/{name}"] = value
            else:
                numbers[str(parameter)][name] = value
    facts: dict[str, object] = {
        "format": FORMAT,
        "settings": settings,
        "epoch": checkpoint.epoch,
        "history": [asdict(epoch) for epoch in checkpoint.history],
        "best": None if checkpoint.best is None else {"epoch": checkpoint.best.epoch, "loss": checkpoint.best.loss},
        "optimiser": {"state": numbers, "param_groups": checkpoint.optimiser["param_groups"]},
    }
    write_tensors(folder / NAME, tensors, facts)


def read_checkpoint(folder: Path, settings: dict[str, object]) -> Checkpoint | None:
    """Read the checkpoint of a folder, none if there is none; refuse that of another task or training."""
    path = folder / NAME
    if not path.exists():
        return None
    tensors, facts = read_tensors(path)
    try:
        return _checkpoint(path, settings, tensors, facts)
    except MooseError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise MooseError(
            f"{path}: expected a checkpoint that Moose wrote, but a part of it is missing or of another kind "
            f"({type(error).__name__}: {error!s:.80}); remove it to begin anew"
        ) from None


def _checkpoint(
    path: Path, settings: dict[str, object], tensors: dict[str, Tensor], facts: dict[str, object]
) -> Checkpoint:
    if facts.get("format") != FORMAT:
        raise MooseError(f"{path}: expected a checkpoint of format {FORMAT}, but got {facts.get('format')!r}")
    saved = cast(dict[str, object], facts["settings"])
    if "method" in settings and "method" not in saved:
        raise MooseError(
            f"{path}: expected the checkpoint of a method, but it is one that the ConceptLearner of an earlier Moose "
            f"wrote, and a training cannot go on from it; choose another folder, or remove it to begin anew"
        )
    if differing := differences(saved, settings):
        raise MooseError(
            f"{path}: is the checkpoint of another training, whose {'; '.join(differing)}; give what it was to go on, "
            f"choose another folder, or remove it to begin anew"
        )
    best = cast(dict[str, float] | None, facts["best"])
    return Checkpoint(
        epoch=cast(int, facts["epoch"]),
        network=_part(tensors, "network/"),
        optimiser=_optimiser(tensors, cast(dict[str, object], facts["optimiser"])),
        history=tuple(Epoch(**epoch) for epoch in cast(list[dict[str, float]], facts["history"])),  # type: ignore[arg-type]
        best=None if best is None else Best(int(best["epoch"]), best["loss"], _part(tensors, "best/")),
    )


def differences(there: dict[str, object], here: dict[str, object]) -> list[str]:
    """Say which settings differ, and those alone; of another method or task, that it is another one is enough.

    >>> differences({"optimiser": "Adam(eps=1e-08, lr=0.1)"}, {"optimiser": "Adam(eps=1e-08, lr=0.5)"})
    ['learning rate differs: 0.1 there, 0.5 here']
    """
    names = [name for name in dict.fromkeys((*here, *there)) if here.get(name) != there.get(name)]
    if "method" in names:
        names = ["method"]
    spelt = [name for name in names if name not in DIGESTS]
    parts = [part for name in spelt for part in _parts(name, there.get(name), here.get(name))]
    told = [f"{name} differs: {was} there, {now} here" for name, was, now in parts]
    return told or [f"{name} differs" for name in names[:1]]


def _parts(name: str, there: object, here: object) -> list[tuple[str, str, str]]:
    """Return which parts of a setting differ, spelt: options of a method, or numbers of an optimiser."""
    if isinstance(there, dict) and isinstance(here, dict):
        keys = [key for key in dict.fromkeys((*there, *here)) if there.get(key) != here.get(key)]
        return [(f"option {key}", repr(there.get(key)), repr(here.get(key))) for key in keys]
    if name == "optimiser" and isinstance(there, str) and isinstance(here, str):
        (kind, was), (other, now) = _numbers(there), _numbers(here)
        if kind == other and was.keys() == now.keys():
            keys = [key for key in was if was[key] != now[key]]
            return [(SPELT.get(key, key), was[key] or "nothing", now[key] or "nothing") for key in keys]
    return [(name, repr(there), repr(here))]


def _numbers(optimiser: str) -> tuple[str, dict[str, str]]:
    """Take apart what `settings_of` put together; numbers of groups of parameters are taken as one."""
    kind, _, rest = optimiser.partition("(")
    numbers, _, own = rest.rpartition(")")
    parts = (part.partition("=") for part in re.split(r", (?=\w+=)", numbers))
    return kind, {key: value for key, _, value in parts} | {"optimiser": own.strip()}


def stage_folder(folder: Path, number: int, count: int) -> Path:
    """Return where one of several stages keeps its checkpoint: in the folder itself, if there is but one."""
    return folder if count == 1 else folder / f"stage-{number + 1}"


def last_epoch(folder: Path) -> str | None:
    """Say after which epoch the same training would go on from what a folder holds; None if it would begin anew.

    A search for the best number of epochs is over once the training after it has begun.
    """
    for place in (folder, folder / SEARCH):
        stages = sorted(place.glob(f"stage-*/{NAME}"), key=lambda path: int(path.parent.name.removeprefix("stage-")))
        path = stages[-1] if stages else place / NAME
        if path.exists():
            where = "" if path.parent == folder else f" in {path.parent.relative_to(folder).as_posix()}"
            return f"epoch {read_tensors(path)[1].get('epoch')}{where}"
    return None


def refuse_other_stages(folder: Path, count: int) -> None:
    """Refuse the folder of a training in one stage where this one has several, and the other way round."""
    path = stage_folder(folder, 0, 1 if count > 1 else 2) / NAME
    if path.exists():
        raise MooseError(
            f"{path}: is the checkpoint of another training, whose number of stages differs; "
            f"choose another folder, or remove it to begin anew"
        )


def settings_of(optimiser: torch.optim.Optimizer) -> str:
    """Return the name of an optimiser, with its numbers; whether a step is fused says how it is computed only."""
    known = {name: None if name == "fused" else value for name, value in optimiser.defaults.items()}
    numbers = ", ".join(f"{name}={value}" for name, value in sorted(known.items()))
    own = [
        {name: value for name, value in group.items() if name != "params" and value != optimiser.defaults.get(name)}
        for group in optimiser.param_groups
    ]
    return f"{type(optimiser).__name__}({numbers}){f' {own}' if any(own) else ''}"


def restore(network: nn.Module, state: dict[str, Tensor], where: str) -> None:
    """Put saved weights into a network; say so if they are another network's."""
    try:
        network.load_state_dict(state)
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise MooseError(f"{where}: holds the weights of another network: {reason}") from None


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _optimiser(tensors: dict[str, Tensor], facts: dict[str, object]) -> dict[str, object]:
    numbers = cast(dict[str, dict[str, object]], facts["state"])
    state = {int(parameter): dict(values) for parameter, values in numbers.items()}
    for name, tensor in _part(tensors, "optimiser/").items():
        parameter, _, key = name.partition("/")
        state[int(parameter)][key] = tensor
    return {"state": state, "param_groups": facts["param_groups"]}
