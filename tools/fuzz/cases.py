"""Draw a case: from a seed and a number, always the same one."""

from __future__ import annotations

import gzip
import json
import struct
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.circuit.files import CIRCUIT, read_archive, write_archive
from tools.fuzz.byte_mutations import Mutation
from tools.fuzz.case import Case
from tools.fuzz.documents import ENDINGS, FILES, GOLDEN, HERE, WRITERS, Files, golden_document, written_by_hand
from tools.fuzz.random_axioms import DECLARED, random_axioms
from tools.fuzz.token_mutations import BYTEWISE, mutate, mutate_json, spoil_json

SYNTAXES = tuple(ENDINGS)
SHARES = {
    "ontology": 550,
    "axioms": 150,
    "command": 150,
    "imports": 40,
    "certificate": 50,
    "probabilities": 40,
    "task": 40,
    "circuit": 15,
    "store": 15,
    "image": 15,
    "model": 5,
    "process": 1,
}
"""Of a thousand cases. A `process` starts an interpreter of its own, which takes as long as hundreds of others."""


def draw_case(seed: int, number: int, only: tuple[str, ...] = tuple(SHARES)) -> Case:
    """Draw a case of one of some targets."""
    name = f"{seed}/{number}"
    random = Random(f"case {name}")  # noqa: S311 - a case must be repeatable
    target = random.choices(only, [SHARES[one] for one in only])[0]
    kind, files = draw_files(target, random)
    return Case(target, kind, files, name)


def draw_files(target: str, random: Random) -> tuple[str, Files]:
    """Draw what a target reads."""
    if target in ("command", "process"):
        target = random.choices(("ontology", *FILES), (16, *(1 for _ in FILES)))[0]
    if target in FILES:
        return target, draw_other(target, random)
    kind = random.choice(SYNTAXES)
    if target == "axioms":
        files = {f"o.{ENDINGS['functional']}": WRITERS["functional"](random_axioms(random), DECLARED)}
        return "functional", files
    document = draw_document(kind, random)
    if target == "imports":
        return kind, draw_imports(kind, document, random)
    return kind, {f"o.{random.choice((ENDINGS[kind], ENDINGS[kind], 'owl', 'txt', 'xml'))}": document}


# ── Ontologies ────────────────────────────────────────────────────────────────────────────────────────────────────


def plain_document(kind: str, random: Random) -> bytes:
    """Choose a golden ontology, one written by hand, or one drawn at random."""
    match random.randrange(4):
        case 0:
            return random.choice(written_by_hand(kind))
        case 1:
            return WRITERS[kind](random_axioms(random), DECLARED)
        case _:
            return golden_document(random.randrange(len(GOLDEN)), kind)


def draw_document(kind: str, random: Random) -> bytes:
    """Draw a document and spoil it; the other document is seldom of another syntax."""
    other = kind if random.randrange(8) else random.choice(SYNTAXES)
    return mutate(plain_document(kind, random), plain_document(other, random), random)


def draw_imports(kind: str, document: bytes, random: Random) -> Files:
    """Draw an ontology that imports others, a catalogue, and what lies beside."""
    imported = [
        "http://example.org/elsewhere",
        "http://example.org/far/b.ofn",
        "file:///etc/hostname",
        "urn:x",
        "o.ofn",
    ]
    lines = "".join(f"Import(<{one}>) " for one in random.sample(imported, random.randrange(1, 4)))
    root = f"Ontology(<http://example.org/root> {lines}SubClassOf(<http://example.org/A> <http://example.org/B>))"
    catalogue = (HERE / "catalogue.xml").read_bytes()
    files = {
        "o.ofn": mutate(root.encode(), document, random) if random.randrange(2) else root.encode(),
        "catalog-v001.xml": mutate(catalogue, document, random) if random.randrange(3) == 0 else catalogue,
        "elsewhere.ofn": b"Ontology(<http://example.org/elsewhere> Import(<http://example.org/root>))",
        f"beside.{ENDINGS[kind]}": document,
        f"sub/b.{ENDINGS[kind]}": document,
    }
    if random.randrange(4):
        files["other.xml"] = catalogue if random.randrange(2) else mutate(catalogue, document, random)
    if random.randrange(3) == 0:
        files["elsewhere.ofn"] = document
    return files


