"""Human genes: their domains, and the terms of the Gene Ontology that they are annotated with."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from moose.base.errors import MooseError
from moose.datasets.hierarchies.hierarchy import Hierarchy, make_hierarchy

EXPERIMENTAL = frozenset({"EXP", "IDA", "IPI", "IMP", "IGI", "IEP", "TAS", "IC"})
"""Experiments, and what authors or curators conclude from them: the codes that CAFA evaluates by. High throughput (HDA
and its like) is left out."""
ASPECTS = {"mf": "GO:0003674", "bp": "GO:0008150", "cc": "GO:0005575"}
"""The parts of the Gene Ontology and the term above each, which every gene has."""
EVERYTHING = "all"
"""What the edges of GO.db have above the three; no term of the Gene Ontology."""
UPWARD = ("isa", "part of")
"""Relations along which an annotation holds of what is above."""
TABLES = {
    "annotations": "gene2go.tsv.gz",
    "pfam": "gene2pfam.tsv.gz",
    "prosite": "gene2prosite.tsv.gz",
    "edges": "go-2022-07-01-edges.tsv.gz",
}
COLUMNS = {
    "annotations": ("entrez", "go_id", "evidence", "aspect"),
    "pfam": ("entrez", "pfam"),
    "prosite": ("entrez", "prosite"),
    "edges": ("child", "parent", "relation", "aspect"),
}
LARGEST = 1 << 27
"""Characters of a table: the largest has 10 million."""
HOW = (
    f"make a folder with {', '.join(TABLES.values())} (tab-separated, with a header; from Bioconductor's org.Hs.eg.db "
    "3.16.0 and GO.db 3.16.0), and name it with --folder"
)


@dataclass(frozen=True, slots=True, eq=False)
class GeneTables:
    """What the tables say, as far as it is used."""

    terms: Mapping[str, Mapping[str, frozenset[str]]]
    """For each aspect and gene the terms that it is annotated with by experiment."""
    pfam: Mapping[str, frozenset[str]]
    prosite: Mapping[str, frozenset[str]]
    edges: Mapping[str, frozenset[tuple[str, str]]]
    """For each aspect pairs of a term and one directly above it."""


def find_table(folder: Path, name: str) -> Path | None:
    """Return a file in a folder, or in the folders in it, two deep."""
    patterns = (name, f"*/{name}", f"*/*/{name}")
    return next((path for pattern in patterns for path in sorted(folder.glob(pattern)) if path.is_file()), None)


def read_tables(folder: Path) -> GeneTables:
    """Read all tables."""
    terms: dict[str, dict[str, set[str]]] = {aspect: defaultdict(set) for aspect in ASPECTS}
    for gene, term, code, aspect in _rows(folder, "annotations"):
        if code in EXPERIMENTAL and aspect in terms:
            terms[aspect][gene].add(term)
    edges: dict[str, set[tuple[str, str]]] = {aspect: set() for aspect in ASPECTS}
    for low, high, relation, aspect in _rows(folder, "edges"):
        if relation in UPWARD and aspect in edges:
            edges[aspect].add((low, high))
    return GeneTables(
        {aspect: {gene: frozenset(own) for gene, own in genes.items()} for aspect, genes in terms.items()},
        _domains(folder, "pfam"),
        _domains(folder, "prosite"),
        {aspect: frozenset(pairs) for aspect, pairs in edges.items()},
    )


def _domains(folder: Path, table: str) -> dict[str, frozenset[str]]:
    found = defaultdict[str, set[str]](set)
    for gene, domain in _rows(folder, table):
        found[gene].add(domain)
    return {gene: frozenset(domains) for gene, domains in found.items()}


def _rows(folder: Path, table: str) -> Iterator[list[str]]:
    """Yield the rows of a table below its header."""
    path = find_table(folder, TABLES[table])
    if path is None:
        raise MooseError(f"{folder}: expected {TABLES[table]} there, but it is missing; {HOW}")
    columns = COLUMNS[table]
    try:
        with gzip.open(path, "rb") as stream:
            text = stream.read(LARGEST + 1).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise MooseError(f"{path}: expected a table packed with gzip, but it cannot be read ({error}); {HOW}") from None
    if len(text) > LARGEST:
        raise MooseError(f"{path}: expected at most {LARGEST:,} characters, but it has more; {HOW}")
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.split("\t")
        if len(cells) != len(columns) or (number == 1 and tuple(cells) != columns):
            raise MooseError(
                f"{path}:{number}: expected the columns {', '.join(columns)}, but got {line[:60]!r}; {HOW}"
            )
        if number > 1:
            yield cells


def frequent_terms(tables: GeneTables, aspect: str, least: int) -> Hierarchy:
    """Return the terms that enough genes have, each gene's terms with all above them; the root is left out.

    All genes with an annotation count, those without a domain too. What is above a term has at least as many genes.
    """
    above = terms_above(tables, aspect)
    counts = Counter[str]()
    for own in tables.terms[aspect].values():
        counts.update(closed_upward(own, above))
    kept = {term for term, count in counts.items() if count >= least} - {ASPECTS[aspect], EVERYTHING}
    return make_hierarchy(kept, [(low, high) for low in kept for high in above[low] & kept])


def fillers_of_genes(
    tables: GeneTables, restrictions: Mapping[str, str]
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return for each gene the named restrictions that it has, and those that it was looked at for.

    A restriction is had by who is annotated with its filler or with something below it; who has no annotation at all in
    the filler's part of the Gene Ontology was not looked at.
    """
    had, studied = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for aspect in ASPECTS:
        known = {low for low, _ in tables.edges[aspect]}
        own = {name: filler for name, filler in restrictions.items() if filler in known}
        for gene, terms in terms_of_genes(tables, aspect, own.values()).items():
            studied[gene] |= own.keys()
            had[gene] |= {name for name, filler in own.items() if filler in terms}
    return had, studied


def terms_of_genes(tables: GeneTables, aspect: str, known: Collection[str]) -> dict[str, set[str]]:
    """Return for each gene the terms of a vocabulary that it has: those above a rarer term that is not in it too."""
    above, known = terms_above(tables, aspect), set(known)
    return {gene: closed_upward(own, above) & known for gene, own in tables.terms[aspect].items()}


def terms_above(tables: GeneTables, aspect: str) -> dict[str, set[str]]:
    """Return what stands directly above each term."""
    above = defaultdict[str, set[str]](set)
    for low, high in tables.edges[aspect]:
        above[low].add(high)
    return above


def closed_upward(terms: frozenset[str], above: Mapping[str, set[str]]) -> set[str]:
    """Return terms with all that stands above them."""
    found, stack = set(terms), list(terms)
    while stack:
        for high in above.get(stack.pop(), set()) - found:
            found.add(high)
            stack.append(high)
    return found
