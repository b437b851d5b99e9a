"""Hierarchical multi-label classification: the sets of C-HMCNN's archive, with features, labels and official splits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.datasets.base.request import OwnRegimes, Source, Tell, data_folder
from moose.datasets.hierarchies.archive import find_archive, read_texts
from moose.datasets.hierarchies.arff import Arff, encode_features, read_arff
from moose.datasets.hierarchies.features import scale_features
from moose.datasets.hierarchies.hiding import USUAL
from moose.datasets.hierarchies.hierarchy import (
    Hierarchy,
    complete_evidence,
    label_truth,
    make_hierarchy,
    part_of_hierarchy,
    with_disjoint_siblings,
)
from moose.datasets.hierarchies.labelled import TEST, Labelled, LabelledFiles, hierarchy_task
from moose.datasets.hierarchies.regime_names import NamedRegime, Sets, read_regime_name
from moose.owl.model.expressions import OBO

Value = TypeVar("Value", bound=np.generic)

FUNCAT = ("cellcycle", "church", "derisi", "eisen", "gasch1", "gasch2", "pheno", "seq", "spo")
GO = ("cellcycle", "derisi", "eisen", "gasch1", "gasch2", "pheno", "seq", "spo")
OTHERS = {
    "diatoms": ("Diatoms_train", "Diatoms_test"),
    "enron": ("Enron_corr_trainvalid", "Enron_corr_test"),
    "imclef07a": ("ImCLEF07A_Train", "ImCLEF07A_Test"),
    "imclef07d": ("ImCLEF07D_Train", "ImCLEF07D_Test"),
}
GRAPHS = tuple(f"{name}_go" for name in GO)
"""The sets whose hierarchy is a graph: their whole vocabularies are too wide for an exact circuit."""
SETS = (*OTHERS, *(f"{name}_fun" for name in FUNCAT), *GRAPHS)
ONE_PATH = ("diatoms", "imclef07a", "imclef07d")
"""The sets in which no row has two classes directly below the same one."""
TOPS = ("root", "GO0003674", "GO0005575", "GO0008150")
"""Classes that every row has; C-HMCNN neither learns nor evaluates them."""
VALID_SHARE = 0.3
"""Of the training file, where there is no validation file; C-HMCNN's search holds back as many."""
PATH_IRI = "https://dtai.cs.kuleuven.be/clus/hmcdatasets/"
HOW = (
    "get the folder HMC_data of github.com/EGiunchiglia/C-HMCNN (commit e887855, GPL-3), unpacked or as a .tar.gz, and "
    "name it with --folder"
)


def set_files(name: str) -> dict[str, str]:
    """Return the files of a set by split, as the archive has them.

    >>> set_files("spo_go")["valid"]
    'HMC_data/datasets_GO/spo_GO/spo_GO.valid.arff'
    """
    if name in OTHERS:
        return {split: f"HMC_data/others/{stem}.arff" for split, stem in zip(("train", TEST), OTHERS[name])}
    stem, _, kind = name.partition("_")
    folder = f"HMC_data/datasets_{kind.upper()}/{stem}_{kind.upper()}"
    return {split: f"{folder}/{stem}_{kind.upper()}.{split}.arff" for split in ("train", "valid", TEST)}


def read_files(place: Path, name: str) -> dict[str, Arff]:
    """Read the files of a set; they must have the same attributes and classes."""
    paths = set_files(name)
    texts = read_texts(place, list(paths.values()))
    for path in paths.values():
        if path not in texts:
            raise MooseError(f"{place}: expected {path} there, but it is missing; {HOW}")
    files = {split: read_arff(texts[path], f"{place}:{path}") for split, path in paths.items()}
    first = files["train"]
    for file in files.values():
        if (file.attributes, set(file.entries)) != (first.attributes, set(first.entries)):
            raise MooseError(
                f"{file.where}: expected the attributes and classes of {first.where}, but they differ; {HOW}"
            )
    return files


def read_hierarchy(file: Arff, *, is_graph: bool) -> Hierarchy:
    """Return the hierarchy of the class attribute: paths in a tree, pairs `above/below` in a graph.

    The class of the path 01/03 is called 01.03, as in C-HMCNN: a slash would end a name in an IRI.
    """
    pairs, names = set[tuple[str, str]](), set[str]()
    for entry in file.entries:
        parts = entry.split("/")
        if not all(parts) or (is_graph and len(parts) != 2):
            kind = "a pair such as GO0003674/GO0003774" if is_graph else "a path such as 01/03"
            raise MooseError(f"{file.where}: expected {kind} among the classes, but got {entry!r}; {HOW}")
        steps = parts if is_graph else [".".join(parts[: count + 1]) for count in range(len(parts))]
        names.update(steps)
        pairs.update(zip(steps[1:], steps))
    kept = names.difference(TOPS)
    return make_hierarchy(kept, [(low, high) for low, high in pairs if low in kept and high in kept])


