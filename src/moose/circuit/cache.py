"""Keep compiled circuits on disk, found again by what they were compiled from.

The cache is a convenience: a file in it that is damaged or foreign is compiled anew and written over, a folder that
cannot be written is left alone, and the caller is told of either through `tell`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import numpy as np

from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compiled_theory import visible_atoms
from moose.circuit.files import (
    DIAGRAM,
    FORMAT,
    UNREADABLE,
    diagram_arrays,
    read_archive,
    read_diagram,
    read_statistics,
    write_archive,
)
from moose.grounding.clauses import AtomKind, Clauses, Origin, pack

COMPILER = 2
"""Counts the changes of the compiler after which it makes other circuits than before."""

Tell = Callable[[str, float], None]


def default_folder() -> Path:
    """Return `$MOOSE_CACHE`, or the folder `moose/circuits` among the user's caches."""
    if chosen := os.environ.get("MOOSE_CACHE"):
        return Path(chosen)
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "moose" / "circuits"


def cached_circuit(
    clauses: Clauses, options: str, *, folder: Path | bool | None, build: Callable[[], Circuit], tell: Tell
) -> Circuit:
    """Return the circuit from the cache, or build it and put it there; without a folder, build it."""
    if folder is None or folder is False:
        return build()
    try:
        directory = default_folder() if folder is True else Path(folder)
    except RuntimeError as error:  # no home
        tell(f"no cache is used: {error}", 0.0)
        return build()
    key = cache_key(clauses, options)
    file = directory / f"{key}.npz"
    if os.path.exists(file):  # noqa: PTH110 - unlike the path's method, says no where it may not look
        try:
            return _read(file, key, clauses)
        except MooseError as error:
            tell(f"compiling again: {error}", 0.0)
    circuit = build()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        header = {"key": key, "statistics": asdict(circuit.statistics)}
        write_archive(file, DIAGRAM, header, diagram_arrays(circuit.diagram))
    except OSError as error:
        tell(f"the circuit could not be kept in the cache {directory}: {error.strerror or error}", 1.0)
    return circuit


def cache_key(clauses: Clauses, options: str) -> str:
    """Return a digest of all that a compilation depends on."""
    state = sha256(f"{FORMAT} {COMPILER} {options}\0".encode())
    state.update("\0".join(atom.bare for atom in clauses.atoms).encode())
    members, starts = pack(clauses.families)  # each is one variable in tables
    for array in (clauses.kinds == AtomKind.AUXILIARY, clauses.literals, clauses.starts, members, starts):
        state.update(f"\0{array.dtype.str} {array.shape}\0".encode())
        state.update(np.ascontiguousarray(array).data)
    if (clauses.origins == Origin.NAMED_INDIVIDUALS).any():  # they are compiled by tables
        state.update(b"\0over names")
    return state.hexdigest()


def _read(file: Path, key: str, clauses: Clauses) -> Circuit:
    header, arrays = read_archive(file, DIAGRAM)
    if header.get("key") != key:
        raise MooseError(f"{file} was compiled from something else")
    atoms = visible_atoms(clauses)
    try:
        diagram = read_diagram(arrays)
        statistics = read_statistics(header)
    except UNREADABLE as error:
        raise MooseError(f"{file} is damaged ({error})") from error
    if diagram.atom_count != len(atoms):
        raise MooseError(f"{file} is damaged: it has {diagram.atom_count} atoms instead of {len(atoms)}")
    return Circuit(clauses, atoms, diagram, statistics)
