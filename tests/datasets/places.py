"""Where the tests find data that is not in the repository, and folders that they make themselves."""

from __future__ import annotations

import csv
import gzip
import struct
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from moose.datasets.base.regimes import PIZZAS, UNSEEN
from moose.datasets.mnist_files.published import PublishedFile

PIZZAIOLO = Path(__file__).parents[2].parent / "shared" / "data" / "pizzaiolo"
NO_PIZZAIOLO = "the folder ../shared/data/pizzaiolo is not there"

TOPPINGS = (
    "AnchovyTopping GarlicTopping GreenPepperTopping HamTopping JalapenoPepperTopping MushroomTopping OliveTopping "
    "OnionTopping ParmesanTopping PeperonataTopping PeperoniSausageTopping PrawnTopping RocketTopping "
    "SlicedTomatoTopping SpinachTopping SultanaTopping"
).split()

# What is on each pizza, written out by hand: not read from the ontology, as the data sets do.
MENU = {
    "Mushroom": {"Mushroom"},
    "Cajun": {"Onion", "Peperonata", "Prawn"},
    "Capricciosa": {"Anchovy", "Ham", "Olive", "Peperonata"},
    "FourSeasons": {"Anchovy", "Mushroom", "Olive", "PeperoniSausage"},
    "Fiorentina": {"Garlic", "Olive", "Parmesan", "SlicedTomato", "Spinach"},
    "Giardiniera": {"JalapenoPepper", "Mushroom", "Olive", "SlicedTomato"},
    "LaReine": {"Ham", "Mushroom", "Olive"},
    "Soho": {"Garlic", "Olive", "Parmesan", "Rocket"},
    "Veneziana": {"Olive", "Onion", "Sultana"},
}
MODES = ("RGBA", "P", "RGB")
"""The kinds of images that are about."""


def make_pizzaiolo(folder: Path, *, each: int = 5) -> Path:
    """Write a small data set with the published layout and its traps: counts, a type called None, kinds of images."""
    (folder / "csv").mkdir(parents=True)
    (folder / "images").mkdir()
    types = [*(name for name in (*PIZZAS, *(one.label for one in UNSEEN)) for _ in range(each)), "None"]
    # the file's number must not tell the type
    generator = np.random.default_rng(0)
    order = generator.permutation(len(types))
    with (folder / "csv" / "pizzaiolo_dataset.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["ref", "img_name", "type", "hasTopping", *TOPPINGS, "hasBase"])
        for number, chosen in enumerate(order):
            kind = types[chosen]
            counts = [3 if topping.removesuffix("Topping") in MENU.get(kind, ()) else 0 for topping in TOPPINGS]
            table.writerow([f"img_{number:05}", f"img_{number:05}.png", kind, "[]", *counts, "ThinAndCrispyBase"])
            pixels = generator.integers(0, 256, size=(24, 24, 3), dtype=np.uint8)
            place = [*MENU, "None"].index(kind)
            pixels[:12] = (51 * (place % 5), 51 * (place // 5), 204)  # colours that a palette has
            Image.fromarray(pixels).convert(MODES[number % len(MODES)]).save(folder / "images" / f"img_{number:05}.png")
    return folder


def idx_bytes(array: NDArray[np.uint8]) -> bytes:
    """Write an array as the format's description says."""
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def make_mnist(folder: Path, parts: Sequence[PublishedFile], *, packed: bool = False) -> dict[str, PublishedFile]:
    """Write four small files under MNIST's names; return what they are, with their own sums."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = np.random.default_rng(0)
    found = {}
    for part in parts:
        count = 60 if part.name.startswith("train") else 30
        labels = np.arange(count, dtype=np.uint8) % 10
        images = generator.integers(0, 256, size=(count, 28, 28), dtype=np.uint8)
        images[:, 0, 0] = labels
        content = idx_bytes(labels if part.dimensions == 1 else images)
        name = f"{part.name}.gz" if packed else part.name
        (folder / name).write_bytes(gzip.compress(content) if packed else content)
        found[part.name] = PublishedFile(part.name, part.dimensions, sha256(content).hexdigest())
    return found


def make_images(folder: Path) -> Path:
    """Write a folder of images and literals for the task mnist1."""
    folder.mkdir(parents=True)
    rows = ["image,literals,truth,split"]
    for digit in range(10):
        Image.new("L", (12, 12), 20 * digit).save(folder / f"{digit}.png")
        parity = "Even(a)" if digit % 2 == 0 else "not Even(a)"
        rows.append(f"{digit}.png,{parity},D{digit}(a),{'test' if digit > 7 else ''}")
    (folder / "literals.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def make_table(path: Path) -> Path:
    """Write a table of features and literals for the task mnist1."""
    rows = ["x1,x2,literals,truth,split"]
    for number in range(12):
        digit = number % 10
        parity = "Even(a)" if digit % 2 == 0 else "not Even(a)"
        rows.append(f"{number},{digit * digit / 8},{parity},D{digit}(a),{'test' if number > 9 else ''}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
