"""Drawn pizzas show their recipes; Pizzaïolo's traps are stepped over."""

from __future__ import annotations

import ast
import csv
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from moose.base.errors import MooseError
from moose.datasets.base.regimes import KINDS, PIZZAS, UNSEEN, find_regime
from moose.datasets.base.resizing import is_grey, read_image
from moose.datasets.base.subjects import meanings, recipes
from moose.datasets.drawn_pizzas.drawing import draw_pizza
from moose.datasets.drawn_pizzas.shapes import LOOKS, look_of
from moose.datasets.open import open_dataset
from moose.datasets.pizzaiolo import check_recipes, read_pictures
from moose.datasets.pizzas import draw_pool
from tests.datasets.places import MENU, NO_PIZZAIOLO, PIZZAIOLO, TOPPINGS, make_pizzaiolo

# ── Drawn ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def draw(toppings: list[str], seed: int = 0, size: int = 64) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return draw_pizza(toppings, size, np.random.default_rng(seed))


def test_a_pizza_is_determined_by_its_seed() -> None:
    assert np.array_equal(draw(["OliveTopping"], 1), draw(["OliveTopping"], 1))
    assert not np.array_equal(draw(["OliveTopping"], 1), draw(["OliveTopping"], 2))


@pytest.mark.parametrize("topping", TOPPINGS)
def test_a_topping_is_seen(topping: str) -> None:
    """The pieces come after the base, so that the same seed gives the same base with and without them."""
    bare, topped = draw([], 5, 192).astype(int), draw([topping], 5, 192).astype(int)
    changed = (np.abs(topped - bare).max(axis=0) > 60).mean()
    assert changed > 0.005


def test_toppings_look_different() -> None:
    assert len({look_of(topping).layers for topping in TOPPINGS}) == len(TOPPINGS)
    assert look_of("GreenPepperTopping") is not look_of("JalapenoPepperTopping")


def test_recipes_look_different() -> None:
    menu = recipes(find_regime("pizzaA").subject)
    means = {name: np.mean([draw(list(on), seed) for seed in range(12)], axis=0) for name, on in menu.items()}
    names = list(means)
    for place, one in enumerate(names):
        for other in names[:place]:
            # colours by region: a quarter of the pizza or the whole, the difference is more than the noise of a mean
            assert np.abs(means[one] - means[other]).mean() > 3


def test_an_unknown_topping_gets_a_look_of_its_own() -> None:
    names = ["Pineapple", "Artichoke", "Truffle", "Capers", "Corn"]
    looks = [look_of(name) for name in names]
    assert len({look.layers for look in looks}) == len(names)
    assert not any(look in LOOKS.values() for look in looks)
    assert look_of("Pineapple") == look_of("pineapple")


def test_the_nth_pizza_is_the_same_whatever_the_count() -> None:
    menu = {"One": ["Olive"], "Two": ["Ham"]}
    few, many = (draw_pool(["One", "Two"], menu, count=count, size=16, seed=1) for count in (3, 8))
    assert np.array_equal(few.images, many.images[:3])
    assert many.labels.tolist() == [0, 1] * 4


def test_held_out_recipes_are_drawn() -> None:
    dataset = open_dataset("pizzas", regime="pizzaA", count=8, test_count=10, size=16)
    held_out = dataset["held_out"]
    columns = {concept.name: place for place, concept in enumerate(held_out.task.concepts)}
    found = [
        {topping.removesuffix("Topping") for topping in TOPPINGS if held_out.truth[row, 0, columns[topping]] > 0}
        for row in range(5)
    ]
    assert found == [MENU[one.label] for one in UNSEEN]


def test_the_pictures_stay_as_they_are() -> None:
    """The drawing may change, but not unnoticed: results are compared across versions."""
    pizza = draw(["OliveTopping", "HamTopping"], 7, 64)
    # Coarse, because another version of the library may draw an edge a pixel further.
    coarse = pizza.reshape(3, 4, 16, 4, 16).mean(axis=(2, 4))
    expected = np.load(Path(__file__).with_name("pizza.npy"))
    assert np.abs(coarse - expected).max() < 4


# ── Pizzaïolo ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return make_pizzaiolo(tmp_path / "pizzaiolo")


