"""White blood cells under the microscope, and the Cell Ontology.

400 images of segmentation_WBC, five kinds of cell; the ontology is the slim of the Cell Ontology for blood and immune
cells as it is published in OBO, with names for what it says of parts and abilities. Evidence is drawn as if the slim
said all, or as textbooks have it: cells of which the slim does not say that they circulate in the blood or that they
eat do so, and the open world of OWL is the right reading.
"""

from __future__ import annotations

import csv
import io
import tarfile
import tempfile
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image
from torch import Tensor, nn

import moose
from bench.worlds.world import Signs, World, observed_columns, one_each, profiles_of, some_literals
from moose.grounding.task.task import Task
from moose.learning.encoders import encoder_for
from moose.learning.examples import Examples

Integers = npt.NDArray[np.int64]

SLIM, IMAGES = "cl-blood_and_immune_upper_slim-2026-06-08.obo.gz", "segmentation_WBC-fa9c016.tar"
SIDE, TEST = 32, 100
KINDS = {
    "CL_0000775": "neutrophil",
    "CL_0000542": "lymphocyte",
    "CL_0000576": "monocyte",
    "CL_0000771": "eosinophil",
    "CL_0000767": "basophil",
}
"""As the images are numbered, from 1."""
CLASSES = {
    "CL_0000094": "granulocyte",
    "CL_0000842": "mononuclear leukocyte",
    "CL_0000766": "myeloid leukocyte",
    "CL_0000234": "phagocyte",
    "CL_0000081": "blood cell",
}
NAMED = {
    "CCR3Positive": ("RO_0002104", "PR_000001255"),
    "CD203cPositive": ("RO_0002104", "PR_000001344"),
    "LargeNucleus": ("RO_0000053", "PATO_0040072"),
    "OsteoclastPrecursor": ("RO_0002215", "GO_0030316"),
}
"""Name, role and filler: who has a part with the receptor, or is able to become an osteoclast."""
TEXTBOOK = {
    ("neutrophil", "CL_0000234"): 1,
    ("eosinophil", "CL_0000234"): 1,
    ("lymphocyte", "CL_0000081"): 1,
    ("monocyte", "CL_0000081"): 1,
}
"""What is so although the slim does not say it."""


def ontology_text(import_from: str) -> str:
    """Return the ontology of the task: the slim, and names for some of what it says."""
    lines = [
        f"EquivalentClasses(:{name} ObjectSomeValuesFrom(obo:{role} obo:{filler}))"
        for name, (role, filler) in NAMED.items()
    ]
    prefixes = "Prefix(:=<https://example.org/cells#>)\nPrefix(obo:=<http://purl.obolibrary.org/obo/>)"
    return "\n".join([prefixes, "Ontology(<https://example.org/cells>", f"Import(<{import_from}>)", *lines, ")"])


def make(folder: Path, *, textbook: bool) -> World:
    """Make the world from the folder with the slim and the archive of images."""
    with tempfile.TemporaryDirectory() as own:
        path = Path(own) / "cells.ofn"
        path.write_text(ontology_text((folder / SLIM).resolve().as_uri()), "utf-8")
        members = list(KINDS)
        task = Task(moose.load(path), ["a"], [*CLASSES, *NAMED], members, [members])
    profiles = textbook_profiles(task) if textbook else profiles_of(task)
    inputs, kinds = read_images(folder / IMAGES)
    return World(
        task,
        partial(draw, inputs, profiles[kinds]),
        network,
        epochs=40,
        batch_size=32,
        held_back=0.15,
        is_closed=not textbook,
    )


def network(outputs: int, seed: int) -> nn.Module:
    """Make the network of all rows: the bundled one for small images, with batch normalisation."""
    return encoder_for(outputs, (3, SIDE, SIDE), batch_norm=True, seed=seed)


def read_images(archive: Path) -> tuple[Tensor, Integers]:
    """Return image × colour × row × column, and the kind of each."""
    images, kinds = list[npt.NDArray[np.uint8]](), list[int]()
    with tarfile.open(archive) as files:
        for number in (1, 2):
            table = io.TextIOWrapper(opened(files, f"Class Labels of Dataset {number}.csv"), "utf-8")
            for name, kind in list(csv.reader(table))[1:]:
                image = Image.open(opened(files, f"Dataset {number}/{int(name):03d}.image.png")).convert("RGB")
                small = image.resize((SIDE, SIDE), Image.Resampling.BOX)
                images.append(np.asarray(small).transpose(2, 0, 1))
                kinds.append(int(kind) - 1)
    return torch.from_numpy(np.stack(images)), np.array(kinds)


def opened(files: tarfile.TarFile, name: str) -> IO[bytes]:
    """Open a file of the archive."""
    member = files.extractfile(f"segmentation_WBC/{name}")
    assert member is not None
    return member


def draw(inputs: Tensor, truth: Signs, task: Task, seed: int) -> tuple[Examples, Examples]:
    """Draw which cells to test on, and one to three literals of each cell."""
    numbers = np.random.default_rng(seed)
    order = numbers.permutation(len(inputs))
    evidence = some_literals(truth, observed_columns(task), numbers)
    train, test = (
        one_each(task, inputs[torch.from_numpy(part)], truth[part], evidence[part])
        for part in (order[TEST:], order[:TEST])
    )
    return train, test


def textbook_profiles(task: Task) -> Signs:
    """Return member × concept as textbooks have it."""
    profiles = profiles_of(task)
    columns = [concept.name for concept in task.concepts]
    for (kind, name), sign in TEXTBOOK.items():
        profiles[list(KINDS.values()).index(kind), columns.index(name)] = sign
    return profiles
