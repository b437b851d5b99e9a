"""Files that somebody else wrote, or changed: each is refused in one sentence, and nothing in them is run."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from moose.base.errors import MooseError
from moose.base.user_files import parse_json
from moose.benchmark.store.record_files import read_json
from moose.benchmark.store.records import listing_of
from moose.certificates.checker.reading import Refused, parse_certificate
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.files import CIRCUIT, read_archive, save_circuit, write_archive
from moose.cli.learn.ask import read_weights_file
from moose.cli.learn.learning_output import RECORD
from moose.cli.learn.learning_output import read_record as read_run
from moose.grounding.atoms import Atom
from moose.grounding.clauses import clauses_from_lists
from moose.grounding.task.task_file import read_task
from moose.queries.probabilities.probability_files import read_lines

DIGITS = "7" * 5_000
DEEP = "[" * 100_000 + "]" * 100_000


def refused(call: Callable[[], object]) -> str:
    """Return the one sentence that a call raises."""
    with pytest.raises(MooseError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and len(message) < 500, message[:600]
    return message


# ── JSON and TOML ─────────────────────────────────────────────────────────────────────────────────────────────────

READERS: dict[str, Callable[[Path], object]] = {
    "a store": read_json,
    "weights": read_weights_file,
    "probabilities": lambda path: list(read_lines(path)),
    "a run": lambda path: read_run(path.parent),
}
BROKEN = {
    "digits": f'{{"a": {DIGITS}}}'.encode(),
    "depth": DEEP.encode(),
    "an unfinished text": b'{"a": "',
    "other bytes": b'{"a": "\xff\xfe"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "zeros": b"\0" * 100,
    "a mark": b"\xef\xbb\xbf[",
    "nothing": b"",
    "a list": b"[1, 2]",
    "null": b"null",
}


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("reader", READERS)
def test_broken_json(tmp_path: Path, reader: str, broken: str) -> None:
    path = tmp_path / RECORD
    path.write_bytes(BROKEN[broken])
    if reader == "probabilities" and broken in ("nothing", "digits"):
        return  # an empty table says nothing; a number of any length is text until it is read as a probability
    refused(lambda: READERS[reader](path))


def test_a_probability_of_many_digits_is_refused() -> None:
    from moose.queries.probabilities.numbers import read_probability

    refused(lambda: read_probability(DIGITS, "line 1"))
    refused(lambda: read_probability(f"1/{DIGITS}", "line 1"))
    refused(lambda: read_probability(int("7" * 4_000) ** 2, "line 1"))
    refused(lambda: read_probability(f"1e{DIGITS}", "line 1"))


@pytest.mark.parametrize("broken", [case for case in BROKEN if case not in ("a mark", "a list", "null", "nothing")])
def test_a_broken_certificate(broken: str) -> None:
    with pytest.raises((Refused, UnicodeDecodeError)) as caught:
        parse_certificate(BROKEN[broken].decode("utf-8"))
    assert isinstance(caught.value, Refused) or broken in ("other bytes", "UTF-16")


def test_json_in_words() -> None:
    for text in (f"[{DIGITS}]", DEEP, "{", b"\xff"):
        message = refused(partial(parse_json, text, "a.json: expected a list, but"))
        assert message.startswith("a.json: expected a list, but ")


@pytest.mark.parametrize(
    "text",
    [
        f"individuals = {DIGITS}",
        "individuals = 1979-05-27",
        "individuals = [1, 2]",
        "individuals = [[['a']]]",
        "individuals = {a = 1}",
        'individuals = "a\\u0000b"',
        'individuals = ["a\\u001b[31m"]',
        'individuals = ["a"]\nlatent = 5',
        'individuals = ["a"]\nlatent = [nan]',
        'individuals = ["a"]\nobserved = {}',
        'individuals = ["a"]\nfamilies = ["A"]',
        'individuals = ["a"]\nfamilies = 1.5',
        'individuals = ["a"]\nroles = 3',
        'individuals = ["a"]\nroles = {r = 3}',
        'individuals = ["a"]\nroles = {r = [["a"]]}',
        'individuals = ["a"]\nprofiles = [1]',
        'individuals = ["a"]\nprofiles = {A = 1}',
        'individuals = ["a"]\nfacts = 1',
        'individuals = ["a"]\nfacts = [1]',
        'individuals = ["a"]\nclosure = 7',
        'individuals = ["a"]\nclosure = [[]]',
    ],
)
def test_a_task_of_wrong_types(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.toml").write_text(f'ontology = "moose:pizzeria"\n{text}\n', encoding="utf-8")
    refused(lambda: read_task(tmp_path / "t.toml"))


@pytest.mark.parametrize("name", ["1", "[]", '"\\u0000"', '"a\\u0000.ofn"', '"moose:"', '""', "true"])
def test_a_task_that_names_no_ontology(tmp_path: Path, name: str) -> None:
    (tmp_path / "t.toml").write_text(f'ontology = {name}\nindividuals = ["a"]\n', encoding="utf-8")
    refused(lambda: read_task(tmp_path / "t.toml"))


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31m", "a/b", "..", "a\0b", "", " ", 5, None])
def test_a_listing_whose_names_are_none(name: object) -> None:
    table = {"format": 1, "plan": name, "scale": "small", "cells": []}
    refused(lambda: listing_of(table, Path("listing.json")))


# ── Circuits ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def circuit_file(tmp_path: Path) -> Path:
    atoms = [Atom(name, ("x",)) for name in "ABCD"]
    circuit = compile_circuit(clauses_from_lists(atoms, [(-1, 2), (3, 4), (-2, -3)]))
    save_circuit(circuit, tmp_path / "c.npz")
    return tmp_path / "c.npz"


def forge(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Change a circuit file, and give it the digest that fits."""
    header, arrays = read_archive(path, CIRCUIT)
    change(header, arrays)
    write_archive(path, CIRCUIT, header, arrays)


