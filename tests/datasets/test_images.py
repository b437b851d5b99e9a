"""A user's own images; digits; the interface; the contact sheet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import moose
from moose.base.errors import MooseError
from moose.datasets import digits
from moose.datasets.contact_sheet import draw_sheet, lines
from moose.datasets.open import open_dataset
from tests.datasets.places import make_images

TASK = """
ontology = "moose:mnist"
individuals = ["x", "y"]
observed = ["Even", "Odd"]
latent = ["D0", "D1"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_images(tmp_path / "mine")


def rewrite(folder: Path, text: str) -> None:
    (folder / "literals.csv").write_text(text, encoding="utf-8")


def test_a_folder_and_a_table_of_literals(folder: Path) -> None:
    dataset = open_dataset("images", regime=moose.regime("mnist1"), folder=folder)
    assert {split: len(dataset[split]) for split in dataset} == {"train": 8, "test": 2}
    assert dataset.train.inputs.shape == (8, 1, 1, 12, 12)
    assert dataset.train.inputs[:, 0, 0, 0, 0].tolist() == [0, 20, 40, 60, 80, 100, 120, 140]
    assert dataset.train.literals(0) == ("Even(a)",)
    assert dataset.train.literals(1) == ("not Even(a)",)
    columns = [concept.name for concept in dataset.train.task.concepts]
    assert dataset.test.truth[1, 0, columns.index("D9")] == 1
    is_digit = [name.startswith("D") for name in columns]
    assert (dataset.test.truth[:, 0, is_digit] != 0).all(), (
        "of the other members of its family D9 says that they do not hold"
    )
    others = dataset.test.truth[:, 0, [not one for one in is_digit]].tolist()
    assert others == [[1, -1, -1, 1], [-1, 1, -1, 1]], "Even, Odd, Prime and Composite, as 8 and 9 are"


def test_several_individuals_and_a_task_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.toml").write_text(TASK)
    rewrite(folder, 'image_y,image_x,literals\n1.png,0.png,"Even(x), not Even(y)"\n2.png,2.png,\n')
    dataset = open_dataset("images", regime=tmp_path / "pairs.toml", folder=folder, size=6)
    assert dataset.regime == "pairs"
    assert dataset.train.inputs.shape == (2, 2, 1, 6, 6)
    assert dataset.train.inputs[0, :, 0, 0, 0].tolist() == [0, 20]
    assert [dataset.train.literals(row) for row in (0, 1)] == [("Even(x)", "not Even(y)"), ()]


def test_one_image_in_colour_makes_all_of_them_so(folder: Path) -> None:
    Image.new("RGB", (12, 12), (255, 0, 0)).save(folder / "3.png")
    dataset = open_dataset("images", regime=moose.regime("mnist1"), folder=folder)
    assert dataset.train.inputs.shape[2] == 3
    assert dataset.train.inputs[3, 0, :, 0, 0].tolist() == [255, 0, 0]
    assert dataset.train.inputs[1, 0, :, 0, 0].tolist() == [20, 20, 20]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a column image_a for the task's individual"),
        ("image,literals\n", "expected at least one line below the header"),
        ("image,truth\n0.png,\n", "expected a column literals"),
        ("image,literals,label\n0.png,Even(a),3\n", "expected a column, but got 'label'"),
        ("image,literals,literals\n0.png,Even(a),Odd(a)\n", "expected one column literals, but there are 2; join them"),
        ("image,image,literals\n0.png,1.png,Even(a)\n", "expected one column image, but there are 2"),
        ("image,literals\n ,Even(a)\n", r"literals\.csv:2: expected the name of an image under image, but it is empty"),
        ("image,literals\n0\0.png,Even(a)\n", r"expected an image, but it cannot be read as one \(embedded null"),
        ("image,literals\n0.png,Even(a), Odd(a)\n", r"literals\.csv:2: expected 2 fields; put literals with commas"),
        ("image,literals\n0.png\n", r"literals\.csv:2: expected 2 fields"),
        (
            "image,literals\n0.png,Evn(a)\n",
            r"literals\.csv:2: expected a concept of the task, but got 'Evn'; did you mean",
        ),
        ("image,literals\n0.png,Even(b)\n", r"literals\.csv:2: expected an individual of the task, but got 'b'"),
        ("image,literals\n0.png,D0(a)\n", r"literals\.csv:2: D0\(a\) is latent in the task; say it under truth"),
        ("image,literals\n0.png,Even\n", r"literals\.csv:2: expected"),
        (
            'image,literals\n0.png,"succ(a,a)"\n',
            r"literals\.csv:2: expected concepts of individuals, but got succ\(a,a\)",
        ),
        ('image,literals\n0.png,"Even(a), not Even(a)"\n', r"literals\.csv:2: .*Even\(a\)"),
        ("image,literals\ngone.png,Even(a)\n", r"gone\.png: expected an image, but there is no such file"),
        ("image,literals\nliterals.csv,Even(a)\n", r"literals\.csv: expected an image, but it cannot be read as one"),
        (
            "image,literals\n0.png,Even(a)\nlarge.png,Even(a)\n",
            r"large\.png: expected 12×12 pixels as in 0\.png, but it has 9×5",
        ),
    ],
)
def test_a_wrong_table_is_named(folder: Path, text: str, said: str) -> None:
    Image.new("L", (9, 5)).save(folder / "large.png")
    rewrite(folder, text)
    with pytest.raises(MooseError, match=said):
        open_dataset("images", regime=moose.regime("mnist1"), folder=folder)


