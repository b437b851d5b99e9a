"""Human genes: vocabulary, splits by domains, features, and terms that definitions alone reach."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.datasets.genes import unseen_concepts
from moose.datasets.hierarchies.gene_tables import frequent_terms, read_tables, terms_of_genes
from moose.datasets.hierarchies.grouped_split import group_genes, split_groups
from moose.learning.examples import Examples
from tests.datasets.hierarchies import GENES, NO_GENES, make_genes


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_genes(tmp_path_factory.mktemp("genes"))


def domains_of(folder: Path) -> dict[str, frozenset[str]]:
    tables = read_tables(folder)
    return {gene: own for gene, own in tables.pfam.items() if gene in tables.terms["mf"]}


def named(examples: Examples) -> list[str]:
    return [concept.name for concept in examples.task.concepts]


def test_annotations_by_experiment_count_for_all_above(small: Path) -> None:
    tables = read_tables(small)
    hierarchy = frequent_terms(tables, "mf", 10)
    assert sorted(hierarchy.names) == [f"GO:000000{number}" for number in range(1, 7)]  # no root, nothing by IEA
    terms = terms_of_genes(tables, "mf", ["GO:0000001", "GO:0000003"])
    assert terms["12"] == {"GO:0000001", "GO:0000003"}  # it has GO:0000006, a part of GO:0000003
    assert terms["8"] == set()  # it has GO:0000005
    assert len(frequent_terms(tables, "mf", 121)) == 2


def test_the_vocabulary_of_human_genes() -> None:
    if not GENES.is_dir():
        pytest.skip(NO_GENES)
    tables = read_tables(GENES)
    assert len(frequent_terms(tables, "mf", 10)) + 2 == 949  # with the root and GO.db's "all" above it
    assert len([gene for gene in tables.pfam if gene in tables.terms["mf"]]) == 13_763


@given(st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.sets(st.sampled_from("PQRSTUV"), min_size=1)))
def test_no_family_is_in_two_splits(drawn: Mapping[str, set[str]]) -> None:
    domains = {gene: frozenset(own) for gene, own in drawn.items()}
    for by in ("family", "architecture"):
        splits = split_groups(group_genes(domains, by))
        assert sorted(gene for genes in splits.values() for gene in genes) == sorted(domains)
        for one, other in (("train", "valid"), ("train", "test"), ("valid", "test")):
            pairs = [(domains[a], domains[b]) for a in splits[one] for b in splits[other]]
            assert not any(a & b if by == "family" else a == b for a, b in pairs)


def test_a_giant_is_to_learn_from(small: Path) -> None:
    splits = split_groups(group_genes(domains_of(small), "family"))
    giant = {str(gene) for gene in range(60)}  # fifteen families that one domain joins
    assert giant <= set(splits["train"])
    assert {split: len(genes) for split, genes in splits.items()} == {"train": 168, "valid": 24, "test": 48}


def test_features_are_the_domains_of_genes_to_learn_from(small: Path) -> None:
    tables = read_tables(small)
    splits = split_groups(group_genes(domains_of(small), "family"))
    seen = sorted({one for gene in splits["train"] for one in tables.pfam[gene] | tables.prosite[gene]})
    dataset = moose.open_dataset("genes", regime="mf_family", folder=small)
    for split, genes in splits.items():
        expected = [[one in tables.pfam[gene] | tables.prosite[gene] for one in seen] for gene in genes]
        assert torch.equal(dataset[split].inputs[:, 0], torch.tensor(expected))


@pytest.mark.parametrize("regime", ["mf_architecture-unseen", "mf_family-unseen-hidden50"])
def test_nothing_is_said_of_unseen_terms(small: Path, regime: str) -> None:
    dataset = moose.open_dataset("genes", regime=regime, folder=small)
    assert list(unseen_concepts(regime, small)) == ["GO_0000004"]
    names = named(dataset.train)
    assert sorted(set(names)) == [*(f"GO_000000{number}" for number in range(1, 7)), "part_of_GO_0000021"]
    unseen, restriction = names.index("GO_0000004"), names.index("part_of_GO_0000021")
    for split in dataset:
        assert not dataset[split].evidence[:, 0, unseen].any()
    assert (dataset.train.evidence[:, 0, restriction] > 0).any()
    assert (dataset.train.truth[:, 0, unseen] > 0).any()


def test_unseen_terms_follow_from_their_definitions(small: Path) -> None:
    dataset = moose.open_dataset("genes", regime="mf_architecture-unseen", folder=small)
    circuit = moose.compile_circuit(moose.ground(dataset.train.task))
    parts = ["GO_0000001(a)", "part_of_GO_0000021(a)"]
    assert circuit.model_count(parts) == circuit.model_count([*parts, "GO_0000004(a)"]) > 0
    assert circuit.model_count(["GO_0000004(a)"]) == circuit.model_count(["GO_0000004(a)", *parts])
    names = named(dataset.train)
    for split in ("train", "valid"):
        for row in torch.unique(dataset[split].evidence[:, 0], dim=0).tolist():
            literals = [f"{'' if sign > 0 else 'not '}{name}(a)" for name, sign in zip(names, row) if sign]
            assert circuit.model_count(literals) > 0


def test_a_restriction_that_contradicts_other_labels_is_left_open(small: Path) -> None:
    train = moose.open_dataset("genes", regime="mf_architecture-unseen", folder=small).train
    names = named(train)
    column = {name: names.index(name) for name in names}
    # Genes with GO:0000006 have GO:0000001 and the process, but not GO:0000002, which the defined term is below.
    is_odd = train.evidence[:, 0, column["GO_0000006"]] > 0
    assert is_odd.any()
    assert not train.evidence[is_odd, 0, column["part_of_GO_0000021"]].any()
    # Genes without any annotation of a process were not looked at for it.
    is_plain = train.evidence[:, 0, column["GO_0000005"]] > 0
    assert not train.evidence[is_plain, 0, column["part_of_GO_0000021"]].any()


def test_definitions_need_their_ontology(tmp_path: Path) -> None:
    folder = make_genes(tmp_path / "genes")
    (folder / "go.ofn").unlink()
    moose.open_dataset("genes", regime="mf_family", folder=folder, count=5)
    with pytest.raises(MooseError, match=r"expected go\.ofn or go\.ofn\.gz there"):
        moose.open_dataset("genes", regime="mf_family-unseen", folder=folder)


def test_tables_that_are_broken_are_refused(tmp_path: Path) -> None:
    folder = make_genes(tmp_path / "genes")
    path = folder / "gene2pfam.tsv.gz"
    path.write_bytes(gzip.compress(b"entrez\tpfam\n1\tPF1\n2\n"))
    with pytest.raises(MooseError, match=r"gene2pfam\.tsv\.gz:3: expected the columns entrez, pfam, but got '2'"):
        moose.open_dataset("genes", regime="mf_family", folder=folder)
    path.write_bytes(b"entrez\tpfam\n")
    with pytest.raises(MooseError, match="expected a table packed with gzip"):
        moose.open_dataset("genes", regime="mf_family", folder=folder)
    path.unlink()
    with pytest.raises(MooseError, match=r"expected gene2pfam\.tsv\.gz, but there is no such file"):
        moose.open_dataset("genes", regime="mf_family", folder=folder)