ARRAYS = (
    "kinds", "literals", "starts", "origins", "given", "family_members", "family_starts",
    "diagram_numbers", "diagram_starts", "diagram_primes", "diagram_subs",
)  # fmt: skip
CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "longer": lambda array: np.append(array, array[-1:] if len(array) else [1]).astype(array.dtype),
    "shorter": lambda array: array[:-1],
    "huge": lambda array: np.append(array[:-1], 2**31 - 1 if array.itemsize > 1 else 127).astype(array.dtype),
    "negative": lambda array: np.append(array[:-1], -100).astype(array.dtype),
    "wider": lambda array: array.astype(np.float64),
    "square": lambda array: np.tile(array, (2, 1)),
    "texts": lambda array: array.astype(str),
}


# One literal more that is known, one family more without a member: other circuits, but sound ones.
FITTING = {("given", "longer"), ("family_starts", "longer")}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_do_not_fit(circuit_file: Path, name: str, change: str) -> None:
    before = read_archive(circuit_file, CIRCUIT)[1][name]
    after = CHANGES[change](before)
    if after.dtype == before.dtype and np.array_equal(after, before):
        return  # nothing to take away from what is empty
    if (name, change) in FITTING:
        return
    forge(circuit_file, lambda _, arrays: arrays.update({name: after}))
    refused(lambda: Circuit.load(circuit_file))


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_is_missing(circuit_file: Path, name: str) -> None:
    forge(circuit_file, lambda _, arrays: arrays.pop(name))
    refused(lambda: Circuit.load(circuit_file))


@pytest.mark.parametrize("value", [None, 5, "text", [1], [["a", 5]], [[]], {"a": 1}, [["A", "x"], ["A", "x"]]])
@pytest.mark.parametrize("name", ["atoms", "fixed", "assumptions", "closed_roles", "statistics"])
def test_a_header_of_wrong_types(circuit_file: Path, name: str, value: object) -> None:
    if (name, value) == ("closed_roles", []):
        return
    forge(circuit_file, lambda header, _: header.update({name: value}))
    refused(lambda: Circuit.load(circuit_file))


