"""How jobs and fragments travel between processes: frames of named arrays, nothing that could run as code."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from moose.circuit.sdd.jobs import Fragment, Functions, Job

Arrays = Mapping[str, npt.NDArray[np.generic]]
HEADER = struct.Struct(">cQ")  # what kind of frame, and how many bytes follow

JOB, PROGRESS, FRAGMENT, TOO_LARGE, FAILED = b"J", b"P", b"F", b"L", b"E"


def write_frame(stream: BinaryIO, kind: bytes, payload: bytes) -> None:
    """Send one frame."""
    stream.write(HEADER.pack(kind, len(payload)) + payload)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """Receive one frame; none when the other side is gone."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    kind, length = HEADER.unpack(header)
    payload = stream.read(length)
    return (kind, payload) if len(payload) == length else None


def _pack(arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _unpack(payload: bytes) -> dict[str, npt.NDArray[np.generic]]:
    with np.load(io.BytesIO(payload), allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def pack_job(job: Job) -> bytes:
    """Write a job."""
    blocks = job.blocks
    return _pack(
        {
            "numbers": np.array([job.variable_count, int(job.minimise), job.most_elements or 0], np.int64),
            "shape": np.frombuffer(job.shape.encode(), np.uint8),
            "separator": job.separator,
            "literals": job.literals,
            "starts": job.starts,
            "quantified": job.quantified,
            "block_starts": job.block_starts,
            "names": job.names,
            "clusters": job.clusters,
            "silent": job.silent,
            "functions_starts": blocks.starts,
            "functions_primes": blocks.primes,
            "functions_subs": blocks.subs,
            "functions_roots": blocks.roots,
        }
    )


def unpack_job(payload: bytes) -> Job:
    """Read a job."""
    arrays = _unpack(payload)
    count, minimise, most_elements = (int(number) for number in arrays["numbers"])
    return Job(
        variable_count=count,
        separator=arrays["separator"].astype(np.int32),
        literals=arrays["literals"].astype(np.int32),
        starts=arrays["starts"].astype(np.int64),
        quantified=arrays["quantified"].astype(np.int32),
        blocks=_functions(arrays, count),
        block_starts=arrays["block_starts"].astype(np.int64),
        names=arrays["names"].astype(np.int32),
        clusters=arrays["clusters"].astype(np.int32),
        silent=arrays["silent"].astype(np.bool_),
        shape=arrays["shape"].tobytes().decode(),
        minimise=bool(minimise),
        most_elements=most_elements or None,
    )


def pack_fragment(fragment: Fragment) -> bytes:
    """Write a fragment."""
    functions = fragment.functions
    return _pack(
        {
            "numbers": np.array([functions.variable_count, fragment.size, fragment.count], np.int64),
            "sizes": fragment.sizes,
            "functions_starts": functions.starts,
            "functions_primes": functions.primes,
            "functions_subs": functions.subs,
            "functions_roots": functions.roots,
        }
    )


def unpack_fragment(payload: bytes) -> Fragment:
    """Read a fragment."""
    arrays = _unpack(payload)
    variable_count, size, count = (int(number) for number in arrays["numbers"])
    return Fragment(_functions(arrays, variable_count), arrays["sizes"].astype(np.int32), size, count)


def _functions(arrays: Arrays, variable_count: int) -> Functions:
    return Functions(
        variable_count,
        arrays["functions_starts"].astype(np.int64),
        arrays["functions_primes"].astype(np.int32),
        arrays["functions_subs"].astype(np.int32),
        arrays["functions_roots"].astype(np.int32),
    )
