"""Packed files: what is packed is what is read, and nothing else is."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Cell, Choice, planned_cells
from moose.benchmark.plans.plans import read_plan
from moose.benchmark.report.assemble import make_report
from moose.benchmark.report.render.page import write_page
from moose.benchmark.store import packed_files
from moose.benchmark.store.packed_files import CELL, Packed, packed_in, read_packed, write_packed
from moose.benchmark.store.packing import pack
from moose.benchmark.store.records import Record, joined
from moose.benchmark.store.store import Store
from moose.benchmark.sweep import worker as attending
from moose.benchmark.sweep.compute import Surroundings
from moose.benchmark.sweep.run import run
from tests.benchmark.made_up import introduce, make_learning, make_store
from tests.benchmark.plan_texts import TINY, plan
from tests.cli.running import Command

FEW = Choice(["mnist1", "pizzaC"], ["moose", "bears", "theory"], [0, 1])
Lines = list[dict[str, object]]


def few(folder: Path) -> Store:
    """Make a store of two plans, one of whose cells has failed."""
    store = make_store(folder, ["headline"], choice=FEW)
    make_store(folder, ["circuits"])
    planned = planned_cells(read_plan("headline"), "smoke", Choice(["mnist2"], ["ltn"], [1]))[0]
    about = introduce("headline", "smoke", row=planned.row, cell=planned.cell)
    store.fail(planned.cell.name, {**about, "error": {"kind": "MooseError", "message": "no such luck"}})
    return store


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store, and with its packed files in another."""
    folder = tmp_path_factory.mktemp("made")
    pack(few(folder / "store"), folder / "packed")
    return folder


@pytest.fixture
def packed(made: Path, tmp_path: Path) -> Path:
    """Return a folder of packed files, to do with as one likes."""
    return Path(shutil.copytree(made / "packed", tmp_path / "packed"))


def written(*lines: object) -> bytes:
    return gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode())


def lines_of(path: Path) -> Lines:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


# ----------------------------------------------------------------------------------------------------- what is packed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
TABLES = st.dictionaries(st.text(max_size=5), VALUES, max_size=3)
RECORDS = st.dictionaries(st.from_regex(CELL, fullmatch=True), TABLES, max_size=4).map(
    lambda records: {cell: {**table, "cell": cell} for cell, table in records.items()}
)


