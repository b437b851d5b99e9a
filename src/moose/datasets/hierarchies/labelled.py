"""Rows of features with labels from a hierarchy, and the examples that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.datasets.base.regimes import Regime
from moose.datasets.base.request import Request, data_folder
from moose.datasets.base.subjects import Subject
from moose.datasets.hierarchies.hiding import Shown, show_labels
from moose.datasets.hierarchies.hierarchy import Hierarchy, Signs, hierarchy_ontology
from moose.datasets.hierarchies.regime_names import NamedRegime
from moose.grounding.task.task import Task
from moose.owl.ontology import Ontology

if TYPE_CHECKING:
    from moose.learning.examples import Examples

INDIVIDUAL = "a"
TEST = "test"
"""The split that comes without evidence."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A set as it is read: what is seen and what is true of each row, by split, and the task that all share."""

    task: Task
    hierarchy: Hierarchy
    """Its classes are the concepts of the task, in the same order."""
    features: Mapping[str, NDArray[np.float32]] | Mapping[str, NDArray[np.bool_]]
    """row × feature"""
    truth: Mapping[str, Signs]
    """row × class: +1 and -1, 0 for what is not known"""
    labels: Mapping[str, Signs] | None = None
    """What evidence is drawn from, row × class, 0 for what is open; the truth if None."""
    is_unseen: NDArray[np.bool_] | None = None
    """Of which classes evidence says nothing, not even what follows."""
    unseen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Those of them that definitions reach, and what each is the intersection of, as the task's concepts are called."""


def hierarchy_task(hierarchy: Hierarchy, iri: Callable[[str], str], ontology: Ontology | None = None) -> Task:
    """Return the task of one individual of which every class is a latent concept; labels are evidence on them.

    The ontology is that of the hierarchy, if there is no other that says more.
    """
    ontology = ontology or hierarchy_ontology(hierarchy, iri)
    return Task(ontology, [INDIVIDUAL], observed=[], latent=[f"<{iri(name)}>" for name in hierarchy.names])


@dataclass(frozen=True, slots=True)
class LabelledFiles:
    """A data set whose regimes are made of its files, as their names say."""

    data: str
    read_name: Callable[[str], NamedRegime]
    read: Callable[[Path, NamedRegime], Labelled]
    """Reads what a regime asks for from a folder."""
    missing: Callable[[Path | None], str | None]
    """Says what a folder lacks."""

    def regime(self, name: str, folder: Path | None) -> Regime:
        """Return the regime of a name; evidence is not drawn from a pool, but hidden from labels."""
        named = self.read_name(name)
        if reason := self.missing(folder):
            raise MooseError(reason)
        task = self.read(folder or data_folder(self.data), named).task
        return Regime(name, task, Subject(self.data, task.ontology, ()), pool=(), least=0, most=0)

    def open(self, request: Request) -> Mapping[str, Examples]:
        """Read the rows, and hide what the regime hides."""
        named = self.read_name(request.regime.name)
        return make_splits(self.read(request.folder or data_folder(self.data), named), named.shown, request)


def make_splits(rows: Labelled, shown: Shown, request: Request) -> dict[str, Examples]:
    """Make the examples of all splits: labels as evidence in those to learn from, none in the test."""
    from torch import from_numpy

    from moose.learning.examples import Examples

    if request.inductive or request.size:
        raise MooseError("rows of features have no size and no inductive split; leave both out")
    splits = {}
    for split, truth in rows.truth.items():
        evidence = np.zeros_like(truth)
        if split != TEST:
            labels = truth if rows.labels is None else rows.labels[split]
            evidence = show_labels(rows.hierarchy, labels, shown, seed=request.seed, split=split)
            if rows.is_unseen is not None:
                evidence[:, rows.is_unseen] = 0
        chosen = choose_rows(len(truth), split, request)
        splits[split] = Examples(
            request.regime.task,
            from_numpy(rows.features[split][chosen, None]),
            from_numpy(evidence[chosen, None]),
            from_numpy(truth[chosen, None]),
            allow_latent=True,
        )
    return splits


def choose_rows(available: int, split: str, request: Request) -> NDArray[np.int64]:
    """Return the rows that are asked for: to learn from drawn by the seed, others the same for every seed."""
    wanted = request.count if split == "train" else request.test_count
    if wanted is None:
        return np.arange(available)
    if wanted > available:
        option = "count" if split == "train" else "test_count"
        raise MooseError(f"expected {option} of at most {available:,} rows of the split {split}, but got {wanted:,}")
    seed = request.seed if split == "train" else 0
    generator = np.random.default_rng([seed, crc32(f"rows of {split}".encode())])
    return np.sort(generator.permutation(available)[:wanted])
