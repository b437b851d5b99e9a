"""Yeast proteins and what they do to each other: STRING's actions as roles with a hierarchy, GO slim as types.

A row of STRING has a mode (binding, catalysis, …), and says of some pairs who acts. So each mode is a symmetric role
between the two, and those with an actor have a role below it. Activation, inhibition and the control of expression are
regulation, and every mode is an interaction. Nothing of that is mined. Domains and ranges are: GO slim terms that every
protein seen on that side has one of, where they leave out half of all proteins at least.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.graph_ontology import loaded
from moose.owl.ontology import Ontology

MODES = ("binding", "reaction", "catalysis", "ptmod", "activation", "inhibition", "expression")
ACTING = {"catalysis": "catalyses", "ptmod": "modifies"} | {
    "activation": "activates",
    "inhibition": "inhibits",
    "expression": "expresses",
}
"""Modes in which somebody acts, and the role of who does."""
REGULATION = ("activation", "inhibition", "expression")
SYMMETRIC = ("interaction", "regulation", *MODES)
ROLES = (*SYMMETRIC, "regulates", *ACTING.values())
ABOVE = (
    [(mode, "regulation" if mode in REGULATION else "interaction") for mode in MODES]
    + [("regulation", "interaction"), ("regulates", "regulation")]
    + [(role, mode) for mode, role in ACTING.items()]
    + [(ACTING[mode], "regulates") for mode in REGULATION]
)
AMINO = "ACDEFGHIKLMNPQRSTVWY"
LEAST, MOST_ALLOWED = 20, 0.5
"""A GO slim term counts if so many proteins have it; a domain if it allows at most this share of all proteins."""
Edges = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Proteins:
    """Proteins with a sequence and types, and what they do to each other."""

    names: tuple[str, ...]
    terms: tuple[str, ...]
    has_term: Flags
    """protein × GO slim term."""
    composition: npt.NDArray[np.float32]
    """protein × (log of the length, then how frequent each two amino acids in a row are)."""
    edges: Edges
    """first, role as in `ROLES`, second; all that follows by the hierarchy is there."""

    @property
    def features(self) -> npt.NDArray[np.float32]:
        """What is seen of a protein: its sequence and its types."""
        return np.concatenate([self.composition, self.has_term.astype(np.float32)], 1)


def read_proteins(folder: Path) -> Proteins:
    """Read STRING's actions, SGD's GO slim and UniProt's sequences."""
    types, names = _read_types(folder / "go_slim_mapping.tab.gz")
    sequences = _read_sequences(folder / "uniprot-yeast-2025-10-27.fasta.gz", names)
    actions = _read_actions(folder / "4932.protein.actions.v11.0.txt.gz")
    proteins = sorted(
        {name for first, _, second in actions for name in (first, second)} & types.keys() & sequences.keys()
    )
    numbers = {name: number for number, name in enumerate(proteins)}
    every = sorted({term for name in proteins for term in types[name]})
    has_term = np.array([[term in types[name] for term in every] for name in proteins], bool)
    usual = np.flatnonzero(has_term.sum(0) >= LEAST)
    edges = [
        (numbers[first], ROLES.index(role), numbers[second])
        for first, role, second in actions
        if first in numbers and second in numbers and first != second
    ]
    return Proteins(
        tuple(proteins),
        tuple(every[one] for one in usual),
        has_term[:, usual],
        np.stack([composition(sequences[name]) for name in proteins]),
        np.array(sorted(edges), np.int64),
    )


def composition(sequence: str) -> npt.NDArray[np.float32]:
    """Return the log of a sequence's length, and how frequent each two amino acids in a row are.

    >>> composition("ACAC")[[0, 2]].tolist()[1]
    0.6666666865348816
    """
    pairs = {first + second: number for number, (first, second) in enumerate(product(AMINO, AMINO))}
    counts = np.zeros(len(pairs))
    for first, second in pairwise(sequence):
        if (number := pairs.get(first + second)) is not None:
            counts[number] += 1
    return np.concatenate([[np.log(len(sequence))], counts / max(counts.sum(), 1.0)]).astype(np.float32)


def _read_types(path: Path) -> tuple[dict[str, set[str]], dict[str, str]]:
    types, names = dict[str, set[str]](), dict[str, str]()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            orf, gene, _, aspect, term, *_ = line.rstrip("\n").split("\t")
            types.setdefault(orf, set()).add(f"{aspect}: {term}")
            names[gene], names[orf] = orf, orf
    return types, names


