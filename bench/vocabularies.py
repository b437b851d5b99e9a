"""Vocabularies of hierarchical multi-label classification, as classes and direct subclasses.

The sets of the HMC archive and human genes with Gene Ontology terms are no part of the project: `../shared/data/scale`.
"""

from __future__ import annotations

import gzip
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from moose.base.errors import MooseError

Vocabulary = tuple[list[str], list[tuple[str, str]]]
"""Classes, and pairs of a class and one directly above it."""

TOPS = {"root", "GO0003674", "GO0005575", "GO0008150"}
"""Classes that C-HMCNN leaves out, since every gene has them."""
CODES = {"EXP", "IDA", "IPI", "IMP", "IGI", "IEP", "TAS", "IC"}
"""Evidence by experiment or by an author's statement."""
LEAST_GENES = 10


def vocabulary(name: str, data: Path) -> Vocabulary:
    """Return a vocabulary by its name: "FunCat", "cellcycle GO", "cellcycle GO 10" or "human MF 10"."""
    scale = data / "scale"
    if name == "FunCat":
        paths, _ = read_arff(scale, "datasets_FUN/cellcycle_FUN/cellcycle_FUN.train.arff")
        return sorted(paths), [(path, path.rsplit("/", 1)[0]) for path in sorted(paths) if "/" in path]
    if name.startswith("cellcycle GO"):
        edges, labels = read_arff(scale, "datasets_GO/cellcycle_GO/cellcycle_GO.train.arff")
        above = parents((low, high) for high, low in (edge.split("/") for edge in edges))
        classes = set(above) | {high for highs in above.values() for high in highs}
        if name.endswith("10"):
            classes = frequent(labels, above) - TOPS
        return chosen(classes, above)
    if name == "human MF 10":
        above = parents(
            (row[0], row[1])
            for row in rows(scale / "human-go" / "go-2022-07-01-edges.tsv.gz")
            if row[2:] == ["isa", "mf"]
        )
        terms = defaultdict[str, list[str]](list)
        for gene, term, code, aspect in rows(scale / "human-go" / "gene2go.tsv.gz"):
            if aspect == "mf" and code in CODES:
                terms[gene].append(term)
        return chosen(frequent(terms.values(), above), above)
    raise MooseError(f"expected a vocabulary, but got {name!r}")


def read_arff(scale: Path, member: str) -> tuple[list[str], list[list[str]]]:
    """Return the entries of the class attribute of a data set, and the labels of each gene."""
    archive = next((scale / "hmc").glob("hmc-*.tar.gz"))
    with tarfile.open(archive) as tar:
        file = tar.extractfile(f"HMC_data/{member}")
        assert file is not None
        lines = file.read().decode("utf-8").splitlines()
    (attribute,) = [line for line in lines if line.lower().startswith("@attribute class")]
    start = next(number for number, line in enumerate(lines) if line.lower().startswith("@data"))
    entries = attribute.split("hierarchical", 1)[1].strip().split(",")
    return entries, [line.rsplit(",", 1)[1].split("@") for line in lines[start + 1 :] if line.strip()]


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table but the first."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        yield from (line.rstrip("\n").split("\t") for line in lines)


def parents(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return what is directly above each class."""
    above = defaultdict[str, set[str]](set)
    for low, high in pairs:
        above[low].add(high)
    return above


def frequent(labels: Iterable[list[str]], above: dict[str, set[str]]) -> set[str]:
    """Return the classes that enough genes have, what is above a label included."""
    counts = Counter[str]()
    for own in labels:
        seen, stack = set(own), list(own)
        while stack:
            for high in above.get(stack.pop(), set()) - seen:
                seen.add(high)
                stack.append(high)
        counts.update(seen)
    return {name for name, count in counts.items() if count >= LEAST_GENES}


def chosen(classes: set[str], above: dict[str, set[str]]) -> Vocabulary:
    """Return some classes and the pairs between them."""
    return sorted(classes), [(low, high) for low in sorted(classes) for high in sorted(above.get(low, set()) & classes)]
