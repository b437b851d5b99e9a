"""Human genes: Pfam and PROSITE domains in, terms of the Gene Ontology's molecular function out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.datasets.base.request import OwnRegimes, Source, Tell, data_folder
from moose.datasets.hierarchies.definitions import (
    RESTRICTION_IRI,
    TERM,
    DefinedTerms,
    background_axioms,
    consistent_labels,
    define_terms,
    find_definitions,
)
from moose.datasets.hierarchies.gene_tables import (
    ASPECTS,
    HOW,
    TABLES,
    GeneTables,
    fillers_of_genes,
    find_table,
    frequent_terms,
    read_tables,
    terms_of_genes,
)
from moose.datasets.hierarchies.grouped_split import By, group_genes, split_groups
from moose.datasets.hierarchies.hiding import USUAL
from moose.datasets.hierarchies.hierarchy import Hierarchy, ancestors, label_truth
from moose.datasets.hierarchies.labelled import Labelled, LabelledFiles, hierarchy_task
from moose.datasets.hierarchies.regime_names import NamedRegime, Sets, read_regime_name
from moose.owl.load import load
from moose.owl.model.expressions import OBO
from moose.owl.ontology import Ontology

SPLITS: dict[str, By] = {"mf_family": "family", "mf_architecture": "architecture"}
"""How genes are split: no Pfam domain is in two splits, or no set of Pfam domains is."""
ASPECT = "mf"
ONTOLOGY = ("go.ofn", "go.ofn.gz")
"""Where the definitions of terms are, if terms are to be unseen."""


def term_iri(term: str) -> str:
    """Return the IRI of a term.

    >>> term_iri("GO:0003674")
    'http://purl.obolibrary.org/obo/GO_0003674'
    """
    return OBO + term.replace(":", "_")


def read_genes(folder: Path, regime: NamedRegime) -> Labelled:
    """Read the genes with the vocabulary and the split that a regime asks for; what was read lately is kept."""
    names = (*TABLES.values(), *ONTOLOGY) if regime.is_unseen else TABLES.values()
    found = (find_table(folder, name) for name in names)
    states = tuple((path, path.stat().st_mtime_ns) for path in found if path is not None)
    return _read_genes(folder, states, regime.set, regime.least, regime.is_unseen)


@lru_cache(maxsize=4)
def _read_genes(folder: Path, states: object, name: str, least: int, is_unseen: bool) -> Labelled:
    del states  # a key: other files of the same names are read anew
    tables = read_tables(folder)
    hierarchy = frequent_terms(tables, ASPECT, max(least, 1))
    annotated = tables.terms[ASPECT]
    domains = {gene: own for gene, own in tables.pfam.items() if gene in annotated}
    splits = split_groups(group_genes(domains, SPLITS[name]))
    features = encode_domains(tables, splits)
    if is_unseen:
        return with_definitions(tables, hierarchy, splits, read_ontology(folder))
    terms = terms_of_genes(tables, ASPECT, hierarchy.names)
    truth = {split: label_truth(hierarchy, [terms[gene] for gene in genes]) for split, genes in splits.items()}
    return Labelled(hierarchy_task(hierarchy, term_iri), hierarchy, features, truth)


def read_ontology(folder: Path) -> Ontology:
    """Read the definitions of terms."""
    paths = [path for name in ONTOLOGY if (path := find_table(folder, name)) is not None]
    if not paths:
        raise MooseError(
            f"{folder}: expected {' or '.join(ONTOLOGY)} there, with the definitions of unseen terms, but it is "
            f"missing; put the Gene Ontology there, in OWL functional syntax"
        )
    return load(paths[0])


def with_definitions(
    tables: GeneTables, base: Hierarchy, splits: Mapping[str, list[str]], ontology: Ontology
) -> Labelled:
    """Return the genes with terms that are never labelled, and with their definitions in the theory."""
    defined = define_known_terms(base, ontology)
    hierarchy = defined.hierarchy
    terms = terms_of_genes(tables, ASPECT, base.names)
    parts, studied = fillers_of_genes(tables, defined.restrictions)
    is_term = np.array([name not in defined.restrictions for name in hierarchy.names])
    truth, labels = {}, {}
    for split, genes in splits.items():
        known = label_truth(hierarchy, [terms[gene] | parts.get(gene, set()) for gene in genes])
        seen = label_truth(hierarchy, [terms[gene] - defined.unseen_names | parts.get(gene, set()) for gene in genes])
        for column in np.flatnonzero(~is_term).tolist():
            is_said = np.array([hierarchy.names[column] in studied[gene] for gene in genes])
            seen[~is_said & (seen[:, column] < 0), column] = 0
        # Where the label of a restriction and that of a term that it is part of disagree, it is not known.
        known = np.where(is_term | (known == seen), known, 0).astype(np.int8)
        seen[:, defined.is_unseen] = 0
        truth[split], labels[split] = (consistent_labels(defined, signs) for signs in (known, seen))
    task = hierarchy_task(hierarchy, concept_iri, defined.ontology)
    names = [concept.name for concept in task.concepts]
    unseen = {names[term]: tuple(names[part] for part in parts) for term, parts in defined.definitions}
    return Labelled(task, hierarchy, encode_domains(tables, splits), truth, labels, defined.is_unseen, unseen)


def define_known_terms(base: Hierarchy, ontology: Ontology) -> DefinedTerms:
    """Return the terms with those definitions that agree with the hierarchy: a term must stand below its genus."""
    place = {term_iri(name): number for number, name in enumerate(base.names)}
    above = ancestors(base)
    definitions = [
        one
        for one in find_definitions(ontology, place.keys(), term_iri(ASPECTS[ASPECT]))
        if all(above[place[one.term], place[genus]] for genus in one.genus)
    ]
    if not definitions:
        raise MooseError(
            "expected definitions of some terms of the vocabulary, but the ontology has none; check go.ofn"
        )
    return define_terms(base, definitions, background_axioms(ontology, definitions, place.keys()), term_iri)


def concept_iri(name: str) -> str:
    """Return the IRI of a term or of a named restriction."""
    return term_iri(name) if name.startswith(TERM) else RESTRICTION_IRI + name


def unseen_concepts(regime: str, folder: str | Path | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return the concepts of a regime that are never labelled and have definitions, by which zero-shot is evaluated.

    With each comes what it is the intersection of: terms, and restrictions by their names.
    """
    return read_genes(Path(folder) if folder else data_folder("genes"), read_name(regime)).unseen