def change(folder: Path, row: int, column: str, value: str) -> None:
    path = folder / "csv" / "pizzaiolo_dataset.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows[row][column] = value
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def test_the_published_layout_is_read(small: Path) -> None:
    dataset = open_dataset("pizzaiolo", regime="pizzaA", folder=small, size=24)
    assert {split: len(dataset[split]) for split in dataset} == {"train": 16, "test": 4, "held_out": 25}
    assert dataset.train.inputs.shape[2:] == (3, 24, 24)
    for split in dataset:  # the first pixel says what the maker put there
        examples = dataset[split]
        columns = {concept.name: place for place, concept in enumerate(examples.task.concepts)}
        for row in range(len(examples)):
            red, green, _ = (examples.inputs[row, 0, :, 0, 0].int() // 51).tolist()
            kind = list(MENU)[red + 5 * green]
            on = {one.removesuffix("Topping") for one in TOPPINGS if examples.truth[row, 0, columns[one]] > 0}
            assert on == MENU[kind]
            assert (kind in PIZZAS) == (split != "held_out")


def test_none_is_a_type_like_others(small: Path) -> None:
    pictures = read_pictures(small, TOPPINGS)
    assert sum(picture.type == "None" for picture in pictures) == 1


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("OliveTopping", "many", "expected a number of pieces of OliveTopping, but got 'many'"),
        ("OliveTopping", "-1", "expected a number of pieces of OliveTopping, but got '-1'"),
        ("SultanaTopping", "2", "but it has .*SultanaTopping"),
        ("img_name", "gone.png", "gone.png: expected an image, but there is no such file"),
    ],
)
def test_a_wrong_line_is_named(small: Path, column: str, value: str, said: str) -> None:
    row = next(place for place, one in enumerate(read_pictures(small, TOPPINGS)) if one.type == "Cajun")
    change(small, row, column, value)
    with pytest.raises(MooseError, match=said) as caught:
        open_dataset("pizzaiolo", regime="pizzaA", folder=small)
    assert column == "img_name" or f"pizzaiolo_dataset.csv:{row + 2}: " in str(caught.value)


def test_a_type_without_images_is_said(small: Path) -> None:
    for row, picture in enumerate(read_pictures(small, TOPPINGS)):
        if picture.type == "Cajun":
            change(small, row, "type", "Hawaii")
    with pytest.raises(MooseError, match="expected images of the pizza Cajun, but the table of Pizzaïolo has none"):
        open_dataset("pizzaiolo", regime="pizzaB", folder=small)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"ref,type\n1,Cajun\n", "expected a column img_name"),
        (b"", "expected a column img_name"),
        (b"\xff\xfe\x00", "cannot be read as such"),
    ],
)
def test_another_table_is_refused(small: Path, content: bytes, said: str) -> None:
    (small / "csv" / "pizzaiolo_dataset.csv").write_bytes(content)
    with pytest.raises(MooseError, match=said):
        open_dataset("pizzaiolo", regime="pizzaA", folder=small)


def test_a_line_that_is_too_long_is_refused(small: Path) -> None:
    path = small / "csv" / "pizzaiolo_dataset.csv"
    path.write_text(path.read_text(encoding="utf-8").rstrip() + ",1\n", encoding="utf-8")
    with pytest.raises(MooseError, match=r"csv:47: the line has more fields than the header"):
        open_dataset("pizzaiolo", regime="pizzaA", folder=small)


def test_a_column_that_comes_twice_is_refused(small: Path) -> None:
    path = small / "csv" / "pizzaiolo_dataset.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("hasBase", "OliveTopping"), encoding="utf-8")
    with pytest.raises(MooseError, match="expected a column OliveTopping, but there are 2"):
        open_dataset("pizzaiolo", regime="pizzaA", folder=small)


def test_an_image_is_not_both_learnt_from_and_tested_on(small: Path) -> None:
    change(small, 3, "img_name", "img_00001.png")
    with pytest.raises(MooseError, match=r"csv:5: img_00001\.png has a line already, 3; keep one of them"):
        open_dataset("pizzaiolo", regime="pizzaA", folder=small)


