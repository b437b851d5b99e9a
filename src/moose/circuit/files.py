"""Circuits as files: arrays and a JSON header in a NumPy archive, with a digest of all of it inside.

Nothing in such a file can run as code, and a file that was cut short, changed or made by something else is refused.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from io import SEEK_END
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.base.whole_files import draft_of
from moose.circuit.checks.check_diagram import check_order
from moose.circuit.compiled_theory import CompiledTheory, Statistics
from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Assumption, AtomKind, Clauses, Origin, pack

FORMAT = 1
"""The version of the format; one of another version is refused."""

MOST_ATOMS = 1 << 29
"""A literal and its negation have a slot each, which are counted in 32 bits."""

Arrays = dict[str, npt.NDArray[np.generic]]
DIAGRAM = "diagram"
CIRCUIT = "circuit"

# What NumPy and its archive reader raise on a file that is no archive, or a damaged one.
UNREADABLE = (
    ValueError, KeyError, TypeError, OSError, EOFError, IndexError, NotImplementedError, RuntimeError, MemoryError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def save_circuit(circuit: CompiledTheory, path: str | Path) -> None:
    """Write a circuit with its clauses to a file, whole or not at all."""
    header = _describe(circuit.clauses) | {"statistics": asdict(circuit.statistics)}
    try:
        write_archive(Path(path), CIRCUIT, header, _clause_arrays(circuit.clauses) | diagram_arrays(circuit.diagram))
    except OSError as error:
        raise MooseError(f"cannot write the circuit to {path}: {error.strerror or error}") from error


def read_circuit(path: str | Path) -> tuple[Clauses, Diagram, Statistics]:
    """Read what `save_circuit` wrote; `Circuit.load` makes a circuit of it."""
    header, arrays = read_archive(Path(path), CIRCUIT)
    try:
        clauses, diagram = _read_clauses(header, arrays), read_diagram(arrays)
        visible = int((clauses.kinds != AtomKind.AUXILIARY).sum())
        _check(diagram.atom_count == visible, f"the diagram has {diagram.atom_count} atoms, the clauses {visible}")
        return clauses, diagram, read_statistics(header)
    except MooseError as error:
        raise MooseError(f"{path} is damaged or forged: {error}; save the circuit again") from None
    except UNREADABLE as error:
        raise MooseError(f"{path} is damaged ({error}): save the circuit again") from error


def content_hash(circuit: CompiledTheory) -> str:
    """Return a digest of a circuit's clauses and diagram: equal for equal circuits, however long they took."""
    arrays = _clause_arrays(circuit.clauses) | diagram_arrays(circuit.diagram)
    return _digest(CIRCUIT, _describe(circuit.clauses), arrays).hex()


# ── Archives ──────────────────────────────────────────────────────────────────────────────────────────────────────


def write_archive(path: Path, kind: str, header: Mapping[str, object], arrays: Arrays) -> None:
    """Write a header and arrays with their digest under a temporary name, then give the file its own name."""
    digest = np.frombuffer(_digest(kind, header, arrays), np.uint8)
    described = {"kind": kind, "format": FORMAT, "header": header}
    text = np.frombuffer(json.dumps(described, ensure_ascii=False).encode(), np.uint8)
    with draft_of(path) as draft, draft.open("wb") as stream:
        np.savez(stream, allow_pickle=False, digest=digest, about=text, **arrays)


