"""Functions of arrays as machine code that is kept on disk and run without numba.

numba compiles them, once. Merely to start it takes longer than to classify most ontologies, so what it made is kept as
an object file, which llvmlite puts into memory in milliseconds. The functions need nothing of numba's at run time: they
allocate nothing and raise nothing, and code that calls anything outside itself is not kept.

numba's compiled functions are called as `status = f(result*, exception**, argument…)`. A tuple is passed as its
members, an array as (memory, owner, size, item size, data, shape…, strides…); the first two are null here, as nothing
is counted. That is numba's own convention, so the code is kept for one installation of numba.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from moose.base.compiled import kept_code
from moose.base.compiled.numba_compilation import dispatchers, source_digest

OUTSIDE = frozenset({"memcpy", "memmove", "memset"})
"""What LLVM may call by itself, as it may the mathematics that it has names of its own for; every process has them."""

RETURNED = (0, -2)
"""numba's statuses of a function that has not raised: it returned a number, or None."""

NULL = 0


class Passed(NamedTuple):
    """An argument as machine code takes it: the types of its parts, a word for each, and what keeps these valid."""

    argument: object
    layout: str
    words: tuple[float, ...]


def passed(argument: object) -> Passed:
    """Take an argument apart: numbers, arrays, and tuples of them."""
    if isinstance(argument, Passed):
        return argument
    if isinstance(argument, np.ndarray):
        return Passed(argument, array_layout(argument), array_words(argument))
    if isinstance(argument, tuple):
        parts = [passed(part) for part in argument]
        layout = f"{type(argument).__qualname__}({' '.join(part.layout for part in parts)})"
        return Passed(argument, layout, tuple(word for part in parts for word in part.words))
    if isinstance(argument, bool) or not isinstance(argument, int | float):
        raise TypeError(f"expected a number, an array or a tuple of them as an argument, got {type(argument).__name__}")
    return Passed(argument, "int" if isinstance(argument, int) else "float", (argument,))


def array_layout(array: np.ndarray) -> str:
    """Name all of an array that code is compiled for."""
    flags = array.flags
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return f"{array.dtype.str}{array.ndim}{order}{'' if flags.aligned else '!'}"


def array_words(array: np.ndarray) -> tuple[int, ...]:
    """Return the words by which an array is passed."""
    data = array.__array_interface__["data"][0]
    return (NULL, NULL, array.size, array.itemsize, data, *array.shape, *array.strides)


class ObjectCode(NamedTuple):
    """An object file, and the name of the function in it that is called."""

    symbol: str
    content: bytes


class MachineFunction:
    """A function that is compiled for the types of its arguments; it returns a whole number, or nothing (then 0)."""

    def __init__(self, modules: Sequence[ModuleType], name: str) -> None:
        self._modules = tuple(modules)
        self._name = name
        self._entries: dict[tuple[str, ...], Callable[..., int]] = {}

    def __call__(self, *arguments: object) -> int:
        """Run the code; other threads go on meanwhile."""
        parts = [passed(argument) for argument in arguments]
        layouts = tuple(part.layout for part in parts)
        entry = self._entries.get(layouts)
        if entry is None:
            entry = self._entries[layouts] = self._loaded(parts)
        result, exception = ctypes.c_int64(0), ctypes.c_void_p()
        words = [word for part in parts for word in part.words]
        status = entry(ctypes.byref(result), ctypes.byref(exception), *words)
        if status not in RETURNED:
            raise RuntimeError(f"expected {self._name} to raise nothing, but it ended with status {status}")
        return result.value

    def _loaded(self, parts: Sequence[Passed]) -> Callable[..., int]:
        """Put the code for some types into memory; where none is kept, compile it."""
        path = self._path(parts)
        kept = kept_code.read(path) if path else None
        if kept:
            symbol, _, content = kept.partition(b"\n")
            code = ObjectCode(symbol.decode(), content)
        else:
            code, outside = compiled(self._modules, self._name, [part.argument for part in parts])
            if path and outside <= OUTSIDE:
                kept_code.write(path, code.symbol.encode() + b"\n" + code.content)
        return callable_at(address_in_memory(code), parts)

    def _path(self, parts: Sequence[Passed]) -> Path | None:
        """Return where the code for some types is kept, on this processor."""
        import llvmlite
        from llvmlite import binding

        where = kept_code.folder()
        if where is None:
            return None
        processor = (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten(), sys.platform)
        types = [part.layout for part in parts]
        made_by = (installed("numba"), llvmlite.__version__)
        key = repr((self._name, source_digest(self._modules), types, processor, made_by))
        return where / f"{sha256(key.encode()).hexdigest()[:40]}.o"


def installed(package: str) -> tuple[str, int]:
    """Tell one installed version of a package from another, without loading it: where it is, and since when."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"expected the package {package} to be installed")
    return spec.origin, Path(spec.origin).stat().st_mtime_ns


def compiled(modules: Sequence[ModuleType], name: str, arguments: Sequence[object]) -> tuple[ObjectCode, set[str]]:
    """Compile a function for arguments such as these; return its code and the names of what this calls outside."""
    import numba

    dispatcher: Any = dispatchers(modules, [name], no_cpython_wrapper=True, no_cfunc_wrapper=True)[name]
    dispatcher._cache = taken = Taken()
    type_of: Callable[[object], object] = numba.typeof
    dispatcher.compile(tuple(map(type_of, arguments)))
    returned = taken.result.signature.return_type
    if returned not in (numba.types.none, numba.int64):
        raise TypeError(f"expected {name} to return a whole number or nothing, but it returns {returned}")
    library = taken.result.library
    _, _, (content, _) = library.serialize_using_object_code()
    declared = {one.name for one in library._final_module.functions if one.is_declaration}
    outside = {one for one in declared if not one.startswith("llvm.")}
    return ObjectCode(taken.result.fndesc.llvm_func_name, content), outside


class Taken:
    """What numba gives its compiled code to, in the place of its cache."""

    result: Any = None

    def load_overload(self, _signature: object, _context: object) -> None:
        """Have nothing."""

    def save_overload(self, _signature: object, result: object) -> None:
        """Take what was compiled."""
        self.result = result


def address_in_memory(code: ObjectCode) -> int:
    """Put an object file into memory for good, and return where its function is."""
    from llvmlite import binding

    engine = memory()
    engine.add_object_file(binding.ObjectFileRef.from_data(code.content))
    engine.finalize_object()
    return int(engine.get_function_address(code.symbol))


def memory() -> Any:
    """Make a place for machine code, which stays until the process ends."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    ENGINES.append(engine)
    return engine


ENGINES: list[Any] = []
"""All places made so far: one that nothing refers to is taken away."""


def callable_at(address: int, parts: Sequence[Passed]) -> Callable[..., int]:
    """Return what calls a function in memory."""
    words: list[object] = [word for part in parts for word in part.words]
    types = [ctypes.c_double if isinstance(word, float) else WORD for word in words]
    return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *types)(address)


WORD = ctypes.c_int64
"""A whole number, or a pointer, which is passed alike."""