def test_an_archive_that_unpacks_to_much(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("about.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "|u1", "fortran_order": False, "shape": (1 << 28,)})
        for _ in range(1 << 8):
            member.write(b"\0" * (1 << 20))
    refused(lambda: Circuit.load(path))


def test_an_archive_with_an_object_is_not_unpickled(tmp_path: Path) -> None:
    class Runs:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (tmp_path / "ran",)

    buffer = io.BytesIO()
    np.savez(buffer, about=np.array([Runs()], dtype=object), digest=np.zeros(1), allow_pickle=True)
    (tmp_path / "c.npz").write_bytes(buffer.getvalue())
    refused(lambda: Circuit.load(tmp_path / "c.npz"))
    (tmp_path / "d.npz").write_bytes(pickle.dumps(Runs()))
    refused(lambda: Circuit.load(tmp_path / "d.npz"))
    assert not (tmp_path / "ran").exists()


# ── Images ────────────────────────────────────────────────────────────────────────────────────────────────────────


def png(width: int, height: int) -> bytes:
    """Return a PNG that says it has so many pixels, and has one line of zeros."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "size", [(8_000, 8_000), (12_000, 9_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1), (1, 2**31 - 1)]
)
def test_an_image_that_says_it_is_huge(tmp_path: Path, size: tuple[int, int]) -> None:
    pytest.importorskip("PIL")
    from moose.cli.learn.prediction.image_examples import read_image as read_for_prediction
    from moose.datasets.base.resizing import is_grey, read_image

    path = tmp_path / "a.png"
    path.write_bytes(png(*size))
    refused(lambda: read_image(path, channels=1, size=8))
    refused(lambda: read_for_prediction(path, (1, 8, 8), invert=False))
    refused(lambda: is_grey(path))


def test_an_image_that_is_cut_short(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    from moose.cli.learn.prediction.image_examples import read_image as read_for_prediction
    from moose.datasets.base.resizing import read_image

    whole = png(100, 100)
    for length in (0, 5, 20, 40, len(whole)):
        (tmp_path / "a.png").write_bytes(whole[:length])
        refused(lambda: read_image(tmp_path / "a.png", channels=3, size=8))
        refused(lambda: read_for_prediction(tmp_path / "a.png", (3, 8, 8), invert=True))


def idx(*sizes: int, content: bytes = b"") -> bytes:
    return bytes([0, 0, 8, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + content


@pytest.mark.parametrize(
    "content",
    [
        idx(2**32 - 1, 2**32 - 1, 2**32 - 1),
        idx(60_000, 28, 28),
        idx(0, 28, 28, content=b"\0"),
        idx(2**31, 2, 0),
        idx(1, 1, 1, content=b"\0\0"),
        b"\0\0\x08\x03",
        gzip.compress(idx(2**32 - 1, 2**32 - 1, 2**32 - 1), mtime=0),
        gzip.compress(b"\0" * (1 << 27), mtime=0),
        gzip.compress(idx(1, 1, 1), mtime=0)[:-4],
        b"\x1f\x8b" + b"\xff" * 100,
    ],
)
def test_idx_files_with_forged_sizes(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("torch")
    from moose.datasets.mnist_files.published import IMAGES, read_file

    (tmp_path / IMAGES["train"].name).write_bytes(content)
    refused(lambda: read_file(tmp_path, IMAGES["train"]))


# ── Models ────────────────────────────────────────────────────────────────────────────────────────────────────────

FACTS: list[object] = [
    None,
    5,
    "text",
    [],
    {},
    {"kind": "predictor", "format": 1},
    {"kind": "predictor", "format": 2},
    {"kind": "predictor", "format": 2, "perception": None, "method": "moose", "options": {}, "task": ""},
    {"kind": "predictor", "format": 2, "perception": {"is_bundled": True}, "method": "moose", "options": {}, "task": 5},
    {"kind": "predictor", "format": 2, "perception": {"is_bundled": True}, "method": 5, "options": [], "task": ""},
    {
        "kind": "predictor", "format": 2, "method": "moose", "options": {"seed": []}, "task": 5,
        "perception": {"is_bundled": True, "input_shape": "abc", "batch_norm": 1, "plan": None, "features": None},
    },
    {
        "kind": "predictor", "format": 2, "method": "moose", "options": {}, "task": 5,
        "perception": {"is_bundled": True, "input_shape": [1], "batch_norm": 1, "plan": {"a": 5}, "features": "x"},
    },
    {"format": 1, "head": "softmax"},
    {"format": 1, "head": 5, "encoder": 5, "cover": 5, "features": [], "task": None},
    {"format": [1], "kind": {"a": 1}},
]  # fmt: skip


@pytest.mark.parametrize("facts", FACTS)
def test_a_model_with_other_facts(tmp_path: Path, facts: object) -> None:
    torch = pytest.importorskip("torch")
    safetensors = pytest.importorskip("safetensors.torch")
    from moose.learning.fit.checkpoints import NAME, read_checkpoint
    from moose.learning.model_files import WEIGHTS
    from moose.methods.load_predictor import load_predictor

    content = safetensors.save({"a": torch.zeros(1)}, metadata={"moose": json.dumps(facts)})
    (tmp_path / WEIGHTS).write_bytes(content)
    refused(lambda: load_predictor(tmp_path))
    (tmp_path / NAME).write_bytes(content)
    refused(lambda: read_checkpoint(tmp_path, {}))


@pytest.mark.parametrize(
    "metadata",
    [None, {}, {"moose": DEEP}, {"moose": f"[{DIGITS}]"}, {"moose": "{"}, {"other": "{}"}],
    ids=lambda value: str(value)[:20],
)
def test_a_model_with_other_metadata(tmp_path: Path, metadata: dict[str, str] | None) -> None:
    torch = pytest.importorskip("torch")
    safetensors = pytest.importorskip("safetensors.torch")
    from moose.learning.tensor_files import read_tensors

    (tmp_path / "a.safetensors").write_bytes(safetensors.save({"a": torch.zeros(1)}, metadata=metadata))
    refused(lambda: read_tensors(tmp_path / "a.safetensors"))


@pytest.mark.parametrize(
    "header",
    [
        b'{"__metadata__": {"moose": 5}}',
        b'{"__metadata__": 5}',
        b'{"__metadata__": {"moose": ["a"]}}',
        b'{"a": {"dtype": "F32", "shape": [99999999999], "data_offsets": [0, 4]}}',
        b'{"a": {"dtype": "F32", "shape": [-1], "data_offsets": [4, 0]}}',
        b"[]",
        b"\xff\xfe",
    ],
)
def test_a_tensor_file_with_a_forged_header(tmp_path: Path, header: bytes) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    from moose.learning.tensor_files import read_tensors

    for length in (len(header), 0, 2**63, 2**40):
        (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", length) + header + b"\0" * 4)
        refused(lambda: read_tensors(tmp_path / "a.safetensors"))