def read_archive(path: Path, kind: str) -> tuple[dict[str, object], Arrays]:
    """Read what `write_archive` wrote; refuse anything else."""
    try:
        with path.open("rb") as stream:
            _check_members(stream)
            with np.load(stream, allow_pickle=False) as stored:
                arrays: Arrays = {name: stored[name] for name in stored.files}
        described = _mapping(json.loads(arrays.pop("about").tobytes()))
        digest = arrays.pop("digest").tobytes()
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise MooseError(f"cannot read {path}: {error.strerror}") from error
    except UNREADABLE as error:
        raise MooseError(f"{path} is no {kind} file of Moose, or it is damaged ({type(error).__name__})") from error
    if described.get("kind") != kind or described.get("format") != FORMAT:
        content = f"{described.get('kind')!r} in format {described.get('format')!r}"
        raise MooseError(f"{path} holds {content}, but {kind!r} in format {FORMAT} is expected: save it again")
    header = described.get("header")
    if not isinstance(header, dict) or digest != _digest(kind, header, arrays):
        raise MooseError(f"{path} is damaged: its contents do not match their digest; save it again")
    return header, arrays


def _check_members(stream: IO[bytes]) -> None:
    """Refuse an archive whose parts are larger than it: Moose packs nothing, so that nothing can unpack to much."""
    with zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
    size = stream.seek(0, SEEK_END)
    stream.seek(0)
    if any(one.compress_type != zipfile.ZIP_STORED for one in members) or sum(one.file_size for one in members) > size:
        raise ValueError("it holds more than its size")


