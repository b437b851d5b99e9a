"""The sets of hierarchical multi-label classification: files, features, vocabularies, splits, names."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

import moose
from moose.base.errors import MooseError
from moose.datasets.hierarchies import archive as archives
from moose.datasets.hierarchies.archive import read_texts
from moose.datasets.hierarchies.arff import encode_features, read_arff
from moose.datasets.hierarchies.features import scale_features
from moose.datasets.hmc import ONE_PATH, SETS, read_files, read_name
from tests.datasets.hierarchies import HMC, NO_HMC, arff, make_hmc, small_texts, write_archive, write_folder

# features, classes, rows to train, to validate and to test on; written down from C-HMCNN's paper and the files
PUBLISHED = {
    "diatoms": (371, 398, 1445, 620, 1054),
    "enron": (1001, 56, 692, 296, 660),
    "imclef07a": (80, 96, 7000, 3000, 1006),
    "imclef07d": (80, 46, 7000, 3000, 1006),
    "cellcycle_fun": (77, 499, 1628, 848, 1281),
    "church_fun": (31, 499, 1630, 844, 1281),
    "derisi_fun": (63, 499, 1608, 842, 1275),
    "eisen_fun": (79, 461, 1058, 529, 837),
    "gasch1_fun": (173, 499, 1634, 846, 1284),
    "gasch2_fun": (52, 499, 1639, 849, 1291),
    "pheno_fun": (276, 455, 656, 353, 582),
    "seq_fun": (529, 499, 1701, 879, 1339),
    "spo_fun": (86, 499, 1600, 837, 1266),
    "cellcycle_go": (77, 4122, 1625, 848, 1278),
    "derisi_go": (63, 4116, 1605, 842, 1272),
    "eisen_go": (79, 3570, 1055, 528, 835),
    "gasch1_go": (173, 4122, 1631, 846, 1281),
    "gasch2_go": (52, 4128, 1636, 849, 1288),
    "pheno_go": (276, 3124, 653, 352, 581),
    "seq_go": (529, 4130, 1692, 876, 1332),
    "spo_go": (86, 4116, 1597, 837, 1263),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_hmc(tmp_path_factory.mktemp("hmc"))


def plain_features(texts: list[str]) -> list[np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Read numbers and colours of the small files cell by cell, as the published code does."""
    files = []
    for text in texts:
        rows = []
        for line in text.split("@DATA\n")[1].splitlines():
            cells = line.split("%")[0].strip()
            if cells.startswith("{"):
                weight = cells.split(",")[0].split()[1]
                cells = f"0,{weight},red,x"
            size, weight, colour, _ = cells.split(",")
            numbers = [float(size), np.nan if weight == "?" else float(weight)]
            rows.append([*numbers, *(float(colour == one) for one in ("red", "green", "blue"))])
        values = np.array(rows)
        means = np.nanmean(values, axis=0)
        for row, column in np.argwhere(np.isnan(values)):
            values[row, column] = means[column]
        files.append(values)
    return files


def test_features_are_imputed_and_scaled_as_published(small: Path) -> None:
    texts = small_texts()
    names = [f"HMC_data/datasets_FUN/spo_FUN/spo_FUN.{split}.arff" for split in ("train", "valid", "test")]
    files = plain_features([texts[name] for name in names])
    scaler = StandardScaler().fit(np.concatenate(files[:2]))
    dataset = moose.open_dataset("hmc", regime="spo_fun", folder=small)
    for split, values in zip(("train", "valid", "test"), files):
        np.testing.assert_allclose(dataset[split].inputs[:, 0].numpy(), scaler.transform(values), atol=1e-5)


