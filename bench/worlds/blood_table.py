"""Blood cells by their genes: a table, and a taxonomy of ten kinds of cell by surface and ability.

700 cells × 765 genes of 10x Genomics (`10x_pbmc68k_reduced.h5ad`, which needs h5py). A progenitor is a blood cell and
no more; a regulatory T cell is a helper, which is a T cell, which is a lymphocyte, and has a receptor of its own.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

import moose
from bench.worlds.world import World, observed_columns, one_each, profiles_of, some_literals
from moose.grounding.task.task import Task
from moose.learning.encoders import mlp_encoder
from moose.learning.examples import Examples

Integers = npt.NDArray[np.int64]

TABLE = "10x_pbmc68k_reduced.h5ad"
TEST = 200
KINDS = {
    "CD14+ Monocyte": "Monocyte",
    "CD19+ B": "BCell",
    "CD34+": "Progenitor",
    "CD4+/CD25 T Reg": "RegulatoryT",
    "CD4+/CD45RA+/CD25- Naive T": "NaiveHelper",
    "CD4+/CD45RO+ Memory": "MemoryHelper",
    "CD56+ NK": "NaturalKiller",
    "CD8+ Cytotoxic T": "CytotoxicT",
    "CD8+/CD45RA+ Naive Cytotoxic": "NaiveCytotoxicT",
    "Dendritic": "Dendritic",
}
OBSERVED = (
    "Lymphocyte",
    "TCell",
    "Myeloid",
    "CD4Positive",
    "CD8Positive",
    "CD25Positive",
    "Naive",
    "AntigenPresenting",
    "Killer",
    "Phagocyte",
)
ONTOLOGY = """
Prefix(:=<https://example.org/blood#>)
Ontology(<https://example.org/blood>
  SubClassOf(:Lymphocyte :BloodCell) SubClassOf(:Myeloid :BloodCell) SubClassOf(:Progenitor :BloodCell)
  SubClassOf(:TCell :Lymphocyte) SubClassOf(:BCell :Lymphocyte) SubClassOf(:NaturalKiller :Lymphocyte)
  SubClassOf(:Helper :TCell) SubClassOf(:Cytotoxic :TCell)
  SubClassOf(:RegulatoryT :Helper) SubClassOf(:NaiveHelper :Helper) SubClassOf(:MemoryHelper :Helper)
  SubClassOf(:CytotoxicT :Cytotoxic) SubClassOf(:NaiveCytotoxicT :Cytotoxic)
  SubClassOf(:Monocyte :Myeloid) SubClassOf(:Dendritic :Myeloid)
  DisjointClasses(:Lymphocyte :Myeloid)
  SubObjectPropertyOf(:hasReceptor :hasSurfacePart)
  SubClassOf(:Helper ObjectSomeValuesFrom(:hasReceptor :CD4))
  SubClassOf(:Cytotoxic ObjectSomeValuesFrom(:hasReceptor :CD8))
  SubClassOf(:RegulatoryT ObjectSomeValuesFrom(:hasReceptor :CD25))
  EquivalentClasses(:CD4Positive ObjectSomeValuesFrom(:hasSurfacePart :CD4))
  EquivalentClasses(:CD8Positive ObjectSomeValuesFrom(:hasSurfacePart :CD8))
  EquivalentClasses(:CD25Positive ObjectSomeValuesFrom(:hasSurfacePart :CD25))
  SubClassOf(:NaiveHelper :Naive) SubClassOf(:NaiveCytotoxicT :Naive)
  SubClassOf(:NaturalKiller :Killer) SubClassOf(:CytotoxicT :Killer)
  SubClassOf(:BCell :AntigenPresenting) SubClassOf(:Dendritic :AntigenPresenting)
  SubClassOf(:Monocyte :Phagocyte)
)
"""


def make(folder: Path) -> World:
    """Make the world from the folder with the table."""
    with tempfile.TemporaryDirectory() as own:
        path = Path(own) / "blood.ofn"
        path.write_text(ONTOLOGY, "utf-8")
        members = list(KINDS.values())
        task = Task(moose.load(path), ["a"], OBSERVED, members, [members])
    genes, kinds = read_table(folder / TABLE)
    return World(
        task, partial(draw, genes, kinds), partial(network, genes.shape[1]), epochs=40, batch_size=32, held_back=0.15
    )


def network(genes: int, outputs: int, seed: int) -> nn.Module:
    """Make the network of all rows: two full layers."""
    return mlp_encoder(genes, outputs, seed=seed)


def read_table(path: Path) -> tuple[Tensor, Integers]:
    """Return cell × gene, and the kind of each cell."""
    import h5py  # type: ignore[import-not-found]  # no dependency: this table alone needs it

    with h5py.File(path) as file:
        genes = np.asarray(file["X"], dtype=np.float32)
        names = [name if isinstance(name, str) else name.decode() for name in file["uns/bulk_labels_categories"]]
        kinds = np.array([list(KINDS).index(names[code]) for code in file["obs"]["bulk_labels"]])
    return torch.from_numpy(genes), kinds


def draw(genes: Tensor, kinds: Integers, task: Task, seed: int) -> tuple[Examples, Examples]:
    """Draw which cells to test on, and one to three literals of each cell."""
    numbers = np.random.default_rng(seed)
    order = numbers.permutation(len(genes))
    truth = profiles_of(task)[kinds]
    evidence = some_literals(truth, observed_columns(task), numbers)
    train, test = (
        one_each(task, genes[torch.from_numpy(part)], truth[part], evidence[part])
        for part in (order[TEST:], order[:TEST])
    )
    return train, test