# ── Other files ───────────────────────────────────────────────────────────────────────────────────────────────────


def draw_other(target: str, random: Random) -> Files:
    """Draw a file of a kind, with what lies beside it, and spoil it."""
    seeds = FILES[target]()
    if not seeds:  # torch is not installed
        return {"model.safetensors": b""}
    files, other = dict(random.choice(seeds)), random.choice(seeds)
    first = next(iter(files))
    files[first] = mutate(files[first], next(iter(other.values())), random, more=FITTING.get(target, ()))
    if target in ("task", "probabilities", "model") and random.randrange(4) == 0:
        second = random.choice([*files][1:])
        files[second] = mutate(files[second], draw_document("functional", random), random)
    return files


Array = npt.NDArray[np.generic]


def spoil_archive(data: bytes, _other: bytes, random: Random) -> bytes:
    """Change the arrays or the header of a circuit, and give it the digest that fits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "circuit.npz"
        path.write_bytes(data)
        try:
            header, arrays = read_archive(path, CIRCUIT)
            if random.randrange(2):
                header = {key: spoil_json(value, random, 0.03) for key, value in header.items()}
            else:
                name = random.choice([*arrays])
                arrays[name] = spoil_array(arrays[name], random)
            write_archive(path, CIRCUIT, header, arrays)
        except (MooseError, OverflowError, UnicodeEncodeError, RecursionError):
            return data  # spoilt before, or what no archive can hold
        return path.read_bytes()


def spoil_array(array: Array, random: Random) -> Array:
    """Change a value, the length, the shape or the type of an array."""
    if array.size and random.randrange(3):
        changed = array.copy()
        value = random.choice((0, 1, 2, 100, changed.flat[random.randrange(array.size)]))
        changed.flat[random.randrange(array.size)] = value
        return changed
    changes: tuple[Callable[[], Array], ...] = (
        lambda: array[:-1],
        lambda: np.append(array, array[:1]).astype(array.dtype),
        lambda: array.astype(np.float32),
        lambda: array.reshape(1, -1),
        lambda: np.flip(array),
    )
    return random.choice(changes)()


def spoil_packed(data: bytes, _other: bytes, random: Random) -> bytes:
    """Change the JSON in the lines of packed results."""
    try:
        lines = gzip.decompress(data).splitlines()
    except (OSError, EOFError, zlib.error):
        return data  # spoilt before
    if not lines:
        return data
    at = random.randrange(len(lines))
    lines[at : at + 1] = [mutate_json(line, b"", random) for line in lines[at : at + 1]]
    return gzip.compress(b"\n".join(lines) + b"\n", mtime=0)


def spoil_tensors(data: bytes, _other: bytes, random: Random) -> bytes:
    """Change the header of a file of tensors, or the JSON inside it that Moose wrote."""
    if len(data) < 8:
        return data
    length = int(struct.unpack("<Q", data[:8])[0])
    try:
        header = json.loads(data[8 : 8 + length])
        if random.randrange(3):
            facts = spoil_json(json.loads(header["__metadata__"]["moose"]), random, 0.1)
            header["__metadata__"]["moose"] = json.dumps(facts)
        else:
            header = spoil_json(header, random, 0.05)
    except (ValueError, KeyError, TypeError, RecursionError):
        return data
    text = json.dumps(header).encode(BYTEWISE, "replace")
    return struct.pack("<Q", len(text)) + text + data[8 + length :]


FITTING: dict[str, tuple[Mutation, ...]] = {
    "certificate": (mutate_json,),
    "circuit": (spoil_archive,),
    "store": (spoil_packed,),
    "model": (spoil_tensors,),
}