def _read_sequences(path: Path, names: dict[str, str]) -> dict[str, str]:
    sequences, own = dict[str, str](), None
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(">"):
                genes = [word.removeprefix("GN=") for word in line.split() if word.startswith("GN=")]
                own = names.get(genes[0]) if genes else None
            elif own is not None:
                sequences[own] = sequences.get(own, "") + line.strip()
    return sequences


def _read_actions(path: Path) -> set[tuple[str, str, str]]:
    """Return first, role, second, with all that the hierarchy adds."""
    told = set[tuple[str, str, str]]()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            first, second, mode, _, is_directed, is_acting, _ = line.rstrip("\n").split("\t")
            pair = (first.partition(".")[2], second.partition(".")[2])
            told.add((pair[0], mode, pair[1]))
            if is_directed == "t" and is_acting == "t" and mode in ACTING:
                told.add((pair[0], ACTING[mode], pair[1]))
    above = {role: _followed("x", role, "y") for role in ROLES}
    return {
        (first, one, second) if x == "x" else (second, one, first)
        for first, role, second in told
        for x, one, _ in above[role]
    }


def _followed(first: str, role: str, second: str) -> set[tuple[str, str, str]]:
    found = set[tuple[str, str, str]]()
    agenda = [(first, role, second)]
    while agenda:
        triple = agenda.pop()
        if triple not in found:
            found.add(triple)
            agenda += [(triple[0], above, triple[2]) for below, above in ABOVE if below == triple[1]]
            if triple[1] in SYMMETRIC:
                agenda.append((triple[2], triple[1], triple[0]))
    return found


@dataclass(frozen=True, slots=True)
class Side:
    """Who may be in a role at one side: GO slim terms, by number."""

    role: str
    place: int
    terms: tuple[int, ...]

    @property
    def name(self) -> str:
        """The class of who may be there."""
        return f"{('Source', 'Target')[self.place]}_{self.role}"


def mine_sides(proteins: Proteins, edges: Edges) -> list[Side]:
    """Find domains and ranges of the roles by edges between proteins to learn from."""
    sides = []
    for role, place in product(range(len(ROLES)), (0, 1)):
        if ROLES[role] in SYMMETRIC and place == 1:
            continue
        seen = np.unique(edges[edges[:, 1] == role][:, 2 * place])
        terms = cover_terms(proteins.has_term, seen)
        if terms and proteins.has_term[:, terms].any(1).mean() <= MOST_ALLOWED:
            sides.append(Side(ROLES[role], place, tuple(terms)))
    return sides


def cover_terms(has_term: Flags, seen: npt.NDArray[np.int64]) -> list[int]:
    """Return terms of which every protein that is seen has one, the most telling first; none if one has no term.

    >>> cover_terms(np.array([[1, 0, 1], [0, 1, 1], [0, 0, 1]], bool), np.array([0, 1]))
    [0, 1]
    """
    left = has_term[seen]
    if not len(seen) or not left.any(1).all():
        return []
    chosen = list[int]()
    while len(left):
        chosen.append(int(np.argmax(left.sum(0) / (has_term.sum(0) + 1.0) * (left.sum(0) > 0))))
        left = left[~left[:, chosen[-1]]]
    return chosen


def actions_ontology(sides: Sequence[Side]) -> Ontology:
    """Return the hierarchy of roles, who is symmetric, domains and ranges."""
    lines = [f"Declaration(ObjectProperty(:{role})) IrreflexiveObjectProperty(:{role})" for role in ROLES]
    lines += [f"SubObjectPropertyOf(:{below} :{above})" for below, above in ABOVE]
    lines += [f"SymmetricObjectProperty(:{role})" for role in SYMMETRIC]
    for side in sides:
        kind = ("Domain", "Range")[side.place]
        lines += [f"Declaration(Class(:{side.name}))", f"ObjectProperty{kind}(:{side.role} :{side.name})"]
    return loaded(lines)


def complete(signs: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return what is said of pairs, pair × role × 2 × 2, with all that follows by hierarchy and symmetry."""
    whole, before = signs.copy(), -1
    while int(np.count_nonzero(whole)) != before:
        before = int(np.count_nonzero(whole))
        for below, above in ((ROLES.index(one), ROLES.index(other)) for one, other in ABOVE):
            whole[:, above] = np.where(whole[:, below] > 0, 1, whole[:, above])
            whole[:, below] = np.where(whole[:, above] < 0, -1, whole[:, below])
        for role in (ROLES.index(one) for one in SYMMETRIC):
            turned = whole[:, role].swapaxes(1, 2)
            whole[:, role] = np.where(whole[:, role] == 0, turned, whole[:, role])
    return whole
