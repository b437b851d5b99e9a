"""A checkout that is run, and where its outputs go."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.same_outputs import Mistake
from tools.same_outputs.cases import Case
from tools.same_outputs.commands import SPELLINGS
from tools.same_outputs.inputs import copy_store, gather_inputs

STEP_LIMIT = 300  # seconds; the longest command takes 20, so who needs more hangs


@dataclass(frozen=True, slots=True)
class Place:
    """The checkout that is run, and where its outputs go."""

    checkout: Path
    folder: Path
    store: str | None
    hash_seed: str

    @property
    def inputs(self) -> Path:
        """The folder of what the commands read."""
        return self.folder / "inputs"

    def has(self, case: Case) -> bool:
        """Tell whether all that a case reads is there, and say what is not."""
        missing = case.missing_inputs(self.inputs)
        if self.store is None and any("STORE" in command for command in case.commands):
            missing.append("committed results")
        if missing:
            print(f"left out {case.name}: there is no {', '.join(missing)}", flush=True)
        return not missing

    @property
    def environment(self) -> dict[str, str]:
        """What the commands see of their surroundings: nobody's caches, one width, one thread."""
        home = self.folder / "home"
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "MOOSE_DATA": "nowhere",  # `data list` says where it looks: the same place in every run
            "MPLCONFIGDIR": str(home / "matplotlib"),
            "PYTHONPATH": f"{self.checkout / 'src'}{os.pathsep}{self.checkout}",
            "PYTHONHASHSEED": self.hash_seed,
            "COLUMNS": "100",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "OMP_NUM_THREADS": "1",
        }

    def check(self) -> None:
        """Refuse to run another Moose than that of the checkout; have matplotlib look for its fonts."""
        said = self.python("-c", "import moose; print(moose.__file__)").stdout.strip()
        if not Path(said).is_relative_to(self.checkout / "src"):
            raise Mistake(f"expected the Moose of {self.checkout}, but {said or 'none'} is imported")
        self.python("-c", "import matplotlib.font_manager")  # it says so when this takes long

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a Python program with the checkout's Moose on its path."""
        command = [sys.executable, *words]
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=self.environment, cwd=home, timeout=STEP_LIMIT
        )

    def spell(self, command: str) -> list[str]:
        """Split a command into words, each spelt as this checkout's command line wants it."""
        words = shlex.split(command)
        topic = " ".join(words[:2]) if words[0] in ("data", "bench") else words[0]
        spelt = list[str]()
        for word in words:
            kind, *values = word.removeprefix("@").split(":")
            if word.startswith("@") and kind in SPELLINGS:
                spelt += self.choose(topic, SPELLINGS[kind]).format(*values).split()
            elif word == "STORE" and self.store is not None:
                spelt.append(self.store)
            else:
                spelt.append(f"../../../inputs/{word[3:]}" if word.startswith("IN/") else word)
        return spelt

    def choose(self, topic: str, alternatives: Sequence[str]) -> str:
        """Return the first alternative of which the command knows every option, else the last."""
        known = help_of(self, topic)
        for alternative in alternatives:
            if all(option in known for option in re.findall(r"--[\w-]+", alternative)):
                return alternative
        return alternatives[-1]


@cache
def help_of(place: Place, topic: str) -> frozenset[str]:
    """Return the options that a command's help names."""
    return frozenset(re.findall(r"--[\w-]+", place.python("-m", "moose", *topic.split(), "--help").stdout))


def prepare(checkout: Path, folder: Path, *, data: Path | None, hash_seed: int) -> Place:
    """Gather the inputs, and check that the checkout can be run."""
    checkout, folder = checkout.resolve(), folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        raise Mistake(f"{folder}: expected a new or an empty folder, but it has files; remove them or name another")
    if data is not None and not data.is_dir():
        raise Mistake(f"{data}: expected a folder with large ontologies, but there is none")
    gather_inputs(checkout, folder, data)
    place = Place(checkout, folder, copy_store(checkout, folder), str(hash_seed))
    place.check()
    return place