@given(TABLES, RECORDS, st.integers(0, 4))
def test_what_is_written_is_read(listing: dict[str, object], records: dict[str, dict[str, object]], count: int) -> None:
    parts = list(records.items())
    content = Packed(listing, dict(parts[:count]), dict(parts[count:]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new" / "a.jsonl.gz"
        write_packed(path, content)
        found = read_packed(path)
        assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert found == content
    assert json.dumps(found.finished) == json.dumps(content.finished), "keys are in the same order"


def test_a_packed_store_is_read_as_the_folder_is(made: Path, packed: Path) -> None:
    store = Store(made / "store")
    assert sorted(one.name for one in packed.iterdir()) == ["circuits-smoke.jsonl.gz", "headline-smoke.jsonl.gz"]
    assert Store(packed).listings() == store.listings()
    for listing in store.listings():
        for read in (Store.results, Store.failures):
            found, wanted = (read(one, listing.plan, listing.scale) for one in (Store(packed), store))
            assert json.dumps(found) == json.dumps(wanted)
    assert len(Store(packed).failures("headline", "smoke")) == 1
    cells = [one.cell for listing in store.listings() for one in listing.cells]
    assert Store(packed).states(cells) == store.states(cells)
    assert write_page(make_report(Store(packed))) == write_page(make_report(store))


def test_one_file_is_a_store_too(packed: Path) -> None:
    alone = Store(packed / "circuits-smoke.jsonl.gz")
    assert [one.plan for one in alone.listings()] == ["circuits"]
    assert alone.results("circuits", "smoke") == Store(packed).results("circuits", "smoke")


def test_the_same_results_make_the_same_bytes(tmp_path: Path, packed: Path) -> None:
    pack(Store(packed), tmp_path / "again")
    pack(few(tmp_path / "other"), tmp_path / "other")  # beside what it packs
    pack(Store(tmp_path / "other"), tmp_path / "once-more")
    for folder in ("again", "other", "once-more"):
        for path in packed_in(packed):
            assert (tmp_path / folder / path.name).read_bytes() == path.read_bytes()


def test_nothing_to_pack_is_said(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="it has none; give what bench run filled"):
        pack(Store(tmp_path), tmp_path)


def test_two_plans_whose_files_would_have_one_name_are_refused(tmp_path: Path) -> None:
    text = TINY.partition("[[rows]]")[0] + '[[rows]]\nname = "moose"\n'
    for name, scale in (("x-y", "z"), ("x", "y-z")):
        store = make_store(tmp_path / name, [plan(tmp_path, text.replace("tiny", scale), name)], scale)
        pack(store, tmp_path / f"packed-{name}")
        shutil.copy(tmp_path / f"packed-{name}" / "x-y-z.jsonl.gz", tmp_path / f"{name}.jsonl.gz")
    assert len(Store(tmp_path).listings()) == 2
    with pytest.raises(MooseError, match="of x-y at the scale z and of x at y-z, so that one would be lost"):
        pack(Store(tmp_path), tmp_path / "both")
    assert not (tmp_path / "both").exists()
    before = (tmp_path / "packed-x-y" / "x-y-z.jsonl.gz").read_bytes()
    with pytest.raises(MooseError, match="of x-y at the scale z and of x at y-z, so that one would be lost"):
        pack(Store(tmp_path / "x"), tmp_path / "packed-x-y")
    assert (tmp_path / "packed-x-y" / "x-y-z.jsonl.gz").read_bytes() == before


# ------------------------------------------------------------------------------------------------------- what is added


def test_a_file_of_the_cell_goes_before_what_is_packed(packed: Path) -> None:
    (failure,) = Store(packed).failures("headline", "smoke")
    planned = planned_cells(read_plan("headline"), "smoke", Choice(["mnist2"], ["ltn"], [1]))[0]
    record = introduce("headline", "smoke", row="ltn", cell=planned.cell) | make_learning(planned.cell)
    store = Store(packed)
    store.finish(failure["cell"], record)
    assert store.state(failure["cell"]) == "finished" and not store.failures("headline", "smoke")
    before = len(store.results("headline", "smoke"))
    pack(store, packed)
    store.finished(failure["cell"]).unlink()
    assert len(store.results("headline", "smoke")) == before and not store.failures("headline", "smoke")


def test_listings_have_the_seeds_of_both(tmp_path: Path) -> None:
    store, one = Store(tmp_path / "store"), plan(tmp_path)
    store.list_plan(one, "tiny", Choice(seeds=[5]))
    pack(store, tmp_path / "packed")
    both = Store(tmp_path / "packed")
    both.list_plan(one, "tiny", Choice(seeds=[3]))
    (listing,) = both.listings()
    assert listing.seeds == (0, 3, 5) and [cell.seed for cell in listing.cells] == [0, 0, 3, 3, 5, 5]
    assert joined(listing, store.listings()[0]) == listing
    store.list_plan(one, "tiny", Choice(seeds=[9]))
    more = joined(listing, store.listings()[0])
    assert more.seeds == (0, 3, 5, 9) and [cell.seed for cell in more.cells][-2:] == [9, 9]


def test_a_run_goes_on_from_what_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("joblib")
    pytest.importorskip("sklearn")
    computed = list[str]()

    def compute(cell: Cell, surroundings: Surroundings) -> dict[str, object]:
        computed.append(cell.name)
        return make_learning(cell)

    monkeypatch.setattr(attending, "compute", compute)
    found = plan(tmp_path, TINY.replace("tiny = 1", "tiny = 2"))
    run(found, "tiny", Store(tmp_path / "store"), choice=Choice(seeds=[0]))
    pack(Store(tmp_path / "store"), tmp_path / "packed")
    first, store = list(computed), Store(tmp_path / "packed")
    result = run(found, "tiny", store)
    assert len(first) == 2 and len(computed) == len(set(computed)) == len(result.finished) == 4
    assert [one["cell"] for one in store.results("few", "tiny")] == computed
    with pytest.raises(MooseError, match="only read; give the folder that it is in"):
        run(found, "tiny", Store(tmp_path / "packed" / "few-tiny.jsonl.gz"))


# ------------------------------------------------------------------------------------------------------ what is damaged


def test_a_file_that_was_cut_or_changed_is_refused_or_reads_the_same(packed: Path) -> None:
    path = packed / "circuits-smoke.jsonl.gz"
    whole, wanted = path.read_bytes(), Store(path).results("circuits", "smoke")
    damages: list[bytes] = [whole[:end] for end in range(0, len(whole), 37)]
    damages += [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in range(0, len(whole), 11)]
    told = [read_or_refuse(path, damage) for damage in damages]
    refused = [one for one in told if isinstance(one, MooseError)]
    assert all(one == wanted for one in told if not isinstance(one, MooseError)), "gzip has bits that say nothing"
    assert len(refused) >= len(damages) - 1
    for error in refused:
        assert str(error).startswith(f"{path}: expected results as `moose bench pack` writes them, but ")


def read_or_refuse(path: Path, content: bytes) -> list[Record] | MooseError:
    path.write_bytes(content)
    try:
        return Store(path).results("circuits", "smoke")
    except MooseError as error:
        return error


Change = Callable[[Lines], list[object]]
CHANGES: dict[str, tuple[Change, str]] = {
    "empty": (lambda lines: [], "its first line has"),
    "another format": (lambda lines: [{**lines[0], "format": 7}, *lines[1:]], "in place of packed and 1"),
    "no counts": (lambda lines: [{**lines[0], "records": True}, *lines[1:]], "how many records there are"),
    "no listing": (lambda lines: [{**lines[0], "listing": []}, *lines[1:]], "has no listing"),
    "a line less": (lambda lines: list(lines[:-1]), "it has 11 records where it says 12"),
    "a line more": (lambda lines: [*lines, {}], "it has 13 records where it says 12"),
    "a cell twice": (lambda lines: [*lines[:-1], lines[1]], "there twice"),
    "a foreign name": (lambda lines: [*lines[:-1], {**lines[-1], "cell": "../../x"}], "'../../x', which is no name"),
    "no object": (lambda lines: [*lines[:-1], 3], "line 13 is a int, no object"),
    "no number": (lambda lines: [*lines[:-1], {**lines[-1], "seconds": float("nan")}], "not finite; take the file"),
    "no record": (lambda lines: [*lines[:-1], {**lines[-1], "circuit": 1}], "expected circuit as a table"),
    "half a circuit": (lambda lines: [*lines[:-1], {**lines[-1], "circuit": {}}], "expected circuit.atoms as a whole"),
    "failed and finished": (
        lambda lines: [{**lines[0], "records": 11, "failures": 1}, *lines[1:-1], lines[1]],
        "is both finished and failed",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_no_packed_file_is_refused_with_a_reason(packed: Path, name: str) -> None:
    change, complaint = CHANGES[name]
    path = packed / "circuits-smoke.jsonl.gz"
    path.write_bytes(written(*change(lines_of(path))))
    with pytest.raises(MooseError) as error:
        Store(packed).states(["any"])
    assert complaint in str(error.value) and str(error.value).startswith(str(path)) and "\n" not in str(error.value)


def test_what_nests_too_deep_is_refused(packed: Path) -> None:
    path = packed / "circuits-smoke.jsonl.gz"
    path.write_bytes(gzip.compress(b"[" * 200_000 + b"\n"))
    with pytest.raises(MooseError, match="line 1 is no JSON"):
        Store(packed).listings()


def test_a_listing_cannot_lead_out_of_the_folder(packed: Path) -> None:
    path = packed / "circuits-smoke.jsonl.gz"
    header, *records = lines_of(path)
    listing = header["listing"]
    assert isinstance(listing, dict)
    path.write_bytes(written({**header, "listing": {**listing, "plan": "../../circuits"}}, *records))
    with pytest.raises(MooseError, match=r"'\.\./\.\./circuits' is no name"):
        pack(Store(packed), packed)


def test_what_unpacks_to_too_much_is_refused(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_files, "LARGEST", 1000)
    with pytest.raises(MooseError, match="unpacks to more than 1,000 bytes"):
        Store(packed).listings()


# ----------------------------------------------------------------------------------------------------------- commands


def test_the_command_packs_and_others_read_it(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moose, folder = Command(capsys), tmp_path / "packed"
    found = moose("bench", "pack", made / "store", "-o", folder)
    assert found.code == 0
    assert found.rows == [
        (str(folder / "circuits-smoke.jsonl.gz"), "12 records", "0 failures"),
        (str(folder / "headline-smoke.jsonl.gz"), "12 records", "1 failures"),
    ]
    assert moose("bench", "list", "circuits", "--store", folder).rows[0][2] == "12 runs: 12 finished"
    told = moose("bench", "pack", folder / "circuits-smoke.jsonl.gz", "--json").json["files"]
    assert [one["bytes"] for one in told] == [(folder / "circuits-smoke.jsonl.gz").stat().st_size]
    assert "there is none" in moose("bench", "pack", tmp_path / "no").one_complaint()
    assert "12 of 192 runs, 1 failed" in moose("bench", "report", folder).out
