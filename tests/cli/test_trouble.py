"""What must not look like an answer or steer a terminal: mistakes of Moose, lost interrupts, hostile names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from moose.cli.common import options
from moose.cli.common.messages import harmless
from tests.cli.running import Command

RED = "\x1b[31m"
HEED = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def test_a_mistake_of_moose_has_its_own_code_and_keeps_the_traceback(
    moose: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_imports: object, _file: Path) -> None:
        raise KeyError(f"unheard of {RED}")

    monkeypatch.setattr(options.Imports, "read", fail)
    outcome = moose("check", "any.owl")
    assert outcome.code == 70
    (line,) = outcome.err.splitlines()
    assert "mistake in Moose" in line
    assert "KeyError" in line
    assert "\x1b" not in line
    (path,) = map(Path, re.findall(r"traceback is in (\S+\.txt)", line))
    try:
        assert "in fail" in path.read_text(encoding="utf-8")
        assert path.stat().st_mode & 0o077 == 0
    finally:
        path.unlink()


def test_a_mistake_is_told_where_no_file_can_be_written(moose: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_imports: object, _file: Path) -> None:
        raise KeyError("unheard of")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(options.Imports, "read", fail)
    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    outcome = moose("check", "any.owl")
    assert outcome.code == 70
    assert "in fail" in outcome.err
    assert "the traceback is above" in outcome.err


@pytest.mark.parametrize(
    "swallowed",
    [
        "try:\n        signal.raise_signal(signal.SIGINT)\n    except BaseException:\n        pass",
        "class Lost:\n        def __del__(self): signal.raise_signal(signal.SIGINT)\n    Lost()",
    ],
    ids=["dropped", "in a finaliser"],
)
def test_an_interrupt_that_somebody_swallows_still_ends_with_130(swallowed: str) -> None:
    code = (
        f"{HEED}import sys, moose.cli\n"
        f"def run(arguments):\n    {swallowed}\n    return 0\n"
        "moose.cli.run = run\n"
        "sys.exit(moose.cli.main())\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 130


def test_an_interrupt_taken_for_a_failed_import_still_ends_with_130() -> None:
    code = (
        f"{HEED}import sys, moose.cli.common.options as options, moose.cli\n"
        "def read(imports, file):\n"
        "    try:\n        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n        raise ImportError('cannot load numpy')\n"
        "options.Imports.read = read\n"
        "sys.argv[1:] = ['check', 'any.owl']\n"
        "sys.exit(moose.cli.main())\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_escapes_in_names_are_shown_not_obeyed(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "red.ofn"
    path.write_text(
        f"Ontology(<http://e.org/{RED}o> SubClassOf(<http://e.org/A{RED}> <http://e.org/B\u202e>)"
        " SubClassOf(<http://e.org/C> ObjectUnionOf(<http://e.org/A\x1b[31m> <http://e.org/B\u202e>))"
        f' AnnotationAssertion(<http://www.w3.org/2000/01/rdf-schema#label> <http://e.org/C> "{RED}\x07bell"))',
        encoding="utf-8",
    )
    for arguments in (
        ["check", path],
        ["classify", path],
        ["explain", path, f"SubClassOf(<http://e.org/A{RED}> <http://e.org/B\u202e>)"],
        ["explain", path, f"SubClassOf({RED} {RED})"],
        ["query", path, f"SubClassOf(<http://e.org/A{RED}> <http://e.org/B\u202e>)"],
        ["classify", path, "--json"],
        ["check", tmp_path / f"{RED}.ofn"],
        [f"{RED}"],
        ["check", path, f"--{RED}"],
    ):
        outcome = moose(*map(str, arguments))
        assert not set(outcome.out + outcome.err).intersection("\x1b\x07\u202e"), arguments
        if "--json" in arguments:
            assert outcome.json


def test_a_file_that_is_asked_for_is_written_as_it_is(moose: Command, tmp_path: Path) -> None:
    path, output = tmp_path / "red.ofn", tmp_path / "red.tsv"
    path.write_text("Ontology(SubClassOf(<http://e.org/A\u202e> <http://e.org/B>))", encoding="utf-8")
    assert moose("classify", path, "-o", output).code == 0
    assert output.read_text(encoding="utf-8") == "http://e.org/A\u202e\thttp://e.org/B\n"


def test_ordinary_text_stays() -> None:
    text = "Straße ∃r.⊤ 心臓 עברית\tand\nmore"
    assert harmless(text) == text
    assert harmless("\x00\x7f\x9b\r") == "\\u0000\\u007f\\u009b\\u000d"
