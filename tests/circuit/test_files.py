from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.files import content_hash, save_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Assumption, AtomKind, Clauses, clauses_from_lists
from tests.circuit.theories import theories
from tests.searching import examples


@pytest.fixture(scope="module")
def circuit() -> Circuit:
    atoms = [Atom("Even", ("a",)), Atom("ñ⊑", ("a", "b")), Atom("Aux", ("b",)), Atom("Odd", ("a",))]
    clauses = replace(
        clauses_from_lists(atoms, [(1, 2, 4), (-1, -4), (3, -2)]),
        fixed={Atom("succ", ("a", "b")): True, Atom("succ", ("b", "a")): False},
        given=(2, -4),
        families=((0, 3),),
        assumptions=(Assumption("closed domain", "only a and b exist", "others may exist"),),
        closed_roles=frozenset({"succ"}),
        origins=np.array([6, 5, 8], np.int8),
    )
    clauses.kinds[2] = AtomKind.AUXILIARY
    return compile_circuit(clauses)


def assert_equal(left: object, right: object) -> None:
    for field in fields(left):  # type: ignore[arg-type]
        one, other = getattr(left, field.name), getattr(right, field.name)
        if isinstance(one, np.ndarray):
            assert np.array_equal(one, other) and one.dtype == other.dtype, field.name
        elif field.name in {"clauses", "diagram"} and not isinstance(one, int):
            assert_equal(one, other)
        else:
            assert one == other, field.name


def test_a_circuit_comes_back_as_it_was(circuit: Circuit, tmp_path: Path) -> None:
    save_circuit(circuit, tmp_path / "some name")
    loaded = Circuit.load(str(tmp_path / "some name"))
    assert_equal(loaded, circuit)
    assert content_hash(loaded) == content_hash(circuit)
    assert [file.name for file in tmp_path.iterdir()] == ["some name"]


@examples(10)
@given(theories())
def test_every_circuit_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, theory: Clauses) -> None:
    file = tmp_path_factory.mktemp("circuit") / "circuit.npz"
    circuit = compile_circuit(theory, vtree="linear")
    save_circuit(circuit, file)
    assert_equal(Circuit.load(file), circuit)


def test_the_hash_is_of_the_content(circuit: Circuit) -> None:
    slower = replace(circuit, statistics=replace(circuit.statistics, seconds=1e6))
    assert content_hash(slower) == content_hash(circuit)
    other = replace(circuit, diagram=replace(circuit.diagram, root=0))
    assert content_hash(other) != content_hash(circuit)
    renamed = replace(circuit, clauses=replace(circuit.clauses, atoms=circuit.clauses.atoms[::-1]))
    assert content_hash(renamed) != content_hash(circuit)


@examples(60)
@given(data=st.data())
def test_a_damaged_file_is_refused(
    circuit: Circuit, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("circuit") / "circuit.npz"
    save_circuit(circuit, file)
    content = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content = content[:place]
    else:
        content[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(content)
    try:
        loaded = Circuit.load(file)
    except MooseError as error:
        assert str(file) in str(error)  # noqa: PT017 - most but not all changes damage what is read
    else:  # a byte of the archive that means nothing, such as a time
        assert_equal(loaded, circuit)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04", b"\x93NUMPY\x01\x00"])
def test_a_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "circuit.npz"
    file.write_bytes(content)
    with pytest.raises(MooseError, match=r"circuit\.npz is no circuit file of Moose, or it is damaged"):
        Circuit.load(file)


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "circuit.npz"
    np.savez(file, numbers=np.arange(3))
    with pytest.raises(MooseError, match="no circuit file"):
        Circuit.load(file)
    about = json.dumps({"kind": "circuit", "format": 99, "header": {}}).encode()
    np.savez(file, digest=np.zeros(32, np.uint8), about=np.frombuffer(about, np.uint8))
    with pytest.raises(MooseError, match="holds 'circuit' in format 99, but 'circuit' in format 1 is expected"):
        Circuit.load(file)


def test_code_in_a_file_is_not_run(tmp_path: Path) -> None:
    file = tmp_path / "circuit.npz"
    np.savez(file, about=np.array([print], dtype=object))
    with pytest.raises(MooseError, match="no circuit file"):
        Circuit.load(file)


def test_files_that_cannot_be_read_or_written_are_named(circuit: Circuit, tmp_path: Path) -> None:
    with pytest.raises(MooseError, match=r"cannot read .*missing: No such file"):
        Circuit.load(tmp_path / "missing")
    with pytest.raises(MooseError, match="cannot read"):
        Circuit.load(tmp_path)
    with pytest.raises(MooseError, match="cannot write the circuit to"):
        save_circuit(circuit, tmp_path / "no folder" / "circuit.npz")
    with pytest.raises(MooseError, match="cannot write the circuit to"):
        save_circuit(circuit, tmp_path)
    assert list(tmp_path.iterdir()) == []
