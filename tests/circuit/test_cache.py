from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from moose.base.errors import LimitReached
from moose.circuit.cache import cache_key, default_folder
from moose.circuit.circuit import Circuit
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.compile.shared_parts import SharedParts
from moose.circuit.files import content_hash, save_circuit
from moose.circuit.limits import Limits
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from tests.circuit.theories import digits


@pytest.fixture
def theory() -> Clauses:
    return digits(1, [])


def compile_with(folder: Path | bool, theory: Clauses, **options: object) -> tuple[Circuit, list[str]]:
    """Compile with a cache; return what was told, too."""
    told: list[str] = []
    circuit = compile_circuit(
        theory,
        cache=folder,
        progress=lambda message, _: told.append(message),
        **options,  # type: ignore[arg-type]
    )
    return circuit, told


def was_built(told: list[str]) -> bool:
    return "joining the parts" in told


def test_the_second_time_nothing_is_compiled(theory: Clauses, tmp_path: Path) -> None:
    first, told = compile_with(tmp_path / "new" / "folder", theory)
    assert was_built(told)
    second, told = compile_with(tmp_path / "new" / "folder", theory)
    assert told == ["compiled"]
    assert content_hash(first) == content_hash(second)
    assert second.clauses is theory
    assert second.statistics == first.statistics
    assert len(list((tmp_path / "new" / "folder").iterdir())) == 1


def test_without_a_cache_nothing_is_written(theory: Clauses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOSE_CACHE", str(tmp_path))
    compile_circuit(theory)
    compile_circuit(theory, cache=False)
    assert list(tmp_path.iterdir()) == []
    compile_circuit(theory, cache=True)
    assert len(list(tmp_path.iterdir())) == 1


def test_where_the_default_folder_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOSE_CACHE", "/chosen")
    assert default_folder() == Path("/chosen")
    monkeypatch.delenv("MOOSE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert default_folder() == Path("/caches/moose/circuits")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_folder() == Path("/home/someone/.cache/moose/circuits")


def test_the_key_depends_on_all_that_the_circuit_depends_on(theory: Clauses) -> None:
    hidden = replace(theory, kinds=np.where(np.arange(14) == 3, AtomKind.AUXILIARY, theory.kinds).astype(np.int8))
    other = [
        cache_key(theory, "b"),
        cache_key(hidden, "a"),
        cache_key(replace(theory, literals=-theory.literals), "a"),
        cache_key(replace(theory, starts=theory.starts[:-1]), "a"),
        cache_key(replace(theory, atoms=(Atom("New", ("a",)), *theory.atoms[1:])), "a"),
    ]
    assert len({cache_key(theory, "a"), *other}) == 6
    latent = replace(theory, kinds=np.full(14, AtomKind.LATENT, np.int8))
    assert cache_key(latent, "a") == cache_key(theory, "a")


def test_options_have_entries_of_their_own(theory: Clauses, tmp_path: Path) -> None:
    sizes = {compile_with(tmp_path, theory, vtree=vtree)[0].statistics.size for vtree in ("balanced", "linear")}
    assert len(sizes) == 2
    compile_with(tmp_path, theory, vtree="balanced", minimise=True)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    "damage", ["empty", "cut", "flipped", "other circuit", "other theory", "other version", "folder", "garbage"]
)
def test_a_bad_file_is_compiled_again_and_mended(
    damage: str, theory: Clauses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, _ = compile_with(tmp_path, theory)
    (file,) = tmp_path.iterdir()
    content = file.read_bytes()
    other = clauses_from_lists([Atom("A", ("a",))], [(1,)])
    if damage == "empty":
        file.write_bytes(b"")
    elif damage == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif damage == "flipped":
        place = content.index(good.diagram.primes.tobytes())
        file.write_bytes(content[:place] + b"\x01" + content[place + 1 :])
    elif damage == "other circuit":
        save_circuit(good, file)
    elif damage == "other theory":
        compile_with(tmp_path, other)
        (foreign,) = set(tmp_path.iterdir()) - {file}
        foreign.replace(file)
    elif damage == "other version":
        with monkeypatch.context() as patch:
            patch.setattr("moose.circuit.files.FORMAT", 0)
            save_circuit(good, file)
    elif damage == "folder":
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes(b"PK\x03\x04" + bytes(1000))
    again, told = compile_with(tmp_path, theory)
    assert told[0].startswith("compiling again: ")
    assert was_built(told)
    assert content_hash(again) == content_hash(good)
    if damage != "folder":
        assert compile_with(tmp_path, theory)[1] == ["compiled"]


def test_a_folder_that_cannot_be_written_is_no_failure(theory: Clauses, tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    circuit, told = compile_with(blocked / "cache", theory)
    assert circuit.statistics.size <= 80
    assert any(message.startswith("the circuit could not be kept in the cache") for message in told)


def test_a_limit_holds_for_a_circuit_from_the_cache(theory: Clauses, tmp_path: Path) -> None:
    compile_with(tmp_path, theory)
    with pytest.raises(LimitReached, match="10 are allowed"):
        compile_with(tmp_path, theory, limits=Limits(size=10))


def test_what_a_circuit_depends_on_besides_its_clauses_is_part_of_its_key(tmp_path: Path) -> None:
    members = range(1, 13)
    atoms = [Atom(f"F{number}", ("a",)) for number in members]
    rows = [tuple(members), *((-one, -other) for one in members for other in members if one < other)]
    loose = clauses_from_lists(atoms, rows)
    family = replace(loose, families=(tuple(range(12)),))
    alone = [compile_circuit(theory, vtree="tables").statistics.size for theory in (loose, family)]
    assert alone[0] > alone[1]
    kept = [compile_circuit(theory, vtree="tables", cache=tmp_path).statistics.size for theory in (loose, family)]
    assert kept == alone
    compile_circuit(family, vtree="tables", cache=tmp_path, parts=SharedParts())
    assert len(list(tmp_path.iterdir())) == 3