def _digest(kind: str, header: Mapping[str, object], arrays: Arrays) -> bytes:
    state = sha256(f"{kind} {FORMAT} ".encode())
    state.update(json.dumps(header, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        state.update(f"\0{name} {array.dtype.str} {array.shape}\0".encode())
        state.update(np.ascontiguousarray(array).data)
    return state.digest()


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ValueError("the header is no table")
    return value


# ── Contents ──────────────────────────────────────────────────────────────────────────────────────────────────────


def read_statistics(header: Mapping[str, object]) -> Statistics:
    """Return the statistics in a header."""
    found = _mapping(header["statistics"])
    kinds = {"atoms": int, "clauses": int, "size": int, "nodes": int, "seconds": float | int, "vtree": str}
    is_sound = found.keys() == kinds.keys() and all(
        isinstance(found[name], kind) and not isinstance(found[name], bool) for name, kind in kinds.items()
    )
    _check(is_sound, "its statistics are not those of a circuit")
    return Statistics(**found)  # type: ignore[arg-type]  # as was checked


def diagram_arrays(diagram: Diagram) -> Arrays:
    """Return a diagram as named arrays."""
    return {
        "diagram_numbers": np.array([diagram.atom_count, diagram.root], np.int64),
        "diagram_starts": diagram.starts.astype(np.int64),
        "diagram_primes": diagram.primes.astype(np.int32),
        "diagram_subs": diagram.subs.astype(np.int32),
    }


def read_diagram(arrays: Arrays) -> Diagram:
    """Return the diagram in named arrays; raise unless it is in order."""
    numbers = _array(arrays, "diagram_numbers", np.int64)
    starts = _array(arrays, "diagram_starts", np.int64)
    primes, subs = _array(arrays, "diagram_primes", np.int32), _array(arrays, "diagram_subs", np.int32)
    _check(len(numbers) == 2, "diagram_numbers must hold the number of atoms and the root")
    atom_count, root = (int(number) for number in numbers)
    _check(0 <= atom_count < MOST_ATOMS, f"it cannot have {atom_count} atoms")
    _check_starts(starts, len(primes), "diagram_starts")
    diagram = Diagram(atom_count, starts, primes, subs, root)
    check_order(diagram)
    return diagram


def _array(arrays: Arrays, name: str, kind: type[np.generic]) -> npt.NDArray[Any]:
    """Return one row of numbers of the kind that is written, or refuse what is there instead."""
    array = arrays.get(name)
    if array is None or array.ndim != 1 or array.dtype != kind:
        found = "nothing" if array is None else f"{array.dtype} in {array.ndim} dimensions"
        raise MooseError(f"expected a row of {np.dtype(kind)} as {name}, but got {found}")
    return array


def _check_starts(starts: npt.NDArray[np.int64], count: int, name: str) -> None:
    """Refuse starts that do not lead from 0 to the number of what they cut into pieces, step by step."""
    leads = len(starts) > 0 and starts[0] == 0 and starts[-1] == count and not (np.diff(starts) < 0).any()
    _check(bool(leads), f"{name} must lead from 0 to {count}")


def _check(is_sound: bool, fault: str) -> None:
    if not is_sound:
        raise MooseError(fault)


def _clause_arrays(clauses: Clauses) -> Arrays:
    members, starts = pack(clauses.families)
    return {
        "kinds": clauses.kinds.astype(np.int8),
        "literals": clauses.literals.astype(np.int32),
        "starts": clauses.starts.astype(np.int64),
        "origins": clauses.origins.astype(np.int8),
        "given": np.array(clauses.given, np.int64),
        "family_members": members,
        "family_starts": starts,
    }


def _describe(clauses: Clauses) -> dict[str, object]:
    return {
        "atoms": [[atom.predicate, *atom.arguments] for atom in clauses.atoms],
        "fixed": [[truth, atom.predicate, *atom.arguments] for atom, truth in clauses.fixed.items()],
        "assumptions": [[a.name, a.statement, a.departure] for a in clauses.assumptions],
        "closed_roles": sorted(clauses.closed_roles),
    }


def _read_clauses(header: Mapping[str, object], arrays: Arrays) -> Clauses:
    atoms = tuple(_atom(row) for row in _rows(header, "atoms"))
    _check(len(set(atoms)) == len(atoms), "an atom stands there twice")
    kinds, origins = _array(arrays, "kinds", np.int8), _array(arrays, "origins", np.int8)
    literals, starts = _array(arrays, "literals", np.int32), _array(arrays, "starts", np.int64)
    given = _array(arrays, "given", np.int64)
    members, family_starts = _array(arrays, "family_members", np.int32), _array(arrays, "family_starts", np.int64)
    _check_starts(starts, len(literals), "starts")
    _check_starts(family_starts, len(members), "family_starts")
    _check(len(kinds) == len(atoms) and set(kinds.tolist()) <= set(AtomKind), "kinds must hold a kind for each atom")
    _check(
        len(origins) == len(starts) - 1 and set(origins.tolist()) <= set(Origin),
        "origins must hold one for each clause",
    )
    for name, numbers in (("literals", literals), ("given", given)):
        sizes = np.abs(numbers.astype(np.int64))
        _check(bool(((sizes > 0) & (sizes <= len(atoms))).all()), f"{name} must be those of its {len(atoms)} atoms")
    _check(bool(((members >= 0) & (members < len(atoms))).all()), f"families must be of its {len(atoms)} atoms")
    return Clauses(
        atoms=atoms,
        kinds=kinds,
        literals=literals,
        starts=starts,
        origins=origins,
        fixed={_atom(row[1:]): _truth(row[0]) for row in _rows(header, "fixed")},
        given=tuple(given.tolist()),
        families=tuple(tuple(members[start:stop].tolist()) for start, stop in pairwise(family_starts.tolist())),
        assumptions=tuple(Assumption(*_texts(row, 3, 3)) for row in _rows(header, "assumptions")),
        closed_roles=frozenset(_texts(header.get("closed_roles"), 0, None)),
    )


def _rows(header: Mapping[str, object], name: str) -> list[list[object]]:
    """Return a list of lists that are not empty."""
    rows = header.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
        raise MooseError(f"expected lists as {name} in the header")
    return rows


def _texts(row: object, least: int, most: int | None) -> list[str]:
    if not isinstance(row, list) or not all(isinstance(text, str) for text in row):
        raise MooseError("expected texts in a list of the header")
    _check(least <= len(row) and (most is None or len(row) <= most), f"a list of the header has {len(row)} texts")
    return row


def _atom(row: list[object]) -> Atom:
    predicate, *arguments = _texts(row, 1, None)
    return Atom(predicate, tuple(arguments))


def _truth(value: object) -> bool:
    _check(isinstance(value, bool), "an atom is fixed to what is no truth value")
    return bool(value)
