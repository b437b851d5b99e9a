"""What is spoilt: the golden ontologies in every syntax, documents with a little of everything, and other files."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import pyoxigraph as rdf

import moose
from moose.base.errors import MooseError
from moose.certificates.make.certify_circuit import certify_circuit
from moose.certificates.make.certify_entailment import certify_axiom
from moose.certificates.make.certify_taxonomy import certify_taxonomy
from moose.certificates.write import write_certificate
from moose.circuit.circuit import Circuit
from moose.grounding.task.task_file import read_task
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import write_functional
from tests.owl.manchester_writer import write_axioms
from tests.owl.obo_writer import write_obo
from tests.owl.owlxml_writer import write_owlxml
from tests.owl.plain_rdf_writer import named, write_ntriples

HERE = Path(__file__).parent / "seeds"
ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.ofn"))
BUNDLED = sorted(moose.PIZZERIA.parent.glob("*.ofn"))
ENDINGS = {
    "functional": "ofn",
    "owlxml": "owx",
    "rdfxml": "rdf",
    "turtle": "ttl",
    "ntriples": "nt",
    "obo": "obo",
    "manchester": "omn",
}
"""Every syntax; a test compares this with the list that Moose reads."""
Entities = Iterable[owl.Entity]

# ── One ontology in every syntax ──────────────────────────────────────────────────────────────────────────────────


def _document(axioms: Sequence[ax.Axiom], names: Entities) -> Document:
    return Document(
        "http://example.org/ontology", axioms=tuple(axioms), declarations=tuple(ax.Declaration(name) for name in names)
    )


def _as_rdf(axioms: Sequence[ax.Axiom], names: Entities, form: rdf.RdfFormat) -> bytes:
    triples = rdf.parse(write_ntriples(axioms, names), format=rdf.RdfFormat.N_TRIPLES)
    prefixes = {"ex": "http://example.org/", "owl": "http://www.w3.org/2002/07/owl#"}
    written = rdf.serialize((quad.triple for quad in triples), format=form, prefixes=prefixes)
    assert isinstance(written, bytes)
    return written


def _manchester(axioms: Sequence[ax.Axiom], names: Entities) -> bytes:
    frames = [f"{type(name).__name__.removeprefix('Named')}: <{name.iri}>\n" for name in names]
    return (write_axioms(axioms) + "".join(frames)).encode()


WRITERS: dict[str, Callable[[Sequence[ax.Axiom], Entities], bytes]] = {
    "functional": lambda axioms, names: write_functional(_document(axioms, names)).encode(),
    "owlxml": lambda axioms, names: write_owlxml(_document(axioms, names)),
    "rdfxml": lambda axioms, names: _as_rdf(axioms, names, rdf.RdfFormat.RDF_XML),
    "turtle": lambda axioms, names: _as_rdf(axioms, names, rdf.RdfFormat.TURTLE),
    "ntriples": write_ntriples,
    "obo": lambda axioms, names: write_obo(axioms, names).encode(),
    "manchester": _manchester,
}


@cache
def golden_document(number: int, syntax: str) -> bytes:
    """Return a golden ontology in a syntax."""
    path = GOLDEN[number]
    text = path.read_text("utf-8")
    if syntax == "functional":
        return text.encode()
    document = read_functional(text, path.name)
    names = dict.fromkeys([*(told.entity for told in document.declarations), *named(document.axioms)])
    own = [one for one in names if "www.w3.org" not in one.iri and not isinstance(one, owl.Datatype)]
    return WRITERS[syntax](document.axioms, own)


@cache
def written_by_hand(syntax: str) -> tuple[bytes, ...]:
    """Return documents with a little of everything that a syntax has."""
    ending = ENDINGS[syntax]
    places = (HERE, ROOT / "tests" / "owl" / "fixtures_rdf", ROOT / "tools" / "same_outputs" / "inputs")
    files = [path for place in places for path in sorted(place.glob(f"*.{ending}"))]
    files += [path for path in BUNDLED if syntax == "functional"]
    return tuple(path.read_bytes() for path in files)


# ── Other files, each with what lies beside it ────────────────────────────────────────────────────────────────────

Files = dict[str, bytes]


@cache
def tasks() -> tuple[Files, ...]:
    """Return task files with their ontologies."""
    inputs = ROOT / "tools" / "same_outputs" / "inputs"
    folders = [
        *((HERE, name) for name in ("stones.toml",)),
        *((inputs, name) for name in ("stones.toml", "clash.toml")),
    ]
    return tuple(
        {"task.toml": (folder / name).read_bytes(), "stones.ofn": (folder / "stones.ofn").read_bytes()}
        for folder, name in folders
    )


@cache
def probabilities() -> tuple[Files, ...]:
    """Return probability files with their ontologies."""
    clinic = BUNDLED[0].with_name("clinic.ofn").read_bytes()
    table = (HERE / "clinic.tsv").read_bytes()
    values = dict(line.split("\t") for line in table.decode().splitlines()[1:])
    listed = [{"axiom": row, "probability": str(number)} for row, number in values.items()]
    texts = (table, json.dumps(values).encode(), json.dumps(listed, indent=1).encode())
    return tuple({"weights.tsv" if text is table else "weights.json": text, "clinic.ofn": clinic} for text in texts)


def _circuits() -> list[Circuit]:
    folder = HERE / "stones.toml"
    task = read_task(folder)
    return [moose.compile_circuit(moose.ground(task, encoding=encoding)) for encoding in ("full", "paper")]


@cache
def certificates() -> tuple[Files, ...]:
    """Return certificates of what follows, of what does not, of hierarchies and of circuits."""
    made: list[object] = []
    for path in GOLDEN[::9]:
        ontology = moose.load(path)
        taxonomy = moose.classify(ontology)
        names = [owl.Class(name) for name in ontology.classes[:2]]
        goals = [ax.SubClassOf(one, other) for one in names for other in (*names, owl.NOTHING)]
        makers: list[Callable[[], object]] = [lambda taxonomy=taxonomy: certify_taxonomy(taxonomy)]  # type: ignore[misc]
        for goal in goals:
            follows = moose.explain(ontology, goal) is not None
            makers.append(lambda o=ontology, g=goal, f=follows: certify_axiom(o, g, follows=f))  # type: ignore[misc]
        for make in makers:
            try:
                made.append(make())
            except MooseError:
                continue  # not all can be certified
    made += [certify_circuit(circuit) for circuit in _circuits()]
    return tuple({"certificate.json": _written(one)} for one in made)


def _written(certificate: object) -> bytes:
    stream = io.StringIO()
    assert isinstance(certificate, dict)
    write_certificate(certificate, stream)
    return stream.getvalue().encode()


@cache
def circuits() -> tuple[Files, ...]:
    """Return circuits as files."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for circuit in _circuits():
            circuit.save(Path(folder) / "circuit.npz")
            found.append({"circuit.npz": (Path(folder) / "circuit.npz").read_bytes()})
    return tuple(found)