@pytest.mark.parametrize("name", ["spo_fun", "pheno_fun", "cellcycle_go", "church_fun"])
def test_the_published_features_come_out(name: str) -> None:
    if not HMC.is_dir():
        pytest.skip(NO_HMC)
    (place,) = HMC.glob("*.tar.gz")
    files = {split: encode_features(file) for split, file in read_files(place, name).items()}
    filled = {split: np.where(np.isnan(one), np.nanmean(one, axis=0), one) for split, one in files.items()}
    known = np.concatenate([filled["train"], filled["valid"]])
    scaler, imputer = StandardScaler().fit(known), SimpleImputer().fit(known)
    ours = scale_features(files, ["train", "valid"])
    for split, one in filled.items():
        np.testing.assert_allclose(ours[split], scaler.transform(imputer.transform(one)), atol=1e-4)


def test_a_column_that_a_file_leaves_empty_gets_the_mean_of_what_is_learnt_from() -> None:
    nan = np.nan
    files = {
        "train": np.array([[1.0, nan, 5.0], [3.0, nan, 5.0]]),
        "valid": np.array([[nan, nan, 5.0], [nan, nan, 5.0]]),
        "test": np.array([[nan, 7.0, 6.0]]),
    }
    scaled = scale_features(files, ["train", "valid"])
    np.testing.assert_allclose(scaled["valid"], 0.0)
    np.testing.assert_allclose(scaled["train"][:, 0], [-(2**0.5), 2**0.5], rtol=1e-6)
    np.testing.assert_allclose(scaled["test"], [[0.0, 7.0, 1.0]])


KINDS = ("enron", "imclef07d", "cellcycle_fun", "cellcycle_go")
"""A set of each kind of file; the others are like one of them, and slow."""


@pytest.mark.parametrize("name", [pytest.param(one, marks=() if one in KINDS else pytest.mark.slow) for one in SETS])
def test_the_sets_of_the_archive(name: str) -> None:
    if not HMC.is_dir():
        pytest.skip(NO_HMC)
    regime = f"{name}-whole" if name.endswith("_go") else name
    dataset = moose.open_dataset("hmc", regime=regime, folder=HMC)
    task = dataset.train.task
    counts = (dataset.train.inputs.shape[2], len(task.concepts), *(len(dataset[split]) for split in dataset))
    assert counts == PUBLISHED[name]
    assert list(dataset) == ["train", "valid", "test"]
    assert not dataset.test.evidence.any()
    for split in ("train", "valid"):
        assert torch.equal(dataset[split].evidence, dataset[split].truth)
    assert all(torch.isfinite(dataset[split].inputs).all() for split in dataset)
    if name in ONE_PATH:
        moose.open_dataset("hmc", regime=f"{name}-disjoint", folder=HMC, count=10)


def test_the_hierarchies_are_read(small: Path) -> None:
    tree = moose.open_dataset("hmc", regime="imclef07a", folder=small).train
    assert [one.name for one in tree.task.concepts] == ["1", "2", "1.1", "1.2", "2.1", "2.2", "1.2.1"]
    graph = moose.open_dataset("hmc", regime="spo_go-whole", folder=small).train
    names = [one.name for one in graph.task.concepts]
    assert names == [f"GO_000000{number}" for number in (1, 2, 4, 3, 5)]  # without the roots
    rows = {tuple(row) for row in graph.truth[:, 0].tolist()}
    assert rows == {(1, 1, -1, 1, -1), (1, 1, 1, 1, 1), (-1, -1, 1, -1, -1), (1, -1, -1, -1, -1)}
    assert moose.compile_circuit(moose.ground(graph.task)).model_count([]) == 11


def test_a_vocabulary_is_cut_by_rows_to_learn_from(small: Path) -> None:
    whole = moose.open_dataset("hmc", regime="spo_go-whole", folder=small).train
    counts = dict(zip((one.name for one in whole.task.concepts), (whole.truth[:, 0] > 0).sum(0).tolist()))
    least = sorted(counts.values())[1]
    part = moose.open_dataset("hmc", regime=f"spo_go-least{least}", folder=small)
    assert [one.name for one in part.train.task.concepts] == [name for name in counts if counts[name] >= least]
    assert len(moose.open_dataset("hmc", regime="spo_go", folder=small).train.task.concepts) == 5