def test_a_folder_is_needed(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="neither is named; for images, make a folder"):
        open_dataset("images", regime=moose.regime("mnist1"))
    with pytest.raises(MooseError, match=r"literals\.csv: expected the table of literals, but there is no such file"):
        open_dataset("images", regime=moose.regime("mnist1"), folder=tmp_path)
    with pytest.raises(MooseError, match="leave count, test_count, inductive out"):
        open_dataset("images", regime=moose.regime("mnist1"), folder=make_images(tmp_path / "mine"), count=3)


# ── Digits ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_digits_are_those_of_scikit_learn() -> None:
    pool = digits.read_pool()
    assert pool.images.shape == (1797, 1, 28, 28)
    assert pool.labels[:12].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]
    assert pool.images.max() == 255 and pool.images.min() == 0


def test_every_seed_is_tested_on_the_same_images() -> None:
    one, other = (open_dataset("digits", regime="mnist1", seed=seed, count=10) for seed in (0, 1))
    assert np.array_equal(one.test.inputs.numpy(), other.test.inputs.numpy())
    assert not np.array_equal(one.test.evidence.numpy(), other.test.evidence.numpy())
    assert len(np.unique(one.test.inputs.numpy().reshape(len(one.test), -1), axis=0)) == 359


# ── The interface ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("digts", {"regime": "mnist1"}, "expected a data set, but got 'digts'; did you mean digits"),
        ("digits", {"regime": "mnist"}, "expected a regime or a task's file, but got 'mnist'; did you mean mnist"),
        ("digits", {"regime": "pizzaA"}, "the data set digits shows digits, but the regime pizzaA is about pizzas"),
        ("digits", {"regime": "gone.toml"}, r"gone\.toml: expected a task's file"),
        ("digits", {"regime": "mnist1", "count": 0}, "expected count to be a whole number of at least 1, but got 0"),
        ("digits", {"regime": "mnist1", "seed": -1}, "expected seed to be a whole number of at least 0, but got -1"),
        ("digits", {"regime": "mnist1", "size": 2.5}, "expected size to be a whole number of at least 1, but got 2.5"),
    ],
)
def test_what_cannot_be_opened_is_refused(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(MooseError, match=said):
        open_dataset(name, **options)  # type: ignore[arg-type]  # wrong on purpose


def test_a_split_that_is_not_there_is_an_error() -> None:
    dataset = open_dataset("digits", regime="mnist1", count=2, size=8)
    with pytest.raises(MooseError, match="expected a split of digits, but got 'held_out'"):
        dataset["held_out"]


# ── The contact sheet ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sheet_shows_the_images(folder: Path) -> None:
    dataset = open_dataset("images", regime=moose.regime("mnist1"), folder=folder)
    sheet = np.asarray(draw_sheet(dataset.train, title="mine", most=5))
    for grey in (0, 20, 40, 60, 80):  # each picture is a square of one grey
        assert ((sheet == grey).all(axis=2)).sum() >= 128 * 128
    assert not ((sheet == 100).all(axis=2)).sum() >= 128 * 128, "only five were asked for"
    assert (sheet == 255).all(axis=2).any()


@pytest.mark.parametrize("regime", ["mnist3", "pizzaA"])
def test_a_sheet_of_any_shape(regime: str) -> None:
    name = "digits" if regime == "mnist3" else "pizzas"
    dataset = open_dataset(name, regime=regime, count=3, test_count=3, size=16)
    for split in dataset:
        sheet = draw_sheet(dataset[split], title=split)
        assert sheet.mode == "RGB" and sheet.width < 1300


def test_literals_are_broken_between_not_within() -> None:
    found = lines(["not Prime(a)", "Even(b)", "not Composite(b)"], 18)
    assert found == ["not Prime(a),", "Even(b),", "not Composite(b)"]
    assert lines([], 18) == ["none"]


def test_the_other_members_of_a_family_are_false_where_one_is_true() -> None:
    from moose.datasets.images import completed

    task = moose.regime("mnist1")
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    truth = np.zeros((1, len(task.concepts)), dtype=np.int8)
    assert (completed(truth, task) == 0).all()
    truth[0, columns["D3"]] = 1
    found = completed(truth, task)
    assert [found[0, columns[name]] for name in ("D2", "D3", "D4", "Odd")] == [-1, 1, -1, 0]


TYPED = """
ontology = "moose:mnist"
individuals = []
[roles]
succ = []
[kinds.image]
individuals = ["x", "y"]
latent = ["D0", "D1"]
observed = ["Even"]
[kinds.note]
individuals = ["n"]
observed = ["Prime"]
input = false
"""


def typed_images(folder: Path, tmp_path: Path, table: str) -> moose.Dataset:
    (tmp_path / "typed.toml").write_text(TYPED)
    rewrite(folder, table)
    return open_dataset("images", regime=tmp_path / "typed.toml", folder=folder, size=6)


def test_lines_may_say_who_is_there_and_what_joins_them(folder: Path, tmp_path: Path) -> None:
    table = (
        "image_x,image_y,literals,roles,individuals\n"
        '0.png,1.png,"Even(x), Prime(n)","succ(x, y), succ(y, n)",\n'
        "2.png,,Prime(n),,x n\n"
    )
    train = typed_images(folder, tmp_path, table).train
    assert train.inputs.shape == (2, 2, 1, 6, 6)
    assert train.individuals == [("x", "y", "n"), ("x", "n")]
    assert train.graphs is not None
    assert [graph.roles for graph in train.graphs] == [(("succ", ((0, 1), (1, 2))),), (("succ", ()),)]
    assert train.image(1, 1) is None and train.image(0, 2) is None and train.image(1, 0) is not None
    assert draw_sheet(train, title="").size[0] > 0


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("image_x,image_y,literals,roles\n0.png,1.png,,succ(x)\n", "expected pairs that hold"),
        ('image_x,image_y,literals,roles\n0.png,1.png,,"not succ(x,y)"\n', "expected pairs that hold"),
        ('image_x,image_y,literals,roles\n0.png,1.png,,"next(x,y)"\n', "'next'"),
        ('image_x,image_y,literals,roles\n0.png,1.png,,"succ(x,z)"\n', "'z'"),
        ("image_x,image_y,literals,individuals\n0.png,1.png,,x z\n", "'z'"),
        ("image_x,image_y,literals,individuals\n0.png,1.png,,x\n", "expected nothing under image_y"),
        ("image_x,image_y,literals,individuals\n0.png,,,x y\n", "under image_y, but it is empty"),
        ("image_x,image_y,literals\n0.png,1.png,Even(n)\n", "kind that has no Even"),
        ('image_x,image_y,literals\n0.png,1.png,"succ(x,y)"\n', "belong under roles"),
        ("image_x,image_y,image_n,literals\n0.png,1.png,2.png,\n", "image_n"),
    ],
)
def test_bad_graphs_of_lines_are_named(folder: Path, tmp_path: Path, table: str, expected: str) -> None:
    with pytest.raises(MooseError) as error:
        typed_images(folder, tmp_path, table)
    assert expected in str(error.value) and "literals.csv" in str(error.value)