@cache
def stores() -> tuple[Files, ...]:
    """Return small packed results."""
    files = [path for path in sorted((ROOT / "results").rglob("*.jsonl.gz")) if path.stat().st_size < 4_000]
    return tuple({path.name: path.read_bytes()} for path in files)


@cache
def models() -> tuple[Files, ...]:
    """Return a saved model, or none where torch is not installed."""
    try:
        from moose.learning.encoders import ConvolutionalEncoder, Plan
        from moose.methods.concept_learner import ConceptLearner
    except ImportError:
        return ()
    with tempfile.TemporaryDirectory() as folder:
        encoder = ConvolutionalEncoder(Plan(10, (1, 4, 4), (1, 1), False, False), seed=0)
        ConceptLearner(moose.regime("mnist1"), encoder).save(Path(folder))
        files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    return (dict(sorted(files.items(), key=lambda item: not item[0].endswith(".safetensors"))),)


@cache
def images() -> tuple[Files, ...]:
    """Return small images: PNG in grey and in colours, PGM, and the files of MNIST, plain."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    def png(colours: int, planes: int) -> bytes:
        header = struct.pack(">IIBBBBB", 8, 8, 8, colours, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + bytes(range(8)) * planes for _ in range(8)))
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")

    idx = b"\0\0\x08\x03" + struct.pack(">III", 2, 4, 4) + bytes(range(32))
    return (
        {"image.png": png(0, 1)},
        {"image.png": png(2, 3)},
        {"image.pgm": b"P5 4 4 255\n" + bytes(range(16))},
        {"train-images-idx3-ubyte": idx},
    )


FILES: dict[str, Callable[[], tuple[Files, ...]]] = {
    "task": tasks,
    "probabilities": probabilities,
    "certificate": certificates,
    "circuit": circuits,
    "store": stores,
    "model": models,
    "image": images,
}
