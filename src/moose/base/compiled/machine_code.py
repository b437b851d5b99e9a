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
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from moose.base.compiled import kept_code
from moose.base.compiled.numba_compilation import dispatchers, source_digest

OUTSIDE = frozenset({"memcpy", "memmove", "memset"})
"""What LLVM may call by itself, as it may the mathematics that it has names of its own for; every process has them."""

RETURNED = (0, -2)
"""numba's statuses of a function that has not raised: it returned a number, or None."""

NULL = 0
Words = npt.NDArray[np.int64]
NOTHING: Words = np.zeros(0, dtype=np.int64)


class Passed(NamedTuple):
    """An argument as machine code takes it: the types of its parts, a word for each, and what keeps these valid."""

    argument: object
    layout: str
    words: Words
    types: str
    """A letter for each word: of a floating-point number `d`, of others `i`."""


def passed(argument: object) -> Passed:
    """Take an argument apart: numbers, arrays, and tuples of them."""
    if isinstance(argument, Passed):
        return argument
    if isinstance(argument, np.ndarray):
        words = array_words(argument)
        return Passed(argument, array_layout(argument), words, "i" * len(words))
    if isinstance(argument, tuple):
        parts = [passed(part) for part in argument]
        layout = f"{type(argument).__qualname__}({' '.join(part.layout for part in parts)})"
        words = np.concatenate([part.words for part in parts] or [NOTHING])
        return Passed(argument, layout, words, "".join(part.types for part in parts))
    if isinstance(argument, bool) or not isinstance(argument, int | float):
        raise TypeError(f"expected a number, an array or a tuple of them as an argument, got {type(argument).__name__}")
    if isinstance(argument, int):
        return Passed(argument, "int", np.array([argument], dtype=np.int64), "i")
    return Passed(argument, "float", np.array([argument], dtype=np.float64).view(np.int64), "d")


def array_layout(array: np.ndarray) -> str:
    """Name all of an array that code is compiled for."""
    flags = array.flags
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return f"{array.dtype.str}{array.ndim}{order}{'' if flags.aligned else '!'}"


def array_words(array: np.ndarray) -> Words:
    """Return the words by which an array is passed."""
    data = array.__array_interface__["data"][0]
    parts = (NULL, NULL, array.size, array.itemsize, data, *array.shape, *array.strides)
    return np.array(parts, dtype=np.int64)


class ObjectCode(NamedTuple):
    """An object file, and the name of the function in it that is called."""

    symbol: str
    content: bytes


class MachineFunction:
    """A function that is compiled for the types of its arguments; it returns a whole number, or nothing (then 0)."""

    def __init__(self, modules: Sequence[ModuleType], name: str) -> None:
        self._modules = tuple(modules)
        self._name = name
        self._entries: dict[tuple[str, ...], Entry] = {}

    def __call__(self, *arguments: object) -> int:
        """Run the code; other threads go on meanwhile."""
        parts = [passed(argument) for argument in arguments]
        layouts = tuple(part.layout for part in parts)
        entry = self._entries.get(layouts)
        if entry is None:
            entry = self._entries[layouts] = self._loaded(parts)
        returned = np.zeros(2, dtype=np.int64)  # the result, and the exception that there is none of
        place = returned.__array_interface__["data"][0]
        status = entry(np.concatenate([np.array([place, place + 8]), *(part.words for part in parts)]))
        if status not in RETURNED:
            raise RuntimeError(f"expected {self._name} to raise nothing, but it ended with status {status}")
        return int(returned[0])

    def _loaded(self, parts: Sequence[Passed]) -> Entry:
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
        return Entry(address_in_memory(code), f"ii{''.join(part.types for part in parts)}")

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

    engine = memory(binding.parse_assembly(""))
    engine.add_object_file(binding.ObjectFileRef.from_data(code.content))
    engine.finalize_object()
    return int(engine.get_function_address(code.symbol))


def memory(module: Any) -> Any:
    """Make a place for machine code, that of a module first, which stays until the process ends."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(module, machine)
    ENGINES.append(engine)
    return engine


ENGINES: list[Any] = []
"""All places made so far: one that nothing refers to is taken away."""


# ── Calling a function with hundreds of words ─────────────────────────────────────────────────────────────────────

FEW_CALLS = 8
"""Calls after which it pays to compile what calls the function."""


class Entry:
    """A function in memory that takes words of some types.

    ctypes takes the words one by one at each call, which takes longer than most calls of a DL query do; so after a few
    calls the words are given in a row to compiled code that calls the function.
    """

    def __init__(self, address: int, types: str) -> None:
        self._address = address
        self._types = types
        self._calls = 0
        kinds: dict[str, Any] = {"i": ctypes.c_int64, "d": ctypes.c_double}
        self._direct = ctypes.CFUNCTYPE(ctypes.c_int32, *(kinds[letter] for letter in types))(address)
        self._floats = [place for place, letter in enumerate(types) if letter == "d"]

    def __call__(self, words: Words) -> int:
        """Call the function; return its status."""
        self._calls += 1
        if self._calls > FEW_CALLS:
            row = np.append(words, self._address)
            return entering(self._types)(row.__array_interface__["data"][0])
        given: list[float] = words.tolist()
        for place in self._floats:
            given[place] = float(words.view(np.float64)[place])
        status: int = self._direct(*given)
        return status


@cache
def entering(types: str) -> Callable[[int], int]:
    """Compile what calls a function with words of some types; the function's address stands behind the words."""
    from llvmlite import binding

    names = {"i": "i64", "d": "double"}
    kinds = [names[letter] for letter in types]
    loads = [
        f"%p{place} = getelementptr i64, ptr %words, i64 {place}\n%v{place} = load {kind}, ptr %p{place}"
        for place, kind in enumerate([*kinds, "ptr"])
    ]
    given = ", ".join(f"{kind} %v{place}" for place, kind in enumerate(kinds))
    body = "\n".join([*loads, f"%status = call i32 %v{len(kinds)}({given})", "ret i32 %status"])
    engine = memory(binding.parse_assembly(f"define i32 @enter(ptr %words) {{\n{body}\n}}\n"))
    engine.finalize_object()
    return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64)(engine.get_function_address("enter"))