def test_an_archive_a_folder_and_a_prefix_are_the_same(small: Path, tmp_path: Path) -> None:
    texts = small_texts()
    places = [
        small / "hmc-small.tar.gz",
        write_archive(tmp_path / "github.tar.gz", texts, prefix="C-HMCNN-e887855/"),
        write_folder(tmp_path / "there", texts),
        tmp_path / "there" / "HMC_data",
    ]
    expected = moose.open_dataset("hmc", regime="imclef07a-hidden50", folder=small, seed=3)
    for place in places:
        dataset = moose.open_dataset("hmc", regime="imclef07a-hidden50", folder=place, seed=3)
        for split in expected:
            for field in ("inputs", "evidence", "truth"):
                assert torch.equal(getattr(dataset[split], field), getattr(expected[split], field))


def test_the_task_is_made_once(small: Path) -> None:
    tasks = {
        id(moose.open_dataset("hmc", regime=f"imclef07a{words}", folder=small, seed=seed)[split].task)
        for words, seed, split in (("", 0, "train"), ("-hidden90", 1, "valid"), ("-coarse1", 2, "test"))
    }
    assert len(tasks) == 1


def test_fewer_rows_keep_their_evidence(small: Path) -> None:
    whole, few = (
        moose.open_dataset("hmc", regime="imclef07a-hidden50", folder=small, count=count).train for count in (None, 20)
    )
    rows = {one.inputs.numpy().tobytes(): one.evidence for one in map(whole.take, ([row] for row in range(70)))}
    assert len(few) == 20
    assert all(torch.equal(rows[few.inputs[[row]].numpy().tobytes()], few.evidence[[row]]) for row in range(20))
    with pytest.raises(MooseError, match="expected count of at most 70 rows"):
        moose.open_dataset("hmc", regime="imclef07a", folder=small, count=71)


@pytest.mark.parametrize(
    "name",
    ["imclef07a", "imclef07a-hidden90", "imclef07d-disjoint-positives", "spo_go-whole-coarse2", "eisen_go-least5"],
)
def test_names_are_read(name: str) -> None:
    assert str(read_name(name)) == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("imclef07", "did you mean imclef07d or imclef07a"),
        ("expr_fun", "did you mean"),
        ("imclef07a-hiden90", "did you mean hidden90"),
        ("imclef07a-hidden90-disjoint", "written as 'imclef07a-disjoint-hidden90'"),
        ("spo_go-least10", "written as 'spo_go'"),
        ("spo_fun-disjoint", "expected an option of the regime spo_fun, but got 'disjoint'"),
        ("imclef07a-hidden90-hidden50", "written as 'imclef07a-hidden50'"),
        ("imclef07a-hidden", "did you mean hidden"),
        ("imclef07a-", "expected an option"),
        ("imclef07a-unseen", "expected an option"),
    ],
)
def test_names_that_are_none_are_refused(name: str, said: str, small: Path) -> None:
    with pytest.raises(MooseError, match=said):
        moose.open_dataset("hmc", regime=name, folder=small)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("@ATTRIBUTE size%_5_min         numeric", "@ATTRIBUTE size", r":4: expected @ATTRIBUTE NAME TYPE"),
        ("@ATTRIBUTE size%_5_min         numeric", "@ATTRIBUTE size date", r":4: expected size to be numeric"),
        ("red,green, blue", "green, blue", r":9: expected one of green, blue or \? under colour, but got 'red'"),
        ("@ATTRIBUTE class   hierarchical", "@ATTRIBUTE class {a", r"expected class to be numeric or \{categories\}"),
        ("0.126,-0.132,red", "0.126,red", r":9: expected 4 values, the labels last, but got 3"),
        ("0.126,-0.132,red", "0.126,-0.132x,red", r":9: expected a number or \? under its weight, but got '-0.132x'"),
        ("0.126,-0.132,red", "inf,-0.132,red", r":9: expected a number or \? under size%_5_min, but got 'inf'"),
        ("red,1/1\n", "red,1/1@\n", r":9: expected labels parted by @"),
        ("red,1/1\n", "red,1/7\n", r":9: the label '1\.7' is none of the classes"),
        ("{1 ", "{17 ", r":15: expected POSITION VALUE with a position below 4"),
        ("@DATA\n", "@DATA\n@DATA\n", r":9: expected 4 values"),
        ("1/2/1,2,", "1//1,2,", "expected a path such as 01/03"),
        ("hierarchical 1", "hierarchical ,1", "expected @ATTRIBUTE class hierarchical"),
    ],
)
def test_broken_files_are_refused_with_their_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    texts = small_texts()
    path = "HMC_data/others/ImCLEF07A_Train.arff"
    assert old in texts[path]
    for other in ("Train", "Test"):  # what is said of attributes must be the same in both
        name = f"HMC_data/others/ImCLEF07A_{other}.arff"
        texts[name] = texts[name].replace(old, new, 1)
    with pytest.raises(MooseError, match=said) as caught:
        moose.open_dataset("hmc", regime="imclef07a", folder=write_folder(tmp_path, texts))
    assert path in str(caught.value) and "\n" not in str(caught.value)


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    texts = small_texts()
    texts["HMC_data/others/ImCLEF07A_Test.arff"] = arff("tree", 10, 0, classes="1,1/1,1/2,1/2/1,2,2/1,2/2,3")
    with pytest.raises(MooseError, match="expected the attributes and classes of"):
        moose.open_dataset("hmc", regime="imclef07a", folder=write_folder(tmp_path, texts))


