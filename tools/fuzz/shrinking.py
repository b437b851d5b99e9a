"""Make a case smaller while it finds the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tools.fuzz.case import Case
from tools.fuzz.workers import Limits, run_confined


def signature_of(case: Case) -> str:
    """Run a case in this process and return the signature of what it finds, empty for nothing."""
    with tempfile.TemporaryDirectory() as folder:
        return run_confined(case, Path(folder) / "case", Limits()).signature


def shrink(case: Case, find: Callable[[Case], str] = signature_of) -> Case:
    """Leave out files, then parts of files, by halves and down to single bytes, as long as the finding stays."""
    wanted = find(case)
    if not wanted:
        return case
    for name in [*case.files][1:]:
        smaller = replace(case, files={other: text for other, text in case.files.items() if other != name})
        if find(smaller) == wanted:
            case = smaller
    for name in [*case.files]:
        length = max(1, len(case.files[name]) // 2)
        while True:
            at = 0
            while at < len(case.files[name]):
                content = case.files[name]
                smaller = replace(case, files={**case.files, name: content[:at] + content[at + length :]})
                if find(smaller) == wanted:
                    case = smaller
                else:
                    at += length
            if length == 1:
                break
            length = max(1, length // 2)
    return case
