"""What is left of the memory is read off the system, and what will not fit is refused before it is taken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from moose.base import memory
from moose.saturation.engine.arrays import NEEDED
from moose.saturation.engine.state import enlarged, new_state


def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, most: str = "", current: str = "") -> None:
    """Let the system say this of its memory."""
    (tmp_path / "meminfo").write_text(machine, encoding="ascii")
    (tmp_path / "memory.max").write_text(most, encoding="ascii")
    (tmp_path / "memory.current").write_text(current, encoding="ascii")
    monkeypatch.setattr(memory, "_MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)


MACHINE = "MemTotal:       100 kB\nMemAvailable:    50 kB\nHugePages_Total:       0\n"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ((MACHINE,), 50 * 1024),
        ((MACHINE, "max\n", "10\n"), 50 * 1024),
        ((MACHINE, "4000\n", "1000\n"), 3000),
        ((MACHINE, "4000\n", "9000\n"), 0),
        (("", "4000\n", "1000\n"), 3000),
        (("MemAvailable\n",), None),
        (("",), None),
    ],
)
def test_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: tuple[str, ...], expected: int | None
) -> None:
    system(tmp_path, monkeypatch, *told)
    assert memory.available_memory() == expected


def test_arrays_that_will_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = new_state(10, 0)
    state.counters[NEEDED] = 100_000
    system(tmp_path, monkeypatch, "MemAvailable: 100 kB\n")
    with pytest.raises(MemoryError):
        enlarged(state)
    system(tmp_path, monkeypatch, "MemAvailable: 100000 kB\n")
    assert len(enlarged(state).agenda) >= 100_000
    assert np.array_equal(enlarged(state).counters, state.counters)
