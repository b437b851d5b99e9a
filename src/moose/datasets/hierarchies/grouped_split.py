"""Split rows so that no group is in two splits: groups of genes that share domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

By = Literal["family", "architecture"]
SHARES = {"test": 0.2, "valid": 0.1}
"""Of all genes; the others are to learn from."""
GIANT = 0.1
"""A group of more than this share of the genes is to learn from: held back, it would be nearly all of a split."""


def group_genes(domains: Mapping[str, frozenset[str]], by: By) -> list[list[str]]:
    """Return genes that must stay together: those joined by shared domains, or those with the same domains.

    >>> group_genes({"a": frozenset("PQ"), "b": frozenset("Q"), "c": frozenset("R")}, "family")
    [['a', 'b'], ['c']]
    """
    groups: dict[object, list[str]] = {}
    if by == "architecture":
        for gene in sorted(domains):
            groups.setdefault(domains[gene], []).append(gene)
        return sorted(groups.values())
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for gene in sorted(domains):
        for domain in domains[gene]:
            leader[find(f"gene {gene}")] = find(domain)
    for gene in sorted(domains):
        groups.setdefault(find(f"gene {gene}"), []).append(gene)
    return sorted(groups.values())


def split_groups(groups: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Put whole groups into the test, then into the validation, until each has its share; the same for every seed."""
    total = sum(map(len, groups))
    splits: dict[str, list[str]] = {"train": [], "valid": [], "test": []}
    order = np.random.default_rng(0).permutation(len(groups)).tolist()
    for group in (groups[number] for number in order):
        fitting = [split for split, share in SHARES.items() if len(splits[split]) + len(group) <= share * total]
        is_giant = len(group) > GIANT * total
        splits[fitting[0] if fitting and not is_giant else "train"].extend(group)
    return {split: sorted(genes) for split, genes in splits.items()}