def encode_domains(tables: GeneTables, splits: Mapping[str, list[str]]) -> dict[str, NDArray[np.bool_]]:
    """Return for each split gene × domain: whether the gene has it.

    Only the domains of genes to learn from are features: nothing is learnt from a column of zeros.
    """
    own = {
        gene: tables.pfam[gene] | tables.prosite.get(gene, frozenset()) for genes in splits.values() for gene in genes
    }
    seen = {domain for gene in splits["train"] for domain in own[gene]}
    column = {domain: number for number, domain in enumerate(sorted(seen))}
    features = {split: np.zeros((len(genes), len(column)), dtype=bool) for split, genes in splits.items()}
    for split, genes in splits.items():
        for row, gene in enumerate(genes):
            features[split][row, [column[domain] for domain in own[gene] if domain in column]] = True
    return features


def read_name(name: str) -> NamedRegime:
    """Read the name of a regime.

    >>> read_name("mf_family-least5-hidden50").least
    5
    """
    return read_regime_name(name, Sets(tuple(SPLITS), cut=tuple(SPLITS), defined=tuple(SPLITS)))


def missing(folder: Path | None) -> str | None:
    """Say which table is missing."""
    place = folder or data_folder("genes")
    absent = [name for name in TABLES.values() if find_table(place, name) is None]
    return f"{place}: expected {' and '.join(absent)}, but there is no such file; {HOW}" if absent else None


def get(folder: Path | None, tell: Tell) -> Path:
    """Say how to get the tables: they are exported from packages of R."""
    target = folder or data_folder("genes")
    if reason := missing(target):
        raise MooseError(f"the tables of genes are not fetched by this command; {reason}")
    tell(f"{target} has them already")
    return target


FILES = LabelledFiles("genes", read_name, read_genes, missing)

SOURCE = Source(
    summary="13,763 human genes with Pfam and PROSITE domains, and 947 terms of molecular function; from four tables",
    subject="genes",
    open=FILES.open,
    missing=missing,
    get=get,
    own_regimes=OwnRegimes(
        (
            *SPLITS,
            *(f"{name}-{word}" for word in ("whole", "unseen") for name in SPLITS),
            *(f"mf_family-{word}" for word in USUAL),
        ),
        read_name,
        FILES.regime,
    ),
)