def test_a_pair_of_a_graph_is_a_pair() -> None:
    text = arff("graph", 3, 0, classes="root/GO0003674,GO0003674/GO0000001/GO0000003")
    from moose.datasets.hmc import read_hierarchy

    with pytest.raises(MooseError, match="expected a pair such as"):
        read_hierarchy(read_arff(text, "here"), is_graph=True)


def test_what_is_not_there_is_said(small: Path, tmp_path: Path) -> None:
    with pytest.raises(MooseError, match=r"expected HMC_data/others/Diatoms_train\.arff there, but it is missing"):
        moose.open_dataset("hmc", regime="diatoms", folder=small)
    with pytest.raises(MooseError, match="expected the HMC sets there, but there is nothing"):
        moose.open_dataset("hmc", regime="diatoms", folder=tmp_path / "nowhere")
    damaged = tmp_path / "damaged.tar.gz"
    damaged.write_bytes((small / "hmc-small.tar.gz").read_bytes()[:3000])
    with pytest.raises(MooseError, match="cannot be read"):
        moose.open_dataset("hmc", regime="spo_go", folder=damaged)
    with pytest.raises(MooseError, match="about anything"):
        moose.open_dataset("hmc", regime=moose.regime("mnist1"), folder=small)


def test_archives_are_read_safely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "strange.tar"
    secret = tmp_path / "secret.arff"
    secret.write_text("secret")
    with tarfile.open(path, "w") as archive:
        link = tarfile.TarInfo("HMC_data/a.arff")
        link.type, link.linkname = tarfile.SYMTYPE, str(secret)
        archive.addfile(link)
        outside = tarfile.TarInfo("../../HMC_data/b.arff")
        outside.size = 4
        archive.addfile(outside, io.BytesIO(b"text"))
    assert read_texts(path, ["HMC_data/a.arff", "HMC_data/b.arff"]) == {"HMC_data/b.arff": "text"}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["secret.arff", "strange.tar"]  # nothing is written
    monkeypatch.setattr(archives, "LARGEST", 3)
    with pytest.raises(MooseError, match="expected at most"):
        read_texts(path, ["HMC_data/b.arff"])
    with pytest.raises(MooseError, match="expected at most 3 bytes"):
        read_texts(tmp_path, ["secret.arff"])
