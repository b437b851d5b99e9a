"""Plain functions compiled by numba, with the compiled code kept on disk between runs."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Sequence
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any


def compile_functions(modules: Sequence[ModuleType], entries: Collection[str]) -> dict[str, object]:
    """Compile the functions of modules: the entries, with the other functions inlined into them; keep the code.

    The name that code is kept under ends in a digest of all the sources, so that a change of any makes it new.
    """
    from moose.base.compiled.kept_code import KeptCode

    names = dispatchers(modules, entries)
    for name in entries:
        compiled: Any = names[name]
        compiled._cache = KeptCode(f"{compiled.py_func.__module__}.{name}_{source_digest(modules)}")
    return names


def dispatchers(modules: Sequence[ModuleType], entries: Collection[str], **options: bool) -> dict[str, object]:
    """Hand the functions of modules to numba, which compiles an entry when it is called.

    The modules import no numba, so each function is given a copy of their names in which the functions compiled before
    it replace the plain ones: a function must stand below those it calls.
    `_nrt=False` leaves reference counting out, which took most of the time (docs/decisions/0006-numba.md); the
    functions allocate nothing, so they need none.
    """
    import numba

    njit: Any = numba.njit  # it is typed without the options that are not documented
    names = shared_names(modules)
    for module in modules:
        for name, function in vars(module).items():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                copy = FunctionType(function.__code__, names, name)
                copy.__module__, copy.__qualname__ = module.__name__, f"{name}_{source_digest(modules)}"
                own: dict[str, Any] = dict(options) if name in entries else {"inline": "always"}
                names[name] = njit(error_model="numpy", nogil=True, _nrt=False, **own)(copy)
    return names


def shared_names(modules: Sequence[ModuleType]) -> dict[str, object]:
    """Return the names of modules, which must mean the same in all of them."""
    names: dict[str, object] = {}
    for module in modules:
        own = {name: value for name, value in vars(module).items() if not name.startswith("__")}
        if foreign := [name for name in own if name in names and names[name] is not own[name]]:
            raise NameError(f"{module.__name__} and a module before it mean different things by {foreign[0]}")
        names |= own
    return names


def source_digest(modules: Sequence[ModuleType]) -> str:
    """Return a digest of all that compiled functions are made of: their sources, and the numbers these name."""
    numbers = {name: value for name, value in shared_names(modules).items() if isinstance(value, int | float)}
    sources = "".join(map(inspect.getsource, modules))
    return sha256(f"{sources}{sorted(numbers.items())}".encode()).hexdigest()[:12]
