"""What holds for every command: help, versions, exit codes, one line for each error, a quick start."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import moose as package
from moose.cli.common import options
from tests.cli.running import Command

COMMANDS = ("classify", "check", "explain", "realise")
GROUPS = {
    "Reason": ["classify", "check", "explain", "dl", "explore", "realise", "verify"],
    "Build": ["reason", "extract", "diff", "convert", "merge"],
    "Probability": ["query", "rank", "encode", "fit-probabilities", "fit-listing"],
    "Learn": ["compile", "ask", "shortcuts", "train", "evaluate", "predict", "data"],
    "Benchmark": ["bench"],
}


def run(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "moose", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_version_and_help(moose: Command) -> None:
    assert moose("--version").out == f"moose {package.__version__}\n"
    first, *others = moose("--version", "--verbose").out.splitlines()
    assert first == f"moose {package.__version__}"
    named = {line.split()[0] for line in others}
    assert {"Python", "system", "numpy", "numba", "llvmlite", "torch", "compiled"} <= named
    helped = moose("--help")
    assert helped.code == 0
    assert all(command in helped.out for command in COMMANDS)
    for command in COMMANDS:
        assert "--json" in moose(command, "--help").out


@pytest.mark.parametrize("arguments", [(), ("data",), ("bench",)])
def test_help_has_each_command_in_one_line_of_its_group(
    moose: Command, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    helped = moose(*arguments, "--help").out
    assert "..." not in helped.replace("[ARGS]...", ""), "a first sentence is too long for its line"
    groups = {title: re.findall(r"^  (\w[\w-]*)  ", rows, re.MULTILINE) for title, rows in LISTED.findall(helped)}
    assert groups.pop("Options", []) == []
    assert groups == (GROUPS if not arguments else {"Commands": SUBCOMMANDS[arguments[0]]})


LISTED = re.compile(r"^(\w+):\n((?:  .*\n?)+)", re.MULTILINE)
SUBCOMMANDS = {"data": ["list", "get", "show"], "bench": ["run", "list", "report", "pack"]}


@pytest.mark.parametrize("command", ["ask", "compile", "shortcuts", "train"])
def test_a_task_stands_by_itself(moose: Command, command: str) -> None:
    complaint = moose(command, "--regime", "mnist2").one_complaint()
    assert complaint == f"moose: a task is now given without --regime: moose {command} mnist2"
    assert "'my task.toml'" in moose(command, "--regime", "my task.toml").one_complaint()
    assert "expected a task, but got none; name a regime (mnist1," in moose(command).one_complaint()
    assert (
        "expected a regime or a task's file, but got 'mnist7'; did you mean" in moose(command, "mnist7").one_complaint()
    )
    assert "gone.toml: expected a task's file, but there is no such file" in moose(command, "gone.toml").one_complaint()
    assert "--regime" not in moose(command, "--help").out


def test_a_regimes_name_is_its_own_and_any_other_file_is_a_task(moose: Command, tmp_path: Path) -> None:
    text = 'ontology = "moose:mnist"\nindividuals = ["a"]\nlatent = ["Even"]\n'
    for name in ("mnist1", "small"):
        (tmp_path / name).write_text(text)
    assert moose("compile", "mnist1", "--json").json["atoms"] == 14
    assert moose("compile", "./mnist1", "--json").json["atoms"] == 1
    assert moose("compile", "small", "--json").json["atoms"] == 1


def test_no_command_shows_the_help(moose: Command) -> None:
    assert "classify" in moose().out + moose().err


@pytest.mark.parametrize(
    "arguments", [["clasify"], ["classify"], ["classify", "--depth"], ["explain"], ["classify", "a", "b"]]
)
def test_a_command_that_is_not_one(moose: Command, arguments: list[str]) -> None:
    outcome = moose(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (MemoryError(), 2, "moose: the machine has too little memory"),
        (RecursionError(), 2, "moose: an expression is nested too deeply"),
        (OSError(28, "No space left on device", "/full/disk"), 2, "moose: /full/disk: no space left on device"),
        (package.MooseError("a\nb"), 2, "moose: a b\n"),
    ],
)
def test_what_goes_wrong_inside(
    moose: Command, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    def fail(_imports: object, _file: Path) -> None:
        raise error

    monkeypatch.setattr(options.Imports, "read", fail)
    outcome = moose("check", "any.owl")
    assert outcome.code == code
    assert outcome.err.startswith(said)
    assert outcome.err.count("\n") == (1 if said else 0)


def test_the_module_is_the_command() -> None:
    ended = run("check", "nowhere.owl")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == (
        "moose: nowhere.owl: expected an ontology file, but there is no such file; check the path\n"
    )


def test_help_loads_nothing_heavy() -> None:
    code = "import sys\nfrom moose.cli import main\nmain(['--help'])\nprint('LOADED', *sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.partition("LOADED")[2].split())
    assert not loaded.intersection({"numpy", "numba", "torch", "rich.console", "pyoxigraph", "pyhornedowl"})
    assert not any(name.startswith(("moose.owl.", "moose.saturation.")) for name in loaded)


def test_a_reader_that_stops_reading(tmp_path: Path) -> None:
    path = tmp_path / "long.ofn"
    lines = "".join(
        f"SubClassOf(<http://e.org/A{place}> ObjectUnionOf(<http://e.org/B> <http://e.org/C>))\n"
        for place in range(5_000)
    )
    path.write_text(f"Ontology({lines})")
    command = f"'{sys.executable}' -m moose check '{path}' | head -n 1"
    ended = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
    assert ended.stdout == "ontology     without IRI\n"
    assert ended.stderr == ""


def test_an_interrupt_ends_it_at_once_without_a_word(tmp_path: Path) -> None:
    pipe = tmp_path / "never.ofn"
    os.mkfifo(pipe)
    # A test run in the background has interrupts switched off, and hands that on.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heed}; import sys; from moose.cli import main; print('ready', flush=True); sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "check", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:  # until it has come to read the pipe
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    process.kill()  # does nothing to one that has ended, and keeps one that has not from holding up the tests
    assert process.communicate()[1] == ""
    assert process.returncode == 130


@pytest.mark.parametrize(("stream", "code"), [(1, 2), (2, 0)])
def test_a_closed_standard_stream_is_no_crash(stream: int, code: int, tmp_path: Path) -> None:
    output = [] if stream == 1 else ["-o", str(tmp_path / "out.tsv")]
    command = " ".join([sys.executable, "-m", "moose", "classify", str(package.PIZZERIA), *output, f"{stream}>&-"])
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr
