"""What holds for every command: help, versions, exit codes, one line for each error, a quick start."""

from __future__ import annotations

import os
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


def run(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "moose", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_version_and_help(moose: Command) -> None:
    assert moose("--version").out == f"moose {package.__version__}\n"
    helped = moose("--help")
    assert helped.code == 0
    assert all(command in helped.out for command in COMMANDS)
    for command in COMMANDS:
        assert "--json" in moose(command, "--help").out


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
    def fail(_source: object) -> None:
        raise error

    monkeypatch.setattr(options.Source, "read", fail)
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
