"""Terms of molecular function that nobody labels, with their definitions: the data of `bench.zero_shot`.

A term that `go.ofn` defines, U ≡ A ⊓ ∃part_of.B, say, is unseen: its label and those of all terms below it are shown to
nobody. What is labelled are the other terms that enough genes have, and the restrictions ∃part_of.B of definitions: a
gene has that which it is annotated with B for, a biological process or a cellular component, or something below B.
The theory is the part of `go.ofn` that speaks of these (a ⊥-module), with a name for each restriction. It is about
activities, and a gene is taken to be what its activities are: a definition's parts may then come from two activities of
a gene, which is the price; and disjointness is left out, since a gene may have two activities that exclude each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import moose
from moose.datasets.genes import term_iri
from moose.datasets.hierarchies.gene_tables import ASPECTS, GeneTables, closed_upward, read_tables, terms_above
from moose.grounding.task.task import Task
from moose.learning.labels.complete_labels import completion
from moose.owl.model.axioms import DisjointClasses, EquivalentClasses
from moose.owl.model.expressions import Class, ObjectIntersectionOf, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.ontology import Ontology, ontology_from_axioms

LEAST = 10
"""Genes that a term must have to be labelled, to be asked for, or to tell of in a definition."""
NAMED = "https://example.org/restriction#"
Signs = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Definition:
    """U ≡ A₁ ⊓ … ⊓ ∃r₁.B₁ ⊓ …, by the terms' names."""

    term: str
    genera: tuple[str, ...]
    restrictions: tuple[tuple[str, str], ...]
    """IRI of the role, and the filler."""


@dataclass(frozen=True, eq=False)
class Genes:
    """Genes with domains, what is labelled, and what is true of the unseen terms."""

    task: Task
    """Latent: what is labelled. Observed, though nobody observes them: the unseen terms; and the root, which holds."""
    names: tuple[str, ...]
    domains: Mapping[str, frozenset[str]]
    """Of Pfam, for each gene: what it is split by."""
    features: npt.NDArray[np.bool_]
    """gene × domain of Pfam or PROSITE"""
    labels: Signs
    """gene × concept of the task; 0 for unseen terms, and where a gene has no annotation of that aspect."""
    holds: npt.NDArray[np.bool_]
    """gene × unseen term"""
    unseen: tuple[Definition, ...]


def read_genes(folder: Path) -> Genes:
    """Read tables and definitions, and choose what is labelled and what is not."""
    tables = read_tables(folder / "scale" / "human-go")
    ontology = moose.load(folder / "ontologies" / "go.ofn.gz")
    above = {aspect: terms_above(tables, aspect) for aspect in ASPECTS}
    terms = {
        aspect: {gene: closed_upward(own, above[aspect]) for gene, own in genes.items()}
        for aspect, genes in tables.terms.items()
    }
    counts = Counter(term for genes in terms.values() for own in genes.values() for term in own)
    known = {one.iri for one in ontology.declarations if isinstance(one, Class)}
    enough = {term for term, count in counts.items() if count >= LEAST and term_iri(term) in known}
    functions = {term for own in terms["mf"].values() for term in own} & enough - {ASPECTS["mf"]}
    definitions = {one.term: one for one in read_definitions(ontology)}
    unseen = choose_unseen(definitions, functions, enough)
    below = {
        term for term in functions if any(one.term in closed_upward(frozenset([term]), above["mf"]) for one in unseen)
    }
    labelled = sorted(functions - below)
    used = [definitions[term] for term in labelled if term in definitions]
    restrictions = sorted({pair for one in (*unseen, *used) for pair in one.restrictions if pair[1] in enough})
    task = make_task(ontology, labelled, restrictions, unseen)
    names = tuple(sorted(tables.pfam.keys() & terms["mf"].keys()))
    labels = make_labels(task, names, terms, labelled, restrictions)
    holds = np.array([[one.term in terms["mf"][gene] for one in unseen] for gene in names])
    return Genes(task, names, tables.pfam, encode(tables, names), labels, holds, unseen)


def read_definitions(ontology: Ontology) -> Iterator[Definition]:
    """Yield what is defined as something with restrictions, all of names."""
    for axiom in ontology.axioms:
        if not isinstance(axiom, EquivalentClasses) or len(axiom.operands) != 2:
            continue
        term, meaning = sorted(axiom.operands, key=lambda one: not isinstance(one, Class))
        if not isinstance(term, Class) or not isinstance(meaning, ObjectIntersectionOf):
            continue
        parts = meaning.operands
        genera = tuple(name_of(one) for one in parts if isinstance(one, Class))
        restrictions = tuple(
            (one.property.iri, name_of(one.filler))
            for one in parts
            if isinstance(one, ObjectSomeValuesFrom)
            and isinstance(one.property, ObjectProperty)
            and isinstance(one.filler, Class)
        )
        if genera and restrictions and len(genera) + len(restrictions) == len(parts):
            yield Definition(name_of(term), genera, restrictions)


