"""Measuring what some commands cost, the checkouts by turns."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.same_outputs import Mistake
from tools.same_outputs.cases import Case
from tools.same_outputs.commands import TIMED
from tools.same_outputs.place import Place


class Usage(NamedTuple):
    """What a program used, in seconds."""

    user: float
    cpu: float
    wall: float


def measure(places: Sequence[Place], *, runs: int) -> None:
    """Print the least of several runs of some commands, after a run that is not counted."""
    names = [place.checkout.name for place in places]
    print("\t".join(f"{name}: user CPU s\tuser + system\twall" for name in names) + "\tcommand", flush=True)
    for shown, words in programs(places).items():
        taken: list[list[Usage]] = [[] for _ in places]
        for _ in range(runs + 1):
            for place, uses, spelt in zip(places, taken, words):
                uses.append(use(place, spelt))
        least = [min(column) for uses in taken for column in zip(*uses[1:])]
        print("\t".join(f"{seconds:.3f}" for seconds in least) + f"\t{shown}", flush=True)
    load, cores = os.getloadavg()[0], os.cpu_count()
    print(f"the least of {runs} runs each, after a warm-up; {cores} cores, load average at the end {load:.1f}")


def programs(places: Sequence[Place]) -> dict[str, list[list[str]]]:
    """Return what is measured: how it is shown, and the words that Python gets in each checkout."""
    found = {
        "python -m moose --version": [["-m", "moose", "--version"]] * len(places),
        'python -c "import moose"': [["-c", "import moose"]] * len(places),
    }
    for name, command in TIMED.items():
        case = Case(name, (command,), is_forked=False)
        if all(place.has(case) for place in places):
            found[f"moose {command}"] = [["-m", "moose", *place.spell(command)] for place in places]
    return found


def use(place: Place, words: Sequence[str]) -> Usage:
    """Run a Python program and return what it used."""
    cwd = place.folder / "cases" / "time" / "files"
    cwd.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    with Path(os.devnull).open("wb") as nowhere:
        process = subprocess.Popen(
            [sys.executable, *words], stdout=nowhere, stderr=nowhere, cwd=cwd, env=place.environment
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it again
    if process.returncode != 0:
        raise Mistake(f"`python {shlex.join(words)}` ended with status {process.returncode}")
    return Usage(used.ru_utime, used.ru_utime + used.ru_stime, time.perf_counter() - start)
