"""Run a loop of `kernels.py`: as plain Python on lists, or compiled by numba on arrays, whichever is sooner done."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.circuit.inference import kernels

WORTH_COMPILING = 200_000
"""Elements to visit from which numba is used: plain Python takes about 0.2 s for these, loading numba about 1 s."""

ENTRIES = ("add_up", "maximise", "divide_up", "flow_down", "satisfy", "reach", "draw", "measure", "agree", "gather")

Array = npt.NDArray[np.float64] | npt.NDArray[np.int64] | npt.NDArray[np.uint64]


@cache
def _compiled() -> dict[str, object]:
    from moose.base.compiled.numba_compilation import compile_functions

    return compile_functions([kernels], ENTRIES)


def is_worth_compiling(visits: int) -> bool:
    """Return whether this many visits to elements take longer than loading the compiler."""
    return visits > WORTH_COMPILING


def run(diagram: Diagram, name: str, *arrays: Array, compiled: bool | None = None) -> None:
    """Run a loop over a diagram; it fills the arrays in place."""
    if is_worth_compiling(diagram.element_count) if compiled is None else compiled:
        kernel = cast(Callable[..., None], _compiled()[name])
        kernel(wiring(diagram, compiled=True), *arrays)
        return
    lists = [array.tolist() for array in arrays]
    plain = cast(Callable[..., None], getattr(kernels, name))
    plain(wiring(diagram, compiled=False), *lists)
    for array, filled in zip(arrays, lists):
        array[:] = filled


def as_lists(diagram: Diagram) -> tuple[list[int], list[int], list[int]]:
    """Return starts, primes and subs as lists, which plain Python reads faster than arrays."""
    return diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()


def wiring(diagram: Diagram, *, compiled: bool) -> kernels.Wiring:
    """Return what a loop reads: arrays for a compiled one, lists for a plain one."""
    if compiled:
        return kernels.Wiring(diagram.starts, diagram.primes, diagram.subs, diagram.first_decision)
    return kernels.Wiring(*as_lists(diagram), diagram.first_decision)


def loop(name: str, *, compiled: bool) -> Callable[..., int | None]:
    """Return a loop, for callers that prepare its arrays or lists themselves."""
    return cast(Callable[..., int | None], _compiled()[name] if compiled else getattr(kernels, name))
