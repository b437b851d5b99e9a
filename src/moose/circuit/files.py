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
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.base.whole_files import draft_of
from moose.circuit.checks.check_diagram import check_order
from moose.circuit.compiled_theory import CompiledTheory, Statistics
from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Assumption, Clauses, pack

FORMAT = 1
"""The version of the format; one of another version is refused."""

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
        return _read_clauses(header, arrays), read_diagram(arrays), read_statistics(header)
    except MooseError:
        raise
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
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
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
    return Statistics(**_mapping(header["statistics"]))  # type: ignore[arg-type]


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
    atom_count, root = (int(number) for number in arrays["diagram_numbers"])
    diagram = Diagram(
        atom_count,
        arrays["diagram_starts"].astype(np.int64),
        arrays["diagram_primes"].astype(np.int32),
        arrays["diagram_subs"].astype(np.int32),
        root,
    )
    check_order(diagram)
    return diagram


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
    atoms, fixed, assumptions = (_rows(header[name]) for name in ("atoms", "fixed", "assumptions"))
    members, starts = arrays["family_members"].tolist(), arrays["family_starts"].tolist()
    return Clauses(
        atoms=tuple(Atom(predicate, tuple(arguments)) for predicate, *arguments in atoms),
        kinds=arrays["kinds"].astype(np.int8),
        literals=arrays["literals"].astype(np.int32),
        starts=arrays["starts"].astype(np.int64),
        origins=arrays["origins"].astype(np.int8),
        fixed={Atom(predicate, tuple(arguments)): bool(truth) for truth, predicate, *arguments in fixed},
        given=tuple(arrays["given"].tolist()),
        families=tuple(tuple(members[start:stop]) for start, stop in pairwise(starts)),
        assumptions=tuple(Assumption(*texts) for texts in assumptions),
        closed_roles=frozenset(str(name) for name in _rows(header["closed_roles"])),
    )


def _rows(value: object) -> list[list[str]]:
    if not isinstance(value, list):
        raise ValueError("a list was expected in the header")
    return value
