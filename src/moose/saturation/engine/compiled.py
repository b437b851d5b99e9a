"""The kernel compiled by numba, with the compiled code kept on disk between runs."""

from __future__ import annotations

from functools import cache
from typing import Protocol, cast

from moose.base.numba_compilation import compile_functions
from moose.saturation.engine import agenda, kernel
from moose.saturation.engine.arrays import State, Theory


class Run(Protocol):
    """The kernel's entry, compiled or not."""

    def __call__(self, theory: Theory, state: State, pause_after: int) -> int:
        """Apply rules for that many steps."""
        ...


@cache
def compiled_run() -> Run:
    """Compile the kernel's `run`."""
    return cast(Run, compile_functions([agenda, kernel], ["run"])["run"])
