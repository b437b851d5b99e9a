"""What the fuzzer once found stays mended: each case of the corpus is read or refused, and nothing is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.fuzz.case import read_case
from tools.fuzz.targets import TARGETS, run_case

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


def test_there_are_cases() -> None:
    assert CORPUS and {read_case(path).target for path in CORPUS} <= TARGETS.keys()


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_nothing_is_found_again(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    if case.target in ("model", "image"):
        pytest.importorskip("torch")
    outcome = run_case(case, tmp_path)
    assert outcome.state != "found", outcome.details
