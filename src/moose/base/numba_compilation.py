"""Plain functions compiled by numba, with the compiled code kept on disk between runs."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any


def compile_functions(modules: Sequence[ModuleType], entries: Collection[str]) -> dict[str, object]:
    """Compile the functions of modules: the entries, with the other functions inlined into them.

    The modules import no numba, so each function is given a copy of their names in which the functions compiled before
    it replace the plain ones: a function must stand below those it calls. The name that code is kept under ends in a
    digest of all the sources, so that a change of any makes it new.
    `_nrt=False` leaves reference counting out, which took most of the time (docs/decisions/0006-numba.md); the
    functions allocate nothing, so they need none.
    """
    from numba import njit

    from moose.base.kept_code import KeptCode

    names: dict[str, object] = {}
    for module in modules:
        own = {name: value for name, value in vars(module).items() if not name.startswith("__")}
        if foreign := [name for name in own if name in names and names[name] is not own[name]]:
            raise NameError(f"{module.__name__} and a module before it mean different things by {foreign[0]}")
        names |= own
    digest = sha256("".join(map(inspect.getsource, modules)).encode()).hexdigest()[:12]
    for module in modules:
        for name, function in vars(module).items():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                copy = FunctionType(function.__code__, names, name)
                copy.__module__, copy.__qualname__ = module.__name__, f"{name}_{digest}"
                options: dict[str, Any] = {} if name in entries else {"inline": "always"}
                options |= {"error_model": "numpy", "nogil": True, "_nrt": False}
                names[name] = compiled = njit(**options)(copy)
                if name in entries:
                    compiled._cache = KeptCode(f"{copy.__module__}.{copy.__qualname__}")
    return names