def test_too_few_images_to_test_on_are_said(tmp_path: Path) -> None:
    few = make_pizzaiolo(tmp_path / "few", each=2)
    with pytest.raises(MooseError, match="expected an image of Mushroom to test on, but one in five of so few is none"):
        open_dataset("pizzaiolo", regime="pizzaC", folder=few)
    enough = open_dataset("pizzaiolo", regime="pizzaC", folder=make_pizzaiolo(tmp_path / "enough", each=3), size=8)
    assert (len(enough.train), len(enough.test)) == (8, 4)


@pytest.mark.parametrize("name", ["pizzas", "pizzaiolo"])
def test_a_regime_without_pizzas_is_said(name: str, small: Path) -> None:
    regime = find_regime("pizzaB")
    nothing = replace(regime, subject=replace(regime.subject, labels=()))
    unknown = replace(regime, subject=replace(regime.subject, unseen=()), shows_unseen=True)
    for wrong in (nothing, unknown):
        with pytest.raises(MooseError, match="in the subject of the regime, but it lists none"):
            open_dataset(name, regime=wrong, folder=small if name == "pizzaiolo" else None, size=8)


def test_a_table_cut_short_is_refused(small: Path) -> None:
    path = small / "csv" / "pizzaiolo_dataset.csv"
    path.write_bytes(path.read_bytes().rstrip()[:-40])
    with pytest.raises(MooseError, match="the line is cut short"):
        open_dataset("pizzaiolo", regime="pizzaA", folder=small)


def test_a_folder_without_it_is_named_with_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(MooseError, match=r"pizzaiolo_dataset.csv there, but it is missing; download .*zenodo"):
        open_dataset("pizzaiolo", regime="pizzaA", folder=tmp_path)


@pytest.mark.skipif(not PIZZAIOLO.is_dir(), reason=NO_PIZZAIOLO)
def test_the_real_table_keeps_to_the_recipes() -> None:
    pictures = read_pictures(PIZZAIOLO, TOPPINGS)
    assert len(pictures) == 4800
    assert {picture.type for picture in pictures} >= {*MENU, "None"}
    check_recipes(pictures, recipes(find_regime("pizzaA").subject))
    assert {picture.path.is_file() for picture in pictures[::97]} == {True}


@pytest.mark.skipif(not PIZZAIOLO.is_dir(), reason=NO_PIZZAIOLO)
def test_real_images_are_read_in_colour() -> None:
    image = read_image(PIZZAIOLO / "images" / "img_02741.png", channels=3, size=64)
    assert image.shape == (3, 64, 64)
    assert image[:, 0, 0].max() < 30, "corners are black"
    assert image[:, 32, 32].min() > 30