def name_of(term: Class) -> str:
    """Return what the tables call a term.

    >>> name_of(Class("http://purl.obolibrary.org/obo/GO_0003674"))
    'GO:0003674'
    """
    return term.iri.rpartition("/")[2].replace("_", ":")


def choose_unseen(
    definitions: Mapping[str, Definition], functions: set[str], enough: set[str]
) -> tuple[Definition, ...]:
    """Return the definitions of functions that are made of terms which enough genes have, none of them unseen."""
    fitting = [
        one
        for term, one in sorted(definitions.items())
        if term in functions and enough.issuperset((*one.genera, *(filler for _, filler in one.restrictions)))
    ]
    terms = {one.term for one in fitting}
    return tuple(one for one in fitting if terms.isdisjoint(one.genera))


def restriction_name(pair: tuple[str, str]) -> str:
    """Return the IRI that stands for a restriction."""
    return NAMED + pair[0].rpartition("/")[2] + "_" + pair[1].replace(":", "_")


def make_task(
    ontology: Ontology, labelled: Iterable[str], restrictions: Iterable[tuple[str, str]], unseen: Iterable[Definition]
) -> Task:
    """Return the task of one gene over the module of all terms."""
    named = {
        restriction_name(pair): ObjectSomeValuesFrom(ObjectProperty(pair[0]), Class(term_iri(pair[1])))
        for pair in restrictions
    }
    classes, asked = [term_iri(term) for term in labelled], [term_iri(one.term) for one in unseen]
    fillers = [filler.iri for one in named.values() if isinstance(filler := one.filler, Class)]
    roles = [role.iri for one in named.values() if isinstance(role := one.property, ObjectProperty)]
    module = moose.extract(ontology, [*classes, *asked, *fillers, *roles], method="bot")
    meanings = [EquivalentClasses((Class(iri), one)) for iri, one in named.items()]
    axioms = [one for one in module.axioms if not isinstance(one, DisjointClasses)]
    theory = ontology_from_axioms([*axioms, *meanings], declarations=module.declarations)
    return Task(
        theory,
        ["a"],
        observed=[f"<{iri}>" for iri in (*asked, term_iri(ASPECTS["mf"]))],
        latent=[f"<{iri}>" for iri in (*classes, *named)],
    )


def make_labels(
    task: Task,
    names: Iterable[str],
    terms: Mapping[str, Mapping[str, set[str]]],
    labelled: Iterable[str],
    restrictions: Iterable[tuple[str, str]],
) -> Signs:
    """Return gene × concept: what annotations say.

    What follows from what holds is held too: that a gene is not annotated with something is a weaker word than that
    it is annotated with what entails it.
    """
    column = {concept.iri: number for number, concept in enumerate(task.concepts)}
    wanted = [(column[term_iri(term)], term, "mf") for term in labelled]
    aspect_of = {term: aspect for aspect, genes in terms.items() for own in genes.values() for term in own}
    wanted += [(column[restriction_name(pair)], pair[1], aspect_of[pair[1]]) for pair in restrictions]
    genes = list(names)
    signs = np.zeros((len(genes), len(column)), dtype=np.int8)
    for row, gene in enumerate(genes):
        for place, term, aspect in wanted:
            own = terms[aspect].get(gene)
            if own is not None:
                signs[row, place] = 1 if term in own else -1
    signs[:, column[term_iri(ASPECTS["mf"])]] = 1
    holding = np.where(signs > 0, signs, 0)
    completed = completion(task).complete(holding[:, None])[:, 0]
    return np.where(completed > 0, completed, signs).astype(np.int8)


def encode(tables: GeneTables, names: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Return gene × domain, of the domains that two genes have at least."""
    own = [tables.pfam[gene] | tables.prosite.get(gene, frozenset()) for gene in names]
    counts = Counter(domain for domains in own for domain in domains)
    column = {domain: number for number, domain in enumerate(sorted(one for one in counts if counts[one] > 1))}
    features = np.zeros((len(own), len(column)), dtype=bool)
    for row, domains in enumerate(own):
        features[row, [column[domain] for domain in domains if domain in column]] = True
    return features