def read_labels(file: Arff, hierarchy: Hierarchy) -> list[list[str]]:
    """Return the classes of each row but for those that every row has; refuse a label that is none."""
    known = set(hierarchy.names)
    rows = [[label.replace("/", ".") for label in labels if label not in TOPS] for labels in file.labels]
    for line, labels in zip(file.lines, rows):
        for label in labels:
            if label not in known:
                raise MooseError(f"{file.where}:{line}: the label {label!r} is none of the classes; {HOW}")
    return rows


def read_set(place: Path, regime: NamedRegime) -> Labelled:
    """Read a set with the vocabulary that a regime asks for; a set that was read lately is not read again."""
    archive = find_archive(place)
    state = archive.stat()
    return _read_set(archive, (state.st_mtime_ns, state.st_size), regime.set, regime.least, regime.is_disjoint)


@lru_cache(maxsize=4)
def _read_set(archive: Path, state: tuple[int, int], name: str, least: int, is_disjoint: bool) -> Labelled:
    del state  # a key: another archive of the same name is read anew
    files = read_files(archive, name)
    hierarchy = read_hierarchy(files["train"], is_graph=name in GRAPHS)
    truth = {split: label_truth(hierarchy, read_labels(file, hierarchy)) for split, file in files.items()}
    if least:
        # Counted on what is learnt from. A label counts for all above it, so that the part is closed upward.
        whole, is_kept = hierarchy.names, (truth["train"] > 0).sum(axis=0) >= least
        hierarchy = part_of_hierarchy(hierarchy, is_kept)
        columns = [whole.index(one) for one in hierarchy.names]
        truth = {split: signs[:, columns] for split, signs in truth.items()}
    if is_disjoint:
        hierarchy = with_disjoint_siblings(hierarchy)
        for signs in truth.values():
            complete_evidence(hierarchy, signs)
    encoded = {split: encode_features(file) for split, file in files.items()}
    features = dict(scale_features(encoded, [split for split in encoded if split != TEST]))
    if "valid" not in files:
        features, truth = _with_valid(features), _with_valid(truth)
    return Labelled(hierarchy_task(hierarchy, lambda one: class_iri(one, name)), hierarchy, features, truth)


def class_iri(name: str, of_set: str) -> str:
    """Return the IRI of a class: the Gene Ontology's own, else one made of the path."""
    return OBO + name.replace("GO", "GO_", 1) if of_set in GRAPHS else f"{PATH_IRI}{name}"


def _with_valid(rows: Mapping[str, NDArray[Value]]) -> dict[str, NDArray[Value]]:
    """Hold back a share of the rows to learn from, the same for every seed."""
    count = len(rows["train"])
    order = np.random.default_rng(0).permutation(count)
    cut = round(count * VALID_SHARE)
    return {
        "train": rows["train"][np.sort(order[cut:])],
        "valid": rows["train"][np.sort(order[:cut])],
        TEST: rows[TEST],
    }


def read_name(name: str) -> NamedRegime:
    """Read the name of a regime.

    >>> read_name("imclef07a-hidden90").shown.number
    90
    """
    return read_regime_name(name, Sets(SETS, cut=GRAPHS, disjoint=ONE_PATH))


def missing(folder: Path | None) -> str | None:
    """Say that there is no archive and no folder."""
    place = folder or data_folder("hmc")
    if place.is_dir() or place.is_file():
        return None
    return f"{place}: expected the HMC sets there, but there is nothing; {HOW}"


def get(folder: Path | None, tell: Tell) -> Path:
    """Say how to get them: their licence is for their user to accept."""
    target = folder or data_folder("hmc")
    if missing(target) is None:
        tell(f"{target} has them already")
        return target
    raise MooseError(f"the HMC sets are not fetched by this command: {HOW}, or put them into {target}")


FILES = LabelledFiles("hmc", read_name, read_set, missing)

SOURCE = Source(
    summary=f"{len(SETS)} sets of features with labels from hierarchies of 46 to 4,130 classes; from C-HMCNN's archive",
    subject="hmc",
    open=FILES.open,
    missing=missing,
    get=get,
    own_regimes=OwnRegimes((*SETS, *(f"{SETS[0]}-{word}" for word in USUAL)), read_name, FILES.regime),
)