def test_a_table_without_any_image_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MooseError, match="expected an image of some individual"):
        typed_images(folder, tmp_path, "image_x,image_y,literals,individuals\n,,Prime(n),n\n")


def test_a_kept_model_is_told_the_roles_of_an_instance(folder: Path, tmp_path: Path) -> None:
    from moose.cli.learn.prediction.image_examples import examples_of
    from moose.methods.registry import make_method

    table = "image_x,image_y,literals,roles\n0.png,1.png,Even(x),\n2.png,3.png,Even(x),\n"
    (tmp_path / "digits.toml").write_text(
        'ontology = "moose:mnist"\nindividuals = ["x", "y"]\nlatent = ["D0", "D1", "D2"]\n'
        'observed = ["Even", "Prime"]\n'
        'families = [["D0", "D1", "D2"]]\n[roles]\nsucc = []\n'
    )
    rewrite(folder, table)
    train = open_dataset("images", regime=tmp_path / "digits.toml", folder=folder).train
    predictor = make_method("moose").fit(train.task, train, training=moose.Training(epochs=1))
    images = [folder / "0.png", folder / "1.png"]
    joined = predictor.predict(examples_of(predictor, images, "not Even(x)", "succ(x, y)", invert=False)).of(0)
    apart = predictor.predict(examples_of(predictor, images, "not Even(x)", invert=False)).of(0)
    assert joined["D2(y)"] == 1.0 and apart["D2(y)"] < 0.9
    with pytest.raises(MooseError, match="--roles: expected a role of the task that is not latent"):
        examples_of(predictor, images, "", "next(x, y)", invert=False)


