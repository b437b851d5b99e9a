"""What is installed runs on Linux, macOS and Windows: no module of one system is needed, text is written alike.

These tests read the code; none of them runs on another system.
"""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import moose
from moose.cli import main

SOURCE = Path(moose.__file__).parent
OF_ONE_SYSTEM = set(
    "fcntl resource pwd grp termios tty pty curses readline syslog posix msvcrt winreg winsound".split()
)
SIGNALS_OF_ALL = {"SIGINT", "SIGTERM", "SIG_IGN", "SIG_DFL", "SIGABRT", "SIGFPE", "SIGILL", "SIGSEGV"}
CALLS_OF_ONE_SYSTEM = {"fork", "getuid", "geteuid", "getgid", "killpg", "setsid", "waitpid", "memfd_create", "sysconf"}
"""Of `os`; and where each of these may stand: inside what asks first whether it is there."""
ASKED = {
    "base/memory.py",  # catches AttributeError; /proc comes first
    "base/processes/in_subprocess.py",  # Forked: used only where there is "fork"
    "base/compiled/kept_code.py",  # os.name
    "benchmark/store/provenance.py",  # hasattr
    "circuit/sdd/vtrees.py",  # hasattr
}
JSON_ONLY = {"benchmark/store/record_files.py", "benchmark/store/locks.py"}
"""What is read again as JSON, whose line ends are nobody's concern."""


@cache
def texts() -> dict[str, str]:
    return {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}


def trees(words: str) -> dict[str, ast.Module]:
    """Parse the files that have one of some words, as few do."""
    wanted = re.compile(words)
    return {name: ast.parse(text) for name, text in texts().items() if wanted.search(text)}


def imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    return {(node.module or "").partition(".")[0]} if isinstance(node, ast.ImportFrom) else set()


def with_fallback(tree: ast.Module) -> set[int]:
    """Return the lines of imports that may fail: in a `try` that catches it."""
    caught = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any("ImportError" in ast.dump(one) for one in node.handlers):
            caught |= {inner.lineno for inner in node.body if isinstance(inner, ast.Import | ast.ImportFrom)}
    return caught


def test_no_module_of_one_system_is_needed() -> None:
    needed = [
        f"{name}:{node.lineno}"
        for name, tree in trees(rf"import ({'|'.join(OF_ONE_SYSTEM)})|from ({'|'.join(OF_ONE_SYSTEM)}) ").items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        if imported(node) & OF_ONE_SYSTEM and node.lineno not in with_fallback(tree)
    ]
    assert not needed, "import it in a `try` with `except ImportError`, and say what is done without it"


def test_no_call_or_signal_of_one_system_unasked() -> None:
    used = []
    for name, tree in trees(rf"signal\.SIG|os\.({'|'.join(CALLS_OF_ONE_SYSTEM)})").items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
                continue
            if node.value.id == "os" and node.attr in CALLS_OF_ONE_SYSTEM and name not in ASKED:
                used.append(f"{name}:{node.lineno} os.{node.attr}")
            if node.value.id == "signal" and node.attr.startswith("SIG") and node.attr not in SIGNALS_OF_ALL:
                used.append(f"{name}:{node.lineno} signal.{node.attr}")
    allowed = ("base/processes/in_subprocess.py", "base/processes/interpreter.py")  # on Linux, or where it forks
    assert [one for one in used if not one.startswith(allowed)] == []


def text_writers(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the calls that open or write a file as text."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        modes = [
            one.value
            for one in [*node.args, *(key.value for key in node.keywords if key.arg == "mode")]
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        is_opened = called in {"open", "fdopen", "NamedTemporaryFile"} and any(
            mode in {"w", "a", "x"} for mode in modes
        )
        if called == "write_text" or is_opened:
            yield node


def test_lines_end_alike_and_text_is_utf8_on_every_system() -> None:
    wrong = []
    for name, tree in trees(r"write_text|open\(|NamedTemporaryFile").items():
        for call in text_writers(tree) if name not in JSON_ONLY else ():
            given = {key.arg for key in call.keywords}
            is_null = "devnull" in ast.dump(call)
            if not is_null and not {"newline", "encoding"} <= given:
                wrong.append(f"{name}:{call.lineno}")
    assert not wrong, 'write with encoding="utf-8", newline="\\n"'


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["explain", "VeganSalami SubClassOf owl:Nothing"], "⊑"),
        (["explain", "VeganSalami SubClassOf owl:Nothing", "--json"], "VeganSalami"),
        (["check"], "OWL 2 EL"),
        (["query", "--help"], "≥"),
        (["explain", "Salami SubClassOf ⊑⊑"], ""),  # said on the standard error, which quotes it
    ],
)
def test_console_of_another_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str, arguments: list[str], expected: str
) -> None:
    raw, complaints = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, newline="\r\n"))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(complaints, encoding=encoding, errors="backslashreplace"))
    command, *rest = arguments
    code = main([command, str(moose.PIZZERIA), *rest])
    sys.stdout.flush()
    sys.stderr.flush()
    assert code < 70, complaints.getvalue()
    text = raw.getvalue().decode("utf-8")
    assert expected in text and "\r" not in text
    assert b"Traceback" not in complaints.getvalue()


def test_help_and_errors_in_a_process_of_another_encoding(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONIOENCODING": "cp1252",
        "PYTHONUTF8": "0",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    for arguments, code in ((["query", "--help"], 0), (["classify", "⊑.ofn"], 2)):
        command = [sys.executable, "-m", "moose", *arguments]
        ended = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, check=False)
        assert ended.returncode == code and b"Traceback" not in ended.stderr, ended.stderr
