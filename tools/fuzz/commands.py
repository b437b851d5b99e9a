"""The command `moose` on the files of a case: in this process, or in one of its own."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random

import typer

from moose.cli import app, main
from moose.cli.common import messages
from moose.owl.syntax.functional.write_functional import render
from tools.fuzz.case import Case
from tools.fuzz.documents import ENDINGS
from tools.fuzz.oracles import demand
from tools.fuzz.random_axioms import random_goal
from tools.fuzz.token_mutations import mutate

CODES = {0, messages.DOES_NOT_FOLLOW, messages.BAD_INPUT, messages.INCONSISTENT, messages.NOT_FOUND}
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SECONDS = 120
"""For a process of its own: it may have to compile."""

# ── What is asked ─────────────────────────────────────────────────────────────────────────────────────────────────


def goal_text(case: Case, random: Random) -> str:
    """Draw a goal, now and then one that is spoilt, with names of the file."""
    names = re.findall(rb"[:#/]([A-Za-z]\w*)", case.files[case.first])[:30]
    short = [name.decode("ascii") for name in names if name.isalnum()] or ["A"]
    text = render(random_goal(random, [], []))
    for old in set(re.findall(r"<http://example\.org/\w+>", text)):
        text = text.replace(old, random.choice((old, random.choice(short))))
    if random.randrange(3) == 0:
        text = mutate(text.encode(), text.encode(), random).decode("utf-8", "replace")
    # What starts with a dash is an option; no argument of a process can hold a null character.
    return text.lstrip("-").replace("\0", "")[:2_000]


def draw_arguments(case: Case, path: Path, random: Random) -> list[str]:
    """Draw a command for the first file."""
    extra = ["--json"] if random.randrange(2) else []
    if case.kind in ENDINGS:
        return ontology_arguments(case, path, random) + extra
    goal = "ClassAssertion(LymePatient anna)"
    chosen = {
        "probabilities": [["query", str(path.with_name("clinic.ofn")), goal, "--probabilities", str(path)]],
        "certificate": [["verify", str(path)], ["verify", str(path), str(path)]],
        "task": [
            ["compile", str(path), "--time-limit", "5"],
            ["ask", str(path), "--evidence", "Hard(a), not Soft(b)"],
            ["shortcuts", str(path), "--time-limit", "5"],
        ],
        "circuit": [["ask", str(path)], ["check", str(path)]],
        "store": [["bench", "list", "--store", str(path)], ["check", str(path)]],
        "model": [["evaluate", str(path.parent)], ["predict", str(path.parent), str(path)]],
        "image": [
            ["check", str(path)],
            ["data", "show", "mnist", "mnist1", "--folder", str(path.parent), "-o", str(path.with_name("out.png"))],
        ],
    }
    return random.choice(chosen[case.kind]) + (extra if case.kind not in ("store", "model", "image") else [])


def ontology_arguments(case: Case, path: Path, random: Random) -> list[str]:
    """Draw a command for an ontology."""
    file, out = str(path), str(path.with_name("out"))
    commands = [
        ["check", file],
        ["check", file, "--strict"],
        ["classify", file],
        ["classify", file, "--closure", "-o", out],
        ["classify", file, "--format", "ofn"],
        ["classify", file, "--certificate", out],
        ["realise", file],
        ["realise", file, "--roles"],
        ["explain", file, goal_text(case, random)],
        ["explain", file, goal_text(case, random), "--certificate", out],
        ["explain", file, goal_text(case, random), "--format", random.choice(("text", "svg", "dot"))],
        ["explain", file, "--inconsistency"],
        ["query", file, goal_text(case, random), "--justifications", "1"],
        ["query", file, "consistent"],
        ["encode", file, goal_text(case, random), "-o", out],
    ]
    return [*random.choice(commands), *(["--ignore-missing-imports"] if random.randrange(4) else [])]


# ── How it is run ─────────────────────────────────────────────────────────────────────────────────────────────────


def run_command(case: Case, path: Path, steps: list[str]) -> None:
    """Run the command in this process."""
    arguments = draw_arguments(case, path, case.random())
    steps.append(arguments[0])
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    build_once()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    out.flush()
    err.flush()
    check_output(arguments, code, out.buffer.getvalue(), err.buffer.getvalue())


@cache
def build_once() -> None:
    """Let each command be built from its function once, and not again for every case: that takes longer than most."""
    make_app = app.make_app

    def built(wanted: str = "") -> object:
        return typer.main.get_command(make_app(wanted))  # which is called as what it is made of

    app.make_app = cache(built)  # type: ignore[assignment]


def run_process(case: Case, path: Path, steps: list[str]) -> None:
    """Run the command as users do."""
    arguments = draw_arguments(case, path, case.random())
    steps.append(arguments[0])
    done = subprocess.run(
        [sys.executable, "-m", "moose", *arguments],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    check_output(arguments, done.returncode, done.stdout, done.stderr)


def cause(said: str) -> str:
    """Return the last line of the traceback that an error message names, and where in Moose it was."""
    found = re.search(r"the traceback is in (\S+\.txt)", said)
    if found is None or not Path(found[1]).is_file():
        return ""
    text = Path(found[1]).read_text("utf-8")
    places = re.findall(r'/(\w+)\.py", line \d+, in (\w+)', text)
    return f"{text.strip().splitlines()[-1][:60]} in {'.'.join(places[-1]) if places else 'Moose'}: "


def check_output(arguments: list[str], code: int, out: bytes, err: bytes) -> None:
    """Demand an exit code that means something, and text that people and programs can read."""
    said = err.decode("utf-8")
    demand(code in CODES, f"{cause(said)}exit code {code} of {arguments[:1]}: {said[-300:]}")
    demand("Traceback" not in said and "too little memory" not in said, f"said {said[-300:]}")
    if code == messages.BAD_INPUT:
        lines = said.splitlines()
        demand(lines and lines[-1].startswith("moose: "), f"bad input, but said {said[-300:]!r}")
    for name, text in (("output", out.decode("utf-8")), ("error", said)):
        found = STEERING.search(text)
        demand(found is None, f"control character {found!r} on the standard {name} of {arguments[:1]}")
    if "--json" in arguments and code == 0 and out:
        json.loads(out)