RELATED = TASK.replace('"D1"]', '"D1", "succ"]') + '[roles]\nplus_two = [["x", "y"]]\n'


def test_literals_of_pairs_are_evidence_and_truth_of_open_roles(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "related.toml").write_text(RELATED)
    rewrite(
        folder,
        "image_x,image_y,literals,truth\n"
        '0.png,1.png,"Even(x), not succ(y,x)","succ(x,y), not succ(y,x)"\n2.png,3.png,,\n',
    )
    train = open_dataset("images", regime=tmp_path / "related.toml", folder=folder).train
    assert [train.literals(row) for row in (0, 1)] == [("Even(x)", "not succ(y,x)"), ()]
    assert [role.name for role in train.task.role_predicates] == ["succ", "plus_two"]
    assert train.role_truth is not None
    assert train.role_truth[0, 0].tolist() == [[0, 1], [-1, 0]] and not train.role_truth[1].any()
    rewrite(folder, "image_x,image_y,literals\n0.png,1.png,Even(x)\n")
    train = open_dataset("images", regime=tmp_path / "related.toml", folder=folder).train
    assert train.role_evidence is None and train.role_truth is None


@pytest.mark.parametrize(
    ("literals", "said"),
    [
        ("plus_two(x,y)", r"literals\.csv:2: .*known roles belong under roles or into the task"),
        ("next(x,y)", "a role of the task, but got 'next'"),
        ("succ(x,z)", "'z'"),
        ("succ(x,y), not succ(x,y)", "said to hold and not to hold"),
    ],
)
def test_what_is_no_literal_of_an_open_role_is_refused(folder: Path, tmp_path: Path, literals: str, said: str) -> None:
    (tmp_path / "related.toml").write_text(RELATED)
    rewrite(folder, f'image_x,image_y,literals\n0.png,1.png,"{literals}"\n')
    with pytest.raises(MooseError, match=said):
        open_dataset("images", regime=tmp_path / "related.toml", folder=folder)


def test_predictions_take_evidence_of_pairs(folder: Path, tmp_path: Path) -> None:
    from moose.cli.learn.prediction.image_examples import examples_of
    from moose.methods.registry import make_method

    (tmp_path / "related.toml").write_text(RELATED)
    rewrite(folder, "image_x,image_y,literals\n0.png,1.png,Even(x)\n2.png,3.png,\n")
    train = open_dataset("images", regime=tmp_path / "related.toml", folder=folder).train
    predictor = make_method("moose").fit(train.task, train, training=moose.Training(epochs=1))
    images = [folder / "0.png", folder / "1.png"]
    assert predictor.predict(examples_of(predictor, images, "succ(x,y), D0(x)", invert=False)).of(0)["succ(x,y)"] == 1.0
    assert predictor.predict(examples_of(predictor, images, "not succ(x,y)", invert=False)).of(0)["succ(x,y)"] == 0.0