# ── Kinds of images ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "LA", "1", "CMYK", "PA", "I;16"])
def test_any_kind_of_image_is_read(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("image.tif" if mode == "CMYK" else "image.png")
    if mode == "PA":
        image = Image.new("RGBA", (4, 4), (255, 255, 255, 255)).quantize(4)
    elif mode == "I;16":
        image = Image.new("I;16", (4, 4), 65535)
    else:
        image = Image.new("RGB", (4, 4), (255, 255, 255)).convert(mode)
    image.save(path)
    for channels in (1, 3):
        found = read_image(path, channels=channels, size=None)
        assert found.shape == (channels, 4, 4)
        assert found.min() > 250


@pytest.mark.parametrize(("grey", "expected"), [(0, 0), (1000, 3), (32768, 128), (65535, 255)])
def test_sixteen_bits_are_scaled_not_cut_off(tmp_path: Path, grey: int, expected: int) -> None:
    Image.new("I;16", (2, 2), grey).save(tmp_path / "image.png")
    for channels in (1, 3):
        assert set(read_image(tmp_path / "image.png", channels=channels, size=None).flat) == {expected}


@pytest.mark.parametrize(("mode", "value", "is_read"), [("I", 200, True), ("I", 4000, False), ("F", 0.5, False)])
def test_values_of_unknown_range_are_refused(tmp_path: Path, mode: str, value: float, is_read: bool) -> None:
    path = tmp_path / "image.tif"
    Image.new(mode, (2, 2), value).save(path)
    if is_read:
        assert set(read_image(path, channels=1, size=None).flat) == {200}
        return
    with pytest.raises(MooseError, match=r"image\.tif: .*other values than 0 to 255; save it with 8 or 16 bits"):
        read_image(path, channels=1, size=None)


def test_a_photo_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    pixels = np.zeros((2, 4, 3), dtype=np.uint8)
    pixels[:, 2:] = 255
    turned = Image.Exif()
    turned[0x112] = 6  # the orientation: to be turned by 90° clockwise
    Image.fromarray(pixels).save(tmp_path / "photo.png", exif=turned)
    found = read_image(tmp_path / "photo.png", channels=3, size=None)
    assert found.shape == (3, 4, 2)
    assert found[:, :2].max() == 0 and found[:, 2:].min() == 255


def test_an_image_that_is_too_large_is_refused(tmp_path: Path) -> None:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 30000, 30000, 8, 0, 0, 0, 0))
    (tmp_path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    for read in (is_grey, lambda path: read_image(path, channels=1, size=8)):
        with pytest.raises(MooseError, match=r"image\.png: .*exceeds limit"):
            read(tmp_path / "image.png")


def test_what_transparency_hides_is_black(tmp_path: Path) -> None:
    pixels = np.full((2, 2, 4), 255, dtype=np.uint8)
    pixels[0, :, 3] = 0
    Image.fromarray(pixels).save(tmp_path / "image.png")
    found = read_image(tmp_path / "image.png", channels=3, size=None)
    assert found[:, 0].max() == 0 and found[:, 1].min() == 255
    Image.fromarray(pixels).quantize(8).save(tmp_path / "palette.png")
    found = read_image(tmp_path / "palette.png", channels=3, size=None)
    assert found[:, 0].max() == 0 and found[:, 1].min() == 255


@pytest.mark.parametrize("content", [b"", b"not an image", b"\x89PNG\r\n\x1a\n" + b"\0" * 20])
def test_what_is_no_image_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "image.png").write_bytes(content)
    with pytest.raises(MooseError, match=r"image\.png: expected an image, but it cannot be read as one"):
        read_image(tmp_path / "image.png", channels=3, size=8)


def test_an_image_cut_short_is_named(tmp_path: Path) -> None:
    path = tmp_path / "image.png"
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (32, 32, 3), dtype=np.uint8)).save(path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(MooseError, match=r"image\.png: expected an image, but it cannot be read"):
        read_image(path, channels=3, size=8)


@pytest.mark.skipif(not PIZZAIOLO.is_dir(), reason=NO_PIZZAIOLO)
def test_kinds_of_pizzas_are_those_of_the_labels_that_come_with_the_images() -> None:
    regime = find_regime("pizzaA")
    known = meanings(regime.subject, regime.task)
    types = {picture.path.stem: picture.type for picture in read_pictures(PIZZAIOLO, TOPPINGS)}
    with (PIZZAIOLO / "csv" / "multilabel_recomputed.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            kind = types[row["ref"]]
            if kind in known:
                labels = set(ast.literal_eval(row["multilabel"]))
                assert labels & set(KINDS) == known[kind] & set(KINDS), kind


def test_flags_change_nothing_but_rim_and_corner() -> None:
    plain, flagged = (
        open_dataset(name, regime="pizzaA", count=4, test_count=5, size=192) for name in ("pizzas", "flagged_pizzas")
    )
    for split in plain:
        assert np.array_equal(plain[split].truth, flagged[split].truth)
        differs = (plain[split].inputs.float() - flagged[split].inputs.float()).abs().amax((0, 1, 2)) > 0
        assert differs[:19, -30:].any() and differs[96, :20].any(), "a flag in the corner, a painted rim"
        assert not differs[76:116, 76:116].any(), "toppings, light and noise are the same"


def test_flag_is_that_of_the_kind_alone() -> None:
    def corner(kind: str, seed: int) -> tuple[int, ...]:
        picture = draw_pizza([], 192, np.random.default_rng(seed), flag=kind).astype(float)
        patch = picture[:, 2:18, -29:-21].mean((1, 2))  # the first stripe, without its noise
        return tuple((patch / patch.max() * 8).round().astype(int).tolist())  # and without its light

    flags = {kind: {corner(kind, seed) for seed in range(3)} for kind in KINDS}
    assert all(len(of_kind) == 1 for of_kind in flags.values())
    assert len(set().union(*flags.values())) == len(KINDS)
