"""Machine code gives what the plain function gives, is run without numba once kept, and is made anew when stale."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.compiled import kept_code
from moose.base.compiled.machine_code import FEW_CALLS, MachineFunction, passed
from tests.base import small_loops
from tests.base.small_loops import Table, fill, weigh

PROGRAM = """
import sys, numpy as np
import small_loops
from moose.base.compiled.machine_code import MachineFunction
sums = np.arange(4.0)
MachineFunction([small_loops], "fill")(sums, 7)
angles = np.array([0.5])
MachineFunction([small_loops], "errors")(angles)
print(sums.tolist(), angles.tolist(), "numba" in sys.modules)
"""


def in_other_process(folder: Path, program: str) -> str:
    """Run a program on a copy of the loops, with a folder of its own for compiled code."""
    loops = folder / "small_loops.py"
    if not loops.exists():
        loops.write_text(Path(small_loops.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert not done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def weigh_code() -> MachineFunction:
    return MachineFunction([small_loops], "weigh")


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=5),
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=4),
    st.sampled_from(["C", "F", "every other"]),
    st.tuples(st.integers(-(1 << 40), 1 << 40), st.sampled_from([0.0, 1.0, -0.25])),
)
def test_equals_the_plain_function(
    weigh_code: MachineFunction,
    cells: list[tuple[int, int]],
    rows: list[list[int]],
    layout: str,
    numbers: tuple[int, float],
) -> None:
    offset, share = numbers
    grid = np.array(rows, dtype=np.float64, order="F" if layout == "F" else "C")
    if layout == "every other":
        grid = np.repeat(np.repeat(grid, 2, axis=0), 2, axis=1)[::-2, ::2]
    members = np.array([cell for cell, _ in cells], dtype=np.int32)
    weights = np.array([weight for _, weight in cells], dtype=np.int64)
    table = Table(members, grid, offset, 0.5)
    plain, ours = np.empty(len(rows)), np.empty(len(rows))
    assert weigh_code(table, weights, share, ours) == weigh(table, weights, share, plain)
    assert ours.tolist() == plain.tolist()
    assert weigh_code(passed(table), passed(weights), share, ours) == weigh(table, weights, share, plain)


def test_many_calls_are_the_same_as_the_first(weigh_code: MachineFunction) -> None:
    table = Table(np.arange(3, dtype=np.int32), np.ones((2, 3)), 1, 0.25)
    sums = np.empty(2)
    for weight in range(3 * FEW_CALLS):
        weights = np.full(3, weight)
        assert weigh_code(table, weights, 2.0, sums) == weigh(table, weights, 2.0, np.empty(2))
        assert sums.tolist() == [1.5, 1.5]


def test_what_returns_nothing_returns_zero() -> None:
    sums, plain = np.zeros(3), np.zeros(3)
    assert MachineFunction([small_loops], "fill")(sums, 5) == 0
    fill(plain, 5)
    assert sums.tolist() == plain.tolist()


def test_is_kept_and_then_run_without_numba(tmp_path: Path) -> None:
    first = PROGRAM.replace("angles = ", "angles = np.zeros(0); 0 and ").replace(
        '"errors")(angles)', '"fill")(angles, 1)'
    )
    assert in_other_process(tmp_path, first) == "[7.0, 7.0, 7.0, 7.0] [] True\n"
    assert in_other_process(tmp_path, first) == "[7.0, 7.0, 7.0, 7.0] [] False\n"
    (file,) = (tmp_path / "cache" / "moose" / "code").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-40] + bytes(40))
    assert in_other_process(tmp_path, first).endswith("True\n"), "what is damaged is compiled anew"
    assert file.read_bytes() == whole


def test_code_that_calls_outside_is_right_and_not_kept(tmp_path: Path) -> None:
    for _ in range(2):
        assert in_other_process(tmp_path, PROGRAM) == f"[7.0, 7.0, 7.0, 7.0] [{math.erf(0.5)}] True\n"
    assert len(list((tmp_path / "cache" / "moose" / "code").iterdir())) == 1


def test_another_constant_makes_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = Table(np.ones(1, dtype=np.int32), np.ones((1, 1)), 0, 1.0), np.ones(1, dtype=np.int64), 1.0, np.empty(1)
    assert MachineFunction([small_loops], "weigh")(*arguments) == 3
    monkeypatch.setattr(small_loops, "FACTOR", 5)
    assert MachineFunction([small_loops], "weigh")(*arguments) == 5


def test_without_a_folder_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_code, "folder", lambda: None)
    sums = np.zeros(2)
    MachineFunction([small_loops], "fill")(sums, 4)
    assert sums.tolist() == [4, 4]


@pytest.mark.parametrize("argument", [True, None, "text", [1, 2], np.float32(1)])
def test_other_arguments_are_refused(argument: object) -> None:
    with pytest.raises(TypeError, match="expected a number, an array or a tuple"):
        passed(argument)


def test_a_function_with_another_result_is_refused() -> None:
    with pytest.raises(TypeError, match="whole number or nothing, but it returns float64"):
        MachineFunction([small_loops], "mean")(np.ones(2))
