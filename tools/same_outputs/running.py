"""Running every case against a checkout, some at a time."""

from __future__ import annotations

import json
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tools.same_outputs import Mistake
from tools.same_outputs.cases import Case, all_cases, fits, read_lines
from tools.same_outputs.commands import WARMING
from tools.same_outputs.place import STEP_LIMIT, Place


class Server:
    """A process that has Moose loaded and forks off another one for each command (`server.py`)."""

    def __init__(self, place: Place) -> None:
        """Start it; it gets ready while others work."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name("server.py").resolve()), str(STEP_LIMIT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=place.environment,
            cwd=place.folder / "home",
        )
        self._write([shlex.split(line.replace("IN/", f"{place.inputs}/")) for line in read_lines(WARMING)])

    def run(self, words: Sequence[str], cwd: Path, outputs: tuple[Path, Path]) -> int:
        """Have a command run, and return its exit code."""
        assert self._process.stdout is not None
        self._write({"words": list(words), "cwd": str(cwd), "outputs": [str(output) for output in outputs]})
        answer = self._process.stdout.readline()
        if not answer:
            raise Mistake(f"the process that serves commands ended at: moose {shlex.join(words)}")
        return int(answer)

    def stop(self) -> None:
        """Let it end."""
        self._process.communicate()

    def _write(self, message: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def run(place: Place, *, only: str | None, fresh: bool, jobs: int) -> None:
    """Run the cases whose names fit, or all; with `fresh` every command in an interpreter of its own."""
    start = time.perf_counter()
    cases = [case for case in all_cases(place.inputs) if not only or fits(case, only) if place.has(case)]
    servers = SimpleQueue[Server]()
    started = [Server(place) for _ in range(0 if fresh else jobs)]
    for server in started:
        servers.put(server)

    def run_one(case: Case) -> None:
        if fresh or not case.is_forked:
            run_case(place, case, None)
            return
        server = servers.get()
        try:
            run_case(place, case, server)
        finally:  # one that has ended is put back too, so that nobody waits for it for ever
            servers.put(server)

    try:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(run_one, cases))
    finally:
        for server in started:
            server.stop()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu, wall = used.ru_utime + used.ru_stime, time.perf_counter() - start
    commands = sum(len(case.commands) for case in cases)
    print(f"{commands} commands of {len(cases)} cases, {cpu:.0f} s of CPU and {wall:.0f} s of wall time")


def run_case(place: Place, case: Case, server: Server | None) -> None:
    """Run the commands of a case and keep what they put out; empty outputs are not kept."""
    home = place.folder / "cases" / case.name
    cwd = home / "files"
    cwd.mkdir(parents=True)
    with (home / "exits.txt").open("w") as exits, (home / "commands.txt").open("w") as commands:
        for number, command in enumerate(case.commands, 1):
            words = [one for word in place.spell(command) for one in expand(word, cwd)]
            label = f"{number:02}-{words[0].strip('-')}"
            outputs = (home / f"{label}.out", home / f"{label}.err")
            code = run_fresh(place, words, cwd, outputs) if server is None else server.run(words, cwd, outputs)
            exits.write(f"{label}\t{code}\n")
            commands.write(f"{label}\tmoose {shlex.join(words)}\n")
            for output in outputs:
                if output.stat().st_size == 0:
                    output.unlink()


def expand(word: str, cwd: Path) -> list[str]:
    """Replace a pattern by the files that fit, as a shell does."""
    return sorted(path.name for path in cwd.glob(word)) or [word] if word.startswith("*.") else [word]


def run_fresh(place: Place, words: Sequence[str], cwd: Path, outputs: tuple[Path, Path]) -> int:
    """Run a command in an interpreter of its own, and return its exit code."""
    command = [sys.executable, "-m", "moose", *words]
    with outputs[0].open("wb") as out, outputs[1].open("wb") as err:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd, env=place.environment
        )
        try:
            return process.wait(STEP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()
