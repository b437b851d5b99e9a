"""The kernel compiled by numba, with the compiled code kept on disk between runs."""

from __future__ import annotations

from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Protocol, cast

from moose.saturation import kernel
from moose.saturation.arrays import State, Theory


class Run(Protocol):
    """The kernel's entry, compiled or not."""

    def __call__(self, theory: Theory, state: State, pause_after: int) -> int:
        """Apply rules for so many steps."""
        ...


@cache
def compiled_run() -> Run:
    """Compile the kernel's `run`."""
    return cast(Run, compile_functions(kernel)["run"])


def compile_functions(module: ModuleType, entries: tuple[str, ...] = ("run",)) -> dict[str, object]:
    """Compile a module's functions: the entries, with the other functions inlined into them.

    The module itself imports no numba, so each function is given a copy of the module's names in which the functions
    compiled before it replace the plain ones: a function must stand below those it calls. `cache=True` files the code
    under the module's source and drops it when the source changes. `_nrt=False` leaves reference counting out, which
    took two thirds of the time (docs/decisions/numba.md); the functions allocate nothing, so they need none.
    """
    from numba import njit

    names: dict[str, object] = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            copy = FunctionType(function.__code__, names, name)
            copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
            options: dict[str, Any] = {"cache": True} if name in entries else {"inline": "always"}
            options |= {"error_model": "numpy", "nogil": True, "_nrt": False}
            names[name] = njit(**options)(copy)
    return names
